/** What a clock shows: the time that costs nothing, and after it the bank. Milliseconds. */
export interface Reading {
  /** The bank is being used up. */
  banking: boolean;
  /** Left of what runs now. */
  left: number;
  /** How much of it is left, 0 to 1. */
  part: number;
  /** What stands in the bank behind it; null where there is none, or it runs already. */
  behind: number | null;
  /** Little is left, and nothing comes after it. */
  short: boolean;
}

const SHORT = 5000;

/** `deadline` ends the time of `total` that costs nothing; after it come `bank` of the `whole` bank, null without one. */
export function reading(now: number, deadline: number, total: number, bank: number | null, whole: number | null): Reading {
  const saved = bank ?? 0;
  const base = Math.max(0, deadline - now);
  if (base > 0 || saved === 0) {
    return { banking: false, left: base, part: share(base, total), behind: saved > 0 ? saved : null, short: saved === 0 && base < SHORT };
  }
  const left = Math.max(0, deadline + saved - now);
  return { banking: true, left, part: share(left, Math.max(saved, whole ?? 0)), behind: null, short: left < SHORT };
}

function share(left: number, whole: number): number {
  return whole > 0 ? Math.min(1, left / whole) : 0;
}

/** Seconds alone, or minutes and seconds, rounded up: `8`, `0:08` with `minutes`, `3:05`. */
export function timeText(milliseconds: number, minutes = false): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60 && !minutes) return String(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
