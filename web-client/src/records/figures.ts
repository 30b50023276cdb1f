import type { Statistics } from "../generated/protocol";

/** A part of a whole in percent, without a fraction; an empty whole has no parts. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${Math.round((100 * part) / whole)} %`;
}

/** Points a deal with one decimal place, and a true minus. */
export function meanPoints({ points, deals }: Pick<Statistics, "points" | "deals">): string {
  const mean = deals === 0 ? 0 : Math.round((10 * points) / deals) / 10;
  return `${mean > 0 ? "+" : mean < 0 ? "−" : ""}${Math.abs(mean).toFixed(1)}`;
}
