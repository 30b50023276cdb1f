import { expect, test } from "vitest";

import type { TableEvent } from "../src/generated/protocol";
import { carried, endOf, type Past, tableAfter } from "../src/state/past";
import { hear, type Knowledge, nothing } from "../src/state/session";
import { Looking } from "../src/table/looking.svelte";
import { dealView, table } from "./kit";

const dealt = (deal: number): TableEvent => ({ e: "deal_started", deal, dealer: 0, round_wind: 0, streak: 0, dice: [1, 2, 3], sizes: [17, 16, 16, 16], hands: [null, null, null, null], left: 63, scores: [5, -5, 0, 0] });
const draw = (seat: number): TableEvent => ({ e: "draw", seat, tile: null, source: "wall", left: 40 });
const discard = (seat: number, tile: string): TableEvent => ({ e: "discard", seat, tile, drawn: true });
const EVENTS = [dealt(2), discard(0, "1z"), draw(1), discard(1, "2z"), draw(2), discard(2, "3z")];
const PAST: Past = { deal: 2, first: 21, whole: false, events: EVENTS };
const live = table({ version: 26, deal: dealView({ deal: 2 }), scores: [9, -9, 0, 0] });

const told = (past: Past, name = "abcdefgh") => ({ type: "deal_so_far" as const, table: name, ...past, events: [...past.events] });
const known: Knowledge = { ...nothing, wanted: "abcdefgh", folded: { table: live, newest: null } };

test("a deal so far is kept apart from the live table", () => {
  const heard = hear(known, told(PAST), 0).known;
  expect(heard.past).toEqual(PAST);
  expect(heard.folded).toEqual(known.folded);
  expect(hear(known, told(PAST, "other"), 0).known.past).toBeNull();
});

test("what happens meanwhile is added, until the next deal", () => {
  const heard = hear(hear(known, told(PAST), 0).known, { type: "events", table: "abcdefgh", version: 28, events: [draw(3), discard(3, "4z")] }, 0).known;
  expect(heard.past?.events).toHaveLength(8);
  expect(heard.folded?.table.version).toBe(28);
  const next: TableEvent = { e: "shuffle_committed", deal: 3, context: "c", commit: "c" };
  const later = hear(heard, { type: "events", table: "abcdefgh", version: 31, events: [{ e: "exhausted" }, next, dealt(3)] }, 0).known;
  expect(later.past?.events).toHaveLength(9);
  expect(later.past?.deal).toBe(2);
  // Nothing of the next deal is ever added, nor anything to a deal that is told whole.
  expect(carried(later.past, [draw(0)], 32)).toBe(later.past);
  const whole = { ...PAST, whole: true };
  expect(carried(whole, [draw(0)], 27)).toBe(whole);
});

test("after a gap the running deal is asked for again and shown as it was until then", () => {
  const heard = hear({ ...known, past: PAST }, table({ version: 40, deal: dealView({ deal: 2 }) }), 0);
  expect(heard.replies).toEqual([{ type: "ask_history" }]);
  expect(heard.known.past).toEqual(PAST);
  expect(hear({ ...known, past: PAST }, table({ version: 40, deal: dealView({ deal: 3 }) }), 0).replies).toEqual([]);
});

test("a step shows the table as it was, and the live one is not changed", () => {
  const copy = structuredClone(live);
  const { table: then, newest } = tableAfter(live, PAST, 22);
  expect(then.scores).toEqual([5, -5, 0, 0]);
  expect(then.deal?.seats.map((seat) => seat.discards.length)).toEqual([1, 0, 0, 0]);
  expect(then.deal?.phase).toEqual({ kind: "claiming", seat: 0, tile: "1z" });
  expect(newest).toBe(0);
  expect(tableAfter(live, PAST, 23).table.deal?.phase.seat).toBe(1);
  expect(live).toEqual(copy);
});

test("looking back begins one step before the last, and asks only where the deal is not known to its end", () => {
  const looking = new Looking();
  expect(looking.back(null, 26)).toBe(true);
  expect(looking.past).toBeNull();
  looking.hear(PAST, false);
  expect(looking.at).toBe(25);
  looking.close();
  expect(looking.back(PAST, 26)).toBe(false);
  expect(looking.past).toBe(PAST);
  expect(new Looking().back(PAST, 27)).toBe(true);
});

test("what happens between the question and its answer does not make it forgotten", () => {
  const looking = new Looking();
  expect(looking.back(null, 27)).toBe(true);
  looking.hear(null, false);
  looking.hear(PAST, false);
  expect(looking.past).toBe(PAST);
});

test("nobody who steps back is taken along by what happens, and is told how far behind one is", () => {
  const looking = new Looking();
  looking.back(PAST, 26);
  looking.go(22);
  expect(looking.behind(live)).toEqual({ steps: 4 });
  looking.hear({ ...PAST, events: [...EVENTS, draw(3), discard(3, "4z")] }, false);
  expect(looking.at).toBe(22);
  expect(looking.behind(live)).toEqual({ steps: 6 });
  expect(looking.behind(table({ deal: dealView({ deal: 4 }) }))).toEqual({ deals: 2 });
  // Another deal that comes unasked for changes nothing.
  looking.hear({ ...PAST, deal: 3, first: 30 }, false);
  expect(looking.past?.deal).toBe(2);
  looking.close();
  expect(looking.past).toBeNull();
});

test("going on by itself stops at the end, and goes on with what comes", () => {
  const looking = new Looking();
  looking.back(PAST, 26);
  looking.go(24);
  looking.playing = true;
  for (let ticks = 0; ticks < 5; ticks++) looking.tick();
  expect(looking.at).toBe(endOf(PAST));
  looking.hear({ ...PAST, events: [...EVENTS, draw(3)] }, false);
  looking.tick();
  expect(looking.at).toBe(27);
});

test("who sees deals one late is shown each from its beginning, but not torn from one that is not seen to its end", () => {
  const looking = new Looking();
  const whole = { ...PAST, whole: true };
  looking.hear(whole, true);
  expect([looking.at, looking.playing]).toEqual([21, true]);
  const next = { ...whole, deal: 3, first: 41, events: [dealt(3), discard(0, "5z")] };
  looking.hear(next, true);
  expect([looking.past?.deal, looking.next?.deal]).toEqual([2, 3]);
  // Not even at its end, which one may be reading.
  looking.go(26);
  looking.hear({ ...next, deal: 4 }, true);
  expect([looking.past?.deal, looking.at, looking.next?.deal]).toEqual([2, 26, 4]);
  // Where it goes on by itself, the next one follows after a while.
  looking.playing = true;
  looking.tick();
  expect(looking.past?.deal).toBe(2);
  for (let ticks = 0; ticks < 20 && looking.past?.deal === 2; ticks++) looking.tick();
  expect([looking.past?.deal, looking.at, looking.next]).toEqual([4, 41, null]);
  // A player at such a table is never shown what is told to watchers.
  const player = new Looking();
  player.hear(whole, false);
  expect(player.past).toBeNull();
});
