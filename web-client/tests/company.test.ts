import { expect, test, vi } from "vitest";

import type { ChatLine } from "../src/generated/protocol";
import { hear, type Knowledge, nothing } from "../src/state/session";
import { allRead, spoken, unread } from "../src/state/talk";
import { reading, timeText } from "../src/table/clock";
import { away, here, namesOf } from "../src/table/people";
import { person, table } from "./kit";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { muted, turns } = await import("../src/table/talk.svelte");

const line = (n: number, seat: number | null, name: string, text = "hello"): ChatLine => ({ n, seat, name, text });
const known: Knowledge = { ...nothing, wanted: "abcdefgh", folded: { table: table({ talk: [line(1, 1, "Ann")] }), newest: null } };
const still = (stopped: "agreed" | null) => ({ type: "still" as const, table: "abcdefgh", standstill: { stopped, pausing: [0], ending: [], may_end: false } });

test("what is said is added once, in order, and not without end", () => {
  const once = hear(known, { type: "said", table: "abcdefgh", line: line(2, 2, "Bo") }, 0).known;
  expect(once.folded?.table.talk.map(({ n }) => n)).toEqual([1, 2]);
  expect(hear(once, { type: "said", table: "abcdefgh", line: line(2, 2, "Bo") }, 0).known.folded?.table.talk).toHaveLength(2);
  expect(hear(known, { type: "said", table: "other", line: line(2, 2, "Bo") }, 0).known.folded).toBe(known.folded);
  let much = known;
  for (let n = 2; n < 400; n++) much = hear(much, { type: "said", table: "abcdefgh", line: line(n, 2, "Bo") }, 0).known;
  expect(much.folded?.table.talk).toHaveLength(50);
  expect(much.folded?.table.talk.at(-1)?.n).toBe(399);
});

test("a table that stands still asks nothing, and says why", () => {
  const ask = { type: "ask" as const, version: 10, kind: "turn" as const, moves: ["discard 1m"], left_ms: 5000, total_ms: 20000, bank_ms: 90_000 };
  const asked = hear(known, ask, 0).known;
  expect(asked.folded?.table.bank_ms).toBe(90_000);
  const stopped = hear(asked, still("agreed"), 0).known;
  expect(stopped.ask).toBeNull();
  expect(stopped.folded?.table.standstill.stopped).toBe("agreed");
  expect(hear(asked, still(null), 0).known.ask).not.toBeNull();
  expect(hear(asked, { ...still("agreed"), table: "other" }, 0).known.ask).not.toBeNull();
});

test("what the house says is told, and that it restarts is known until it is back", () => {
  const { known: warned, notices } = hear(known, { type: "notice", notice: "restart" }, 0);
  expect(notices).toEqual([{ kind: "house", notice: "restart" }]);
  expect(warned.restarting).toBe(true);
  const welcome = { type: "welcome" as const, protocol: 1, server: "1", token: null, name: "W", rulesets: [], bots: [], account: null, demonstration: null, floor_ms: 600, house_key: null };
  expect(hear(warned, welcome, 0).known.restarting).toBe(false);
});

test("a table that may not be watched lets nobody in who has no seat", () => {
  const refused = { type: "error" as const, code: "not_watched" as const, message: "", id: null, option: null };
  expect(hear({ ...nothing, wanted: "abcdefgh" }, refused, 0).known.gone).toBe("not_watched");
  expect(hear(known, refused, 0)).toMatchObject({ known: { gone: null }, notices: [{ kind: "error", code: "not_watched" }] });
});

test.each(["ended", "removed"] as const)("why one is no longer at the table: %s", (reason) => {
  expect(hear(known, { type: "left", table: "abcdefgh", reason }, 0).known.gone).toBe(reason);
});

test("each room counts its own lines, and keeps as many as the server", () => {
  const talk = spoken(spoken([line(1, 1, "Ann")], line(1, null, "Eve")), line(2, 2, "Bo"));
  expect(talk.map(({ seat, n }) => [seat, n])).toEqual([[1, 1], [null, 1], [2, 2]]);
  expect(allRead(talk)).toEqual({ players: 2, watchers: 1 });
  let much = talk;
  for (let n = 2; n <= 80; n++) much = spoken(much, line(n, null, "Eve"));
  expect(much.filter(({ seat }) => seat === null).map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, at) => at + 31));
  expect(much.filter(({ seat }) => seat !== null)).toHaveLength(2);
});

test("unread is what others have said since, and not what one does not want to hear", () => {
  const talk = [line(1, 1, "Ann"), line(2, 0, "Me"), line(3, 2, "Bo"), line(1, null, "Eve"), line(2, null, "Bo")];
  const nobody = (): boolean => false;
  const told = (lines: ChatLine[]): unknown[] => lines.map(({ seat, n }) => [seat, n]);
  expect(told(unread(talk, { players: 1, watchers: 1 }, 0, nobody))).toEqual([[2, 3], [null, 2]]);
  expect(told(unread(talk, { players: 0, watchers: 2 }, null, nobody))).toEqual([[1, 1], [0, 2], [2, 3]]);
  expect(told(unread(talk, { players: 0, watchers: 0 }, 0, (name) => name === "Bo"))).toEqual([[1, 1], [null, 1]]);
});

test("lines of one person in a row belong together", () => {
  const found = turns([line(1, 1, "Ann", "a"), line(2, 1, "Ann", "b"), line(3, null, "Ann", "c"), line(4, 1, "Ann", "d")]);
  expect(found.map(({ seat, texts }) => [seat, texts])).toEqual([[1, ["a", "b"]], [null, ["c"]], [1, ["d"]]]);
});

test("somebody is muted for oneself, until one wants to hear again", () => {
  muted.set("Bo", true);
  expect([muted.has("Bo"), muted.has("Ann")]).toEqual([true, false]);
  muted.set("Bo", false);
  expect(muted.has("Bo")).toBe(false);
});

test("those who must agree are the people whose line is up", () => {
  const seats = [person(0, "person"), person(1), { ...person(2, "person"), present: false }, person(3, "person")];
  expect(here(seats).map(({ seat }) => seat)).toEqual([0, 3]);
  expect(away(seats).map(({ seat }) => seat)).toEqual([2]);
  expect(namesOf(seats, [0, 3], ", ")).toBe("\u2068S0\u2069, \u2068S3\u2069");
});

test("a clock runs down before the bank does, and looks short only where nothing comes after", () => {
  expect(reading(6000, 10_000, 20_000, 90_000, 300_000)).toEqual({ banking: false, left: 4000, part: 0.2, behind: 90_000, short: false });
  expect(reading(6000, 10_000, 20_000, null, null)).toMatchObject({ banking: false, behind: null, short: true });
  expect(reading(6000, 10_000, 20_000, 0, 300_000)).toMatchObject({ behind: null, short: true });
  expect(reading(25_000, 10_000, 20_000, 90_000, 300_000)).toEqual({ banking: true, left: 75_000, part: 0.25, behind: null, short: false });
  expect(reading(97_000, 10_000, 20_000, 90_000, 300_000)).toMatchObject({ banking: true, left: 3000, short: true });
  expect(reading(200_000, 10_000, 20_000, 90_000, 300_000)).toMatchObject({ banking: true, left: 0 });
  expect(reading(30_000, 10_000, 20_000, null, null)).toMatchObject({ banking: false, left: 0, part: 0 });
  expect([timeText(4200), timeText(61_000), timeText(7500, true), timeText(185_000)]).toEqual(["5", "1:01", "0:08", "3:05"]);
});
