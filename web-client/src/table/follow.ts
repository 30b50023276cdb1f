const KEY = "parlour.follow";

/** The seat that this browser looked from when it watched the table last; 0 where it never did. */
export function followed(table: string): number {
  try {
    const [id, seat] = (localStorage.getItem(KEY) ?? "").split(" ");
    return id === table && /^[0-3]$/.test(seat ?? "") ? Number(seat) : 0;
  } catch {
    return 0;
  }
}

export function follow(table: string, seat: number): void {
  try {
    localStorage.setItem(KEY, `${table} ${seat}`);
  } catch {
    // known for this visit only
  }
}
