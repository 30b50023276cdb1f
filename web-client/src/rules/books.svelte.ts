import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";

import type { Book } from "./book";

export type Shelf = Book | "coming" | "missing";

/** The rule books fetched so far; each once. */
class Books {
  private readonly shelf = new SvelteMap<string, Shelf>();

  find(key: string): Shelf {
    return this.shelf.get(key) ?? "coming";
  }

  /** Fetch the book where it is not here yet. */
  async fetch(key: string): Promise<void> {
    // Whoever asks for a book is not to be asked again because it came, or did not.
    const known = untrack(() => this.shelf.get(key));
    if (known !== undefined && known !== "missing") return;
    this.shelf.set(key, "coming");
    try {
      const answer = await fetch(`/rules/${key}.json`);
      if (!answer.ok) throw new Error(String(answer.status));
      this.shelf.set(key, (await answer.json()) as Book);
    } catch {
      this.shelf.set(key, "missing");
    }
  }
}

export const books = new Books();
