import { expect, test, vi } from "vitest";

vi.stubGlobal("navigator", { languages: ["en"] });
const { languages } = await import("../src/i18n/language.svelte");
const { called, calledAll, isDefault } = await import("../src/names");
const { hello } = await import("../src/state/session");

test("a guest is called so in the language in use, and nobody else is renamed", () => {
  const { en, zh } = languages;
  expect([called("Guest 123", zh), called("Guest 123", en)]).toEqual(["訪客 123", "Guest 123"]);
  for (const name of ["Guest", "Guest  1", "guest 1", "Guest 1a", "A Guest 1", "Guest １", "訪客 1", "Wing", ""]) {
    expect(called(name, zh), name).toBe(name);
    expect(called(name, en), name).toBe(name);
  }
  const seats = [{ seat: 0, name: "Guest 7" }, { seat: 1, name: "Wing" }];
  expect(calledAll(seats, zh)).toEqual([{ seat: 0, name: "訪客 7" }, { seat: 1, name: "Wing" }]);
  expect(seats[0]?.name).toBe("Guest 7");
});

test("the name that the house has given is no wish", () => {
  for (const name of ["Guest 123", "訪客 123"]) {
    expect(isDefault(name)).toBe(true);
    expect(hello(null, name)).toMatchObject({ name: null });
  }
  for (const name of ["Guest", "訪客", "Guest 1a", "Wing 3"]) expect(isDefault(name), name).toBe(false);
  expect(hello(null, "Wing 3")).toMatchObject({ name: "Wing 3" });
});
