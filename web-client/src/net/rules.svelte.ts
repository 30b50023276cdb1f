import { hashOfRules, type RulesPlace, rulesOfHash } from "./link";

/** Which rule book lies open, by the address's fragment: it opens over whatever page there is and leaves it as it was. */
class OpenRules {
  place = $state.raw<RulesPlace | null>(rulesOfHash(location.hash));
  /** Whether this page opened the book, so that a step back closes it. */
  private opened = false;

  constructor() {
    addEventListener("hashchange", () => {
      const before = this.place;
      this.look();
      this.opened = this.place !== null && (before === null || this.opened);
    });
  }

  /** Read the address again. */
  look(): void {
    this.place = rulesOfHash(location.hash);
  }

  /** Another book in the place of the one that lies open; one step back still closes it. */
  turnTo(key: string): void {
    history.replaceState(null, "", hashOfRules(key));
    this.look();
  }

  close(): void {
    if (this.opened) {
      this.opened = false;
      history.back();
      return;
    }
    history.replaceState(null, "", location.pathname + location.search);
    this.look();
  }
}

export const rules = new OpenRules();
