import { expect, test, vi } from "vitest";

import { SHEUNG } from "../src/demo/words";
import type { OptionLine, Settled, TableEvent } from "../src/generated/protocol";
import { noticeText } from "../src/state/notices";
import { table } from "./kit";

vi.stubGlobal("navigator", { languages: ["en"] });
const { catalogueOf, languages } = await import("../src/i18n/language.svelte");
const game = catalogueOf("en", SHEUNG);

const paid: TableEvent = { e: "paid", seat: 1, reason: "concealed_gong", changes: [-5, 15, -5, -5], scores: [-5, 15, -5, -5] };
const settled: Settled = { e: "settled", deal: 1, wins: [], instant: [], hands: [], transfers: [], danger: null, changes: [0, 0, 0, 0], scores: [-5, 15, -5, -5], next: null };

test("what was paid is told while the deal goes on, and left to the settlement once there is one", () => {
  const now = table();
  const name = now.seats[1]?.name ?? "nobody";
  expect(noticeText({ kind: "event", event: paid }, now, game, game)).toBe(`${name}: Concealed gong +15`);
  expect(noticeText({ kind: "event", event: paid }, { ...now, settled }, game, game)).toBeNull();
});

test("a refused switch is told by its name, and with what it may be", () => {
  const option: OptionLine = { id: "base", name: { en: "Points of the base", zh: "底分" }, rule: null, type: "integer", default: 5, values: [], value_names: {}, least: 0, most: 1_000_000 };
  const notice = { kind: "error", code: "bad_settings", option } as const;
  expect(noticeText(notice, null, game, null)).toBe("“Points of the base” may be a whole number from 0 to 1,000,000.");
  expect(noticeText(notice, null, languages.zh, null)).toBe("「底分」只可以是：0 至 1,000,000 的整數。");
});

test("an error is told over a settlement too", () => {
  expect(noticeText({ kind: "error", code: "too_many", option: null }, { ...table(), settled }, game, game)).toBe("That was too often in a short time. Wait a little, then try again.");
});
