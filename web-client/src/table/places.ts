import type { DealView, TableSettings } from "../generated/protocol";

/** Where a seat lies on the screen: oneself at the bottom, the next player on the right. */
export const places = ["self", "right", "across", "left"] as const;
export type Place = (typeof places)[number];

/** `you` is the seat from whose side one looks; a watcher who has chosen none looks from that of seat 0. */
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

/** How many tiles lie in the wall: what may still be drawn, and the reserve as far as replacements have left it. */
function remaining(deal: DealView, { wall, reserve }: Built): number {
  if (deal.left > 0) return deal.left + reserve;
  const taken = deal.seats.reduce(
    (sum, seat) => sum + seat.size + seat.flowers.length + seat.melds.reduce((held, meld) => held + meld.tiles.length, 0) + seat.discards.filter((discard) => !discard.claimed).length,
    0,
  );
  return Math.max(0, Math.min(reserve, wall - taken));
}

/** What the table's settings say of the wall. */
export type Built = Pick<TableSettings, "wall" | "reserve">;

/**
 * The wall as it lies on the table: where the dice broke it, what is gone from its head and from its tail.
 * The dealer counts a throw round the table from himself, then as many stacks as all dice show from that side's right
 * end, on round the corner where the side is too short. Of four dice the first two choose the side.
 */
export function wallLook(deal: DealView, built: Built, you: number | null): WallLook {
  const { wall: tiles, reserve } = built;
  const count = tiles / 2;
  const total = (dice: readonly number[]): number => dice.reduce((sum, die) => sum + die, 0);
  const sum = total(deal.dice);
  const counted = deal.dice.length === 4 ? total(deal.dice.slice(0, 2)) : sum;
  const broken = (deal.dealer + counted - 1 + 4) % 4;
  const opening = ((["self", "left", "across", "right"].indexOf(placeOf(broken, you)) * count) / 4 + sum) % count;
  const gongs = deal.seats.flatMap((seat) => seat.melds).filter((meld) => meld.form.endsWith("gong")).length;
  const replaced = deal.seats.reduce((taken, seat) => taken + seat.flowers.length, gongs);
  const lying = remaining(deal, built);
  const head = Math.max(0, tiles - lying - replaced);
  const end = head + lying;
  const stacks: Stack[] = [];
  for (let order = 0; order < count; order++) {
    const left = Math.max(0, Math.min(2 * order + 2, end) - Math.max(2 * order, head));
    stacks.push({ at: (opening + order) % count, tiles: left, reserve: left > 0 && 2 * order >= end - reserve });
  }
  return { stacks, side: count / 4, opening, sum };
}
