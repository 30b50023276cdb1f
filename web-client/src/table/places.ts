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
  /** Clockwise from the right end of the bottom side, from 0. */
  at: number;
  /** Tiles left in the stack: 0, 1 or 2. */
  tiles: number;
  /** Among the last stacks, which ordinary draws leave. */
  reserve: boolean;
}

export interface WallLook {
  stacks: Stack[];
  /** Stacks of each side. */
  side: number;
  /** The first stack that was dealt from. */
  opening: number;
  /** The sum of the dice. */
  sum: number;
}

/** Sets of tiles that a wall is built of: without and with flowers. */
const SETS = [136, 144];
const MOST_RESERVED = 16;

/**
 * How many tiles the wall was built of and how many of them ordinary draws leave, from what lies on the table: a view
 * tells only what may still be drawn. Whatever is not seen is in the reserve.
 */
function built(deal: DealView): { tiles: number; reserve: number } {
  const seen = deal.seats.reduce(
    (sum, seat) => sum + seat.size + seat.flowers.length + seat.melds.reduce((held, meld) => held + meld.tiles.length, 0) + seat.discards.filter((discard) => !discard.claimed).length,
    deal.left,
  );
  // A tile being added to a set, or robbed, lies nowhere for a moment; a wall is even.
  const even = seen + (seen % 2);
  const tiles = SETS.includes(even) ? even : (SETS.findLast((set) => set > even && set - even <= MOST_RESERVED) ?? 144);
  return { tiles, reserve: Math.max(0, tiles - even) };
}

/**
 * The wall as it lies on the table: where the dice broke it, what is gone from its head and from its tail.
 * The dealer counts a throw round the table from himself, then as many stacks as all dice show from that side's right
 * end, on round the corner where the side is too short. Of four dice the first two choose the side.
 */
export function wallLook(deal: DealView, you: number | null): WallLook {
  const { tiles, reserve } = built(deal);
  const count = tiles / 2;
  const total = (dice: readonly number[]): number => dice.reduce((sum, die) => sum + die, 0);
  const sum = total(deal.dice);
  const counted = deal.dice.length === 4 ? total(deal.dice.slice(0, 2)) : sum;
  const broken = (deal.dealer + counted - 1 + 4) % 4;
  const opening = ((["self", "left", "across", "right"].indexOf(placeOf(broken, you)) * count) / 4 + sum) % count;
  const gongs = deal.seats.flatMap((seat) => seat.melds).filter((meld) => meld.form.endsWith("gong")).length;
  const replaced = deal.seats.reduce((taken, seat) => taken + seat.flowers.length, gongs);
  const remaining = Math.min(tiles, deal.left + reserve);
  const head = Math.max(0, tiles - remaining - replaced);
  const end = head + remaining;
  const stacks: Stack[] = [];
  for (let order = 0; order < count; order++) {
    const left = Math.max(0, Math.min(2 * order + 2, end) - Math.max(2 * order, head));
    stacks.push({ at: (opening + order) % count, tiles: left, reserve: left > 0 && 2 * order >= end - reserve });
  }
  return { stacks, side: count / 4, opening, sum };
}
