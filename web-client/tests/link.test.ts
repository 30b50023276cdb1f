import { expect, test } from "vitest";

import { pasted, tableOfPath } from "../src/net/link";

const HERE = "https://parlour.example:8443";

test.each([
  "Qn3xY_8-zZ",
  "  Qn3xY_8-zZ\n",
  "https://parlour.example:8443/t/Qn3xY_8-zZ",
  "https://PARLOUR.example:8443/t/Qn3xY_8-zZ/",
  "https://parlour.example:8443/t/Qn3xY_8-zZ?from=chat#/rules/lrc",
  "parlour.example:8443/t/Qn3xY_8-zZ",
  "/t/Qn3xY_8-zZ",
  "Mahjong Parlour https://parlour.example:8443/t/Qn3xY_8-zZ",
])("%j is a table of this server", (text) => {
  expect(pasted(text, HERE)).toEqual({ table: "Qn3xY_8-zZ" });
});

test("the usual port need not be written", () => {
  expect(pasted("https://parlour.example:443/t/abcdefgh", "https://parlour.example")).toEqual({ table: "abcdefgh" });
  expect(pasted("localhost:8000/t/abcdefgh", "http://localhost:8000")).toEqual({ table: "abcdefgh" });
});

test.each([
  "https://example.com/t/Qn3xY_8-zZ",
  "example.com/t/Qn3xY_8-zZ",
  "//example.com/t/Qn3xY_8-zZ",
  "https://example.com/",
  // Another port, another scheme, a look-alike.
  "https://parlour.example/t/Qn3xY_8-zZ",
  "http://parlour.example:8443/t/Qn3xY_8-zZ",
  "https://parlour.example:8443@example.com/t/Qn3xY_8-zZ",
  "https://parlour.example.com:8443/t/Qn3xY_8-zZ",
])("%j is of another server", (text) => {
  expect(pasted(text, HERE)).toEqual({ wrong: "server" });
});

test.each(["", "short", "two wordsthatarelong", "https://parlour.example:8443/", "https://parlour.example:8443/t/", "/x/Qn3xY_8-zZ", "https://", "a".repeat(65)])("%j is no link of a table", (text) => {
  expect(pasted(text, HERE)).toEqual({ wrong: "link" });
});

test("a page's path names its table", () => {
  expect(["/t/abc", "/t/abc/", "/", "/t/a b", "/t/abc/more"].map(tableOfPath)).toEqual(["abc", "abc", null, null, null]);
});
