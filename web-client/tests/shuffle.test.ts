import { expect, test } from "vitest";

import type { Shuffle, TableEvent } from "../src/generated/protocol";
import { hear, type Knowledge, nothing } from "../src/state/session";
import { matchOf, randomNonce, wasUsed } from "../src/state/shuffle";
import { table } from "./kit";

const MINE = "000102030405060708090a0b0c0d0e0f";
const committed: TableEvent = { e: "shuffle_committed", deal: 2, context: "match:0123456789abcdef0123456789abcdef|deal:2|rules:ab", commit: "c2" };
const open: Shuffle = { deal: 2, context: committed.context, commit: "c2", nonces: null, seed: null };
const welcome = { type: "welcome" as const, protocol: 1, server: "1", token: null, name: "Wing", rulesets: [], bots: [], account: null, demonstration: null, floor_ms: 600, house_key: null };

/** Every nonce is another one, so that a second would be noticed. */
function counting(): () => string {
  let made = 0;
  return () => `${MINE.slice(0, 30)}${String(10 + made++)}`;
}

function at(part: Parameters<typeof table>[0] = {}): Knowledge {
  return { ...nothing, wanted: "abcdefgh", folded: { table: table(part), newest: null } };
}

test("a commitment is answered with one's own part, once", () => {
  const nonce = counting();
  const first = hear(at(), { type: "events", table: "abcdefgh", version: 11, events: [committed] }, 0, nonce);
  expect(first.replies).toEqual([{ type: "entropy", deal: 2, nonce: `${MINE.slice(0, 30)}10` }]);
  const again = hear(first.known, { type: "seats", table: "abcdefgh", you: 0, seats: first.known.folded?.table.seats ?? [], watchers: 1 }, 0, nonce);
  expect(again.replies).toEqual([]);
});

test("who watches adds nothing, and nothing is added to what is fixed already", () => {
  const events = [committed, { e: "shuffle_fixed" as const, deal: 2, nonces: [null, null, null, null] }];
  expect(hear(at({ you: null }), { type: "events", table: "abcdefgh", version: 11, events: [committed] }, 0, counting()).replies).toEqual([]);
  expect(hear(at(), { type: "events", table: "abcdefgh", version: 12, events }, 0, counting()).replies).toEqual([]);
});

test("after a line that broke the same part is sent once more, never another", () => {
  const nonce = counting();
  const sent = hear(at(), { type: "events", table: "abcdefgh", version: 11, events: [committed] }, 0, nonce);
  const back = hear(sent.known, welcome, 0, nonce);
  expect(back.replies.map((reply) => reply.type)).toEqual(["join"]);
  const told = hear(back.known, { ...table({ shuffle: open, version: 11 }) }, 0, nonce);
  expect(told.replies).toEqual(sent.replies);
  expect(hear(told.known, { ...table({ shuffle: open, version: 11 }) }, 0, nonce).replies).toEqual([]);
  // Another deal is another shuffle.
  const next = hear(told.known, { ...table({ shuffle: { ...open, deal: 3, commit: "c3" }, version: 90 }) }, 0, nonce);
  expect(next.replies).toEqual([{ type: "entropy", deal: 3, nonce: `${MINE.slice(0, 30)}11` }]);
});

test("a part is sixteen bytes in hex, and no two are the same", () => {
  const made = new Set(Array.from({ length: 50 }, randomNonce));
  expect(made.size).toBe(50);
  for (const nonce of made) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
});

test("whether one's part was used is told only where it is known", () => {
  const fixed = { ...open, nonces: [MINE, null, null, null] };
  const given = { commit: "c2", nonce: MINE, sent: true };
  expect(wasUsed(fixed, 0, given)).toBe(true);
  expect(wasUsed({ ...fixed, nonces: [null, null, null, null] }, 0, given)).toBe(false);
  expect(wasUsed(open, 0, given)).toBeNull();
  expect(wasUsed(fixed, null, given)).toBeNull();
  expect(wasUsed({ ...fixed, commit: "c9" }, 0, given)).toBeNull();
});

test("a context names its match", () => {
  expect(matchOf(open)).toBe("0123456789abcdef0123456789abcdef");
  expect(matchOf({ ...open, context: "table:T1|hand:1" })).toBeNull();
});

test("a part that had arrived before the line broke is refused, and nobody is told", () => {
  const refused = { type: "error" as const, code: "stale" as const, message: "", id: null, option: null };
  const known = { ...at({ shuffle: open }), given: { commit: "c2", nonce: MINE, sent: true } };
  expect(hear(known, refused, 0).notices).toEqual([]);
  expect(hear({ ...known, given: null }, refused, 0, counting()).notices).toHaveLength(1);
});
