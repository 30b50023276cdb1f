import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { meanPoints, percent } from "../src/records/figures";
import { seatsAt, seenBy, tableAt, type Words } from "../src/records/reading";
import { type MatchRecord, readRecord } from "../src/records/record";
import { beginnings, stepAt, stepsOf } from "../src/records/steps";
import type { TableEvent } from "../src/generated/protocol";

// A match of one round that `parlour simulate` wrote: four deals.
const TEXT = readFileSync("src/demo/match.jsonl", "utf8");

function recordOf(text: string): MatchRecord {
  const read = readRecord(text);
  if (!("record" in read)) throw new Error(read.wrong);
  return read.record;
}

const record = recordOf(TEXT);
const NAMED: Words = {
  name: { en: "A game", zh: "牌" },
  words: { chow: { en: "c", zh: "c" }, pong: { en: "p", zh: "p" }, gong: { en: "g", zh: "g" }, win: { en: "w", zh: "w" }, wins: { en: "w", zh: "w" }, flower: { en: "f", zh: "f" } },
  rows: new Map(),
  counts_streak: true,
};

test("a record is read whole", () => {
  expect([record.ruleset.key, record.rounds, record.began, record.stopped]).toEqual(["lrc", 1, "2026-01-31T19:30:00Z", null]);
  expect(record.events[0]?.e).toBe("match_started");
  expect(record.events.at(-1)?.e).toBe("match_ended");
  // LRC's wall has 144 tiles, of which 16 are kept back (P2, P8).
  const { wall, reserve } = tableAt(record, null, 1, "all").table.settings;
  expect([wall, reserve]).toEqual([144, 16]);
});

test.each([
  ["", { wrong: "other" }],
  ["hello", { wrong: "other" }],
  ["[1, 2]", { wrong: "other" }],
  ['{"a":1}', { wrong: "other" }],
  ['{"record":1}', { wrong: "other" }],
  ['{"record":1,"ruleset":{"key":"lrc"},"rounds":1,"seats":[null,1,2]}', { wrong: "other" }],
  ['{"record":99,"rounds":1}', { wrong: "newer", format: "99" }],
  ["\u0000\u0001\u0002", { wrong: "other" }],
])("%j is no record that can be read here", (text, wrong) => {
  expect(readRecord(text)).toEqual(wrong);
});

test("a record names the key that it is sealed with, where it has a seal", () => {
  const key = "0123456789abcdef".repeat(4);
  const sealed = (told: unknown): MatchRecord => recordOf(`${TEXT}${JSON.stringify({ row: "seal", chain: "", key: told, signature: "" })}\n`);
  expect(record.key).toBeNull();
  expect(sealed(key)).toEqual({ ...record, key });
  expect([sealed("<b>"), sealed(7), sealed(key.toUpperCase())].map((one) => one.key)).toEqual([null, null, null]);
});

test("a record that breaks off is read up to there, and the line is told", () => {
  const lines = TEXT.split("\n");
  const broken = recordOf([...lines.slice(0, 50), lines[50]?.slice(0, 20)].join("\n"));
  expect(broken.stopped).toBe(51);
  expect(broken.events).toEqual(record.events.slice(0, broken.events.length));
  expect(broken.events.length).toBeGreaterThan(10);
});

test("an event that is missing, or none at all, ends what can be seen", () => {
  const rows = TEXT.split("\n");
  const events = rows.flatMap((row, at) => (row.startsWith('{"row":"event"') ? [at] : []));
  const at = events[20] ?? 0;
  const missing = recordOf(rows.filter((_, row) => row !== at).join("\n"));
  expect(missing.events).toHaveLength(20);
  for (const event of ['{"e":"meld","seat":0,"meld":7}', '{"e":"deal_started"}', '{"e":"settled","deal":1}', '{"e":"nothing"}', "7", "null"]) {
    const row = `{"row":"event","at":0,"version":21,"event":${event}}`;
    const other = recordOf(rows.with(at, row).join("\n"));
    expect([event, other.events.length, other.stopped === null]).toEqual([event, 20, false]);
  }
});

test("rows and marks that are not known yet are passed over", () => {
  const rows = TEXT.trimEnd().split("\n");
  const text = `\uFEFF${rows.join("\r\n").replace('"record":1', '"record":2,"match":"0f"')}\n{"row":"seal","chain":"00","key":"","signature":""}\n`;
  expect(recordOf(text)).toEqual(record);
});

test("what one seat saw has no tile of the others, at any moment, before it was open", () => {
  const [dealt] = record.events.filter((event) => event.e === "deal_started");
  if (dealt?.e !== "deal_started") throw new Error("no deal");
  expect(seenBy(dealt, 2)).toMatchObject({ hands: [null, null, dealt.hands[2], null] });
  const end = record.events.findIndex((event) => event.e === "won");
  for (let at = 1; at <= end; at++) {
    const { deal, settled, standing } = tableAt(record, null, at, 1).table;
    expect(deal?.seats.flatMap((seat, number) => (number !== 1 && (seat.tiles !== null || seat.drawn !== null) ? [number] : [])) ?? []).toEqual([]);
    expect([settled, standing]).toEqual([null, null]);
  }
  expect(tableAt(record, null, end, "all").table.deal?.seats.every((seat) => seat.tiles?.length === seat.size)).toBe(true);
});

test("the points at every settlement are the record's own, from any viewpoint", () => {
  record.events.forEach((event, at) => {
    if (event.e !== "settled") return;
    const { table } = tableAt(record, NAMED, at + 1, "all");
    expect(table.scores).toEqual(event.scores);
    expect(table.settled?.wins.flatMap((win) => win.awards.map((line) => line.name.en))).toEqual(event.wins.flatMap((win) => win.awards.map((line) => line.award)));
  });
  const last = tableAt(record, NAMED, record.events.length, 3).table;
  expect(last.standing?.map(({ score }) => score).reduce((sum, score) => sum + score, 0)).toBe(0);
});

test("who sits down later is named from then on", () => {
  const later: MatchRecord = { ...record, sitters: [...record.sitters, { version: 30, seat: 1, name: "Ann", player: "person", level: null, stand_in: false }] };
  expect([seatsAt(later, 29)[1]?.name, seatsAt(later, 30)[1]?.name]).toEqual([record.sitters[1]?.name, "Ann"]);
});

test("steps stop where there is something new to see, and cover the match", () => {
  const steps = stepsOf(record.events);
  expect(steps.at(-1)?.at).toBe(record.events.length);
  expect(beginnings(steps).map(({ deal }) => deal)).toEqual([1, 2, 3, 4]);
  for (const [place, { at }] of steps.entries()) {
    expect(stepAt(steps, at)).toBe(place);
    const event = record.events[at - 1];
    const next = record.events[at];
    // A flower is never seen without its replacement, nor a win without what is paid for it at once.
    expect([event?.e === "flowers", next?.e === "flowers", next?.e === "paid"]).toEqual([false, false, false]);
  }
  // Between two steps of a deal there is no more than one discard.
  steps.forEach(({ at }, place) => {
    const passed = record.events.slice(steps[place - 1]?.at ?? 0, at).filter((event) => event.e === "discard");
    expect(passed.length).toBeLessThanOrEqual(1);
  });
});

test("steps of a part count on from its first event, and what is silent makes no step of its own", () => {
  const deal = (number: number): TableEvent => ({ e: "deal_started", deal: number, dealer: 0, round_wind: 0, streak: 0, dice: [1, 1, 1], sizes: [17, 16, 16, 16], hands: [null, null, null, null], left: 63, scores: [0, 0, 0, 0] });
  const draw: TableEvent = { e: "draw", seat: 1, tile: null, source: "wall", left: 60 };
  const commit: TableEvent = { e: "shuffle_committed", deal: 7, context: "", commit: "" };
  const reveal: TableEvent = { e: "shuffle_revealed", deal: 7, seed: "" };
  expect(stepsOf([commit, deal(7), draw, draw, reveal], 100)).toEqual([
    { at: 101, deal: 7 },
    { at: 102, deal: 7 },
    { at: 104, deal: 7 },
  ]);
  expect(stepsOf([commit])).toEqual([{ at: 1, deal: 0 }]);
  expect(stepsOf([])).toEqual([]);
  expect([stepAt(stepsOf([deal(1), draw], 10), 3), stepAt(stepsOf([deal(1), draw], 10), 99)]).toEqual([0, 1]);
});

test("figures are shares and means, and nothing of nothing is nothing", () => {
  expect([percent(57, 214), percent(0, 0), percent(3, 3)]).toEqual(["27 %", "0 %", "100 %"]);
  expect([meanPoints({ points: -341, deals: 214 }), meanPoints({ points: 5, deals: 2 }), meanPoints({ points: 0, deals: 0 }), meanPoints({ points: -1, deals: 100 })]).toEqual(["−1.6", "+2.5", "0.0", "0.0"]);
});
