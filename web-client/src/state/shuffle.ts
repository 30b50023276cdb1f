import type { Entropy, Shuffle, Table } from "../generated/protocol";

/** One's own part in a shuffle. `sent` on the line that is up now. */
export interface Given {
  commit: string;
  nonce: string;
  sent: boolean;
}

/** 16 bytes that nobody else knows, in hex. */
export function randomNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * What to send to a shuffle that is open, and what is then known of it; null where there is nothing to send. A line that
 * broke may have lost it, so the same is sent once more after that; for one commitment there is never another.
 */
export function part(known: { folded: { table: Table } | null; given: Given | null }, nonce: () => string): { reply: Entropy; given: Given } | null {
  const table = known.folded?.table;
  const shuffle = table?.shuffle;
  if (table?.you == null || shuffle == null || shuffle.nonces !== null || shuffle.seed !== null) return null;
  const before = known.given?.commit === shuffle.commit ? known.given : null;
  if (before?.sent === true) return null;
  const given = { commit: shuffle.commit, nonce: before?.nonce ?? nonce(), sent: true };
  return { reply: { type: "entropy", deal: shuffle.deal, nonce: given.nonce }, given };
}

/** Whether the server has used what one sent; null where that cannot be told. */
export function wasUsed(shuffle: Shuffle, seat: number | null, given: Given | null): boolean | null {
  if (seat === null || given?.commit !== shuffle.commit || shuffle.nonces === null) return null;
  return shuffle.nonces[seat] === given.nonce;
}

/** The public name of the match, as the context of its shuffles tells it; null where it does not. */
export function matchOf(shuffle: Shuffle): string | null {
  return /(?:^|\|)match:([0-9a-f]{32})(?:\||$)/.exec(shuffle.context)?.[1] ?? null;
}
