/** Points with a true minus sign, as they stand in a column; from five digits on in groups of three. */
export function points(value: number): string {
  const digits = String(Math.abs(value));
  const grouped = digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, ",") : digits;
  return value < 0 ? `−${grouped}` : grouped;
}

/** A change of points, gains marked too. */
export function signed(value: number): string {
  return value > 0 ? `+${points(value)}` : points(value);
}

/** How points become a total: each double twice as much, many of them as a power. */
export function doubled(value: number, doubles: number): { factors: string; power: number | null } {
  return doubles > 4 ? { factors: `${points(value)} × 2`, power: doubles } : { factors: points(value) + " × 2".repeat(doubles), power: null };
}
