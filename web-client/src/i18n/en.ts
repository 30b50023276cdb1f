import type { Names } from "../generated/protocol";
import { enHouse } from "./en-house";
import { enTable } from "./en-table";
import type { Said } from "./words";

/** The English texts, and by their type the list of texts that every language must have. */
export const en = {
  ...enHouse,
  ...enTable,
  lang: "en",
  /** Of a text that comes in every language, the one in this. */
  said: (name: Names) => name.en,
  language: "English",
  brand: "Mahjong Parlour",
  tagline: "Mahjong by the book, in your browser.",
  winds: ["East", "South", "West", "North"],
  windTile: (wind: string) => `${wind} wind`,
  dragons: ["white dragon", "green dragon", "red dragon"],
  suited: (rank: number, suit: "m" | "p" | "s") =>
    `${rank} of ${{ m: "characters", p: "circles", s: "bamboo" }[suit]}`,
  flowers: ["spring", "summer", "autumn", "winter", "plum", "orchid", "chrysanthemum", "bamboo"],
  faceDown: "face-down tile",
  faceDownTiles: (count: number) => `${count} face-down tiles`,

  // Lobby
  play: "Play",
  yourName: "Your name",
  save: "Save",
  options: "Options",
  length: "Length",
  oneRound: "One round",
  fourRounds: "Four rounds",
  clocks: "Clocks",
  opponent: (number: number) => `Opponent ${number}`,
  botLevels: { random: "Random", steady: "Steady" } as Record<string, string>,
  game: "Game",
  tilesInHand: (count: number) => `${count} tiles in a hand`,
  houseRules: "House rules",
  houseRulesChanged: (count: number) => (count === 0 ? "as in the book" : `${count} changed`),
  wholeNumber: (least: string, most: string) => `a whole number from ${least} to ${most}`,
  fieldWrong: (allowed: string) => `This may be ${allowed}.`,
  joinHeading: "Join a friend",
  joinHint: "Paste the link of a table, to take a bot's seat or to watch.",
  join: "Join",
  joinLink: "Link of the table",
  badLink: "This is not the link of a table.",
  otherServer: "This link is of another server. Open it in the browser's address bar.",
  backToTable: "Back to your table",
  settings: "Settings",
  settingIndices: "Numerals on tiles",
  settingConfirm: "Tap twice to discard",
  settingLanguage: "Language",
  licences: "Fonts and licences",

  // Table
  you: "You",
  bot: "bot",
  watchers: (count: number) => (count === 1 ? "1 watcher" : `${count} watchers`),
  watching: "You are watching. Take a bot's seat to play.",
  watchingFull: "You are watching.",
  takeSeat: "Take seat",
  takeBack: "Play again myself",
  share: "Copy link",
  shared: "Link copied",
  copy: "Copy",
  copied: "Copied",
  houseKey: "This house's key",
  houseKeyHint: "The records of matches are sealed with it. Note it once: a record that is sealed with another key is not this house's.",
  /** A guest who has chosen no name. */
  guestName: (number: string) => `Guest ${number}`,
  leave: "Leave",
  leaveSure: "Leave for good? A bot takes your seat.",
  stay: "Stay",
  away: "away",
  standIn: "bot plays",
  seatOf: (position: "self" | "right" | "across" | "left") =>
    ({ self: "your seat", right: "next player, on the right", across: "opposite", left: "on the left" })[position],
  dealer: "Dealer",
  dealerStreak: (count: number) => `Dealer ×${count}`,
  streak: (count: number) => `Streak ${count}`,
  score: "Score",
  wallLeft: (count: number) => (count === 1 ? "1 tile left" : `${count} tiles left`),
  left: "left",
  roundOf: (wind: string) => `${wind} round`,
  dealNumber: (deal: number) => `Deal ${deal}`,
  brokenAt: (dice: string, stack: number) => `Dice ${dice}: wall broken after stack ${stack}`,
  discardsOf: (name: string) => `Discards of ${name}`,
  drawnMark: "just drawn",
  claimedFrom: (tile: string, name: string) => `${tile} claimed from ${name}`,
  handOf: (name: string) => `Hand of ${name}`,
  yourHand: "Your hand",
  discard: (tile: string) => `Discard ${tile}`,
  tapAgain: "Tap again to discard.",
  yourTurn: "Your turn: discard a tile",
  yourClaim: (tile: string) => `Claim ${tile}?`,
  waitingFor: (name: string) => `${name} is thinking`,
  yourWash: "Wash the tiles, or keep them and play?",
  waitingClaims: "Waiting for claims",
  waitingWash: "The tiles may be washed",
  answered: "Answered. Waiting for the others.",
  keep: "Keep",
  cancel: "Cancel",
  secondsLeft: (seconds: number) => `${seconds} s left`,

  // Why one cannot win
  whyAgain: "Ask again",
  whyOld: "This was true a moment ago.",
  missing: (count: number) => (count === 1 ? "One tile is missing." : `${count} tiles are missing.`),
  nearest: (form: string) => `The nearest shape: ${form}`,
  close: "Close",

  // Rule book
  ruleBook: "Rule book",
  toTable: "Back to the table",
  contents: "Contents",
  search: "Search the rules",
  found: (count: number) => (count === 1 ? "1 rule" : `${count} rules`),
  bookLoading: "Opening the rule book",
  bookFailed: "The rule book could not be fetched.",
  bookUnknown: "This server has no such rule book.",
  booksHere: "It has those of these games:",
  source: (source: string, version: string) => `After: ${source}. Version ${version}`,
  basedOn: (name: string) => `A house table's changes to ${name}`,
  procedure: "How a deal is played",
  switches: "House rules",
  instants: "Paid at once",
  example: "Example",
  nearMiss: "Near miss",
  seatInRound: (seat: string, round: string) => `${seat} in the ${round} round`,
  pointsValue: (count: number) => (count === 1 ? "1 point" : `${count} points`),
  doublesValue: (count: number) => (count === 1 ? "1 double" : `${count} doubles`),
  limits: { half: "half the limit", whole: "the limit" } as Record<string, string>,
  each: (worth: string) => `${worth} each`,
  step: (more: string) => `${more} more for each further one`,
  replaces: (names: string) => `Takes the place of: ${names}`,
  when: (option: string, value: string) => `“${option}”: ${value}`,
  pointsFrom: (option: string) => `As many points as “${option}” says`,
  on: "on",
  off: "off",
  standard: (value: string) => `Usually: ${value}`,
  thisTable: (value: string) => `At this table: ${value}`,
  /** Between two sentences. */
  gap: " ",
  listComma: ", ",
  or: " or ",
  asked: "You are asked",

  // Settlement
  settlement: "Settlement",
  washed: (name: string) => `${name} washes the tiles`,
  exhausted: "The wall is exhausted",
  award: "Award",
  points: "Points",
  clause: "Rule",
  cites: {
    lrcRow: (id: string) => `LRC table ${id}`,
    lrcRule: (id: string) => `LRC rules ${id}`,
    classical: (id: string) => `Classical rules ${id}`,
    harrPages: (pages: string) => `Harr p. ${pages}`,
    harrMore: (pages: string) => pages,
    harrErrata: "Harr errata",
  },
  replaced: (name: string, points: number, by: string) => `${name} (${points}) is replaced by ${by}`,
  replacedHeading: (count: number) => `Replaced awards (${count})`,
  otherReadings: (count: number) => (count === 1 ? "Another reading" : `${count} other readings`),
  lessBy: (total: string, less: string) => `${total} in all, ${less} less`,
  asMuch: (total: string) => `${total} in all, just as much`,
  inTheBook: "In the rule book",
  total: "Total",
  limited: "the limit",
  payments: "Payments",
  transfers: "Who pays whom",
  pays: "pays",
  amount: "Amount",
  eastDoubles: "East, doubled",
  player: "Player",
  instant: "Instant",
  hand: "Hand",
  newScore: "Score",
  nextDeal: (deal: number, wind: string, dealer: string) => `Next: deal ${deal}, ${wind} round, ${dealer} deals`,
  ready: "Next deal",
  readyWait: "Waiting for the others",
  lookAtTable: "Look at the table",
  backToSettlement: "Show the settlement",
  finalStanding: "Final standing",
  newTable: "New table",

  // Line
  connecting: "Connecting",
  reconnecting: "The line is down. Your seat is kept; reconnecting",
  retryNow: "Try now",
  rejoined: "You are back in your seat.",
  replacedTab: "You opened this table in another tab. Play goes on there.",
  useHere: "Play here",
  closed: "This table is closed.",
  toLobby: "To the first page",
  errors: {
    no_such_table: "There is no such table any more.",
    seat_taken: "Somebody else took this seat.",
    next_deal: "You have seen another hand of this deal. Take this seat in the next deal.",
    table_full: "All seats are taken by people.",
    stale: "The table had moved on.",
    too_late: "Too late, the time for this answer is over.",
    illegal_move: "This move is not possible now.",
    not_your_turn: "It is not your turn.",
    bad_name: "This name cannot be used.",
    bad_settings: "The server has no such settings. Reload the page.",
    too_many: "That was too often in a short time. Wait a little, then try again.",
    unsupported_protocol: "The page is older than the server. Reload it.",
  } as Record<string, string>,
  switchWrong: (option: string, allowed: string) => `“${option}” may be ${allowed}.`,
  errorOther: "That did not work.",
};

/** The first word with a capital, as it stands alone. */
function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The texts that name the things of a game, in that game's words. */
export const enGame = ({ chow, pong, gong, win, wins, flower }: Said) => ({
  flowerTile: (kind: string, number: number, red: boolean) => `${red ? "red" : "blue"} ${flower} ${number}, ${kind}`,

  // Table
  called: "Called",
  meld: {
    chow: capital(chow),
    pong: capital(pong),
    exposed_gong: capital(gong),
    promoted_gong: `Added ${gong}`,
    concealed_gong: `Concealed ${gong}`,
  },
  flowersOf: (name: string) => `${capital(flower)}s of ${name}`,
  yourRob: (tile: string) => `Rob the ${gong} of ${tile}?`,
  moves: {
    win: capital(win),
    pass: "Pass",
    pong: capital(pong),
    gong: capital(gong),
    concealed_gong: `Concealed ${gong}`,
    promoted_gong: `Add to ${pong}`,
    chow: capital(chow),
    call: "Call ready",
    discard: "Discard",
    wash: "Wash the tiles",
  } as Record<string, string>,
  callHint: "Choose the tile to discard and call",

  // What happened
  paid: {
    mixed_set: `Mixed ${flower} set`,
    full_set: `Full ${flower} set`,
    concealed_gong: `Concealed ${gong}`,
    washing: "Washed tiles",
  },

  // Why one cannot win
  why: "Why can't I win?",
  whyReasons: {
    can_win: "You can win now: take it.",
    incomplete: "Your hand is not complete yet.",
    no_tile: "Your hand is ready, but no tile is on offer now.",
    other_tile: "Your hand is ready, but not for this tile.",
    missed_win: "You let a win pass: you may not win on that tile before your next draw.",
    not_seated: "Only a player at the table can win.",
    over: "The deal is over.",
  } as Record<string, string>,
  forms: {
    nico_nico: `Nico-nico (seven pairs and a ${pong})`,
    thirteen_orphans: "Thirteen orphans",
    sixteen_orphans: "Sixteen orphans",
    single_heads: "Single heads",
  } as Record<string, string>,
  completing: "These complete it",
  helping: "These bring it nearer",
  barred: "Barred by a win you passed",

  // Rule book
  noWin: "a hand that did not win",
  wonWith: {
    discard: (from: string) => `won on ${from}'s discard`,
    self_draw: () => "won by self-draw",
    robbed_gong: (from: string) => `won by robbing ${from}'s ${gong}`,
    dealt: () => "won with the dealt hand",
    flowers: () => `won by ${flower}s`,
  } as Record<string, (from: string) => string>,
  facts: {
    tiles_on_table: (count: string) => `${count} ${count === "1" ? "tile" : "tiles"} on the table`,
    called: () => "called ready",
    streak: (count: string) => (count === "1" ? "one win of the dealer before" : `${count} wins of the dealer in a row before`),
    replacement: () => "with a replacement tile",
    last_tile: () => "with the last tile",
    gong_on_gong: () => `after two ${gong}s in a row`,
    first_discard: () => "on East's first discard",
    fourth: () => "with the fourth tile of one's own exposed three",
  } as Record<string, (count: string) => string>,
  everyone: "Counted in hands that did not win",

  // Settlement
  winner: (name: string) => `${name} ${wins}`,
  winBy: {
    discard: (from: string) => `on a discard of ${from}`,
    self_draw: () => "by self-draw",
    robbed_gong: (from: string) => `robbing a ${gong} of ${from}`,
    dealt: () => "with the dealt hand",
    flowers: () => `by ${flower}s`,
  },
  washedHint: "Nobody wins; the tiles are dealt again.",
  exhaustedHint: "Nobody wins this deal.",
  reasons: { hand: "the winning hand", difference: "the difference of hands", penalty: "a dangerous discard" } as Record<string, string>,
  danger: (discarder: string, winner: string, shown: string) => `${discarder}'s discard was dangerous: ${winner} had shown ${shown}.`,
  warnings: {
    suit: "nine tiles of one suit or more and won with that suit alone",
    heads: "nine heads or more and won with heads alone",
    dragons: "two sets of dragons and got the third",
    winds: "three sets of winds and got the fourth",
  } as Record<string, string>,
  penalised: (discarder: string) => `${discarder} pays for all three, and no other score counts.`,
  excuses: {
    no_other_tile: (discarder: string) => `${discarder} had no other tile to discard and is excused.`,
    two_doubles: (discarder: string) => `${discarder} was waiting with two doubles or more and is excused.`,
    more_doubles: (discarder: string) => `${discarder} was waiting for a tile that would have given more than two doubles and is excused.`,
  } as Record<string, (discarder: string) => string>,
});

type Text<T> = T extends string
  ? string
  : T extends (...values: infer A) => string
    ? (...values: A) => string
    : { [K in keyof T]: Text<T[K]> };

/** Those of the pages away from the tables. */
export type HouseTexts = Text<typeof enHouse>;
export type TableTexts = Text<typeof enTable>;
/** Every text of the client in one language that is the same for all games. */
export type Catalogue = Text<typeof en>;
/** Those that name the things of a game. */
export type GameTexts = Text<ReturnType<typeof enGame>>;
/** All of them together, at a table or in a rule book. */
export type GameCatalogue = Catalogue & GameTexts;
