/** The table of a page's path (`/t/ID`); null on the first page. */
export function tableOfPath(path: string): string | null {
  return /^\/t\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1] ?? null;
}

export function pathOfTable(table: string): string {
  return `/t/${table}`;
}

/** The table that a pasted text means: a whole link, its path, or the bare id; null if it is none of these. */
export function tableOfText(text: string): string | null {
  const trimmed = text.trim();
  const path = /\/t\/[A-Za-z0-9_-]{1,64}\/?$/.exec(trimmed.split(/[?#]/)[0] ?? "")?.[0];
  if (path !== undefined) return tableOfPath(path);
  return /^[A-Za-z0-9_-]{8,64}$/.test(trimmed) ? trimmed : null;
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
