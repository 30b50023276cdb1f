import type { CreateTable, Table } from "../generated/protocol";
import { isDefault } from "../names";
import { Connection, SUBPROTOCOL } from "../net/connection";
import { rules } from "../net/rules.svelte";
import { Requests } from "../net/requests";
import { addressOf, FRONT, type Where, whereOf } from "../net/where";
import { freeSeat } from "../lobby/order";
import { askMatches, type House, overhear, unknownHouse } from "./house";
import { hear, hello, type Knowledge, nothing, type Notice, onLine, rejoin, tableState } from "./session";
import { matchOf } from "./shuffle";
import type { Doing } from "./table";

const TOKEN = "parlour.token";
const TABLE = "parlour.table";
const NOTICE_FOR = 3600;
/** Milliseconds, or up to twice as long, so that those who were refused together do not come together. */
const REST = 3000;

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // known for this visit only
  }
}

function tableOf(where: Where): string | null {
  return where.page === "table" ? where.table : null;
}

/** The one session of this page: its line, what it knows, and what a person may do. Judges nothing. */
class Parlour {
  where = $state.raw<Where>(whereOf(location.pathname, location.search));
  known = $state.raw<Knowledge>({ ...nothing, wanted: tableOf(this.where) });
  house = $state.raw<House>(unknownHouse);
  notice = $state.raw<Notice | null>(null);
  /** The table one was at last, to go back to from the first page. */
  last = $state<string | null>(read(TABLE));
  shown = $derived(tableState(this.known));

  /** Somebody who has never been here. */
  readonly fresh = read(TOKEN) === null;
  /** Why nobody is let in; the line stays closed then. */
  barred = $state(false);

  private token = read(TOKEN);
  /** The table at which a free seat is to be taken. */
  private sitting: string | null = null;
  private plays = 0;
  /** This line has been welcomed. */
  private greeted = false;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly ended = new Set<string>();
  private hush: ReturnType<typeof setTimeout> | undefined;
  private readonly connection = new Connection(
    {
      open: () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, SUBPROTOCOL),
      later: (call, milliseconds) => {
        const timer = setTimeout(call, milliseconds);
        return () => clearTimeout(timer);
      },
      random: Math.random,
    },
    () => {
      this.greeted = false;
      clearTimeout(this.rest);
      this.requests.renew();
      this.connection.send(hello(this.token, this.known.name));
    },
    (message) => {
      // What comes back of an errand is told where it was asked, and nowhere else.
      const errand = this.house.errand !== null;
      this.house = overhear(this.house, message);
      this.requests.hear(message);
      if (message.type === "welcome") this.greeted = true;
      if (message.type === "error" && message.code === "too_many" && message.id === null) this.again();
      if ((message.type === "welcome" || message.type === "signed_in") && message.token !== null) {
        this.token = message.token;
        keep(TOKEN, message.token);
      }
      const { known, replies, notices } = hear(this.known, message, performance.now());
      this.known = known;
      this.ending(known);
      for (const reply of replies) this.connection.send(reply);
      if (!(errand && this.house.errand === null)) for (const notice of notices) this.tell(notice);
      if (message.type === "table") this.arrived(message);
      if (message.type === "signed_in") this.signedIn(message.token !== null, message.name);
      if (message.type === "signed_out") this.signedOut();
      if (message.type === "error" && message.code === "banned") {
        this.barred = true;
        this.connection.stop();
      }
      if (message.type === "left" && message.reason === "left") this.goHome();
      if (known.gone === "no_such_table" && this.last === known.wanted) this.forget();
    },
    (line) => (this.known = onLine(this.known, line)),
  );

  private readonly requests = new Requests((message) => this.connection.send(message));

  start(): void {
    this.connection.start();
    addEventListener("online", () => this.connection.retry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.connection.retry());
    // Opening and closing the rule book is a step of the history too, but not one to another table.
    addEventListener("popstate", () => {
      this.where = whereOf(location.pathname, location.search);
      const table = tableOf(this.where);
      if (table !== this.known.wanted) this.go(table);
    });
    // Who logs in or out in one tab does so in all of them.
    addEventListener("storage", (event) => {
      if (event.key !== TOKEN && event.key !== null) return;
      const token = read(TOKEN);
      // Without a token one becomes somebody new; the tab that logs out does that.
      if (token === this.token || token === null) return;
      this.token = token;
      this.afresh("");
    });
  }

  /** Whether one was there when a match ended, a moment ago perhaps. */
  sawEnd(match: string | null): boolean {
    return match !== null && this.ended.has(match);
  }

  /** To another page of the client; with `quietly` in the place of this one in the browser's history. */
  visit(where: Where, quietly = false): void {
    const address = addressOf(where);
    if (quietly) history.replaceState(null, "", address + location.hash);
    else if (address !== location.pathname + location.search) history.pushState(null, "", address);
    this.where = where;
    rules.look();
    this.go(tableOf(where));
  }

  create(options: Omit<CreateTable, "type">): void {
    this.connection.send({ type: "create_table", ...options });
  }

  /** A seat at any public table, else at a new one. */
  quick(ruleset: string | null): void {
    this.connection.send({ type: "quick_match", ruleset });
  }

  /** To a table, to watch it; or to take a free seat there at once. */
  join(table: string, sit = false): void {
    this.sitting = sit ? table : null;
    this.visit({ page: "table", table });
  }

  listTables(): void {
    this.connection.send({ type: "list_tables" });
  }

  /** Ask for matches that are over; `older` ones than those that are here. */
  listMatches(mine: boolean, older = false): void {
    this.requests.ask(askMatches(this.house, mine, older));
  }

  /** The seat that one had in a match, where a list has told it. */
  ownSeat(match: string | null): number | null {
    const lines = [...(this.house.mine?.matches ?? []), ...(this.house.all?.matches ?? [])];
    const seat = lines.find((line) => line.match === match)?.seats.findIndex(({ you }) => you) ?? -1;
    return seat === -1 ? null : seat;
  }

  askStatistics(): void {
    this.requests.ask({ type: "ask_statistics" });
  }

  register(account: string, password: string): void {
    if (this.requests.ask({ type: "register", account, password })) this.house = { ...this.house, errand: "register", refused: null };
  }

  logIn(account: string, password: string): void {
    if (this.requests.ask({ type: "log_in", account, password })) this.house = { ...this.house, errand: "log_in", refused: null };
  }

  logOut(everywhere: boolean): void {
    if (this.requests.ask({ type: "log_out", everywhere })) this.house = { ...this.house, errand: "log_out", refused: null };
  }

  /** What was said about the last errand has been read. */
  forgive(): void {
    if (this.house.refused !== null || this.house.made !== null) this.house = { ...this.house, refused: null, made: null };
  }

  play(move: string): void {
    const { ask } = this.known;
    if (ask === null || this.known.answered) return;
    this.plays += 1;
    // At most one answer to an ask is ever on its way.
    if (this.connection.send({ type: "play", version: ask.version, move, id: this.plays })) this.known = { ...this.known, answered: true };
  }

  /** Ask why one cannot win now. */
  why(): void {
    this.plays += 1;
    if (this.connection.send({ type: "why", id: this.plays })) this.known = { ...this.known, asking: this.plays };
  }

  closeWhy(): void {
    this.known = { ...this.known, whyNot: null, asking: null };
  }

  ready(): void {
    const deal = this.known.folded?.table.settled?.deal;
    if (deal !== undefined) this.connection.send({ type: "ready", deal });
  }

  do(doing: Doing): void {
    this.connection.send(doing);
  }

  takeSeat(seat: number): void {
    this.connection.send({ type: "take_seat", seat });
  }

  leave(): void {
    if (!this.connection.send({ type: "leave" })) this.goHome();
  }

  rename(name: string): void {
    // The house would say no.
    if (isDefault(name)) this.tell({ kind: "error", code: "bad_name", option: null });
    else this.requests.ask({ type: "rename", name });
  }

  retry(): void {
    this.connection.retry();
  }

  /** Take the table back from another tab of oneself. */
  useHere(): void {
    this.known = { ...this.known, gone: null };
    this.connection.renew();
  }

  /** To the first page, without a table to come back to. */
  goHome(): void {
    this.forget();
    this.visit(FRONT);
  }

  /** To one's past games, where the match stands that was ended. */
  toGames(): void {
    this.forget();
    this.visit({ page: "games", whose: "mine" });
  }

  /** As somebody else from now on: a new line, with what is kept as the token. */
  private afresh(name: string): void {
    this.last = null;
    keep(TABLE, null);
    this.known = { ...nothing, welcome: this.known.welcome, name, line: this.known.line, wanted: this.known.wanted };
    this.connection.renew();
  }

  private signedIn(other: boolean, name: string): void {
    if (other) this.afresh(name);
    else this.known = { ...this.known, name };
  }

  private signedOut(): void {
    this.token = null;
    keep(TOKEN, null);
    this.afresh("");
  }

  /** Too much of something was asked: what nothing is to be seen without is asked for again, after a rest. */
  private again(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      if (!this.greeted) this.connection.send(hello(this.token, this.known.name));
      else if (this.known.folded === null) for (const reply of rejoin(this.known)) this.connection.send(reply);
    }, REST * (1 + Math.random()));
  }

  private forget(): void {
    this.last = null;
    keep(TABLE, null);
  }

  private go(table: string | null): void {
    if (table === this.known.wanted && this.known.gone === null) return;
    const { welcome, name, line } = this.known;
    this.known = { ...nothing, welcome, name, line, wanted: table };
    // A new line, so that going elsewhere never gives up a seat: it is kept, as after a dropped line.
    this.connection.renew();
  }

  private arrived({ table, you, seats, standing }: Table): void {
    const where: Where = { page: "table", table };
    if (tableOf(this.where) !== table) history.pushState(null, "", addressOf(where));
    this.where = where;
    const sit = this.sitting === table;
    this.sitting = null;
    if (you !== null) {
      if (standing !== null) return;
      this.last = table;
      keep(TABLE, table);
    } else if (sit) {
      const seat = freeSeat(seats);
      if (seat !== null) this.takeSeat(seat);
    }
  }

  private ending({ folded }: Knowledge): void {
    if (folded?.table.standing == null) return;
    const match = folded.table.shuffle === null ? null : matchOf(folded.table.shuffle);
    if (match !== null) this.ended.add(match);
    // There is nothing to come back to.
    if (this.last === folded.table.table) this.forget();
  }

  private tell(notice: Notice): void {
    this.notice = notice;
    clearTimeout(this.hush);
    this.hush = setTimeout(() => (this.notice = null), NOTICE_FOR);
  }
}

export const parlour = new Parlour();
