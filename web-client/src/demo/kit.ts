import type { DealView, DiscardValue, MeldValue, SeatState, SeatView, Shuffle, Table } from "../generated/protocol";
import type { TableState } from "../state/table";
import { tilesOf } from "../tiles/kinds";
import { SHEUNG } from "./words";

export const many = (text: string): string[] => text.split(" ").flatMap(tilesOf);
export const pile = (text: string): DiscardValue[] =>
  many(text).map((tile, order) => ({ tile, drawn: order % 3 === 1, claimed: false }));

export function meld(form: MeldValue["form"], tiles: string, claimed: string | null, source: number | null): MeldValue {
  return { form, tiles: tilesOf(tiles), claimed, source };
}

export function view(part: Partial<SeatView>): SeatView {
  return { size: 16, tiles: null, drawn: null, melds: [], flowers: [], discards: [], called: false, ...part };
}

export function person(seat: number, name: string, player: "person" | "bot"): SeatState {
  return { seat, name, player, level: player === "bot" ? "steady" : null, present: true, stand_in: false, ready: player === "bot" };
}

export const deal = (part: Partial<DealView>): DealView => ({
  deal: 3,
  dealer: 1,
  round_wind: 0,
  streak: 2,
  dice: [3, 1, 5],
  left: 37,
  seats: [view({}), view({}), view({}), view({})],
  phase: { kind: "discarding", seat: 0, tile: null },
  ...part,
});

export const shuffle = (part: Partial<Shuffle> = {}): Shuffle => ({
  deal: 3,
  context: "match:0123456789abcdef0123456789abcdef|deal:3|rules:5f1d0c9a77e2b3445f1d0c9a77e2b3445f1d0c9a77e2b3445f1d0c9a77e2b344",
  commit: "971164c6d1a35b0e971164c6d1a35b0e971164c6d1a35b0e971164c6d17dfbda",
  nonces: ["00112233445566778899aabbccddeeff", null, null, null],
  seed: null,
  ...part,
});

export function table(part: Partial<Table>): Table {
  return {
    type: "table",
    table: "demo",
    version: 120,
    you: 0,
    settings: {
      ruleset: "lrc",
      ruleset_version: "2024.12",
      ruleset_name: { en: "LRC Taiwanese", zh: "LRC 台灣牌" },
      words: SHEUNG,
      wall: 144,
      reserve: 16,
      counts_streak: true,
      options: {},
      rounds: 1,
      clocks: "casual",
      discard_ms: 20000,
      claim_ms: 8000,
      floor_ms: 600,
      pad_windows: false,
      bank_ms: 300_000,
      public: true,
      watching: "live",
      reveal: "deal",
      house: false,
    },
    seats: [person(0, "Wing", "person"), person(1, "Bamboo", "bot"), person(2, "陳大文", "person"), person(3, "Orchid", "bot")],
    watchers: 1,
    scores: [34, -12, 105, -127],
    deal: deal({}),
    settled: null,
    standing: null,
    shuffle: null,
    standstill: { stopped: null, pausing: [], ending: [], may_end: false },
    talk: [],
    owner: false,
    bank_ms: 185_000,
    ...part,
  };
}

export function state(part: Partial<TableState> & { table: Table }): TableState {
  return { newest: null, ask: null, answered: false, whyNot: null, past: null, given: null, ...part };
}

export const ask = (kind: "turn" | "claim" | "rob" | "wash", moves: string[], left = 14000, total = 20000) => ({
  type: "ask" as const,
  version: 120,
  kind,
  moves,
  left_ms: left,
  total_ms: total,
  bank_ms: null,
  deadline: performance.now() + left,
});

export const discardsOf = (tiles: string[]): string[] => [...new Set(tiles)].map((tile) => `discard ${tile}`);
