/** How guests who have chosen no name are called in a language. */
interface GuestWords {
  guestName: (number: string) => string;
}

const GUEST = /^Guest (\d+)$/;
const DEFAULT = /^(?:Guest|訪客) \d+$/;

/** A name as it is shown: a guest's number in the language in use, anything else as it is. */
export function called(name: string, text: GuestWords): string {
  const number = GUEST.exec(name)?.[1];
  return number === undefined ? name : text.guestName(number);
}

/** The same people by the names that are shown. */
export function calledAll<Someone extends { name: string }>(people: Someone[], text: GuestWords): Someone[] {
  return people.map((one) => ({ ...one, name: called(one.name, text) }));
}

/** Whether nobody has chosen this name: the house gives such to guests, and to nobody who asks. */
export function isDefault(name: string): boolean {
  return DEFAULT.test(name);
}
