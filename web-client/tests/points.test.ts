import { expect, test } from "vitest";
import { points, signed } from "../src/table/points";

test("P07: points below zero have a true minus sign, not a hyphen", () => {
  expect(points(-37)).toBe("\u221237");
  expect(points(0)).toBe("0");
  expect(points(37)).toBe("37");
  expect(signed(-37)).toBe("\u221237");
  expect(signed(37)).toBe("+37");
  expect(signed(0)).toBe("0");
});
