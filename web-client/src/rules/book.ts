import type { GameWords, Names } from "../generated/protocol";

/** A rule book as the server gives it at `/rules/KEY.json`, drawn from the ruleset's file. */
export interface Book {
  key: string;
  version: string;
  name: Names;
  source: string;
  /** What the game is called that a house has changed; null for a game that stands alone. */
  based_on: Names | null;
  words: GameWords;
  sections: Section[];
  instants: Instant[];
  options: Option[];
  procedure: Step[];
}

export interface Section {
  id: string;
  name: Names;
  rows: Row[];
}

export type Value = boolean | number | string;
export type Values = Record<string, Value>;
export type Limit = "half" | "whole" | null;

export interface Row {
  id: string;
  name: Names;
  rule: Names;
  points: number;
  /** The switch that says how many points, if one does. */
  points_from: string | null;
  doubles: number;
  limit: Limit;
  /** As often as it is found. */
  each: boolean;
  /** So many points more for each further one. */
  step: number;
  clause: string;
  /** Rows of which, with this one, only the highest counts. */
  replaces: string[];
  /** Scored in the losers' hands too. */
  everyone: boolean;
  switches: Switch[];
  example: Example | null;
  near_miss: Example | null;
}

/** What another value of a house rule makes of a row. */
export interface Switch {
  when: Values;
  /** What it changes, in words; null where the row's other switches have said so. */
  says: Names | null;
  set: Record<string, unknown>;
}

export interface Example {
  concealed: string[];
  melds: { form: string; tiles: string[] }[];
  flowers: string[];
  seat: string;
  round: string;
  win: { by: string; tile: string | null; from: string | null } | null;
  /** What else was so, as a scoring record says it. */
  facts: Values;
  options: Values;
}

export interface Instant {
  id: string;
  name: Names;
  rule: Names;
  points: number[];
  /** The points counted in bases; 0 where they are points of their own. */
  bases: number;
  clause: string;
}

export interface Option {
  id: string;
  name: Names;
  rule: Names | null;
  type: "boolean" | "integer" | "text";
  default: Value;
  values: Value[];
  value_names: Record<string, Names>;
  clause: string;
}

export interface Step {
  id: string;
  name: Names;
  rule: Names;
  clause: string;
}

/** The value of every switch at a table that has chosen `options`. */
export function valuesOf(book: Book, options: Values): Values {
  return Object.fromEntries(book.options.map((option) => [option.id, options[option.id] ?? option.default]));
}

/** What a row gives where the switches have these values; later switches overrule. */
export function rowWith(row: Row, values: Values): Row {
  const given = row.points_from === null ? undefined : values[row.points_from];
  const set = row.switches.filter(({ when }) => Object.entries(when).every(([option, value]) => values[option] === value)).map((found) => found.set);
  return Object.assign({ ...row }, ...(typeof given === "number" ? [{ points: given }] : []), ...set.map(numbersOf)) as Row;
}

/** What is paid at once where the switches have these values. */
export function instantWith({ points, bases }: Instant, values: Values): number[] {
  const base = values["base"];
  return bases > 0 && typeof base === "number" ? [bases * base] : points;
}

/** The part of what a switch sets that is told in numbers. */
function numbersOf(set: Record<string, unknown>): Partial<Pick<Row, "points" | "doubles" | "limit">> {
  const { points, doubles, limit } = set;
  return {
    ...(typeof points === "number" ? { points } : {}),
    ...(typeof doubles === "number" ? { doubles } : {}),
    ...(limit === "half" || limit === "whole" || limit === null ? { limit } : {}),
  };
}

interface Entry {
  name: Names;
  rule: Names | null;
  clause: string;
}

/** Whether every word of `text` occurs in an entry's words, whichever language they are in; `cited` words its clause. */
export function matcher(text: string, cited: (clause: string) => string): (entry: Entry) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return ({ name, rule, clause }) => {
    const said = [name.en, name.zh, rule?.en, rule?.zh, clause, cited(clause)].join(" ").toLowerCase();
    return words.every((word) => said.includes(word));
  };
}
