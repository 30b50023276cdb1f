import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the page loads nothing from another host and runs no inline script", () => {
  const page = readFileSync("index.html", "utf8");
  expect(page).not.toMatch(/https?:\/\//);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/\sstyle=|<style/);
});
