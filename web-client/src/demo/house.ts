import type { MatchLine, TableLine, TableSeat } from "../generated/protocol";
import { type House, unknownHouse } from "../state/house";
import match from "./match.jsonl?raw";

/** A page away from the tables, with something made up in it. */
export interface HouseScene {
  page: "lobby" | "games" | "others" | "open" | "replay";
  house: House;
  /** The table one has a seat at. */
  last?: string;
  fresh?: boolean;
  press?: readonly string[];
  /** The moment a replay shows, and the text of its record. */
  replay?: { text: string; move: number | null; seat: number | "all" };
}

const LONG = "Maximiliane-Wilhelmina 陳";

const person = (name: string, present = true): TableSeat => ({ name, player: "person", level: null, present });
const bot = (name: string): TableSeat => ({ name, player: "bot", level: "steady", present: true });

function line(number: number, part: Partial<TableLine>): TableLine {
  const seats = [person("Wing"), bot("Mei 梅"), bot("Lan 蘭"), bot("Zhu 竹")];
  const rest = { options: {}, rounds: 4 as const, clocks: "casual" as const, floor_ms: 600, pad_windows: false, watching: "live" as const, watchers: 0 };
  return { table: `table-of-number-${number}`, ruleset: "lrc", ...rest, seats, deal: number, over: false, demonstration: false, open: true, ...part };
}

export const tables: readonly TableLine[] = [
  line(1, { seats: [person(LONG), person("Ada"), person("大文", false), bot("Zhu 竹")], watchers: 12, options: { a: false, b: 600, d: 20 }, floor_ms: 2000, pad_windows: true }),
  line(2, { ruleset: "classical", clocks: "off", deal: 0, watching: "never", rounds: 1 }),
  line(3, { seats: ["Kim", "Lee", "Ng", "Au"].map((name) => person(name)), open: false, watching: "late", clocks: "brisk" }),
  line(4, { demonstration: true, seats: [bot("Ju 菊"), bot("Mei 梅"), bot("Lan 蘭"), bot("Zhu 竹")], open: false, watchers: 1 }),
];

function played(number: number, part: Partial<MatchLine>): MatchLine {
  const seat = (name: string, score: number, rank: number, you = false) => ({ name, level: you ? null : "steady", score, rank, you });
  return {
    match: String(number).repeat(8),
    ruleset: "lrc",
    ruleset_name: { en: "LRC Taiwanese", zh: "LRC 台灣牌" },
    options: {},
    rounds: 4,
    began: `2026-01-${31 - number}T19:30:00Z`,
    deals: 18 + number,
    finished: true,
    public: true,
    seats: [seat("Wing", 312 - number, 1, true), seat("Mei 梅", -40, 3), seat(LONG, 12, 2), seat("Zhu 竹", number - 284, 4)],
    ...part,
  };
}

const matches: readonly MatchLine[] = [
  played(1, { options: { a: false, b: 600, d: 20 } }),
  played(2, { ruleset: "classical", ruleset_name: { en: "Classical, without a limit", zh: "古典麻雀（無限制）" }, finished: false }),
  played(3, {}),
];

const busy: House = {
  ...unknownHouse,
  account: "wing",
  tables: { lines: tables, count: 7 },
  mine: { matches, more: true },
  all: { matches, more: false },
  statistics: {
    type: "statistics",
    matches: 12,
    deals: 214,
    wins: 57,
    by: [
      { by: "discard", wins: 38 },
      { by: "self_draw", wins: 17 },
      { by: "robbed_gong", wins: 1 },
      { by: "flowers", wins: 1 },
    ],
    dealt_in: 23,
    points: -341,
    first: 4,
  },
};
const quiet: House = { ...unknownHouse, tables: { lines: [], count: 0 }, mine: { matches: [], more: false }, all: { matches: [], more: false }, statistics: { type: "statistics", matches: 0, deals: 0, wins: 0, by: [], dealt_in: 0, points: 0, first: 0 } };

const replay = (move: number, seat: number | "all"): HouseScene => ({ page: "replay", house: busy, replay: { text: match, move, seat } });

/** Where in the match of the replay things are: its first deal is won by drawing and settled by then. */
const SETTLED = match.split("\n").find((row) => row.includes('"e":"settled"')) ?? "";
const settledAt = Number(/"version":(\d+)/.exec(SETTLED)?.[1] ?? 1);

export const houseScenes: Record<string, HouseScene> = {
  lobby: { page: "lobby", house: busy, last: "abcdefgh" },
  lobbyNew: { page: "lobby", house: { ...quiet, tables: { lines: tables, count: 4 } }, fresh: true },
  lobbyQuiet: { page: "lobby", house: quiet },
  lobbyRefused: { page: "lobby", house: { ...quiet, refused: "bad_login" } },
  games: { page: "games", house: busy },
  gamesOfAll: { page: "others", house: busy },
  gamesNone: { page: "games", house: quiet },
  openRecord: { page: "open", house: quiet },
  replay: replay(settledAt - 6, "all"),
  replayOfSeat: replay(settledAt - 30, 2),
  replaySettled: replay(settledAt, 0),
  replayBroken: { page: "replay", house: busy, replay: { text: match.split("\n").slice(0, 60).join("\n") + '\n{"row":"event","ver', move: 40, seat: 1 } },
};
