import type { Ask, AskHistory, EndMatch, Pause, Say, Start, Table, WhyNot } from "../generated/protocol";
import type { Past } from "./past";
import type { Given } from "./shuffle";

/** An ask with the moment, on this browser's own clock, when it lapses. */
export interface TimedAsk extends Ask {
  /** `performance.now()` at the deadline; null where clocks are off. */
  deadline: number | null;
}

/** Everything the table page shows. A plain value: no component changes it. */
export interface TableState {
  table: Table;
  /** The seat of the newest discard, while it is known. */
  newest: number | null;
  ask: TimedAsk | null;
  /** The ask was answered and the answer is on its way or taken. */
  answered: boolean;
  /** Why one could not win when one asked. */
  whyNot: WhyNot | null;
  /** A deal from its beginning, where one has asked for it. */
  past: Past | null;
  /** One's own part in the newest shuffle. */
  given: Given | null;
}

/** What else a page may have to say at its table. */
export type Doing = Start | Pause | EndMatch | Say | AskHistory;
