// Fed by tests/client/test_fold.py, which plays at a table of the server and names the file it has written.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import type { Table, ToClient } from "../src/generated/protocol";
import { hear, type Knowledge, nothing } from "../src/state/session";

interface Viewer {
  name: string;
  steps: { heard: ToClient[]; table: Table }[];
}

const path = process.env["PARLOUR_RECORDING"];

/** The first place where two values differ, in words; null where they are the same. */
function difference(mine: unknown, theirs: unknown, place = ""): string | null {
  if (typeof mine === "object" && typeof theirs === "object" && mine !== null && theirs !== null) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    for (const key of keys) {
      const found = difference((mine as Record<string, unknown>)[key], (theirs as Record<string, unknown>)[key], `${place}.${key}`);
      if (found !== null) return found;
    }
    return Array.isArray(mine) === Array.isArray(theirs) ? null : `${place} is a list in one of them`;
  }
  return Object.is(mine, theirs) ? null : `${place} is ${JSON.stringify(mine)} and should be ${JSON.stringify(theirs)}`;
}

test("what is folded is what the server would show a newcomer", () => {
  const viewers = readFileSync(path ?? "", "utf8").trim().split("\n").map((line) => JSON.parse(line) as Viewer);
  let compared = 0;
  for (const { name, steps } of viewers) {
    let known: Knowledge = { ...nothing, wanted: steps[0]?.table.table ?? null };
    for (const { heard, table } of steps) {
      for (const message of heard) {
        const { known: next, replies } = hear(known, message, 0);
        if (replies.some((reply) => reply.type !== "entropy")) throw new Error(`${name}: a gap before version ${table.version}`);
        known = next;
      }
      // Of a bank an ask tells, not an event: it may be older here.
      const found = difference(known.folded === null ? null : { ...known.folded.table, bank_ms: table.bank_ms }, table);
      if (found !== null) throw new Error(`${name}, version ${table.version}: ${found}`);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(1000);
}, 60_000);
