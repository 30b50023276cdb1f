import { type Tile, tilesOf } from "../tiles/kinds";

/** One thing that may be answered, ready to be shown. `text` goes back to the server as it came. */
export interface Option {
  verb: string;
  tiles: Tile[];
  text: string;
}

const ORDER = ["win", "wash", "gong", "concealed_gong", "promoted_gong", "pong", "chow", "pass"];

export function optionOf(text: string): Option {
  const [verb = "", tiles] = text.split(" ");
  return { verb, tiles: tiles === undefined ? [] : tilesOf(tiles), text };
}

/** The moves that get a button, in a steady order; discards and calls are made on the hand instead. */
export function buttons(moves: readonly string[]): Option[] {
  return moves
    .map(optionOf)
    .filter((option) => option.verb !== "discard" && option.verb !== "call")
    .sort((a, b) => rank(a) - rank(b));
}

function rank(option: Option): number {
  const known = ORDER.indexOf(option.verb);
  return known === -1 ? ORDER.length - 1.5 : known;
}

/** The move for a tile of the hand: the verb is `discard` or `call`; undefined where it was not offered. */
export function moveFor(verb: "discard" | "call", tile: Tile, moves: readonly string[]): string | undefined {
  const text = `${verb} ${tile}`;
  return moves.includes(text) ? text : undefined;
}

export function mayCall(moves: readonly string[]): boolean {
  return moves.some((move) => move.startsWith("call "));
}
