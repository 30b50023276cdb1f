// Development and tests only: the table with made-up states, at /demo.html#fixture=NAME&lang=zh. Not part of the build.
import "../app.css";
import "../fonts/fonts.css";

import { mount, unmount } from "svelte";

import { speech } from "../i18n/language.svelte";
import { placeFaces } from "../tiles/sprite";
import Demo from "./Demo.svelte";
import { fixtures } from "./fixtures";

const target = document.getElementById("app");
let shown: object | undefined;

/** Show what the address asks for; another one is shown without loading the page again. */
function show(): void {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const fixture = fixtures[wanted.get("fixture") ?? "middle"];
  if (target === null || fixture === undefined) throw new Error(`fixtures: ${Object.keys(fixtures).join(", ")}`);
  speech.speak(wanted.get("lang") === "zh" ? "zh" : "en");
  document.documentElement.lang = speech.text.lang;
  document.documentElement.dir = wanted.get("dir") === "rtl" ? "rtl" : "ltr";
  if (shown !== undefined) void unmount(shown);
  shown = mount(Demo, { target, props: { fixture: fixture() } });
}

placeFaces(document);
addEventListener("hashchange", show);
show();
