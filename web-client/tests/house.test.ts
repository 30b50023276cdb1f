import { expect, test } from "vitest";

import type { FromClient, MatchLine, TableLine, Welcome } from "../src/generated/protocol";
import { freeSeat, type Listed, listed } from "../src/lobby/order";
import { Requests } from "../src/net/requests";
import { addressOf, whereOf } from "../src/net/where";
import { askMatches, overhear, unknownHouse } from "../src/state/house";

function line(table: string, part: Partial<TableLine> = {}): TableLine {
  return {
    table,
    ruleset: "lrc",
    options: {},
    rounds: 4,
    clocks: "casual",
    floor_ms: 600,
    pad_windows: false,
    watching: "live",
    seats: [],
    watchers: 0,
    deal: 1,
    over: false,
    demonstration: false,
    open: true,
    ...part,
  };
}

function match(number: number): MatchLine {
  const began = `2026-01-${String(40 - number).padStart(2, "0")}T10:00:00Z`;
  return { match: `m${number}`, ruleset: "lrc", ruleset_name: { en: "LRC", zh: "LRC" }, options: {}, rounds: 4, began, deals: 3, finished: true, public: true, seats: [] };
}

const names = (rows: readonly Listed[]): string[] => rows.map((row) => row.line.table);

test("the list of tables keeps its order while it is asked for again", () => {
  const first = listed([], ["a", "b", "c"].map((name) => line(name)), false);
  expect(names(first)).toEqual(["a", "b", "c"]);
  const second = listed(first, [line("d"), line("c", { watchers: 3 }), line("a"), line("b")], false);
  expect(names(second)).toEqual(["a", "b", "c", "d"]);
  expect(second[2]?.line.watchers).toBe(3);
});

test("a table that is gone keeps its place for a while", () => {
  let rows = listed([], ["a", "b", "c"].map((name) => line(name)), false);
  rows = listed(rows, [line("a"), line("c")], false);
  expect(rows.map(({ gone }) => gone)).toEqual([0, 1, 0]);
  rows = listed(rows, [line("a"), line("c")], false);
  expect(names(rows)).toEqual(["a", "b", "c"]);
  expect(names(listed(rows, [line("a"), line("c")], false))).toEqual(["a", "c"]);
  // One that is back stands where it stood.
  expect(listed(rows, [line("c"), line("b"), line("a")], false).map(({ gone }) => gone)).toEqual([0, 0, 0]);
});

test("the demonstration comes first for somebody new, else last", () => {
  const tables = [line("a"), line("show", { demonstration: true }), line("b")];
  expect(names(listed([], tables, true))).toEqual(["show", "a", "b"]);
  expect(names(listed([], tables, false))).toEqual(["a", "b", "show"]);
});

test("whoever sits down takes the first bot's seat", () => {
  expect(freeSeat([{ player: "person" }, { player: "bot" }, { player: "bot" }])).toBe(1);
  expect(freeSeat([{ player: "person" }])).toBeNull();
});

test("older matches go below, and a list asked for anew takes the old one's place", () => {
  const page = (numbers: number[], more: boolean) => ({ type: "matches" as const, mine: true, matches: numbers.map(match), more });
  let house = overhear(unknownHouse, page([1, 2], true));
  expect(askMatches(house, true, true)).toEqual({ type: "list_matches", mine: true, before: "m2" });
  expect(askMatches(house, true, false)).toEqual({ type: "list_matches", mine: true, before: null });
  house = overhear(house, page([3], false));
  expect([house.mine?.matches.map((found) => found.match), house.mine?.more]).toEqual([["m1", "m2", "m3"], false]);
  house = overhear(house, page([1, 2], true));
  expect(house.mine?.matches.map((found) => found.match)).toEqual(["m1", "m2"]);
  expect(house.all).toBeNull();
});

test("who logs in or out has another history", () => {
  const welcome: Welcome = { type: "welcome", protocol: 1, server: "1", token: null, name: "A", rulesets: [], bots: [], account: null, demonstration: null, floor_ms: 600, house_key: null };
  let house = overhear(overhear(unknownHouse, welcome), { type: "matches", mine: true, matches: [match(1)], more: false });
  house = overhear({ ...house, errand: "log_in" }, { type: "error", code: "bad_login", message: "", id: null, option: null });
  expect([house.refused, house.errand, house.mine === null]).toEqual(["bad_login", null, false]);
  house = overhear({ ...house, errand: "log_in" }, { type: "signed_in", token: "t", account: "wing", name: "Wing" });
  expect([house.account, house.refused, house.mine, house.made]).toEqual(["wing", null, null, null]);
  house = overhear(house, { type: "signed_out" });
  expect(house.account).toBeNull();
  expect(overhear({ ...house, errand: "register" }, { type: "signed_in", token: null, account: "wing", name: "Wing" }).made).toBe("wing");
});

test("an error that answers something else is no answer to an errand", () => {
  const house = { ...unknownHouse, errand: "log_in" as const };
  expect(overhear(house, { type: "error", code: "stale", message: "", id: 3, option: null })).toEqual(house);
  expect(overhear(unknownHouse, { type: "error", code: "too_many", message: "", id: null, option: null })).toEqual(unknownHouse);
});

test("requests that take a while are sent one after the other", () => {
  const sent: FromClient[] = [];
  const requests = new Requests((message) => sent.push(message) > 0);
  const matches = { type: "list_matches", mine: true, before: null } as const;
  expect([requests.ask(matches), requests.ask({ type: "ask_statistics" }), requests.ask(matches), requests.ask({ type: "rename", name: "A" })]).toEqual([true, true, true, true]);
  expect(sent).toEqual([matches]);
  requests.hear({ type: "tables", tables: [], count: 0 });
  requests.hear({ type: "error", code: "stale", message: "", id: 4, option: null });
  expect(sent).toHaveLength(1);
  requests.hear({ type: "matches", mine: true, matches: [], more: false });
  expect(sent).toEqual([matches, { type: "ask_statistics" }]);
  // What is refused is answered, too.
  requests.hear({ type: "error", code: "too_many", message: "", id: null, option: null });
  expect(sent.at(-1)).toEqual({ type: "rename", name: "A" });
  // On a new line nothing is under way.
  requests.renew();
  requests.ask({ type: "ask_statistics" });
  expect(sent.at(-1)).toEqual({ type: "ask_statistics" });
});

test("without a line nothing is asked, and nothing waits", () => {
  let up = false;
  const requests = new Requests(() => up);
  expect(requests.ask({ type: "ask_statistics" })).toBe(false);
  up = true;
  expect(requests.ask({ type: "ask_statistics" })).toBe(true);
});

test.each([
  ["/", "", { page: "front" }],
  ["/t/abcdefgh", "", { page: "table", table: "abcdefgh" }],
  ["/games", "", { page: "games", whose: "mine" }],
  ["/games", "?of=all", { page: "games", whose: "all" }],
  ["/replay", "", { page: "replay", match: null, move: null, seat: null }],
  ["/replay/0f3a", "?move=12&seat=all", { page: "replay", match: "0f3a", move: 12, seat: "all" }],
  ["/replay/0f3a", "?deal=3&seat=0", { page: "replay", match: "0f3a", move: null, seat: 0, deal: 3 }],
  ["/replay/0f3a", "?seat=2", { page: "replay", match: "0f3a", move: null, seat: 2 }],
] as const)("the address %s%s is a page, and the page has that address", (path, search, where) => {
  expect(whereOf(path, search)).toEqual(where);
  expect(addressOf(where)).toBe(path + search);
});

test("what is no place of a replay is left out, and an address that is nothing is the front page", () => {
  expect(whereOf("/replay/0f3a", "?move=-1&seat=7&deal=0")).toEqual({ page: "replay", match: "0f3a", move: null, seat: null });
  expect(whereOf("/replay/a b", "")).toEqual({ page: "front" });
  expect(whereOf("/elsewhere", "")).toEqual({ page: "front" });
});
