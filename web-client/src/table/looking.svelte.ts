import type { Table } from "../generated/protocol";
import { type Step, stepAt, stepsOf } from "../records/steps";
import { endOf, type Past } from "../state/past";

/** How far what one looks at is behind the live table: in steps of the same deal, or in whole deals. */
export type Behind = { steps: number } | { deals: number };

/** Steps of time at the end of a deal before the next one is shown. */
const REST = 8;

/** Stepping through a deal, apart from the live table, which goes on meanwhile and never pulls anybody along. */
export class Looking {
  /** What one steps through; null at the live table. */
  past = $state.raw<Past | null>(null);
  /** The version of the last event that has happened in what is shown. */
  at = $state(0);
  /** It goes on by itself. */
  playing = $state(false);
  /** A newer deal that can be seen whole. */
  next = $state.raw<Past | null>(null);
  steps = $derived<readonly Step[]>(this.past === null ? [] : stepsOf(this.past.events, this.past.first));
  place = $derived(this.steps.length === 0 ? 0 : stepAt(this.steps, this.at));
  atEnd = $derived(this.place >= this.steps.length - 1);

  private wanted = false;
  private rested = 0;

  /** What has been told of a deal; `late` for whoever sees deals when they are over. */
  hear(past: Past | null, late: boolean): void {
    const before = this.past;
    if (past === null) {
      // Nothing is known yet: what is under way is still wanted, however much happens at the table meanwhile.
      if (before !== null) this.close();
    } else if (before !== null && before.deal === past.deal && before.whole === past.whole) {
      this.past = past;
      this.at = Math.min(Math.max(this.at, past.first), endOf(past));
    } else if (this.wanted && !past.whole) {
      this.open(past, false);
    } else if (late && past.whole) {
      if (before === null) this.open(past, true);
      else this.next = past;
    }
  }

  /** One wants to look back: at what is known where that is all, else when it has been told. Returns whether to ask. */
  back(known: Past | null, version: number): boolean {
    if (known !== null && !known.whole && endOf(known) === version) {
      this.open(known, false);
      return false;
    }
    this.wanted = true;
    return true;
  }

  /** Show a deal, from its beginning or from the step before the last. */
  open(past: Past, fromBeginning: boolean): void {
    const steps = stepsOf(past.events, past.first);
    this.past = past;
    this.wanted = false;
    this.next = null;
    this.at = (fromBeginning ? steps[0] : (steps.at(-2) ?? steps.at(-1)))?.at ?? past.first;
    this.playing = fromBeginning;
    this.rested = 0;
  }

  go(at: number): void {
    this.at = at;
    this.playing = false;
  }

  /** One step on by itself; at the end it waits for more, and leaves time to read how a deal was settled. */
  tick(): void {
    const step = this.steps[this.place + 1];
    this.rested = step === undefined ? this.rested + 1 : 0;
    if (step !== undefined) this.at = step.at;
    else if (this.next !== null && this.rested > REST) this.open(this.next, true);
  }

  close(): void {
    this.past = null;
    this.next = null;
    this.playing = false;
    this.wanted = false;
  }

  /** How far it is behind the table as it is now. */
  behind(live: Table): Behind {
    const deal = live.deal?.deal ?? live.shuffle?.deal ?? 0;
    if (this.past === null || this.past.deal >= deal) return { steps: Math.max(0, this.steps.length - 1 - this.place) };
    return { deals: deal - this.past.deal };
  }
}
