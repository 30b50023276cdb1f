import type { Table } from "../generated/protocol";
import type { Catalogue, GameCatalogue } from "../i18n/en";
import { called } from "../names";
import { allowedText } from "../rules/values";
import type { Notice } from "./session";

/**
 * What a notice says in the language in use; what happens at a table in the words of its game. Null where there is nothing
 * to say, as once a deal is settled: what was paid in it stands in the settlement.
 */
export function noticeText(notice: Notice, table: Table | null, text: Catalogue, game: GameCatalogue | null): string | null {
  switch (notice.kind) {
    case "rejoined":
      return text.rejoined;
    case "house":
      return text.house[notice.notice];
    case "error":
      if (notice.option !== null) return text.switchWrong(text.said(notice.option.name), allowedText(notice.option, text));
      return text.errors[notice.code] ?? text.tableErrors[notice.code] ?? text.houseErrors[notice.code] ?? text.errorOther;
    case "event": {
      const { event } = notice;
      if (game === null || table === null || table.settled !== null) return null;
      const name = "seat" in event ? called(table.seats[event.seat]?.name ?? "", text) : "";
      if (event.e === "paid") return game.named(name, `${game.paid[event.reason]} +${event.changes[event.seat] ?? 0}`);
      if (event.e === "called") return game.named(name, game.called);
      return null;
    }
  }
}
