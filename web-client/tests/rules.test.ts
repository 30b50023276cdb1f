import { expect, test, vi } from "vitest";

import { SHEUNG } from "../src/demo/words";
import { hashOfRules, rulesOfHash } from "../src/net/link";
import { type Book, matcher, type Row, rowWith, valuesOf } from "../src/rules/book";

vi.stubGlobal("navigator", { languages: ["en"] });
const { languages } = await import("../src/i18n/language.svelte");
const { valueText, worthText } = await import("../src/rules/values");

const ROW: Row = {
  id: "mah_jongg",
  name: { en: "Mah-Jongg", zh: "和牌" },
  rule: { en: "Winning", zh: "和" },
  points: 20,
  doubles: 0,
  limit: null,
  each: false,
  step: 0,
  clause: "Harr p. 29",
  replaces: [],
  everyone: false,
  switches: [
    { when: { lowered: true }, set: { points: 10 } },
    { when: { lowered: true, asked: true }, set: { question: "always" } },
  ],
  example: null,
  near_miss: null,
};
const OPTIONS: Book["options"] = [
  { id: "lowered", name: ROW.name, rule: null, type: "boolean", default: false, values: [], clause: "" },
  { id: "limit", name: ROW.name, rule: null, type: "integer", default: 300, values: [300, 400], clause: "" },
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
});

test("a rule is found by any words of it in either language", () => {
  expect([ROW].filter(matcher("  WINNING mah"))).toEqual([ROW]);
  expect([ROW].filter(matcher("和牌 p. 29"))).toEqual([ROW]);
  expect([ROW].filter(matcher("winning pung"))).toEqual([]);
  expect([ROW].filter(matcher(""))).toEqual([ROW]);
});

test("points, doubles and limits are told in words", () => {
  const { en } = languages;
  expect(worthText({ points: 1, doubles: 0, limit: null }, en)).toBe("1 point");
  expect(worthText({ points: 2, doubles: 3, limit: null }, en)).toBe("2 points, 3 doubles");
  expect(worthText({ points: 0, doubles: 0, limit: "half" }, en)).toBe("half the limit");
  expect(worthText({ points: 0, doubles: 0, limit: null }, en)).toBe("");
  expect([true, 300, "strict", "newly made"].map((value) => valueText(value, en))).toEqual(["on", "300", "One tile only", "newly made"]);
});
