import type { AwardLine, MeldValue, Settled } from "../generated/protocol";
import type { RulesPlace } from "../net/link";
import type { TableState } from "../state/table";
import { tilesOf } from "../tiles/kinds";
import { scenes } from "./company";
import { barred, called, classical, laidDown, limited, ready, washed, washing, why } from "./classical";
import { ask, deal, discardsOf, many, meld, person, pile, shuffle, state, table, view } from "./kit";
import { type HouseScene, houseScenes } from "./house";

/** What a page may have to say for a while, whatever it shows. */
const NOTICE = "Too many requests, wait a moment.";
const LONG = "1z 4z 9m 1p 8s 2z 3m 7z 5s 6p 9s 2m 4p 1s 3z 8m 6s 2p 7m 5z 9p 3s";

function middle(): TableState {
  const tiles = many("234m 567p 11335s 66z");
  return state({
    newest: 3,
    ask: ask("turn", discardsOf([...tiles, "8s"])),
    table: table({
      deal: deal({
        seats: [
          view({
            size: 14,
            tiles: [...tiles, "8s"],
            drawn: "8s",
            melds: [meld("chow", "678s", "7s", 3)],
            flowers: ["1f", "7f"],
            discards: pile("1z 9m 4z 1p 2z 9s 3z"),
          }),
          view({ size: 10, melds: [meld("pong", "555z", "5z", 3), meld("exposed_gong", "2222m", "2m", 2)], flowers: ["2f"], discards: pile("1s 9p 8m 7z 3z 1m 9s 4p") }),
          view({ size: 13, melds: [meld("chow", "345p", "3p", 1)], flowers: ["3f", "6f", "8f"], discards: pile("4z 9p 1m 8s 2z 7m 1z") }),
          view({ size: 16, flowers: [], discards: pile("9m 1p 2s 4s 6z 8p 9s") }),
        ],
      }),
    }),
  });
}

function claim(): TableState {
  const base = middle();
  const tiles = many("23455667789m 334p 66z");
  const { deal: now } = base.table;
  if (now === null) return base;
  now.seats[0] = view({ ...now.seats[0], tiles, size: tiles.length, drawn: null, melds: [], discards: now.seats[0]?.discards ?? [] });
  now.phase = { kind: "claiming", seat: 3, tile: "6m" };
  now.seats[3]?.discards.push({ tile: "6m", drawn: true, claimed: false });
  return {
    ...base,
    newest: 3,
    ask: ask("claim", ["win", "gong 6m", "pong 6m", "chow 456m", "chow 567m", "chow 678m", "pass"], 5200, 8000),
  };
}

function gongs(): TableState {
  const five = (source: number): MeldValue[] => [
    meld("exposed_gong", "1111p", "1p", (source + 1) % 4),
    meld("promoted_gong", "2222s", "2s", (source + 2) % 4),
    meld("concealed_gong", "7777z", null, null),
    meld("exposed_gong", "9999m", "9m", (source + 3) % 4),
    meld("promoted_gong", "5555z", "5z", (source + 3) % 4),
  ];
  const all = ["1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f"];
  return state({
    newest: 2,
    ask: ask("turn", ["discard 4p", "discard 8s"]),
    table: table({
      seats: [person(0, "A rather long name, really", "person"), person(1, "W".repeat(24), "bot"), person(2, "陳大文先生與朋友們的枱", "person"), person(3, "Orchid of the valley", "bot")],
      scores: [1034, -1012, 2105, -2127],
      deal: deal({
        left: 0,
        dealer: 0,
        seats: [0, 1, 2, 3].map((seat) =>
          view({
            size: seat === 0 ? 2 : 1,
            tiles: seat === 0 ? ["4p", "8s"] : null,
            drawn: seat === 0 ? "8s" : null,
            melds: five(seat),
            flowers: all,
            discards: pile(LONG + (seat === 1 ? " 5m 6m 7p 8p" : seat === 0 ? " 1m 4s 7s 8p 2p 3p 6z 6z" : "")),
          }),
        ),
      }),
    }),
  });
}

function full(): TableState {
  const tiles = many("123456789m 199p 33z 55z 9s");
  const all = ["1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f"];
  return state({
    newest: 2,
    ask: ask("turn", [...discardsOf(tiles), ...discardsOf(tiles).map((move) => move.replace("discard", "call")), "concealed_gong 3z", "concealed_gong 9p", "promoted_gong 5z", "win"]),
    table: table({
      deal: deal({
        left: 63,
        seats: [0, 1, 2, 3].map((seat) =>
          view({ size: seat === 0 ? 17 : 16, tiles: seat === 0 ? tiles : null, drawn: seat === 0 ? "9s" : null, flowers: all, discards: pile(LONG) }),
        ),
      }),
    }),
  });
}

const RULE = { en: "Each flower tile that the winner shows.", zh: "食糊者每張花牌。" };
const WIN_AWARDS: AwardLine[] = (
  [
  { award: "flower", name: { en: "Flower", zh: "花" }, points: 2, count: 2, clause: "F-4" },
  { award: "seat_flower", name: { en: "Flower of the seat", zh: "正花" }, points: 1, count: 1, clause: "F-4" },
  { award: "pong_of_dragons", name: { en: "Pong of Dragons", zh: "番刻" }, points: 2, count: 1, clause: "DR-1" },
  { award: "mixed_dragon_concealed", name: { en: "Mixed Dragon, concealed", zh: "暗雜龍" }, points: 10, count: 1, clause: "DS-1" },
  { award: "good_eyes", name: { en: "Good Eyes", zh: "將眼" }, points: 2, count: 1, clause: "A-72" },
  { award: "self_draw_wall", name: { en: "Self-draw from the wall", zh: "自摸" }, points: 1, count: 1, clause: "A-79" },
  { award: "base", name: { en: "Base", zh: "底" }, points: 5, count: 1, clause: "M5" },
  ] as const
).map((line) => ({ ...line, rule: RULE, doubles: 0, limit: null }));

function settled(): Settled {
  const group = (form: "chow" | "pong" | "eyes", tiles: string, winning = false, declared = false) => ({ form, tiles: tilesOf(tiles), declared, winning });
  return {
    e: "settled",
    deal: 3,
    wins: [
      {
        seat: 0,
        by: "self_draw",
        tile: "8s",
        source: null,
        hand: many("123m 456p 79s 345m 55p"),
        melds: [meld("pong", "666z", "6z", 2)],
        flowers: ["1f", "7f"],
        reading: [group("chow", "123m"), group("chow", "456p"), group("chow", "789s", true), group("chow", "345m"), group("eyes", "55p"), group("pong", "666z", false, true)],
        considered: [12, 9].map((sum) => ({ reading: [group("chow", "123m"), group("chow", "456p"), group("chow", "789s", true), group("chow", "345m"), group("eyes", "55p")], points: sum, total: sum + 5 })),
        doubles: 0,
        limited: false,
        awards: WIN_AWARDS,
        replaced: [{ award: "no_flowers", name: { en: "All Sheung", zh: "平糊" }, by: "mixed_dragon_concealed", points: 5 }],
        points: 18,
        total: 23,
        payments: [69, -23, -23, -23],
      },
    ],
    instant: [{ seat: 2, reason: "concealed_gong", changes: [-5, -5, 15, -5] }],
    hands: [],
    transfers: [],
    danger: null,
    changes: [69, -23, -23, -23],
    scores: [103, -35, 82, -150],
    next: { deal: 4, dealer: 2, round_wind: 0, streak: 0 },
  };
}

function settlement(): TableState {
  const base = middle();
  const sheet = settled();
  return { ...base, ask: null, table: { ...base.table, settled: sheet, scores: sheet.scores } };
}

function several(): TableState {
  const base = settlement();
  const sheet = settled();
  const [first] = sheet.wins;
  if (first !== undefined) {
    sheet.wins = [
      { ...first, by: "discard", source: 3, payments: [23, 0, 0, -23] },
      { ...first, seat: 2, by: "discard", source: 3, payments: [0, 0, 23, -23] },
    ];
  }
  return { ...base, table: { ...base.table, settled: sheet } };
}

/** As full as a settlement can be: three winners, names as long as names may be, large numbers. */
function crowded(): TableState {
  const base = several();
  const { seats, scores } = gongs().table;
  const sheet = settled();
  const [first] = sheet.wins;
  if (first !== undefined) {
    sheet.wins = [0, 1, 2].map((seat) => ({ ...first, seat, by: "discard", source: 3, payments: [0, 1, 2, 3].map((at) => (at === seat ? 1234 : at === 3 ? -1234 : 0)) }));
  }
  return { ...base, table: { ...base.table, seats, scores, settled: { ...sheet, scores } } };
}

function exhausted(): TableState {
  const base = settlement();
  return { ...base, table: { ...base.table, settled: { ...settled(), wins: [], instant: [] } } };
}

function final(base = settlement()): TableState {
  return {
    ...base,
    table: {
      ...base.table,
      settled: { ...settled(), next: null },
      shuffle: shuffle(),
      standing: [
        { seat: 0, rank: 1, score: 103 },
        { seat: 2, rank: 2, score: 82 },
        { seat: 1, rank: 3, score: -35 },
        { seat: 3, rank: 4, score: -150 },
      ],
    },
  };
}

function watch(): TableState {
  const base = middle();
  const { deal: now } = base.table;
  if (now?.seats[0] !== undefined) now.seats[0] = { ...now.seats[0], tiles: null, drawn: null };
  return { ...base, ask: null, table: { ...base.table, you: null } };
}

/** Every hand is laid down after a deal that went to its end; one looks at the table as a player or, full of sets, as a watcher. */
function over(base: TableState, hands: readonly string[], you: number | null): TableState {
  const { deal: now, seats } = base.table;
  const sheet = settled();
  if (now === null) return base;
  now.phase = { kind: "over", seat: null, tile: null };
  now.seats = now.seats.map((seat, number) => ({ ...seat, drawn: null, tiles: many(hands[number] ?? ""), size: many(hands[number] ?? "").length }));
  const named = you === null ? gongs().table.seats : seats;
  return { ...base, ask: null, table: { ...base.table, you, seats: named, settled: sheet, scores: sheet.scores } };
}

const CONCEALED = ["234m 567p 11335s 66z 789m 1p", "123456789m 199p 33z 55z", "111222333p 44z 56789s", "147m 258p 369s 1234567z"];
const tables: Record<string, () => TableState> = {
  ...{ middle, claim, gongs, full, settlement, several, crowded, exhausted, watch },
  final: () => final(),
  ...{ classical, called, washing, why, ready, barred, laidDown, limited, washed },
};
/** The table under a settlement that was put aside. */
const lookedAt: Record<string, () => TableState> = {
  look: () => over(full(), CONCEALED, 0),
  lookAtGongs: () => over(gongs(), ["48p", "4p", "8s", "1m"], 0),
  lookAsWatcher: () => over(full(), CONCEALED, null),
  lookAtGongsAsWatcher: () => over(gongs(), ["48p", "4p", "8s", "1m"], null),
};

/** What one goes to from the final standing: the last settlement, and the table under that. */
const AFTER_FINAL: Record<string, readonly string[]> = { Settlement: ["[data-settlement]"], Look: ["[data-settlement]", "[data-look]"] };
const finals: Record<string, () => TableState> = {
  final: () => final(),
  finalOfGongs: () => final(over(gongs(), ["48p", "4p", "8s", "1m"], 0)),
  finalOfWatcher: () => final(over(full(), CONCEALED, null)),
};

/** One page of the client with something made up in it. */
export type Fixture = { shown: TableState; press?: readonly string[]; notice?: string } | { house: HouseScene } | { rules: RulesPlace; under: TableState | null };

/** Made-up states for looking at; each call makes a new one. The rule books are the server's own. */
export const fixtures: Record<string, () => Fixture> = {
  ...Object.fromEntries(Object.entries(tables).map(([name, make]) => [name, () => ({ shown: make() })])),
  ...Object.fromEntries(Object.entries(lookedAt).map(([name, make]) => [name, () => ({ shown: make(), press: ["[data-look]"] })])),
  ...Object.fromEntries(Object.entries({ settlement, final }).map(([name, make]) => [`${name}Told`, () => ({ shown: make(), notice: NOTICE })])),
  ...Object.fromEntries(Object.entries(finals).flatMap(([name, make]) => Object.entries(AFTER_FINAL).map(([after, press]) => [`${name}${after}`, () => ({ shown: make(), press })]))),
  ...scenes,
  ...Object.fromEntries(Object.entries(houseScenes).map(([name, scene]) => [name, () => ({ house: scene })])),
  "book-lrc": () => ({ rules: { key: "lrc", row: null }, under: null }),
  "book-classical": () => ({ rules: { key: "classical", row: null }, under: classical() }),
  "book-limit": () => ({ rules: { key: "classical-limit", row: null }, under: null }),
  "book-watched": () => ({ rules: { key: "classical", row: null }, under: { ...classical(), ask: null } }),
  "book-unknown": () => ({ rules: { key: "nope", row: null }, under: null }),
  "book-failed": () => ({ rules: { key: "failing", row: null }, under: null }),
};
