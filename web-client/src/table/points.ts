/** Points with a true minus sign, as they stand in a column. */
export function points(value: number): string {
  return value < 0 ? `−${-value}` : String(value);
}

/** A change of points, gains marked too. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : points(value);
}
