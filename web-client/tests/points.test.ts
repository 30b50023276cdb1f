import { expect, test } from "vitest";
import { doubled, points, signed } from "../src/table/points";

test("P07: points below zero have a true minus sign, not a hyphen", () => {
  expect(points(-37)).toBe("\u221237");
  expect(points(0)).toBe("0");
  expect(points(37)).toBe("37");
  expect(signed(-37)).toBe("\u221237");
  expect(signed(37)).toBe("+37");
  expect(signed(0)).toBe("0");
});

test("large numbers are read in groups of three", () => {
  expect([9999, 22016, -380928, 1234567].map(points)).toEqual(["9999", "22,016", "−380,928", "1,234,567"]);
  expect(signed(63488)).toBe("+63,488");
});

test("each double is a factor, and many are a power", () => {
  expect(doubled(52, 3)).toEqual({ factors: "52 × 2 × 2 × 2", power: null });
  expect(doubled(62, 10)).toEqual({ factors: "62 × 2", power: 10 });
});
