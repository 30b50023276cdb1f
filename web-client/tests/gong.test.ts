import { render } from "svelte/server";
import { expect, test, vi } from "vitest";

import { CHOW, SHEUNG } from "../src/demo/words";
import type { GameWords } from "../src/generated/protocol";
import type { TimedAsk } from "../src/state/table";
import { dealView, seatView, table } from "./kit";

vi.stubGlobal("navigator", { languages: ["en"] });
const { speech } = await import("../src/i18n/language.svelte");
const { default: TablePage } = await import("../src/table/TablePage.svelte");

const HAND = ["3s", "9m", "1z", "1z", "1z", "1z", "5z"];

/** The page of a player with two sets of three down, as the browser first gets it. */
function page(moves: string[], words: GameWords, answered = false): string {
  const melds = ["3s", "5z"].map((tile) => ({ form: "pong" as const, tiles: [tile, tile, tile], claimed: tile, source: 1 }));
  const seats = [seatView({ size: HAND.length, tiles: HAND, drawn: "3s", melds }), seatView(), seatView(), seatView()];
  const { settings } = table();
  const ask: TimedAsk = { type: "ask", version: 10, kind: "turn", moves, left_ms: null, total_ms: null, bank_ms: null, deadline: null };
  const shown = { table: table({ settings: { ...settings, words }, deal: dealView({ seats }) }), newest: null, ask, answered, whyNot: null, past: null, given: null };
  const nothing = (): void => {};
  const doings = { onMove: nothing, onReady: nothing, onTake: nothing, onDo: nothing, onLeave: nothing, onNew: nothing, onVisit: nothing, onRetry: nothing, onWhy: nothing, onCloseWhy: nothing };
  return render(TablePage, { props: { shown, line: "up", notice: null, ...doings } }).body;
}

/** The controls for added gongs: the move that each of them makes, its words without tiles, and what is read aloud. */
function controls(html: string): { move: string | undefined; says: string; label: string | undefined; enabled: boolean }[] {
  return [...html.matchAll(/<button\b([^>]*\bdata-move="promoted_gong[^>]*)>(.*?)<\/button>/gs)].map(([, tag = "", inside = ""]) => ({
    move: /data-move="([^"]*)"/.exec(tag)?.[1],
    says: inside.replace(/<[^>]*>/g, "").trim(),
    label: /aria-label="([^"]*)"/.exec(tag)?.[1],
    enabled: !/\b(disabled|hidden|inert)\b/.test(tag),
  }));
}

const DISCARDS = HAND.map((tile) => `discard ${tile}`);
const OFFERS = [
  ["promoted_gong 3s"],
  [...DISCARDS, "promoted_gong 3s"],
  ["win", ...DISCARDS, "concealed_gong 1z", "promoted_gong 3s"],
  [...DISCARDS, "promoted_gong 3s", "promoted_gong 5z", "win"],
  ["call 9m", ...DISCARDS, "promoted_gong 5z", "pass"],
];

const SAID = [
  { words: SHEUNG, language: "en", says: "Add to pong", third: "3 of bamboo" },
  { words: CHOW, language: "en", says: "Add to pung", third: "3 of bamboo" },
  { words: SHEUNG, language: "zh", says: "加槓", third: "三索" },
  { words: CHOW, language: "zh", says: "加槓", third: "三索" },
] as const;

// K10: another page had no control for the fourth tile of a set that lay on the table, or had it at that draw alone.
test.each(SAID)("an added gong is shown whenever it is offered: $says, $language", ({ words, language, says, third }) => {
  speech.language = language;
  for (const moves of OFFERS) {
    const offered = moves.filter((move) => move.startsWith("promoted_gong")).toSorted();
    const shown = controls(page(moves, words));
    expect(shown.map(({ move }) => move).toSorted(), moves.join()).toEqual(offered);
    expect(shown.every((control) => control.enabled && control.says === says)).toBe(true);
    for (const control of shown.filter(({ move }) => move === "promoted_gong 3s")) expect(control.label).toBe(`${says} ${third}`);
  }
  speech.language = "en";
});

test("no added gong is shown that is not offered, or after the answer", () => {
  expect(controls(page([...DISCARDS, "concealed_gong 1z", "win"], CHOW))).toEqual([]);
  expect(controls(page([...DISCARDS, "promoted_gong 3s"], SHEUNG, true))).toEqual([]);
});
