import { expect, test } from "vitest";

import { buttons, mayCall, moveFor } from "../src/table/options";
import { placeOf, seatAt, wallLook, windOf } from "../src/table/places";
import { compareTiles, drawingOf, tilesOf } from "../src/tiles/kinds";
import { dealView, seatView } from "./kit";

const LRC = { wall: 144, reserve: 16 };

test("every move that is no discard gets a button, and goes back as it came", () => {
  const moves = ["discard 1m", "pass", "chow 456p", "chow 345p", "pong 5p", "win", "call 1m"];
  expect(buttons(moves).map((option) => option.text)).toEqual(["win", "pong 5p", "chow 456p", "chow 345p", "pass"]);
  expect(buttons(["chow 456p"])[0]?.tiles).toEqual(["4p", "5p", "6p"]);
});

test("a move this page has never heard of is offered all the same", () => {
  expect(buttons(["pass", "dance 3m", "win"]).map((option) => option.text)).toEqual(["win", "dance 3m", "pass"]);
});

test("a tile may be discarded or called with only where that was offered", () => {
  expect(moveFor("discard", "1m", ["discard 1m"])).toBe("discard 1m");
  expect(moveFor("call", "1m", ["discard 1m"])).toBeUndefined();
  expect(mayCall(["discard 1m"])).toBe(false);
  expect(mayCall(["call 1m"])).toBe(true);
});

test("the next player sits on the right, and the winds follow the dealer", () => {
  expect([0, 1, 2, 3].map((seat) => placeOf(seat, 2))).toEqual(["across", "left", "self", "right"]);
  expect(seatAt("right", 3)).toBe(0);
  expect(placeOf(1, null)).toBe("right");
  expect([0, 1, 2, 3].map((seat) => windOf(seat, 1))).toEqual([3, 0, 1, 2]);
});

test("the wall is broken where the dice say and is drawn clockwise from there", () => {
  // Dealer 0 throws 9: counted round the table that is the dealer's own side, nine stacks from its right end.
  const { stacks, opening, sum } = wallLook(dealView({ dice: [2, 3, 4], dealer: 0 }), LRC, 0);
  expect(sum).toBe(9);
  expect(opening).toBe(9);
  expect(stacks).toHaveLength(72);
  // 65 of 144 tiles are dealt from the head: 32 whole stacks and one tile of the next.
  expect(stacks.slice(0, 34).map((stack) => stack.tiles)).toEqual([...Array<number>(32).fill(0), 1, 2]);
  expect(stacks.filter((stack) => stack.reserve)).toHaveLength(8);
  expect(stacks.at(-1)).toEqual({ at: 8, tiles: 2, reserve: true });
});

test("a wall without flowers has 17 stacks a side, and of four dice the first two choose the side", () => {
  // Dealer 0 throws 2 + 4: the side of seat 1, on the right. All dice show 18, one more than that side has stacks.
  const seats = [14, 13, 13, 13].map((size) => seatView({ size }));
  const { stacks, side, opening, sum } = wallLook(dealView({ dice: [2, 4, 6, 6], seats, left: 83 }), { wall: 136, reserve: 0 }, 0);
  expect(side).toBe(17);
  expect(sum).toBe(18);
  // The right side is the fourth of the clockwise round from the bottom; one stack further is on the bottom side.
  expect(opening).toBe(1);
  expect(stacks).toHaveLength(68);
  expect(stacks.reduce((tiles, stack) => tiles + stack.tiles, 0)).toBe(83);
  expect(stacks.some((stack) => stack.reserve)).toBe(false);
});

test("what ordinary draws leave lies at the end, as much as the table says", () => {
  const seats = [14, 13, 13, 13].map((size) => seatView({ size }));
  const reserved = (wall: number, reserve: number): number =>
    wallLook(dealView({ seats, left: wall - reserve - 53 }), { wall, reserve }, 0).stacks.filter((stack) => stack.reserve).length;
  expect(reserved(136, 14)).toBe(7);
  expect(reserved(144, 14)).toBe(7);
  expect(reserved(144, 0)).toBe(0);
});

test("the last replacements come out of the reserve", () => {
  // The live wall is drawn: 130 tiles are about, three of them flowers, so two of the sixteen have been used.
  const discards = Array.from({ length: 62 }, () => ({ tile: "5p", drawn: false, claimed: false }));
  const seats = [seatView({ flowers: ["1f", "2f", "3f"], discards }), seatView({ size: 17 }), seatView(), seatView()];
  const { stacks } = wallLook(dealView({ seats, left: 0 }), LRC, 0);
  expect(stacks.reduce((sum, stack) => sum + stack.tiles, 0)).toBe(14);
});

test("replacements are taken from the tail of the wall", () => {
  const seats = [seatView({ flowers: ["1f", "2f"] }), seatView(), seatView(), seatView()];
  const { stacks } = wallLook(dealView({ seats, left: 61 }), LRC, 0);
  expect(stacks.at(-1)?.tiles).toBe(0);
  expect(stacks.at(-2)?.tiles).toBe(2);
  expect(stacks.reduce((sum, stack) => sum + stack.tiles, 0)).toBe(61 + 16);
});

test("tiles are read, ordered and find their drawing", () => {
  expect(tilesOf("456p")).toEqual(["4p", "5p", "6p"]);
  expect(["1f", "7z", "1s", "9m", "2p", "1m"].sort(compareTiles)).toEqual(["1m", "9m", "2p", "1s", "7z", "1f"]);
  expect(["5p", "7z", "3f", null].map((tile) => drawingOf(tile, true))).toEqual(["indexed-5p", "indexed-7z", "tile-3f", "tile-back"]);
  expect(["5p", "7z", "3f", null].map((tile) => drawingOf(tile, false))).toEqual(["tile-5p", "tile-7z", "tile-3f", "tile-back"]);
});
