import { expect, test } from "vitest";

import type { MeldValue, TableEvent } from "../src/generated/protocol";
import { fold, type Folded, unfolded } from "../src/state/fold";
import { tilesOf } from "../src/tiles/kinds";
import { dealView, seatView, table } from "./kit";

const many = (text: string): string[] => text.split(" ").flatMap(tilesOf);

function after(start: Folded, ...events: TableEvent[]): Folded {
  return fold(start, events, start.table.version + events.length);
}

function started(hand: string): Folded {
  const dealt: TableEvent = {
    e: "deal_started",
    deal: 1,
    dealer: 0,
    round_wind: 0,
    streak: 0,
    dice: [2, 3, 4],
    sizes: [17, 16, 16, 16],
    hands: [many(hand), null, null, null],
    left: 63,
    scores: [0, 0, 0, 0],
  };
  return after(unfolded(table({ deal: null, version: 1 })), { e: "match_started", rounds: 1 }, dealt);
}

const HAND = "123456789m 123p 11z 22s 1f";

test("a deal begins with the own tiles and everybody else's number of tiles", () => {
  const { deal } = started(HAND).table;
  expect(deal?.seats.map((seat) => seat.size)).toEqual([17, 16, 16, 16]);
  expect(deal?.seats[0]?.tiles).toHaveLength(17);
  expect(deal?.seats[1]?.tiles).toBeNull();
  expect(deal?.phase).toEqual({ kind: "discarding", seat: 0, tile: null });
});

test("dealt flowers are shown and replaced, and nothing counts as just drawn", () => {
  const { deal } = after(
    started(HAND),
    { e: "flowers", seat: 0, tiles: ["1f"] },
    { e: "draw", seat: 0, tile: "9p", source: "flower", left: 62 },
    { e: "flowers", seat: 2, tiles: ["5f"] },
    { e: "draw", seat: 2, tile: null, source: "flower", left: 61 },
  ).table;
  expect(deal?.seats[0]).toMatchObject({ size: 17, drawn: null, flowers: ["1f"] });
  expect(deal?.seats[0]?.tiles).toContain("9p");
  expect(deal?.seats[0]?.tiles).not.toContain("1f");
  expect(deal?.seats[2]).toMatchObject({ size: 16, tiles: null, flowers: ["5f"] });
  expect(deal?.phase.seat).toBe(0);
  expect(deal?.left).toBe(61);
});

test("a discard leaves the hand, lies in order and may be claimed", () => {
  const now = after(started("123456789m 123p 11z 223s"), { e: "discard", seat: 0, tile: "1z", drawn: false });
  const seat = now.table.deal?.seats[0];
  expect(seat?.tiles?.filter((tile) => tile === "1z")).toHaveLength(1);
  expect(seat?.size).toBe(16);
  expect(seat?.discards).toEqual([{ tile: "1z", drawn: false, claimed: false }]);
  expect(now.table.deal?.phase).toEqual({ kind: "claiming", seat: 0, tile: "1z" });
  expect(now.newest).toBe(0);
});

test("a claimed tile is marked where it was discarded and two tiles leave the claimer's hand", () => {
  const meld: MeldValue = { form: "chow", tiles: tilesOf("345p"), claimed: "4p", source: 3 };
  const before = unfolded(
    table({
      deal: dealView({
        seats: [
          seatView({ tiles: many("35p 123456789m 1122s 7z") }),
          seatView(),
          seatView(),
          seatView({ discards: [{ tile: "4p", drawn: true, claimed: false }] }),
        ],
        phase: { kind: "claiming", seat: 3, tile: "4p" },
      }),
    }),
  );
  expect(before.newest).toBe(3);
  const now = after(before, { e: "meld", seat: 0, meld });
  const [mine, , , theirs] = now.table.deal?.seats ?? [];
  expect(theirs?.discards).toEqual([{ tile: "4p", drawn: true, claimed: true }]);
  expect(mine?.tiles).toEqual(many("123456789m 1122s 7z"));
  expect(mine?.size).toBe(14);
  expect(mine?.melds).toEqual([meld]);
  expect(now.table.deal?.phase).toEqual({ kind: "discarding", seat: 0, tile: null });
  expect(now.newest).toBeNull();
});

test("an added gong stays a pong until nobody robbed it", () => {
  const pong: MeldValue = { form: "pong", tiles: tilesOf("555z"), claimed: "5z", source: 2 };
  const before = unfolded(
    table({ deal: dealView({ seats: [seatView({ size: 14, tiles: many("123456789m 1122s 5z"), drawn: "5z", melds: [pong] }), seatView(), seatView(), seatView()] }) }),
  );
  const announced = after(before, { e: "promoted", seat: 0, tile: "5z" });
  expect(announced.table.deal?.phase).toEqual({ kind: "robbing", seat: 0, tile: "5z" });
  expect(announced.table.deal?.seats[0]?.melds[0]?.form).toBe("pong");
  expect(announced.table.deal?.seats[0]?.size).toBe(13);

  const replaced = after(announced, { e: "draw", seat: 0, tile: "9s", source: "gong", left: 40 }).table.deal?.seats[0];
  expect(replaced?.melds[0]).toEqual({ form: "promoted_gong", tiles: tilesOf("5555z"), claimed: "5z", source: 2 });
  expect(replaced).toMatchObject({ size: 14, drawn: "9s" });

  const robbed = after(announced, { e: "won", seat: 1, by: "robbed_gong", tile: "5z", source: 0, hand: many("123456789m 1122s 55z 1z") }).table.deal;
  expect(robbed?.seats[0]?.melds[0]?.form).toBe("pong");
  expect(robbed?.phase).toEqual({ kind: "over", seat: null, tile: null });
});

test("a concealed gong takes four tiles and its replacement counts as drawn", () => {
  const gong: MeldValue = { form: "concealed_gong", tiles: tilesOf("1111z"), claimed: null, source: null };
  const now = after(
    started("123456789m 1111z 1122s"),
    { e: "meld", seat: 0, meld: gong },
    { e: "paid", seat: 0, reason: "concealed_gong", changes: [15, -5, -5, -5], scores: [15, -5, -5, -5] },
    { e: "draw", seat: 0, tile: "2f", source: "gong", left: 62 },
    { e: "flowers", seat: 0, tiles: ["2f"] },
    { e: "draw", seat: 0, tile: "3s", source: "flower", left: 61 },
  ).table;
  expect(now.scores).toEqual([15, -5, -5, -5]);
  expect(now.deal?.seats[0]).toMatchObject({ size: 14, drawn: "3s", flowers: ["2f"] });
  expect(now.deal?.seats[0]?.tiles).toEqual(many("123456789m 11223s"));
});

test("a self-drawn win shows the whole hand, a win on a discard the hand without the tile", () => {
  const hand = many("123456789m 123p 11z 22s");
  const drawn = after(started(HAND), { e: "won", seat: 2, by: "self_draw", tile: "2s", source: null, hand }).table.deal?.seats[2];
  expect(drawn?.size).toBe(17);
  expect(drawn?.tiles?.filter((tile) => tile === "2s")).toHaveLength(3);
  const claimed = after(started(HAND), { e: "won", seat: 2, by: "discard", tile: "2s", source: 0, hand }).table.deal?.seats[2];
  expect(claimed?.size).toBe(16);
});

test("a settlement and the standing are kept, and the next deal puts the settlement away", () => {
  const start = started(HAND);
  const settled: TableEvent = { e: "settled", deal: 1, wins: [], hands: [], transfers: [], danger: null, instant: [], changes: [0, 0, 0, 0], scores: [3, -1, -1, -1], next: null };
  const over = after(start, { e: "exhausted" }, settled, { e: "match_ended", standing: [{ seat: 0, rank: 1, score: 3 }] });
  expect(over.table).toMatchObject({ settled, scores: [3, -1, -1, -1], standing: [{ seat: 0, rank: 1, score: 3 }] });
  expect(after(over, { ...deal(), deal: 2 }).table.settled).toBeNull();
});

test("a shuffle is told in three steps, and seeds of earlier deals change nothing", () => {
  const commit = { e: "shuffle_committed" as const, deal: 2, context: "c", commit: "d" };
  const committed = after(started(HAND), commit);
  expect(committed.table.shuffle).toEqual({ deal: 2, context: "c", commit: "d", nonces: null, seed: null });
  const fixed = after(committed, { e: "shuffle_fixed", deal: 2, nonces: ["ab", null, null, null] });
  expect(fixed.table.shuffle?.nonces).toEqual(["ab", null, null, null]);
  expect(after(fixed, { e: "shuffle_revealed", deal: 1, seed: "s" }).table.shuffle?.seed).toBeNull();
  expect(after(fixed, { e: "shuffle_revealed", deal: 2, seed: "s" }).table.shuffle?.seed).toBe("s");
  expect(after(fixed, { ...commit, deal: 3 }).table.shuffle).toMatchObject({ deal: 3, nonces: null });
});

test("what was folded before is not changed, and the version follows", () => {
  const before = started(HAND);
  const copy = structuredClone(before);
  const now = after(before, { e: "flowers", seat: 0, tiles: ["1f"] });
  expect(before).toEqual(copy);
  expect(now.table.version).toBe(before.table.version + 1);
});

function deal(): Extract<TableEvent, { e: "deal_started" }> {
  return { e: "deal_started", deal: 1, dealer: 1, round_wind: 0, streak: 0, dice: [1, 1, 1], sizes: [16, 17, 16, 16], hands: [null, null, null, null], left: 63, scores: [3, -1, -1, -1] };
}
