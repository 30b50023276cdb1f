import { CLOCKS, type RulesetLine, type TableLine } from "../generated/protocol";
import type { Catalogue } from "../i18n/en";
import { valueText } from "../rules/values";

/** Milliseconds as seconds: `0.6`, `2`. */
export function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 100) / 10);
}

/** What clocks come to, in the seconds that the server gives. */
export function clockWords(clocks: keyof typeof CLOCKS, text: Catalogue): string {
  if (clocks === "off") return text.noClocks;
  const { discard_ms, claim_ms, bank_ms } = CLOCKS[clocks];
  return text.clockWords[clocks](seconds(discard_ms), seconds(claim_ms), seconds(bank_ms));
}

/** The switches of a table that are not as in the book, each in plain words. A switch that is not known here goes by its key. */
export function switchWords(options: TableLine["options"], ruleset: RulesetLine | undefined, text: Catalogue): string[] {
  return Object.entries(options).map(([id, value]) => {
    const option = ruleset?.options.find((found) => found.id === id);
    return text.named(option === undefined ? id : text.said(option.name), option === undefined ? String(value) : valueText(value, option, text));
  });
}

/** How a table plays, in a few words: its length and its clocks; how long claims wait where that is not as usual. */
export function paceWords(line: Pick<TableLine, "rounds" | "clocks" | "floor_ms" | "pad_windows">, usual: number, text: Catalogue): string[] {
  return [
    line.rounds === 1 ? text.oneRoundShort : text.fourRoundsShort,
    text.clockShort[line.clocks],
    ...(line.pad_windows ? [text.paddedWindows] : []),
    ...(line.floor_ms === usual ? [] : [text.floorOf(seconds(line.floor_ms))]),
  ];
}
