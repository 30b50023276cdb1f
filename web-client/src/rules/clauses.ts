/** How citations are worded in a language. */
export interface CiteWords {
  /** A row of the LRC table, by its id. */
  lrcRow: (id: string) => string;
  /** What this house's page of the LRC rules says beside the table. */
  lrcRule: (id: string) => string;
  /** What its page of the classical rules says. */
  classical: (id: string) => string;
  /** Pages of Harr's book, and its errata. */
  harrPages: (pages: string) => string;
  /** Further pages, after others. */
  harrMore: (pages: string) => string;
  harrErrata: string;
}

/** Ids that the LRC table does not have: of the procedure, of adding up, and of decisions. */
const BESIDE = /^(?:[PM]|A-)\d/;
const ID = /^[A-Z]*-?\d+[a-z]?$/;
const PAGES = /^\d+(?:-\d+)?$/;
const CITED = /\b(lrc|classical) ([A-Z]*-?\d+[a-z]?)|\bHarr (?:p\. (\d+(?:-\d+)?)|errata)/g;

/**
 * The places that a clause of a ruleset file names, each in words; what is no citation that we know, as a house's own rule,
 * stays as it is. An id after a comma belongs to the source before it.
 */
export function places(clause: string, words: CiteWords): string[] {
  let before: "table" | "rules" | "book" | null = null;
  const lrc = (id: string): string => {
    before = BESIDE.test(id) ? "rules" : "table";
    return before === "rules" ? words.lrcRule(id) : words.lrcRow(id);
  };
  return clause.split(", ").map((place) => {
    if (before === "book" && PAGES.test(place)) return words.harrMore(place);
    // Only where it is of the same part does the id alone say which.
    if ((before === "table" || before === "rules") && ID.test(place)) return BESIDE.test(place) === (before === "rules") ? place : lrc(place);
    before = null;
    return place.replace(CITED, (_, source: string | undefined, id: string, pages: string | undefined) => {
      if (source === "lrc") return lrc(id);
      if (source === "classical") return words.classical(id);
      before = "book";
      return pages === undefined ? words.harrErrata : words.harrPages(pages);
    });
  });
}
