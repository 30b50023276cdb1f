import { beforeEach, expect, test, vi } from "vitest";

import { books } from "../src/rules/books.svelte";

const answers: (() => Promise<Response>)[] = [];
const asked: string[] = [];
vi.stubGlobal("fetch", (path: string) => {
  asked.push(path);
  return (answers.shift() ?? (() => Promise.reject(new TypeError("no line"))))();
});
const status = (code: number, body: unknown = {}) => () => Promise.resolve(Response.json(body, { status: code }));

beforeEach(() => {
  asked.length = answers.length = 0;
});

test("a book that the server has not is told from one that could not be fetched", async () => {
  answers.push(status(404));
  await books.fetch("nope");
  expect(books.find("nope")).toBe("unknown");
  for (const [key, answer] of Object.entries({ down: status(503), lost: () => Promise.reject(new TypeError("no line")), cut: () => Promise.resolve(new Response("{")) })) {
    answers.push(answer);
    await books.fetch(key);
    expect(books.find(key), key).toBe("failed");
  }
});

test("a book is fetched once, and what did not come is asked for again", async () => {
  answers.push(status(503), status(404), status(200, { key: "x" }));
  const found = [];
  for (let times = 0; times < 4; times++) {
    const coming = books.fetch("x");
    found.push(books.find("x"));
    await coming;
    found.push(books.find("x"));
  }
  const book = { key: "x" };
  expect(found).toEqual(["coming", "failed", "coming", "unknown", "coming", book, book, book]);
  expect(asked).toEqual(Array(3).fill("/rules/x.json"));
});

test("a book under way is not asked for twice", async () => {
  answers.push(status(200, { key: "y" }));
  await Promise.all([books.fetch("y"), books.fetch("y")]);
  expect(asked).toEqual(["/rules/y.json"]);
});
