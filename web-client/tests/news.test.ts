import { expect, test, vi } from "vitest";

import { CHOW, SHEUNG } from "../src/demo/words";
import { news } from "../src/table/news";
import { dealView, seatView } from "./kit";

vi.stubGlobal("navigator", { languages: ["en"] });
const { catalogueOf } = await import("../src/i18n/language.svelte");
const en = catalogueOf("en", SHEUNG);

const NAMES = ["Ann", "Bob", "Cat", "Dan"];
const thrown = { tile: "5p", drawn: false, claimed: false };
const pong = { form: "pong" as const, tiles: ["5p", "5p", "5p"], claimed: "5p", source: 0 };
const seats = (...first: Parameters<typeof seatView>[0][]) => [0, 1, 2, 3].map((at) => seatView(first[at] ?? {}));

test("discards and sets are said, with who did it", () => {
  const start = dealView();
  const discarded = dealView({ seats: seats({ discards: [thrown] }) });
  const claimed = dealView({ seats: seats({ discards: [{ ...thrown, claimed: true }] }, {}, { melds: [pong] }) });
  const added = dealView({ seats: seats({}, {}, { melds: [{ ...pong, form: "promoted_gong", tiles: ["5p", "5p", "5p", "5p"] }] }) });
  expect(news(start, discarded, NAMES, en)).toBe("Ann: 5 of circles");
  expect(news(discarded, claimed, NAMES, en)).toBe("Cat: Pong 5 of circles, 5 of circles, 5 of circles");
  expect(news(claimed, added, NAMES, en)).toMatch(/^Cat: Added gong 5 of circles/);
  expect(news(discarded, claimed, NAMES, catalogueOf("en", CHOW))).toMatch(/^Cat: Pung 5 of circles/);
  expect(news(claimed, added, NAMES, catalogueOf("zh", CHOW))).toBe("Cat：加槓 五筒、五筒、五筒、五筒");
});

test("draws, another deal and the first look at a table are not", () => {
  const discarded = dealView({ seats: seats({ discards: [thrown] }) });
  expect(news(discarded, dealView({ left: 62, seats: seats({ size: 17, discards: [thrown] }) }), NAMES, en)).toBe("");
  expect(news(null, discarded, NAMES, en)).toBe("");
  expect(news(dealView(), dealView({ deal: 2, seats: seats({ discards: [thrown] }) }), NAMES, en)).toBe("");
});
