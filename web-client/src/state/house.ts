import type { ErrorCode, ListMatches, MatchLine, Statistics, TableLine, ToClient } from "../generated/protocol";

/** Matches that are over, newest first, as far as they were asked for. */
export interface Shelf {
  matches: readonly MatchLine[];
  /** There are older ones. */
  more: boolean;
}

/** What one has asked about one's account, and waits for. */
export type Errand = "register" | "log_in" | "log_out";

/** What this page knows of the house beside its tables. A plain value, replaced as a whole. */
export interface House {
  account: string | null;
  tables: { lines: readonly TableLine[]; count: number } | null;
  mine: Shelf | null;
  all: Shelf | null;
  statistics: Statistics | null;
  errand: Errand | null;
  /** Why the last errand failed; null where it did not. */
  refused: ErrorCode | null;
  /** The account that was just made. */
  made: string | null;
  /** Nothing can be written at the moment: the tables stand still. */
  storage: boolean;
}

export const unknownHouse: House = { account: null, tables: null, mine: null, all: null, statistics: null, errand: null, refused: null, made: null, storage: false };

const PERSONAL = { mine: null, statistics: null } as const;

/** What a message changes of it. */
export function overhear(house: House, message: ToClient): House {
  switch (message.type) {
    case "welcome":
      // What an errand came to is not known where the line broke; who one is now, is.
      return { ...house, account: message.account, errand: null, storage: false, ...(message.account === house.account ? {} : PERSONAL) };
    case "signed_in":
      return { ...house, ...PERSONAL, account: message.account, errand: null, refused: null, made: house.errand === "register" ? message.account : null };
    case "signed_out":
      return { ...house, ...PERSONAL, account: null, errand: null, refused: null, made: null };
    case "notice":
      return message.notice === "restart" ? house : { ...house, storage: message.notice === "storage" };
    case "tables":
      return { ...house, tables: { lines: message.tables, count: message.count } };
    case "matches": {
      const shelf = message.mine ? house.mine : house.all;
      return { ...house, [message.mine ? "mine" : "all"]: shelved(shelf, message.matches, message.more) };
    }
    case "statistics":
      return { ...house, statistics: message };
    case "error":
      return house.errand === null || message.id !== null ? house : { ...house, errand: null, refused: message.code };
    default:
      return house;
  }
}

/** An older page goes below what there is; one that begins as what there is does, or anew, takes its place. */
function shelved(shelf: Shelf | null, page: readonly MatchLine[], more: boolean): Shelf {
  const last = shelf?.matches.at(-1);
  const older = last !== undefined && page.every((line) => line.began <= last.began && shelf?.matches.some(({ match }) => match === line.match) !== true);
  return { matches: older ? [...(shelf?.matches ?? []), ...page] : page, more };
}

/** The question for a page of matches: the newest, or those after what there is. */
export function askMatches(house: House, mine: boolean, older: boolean): ListMatches {
  const shelf = mine ? house.mine : house.all;
  return { type: "list_matches", mine, before: older ? (shelf?.matches.at(-1)?.match ?? null) : null };
}
