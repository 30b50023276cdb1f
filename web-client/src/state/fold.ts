import type { DealView, MeldValue, SeatView, Table, TableEvent } from "../generated/protocol";
import { compareTiles } from "../tiles/kinds";

/** A table and what its snapshot does not tell: the seat whose discard is the newest and still lies there. */
export interface Folded {
  table: Table;
  newest: number | null;
}

/** What a whole table, just received, says. */
export function unfolded(table: Table): Folded {
  const phase = table.deal?.phase;
  return { table, newest: phase?.kind === "claiming" ? phase.seat : null };
}

/**
 * The table after `events`, of which the last has `version`. Nothing given is changed.
 * It arrives at what the server would send as a whole table at that version.
 */
export function fold(before: Folded, events: readonly TableEvent[], version: number): Folded {
  const after = structuredClone(before);
  for (const event of events) happen(after, event);
  after.table.version = version;
  return after;
}

function happen(folded: Folded, event: TableEvent): void {
  const { table } = folded;
  switch (event.e) {
    case "match_started":
      table.scores = [0, 0, 0, 0];
      table.settled = null;
      table.standing = null;
      return;
    case "deal_started":
      table.settled = null;
      table.scores = event.scores;
      folded.newest = null;
      table.deal = {
        deal: event.deal,
        dealer: event.dealer,
        round_wind: event.round_wind,
        streak: event.streak,
        dice: event.dice,
        left: event.left,
        seats: event.sizes.map((size, seat) => ({
          size,
          tiles: event.hands[seat]?.toSorted(compareTiles) ?? null,
          drawn: null,
          melds: [],
          flowers: [],
          discards: [],
          called: false,
        })),
        phase: { kind: "discarding", seat: event.dealer, tile: null },
      };
      return;
    case "settled":
      table.settled = event;
      table.scores = event.scores;
      return;
    case "match_ended":
      table.standing = event.standing;
      return;
    case "paid":
      table.scores = event.scores;
      return;
    case "shuffle_committed": {
      const { deal, context, commit } = event;
      table.shuffle = { deal, context, commit, nonces: null, seed: null };
      return;
    }
    case "shuffle_fixed":
      if (table.shuffle?.deal === event.deal) table.shuffle.nonces = event.nonces;
      return;
    case "shuffle_revealed":
      // Where seeds are shown after the match, those of earlier deals come too.
      if (table.shuffle?.deal === event.deal) table.shuffle.seed = event.seed;
      return;
    default:
      if (table.deal !== null) folded.newest = happenInDeal(table.deal, event, folded.newest);
  }
}

type DealEvent = Exclude<
  TableEvent,
  { e: "match_started" | "deal_started" | "settled" | "match_ended" | "paid" | "shuffle_committed" | "shuffle_fixed" | "shuffle_revealed" }
>;

function happenInDeal(deal: DealView, event: DealEvent, newest: number | null): number | null {
  if (event.e === "exhausted") {
    over(deal);
    return newest;
  }
  const seat = deal.seats[event.seat];
  if (seat === undefined) return newest;
  switch (event.e) {
    case "flowers":
      take(seat, event.tiles);
      seat.flowers.push(...event.tiles);
      if (seat.drawn !== null && event.tiles.includes(seat.drawn)) seat.drawn = null;
      return newest;
    case "washing_opened":
      deal.phase = { kind: "washing", seat: event.seat, tile: null };
      return newest;
    case "washing_closed":
      deal.phase = { kind: "discarding", seat: event.seat, tile: null };
      return newest;
    case "washed":
      over(deal);
      return newest;
    case "hand_shown":
      shown(seat, event.tiles);
      return newest;
    case "draw":
      drew(deal, seat, event);
      return newest;
    case "called":
      seat.called = true;
      return newest;
    case "discard":
      take(seat, [event.tile]);
      seat.drawn = null;
      seat.discards.push({ tile: event.tile, drawn: event.drawn, claimed: false });
      deal.phase = { kind: "claiming", seat: event.seat, tile: event.tile };
      return event.seat;
    case "meld":
      melded(deal, seat, event.meld);
      deal.phase = { kind: "discarding", seat: event.seat, tile: null };
      return event.meld.source === null ? newest : null;
    case "promoted":
      take(seat, [event.tile]);
      seat.drawn = null;
      deal.phase = { kind: "robbing", seat: event.seat, tile: event.tile };
      return newest;
    case "won":
      shown(seat, [...event.hand, ...(event.by === "self_draw" && event.tile !== null ? [event.tile] : [])]);
      over(deal);
      return newest;
    default:
      return newest;
  }
}

/** All its concealed tiles are open to everybody. */
function shown(seat: SeatView, tiles: readonly string[]): void {
  seat.tiles = [...tiles].sort(compareTiles);
  seat.size = tiles.length;
}

/** A hidden tile that leaves a hand only makes it smaller. */
function take(seat: SeatView, tiles: readonly string[]): void {
  seat.size -= tiles.length;
  if (seat.tiles === null) return;
  for (const tile of tiles) {
    const at = seat.tiles.indexOf(tile);
    if (at !== -1) seat.tiles.splice(at, 1);
  }
}

function drew(deal: DealView, seat: SeatView, event: Extract<TableEvent, { e: "draw" }>): void {
  const { phase } = deal;
  deal.left = event.left;
  seat.size += 1;
  if (seat.tiles !== null && event.tile !== null) seat.tiles = [...seat.tiles, event.tile].sort(compareTiles);
  // The flowers that were dealt are replaced before any turn: nothing counts as just drawn.
  if (event.source === "flower" && isOpening(deal)) return;
  if (phase.kind === "robbing") {
    for (const meld of seat.melds) if (meld.form === "pong" && meld.tiles[0] === phase.tile) promote(meld);
  }
  seat.drawn = event.tile;
  deal.phase = { kind: "discarding", seat: event.seat, tile: null };
}

/** Before the first discard and the first set; from then on a flower's replacement is a draw like any other. */
function isOpening(deal: DealView): boolean {
  return deal.seats.every((seat) => seat.melds.length === 0 && seat.discards.length === 0);
}

function promote(meld: MeldValue): void {
  meld.form = "promoted_gong";
  meld.tiles = [...meld.tiles, ...meld.tiles.slice(0, 1)];
}

function melded(deal: DealView, seat: SeatView, meld: MeldValue): void {
  const own = [...meld.tiles];
  if (meld.claimed !== null && meld.source !== null) {
    own.splice(own.indexOf(meld.claimed), 1);
    const claimed = deal.seats[meld.source]?.discards.at(-1);
    if (claimed !== undefined) claimed.claimed = true;
  }
  take(seat, own);
  seat.drawn = null;
  seat.melds.push(meld);
}

function over(deal: DealView): void {
  deal.phase = { kind: "over", seat: null, tile: null };
  for (const seat of deal.seats) seat.drawn = null;
}
