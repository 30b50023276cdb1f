// A game of thirteen tiles that doubles, scores all four hands and lets tiles be washed.
import type { AwardLine, GroupValue, HandValue, Settled, WhyNot } from "../generated/protocol";
import type { TableState } from "../state/table";
import { tilesOf } from "../tiles/kinds";
import { ask, deal, discardsOf, many, meld, person, pile, state, table, view } from "./kit";
import { CHOW } from "./words";

const SETTINGS = {
  ...table({}).settings,
  ruleset: "classical",
  ruleset_version: "1922",
  ruleset_name: { en: "Classical, without a limit", zh: "古典麻雀（無限制）" },
  words: CHOW,
  wall: 136,
  reserve: 0,
  counts_streak: false,
  options: { robbing: false },
};

export function classical(): TableState {
  const tiles = many("2234m 567p 11s 66z");
  return state({
    newest: 3,
    ask: ask("turn", discardsOf([...tiles])),
    table: table({
      settings: SETTINGS,
      scores: [22016, -44032, 120384, -98368],
      deal: deal({
        dice: [2, 5, 6, 1],
        left: 61,
        seats: [
          view({ size: 11, tiles, drawn: "2m", melds: [meld("chow", "678s", "7s", 3)], discards: pile("1z 9m 4z 1p 2z 9s 3z") }),
          view({ size: 7, melds: [meld("pong", "555z", "5z", 3), meld("exposed_gong", "2222m", "2m", 2)], discards: pile("1s 9p 8m 7z 3z 1m 9s 4p") }),
          view({ size: 13, discards: pile("4z 9p 1m 8s 2z 7m 1z") }),
          view({ size: 10, melds: [meld("concealed_gong", "9999s", null, null)], discards: pile("9m 1p 2s 4s 6z 8p") }),
        ],
      }),
    }),
  });
}

/** Every claim at once. */
export function called(): TableState {
  const base = classical();
  const { deal: now } = base.table;
  if (now === null) return base;
  now.seats[0] = view({ ...now.seats[0], size: 10, tiles: many("45666m 78p 66z 1s"), drawn: null });
  now.phase = { kind: "claiming", seat: 3, tile: "6m" };
  now.seats[3]?.discards.push({ tile: "6m", drawn: true, claimed: false });
  return { ...base, ask: ask("claim", ["win", "gong 6m", "pong 6m", "chow 456m", "pass"], 5200, 8000) };
}

export function washing(): TableState {
  const base = classical();
  const { deal: now } = base.table;
  if (now === null) return base;
  const tiles = many("19m 19p 1s 1234z 5z 346s");
  now.phase = { kind: "washing", seat: 1, tile: null };
  now.left = 83;
  now.seats = [0, 1, 2, 3].map((seat) => view({ size: seat === 1 ? 14 : 13, tiles: seat === 0 ? tiles : null }));
  return { ...base, newest: null, ask: ask("wash", ["wash", "pass"], 6000, 8000) };
}

const answer = (part: Partial<WhyNot>): WhyNot => ({
  type: "why_not",
  id: 1,
  version: 120,
  reason: "incomplete",
  missing: 3,
  form: "standard",
  completing: [],
  helping: [],
  barred: [],
  ...part,
});

export function why(): TableState {
  return { ...classical(), whyNot: answer({ helping: many("123456789m 123456789p 12s 1356z"), form: "nico_nico", version: 118 }) };
}

export function ready(): TableState {
  return { ...classical(), whyNot: answer({ reason: "other_tile", missing: 1, completing: many("58p") }) };
}

export function barred(): TableState {
  return { ...classical(), whyNot: answer({ reason: "missed_win", missing: 1, completing: many("58p"), barred: many("58p") }) };
}

const line = (award: string, en: string, zh: string, points: number, doubles: number, clause: string, part: Partial<AwardLine> = {}): AwardLine => ({
  award,
  name: { en, zh },
  points,
  count: 1,
  clause,
  rule: { en: "As the score card of the book says, whoever holds it.", zh: "按規則書的計分表，不論誰家。" },
  doubles,
  limit: null,
  ...part,
});
const group = (form: GroupValue["form"], tiles: string, winning = false, declared = false): GroupValue => ({ form, tiles: tilesOf(tiles), declared, winning });

const HANDS: HandValue[] = [
  {
    seat: 1,
    hand: many("44m 1m"),
    melds: [meld("pong", "666z", "6z", 2), meld("pong", "999m", "9m", 3), meld("pong", "222m", "2m", 0)],
    flowers: [],
    reading: [group("pair", "44m")],
    awards: [
      line("three_simple_exposed", "Three of a kind, 2 to 8, on the table", "明刻，二至八", 2, 0, "Harr p. 29"),
      line("three_head_exposed", "Three of a kind, a 1, 9, wind or dragon, on the table", "明刻，么九字牌", 8, 0, "Harr p. 29", { count: 2 }),
      line("green_dragon", "Three or four green dragons", "發財刻子或槓", 0, 1, "Harr p. 30"),
      line("one_suit_honours", "All one suit except honour pieces", "混一色", 0, 1, "Harr p. 31, classical A-21"),
    ],
    points: 10,
    doubles: 2,
    total: 40,
    limited: false,
  },
  { seat: 2, hand: many("444m 789m 1m"), melds: [meld("pong", "777s", "7s", 0)], flowers: [], reading: [group("pong", "444m")], awards: [line("three_simple_concealed", "Three of a kind, 2 to 8, in the hand", "暗刻，二至八", 4, 0, "Harr p. 29")], points: 4, doubles: 0, total: 4, limited: false },
  { seat: 3, hand: many("1357m 2468p 12s 134z"), melds: [], flowers: [], reading: [], awards: [], points: 0, doubles: 0, total: 0, limited: false },
];

function settled(): Settled {
  return {
    e: "settled",
    deal: 3,
    wins: [
      {
        seat: 0,
        by: "self_draw",
        tile: "2z",
        source: null,
        hand: many("777z 22z"),
        melds: [meld("pong", "999p", "9p", 1), meld("pong", "222p", "2p", 2), meld("pong", "444z", "4z", 3)],
        flowers: [],
        reading: [group("pong", "777z"), group("eyes", "22z", true), group("pong", "999p", false, true), group("pong", "222p", false, true), group("pong", "444z", false, true)],
        considered: [{ reading: [group("eyes", "77z"), group("pong", "222z", true)], points: 40, total: 160 }],
        awards: [
          line("mah_jongg", "Mah-Jongg", "和牌", 20, 0, "Harr p. 29"),
          line("no_sequence", "No sequence in the hand or on the table", "無順子", 10, 0, "Harr p. 30"),
          line("drew_winning_piece", "Drawing the winning piece", "自摸", 2, 0, "Harr p. 30"),
          line("only_place", "Filling the only place to win", "獨聽", 2, 0, "Harr p. 30, classical A-1, A-4"),
          line("three_simple_exposed", "Three of a kind, 2 to 8, on the table", "明刻，二至八", 2, 0, "Harr p. 29"),
          line("three_head_exposed", "Three of a kind, a 1, 9, wind or dragon, on the table", "明刻，么九字牌", 8, 0, "Harr p. 29", { count: 2 }),
          line("three_head_concealed", "Three of a kind, a 1, 9, wind or dragon, in the hand", "暗刻，么九字牌", 8, 0, "Harr p. 29"),
          line("red_dragon", "Three or four red dragons", "紅中刻子或槓", 0, 1, "Harr p. 30"),
          line("own_wind", "Three or four of one's own wind", "門風刻子或槓", 0, 1, "Harr p. 30"),
          line("one_suit_honours", "All one suit except honour pieces", "混一色", 0, 1, "Harr p. 31, classical A-21"),
        ],
        replaced: [],
        points: 52,
        doubles: 3,
        total: 416,
        limited: false,
        payments: [1664, -832, -416, -416],
      },
    ],
    hands: HANDS,
    transfers: [
      { source: 1, target: 0, amount: 832, reason: "hand", doubled: true },
      { source: 2, target: 0, amount: 416, reason: "hand", doubled: false },
      { source: 3, target: 0, amount: 416, reason: "hand", doubled: false },
      { source: 2, target: 1, amount: 72, reason: "difference", doubled: true },
      { source: 3, target: 1, amount: 80, reason: "difference", doubled: true },
      { source: 3, target: 2, amount: 4, reason: "difference", doubled: false },
    ],
    danger: null,
    instant: [],
    changes: [1664, -680, -484, -500],
    scores: [23680, -44712, 119900, -98868],
    next: { deal: 4, dealer: 2, round_wind: 0, streak: 0 },
  };
}

function over(sheet: Settled): TableState {
  const base = classical();
  return { ...base, newest: null, ask: null, table: { ...base.table, settled: sheet, scores: sheet.scores } };
}

/** All four hands are laid down and scored. */
export function laidDown(): TableState {
  return over(settled());
}

/** As much as a sheet can hold: a limit hand, many doubles, a penalty, long names. */
export function limited(): TableState {
  const sheet = settled();
  const [win] = sheet.wins;
  if (win !== undefined) sheet.wins = [{ ...win, doubles: 10, total: 63488, limited: true, awards: [...win.awards, line("four_winds", "Four sets of winds and any pair", "大四喜", 0, 0, "Harr p. 62-64", { limit: "whole" })] }];
  sheet.transfers = sheet.transfers.map((transfer) => ({ ...transfer, amount: 126976, reason: transfer.reason === "hand" ? "penalty" : transfer.reason }));
  sheet.danger = { seat: 3, shown: ["suit", "heads", "winds"], excuse: null };
  sheet.changes = [380928, -126976, -126976, -126976];
  sheet.scores = [380928, -126976, -126976, -126976];
  const shown = over(sheet);
  const seats = [person(0, "A rather long name, really", "person"), person(1, "W".repeat(24), "bot"), person(2, "陳大文先生與朋友們的枱", "person"), person(3, "Orchid of the valley", "bot")];
  return { ...shown, table: { ...shown.table, seats } };
}

/** The tiles were washed. */
export function washed(): TableState {
  return over({ ...settled(), wins: [], hands: [], transfers: [], instant: [{ seat: 0, reason: "washing", changes: [210, -70, -70, -70] }], changes: [0, 0, 0, 0] });
}
