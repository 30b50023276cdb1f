import type { SeatState } from "../generated/protocol";

/** Marks that keep a name from turning the words around it, whatever it holds. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** The people at a table whose line is up: those who must agree where all must. */
export function here(seats: readonly SeatState[]): SeatState[] {
  return seats.filter((seat) => seat.player === "person" && seat.present);
}

/** The people at a table whose line is down. */
export function away(seats: readonly SeatState[]): SeatState[] {
  return seats.filter((seat) => seat.player === "person" && !seat.present);
}

/** The names of some seats, in a line of text. */
export function namesOf(seats: readonly SeatState[], some: readonly number[], comma: string): string {
  return some.map((seat) => isolated(seats[seat]?.name ?? "")).join(comma);
}
