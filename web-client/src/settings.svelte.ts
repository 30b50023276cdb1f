const STORED = "parlour.settings";

interface Kept {
  indices: boolean;
  confirm: boolean;
}

function kept(): Kept {
  const standard: Kept = { indices: true, confirm: true };
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    if (typeof found !== "object" || found === null) return standard;
    const { indices, confirm } = found as Partial<Kept>;
    return { indices: indices !== false, confirm: confirm !== false };
  } catch {
    return standard;
  }
}

/** How this browser likes its table; kept in the browser only. */
class Settings {
  indices = $state(true);
  confirm = $state(true);

  constructor() {
    Object.assign(this, kept());
  }

  keep(): void {
    try {
      localStorage.setItem(STORED, JSON.stringify({ indices: this.indices, confirm: this.confirm }));
    } catch {
      // kept for this visit only
    }
  }
}

export const settings = new Settings();
