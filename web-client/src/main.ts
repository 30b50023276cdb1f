import "./app.css";
import "./fonts/fonts.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { parlour } from "./state/parlour.svelte";
import { placeFaces } from "./tiles/sprite";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app element");
// First of all, so that the line opens while the page is drawn.
parlour.start();
placeFaces(document);
mount(App, { target });
