import type { FromClient, ToClient } from "../generated/protocol";

/** What is answered by what, of all that takes the server a while. It works on one such request of a line at a time. */
const ANSWERS = {
  list_matches: "matches",
  ask_statistics: "statistics",
  rename: "renamed",
  register: "signed_in",
  log_in: "signed_in",
  log_out: "signed_out",
} as const;

type Slow = Extract<FromClient, { type: keyof typeof ANSWERS }>;

/** Sends requests that take a while one after the other: each once the one before has been answered. */
export class Requests {
  private waiting: Slow[] = [];
  private asked: Slow | null = null;

  constructor(private readonly send: (message: FromClient) => boolean) {}

  /** Send it now or in its turn; false where there is no line. The same question is not asked twice at once. */
  ask(message: Slow): boolean {
    if (this.asked !== null) {
      const same = JSON.stringify(message);
      if (![this.asked, ...this.waiting].some((one) => JSON.stringify(one) === same)) this.waiting.push(message);
      return true;
    }
    if (!this.send(message)) return false;
    this.asked = message;
    return true;
  }

  /** A new line is open: it knows nothing of what was asked before. Once it is, one may ask, before it says welcome. */
  renew(): void {
    this.waiting = [];
    this.asked = null;
  }

  /** Whatever comes from the server: it may be the answer. */
  hear(message: ToClient): void {
    if (this.asked === null) return;
    if (message.type !== ANSWERS[this.asked.type] && !(message.type === "error" && message.id === null)) return;
    this.asked = null;
    const next = this.waiting.shift();
    if (next !== undefined) this.ask(next);
  }
}
