import { expect, test, vi } from "vitest";

import { SHEUNG } from "../src/demo/words";
import type { Settled, TableEvent } from "../src/generated/protocol";
import { noticeText } from "../src/state/notices";
import { table } from "./kit";

vi.stubGlobal("navigator", { languages: ["en"] });
const { catalogueOf } = await import("../src/i18n/language.svelte");
const game = catalogueOf("en", SHEUNG);

const paid: TableEvent = { e: "paid", seat: 1, reason: "concealed_gong", changes: [-5, 15, -5, -5], scores: [-5, 15, -5, -5] };
const settled: Settled = { e: "settled", deal: 1, wins: [], instant: [], hands: [], transfers: [], danger: null, changes: [0, 0, 0, 0], scores: [-5, 15, -5, -5], next: null };

test("what was paid is told while the deal goes on, and left to the settlement once there is one", () => {
  const now = table();
  const name = now.seats[1]?.name ?? "nobody";
  expect(noticeText({ kind: "event", event: paid }, now, game, game)).toBe(`${name}: Concealed gong +15`);
  expect(noticeText({ kind: "event", event: paid }, { ...now, settled }, game, game)).toBeNull();
});

test("an error is told over a settlement too", () => {
  expect(noticeText({ kind: "error", code: "too_many", option: null }, { ...table(), settled }, game, game)).toBe("Too many requests, wait a moment.");
});
