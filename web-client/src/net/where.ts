import { pathOfTable, tableOfPath } from "./link";

/** Whose past games: one's own, or those of public tables. */
export type Whose = "mine" | "all";
/** Through whose eyes a replay is seen. */
export type Viewpoint = number | "all";

/** A moment of a match, and who looks at it. `match` is null for a record that one opens oneself. */
export interface Moment {
  match: string | null;
  /** The number of the last event; null for the beginning. */
  move: number | null;
  /** Null where nobody was chosen yet. */
  seat: Viewpoint | null;
  /** The deal at whose beginning it is, where no move is named. */
  deal?: number;
}

/** A page of the client. */
export type Where = { page: "front" } | { page: "table"; table: string } | { page: "games"; whose: Whose } | ({ page: "replay" } & Moment);

export const FRONT: Where = { page: "front" };

/** The page that an address names; the front page for any other. */
export function whereOf(path: string, search: string): Where {
  const table = tableOfPath(path);
  if (table !== null) return { page: "table", table };
  const asked = new URLSearchParams(search);
  if (/^\/games\/?$/.test(path)) return { page: "games", whose: asked.get("of") === "all" ? "all" : "mine" };
  const replay = /^\/replay(?:\/([A-Za-z0-9_-]{1,64}))?\/?$/.exec(path);
  if (replay === null) return FRONT;
  const [move, seat, deal] = [asked.get("move") ?? "", asked.get("seat") ?? "", asked.get("deal") ?? ""];
  return {
    page: "replay",
    match: replay[1] ?? null,
    move: /^\d{1,7}$/.test(move) ? Number(move) : null,
    seat: seat === "all" ? "all" : /^[0-3]$/.test(seat) ? Number(seat) : null,
    ...(/^[1-9]\d{0,2}$/.test(deal) ? { deal: Number(deal) } : {}),
  };
}

export function addressOf(where: Where): string {
  switch (where.page) {
    case "front":
      return "/";
    case "table":
      return pathOfTable(where.table);
    case "games":
      return where.whose === "all" ? "/games?of=all" : "/games";
    case "replay": {
      const { match, move, seat, deal } = where;
      const named = { deal, move, seat };
      const asked = new URLSearchParams(Object.entries(named).flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]]))).toString();
      return `/replay${match === null ? "" : `/${match}`}${asked === "" ? "" : `?${asked}`}`;
    }
  }
}

/** Where the record of a stored match is. */
export function recordOf(match: string): string {
  return `/records/${match}.jsonl`;
}
