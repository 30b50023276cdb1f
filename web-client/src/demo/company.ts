// Company at a table: watching, looking back, talking, standing still, waiting to begin, the shuffle, the bank.
import type { ChatLine, TableEvent } from "../generated/protocol";
import type { Past } from "../state/past";
import type { TableState } from "../state/table";
import { ask, deal, discardsOf, many, meld, person, shuffle, state, table, view } from "./kit";

/** A made-up state, and the buttons to press in it. */
export interface Scene {
  shown: TableState;
  press?: readonly string[];
  notice?: string;
}

const VERSION = 120;
const HANDS = ["234m 567p 11335s 66z 12m 9p", "19m 2468p 3579s 12357z 1p 6s", "345p 123789m 44z 258s 9m 7z", "111222333p 4z 56789s 9s"].map(many);

/** A deal as seat `you` saw it, or whole. */
function played(you: number | null, whole: boolean): TableEvent[] {
  const open = (seat: number): boolean => whole || seat === you;
  const events: TableEvent[] = [
    { e: "deal_started", deal: 3, dealer: 1, round_wind: 0, streak: 2, dice: [3, 1, 5], sizes: [16, 17, 16, 16], hands: HANDS.map((hand, seat) => (open(seat) ? [...hand, ...(seat === 1 ? ["8p"] : [])] : null)), left: 63, scores: [34, -12, 105, -127] },
  ];
  let left = 63;
  const draw = (seat: number, tile: string): void => {
    left -= 1;
    events.push({ e: "draw", seat, tile: open(seat) ? tile : null, source: "wall", left });
  };
  const discard = (seat: number, tile: string, drawn = false): void => void events.push({ e: "discard", seat, tile, drawn });
  discard(1, "1z");
  draw(2, "5p");
  discard(2, "7z");
  draw(3, "9m");
  discard(3, "9m", true);
  draw(0, "8s");
  discard(0, "9p");
  draw(1, "6z");
  discard(1, "6z", true);
  events.push({ e: "meld", seat: 0, meld: meld("pong", "666z", "6z", 1) });
  discard(0, "1m");
  draw(1, "2z");
  discard(1, "2z");
  draw(2, "3s");
  discard(2, "3s", true);
  draw(3, "4z");
  discard(3, "9s");
  draw(0, "2m");
  return events;
}

function past(you: number | null, whole = false): Past {
  const events = played(you, whole);
  return { deal: 3, first: VERSION - events.length + 1, whole, events };
}

/** The live table at the end of that, and the deal so far. */
function lookingBack(you: number | null, asked: boolean): TableState {
  const moves = discardsOf(many("234m 567p 11335s 2m 2m 8s"));
  return state({
    newest: 3,
    past: past(you),
    ask: asked ? ask("turn", moves) : null,
    table: table({
      version: VERSION,
      you,
      deal: deal({
        left: 54,
        seats: [
          view({ size: 14, tiles: you === 0 ? many("22234m 567p 11335s 8s") : null, drawn: you === 0 ? "2m" : null, melds: [meld("pong", "666z", "6z", 1)], discards: many("9p 1m").map((tile) => ({ tile, drawn: false, claimed: false })) }),
          view({ discards: [["1z", false], ["6z", true], ["2z", false]].map(([tile, claimed]) => ({ tile: String(tile), drawn: false, claimed: claimed === true })) }),
          view({ discards: many("7z 3s").map((tile) => ({ tile, drawn: false, claimed: false })) }),
          view({ discards: many("9m 9s").map((tile) => ({ tile, drawn: false, claimed: false })) }),
        ],
      }),
    }),
  });
}

const line = (n: number, seat: number | null, name: string, text: string): ChatLine => ({ n, seat, name, text });
const TALK: ChatLine[] = [
  line(1, 0, "Wing", "Good evening, everybody."),
  line(2, 2, "陳大文", "你好！今晚手氣如何？"),
  line(3, 2, "陳大文", "等我一下，我去斟杯茶。"),
  line(4, 0, "Wing", "https://example.org/a-very-long-address/without-any-place-to-break/0123456789012345678901234567890123456789"),
  line(5, 2, "\u202eمحمد abc", "مرحبا (123) \u202e hello"),
  line(6, 0, "Wing", "Take your time."),
];
const AMONG: ChatLine[] = [...TALK, line(1, null, "Looker-on", "Did you see that discard?"), line(2, null, "旁觀者陳先生", "這張牌打得好。")];

const GIVEN = { commit: shuffle().commit, nonce: "00112233445566778899aabbccddeeff", sent: true };

const watched = (watching: "live" | "late", part: Partial<TableState["table"]> = {}): TableState =>
  state({ table: table({ you: null, deal: null, settings: { ...table({}).settings, watching }, shuffle: shuffle({ deal: 4, nonces: null }), bank_ms: null, ...part }) });

function standing(part: Partial<TableState["table"]["standstill"]>, change: Partial<TableState["table"]> = {}): TableState {
  const base = lookingBack(0, part.stopped == null);
  const seats = [person(0, "Wing", "person"), person(1, "Bamboo", "bot"), person(2, "陳大文", "person"), person(3, "A rather long name, really", "person")];
  return { ...base, table: { ...base.table, seats, standstill: { ...base.table.standstill, ...part }, ...change } };
}

function restarted(): TableState {
  const found = standing({ stopped: "restart" });
  return { ...found, table: { ...found.table, seats: found.table.seats.map((seat) => ({ ...seat, present: seat.seat < 2 })) } };
}

function waiting(part: Partial<TableState["table"]>): TableState {
  const seats = [person(0, "Wing", "person"), person(1, "Bamboo", "bot"), person(2, "陳大文先生與朋友們的枱", "person"), person(3, "W".repeat(24), "bot")];
  return state({ table: table({ version: 0, deal: null, scores: [0, 0, 0, 0], seats, owner: true, ...part }) });
}

function banking(left: number, bank: number): TableState {
  const base = lookingBack(0, true);
  return base.ask === null ? base : { ...base, ask: { ...base.ask, left_ms: left, deadline: performance.now() + left, bank_ms: bank } };
}

/** As much as one can be asked, while one talks. */
function claiming(): TableState {
  const base = lookingBack(0, false);
  const { deal: now } = base.table;
  if (now?.seats[0] === undefined) return base;
  now.seats[0] = view({ size: 16, tiles: many("23455667789m 334p 66z"), discards: now.seats[0].discards });
  now.phase = { kind: "claiming", seat: 3, tile: "6m" };
  now.seats[3]?.discards.push({ tile: "6m", drawn: true, claimed: false });
  return { ...base, ask: ask("claim", ["win", "gong 6m", "pong 6m", "chow 456m", "chow 567m", "chow 678m", "pass"], 5200, 8000), table: { ...base.table, talk: TALK } };
}

const LOOK = ["[data-look-back]"];
const CHAT = ["[data-talk]"];
const talked = (base: TableState, talk = TALK): TableState => ({ ...base, table: { ...base.table, talk } });

export const scenes: Record<string, () => Scene> = {
  back: () => ({ shown: lookingBack(0, false), press: LOOK }),
  backTurn: () => ({ shown: lookingBack(0, true), press: [...LOOK, "[data-step=back]", "[data-step=back]"] }),
  backWatch: () => ({ shown: lookingBack(null, false), press: [...LOOK, "[data-follow='2']"] }),
  lateWhole: () => ({ shown: { ...watched("late"), past: past(null, true) }, press: ["[data-play-on]", ...Array<string>(9).fill("[data-step=on]")] }),
  lateWait: () => ({ shown: watched("late", { shuffle: shuffle({ deal: 1, nonces: null }) }) }),
  chat: () => ({ shown: talked(lookingBack(0, true)), press: CHAT }),
  chatClaim: () => ({ shown: claiming(), press: CHAT }),
  chatWatch: () => ({ shown: talked(lookingBack(null, false), AMONG), press: CHAT }),
  chatWatchPlayers: () => ({ shown: talked(lookingBack(null, false), AMONG), press: [...CHAT, "[data-room=players]"] }),
  pauseWish: () => ({ shown: standing({ pausing: [2, 3] }) }),
  pauseOwn: () => ({ shown: standing({ pausing: [0] }) }),
  endVote: () => ({ shown: standing({ ending: [2], may_end: true }) }),
  paused: () => ({ shown: standing({ stopped: "agreed", pausing: [0, 2, 3] }) }),
  stopStorage: () => ({ shown: standing({ stopped: "storage" }) }),
  stopRestart: () => ({ shown: restarted() }),
  stopFrozen: () => ({ shown: standing({ stopped: "frozen" }) }),
  waitingOwner: () => ({ shown: waiting({}) }),
  waitingPlayer: () => ({ shown: waiting({ you: 2, owner: false }) }),
  waitingWatcher: () => ({ shown: waiting({ you: null, owner: false }), notice: "Somebody else took this seat." }),
  waitingNever: () => {
    const shown = waiting({ you: null, owner: false });
    return { shown: { ...shown, table: { ...shown.table, settings: { ...shown.table.settings, watching: "never" } } } };
  },
  shuffling: () => ({ shown: state({ table: table({ version: 2, deal: null, shuffle: shuffle({ deal: 1, nonces: null }) }) }) }),
  bankBehind: () => ({ shown: banking(14000, 185_000) }),
  bankRuns: () => ({ shown: banking(-20_000, 185_000) }),
  bankShort: () => ({ shown: banking(-20_000, 24_000) }),
  fair: () => ({ shown: { ...lookingBack(0, false), given: GIVEN, table: { ...lookingBack(0, false).table, shuffle: shuffle() } }, press: ["[data-menu]", "[data-fair]"] }),
  fairSeed: () => ({ shown: { ...lookingBack(0, false), given: { ...GIVEN, nonce: "ff".repeat(16) }, table: { ...lookingBack(0, false).table, shuffle: shuffle({ seed: "3db1de16".repeat(8) }) } }, press: ["[data-menu]", "[data-fair]"] }),
  fairBots: () => ({ shown: watched("live", { seats: [0, 1, 2, 3].map((seat) => person(seat, `Bot ${seat}`, "bot")), shuffle: shuffle({ nonces: [null, null, null, null] }) }), press: ["[data-menu]", "[data-fair]"] }),
  fairNone: () => ({ shown: lookingBack(0, false), press: ["[data-menu]", "[data-fair]"] }),
  menu: () => ({ shown: lookingBack(0, true), press: ["[data-menu]"] }),
  leaving: () => ({ shown: lookingBack(0, true), press: ["[data-leave]"] }),
};
