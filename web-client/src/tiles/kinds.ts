import type { GameCatalogue } from "../i18n/en";

/** A tile as text, as the protocol writes it: `5p`, `1z`, `3f`. */
export type Tile = string;

const SUITS = "mpszf";

/** The order in which a hand is shown: characters, circles, bamboo, honours, flowers. */
export function compareTiles(a: Tile, b: Tile): number {
  return SUITS.indexOf(a[1] ?? "") - SUITS.indexOf(b[1] ?? "") || a.charCodeAt(0) - b.charCodeAt(0);
}

/** The tiles of a text such as `456p`. */
export function tilesOf(text: string): Tile[] {
  const suit = text.slice(-1);
  return [...text.slice(0, -1)].map((rank) => rank + suit);
}

/** What a tile is called, for labels and screen readers. */
export function tileName(tile: Tile, text: GameCatalogue): string {
  const rank = Number(tile[0]);
  switch (tile[1]) {
    case "m":
    case "p":
    case "s":
      return text.suited(rank, tile[1]);
    case "z":
      return rank <= 4 ? text.windTile(text.winds[rank - 1] ?? "") : (text.dragons[rank - 5] ?? "");
    case "f":
      return text.flowerTile(text.flowers[rank - 1] ?? "", ((rank - 1) % 4) + 1, rank <= 4);
    default:
      return text.faceDown;
  }
}

/** The id of the drawing in `faces.svg`; null is face down. Flowers carry their number in the drawing anyway. */
export function drawingOf(tile: Tile | null, indices: boolean): string {
  if (tile === null) return "tile-back";
  return indices && tile[1] !== "f" ? `indexed-${tile}` : `tile-${tile}`;
}
