import type { DealView } from "../generated/protocol";

/** Where a seat lies on the screen: oneself at the bottom, the next player on the right. */
export const places = ["self", "right", "across", "left"] as const;
export type Place = (typeof places)[number];

/** A watcher looks over the shoulder of seat 0. */
export function placeOf(seat: number, you: number | null): Place {
  return places[(seat - (you ?? 0) + 4) % 4] ?? "self";
}

export function seatAt(place: Place, you: number | null): number {
  return (places.indexOf(place) + (you ?? 0)) % 4;
}

/** The wind of a seat in a deal, 0 East to 3 North. */
export function windOf(seat: number, dealer: number): number {
  return (seat - dealer + 4) % 4;
}

export interface Stack {
  /** 0-71, clockwise from the right end of the bottom side. */
  at: number;
  /** Tiles left in the stack: 0, 1 or 2. */
  tiles: number;
  /** One of the last eight stacks, from which flowers and gongs are replaced. */
  reserve: boolean;
}

const STACKS = 72;
const RESERVED = 16;

/**
 * The wall as it lies on the table: where the dice broke it, what is gone from its head and from its tail.
 * The dealer counts the sum of the dice round the table from himself, then as many stacks from that side's right end.
 */
export function wallStacks(deal: DealView, you: number | null): { stacks: Stack[]; opening: number; sum: number } {
  const sum = deal.dice.reduce((total, die) => total + die, 0);
  const side = (deal.dealer + sum - 1 + 4) % 4;
  const opening = ((["self", "left", "across", "right"].indexOf(placeOf(side, you)) * STACKS) / 4 + sum) % STACKS;
  const gongs = deal.seats.flatMap((seat) => seat.melds).filter((meld) => meld.form.endsWith("gong")).length;
  const replaced = deal.seats.reduce((total, seat) => total + seat.flowers.length, gongs);
  const remaining = Math.min(2 * STACKS, deal.left + RESERVED);
  const head = Math.max(0, 2 * STACKS - remaining - replaced);
  const end = head + remaining;
  const stacks: Stack[] = [];
  for (let order = 0; order < STACKS; order++) {
    const left = Math.max(0, Math.min(2 * order + 2, end) - Math.max(2 * order, head));
    stacks.push({ at: (opening + order) % STACKS, tiles: left, reserve: left > 0 && 2 * order >= end - RESERVED });
  }
  return { stacks, opening, sum };
}
