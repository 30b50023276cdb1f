import type { TableEvent } from "../generated/protocol";

/** A moment to stop at: everything up to the event number `at` has happened. */
export interface Step {
  at: number;
  /** The deal it belongs to; 0 before the first. */
  deal: number;
}

/** Events that change nothing that is seen on the table. */
const SILENT: ReadonlySet<TableEvent["e"]> = new Set(["match_started", "shuffle_committed", "shuffle_fixed", "shuffle_revealed"]);
/** Events that belong to the one before: what is paid for it, and hands that are laid open at the end. */
const FOLLOWING: ReadonlySet<TableEvent["e"]> = new Set(["flowers", "paid", "hand_shown", "washing_opened", "washing_closed"]);

function begins(event: TableEvent, before: TableEvent | undefined): boolean {
  if (SILENT.has(event.e) || FOLLOWING.has(event.e)) return false;
  // A flower is shown and replaced in one go, and who calls discards with it.
  if (event.e === "draw") return event.source !== "flower";
  return !(event.e === "discard" && before?.e === "called");
}

/**
 * The moments of a match, or of a part of it, at which there is something new to see: the deal, each draw, discard and
 * set, the win and the settlement. `first` is the number of the first event.
 */
export function stepsOf(events: readonly TableEvent[], first = 1): Step[] {
  const steps: Step[] = [];
  let deal = 0;
  let seen = false;
  events.forEach((event, at) => {
    if (seen && begins(event, events[at - 1])) {
      steps.push({ at: first + at - 1, deal });
      seen = false;
    }
    if (event.e === "deal_started") deal = event.deal;
    seen ||= !SILENT.has(event.e);
  });
  if (events.length > 0) {
    const end = { at: first + events.length - 1, deal };
    // What comes last and is not seen belongs to the step before.
    if (seen || steps.length === 0) steps.push(end);
    else steps[steps.length - 1] = { ...end, deal: steps.at(-1)?.deal ?? deal };
  }
  return steps;
}

/** The place in `steps` of the last one that has happened once event number `at` has. */
export function stepAt(steps: readonly Step[], at: number): number {
  const next = steps.findIndex((step) => step.at > at);
  return next === -1 ? steps.length - 1 : Math.max(0, next - 1);
}

/** The place of the first step of each deal, in order. */
export function beginnings(steps: readonly Step[]): { deal: number; from: number; to: number }[] {
  const found: { deal: number; from: number; to: number }[] = [];
  steps.forEach(({ deal }, at) => {
    const last = found.at(-1);
    if (last?.deal === deal) last.to = at;
    else found.push({ deal, from: at, to: at });
  });
  return found;
}
