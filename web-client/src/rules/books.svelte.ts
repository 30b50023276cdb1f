import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";

import type { Book } from "./book";

/** A book, or why there is none: it is on its way, the line or the server failed, or the server has no such book. */
export type Shelf = Book | "coming" | "failed" | "unknown";

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
    if (known !== undefined && known !== "failed" && known !== "unknown") return;
    this.shelf.set(key, "coming");
    try {
      const answer = await fetch(`/rules/${key}.json`);
      if (answer.status === 404) {
        this.shelf.set(key, "unknown");
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      this.shelf.set(key, (await answer.json()) as Book);
    } catch {
      this.shelf.set(key, "failed");
    }
  }
}

export const books = new Books();
