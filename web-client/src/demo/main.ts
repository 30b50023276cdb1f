// Development only: the table with made-up states, at /demo.html?fixture=NAME&lang=zh. Not part of the build.
import "../app.css";
import "../fonts/fonts.css";

import { mount } from "svelte";

import { speech } from "../i18n/language.svelte";
import { placeFaces } from "../tiles/sprite";
import Demo from "./Demo.svelte";
import { fixtures } from "./fixtures";

const wanted = new URLSearchParams(location.search);
placeFaces(document);
if (wanted.get("lang") === "zh") speech.speak("zh");
if (wanted.get("lang") === "en") speech.speak("en");
const fixture = fixtures[wanted.get("fixture") ?? "middle"];
const target = document.getElementById("app");
if (target === null || fixture === undefined) throw new Error(`fixtures: ${Object.keys(fixtures).join(", ")}`);
mount(Demo, { target, props: { fixture: fixture() } });
