import type { GameWords } from "../generated/protocol";
import { type Catalogue, en, enGame, type GameCatalogue, type GameTexts } from "./en";
import type { Said } from "./words";
import { zhHant, zhHantGame } from "./zh-hant";

/** The languages of the client, by the key kept in the browser. */
export const languages = { en, zh: zhHant } satisfies Record<string, Catalogue>;
export type Language = keyof typeof languages;

const games: Record<Language, (said: Said) => GameTexts> = { en: enGame, zh: zhHantGame };

/** All texts of a language, with those that name the things of a game in that game's words. */
export function catalogueOf(language: Language, { chow, pong, gong, win, wins, flower }: GameWords): GameCatalogue {
  const said: Said = {
    chow: chow[language],
    pong: pong[language],
    gong: gong[language],
    win: win[language],
    wins: wins[language],
    flower: flower[language],
  };
  return { ...languages[language], ...games[language](said) };
}

const STORED = "parlour.language";

/** The language to begin with: the one kept, else the first of the browser's that we have, else English. */
export function firstLanguage(kept: string | null, preferred: readonly string[]): Language {
  if (kept === "en" || kept === "zh") return kept;
  for (const tag of preferred) {
    const main = tag.toLowerCase().split("-")[0];
    if (main === "zh" || main === "yue") return "zh";
    if (main === "en") return "en";
  }
  return "en";
}

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null; // storage may be forbidden; the page works without it
  }
}

class Speech {
  language = $state<Language>(firstLanguage(keptLanguage(), navigator.languages));
  text = $derived<Catalogue>(languages[this.language]);

  /** The texts for a game, in the language in use. */
  game(words: GameWords): GameCatalogue {
    return catalogueOf(this.language, words);
  }

  speak(language: Language): void {
    this.language = language;
    try {
      localStorage.setItem(STORED, language);
    } catch {
      // kept for this visit only
    }
  }
}

/** The language in use and its texts; components read `speech.text`. */
export const speech = new Speech();
