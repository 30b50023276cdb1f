import type { Ask, Error as Refusal, FromClient, Left, Notice as HouseNotice, Table, TableEvent, ToClient, Welcome, WhyNot } from "../generated/protocol";
import { PROTOCOL } from "../generated/protocol";
import { isDefault } from "../names";
import type { Line } from "../net/connection";
import { fold, type Folded, unfolded } from "./fold";
import { carried, type Past } from "./past";
import { type Given, part, randomNonce } from "./shuffle";
import { spoken } from "./talk";
import type { TableState, TimedAsk } from "./table";

/** Something worth telling for a moment. */
export type Notice =
  | { kind: "error"; code: Refusal["code"]; option: Refusal["option"] }
  | { kind: "event"; event: TableEvent }
  | { kind: "house"; notice: HouseNotice["notice"] }
  | { kind: "rejoined" };

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
  gone: Left["reason"] | "no_such_table" | "table_full" | "not_watched" | null;
  /** A deal from its beginning, to step through; the running one goes on growing. */
  past: Past | null;
  /** One's own part in the newest shuffle. */
  given: Given | null;
  /** The server has said that it will stop; until the next welcome. */
  restarting: boolean;
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
  past: null,
  given: null,
  restarting: false,
};

/** What the table page shows of it. */
export function tableState(known: Knowledge): TableState | null {
  if (known.folded === null) return null;
  const { folded, ask, answered, whyNot, past, given } = known;
  return { table: folded.table, newest: folded.newest, ask, answered, whyNot, past, given };
}

export interface Heard {
  known: Knowledge;
  /** To be answered at once. */
  replies: FromClient[];
  notices: Notice[];
}

/**
 * What is known once the line is so. Without one nobody knows how much of one's time is left: it may stand still, and the
 * bank does. The server asks again, with what there is, when the line is back.
 */
export function onLine(known: Knowledge, line: Line): Knowledge {
  return { ...known, line, ask: known.ask === null || line === "up" ? known.ask : { ...known.ask, deadline: null } };
}

/** The first message of a line. */
export function hello(token: string | null, name: string): FromClient {
  return { type: "hello", protocol: PROTOCOL, token, name: name === "" || isDefault(name) ? null : name };
}

/**
 * Back to the table that was wanted, whole; not to one that has let this page go. The events since the version seen last
 * would not tell what was said meanwhile, whether the table stands still, or what is left of one's bank.
 */
export function rejoin(known: Knowledge): FromClient[] {
  if (known.wanted === null || known.gone !== null) return [];
  return [{ type: "join", table: known.wanted, seen: null }];
}

/** What a message changes. `now` is `performance.now()`; `nonce` makes one's part in a shuffle. */
export function hear(known: Knowledge, message: ToClient, now: number, nonce: () => string = randomNonce): Heard {
  const heard = understood(known, message, now);
  // Whatever comes from a table that one is at, and not only the commitment: it may have come while the line was down.
  if (!("table" in message) || heard.known.gone !== null) return heard;
  const added = part(heard.known, nonce);
  return added === null ? heard : { ...heard, known: { ...heard.known, given: added.given }, replies: [...heard.replies, added.reply] };
}

function understood(known: Knowledge, message: ToClient, now: number): Heard {
  const heard = (change: Partial<Knowledge>, replies: FromClient[] = [], notices: Notice[] = []): Heard => ({
    known: { ...known, ...change },
    replies,
    notices,
  });
  const here = (change: (table: Table) => Partial<Table>): Heard => {
    if (!("table" in message) || known.folded?.table.table !== message.table) return heard({});
    const { table } = known.folded;
    return heard({ folded: { ...known.folded, table: { ...table, ...change(table) } } });
  };
  switch (message.type) {
    case "welcome":
      return heard(
        { welcome: message, name: message.name, restarting: false, given: known.given === null ? null : { ...known.given, sent: false } },
        rejoin(known),
        known.gone === null && known.folded !== null && known.folded.table.you !== null ? [{ kind: "rejoined" }] : [],
      );
    case "renamed":
      return heard({ name: message.name });
    case "table":
      return arrived(known, message, heard);
    case "events":
      return events(known, message, heard);
    case "deal_so_far": {
      if (known.folded?.table.table !== message.table) return heard({});
      const { deal, first, whole, events: happened } = message;
      return heard({ past: { deal, first, whole, events: happened } });
    }
    case "ask":
      return asked(known, message, now, heard);
    case "why_not":
      return heard(message.id === known.asking ? { whyNot: message, asking: null } : {});
    case "seats":
      return here(() => ({ seats: message.seats, watchers: message.watchers, you: message.you }));
    case "said":
      return here(({ talk }) => ({ talk: spoken(talk, message.line) }));
    case "still": {
      const next = here(() => ({ standstill: message.standstill }));
      // While a table stands still nobody is asked anything; whoever was is asked again afterwards.
      if (message.standstill.stopped === null || next.known.folded === known.folded) return next;
      return { ...next, known: { ...next.known, ask: null, answered: false } };
    }
    case "left":
      if (message.table !== known.wanted) return heard({});
      return heard({ gone: message.reason, ask: null, answered: false });
    case "notice":
      return heard({ restarting: known.restarting || message.notice === "restart" }, [], [{ kind: "house", notice: message.notice }]);
    case "error":
      return failed(known, message, heard);
    default:
      return heard({});
  }
}

type Change = (change: Partial<Knowledge>, replies?: FromClient[], notices?: Notice[]) => Heard;

function arrived(known: Knowledge, table: Table, heard: Change): Heard {
  const again = known.wanted === table.table && known.folded === null && table.you !== null;
  // What one steps through may have a gap now: it is asked for afresh, and shown as it was until that comes.
  const past = known.folded?.table.table === table.table ? known.past : null;
  const running = past !== null && !past.whole && past.deal === table.deal?.deal;
  return heard(
    { folded: unfolded(table), wanted: table.table, ask: null, answered: false, gone: null, whyNot: null, asking: null, past },
    running ? [{ type: "ask_history" }] : [],
    again ? [{ kind: "rejoined" }] : [],
  );
}

function asked(known: Knowledge, ask: Ask, now: number, heard: Change): Heard {
  const { folded } = known;
  const banked = folded === null || ask.bank_ms === null ? {} : { folded: { ...folded, table: { ...folded.table, bank_ms: ask.bank_ms } } };
  return heard({ ask: timed(ask, now), answered: false, ...banked });
}

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
    { folded: fold(known.folded, fresh, message.version), past: carried(known.past, fresh, seen + 1), ...(lapsed ? { ask: null, answered: false } : {}), ...(dealt ? { whyNot: null } : {}), gone: null },
    [],
    fresh.filter((event) => event.e === "paid" || event.e === "called").map((event) => ({ kind: "event", event })),
  );
}

function failed(known: Knowledge, { code, id, option }: Refusal, heard: Change): Heard {
  // One's part in a shuffle may have arrived before the line broke; the second one is refused, and nobody need know.
  const doubled = code === "stale" && id === null && known.given?.sent === true && known.folded?.table.shuffle?.nonces === null;
  const notice: Notice[] = code === "bad_token" || doubled ? [] : [{ kind: "error", code, option }];
  if (code === "no_such_table" || ((code === "table_full" || code === "not_watched") && known.folded === null)) return heard({ gone: code, folded: null, ask: null });
  if (id === null) return heard({}, [], notice);
  if (id === known.asking) return heard({ asking: null }, [], notice);
  // A refused move may be chosen again; what came too late may not.
  return code === "illegal_move" ? heard({ answered: false }, [], notice) : heard({ ask: null, answered: false }, [], notice);
}

function timed(ask: Ask, now: number): TimedAsk {
  return { ...ask, deadline: ask.left_ms === null ? null : now + ask.left_ms };
}
