import type { ChatLine } from "../generated/protocol";

/** The lines of a room that are kept, as the server does. */
const KEPT = 50;

/** Whether a line belongs to the watchers' room; each of the two counts its own lines. */
export function isAmongWatchers(line: ChatLine): boolean {
  return line.seat === null;
}

/** The talk with a new line, told once. */
export function spoken(talk: readonly ChatLine[], line: ChatLine): ChatLine[] {
  const room = talk.filter((other) => isAmongWatchers(other) === isAmongWatchers(line));
  if ((room.at(-1)?.n ?? 0) >= line.n) return [...talk];
  const gone = room.length >= KEPT ? room[0] : undefined;
  return [...talk.filter((other) => other !== gone), line];
}

/** How far one has read: the number of the last line of each room. */
export interface Read {
  players: number;
  watchers: number;
}

/** All that has been said. */
export function allRead(talk: readonly ChatLine[]): Read {
  const last = (among: boolean): number => talk.findLast((line) => isAmongWatchers(line) === among)?.n ?? 0;
  return { players: last(false), watchers: last(true) };
}

/** The lines that have come since, without one's own and those of the muted. */
export function unread(talk: readonly ChatLine[], read: Read, you: number | null, isMuted: (name: string) => boolean): ChatLine[] {
  return talk.filter((line) => {
    const among = isAmongWatchers(line);
    return line.n > (among ? read.watchers : read.players) && !isMuted(line.name) && (among || line.seat !== you);
  });
}
