import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// `--mode demo` builds the page of made-up states instead, which the browser's tests look at.
const pages = (command: string, mode: string): string[] => {
  if (mode === "demo") return ["demo.html"];
  return command === "build" ? ["index.html"] : ["index.html", "demo.html"];
};

export default defineConfig(({ command, mode }) => ({
  plugins: [svelte()],
  publicDir: "static",
  // The page must run under a strict Content-Security-Policy: no inline script, no data: URLs.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pages(command, mode) },
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true }, "/rules": "http://127.0.0.1:8000" } },
  test: {
    include: ["tests/**/*.test.ts"],
    // Of this there is something to try only where tests/client has written a recording and runs it.
    exclude: process.env["PARLOUR_RECORDING"] === undefined ? ["tests/recorded.test.ts"] : [],
    environment: "node",
  },
}));
