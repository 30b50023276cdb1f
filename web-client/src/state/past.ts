import type { Table, TableEvent } from "../generated/protocol";
import { fold, type Folded } from "./fold";

/** A deal from its beginning. */
export interface Past {
  deal: number;
  /** The version of the first event. */
  first: number;
  /** All hands are open: it is over, and told to those who watch one deal late. */
  whole: boolean;
  events: readonly TableEvent[];
}

/** What has been asked for, with the events that have happened since, of which the first has version `first`. */
export function carried(past: Past | null, fresh: readonly TableEvent[], first: number): Past | null {
  if (past === null || past.whole || past.first + past.events.length !== first) return past;
  const next = fresh.findIndex((event) => (event.e === "deal_started" || event.e === "shuffle_committed") && event.deal !== past.deal);
  const own = next === -1 ? fresh : fresh.slice(0, next);
  return own.length === 0 ? past : { ...past, events: [...past.events, ...own] };
}

/** The table after the event of version `at`: it is the live one in all that a deal does not tell. */
export function tableAfter(live: Table, past: Past, at: number): Folded {
  const empty: Folded = { table: { ...live, deal: null, settled: null, standing: null, shuffle: null }, newest: null };
  return fold(empty, past.events.slice(0, at - past.first + 1), at);
}

/** The version of its last event. */
export function endOf(past: Past): number {
  return past.first + past.events.length - 1;
}
