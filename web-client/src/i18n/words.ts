import { getContext, setContext } from "svelte";

import type { GameWords } from "../generated/protocol";
import type { GameCatalogue } from "./en";

/** What a game calls things, in one language. */
export type Said = Record<keyof GameWords, string>;

const KEY = Symbol("the texts of a game");

/** Everything below this component speaks of one game. */
export function provideGame(text: () => GameCatalogue): void {
  setContext(KEY, text);
}

/** The texts of the game that a component above speaks of; to be asked for only where there is one. */
export function gameText(): () => GameCatalogue {
  const text = getContext<(() => GameCatalogue) | undefined>(KEY);
  return () => {
    if (text === undefined) throw new Error("no game is spoken of here");
    return text();
  };
}
