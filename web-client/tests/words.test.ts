import { expect, test, vi } from "vitest";

import { CLOCKS, type OptionLine, type RulesetLine } from "../src/generated/protocol";

vi.stubGlobal("navigator", { languages: ["en"] });
const { languages } = await import("../src/i18n/language.svelte");
const { clockWords, paceWords, seconds, switchWords } = await import("../src/lobby/words");

const option = (id: string, en: string, part: Partial<OptionLine>): OptionLine => ({ id, name: { en, zh: `〇${en}` }, rule: null, type: "boolean", default: true, values: [], value_names: {}, least: null, most: null, ...part });
const ruleset: RulesetLine = {
  key: "house",
  version: "1",
  name: { en: "House", zh: "館" },
  hand_size: 16,
  rounds: 4,
  options: [option("x", "Missed wins", {}), option("y", "Ready", { type: "text", default: "a", values: ["a", "b"], value_names: { b: { en: "one tile only", zh: "只聽一張" } } }), option("z", "Base", { type: "integer", default: 5 })],
};

test("a table's switches are told in plain words, in both languages", () => {
  expect(switchWords({ x: false, y: "b", z: 1000 }, ruleset, languages.en)).toEqual(["Missed wins: off", "Ready: one tile only", "Base: 1000"]);
  expect(switchWords({ y: "b" }, ruleset, languages.zh)).toEqual(["〇Ready：只聽一張"]);
  expect(switchWords({}, ruleset, languages.en)).toEqual([]);
});

test("switches of a game that this page does not know are told by their keys", () => {
  expect(switchWords({ new_one: true }, ruleset, languages.en)).toEqual(["new_one: true"]);
  expect(switchWords({ x: false }, undefined, languages.en)).toEqual(["x: false"]);
});

test("how long claims wait is told where it is not as usual in this house", () => {
  const line = { rounds: 1 as const, clocks: "brisk" as const, floor_ms: 600, pad_windows: false };
  expect(paceWords(line, 600, languages.en)).toEqual(["1 round", "brisk clocks"]);
  expect(paceWords({ ...line, floor_ms: 2000, pad_windows: true }, 600, languages.en)).toEqual(["1 round", "brisk clocks", "full claim times", "claims wait 2 s"]);
});

test("clocks are told with the times that the server gives", () => {
  const { discard_ms, claim_ms, bank_ms } = CLOCKS.casual;
  expect(clockWords("casual", languages.en)).toBe(`Casual: ${discard_ms / 1000} s, claims ${claim_ms / 1000} s, bank ${bank_ms / 1000} s`);
  for (const text of Object.values(languages)) {
    const said = (["casual", "brisk", "off"] as const).map((clocks) => clockWords(clocks, text).match(/\d+/g)?.map(Number) ?? []);
    expect(said).toEqual([CLOCKS.casual, CLOCKS.brisk].map((times) => Object.values(times).map((time) => time / 1000)).concat([[]]));
  }
});

test("milliseconds are told as seconds with one decimal place at most", () => {
  expect([600, 1000, 1550, 0].map(seconds)).toEqual(["0.6", "1", "1.6", "0"]);
});
