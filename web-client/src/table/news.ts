import type { DealView, SeatView } from "../generated/protocol";
import type { GameCatalogue } from "../i18n/en";
import { tileName } from "../tiles/kinds";

/**
 * What to say aloud about the step from one look at a deal to the next: discards, sets, added gongs.
 * Draws, waiting and thinking are not worth an interruption. "" where nothing is.
 */
export function news(before: DealView | null, after: DealView | null, names: readonly string[], text: GameCatalogue): string {
  if (before === null || after === null || before.deal !== after.deal) return "";
  return after.seats
    .flatMap((seat, number) => newsOf(before.seats[number], seat, text).map((what) => text.named(names[number] ?? "", what)))
    .join(". ");
}

function newsOf(before: SeatView | undefined, after: SeatView, text: GameCatalogue): string[] {
  if (before === undefined) return [];
  const sets = after.melds
    .filter((meld, at) => meld.form !== before.melds[at]?.form)
    .map((meld) => `${text.meld[meld.form]} ${meld.tiles.map((tile) => tileName(tile, text)).join(text.listComma)}`);
  const thrown = after.discards.slice(before.discards.length).map((discard) => tileName(discard.tile, text));
  return [...sets, ...thrown];
}
