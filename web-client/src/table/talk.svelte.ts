import type { ChatLine } from "../generated/protocol";

const MUTED = "parlour.muted";
const KEPT = 100;

function read(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(MUTED) ?? "[]");
    return Array.isArray(found) ? found.filter((name) => typeof name === "string").slice(-KEPT) : [];
  } catch {
    return [];
  }
}

/** The people whose lines this browser does not show; by name, as a line tells no more of who wrote it. */
class Muted {
  names = $state.raw<readonly string[]>(read());

  has(name: string): boolean {
    return this.names.includes(name);
  }

  set(name: string, muted: boolean): void {
    const others = this.names.filter((other) => other !== name);
    this.names = muted ? [...others, name].slice(-KEPT) : others;
    try {
      localStorage.setItem(MUTED, JSON.stringify(this.names));
    } catch {
      // known for this visit only
    }
  }
}

export const muted = new Muted();

/** What a person says in one go. */
export interface Turn {
  n: number;
  seat: number | null;
  name: string;
  texts: string[];
}

/** The lines of a room, those of one person in a row together. */
export function turns(lines: readonly ChatLine[]): Turn[] {
  const found: Turn[] = [];
  for (const { n, seat, name, text } of lines) {
    const last = found.at(-1);
    if (last?.seat === seat && last.name === name) last.texts.push(text);
    else found.push({ n, seat, name, texts: [text] });
  }
  return found;
}
