import { readdirSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test, vi } from "vitest";

import { CHOW, SHEUNG } from "../src/demo/words";

vi.stubGlobal("navigator", { languages: ["en"] });
const { catalogueOf, firstLanguage } = await import("../src/i18n/language.svelte");
const { tileName } = await import("../src/tiles/kinds");

test("the language kept wins, then the browser's first that we have, then English", () => {
  expect(firstLanguage("zh", ["en"])).toBe("zh");
  expect(firstLanguage(null, ["fr", "zh-TW", "en"])).toBe("zh");
  expect(firstLanguage(null, ["yue-Hant-HK"])).toBe("zh");
  expect(firstLanguage(null, ["en-GB", "zh"])).toBe("en");
  expect(firstLanguage("xx", [])).toBe("en");
});

test("every tile has a name of its own in both languages", () => {
  const tiles = [..."mps"].flatMap((suit) => [..."123456789"].map((rank) => rank + suit));
  tiles.push(...[..."1234567"].map((rank) => `${rank}z`), ...[..."12345678"].map((rank) => `${rank}f`));
  const en = catalogueOf("en", SHEUNG);
  const zh = catalogueOf("zh", SHEUNG);
  for (const text of [en, zh]) expect(new Set(tiles.map((tile) => tileName(tile, text))).size).toBe(42);
  expect(tileName("5p", en)).toBe("5 of circles");
  expect(tileName("7z", zh)).toBe("紅中");
  expect(tileName("2f", en)).toBe("red flower 2, summer");
  expect(tileName("2f", catalogueOf("en", CHOW))).toBe("red mandarin 2, summer");
});

/** Every text of a catalogue; what takes something is asked with "1". */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function") return textsOf((value as (...given: unknown[]) => unknown)("1", "1", "1"));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test("a table speaks in the words of its game, in both languages", () => {
  const [sheung, chow] = [catalogueOf("en", SHEUNG), catalogueOf("en", CHOW)];
  expect([sheung, chow].map(({ moves }) => ["chow", "pong", "gong", "win"].map((verb) => moves[verb]))).toEqual([
    ["Sheung", "Pong", "Gong", "Win"],
    ["Chow", "Pung", "Kong", "Mah-Jongg"],
  ]);
  expect([chow.moves["promoted_gong"], chow.meld.concealed_gong, chow.yourRob("5p")]).toEqual(["Add to pung", "Concealed kong", "Rob the kong of 5p?"]);
  const [lrc, classical] = [catalogueOf("zh", SHEUNG), catalogueOf("zh", CHOW)];
  expect([lrc, classical].map(({ moves }) => ["chow", "pong", "gong", "win"].map((verb) => moves[verb]))).toEqual([
    ["上", "碰", "槓", "糊"],
    ["吃", "碰", "槓", "和"],
  ]);
  expect([lrc.winner("大文"), classical.winner("大文")]).toEqual(["大文食糊", "大文和牌"]);
});

test("no text of a game is left in another game's words", () => {
  const other = Object.fromEntries(Object.keys(CHOW).map((word) => [word, { en: "zzz", zh: "〇" }])) as unknown as typeof CHOW;
  expect(textsOf(catalogueOf("en", other)).filter((text) => /sheung|chow|p[ou]ng|[gk]ong|mah-jongg/i.test(text))).toEqual([]);
  // A chow and a flower may be written with these signs elsewhere: 上 is on, 花 a family name.
  expect(textsOf(catalogueOf("zh", other)).filter((text) => /糊|碰|槓|吃/.test(text))).toEqual([]);
});

test("every face is drawn", () => {
  const sprite = readFileSync("src/tiles/faces.svg", "utf8");
  const drawn = new Set([...sprite.matchAll(/id="tile-(\w+)"/g)].map((found) => found[1]));
  expect(drawn.size).toBe(43);
});

/** The characters of a WOFF2 font, read from its `cmap` (formats 4 and 12). */
function charactersOf(file: string): Set<number> {
  const font = readFileSync(file);
  let at = 48;
  const base128 = (): number => {
    let value = 0;
    for (;;) {
      const byte = font.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let offset = 0;
  let cmap = -1;
  for (let index = 0; index < font.readUInt16BE(12); index++) {
    const flags = font.readUInt8(at++);
    const known = flags & 63;
    let tag = String(known);
    if (known === 63) {
      tag = font.toString("latin1", at, at + 4);
      at += 4;
    }
    const length = base128();
    // Only glyf and loca (10 and 11) are transformed by default; these fonts have CFF outlines instead.
    const transformed = known === 10 || known === 11 ? flags >> 6 !== 3 : flags >> 6 !== 0;
    const stored = transformed ? base128() : length;
    if (tag === "0") cmap = offset;
    offset += stored;
  }
  const tables = brotliDecompressSync(font.subarray(at, at + font.readUInt32BE(20)));
  const found = new Set<number>();
  for (let index = 0; index < tables.readUInt16BE(cmap + 2); index++) {
    const start = cmap + tables.readUInt32BE(cmap + 4 + 8 * index + 4);
    const format = tables.readUInt16BE(start);
    if (format === 4) {
      const segments = tables.readUInt16BE(start + 6) / 2;
      for (let segment = 0; segment < segments; segment++) {
        const end = tables.readUInt16BE(start + 14 + 2 * segment);
        const first = tables.readUInt16BE(start + 16 + 2 * segments + 2 * segment);
        for (let code = first; code <= end && code !== 0xffff; code++) found.add(code);
      }
    } else if (format === 12) {
      for (let group = 0; group < tables.readUInt32BE(start + 12); group++) {
        const first = tables.readUInt32BE(start + 16 + 12 * group);
        const last = tables.readUInt32BE(start + 20 + 12 * group);
        for (let code = first; code <= last; code++) found.add(code);
      }
    }
  }
  return found;
}

const KEYS = JSON.parse(readFileSync("tools/headings.json", "utf8")) as string[];

/** Of a language's texts those that are written as headings. */
function headingsIn(source: string): string {
  return (source.match(new RegExp(`^  (?:${KEYS.join("|")}): (?:\\{[^}]*\\}|.*$)`, "gm")) ?? []).join("");
}

test("what stands in a heading's letters is known as a heading", () => {
  const components = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".svelte"));
  const found = components.flatMap((name) => {
    const source = readFileSync(`src/${name}`, "utf8");
    if (!source.includes("var(--serif)")) return [];
    return [...source.matchAll(/<(?:h[123]|span class="brand")[^>]*>(.*?)<\/(?:h[123]|span)>/gs)].flatMap(([, inside = ""]) => [...inside.matchAll(/\btext\.(\w+)/g)].map(([, key = ""]) => key));
  });
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((key) => key !== "said" && !KEYS.includes(key))).toEqual([]);
});

test("the fonts hold every character that the client and the rulesets write", () => {
  const own = readdirSync("src/i18n").map((name) => readFileSync(`src/i18n/${name}`, "utf8"));
  const rulesets = readdirSync("../config/rulesets").filter((name) => name.endsWith(".toml")).map((name) => readFileSync(`../config/rulesets/${name}`, "utf8"));
  const tables = rulesets.flatMap((text) => text.split(/^(?=\[)/m));
  const words = tables.filter((table) => table.startsWith("[words]"));
  const namesIn = (texts: string[]): string[] => texts.flatMap((text) => text.split("\n").filter((line) => /^\s*names\b/.test(line)));
  const names = [...words, ...namesIn(rulesets)];
  const headings = [...words, ...namesIn(tables.filter((table) => table.startsWith("[[section]]")))];
  expect([words.length, headings.length > 20]).toEqual([3, true]);
  const ofHeadings = own.map(headingsIn);
  expect(ofHeadings.join("").length).toBeGreaterThan(100);
  // Bold letters write the names of the rulesets, headings those of sections, regular letters their rules too.
  for (const [font, said, texts] of [["sans-regular", own, rulesets], ["sans-bold", own, names], ["serif-bold", ofHeadings, headings]] as const) {
    const written = new Set([...said, ...texts].flatMap((text) => [...text]).filter((sign) => sign > "\u2e7f"));
    expect(written.size).toBeGreaterThan(80);
    const first = charactersOf(`src/fonts/${font}.woff2`);
    const book = charactersOf(`src/fonts/${font}-book.woff2`);
    const lacking = (signs: Iterable<string>, ...held: Set<number>[]): string[] =>
      [...signs].filter((sign) => !held.some((codes) => codes.has(sign.codePointAt(0) ?? 0)));
    expect(lacking(written, first, book), `${font}: run tools/subset_fonts.py`).toEqual([]);
    // What a table writes does not wait for the rule books' letters.
    const atTable = [...said, ...words].flatMap((text) => [...text]).filter((sign) => sign > "\u2e7f");
    expect(lacking(atTable, first), `${font}: run tools/subset_fonts.py`).toEqual([]);
  }
});
