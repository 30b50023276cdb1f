import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig(({ command }) => ({
  plugins: [svelte()],
  publicDir: "static",
  // The page must run under a strict Content-Security-Policy: no inline script, no data: URLs.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: command === "build" ? ["index.html"] : ["index.html", "demo.html"] },
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
}));
