import type { GameWords } from "../generated/protocol";

/** What the games call things, as their rulesets' files say. */
export const SHEUNG: GameWords = {
  chow: { en: "sheung", zh: "上" },
  pong: { en: "pong", zh: "碰" },
  gong: { en: "gong", zh: "槓" },
  win: { en: "win", zh: "糊" },
  wins: { en: "wins", zh: "食糊" },
  flower: { en: "flower", zh: "花" },
};
export const CHOW: GameWords = {
  chow: { en: "chow", zh: "吃" },
  pong: { en: "pung", zh: "碰" },
  gong: { en: "kong", zh: "槓" },
  win: { en: "Mah-Jongg", zh: "和" },
  wins: { en: "wins", zh: "和牌" },
  flower: { en: "mandarin", zh: "花" },
};
