import { expect, test, vi } from "vitest";

import { SHEUNG } from "../src/demo/words";
import { hashOfRules, rulesOfHash } from "../src/net/link";
import { type Book, instantWith, matcher, type Row, rowWith, valuesOf } from "../src/rules/book";

vi.stubGlobal("navigator", { languages: ["en"] });
const { languages } = await import("../src/i18n/language.svelte");
const { places } = await import("../src/rules/clauses");
const { allowedText, valueAlone, valueText, worthText } = await import("../src/rules/values");

const ROW: Row = {
  id: "mah_jongg",
  name: { en: "Mah-Jongg", zh: "和牌" },
  rule: { en: "Winning", zh: "和" },
  points: 20,
  points_from: null,
  doubles: 0,
  limit: null,
  each: false,
  step: 0,
  clause: "Harr p. 29",
  replaces: [],
  everyone: false,
  switches: [
    { when: { lowered: true }, says: null, set: { points: 10 } },
    { when: { lowered: true, asked: true }, says: null, set: { question: "always" } },
  ],
  example: null,
  near_miss: null,
};
const OPTIONS: Book["options"] = [
  { id: "lowered", name: ROW.name, rule: null, type: "boolean", default: false, values: [], value_names: {}, clause: "" },
  { id: "limit", name: ROW.name, rule: null, type: "integer", default: 300, values: [300, 400], value_names: {}, clause: "" },
];
const BOOK: Book = { key: "x", version: "1", name: ROW.name, source: "", based_on: null, words: SHEUNG, sections: [], instants: [], options: OPTIONS, procedure: [] };

test("an address names a rule book and a row of it, or nothing", () => {
  expect(rulesOfHash(hashOfRules("classical-limit", "mah_jongg"))).toEqual({ key: "classical-limit", row: "mah_jongg" });
  expect(rulesOfHash(hashOfRules("lrc"))).toEqual({ key: "lrc", row: null });
  for (const hash of ["", "#", "#/rules/", "#/rules/../x", "#/rules/a/b/c", "#/rules/A"]) expect(rulesOfHash(hash)).toBeNull();
});

test("a table's switches change what a row gives, and nothing else does", () => {
  expect(valuesOf(BOOK, { limit: 400 })).toEqual({ lowered: false, limit: 400 });
  expect(rowWith(ROW, valuesOf(BOOK, {})).points).toBe(20);
  expect(rowWith(ROW, valuesOf(BOOK, { lowered: true })).points).toBe(10);
  expect(ROW.points).toBe(20);
  expect(rowWith({ ...ROW, points_from: "limit" }, valuesOf(BOOK, { limit: 400 })).points).toBe(400);
  expect(rowWith({ ...ROW, points_from: "limit" }, valuesOf(BOOK, { limit: 400, lowered: true })).points).toBe(10);
});

test("what is paid at once is counted in the base of the table", () => {
  const instant = { id: "x", name: ROW.name, rule: ROW.rule, points: [10], bases: 2, clause: "" };
  expect(instantWith(instant, { base: 7 })).toEqual([14]);
  expect(instantWith({ ...instant, points: [5, 7], bases: 0 }, { base: 7 })).toEqual([5, 7]);
  expect(instantWith(instant, {})).toEqual([10]);
});

test("clauses are told in words, and what is no citation stays", () => {
  const { en, zh } = languages;
  const both = (clause: string): string[][] => [places(clause, en.cites), places(clause, zh.cites)];
  expect(both("lrc F-4")).toEqual([["LRC table F-4"], ["LRC 番種表 F-4"]]);
  expect(both("lrc SP-1, A-37")).toEqual([["LRC table SP-1", "LRC rules A-37"], ["LRC 番種表 SP-1", "LRC 規則 A-37"]]);
  // Ids that the table does not have.
  expect(both("lrc A-53b")).toEqual([["LRC rules A-53b"], ["LRC 規則 A-53b"]]);
  expect(both("lrc P20, P21")).toEqual([["LRC rules P20", "P21"], ["LRC 規則 P20", "P21"]]);
  expect(both("lrc M2")).toEqual([["LRC rules M2"], ["LRC 規則 M2"]]);
  expect(both("classical 5")).toEqual([["Classical rules 5"], ["古典規則 5"]]);
  expect(both("Harr p. 22-24, 29-31, classical A-7, A-15")).toEqual([
    ["Harr p. 22-24", "29-31", "Classical rules A-7", "A-15"],
    ["Harr 第 22-24 頁", "第 29-31 頁", "古典規則 A-7", "A-15"],
  ]);
  expect(both("Harr errata")).toEqual([["Harr errata"], ["Harr 勘誤"]]);
  expect(both("club (changes lrc F-4)")).toEqual([["club (changes LRC table F-4)"], ["club (changes LRC 番種表 F-4)"]]);
  expect(both("club 3")).toEqual([["club 3"], ["club 3"]]);
});

test("a rule is found by any words of it in either language", () => {
  const cited = (clause: string): string => places(clause, languages.zh.cites).join(" ");
  expect([ROW].filter(matcher("  WINNING mah", cited))).toEqual([ROW]);
  expect([ROW].filter(matcher("和牌 p. 29", cited))).toEqual([ROW]);
  expect([ROW].filter(matcher("winning pung", cited))).toEqual([]);
  // As its clause is shown.
  expect([ROW].filter(matcher("第 29 頁", cited))).toEqual([ROW]);
  expect([ROW].filter(matcher("", cited))).toEqual([ROW]);
});

test("points, doubles and limits are told in words", () => {
  const { en } = languages;
  expect(worthText({ points: 1, doubles: 0, limit: null }, en)).toBe("1 point");
  expect(worthText({ points: 2, doubles: 3, limit: null }, en)).toBe("2 points, 3 doubles");
  expect(worthText({ points: 0, doubles: 0, limit: "half" }, en)).toBe("half the limit");
  expect(worthText({ points: 0, doubles: 0, limit: null }, en)).toBe("");
});

const SWITCH = { type: "text" as const, values: ["all", "nearest"], least: null, most: null, value_names: { all: { en: "all of them", zh: "全部計" }, nearest: { en: "only the nearest", zh: "只計最近一家" } } };

test("a switch's values are told as its ruleset's file calls them", () => {
  const { en, zh } = languages;
  expect([true, 12345, "all", "newly made"].map((value) => valueText(value, SWITCH, en))).toEqual(["on", "12,345", "all of them", "newly made"]);
  expect([false, 300, "nearest"].map((value) => valueText(value, SWITCH, zh))).toEqual(["關", "300", "只計最近一家"]);
  expect([true, "all"].map((value) => valueAlone(value, SWITCH, en))).toEqual(["On", "All of them"]);
});

test("what a switch may be is told in words", () => {
  const { en, zh } = languages;
  const number = { ...SWITCH, type: "integer" as const, values: [], least: 0, most: 1_000_000 };
  expect([en, zh].map((text) => allowedText(SWITCH, text))).toEqual(["all of them or only the nearest", "全部計或只計最近一家"]);
  expect([en, zh].map((text) => allowedText(number, text))).toEqual(["a whole number from 0 to 1,000,000", "0 至 1,000,000 的整數"]);
  expect([en, zh].map((text) => allowedText({ ...number, values: [10, 20] }, text))).toEqual(["10 or 20", "10或20"]);
  expect([en, zh].map((text) => allowedText({ ...number, type: "boolean" }, text))).toEqual(["on or off", "開或關"]);
});
