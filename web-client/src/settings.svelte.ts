const STORED = "parlour.settings";

interface Kept {
  indices: boolean;
  confirm: boolean;
  /** The game chosen last; "" before. */
  game: string;
}

function kept(): Kept {
  const standard: Kept = { indices: true, confirm: true, game: "" };
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    if (typeof found !== "object" || found === null) return standard;
    const { indices, confirm, game } = found as Partial<Kept>;
    return { indices: indices !== false, confirm: confirm !== false, game: typeof game === "string" ? game : "" };
  } catch {
    return standard;
  }
}

/** How this browser likes its table; kept in the browser only. */
class Settings {
  indices = $state(true);
  confirm = $state(true);
  game = $state("");

  constructor() {
    Object.assign(this, kept());
  }

  /** From now on this game is offered first. */
  play(game: string): void {
    this.game = game;
    this.keep();
  }

  keep(): void {
    try {
      const { indices, confirm, game } = this;
      localStorage.setItem(STORED, JSON.stringify({ indices, confirm, game }));
    } catch {
      // kept for this visit only
    }
  }
}

export const settings = new Settings();
