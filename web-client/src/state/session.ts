import type { Ask, Error as Refusal, FromClient, Left, TableEvent, ToClient, Welcome, WhyNot } from "../generated/protocol";
import { PROTOCOL } from "../generated/protocol";
import type { Line } from "../net/connection";
import { fold, type Folded, unfolded } from "./fold";
import type { TableState, TimedAsk } from "./table";

/** Something worth telling for a moment. */
export type Notice = { kind: "error"; code: Refusal["code"]; option: Refusal["option"] } | { kind: "event"; event: TableEvent } | { kind: "rejoined" };

/** Everything the page knows. A plain value, replaced as a whole. */
export interface Knowledge {
  line: Line;
  welcome: Welcome | null;
  name: string;
  /** The table that this page wants to be at. */
  wanted: string | null;
  folded: Folded | null;
  ask: TimedAsk | null;
  answered: boolean;
  /** The answer to why one cannot win, while it is shown. */
  whyNot: WhyNot | null;
  /** The number of the question that is on its way. */
  asking: number | null;
  /** Why one is no longer at the table. */
  gone: Left["reason"] | "no_such_table" | "table_full" | null;
}

export const nothing: Knowledge = {
  line: "connecting",
  welcome: null,
  name: "",
  wanted: null,
  folded: null,
  ask: null,
  answered: false,
  whyNot: null,
  asking: null,
  gone: null,
};

/** What the table page shows of it. */
export function tableState(known: Knowledge): TableState | null {
  if (known.folded === null) return null;
  return { table: known.folded.table, newest: known.folded.newest, ask: known.ask, answered: known.answered, whyNot: known.whyNot };
}

export interface Heard {
  known: Knowledge;
  /** To be answered at once. */
  replies: FromClient[];
  notices: Notice[];
}

/** The first message of a line. */
export function hello(token: string | null, name: string): FromClient {
  return { type: "hello", protocol: PROTOCOL, token, name: name === "" ? null : name };
}

/** Back to the table that was wanted, from the version seen last; not to one that has let this page go. */
export function rejoin(known: Knowledge): FromClient[] {
  if (known.wanted === null || known.gone !== null) return [];
  const seen = known.folded?.table.table === known.wanted ? known.folded.table.version : null;
  return [{ type: "join", table: known.wanted, seen }];
}

/** What a message changes. `now` is `performance.now()`. */
export function hear(known: Knowledge, message: ToClient, now: number): Heard {
  const heard = (change: Partial<Knowledge>, replies: FromClient[] = [], notices: Notice[] = []): Heard => ({
    known: { ...known, ...change },
    replies,
    notices,
  });
  switch (message.type) {
    case "welcome":
      return heard(
        { welcome: message, name: message.name },
        rejoin(known),
        known.gone === null && known.folded !== null && known.folded.table.you !== null ? [{ kind: "rejoined" }] : [],
      );
    case "renamed":
      return heard({ name: message.name });
    case "table": {
      const again = known.wanted === message.table && known.folded === null && message.you !== null;
      return heard(
        { folded: unfolded(message), wanted: message.table, ask: null, answered: false, gone: null, whyNot: null, asking: null },
        [],
        again ? [{ kind: "rejoined" }] : [],
      );
    }
    case "events":
      return events(known, message, heard);
    case "ask":
      return heard({ ask: timed(message, now), answered: false });
    case "why_not":
      return heard(message.id === known.asking ? { whyNot: message, asking: null } : {});
    case "seats": {
      if (known.folded?.table.table !== message.table) return heard({});
      const { seats, watchers, you } = message;
      return heard({ folded: { ...known.folded, table: { ...known.folded.table, seats, watchers, you } } });
    }
    case "left":
      if (message.table !== known.wanted) return heard({});
      return heard({ gone: message.reason, ask: null, answered: false });
    case "error":
      return failed(known, message, heard);
    case "accepted":
    case "pong":
      return heard({});
  }
}

type Change = (change: Partial<Knowledge>, replies?: FromClient[], notices?: Notice[]) => Heard;

function events(known: Knowledge, message: Extract<ToClient, { type: "events" }>, heard: Change): Heard {
  if (known.folded?.table.table !== message.table) return heard({});
  const seen = known.folded.table.version;
  const first = message.version - message.events.length + 1;
  if (message.version <= seen) return heard({});
  // A gap cannot be folded over: ask for the whole table.
  if (first > seen + 1) return heard({}, [{ type: "join", table: message.table, seen: null }]);
  const fresh = message.events.slice(seen + 1 - first);
  // An answer about the last deal says nothing about the next.
  const dealt = fresh.some((event) => event.e === "deal_started");
  const lapsed = known.ask !== null && message.version > known.ask.version;
  return heard(
    { folded: fold(known.folded, fresh, message.version), ...(lapsed ? { ask: null, answered: false } : {}), ...(dealt ? { whyNot: null } : {}), gone: null },
    [],
    fresh.filter((event) => event.e === "paid" || event.e === "called").map((event) => ({ kind: "event", event })),
  );
}

function failed(known: Knowledge, { code, id, option }: Refusal, heard: Change): Heard {
  const notice: Notice[] = code === "bad_token" ? [] : [{ kind: "error", code, option }];
  if (code === "no_such_table" || (code === "table_full" && known.folded === null)) return heard({ gone: code, folded: null, ask: null });
  if (id === null) return heard({}, [], notice);
  if (id === known.asking) return heard({ asking: null }, [], notice);
  // A refused move may be chosen again; what came too late may not.
  return code === "illegal_move" ? heard({ answered: false }, [], notice) : heard({ ask: null, answered: false }, [], notice);
}

function timed(ask: Ask, now: number): TimedAsk {
  return { ...ask, deadline: ask.left_ms === null ? null : now + ask.left_ms };
}
