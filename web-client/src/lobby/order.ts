import type { TableLine } from "../generated/protocol";

/** A line of the list of tables. One that is gone keeps its place for a while, so that nothing moves under a finger. */
export interface Listed {
  line: TableLine;
  /** For how many answers it has not been there. */
  gone: number;
}

/** Answers that a table which is gone still keeps its place. */
const KEPT = 2;

/**
 * The list after another answer: what stood there stays where it was, what is new comes below. The first list is in the
 * server's order, but for the house's demonstration: first for somebody who is `fresh` here, else last.
 */
export function listed(before: readonly Listed[], tables: readonly TableLine[], fresh: boolean): Listed[] {
  const now = new Map(tables.map((line) => [line.table, line]));
  const stayed = before.flatMap(({ line, gone }) => {
    const found = now.get(line.table);
    now.delete(line.table);
    if (found !== undefined) return [{ line: found, gone: 0 }];
    return gone < KEPT ? [{ line, gone: gone + 1 }] : [];
  });
  const added = [...now.values()].map((line) => ({ line, gone: 0 }));
  if (before.length === 0) added.sort((a, b) => (Number(b.line.demonstration) - Number(a.line.demonstration)) * (fresh ? 1 : -1));
  return [...stayed, ...added];
}

/** The seat that whoever sits down takes: the first that a bot has; null where there is none. */
export function freeSeat(seats: readonly { player: "person" | "bot" }[]): number | null {
  const seat = seats.findIndex(({ player }) => player === "bot");
  return seat === -1 ? null : seat;
}
