import type { Catalogue, GameCatalogue } from "../i18n/en";
import type { Notice } from "./session";

/** What a notice says in the language in use; what happens at a table in the words of its game. */
export function noticeText(notice: Notice, names: readonly string[], text: Catalogue, game: GameCatalogue | null): string {
  switch (notice.kind) {
    case "rejoined":
      return text.rejoined;
    case "error":
      return text.errors[notice.code] ?? text.errorOther;
    case "event": {
      const { event } = notice;
      if (game === null) return "";
      if (event.e === "paid") return `${names[event.seat] ?? ""}: ${game.paid[event.reason]} +${event.changes[event.seat] ?? 0}`;
      if (event.e === "called") return `${names[event.seat] ?? ""}: ${game.called}`;
      return "";
    }
  }
}
