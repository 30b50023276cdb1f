import type { FromClient, ToClient } from "../generated/protocol";

export const SUBPROTOCOL = "parlour.v1.json";

/** The part of a WebSocket that is used, so that tests can hand in another. */
export interface Socket {
  send(frame: string): void;
  close(): void;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
}

export type Line = "connecting" | "up" | "down";

export interface Surroundings {
  open: () => Socket;
  /** Calls back after some milliseconds; the function returned forbids it. */
  later: (call: () => void, milliseconds: number) => () => void;
  random: () => number;
}

const SHORTEST = 400;
const LONGEST = 8000;
// A dead line must be noticed while one's clock still runs.
const PING_EVERY = 5_000;
const SILENCE = 15_000;

/**
 * After a server is gone its clients come back evenly over so long, each once in it until the server is there again. So a
 * second brings 13 % of them, whenever that is, and of 2,000 hardly ever more than 15 %: at 7000 it would be 14.3 %, and
 * chance alone would take some second beyond. Longer would be a wait for each: whoever is last comes this long after the
 * server, and is to be back within ten seconds from its end.
 */
const SPREAD = 7700;
/** The code of a line that broke without a goodbye. */
const TORN = 1006;
/** The server has a moment to come up first. */
const NOT_BEFORE = 300;

/** How long to wait after the server has ended a line: the first time anything up to `SPREAD`, then just that long. */
export function spread(tries: number, random: () => number): number {
  return tries === 0 ? NOT_BEFORE + SPREAD * random() : SPREAD;
}

/** How long to wait before try number `tries` (from 0): longer each time, and never all clients at once. */
export function backoff(tries: number, random: () => number): number {
  const full = Math.min(LONGEST, SHORTEST * 2 ** tries);
  return full / 2 + (full / 2) * random();
}

/**
 * One line to the server that is opened again whenever it breaks, until `stop`.
 * `onOpen` says hello; messages arrive in order; nothing is sent twice and nothing is kept for later.
 */
export class Connection {
  private socket: Socket | null = null;
  private tries = 0;
  private silent = 0;
  private cancel: (() => void) | null = null;
  private cancelPing: (() => void) | null = null;
  private stopped = false;
  /** This line has been welcomed. */
  private welcomed = false;
  /** The server has ended a line that was up, or is gone: perhaps the lines of everybody. */
  private ended = false;
  /** A line that was up broke without a goodbye, and was not tried again yet. */
  private torn = false;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly onOpen: () => void,
    private readonly onMessage: (message: ToClient) => void,
    private readonly onLine: (line: Line) => void,
  ) {}

  start(): void {
    this.stopped = false;
    this.connect();
  }

  /** Close the line for good. */
  stop(): void {
    this.stopped = true;
    this.drop();
  }

  /** Close the line and open a new one at once. */
  renew(): void {
    this.drop();
    this.tries = 0;
    this.ended = false;
    this.stopped = false;
    this.connect();
  }

  /** Try now instead of waiting; nothing where the line is up or being opened. */
  retry(): void {
    if (this.socket === null && !this.stopped) this.renew();
  }

  /** True if the message was handed to an open line. */
  send(message: FromClient): boolean {
    if (this.socket === null) return false;
    try {
      this.socket.send(JSON.stringify(message));
      return true;
    } catch {
      return false; // still opening
    }
  }

  private connect(): void {
    this.cancel?.();
    this.cancel = null;
    this.onLine(this.tries === 0 ? "connecting" : "down");
    const socket = this.surroundings.open();
    this.socket = socket;
    this.welcomed = false;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.silent = 0;
      this.onLine("up");
      this.onOpen();
    };
    socket.onmessage = (event) => {
      if (this.socket !== socket) return;
      this.silent = 0;
      const message = JSON.parse(String(event.data)) as ToClient;
      // Only a welcome ends the waiting: a server that opens and refuses must not be asked ever faster.
      if (message.type === "welcome") {
        this.tries = 0;
        this.ended = false;
        this.torn = false;
        this.welcomed = true;
      }
      this.onMessage(message);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (this.torn || (this.welcomed && event.code !== TORN)) {
        // The server has said goodbye, or is not there: whoever was here comes back, so not all at once.
        if (!this.ended) this.tries = 0;
        this.ended = true;
        this.torn = false;
      } else if (this.welcomed) {
        // Most of the time it is one's own line that breaks: one try at once.
        this.torn = true;
      }
      this.lost();
    };
    // From the beginning: a line that never opens is dead too.
    this.silent = 0;
    this.watch();
  }

  /** A line that says nothing for long is dead even if nobody told so: ping, and give up on it. */
  private watch(): void {
    this.cancelPing = this.surroundings.later(() => {
      this.silent += PING_EVERY;
      if (this.silent >= SILENCE) {
        this.lost();
        return;
      }
      this.send({ type: "ping" });
      this.watch();
    }, PING_EVERY);
  }

  private drop(): void {
    this.cancel?.();
    this.cancelPing?.();
    this.cancel = null;
    this.cancelPing = null;
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  private lost(): void {
    this.drop();
    if (this.stopped) return;
    this.onLine("down");
    const wait = (this.ended ? spread : backoff)(this.tries, this.surroundings.random);
    this.tries += 1;
    this.cancel = this.surroundings.later(() => this.connect(), wait);
  }
}
