import type { RulesetLine, TableLine } from "../generated/protocol";
import type { Catalogue } from "../i18n/en";
import { valueText } from "../rules/values";

/** Milliseconds as seconds: `0.6`, `2`. */
export function seconds(milliseconds: number): string {
  return String(Math.round(milliseconds / 100) / 10);
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
