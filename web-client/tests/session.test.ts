import { expect, test } from "vitest";

import type { Ask, TableEvent, WhyNot } from "../src/generated/protocol";
import { hear, type Knowledge, nothing, onLine, rejoin } from "../src/state/session";
import { person, table } from "./kit";

const drew: TableEvent = { e: "draw", seat: 1, tile: null, source: "wall", left: 40 };
const ask: Ask = { type: "ask", version: 10, kind: "turn", moves: ["discard 1m"], left_ms: 5000, total_ms: 20000, bank_ms: null };

function seated(part: Partial<Knowledge> = {}): Knowledge {
  return { ...nothing, wanted: "abcdefgh", folded: { table: table(), newest: null }, ...part };
}

test("a new line goes back to the wanted table, which is told whole", () => {
  const welcome = { type: "welcome" as const, protocol: 1, server: "1", token: null, name: "Wing", rulesets: [], bots: [], account: null, demonstration: null, floor_ms: 600, house_key: null };
  const { known, replies, notices } = hear(seated(), welcome, 0);
  expect(replies).toEqual([{ type: "join", table: "abcdefgh", seen: null }]);
  expect(notices).toEqual([{ kind: "rejoined" }]);
  expect(known.name).toBe("Wing");
  expect(rejoin({ ...nothing, wanted: "abcdefgh" })).toEqual([{ type: "join", table: "abcdefgh", seen: null }]);
  expect(rejoin(nothing)).toEqual([]);
  // A tab that was replaced must not take the seat back by itself.
  expect(rejoin(seated({ gone: "replaced" }))).toEqual([]);
});

test("events are folded once, a repeated part is skipped, and a gap asks for the whole table", () => {
  const once = hear(seated(), { type: "events", table: "abcdefgh", version: 11, events: [drew] }, 0).known;
  expect(once.folded?.table.deal?.seats[1]?.size).toBe(17);
  const again = hear(once, { type: "events", table: "abcdefgh", version: 11, events: [drew] }, 0).known;
  expect(again).toEqual(once);
  const overlap = hear(once, { type: "events", table: "abcdefgh", version: 12, events: [drew, { ...drew, seat: 2 }] }, 0).known;
  expect(overlap.folded?.table.deal?.seats.map((seat) => seat.size)).toEqual([16, 17, 17, 16]);
  const gap = hear(once, { type: "events", table: "abcdefgh", version: 14, events: [drew] }, 0);
  expect(gap.replies).toEqual([{ type: "join", table: "abcdefgh", seen: null }]);
  expect(gap.known).toEqual(once);
});

test("no clock runs on the page while the line is down", () => {
  const running = hear(seated(), ask, 100).known;
  expect(running.ask?.deadline).toBe(5100);
  const down = onLine(running, "down");
  expect(down.ask?.deadline).toBeNull();
  expect(down.ask?.moves).toEqual(["discard 1m"]);
  expect(hear(onLine(down, "up"), { ...ask, left_ms: 4000 }, 9000).known.ask?.deadline).toBe(13000);
});

test("events of another table change nothing", () => {
  const known = seated();
  expect(hear(known, { type: "events", table: "other", version: 11, events: [drew] }, 0).known).toEqual(known);
});

test("an ask lapses when a later version arrives", () => {
  const asked = hear(seated(), ask, 1000).known;
  expect(asked.ask?.deadline).toBe(6000);
  const later = hear(asked, { type: "events", table: "abcdefgh", version: 11, events: [drew] }, 0).known;
  expect(later.ask).toBeNull();
});

test("an ask without a clock has no deadline", () => {
  expect(hear(seated(), { ...ask, left_ms: null, total_ms: null }, 1000).known.ask?.deadline).toBeNull();
});

test("a refused move may be chosen again, a late one may not", () => {
  const sent = { ...hear(seated(), ask, 0).known, answered: true };
  const refused = hear(sent, { type: "error", code: "illegal_move", message: "", id: 1, option: null }, 0);
  expect(refused.known).toMatchObject({ answered: false, ask: { version: 10 } });
  expect(refused.notices).toEqual([{ kind: "error", code: "illegal_move", option: null }]);
  expect(hear(sent, { type: "error", code: "too_late", message: "", id: 1, option: null }, 0).known).toMatchObject({ answered: false, ask: null });
});

test("a table that is gone is told, and so is the reason for leaving", () => {
  expect(hear(seated(), { type: "error", code: "no_such_table", message: "", id: null, option: null }, 0).known).toMatchObject({ gone: "no_such_table", folded: null });
  expect(hear(seated(), { type: "left", table: "abcdefgh", reason: "replaced" }, 0).known.gone).toBe("replaced");
  expect(hear(seated(), { type: "left", table: "other", reason: "closed" }, 0).known.gone).toBeNull();
});

test("who sits where is updated without a version", () => {
  const seats = [person(0), person(1, "person"), person(2), person(3)];
  const { known } = hear(seated(), { type: "seats", table: "abcdefgh", you: null, seats, watchers: 2 }, 0);
  expect(known.folded?.table).toMatchObject({ seats, watchers: 2, you: null, version: 10 });
});

const answer: WhyNot = { type: "why_not", id: 7, version: 10, reason: "incomplete", missing: 2, form: "standard", completing: [], helping: ["1m"], barred: [] };

test("the answer to one's own question is shown until the next deal, another's is not", () => {
  const asking = seated({ asking: 7 });
  expect(hear(asking, { ...answer, id: 6 }, 0).known.whyNot).toBeNull();
  const told = hear(asking, answer, 0).known;
  expect(told.whyNot).toEqual(answer);
  expect(told.asking).toBeNull();
  expect(hear(told, { type: "events", table: "abcdefgh", version: 11, events: [drew] }, 0).known.whyNot).toEqual(answer);
  const dealt: TableEvent = { e: "deal_started", deal: 2, dealer: 0, round_wind: 0, streak: 0, dice: [1, 2, 3], sizes: [14, 13, 13, 13], hands: [null, null, null, null], left: 83, scores: [0, 0, 0, 0] };
  expect(hear(told, { type: "events", table: "abcdefgh", version: 11, events: [dealt] }, 0).known.whyNot).toBeNull();
});

test("a question that is refused leaves what one is asked as it was", () => {
  const asked = hear(seated({ asking: 7 }), ask, 0).known;
  const { known, notices } = hear(asked, { type: "error", code: "too_many", message: "", id: 7, option: null }, 0);
  expect(known.ask).toEqual(asked.ask);
  expect(known.asking).toBeNull();
  expect(notices).toEqual([{ kind: "error", code: "too_many", option: null }]);
});
