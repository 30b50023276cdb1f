import type { TableEvent } from "../generated/protocol";
import type { Values } from "../rules/book";
import { fold, type Folded } from "../state/fold";
import { emptyTable, settledWith } from "./reading";

/** Who decides for a seat from a version on. */
export interface Sitter {
  version: number;
  seat: number;
  name: string;
  player: "person" | "bot";
  level: string | null;
  stand_in: boolean;
}

/** What a replay needs of a record (docs/record.md). */
export interface MatchRecord {
  began: string | null;
  ruleset: { key: string; version: string; options: Values };
  rounds: number;
  /** The event with version `v` is `events[v - 1]`; nothing is hidden in them. */
  events: TableEvent[];
  sitters: Sitter[];
  /** Tiles of the wall. */
  wall: number;
  /** The public key that it is sealed with, as it says itself: nothing is checked here. Null where it has no seal. */
  key: string | null;
  /** The line at which reading had to stop; null where all of it was read. */
  stopped: number | null;
}

/** A record, or why there is none: the text is something else, or in a format of a later program. */
export type Read = { record: MatchRecord } | { wrong: "other" } | { wrong: "newer"; format: string };

const FORMATS = [1, 2];
const KINDS: ReadonlySet<string> = new Set<TableEvent["e"]>([
  ...(["match_started", "shuffle_committed", "shuffle_fixed", "shuffle_revealed", "deal_started", "washing_opened", "washing_closed"] as const),
  ...(["washed", "hand_shown", "flowers", "draw", "called", "discard", "meld", "promoted", "paid", "won", "exhausted", "settled", "match_ended"] as const),
]);
/** Rows that a replay does not show: what was offered and answered is seen in what happened. */
const PASSED = /^\{"row":"(?:offered|answered)"/;

type Plain = Record<string, unknown>;

function objectOf(line: string): Plain | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Plain) : null;
  } catch {
    return null;
  }
}

/** Reads the text of a record as far as it can be understood. Raises nothing, whatever the text is. */
export function readRecord(text: string): Read {
  const lines = text.replaceAll("\uFEFF", "").split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  const header = objectOf(lines[0] ?? "");
  if (header === null || !("record" in header)) return { wrong: "other" };
  if (!FORMATS.includes(header["record"] as number)) return { wrong: "newer", format: String(header["record"]).slice(0, 20) };
  const { ruleset, seats, rounds, began } = header as { ruleset?: Partial<MatchRecord["ruleset"]>; seats?: Plain[]; rounds?: number; began?: string };
  if (typeof ruleset?.key !== "string" || !Array.isArray(seats) || seats.length !== 4 || typeof rounds !== "number") return { wrong: "other" };
  const record: MatchRecord = {
    began: typeof began === "string" ? began : null,
    ruleset: { key: ruleset.key, version: String(ruleset.version ?? ""), options: ruleset.options ?? {} },
    rounds,
    events: [],
    sitters: seats.map((one, seat) => sitterOf({ ...one, seat, version: 0 })),
    wall: 0,
    key: null,
    stopped: null,
  };
  for (const [at, line] of lines.entries()) {
    if (at === 0 || PASSED.test(line)) continue;
    if (!take(record, objectOf(line))) {
      record.stopped = at + 1;
      break;
    }
  }
  return { record: sound(record) };
}

function sitterOf(row: Plain): Sitter {
  const level = row["level"];
  return {
    version: Number(row["version"]),
    seat: Number(row["seat"]),
    name: String(row["name"] ?? "").slice(0, 80),
    player: level === null || level === undefined ? "person" : "bot",
    level: typeof level === "string" ? level : null,
    stand_in: row["stand_in"] === true,
  };
}

/** Takes in a row; false where it is none, or not the one that must come now. Kinds that are not known are passed over. */
function take(record: MatchRecord, row: Plain | null): boolean {
  if (row === null || typeof row["row"] !== "string") return false;
  switch (row["row"]) {
    case "event": {
      const event = row["event"] as TableEvent | null | undefined;
      if (typeof event !== "object" || event === null || !KINDS.has(event.e) || row["version"] !== record.events.length + 1) return false;
      record.events.push(event);
      return true;
    }
    case "seat":
      record.sitters.push(sitterOf(row));
      return true;
    case "wall":
      if (typeof row["wall"] !== "string") return false;
      record.wall = row["wall"].length / 2;
      return true;
    case "seal":
      if (typeof row["key"] === "string" && /^[0-9a-f]{64}$/.test(row["key"])) record.key = row["key"];
      return true;
    default:
      return true;
  }
}

/** Only what can be folded: where a row is no event after all, the record ends before it. */
function sound(record: MatchRecord): MatchRecord {
  let folded: Folded = { table: emptyTable(record, null), newest: null };
  for (const [at, event] of record.events.entries()) {
    try {
      folded = fold(event.e === "deal_started" ? { table: emptyTable(record, null), newest: null } : folded, [event], at + 1);
      if (event.e === "settled") settledWith(event, null);
    } catch {
      return { ...record, events: record.events.slice(0, at), stopped: record.stopped ?? at + 2 };
    }
  }
  return record;
}
