import type { Catalogue } from "../i18n/en";
import type { Notice } from "./session";

/** What a notice says in the language in use. */
export function noticeText(notice: Notice, names: readonly string[], text: Catalogue): string {
  switch (notice.kind) {
    case "rejoined":
      return text.rejoined;
    case "error":
      return text.errors[notice.code] ?? text.errorOther;
    case "event": {
      const { event } = notice;
      if (event.e === "paid") return `${names[event.seat] ?? ""}: ${text.paid[event.reason]} +${event.changes[event.seat] ?? 0}`;
      if (event.e === "called") return `${names[event.seat] ?? ""}: ${text.called}`;
      return "";
    }
  }
}
