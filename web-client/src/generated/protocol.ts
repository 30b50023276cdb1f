// Generated from parlour_server.protocol by `make types`; edit the Python classes instead.

export interface Names {
  en: string;
  zh: string;
}

export interface MeldValue {
  form: "chow" | "pong" | "exposed_gong" | "promoted_gong" | "concealed_gong";
  tiles: string[];
  claimed: string | null;
  source: number | null;
}

export interface DiscardValue {
  tile: string;
  drawn: boolean;
  claimed: boolean;
}

export interface SeatView {
  size: number;
  tiles: string[] | null;
  drawn: string | null;
  melds: MeldValue[];
  flowers: string[];
  discards: DiscardValue[];
  called: boolean;
}

export interface PhaseView {
  kind: "washing" | "discarding" | "claiming" | "robbing" | "over";
  seat: number | null;
  tile: string | null;
}

export interface DealView {
  deal: number;
  dealer: number;
  round_wind: number;
  streak: number;
  dice: number[];
  left: number;
  seats: SeatView[];
  phase: PhaseView;
}

export interface AwardLine {
  award: string;
  name: Names;
  points: number;
  count: number;
  clause: string;
  rule: Names;
  doubles: number;
  limit: "half" | "whole" | null;
}

export interface GroupValue {
  form: "chow" | "pong" | "gong" | "eyes" | "pair" | "single";
  tiles: string[];
  declared: boolean;
  winning: boolean;
}

export interface ReplacedLine {
  award: string;
  name: Names;
  by: string;
  points: number;
}

export interface ConsideredValue {
  reading: GroupValue[];
  points: number;
  total: number;
}

export interface WinValue {
  seat: number;
  by: "discard" | "self_draw" | "robbed_gong" | "dealt" | "flowers";
  tile: string | null;
  source: number | null;
  hand: string[];
  melds: MeldValue[];
  flowers: string[];
  reading: GroupValue[];
  considered: ConsideredValue[];
  awards: AwardLine[];
  replaced: ReplacedLine[];
  points: number;
  total: number;
  payments: number[];
  doubles: number;
  limited: boolean;
}

export interface HandValue {
  seat: number;
  hand: string[];
  melds: MeldValue[];
  flowers: string[];
  reading: GroupValue[];
  awards: AwardLine[];
  points: number;
  doubles: number;
  total: number;
  limited: boolean;
}

export interface TransferValue {
  source: number;
  target: number;
  amount: number;
  reason: "hand" | "difference" | "penalty";
  doubled: boolean;
}

export interface DangerValue {
  seat: number;
  shown: ("suit" | "heads" | "dragons" | "winds")[];
  excuse: "no_other_tile" | "two_doubles" | "more_doubles" | null;
}

export interface InstantValue {
  seat: number;
  reason: "mixed_set" | "full_set" | "concealed_gong" | "washing";
  changes: number[];
}

export interface NextDeal {
  deal: number;
  dealer: number;
  round_wind: number;
  streak: number;
}

export interface Standing {
  seat: number;
  rank: number;
  score: number;
}

export interface SeatState {
  seat: number;
  name: string;
  player: "person" | "bot";
  level: string | null;
  present: boolean;
  stand_in: boolean;
  ready: boolean;
}

export interface GameWords {
  chow: Names;
  pong: Names;
  gong: Names;
  win: Names;
  wins: Names;
  flower: Names;
}

export interface TableSettings {
  ruleset: string;
  ruleset_version: string;
  ruleset_name: Names;
  words: GameWords;
  wall: number;
  reserve: number;
  counts_streak: boolean;
  options: Record<string, boolean | number | string>;
  rounds: 1 | 4;
  clocks: "off" | "casual" | "brisk";
  discard_ms: number | null;
  claim_ms: number | null;
  floor_ms: number;
  pad_windows: boolean;
  bank_ms: number | null;
  public: boolean;
  watching: "live" | "late" | "never";
  reveal: "deal" | "match";
  house: boolean;
}

export interface Shuffle {
  deal: number;
  context: string;
  commit: string;
  nonces: (string | null)[] | null;
  seed: string | null;
}

export interface Standstill {
  stopped: "agreed" | "storage" | "restart" | "frozen" | null;
  pausing: number[];
  ending: number[];
  may_end: boolean;
}

export interface ChatLine {
  n: number;
  seat: number | null;
  name: string;
  text: string;
}

export interface OptionLine {
  id: string;
  name: Names;
  rule: Names | null;
  type: "boolean" | "integer" | "text";
  default: boolean | number | string;
  values: (boolean | number | string)[];
  value_names: Record<string, Names>;
  least: number | null;
  most: number | null;
}

export interface TableSeat {
  name: string;
  player: "person" | "bot";
  level: string | null;
  present: boolean;
}

export interface TableLine {
  table: string;
  ruleset: string;
  options: Record<string, boolean | number | string>;
  rounds: 1 | 4;
  clocks: "off" | "casual" | "brisk";
  floor_ms: number;
  pad_windows: boolean;
  watching: "live" | "late" | "never";
  seats: TableSeat[];
  watchers: number;
  deal: number;
  over: boolean;
  demonstration: boolean;
  open: boolean;
}

export interface MatchSeat {
  name: string;
  level: string | null;
  score: number;
  rank: number;
  you: boolean;
}

export interface MatchLine {
  match: string;
  ruleset: string;
  ruleset_name: Names;
  options: Record<string, boolean | number | string>;
  rounds: number;
  began: string;
  deals: number;
  finished: boolean;
  public: boolean;
  seats: MatchSeat[];
}

export interface LevelWins {
  by: "discard" | "self_draw" | "robbed_gong" | "dealt" | "flowers";
  wins: number;
}

export interface MatchStarted {
  rounds: number;
  e: "match_started";
}

export interface ShuffleCommitted {
  deal: number;
  context: string;
  commit: string;
  e: "shuffle_committed";
}

export interface ShuffleFixed {
  deal: number;
  nonces: (string | null)[];
  e: "shuffle_fixed";
}

export interface ShuffleRevealed {
  deal: number;
  seed: string;
  e: "shuffle_revealed";
}

export interface DealStarted {
  deal: number;
  dealer: number;
  round_wind: number;
  streak: number;
  dice: number[];
  sizes: number[];
  hands: (string[] | null)[];
  left: number;
  scores: number[];
  e: "deal_started";
}

export interface WashingOpened {
  seat: number;
  e: "washing_opened";
}

export interface WashingClosed {
  seat: number;
  e: "washing_closed";
}

export interface Washed {
  seat: number;
  heads: number;
  e: "washed";
}

export interface HandShown {
  seat: number;
  tiles: string[];
  e: "hand_shown";
}

export interface FlowersExposed {
  seat: number;
  tiles: string[];
  e: "flowers";
}

export interface Drew {
  seat: number;
  tile: string | null;
  source: "wall" | "flower" | "gong";
  left: number;
  e: "draw";
}

export interface Called {
  seat: number;
  e: "called";
}

export interface Discarded {
  seat: number;
  tile: string;
  drawn: boolean;
  e: "discard";
}

export interface Melded {
  seat: number;
  meld: MeldValue;
  e: "meld";
}

export interface Promoted {
  seat: number;
  tile: string;
  e: "promoted";
}

export interface Paid {
  seat: number;
  reason: "mixed_set" | "full_set" | "concealed_gong" | "washing";
  changes: number[];
  scores: number[];
  e: "paid";
}

export interface Won {
  seat: number;
  by: "discard" | "self_draw" | "robbed_gong" | "dealt" | "flowers";
  tile: string | null;
  source: number | null;
  hand: string[];
  e: "won";
}

export interface Exhausted {
  e: "exhausted";
}

export interface Settled {
  deal: number;
  wins: WinValue[];
  hands: HandValue[];
  transfers: TransferValue[];
  danger: DangerValue | null;
  instant: InstantValue[];
  changes: number[];
  scores: number[];
  next: NextDeal | null;
  e: "settled";
}

export interface MatchEnded {
  standing: Standing[];
  e: "match_ended";
}

export type TableEvent = MatchStarted | ShuffleCommitted | ShuffleFixed | ShuffleRevealed | DealStarted | WashingOpened | WashingClosed | Washed | HandShown | FlowersExposed | Drew | Called | Discarded | Melded | Promoted | Paid | Won | Exhausted | Settled | MatchEnded;

export interface Hello {
  protocol: number;
  token?: string | null;
  name?: string | null;
  type: "hello";
}

export interface Join {
  table: string;
  seen?: number | null;
  type: "join";
}

export interface TakeSeat {
  seat: number;
  type: "take_seat";
}

export interface Play {
  version: number;
  move: string;
  id?: number;
  type: "play";
}

export interface Ready {
  deal: number;
  type: "ready";
}

export interface Why {
  id?: number;
  type: "why";
}

export interface Leave {
  type: "leave";
}

export interface Start {
  type: "start";
}

export interface Entropy {
  deal: number;
  nonce: string;
  type: "entropy";
}

export interface Pause {
  wanted: boolean;
  type: "pause";
}

export interface EndMatch {
  wanted: boolean;
  type: "end_match";
}

export interface Say {
  text: string;
  type: "say";
}

export interface AskHistory {
  deal?: number | null;
  type: "ask_history";
}

export interface Register {
  account: string;
  password: string;
  type: "register";
}

export interface LogIn {
  account: string;
  password: string;
  type: "log_in";
}

export interface LogOut {
  everywhere?: boolean;
  type: "log_out";
}

export interface CreateTable {
  ruleset?: string;
  options?: Record<string, boolean | number | string>;
  rounds?: 1 | 4 | null;
  clocks?: "off" | "casual" | "brisk";
  bots?: string[];
  pad_windows?: boolean;
  public?: boolean;
  start?: "now" | "together";
  watching?: "live" | "late" | "never";
  reveal?: "deal" | "match";
  floor_ms?: number | null;
  type: "create_table";
}

export interface ListTables {
  type: "list_tables";
}

export interface QuickMatch {
  ruleset?: string | null;
  type: "quick_match";
}

export interface ListMatches {
  mine?: boolean;
  before?: string | null;
  type: "list_matches";
}

export interface AskStatistics {
  type: "ask_statistics";
}

export interface Rename {
  name: string;
  type: "rename";
}

export interface Ping {
  n?: number;
  type: "ping";
}

export type FromClient = Hello | Join | TakeSeat | Play | Ready | Why | Leave | Start | Entropy | Pause | EndMatch | Say | AskHistory | Register | LogIn | LogOut | CreateTable | ListTables | QuickMatch | ListMatches | AskStatistics | Rename | Ping;

export interface RulesetLine {
  key: string;
  version: string;
  name: Names;
  hand_size: number;
  rounds: 1 | 4;
  options: OptionLine[];
}

export interface Welcome {
  protocol: number;
  server: string;
  token: string | null;
  name: string;
  rulesets: RulesetLine[];
  bots: string[];
  account: string | null;
  demonstration: string | null;
  floor_ms: number;
  house_key: string | null;
  type: "welcome";
}

export interface SignedIn {
  token: string | null;
  account: string;
  name: string;
  type: "signed_in";
}

export interface SignedOut {
  type: "signed_out";
}

export interface Tables {
  tables: TableLine[];
  count: number;
  type: "tables";
}

export interface Matches {
  mine: boolean;
  matches: MatchLine[];
  more: boolean;
  type: "matches";
}

export interface Statistics {
  matches: number;
  deals: number;
  wins: number;
  by: LevelWins[];
  dealt_in: number;
  points: number;
  first: number;
  type: "statistics";
}

export interface Notice {
  notice: "restart" | "storage" | "storage_back";
  type: "notice";
}

export interface Table {
  table: string;
  version: number;
  you: number | null;
  settings: TableSettings;
  seats: SeatState[];
  watchers: number;
  scores: number[];
  deal: DealView | null;
  settled: Settled | null;
  standing: Standing[] | null;
  shuffle: Shuffle | null;
  standstill: Standstill;
  talk: ChatLine[];
  owner: boolean;
  bank_ms: number | null;
  type: "table";
}

export interface Events {
  table: string;
  version: number;
  events: TableEvent[];
  type: "events";
}

export interface DealSoFar {
  table: string;
  deal: number;
  first: number;
  whole: boolean;
  events: TableEvent[];
  type: "deal_so_far";
}

export interface Ask {
  version: number;
  kind: "turn" | "claim" | "rob" | "wash";
  moves: string[];
  left_ms: number | null;
  total_ms: number | null;
  bank_ms: number | null;
  type: "ask";
}

export interface Accepted {
  id: number;
  version: number;
  type: "accepted";
}

export interface WhyNot {
  id: number;
  version: number;
  reason: "can_win" | "incomplete" | "no_tile" | "other_tile" | "missed_win" | "not_seated" | "over";
  missing: number;
  form: string;
  completing: string[];
  helping: string[];
  barred: string[];
  type: "why_not";
}

export interface Seats {
  table: string;
  you: number | null;
  seats: SeatState[];
  watchers: number;
  type: "seats";
}

export interface Still {
  table: string;
  standstill: Standstill;
  type: "still";
}

export interface Said {
  table: string;
  line: ChatLine;
  type: "said";
}

export interface Left {
  table: string;
  reason: "left" | "replaced" | "closed" | "ended" | "removed";
  type: "left";
}

export interface Renamed {
  name: string;
  type: "renamed";
}

export interface Pong {
  n: number;
  type: "pong";
}

export interface Error {
  code: "bad_message" | "unsupported_protocol" | "say_hello" | "bad_token" | "no_such_table" | "table_full" | "not_at_table" | "not_seated" | "seat_taken" | "next_deal" | "stale" | "too_late" | "illegal_move" | "not_your_turn" | "bad_settings" | "bad_name" | "too_many" | "name_taken" | "bad_login" | "weak_password" | "stopped" | "not_yours" | "not_watched" | "muted" | "banned" | "closing" | "internal";
  message: string;
  id: number | null;
  option: OptionLine | null;
  type: "error";
}

export type ToClient = Welcome | SignedIn | SignedOut | Tables | Matches | Statistics | Notice | Table | Events | DealSoFar | Ask | Accepted | WhyNot | Seats | Still | Said | Left | Renamed | Pong | Error;

export type ErrorCode = "bad_message" | "unsupported_protocol" | "say_hello" | "bad_token" | "no_such_table" | "table_full" | "not_at_table" | "not_seated" | "seat_taken" | "next_deal" | "stale" | "too_late" | "illegal_move" | "not_your_turn" | "bad_settings" | "bad_name" | "too_many" | "name_taken" | "bad_login" | "weak_password" | "stopped" | "not_yours" | "not_watched" | "muted" | "banned" | "closing" | "internal";

export const PROTOCOL = 1;

/** Milliseconds for a discard, for a claim, and in the bank of each seat for a whole match. */
export const CLOCKS = {
  off: { discard_ms: null, claim_ms: null, bank_ms: null },
  casual: { discard_ms: 20000, claim_ms: 8000, bank_ms: 60000 },
  brisk: { discard_ms: 8000, claim_ms: 4000, bank_ms: 20000 },
} as const;

/** Characters of the longest line of talk. */
export const LONGEST_LINE = 300;

/** Characters of the shortest password. */
export const SHORTEST_PASSWORD = 10;
