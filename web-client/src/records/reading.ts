import type { GameWords, Names, SeatState, Settled, Table, TableEvent } from "../generated/protocol";
import type { Viewpoint } from "../net/where";
import type { Book } from "../rules/book";
import { fold, type Folded } from "../state/fold";
import type { MatchRecord } from "./record";

/** What a replay takes from a rule book. */
export interface Words {
  name: Names;
  words: GameWords;
  rows: ReadonlyMap<string, { name: Names; rule: Names }>;
  /** The dealer's wins in a row are worth something. */
  counts_streak: boolean;
}

/** Where there is no rule book of the game, as for a record of elsewhere that one opens. */
export const PLAIN: GameWords = {
  chow: { en: "chow", zh: "吃" },
  pong: { en: "pong", zh: "碰" },
  gong: { en: "gong", zh: "槓" },
  win: { en: "win", zh: "和" },
  wins: { en: "wins", zh: "和牌" },
  flower: { en: "flower", zh: "花" },
};

export function wordsOf(book: Book): Words {
  const rows = book.sections.flatMap((section) => section.rows);
  return {
    name: book.name,
    words: book.words,
    rows: new Map(rows.map((row) => [row.id, row])),
    counts_streak: rows.some((row) => row.example?.facts["streak"] !== undefined),
  };
}

/** The table before its first event. */
export function emptyTable(record: MatchRecord, words: Words | null, seats: SeatState[] = []): Table {
  const { key, version, options } = record.ruleset;
  const first = record.events.find((event) => event.e === "deal_started");
  const dealt = first === undefined ? 0 : first.sizes.reduce((sum, size) => sum + size, 0) + first.left;
  const wall = record.wall === 0 ? dealt : record.wall;
  return {
    type: "table",
    table: "",
    version: 0,
    you: null,
    settings: {
      ruleset: key,
      ruleset_version: version,
      ruleset_name: words?.name ?? { en: key, zh: key },
      words: words?.words ?? PLAIN,
      wall,
      reserve: Math.max(0, wall - dealt),
      counts_streak: words?.counts_streak ?? true,
      options,
      rounds: record.rounds === 1 ? 1 : 4,
      clocks: "off",
      discard_ms: null,
      claim_ms: null,
      floor_ms: 0,
      pad_windows: false,
      bank_ms: null,
      public: false,
      watching: "late",
      reveal: "deal",
      house: false,
    },
    seats,
    watchers: 0,
    scores: [0, 0, 0, 0],
    deal: null,
    settled: null,
    standing: null,
    shuffle: null,
    standstill: { stopped: null, pausing: [], ending: [], may_end: false },
    talk: [],
    owner: false,
    bank_ms: null,
  };
}

/** A settlement with the words of the rule book, which a record leaves out; an unknown row goes by its key. */
export function settledWith(settled: Settled, words: Words | null): Settled {
  const named = <T extends { award: string }>(line: T): T => {
    const found = words?.rows.get(line.award);
    return { ...line, name: found?.name ?? { en: line.award, zh: line.award }, rule: found?.rule ?? { en: "", zh: "" } };
  };
  return {
    ...settled,
    wins: settled.wins.map((win) => ({ ...win, awards: win.awards.map(named), replaced: win.replaced.map(named) })),
    hands: settled.hands.map((hand) => ({ ...hand, awards: hand.awards.map(named) })),
  };
}

/** Who sits where once the event with this version has happened. */
export function seatsAt(record: MatchRecord, at: number): SeatState[] {
  return [0, 1, 2, 3].map((seat) => {
    const sitter = record.sitters.findLast((one) => one.seat === seat && one.version <= at);
    return { seat, name: sitter?.name ?? "", player: sitter?.player ?? "bot", level: sitter?.level ?? null, present: true, stand_in: sitter?.stand_in ?? false, ready: true };
  });
}

/** An event as `view` saw it: the others' dealt tiles and draws are hidden, all else lay open. */
export function seenBy(event: TableEvent, view: Viewpoint): TableEvent {
  if (view === "all") return event;
  if (event.e === "draw" && event.seat !== view) return { ...event, tile: null };
  if (event.e === "deal_started") return { ...event, hands: event.hands.map((hand, seat) => (seat === view ? hand : null)) };
  return event;
}

/** The table of a record once the event number `at` has happened, as `view` saw it; nothing that comes later is in it. */
export function tableAt(record: MatchRecord, words: Words | null, at: number, view: Viewpoint): Folded {
  const happened = record.events.slice(0, at);
  const from = Math.max(0, happened.findLastIndex((event) => event.e === "deal_started"));
  const events = happened.slice(from).map((event) => (event.e === "settled" ? settledWith(event, words) : seenBy(event, view)));
  return fold({ table: emptyTable(record, words, seatsAt(record, at)), newest: null }, events, at);
}
