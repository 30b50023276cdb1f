import type { DealView, SeatState, SeatView, Table } from "../src/generated/protocol";
import { SHEUNG } from "../src/demo/words";

export function seatView(part: Partial<SeatView> = {}): SeatView {
  return { size: 16, tiles: null, drawn: null, melds: [], flowers: [], discards: [], called: false, ...part };
}

export function dealView(part: Partial<DealView> = {}): DealView {
  return {
    deal: 1,
    dealer: 0,
    round_wind: 0,
    streak: 0,
    dice: [1, 2, 3],
    left: 63,
    seats: [seatView(), seatView(), seatView(), seatView()],
    phase: { kind: "discarding", seat: 0, tile: null },
    ...part,
  };
}

export function person(seat: number, player: "person" | "bot" = "bot"): SeatState {
  return { seat, name: `S${seat}`, player, level: player === "bot" ? "steady" : null, present: true, stand_in: false, ready: false };
}

export function table(part: Partial<Table> = {}): Table {
  return {
    type: "table",
    table: "abcdefgh",
    version: 10,
    you: 0,
    settings: {
      ruleset: "lrc",
      ruleset_version: "1",
      ruleset_name: { en: "LRC", zh: "LRC" },
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
      bank_ms: 30000,
      public: false,
      watching: "live",
      reveal: "match",
      house: false,
    },
    seats: [person(0, "person"), person(1), person(2), person(3)],
    watchers: 0,
    scores: [0, 0, 0, 0],
    deal: dealView(),
    settled: null,
    standing: null,
    shuffle: null,
    standstill: { stopped: null, pausing: [], ending: [], may_end: false },
    talk: [],
    owner: true,
    bank_ms: null,
    ...part,
  };
}
