import { compareTiles } from "../tiles/kinds";

/** The tiles of a hand in order, the one just drawn at the end. */
export function arranged(tiles: readonly string[], drawn: string | null): string[] {
  const rest = [...tiles].sort(compareTiles);
  const at = drawn === null ? -1 : rest.indexOf(drawn);
  return at === -1 ? rest : [...rest.toSpliced(at, 1), ...rest.slice(at, at + 1)];
}
