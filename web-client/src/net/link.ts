/** The table of a page's path (`/t/ID`); null on the first page. */
export function tableOfPath(path: string): string | null {
  return /^\/t\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1] ?? null;
}

export function pathOfTable(table: string): string {
  return `/t/${table}`;
}

/** What a pasted text means: a table of this server, or why it is none: a link of another server, or no link at all. */
export type Pasted = { table: string } | { wrong: "server" | "link" };

/**
 * Reads a bare id of a table, or a link with or without its scheme, words before it or not. `origin` is this page's own:
 * an id says nothing about a server, so a link of any other address is refused rather than looked up here.
 */
export function pasted(text: string, origin: string): Pasted {
  const trimmed = text.trim();
  if (/^[A-Za-z0-9_-]{8,64}$/.test(trimmed)) return { table: trimmed };
  const link = trimmed.split(/\s+/).at(-1) ?? "";
  if (!link.includes("/")) return { wrong: "link" };
  const whole = link.includes("://") || link.startsWith("/") ? link : `${new URL(origin).protocol}//${link}`;
  let url: URL;
  try {
    url = new URL(whole, origin);
  } catch {
    return { wrong: "link" };
  }
  if (url.origin !== origin) return { wrong: "server" };
  const table = tableOfPath(url.pathname);
  return table === null ? { wrong: "link" } : { table };
}

/** A place in a rule book: the ruleset and, where one row is meant, its id. */
export interface RulesPlace {
  key: string;
  row: string | null;
}

/** The place that an address's fragment (`#/rules/KEY` or `#/rules/KEY/ROW`) names; null if it names none. */
export function rulesOfHash(hash: string): RulesPlace | null {
  const found = /^#\/rules\/([a-z0-9][a-z0-9_-]{0,63})(?:\/([a-z0-9_]{1,64}))?\/?$/.exec(hash);
  return found?.[1] === undefined ? null : { key: found[1], row: found[2] ?? null };
}

export function hashOfRules(key: string, row?: string): string {
  return row === undefined ? `#/rules/${key}` : `#/rules/${key}/${row}`;
}
