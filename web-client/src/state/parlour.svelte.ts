import type { CreateTable } from "../generated/protocol";
import { Connection, SUBPROTOCOL } from "../net/connection";
import { pathOfTable, tableOfPath } from "../net/link";
import { rules } from "../net/rules.svelte";
import { hear, hello, type Knowledge, nothing, type Notice, tableState } from "./session";
import type { Doing } from "./table";

const TOKEN = "parlour.token";
const TABLE = "parlour.table";
const NOTICE_FOR = 3600;

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

/** The one session of this page: its line, what it knows, and what a person may do. Judges nothing. */
class Parlour {
  known = $state.raw<Knowledge>({ ...nothing, wanted: tableOfPath(location.pathname) });
  notice = $state.raw<Notice | null>(null);
  /** The table one was at last, to go back to from the first page. */
  last = $state<string | null>(read(TABLE));
  shown = $derived(tableState(this.known));

  private token = read(TOKEN);
  private plays = 0;
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
    () => this.connection.send(hello(this.token, this.known.name)),
    (message) => {
      if (message.type === "welcome" && message.token !== null) {
        this.token = message.token;
        keep(TOKEN, message.token);
      }
      const { known, replies, notices } = hear(this.known, message, performance.now());
      this.known = known;
      for (const reply of replies) this.connection.send(reply);
      for (const notice of notices) this.tell(notice);
      if (message.type === "table") this.arrived(message.table, message.you);
      if (message.type === "left" && message.reason === "left") this.goHome();
      if (known.gone === "no_such_table" && this.last === known.wanted) this.forget();
    },
    (line) => (this.known = { ...this.known, line }),
  );

  start(): void {
    this.connection.start();
    addEventListener("online", () => this.connection.retry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.connection.retry());
    // Opening and closing the rule book is a step of the history too, but not one to another table.
    addEventListener("popstate", () => {
      const table = tableOfPath(location.pathname);
      if (table !== this.known.wanted) this.go(table);
    });
  }

  create(options: Omit<CreateTable, "type">): void {
    this.connection.send({ type: "create_table", ...options });
  }

  join(table: string): void {
    history.pushState(null, "", pathOfTable(table));
    this.go(table);
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
    this.connection.send({ type: "rename", name });
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
    history.pushState(null, "", "/");
    rules.look();
    this.go(null);
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

  private arrived(table: string, you: number | null): void {
    if (tableOfPath(location.pathname) !== table) history.pushState(null, "", pathOfTable(table));
    if (you !== null) {
      this.last = table;
      keep(TABLE, table);
    }
  }

  private tell(notice: Notice): void {
    this.notice = notice;
    clearTimeout(this.hush);
    this.hush = setTimeout(() => (this.notice = null), NOTICE_FOR);
  }
}

export const parlour = new Parlour();
