"""The page of made-up states (`web-client/src/demo`), built once and shown without a server."""

import json
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Route

from parlour_server.rulebook import rulebook
from parlour_server.rulesets import load_ruleset

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://127.0.0.1:9/demo.html"
"""Nothing listens there: every request is answered from the folder."""
NO_BOOKS = {"nope": 404, "failing": 503}
"""The rule books that there are not, and how the server says so."""


def build(folder: Path) -> None:
    """Build the page into `folder`."""
    arguments = ("exec", "--", "vite", "build", "--mode", "demo", "--outDir", str(folder), "--emptyOutDir")
    command = [str(ROOT / "tools/npm.sh"), *arguments]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr


class Demo:
    """A tab with the page in it."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self._folder = folder
        self._shown = 0
        page.route("http://127.0.0.1:9/**", self._answer)
        page.goto(ADDRESS)

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path.lstrip("/")
        if path.startswith("rules/"):
            # The rule books are the true ones: theirs are the words that must fit.
            key = path.removeprefix("rules/").removesuffix(".json")
            if key in NO_BOOKS:
                route.fulfill(status=NO_BOOKS[key])
            else:
                route.fulfill(body=json.dumps(rulebook(load_ruleset(key))), content_type="application/json")
        else:
            route.fulfill(path=self._folder / path)

    def show(self, fixture: str, language: str = "en", direction: str = "ltr") -> None:
        """Show a made-up state, afresh; it is drawn when this returns."""
        self._shown += 1
        self.page.evaluate(
            """async hash => {
                location.hash = hash;
                await new Promise(done => addEventListener("hashchange", done, { once: true }));
                while (document.querySelector(".state[role=status]") !== null) await new Promise(requestAnimationFrame);
                await document.fonts.ready;
                await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
            }""",
            f"#fixture={fixture}&lang={language}&dir={direction}&number={self._shown}",
        )

    def size(self, width: int, height: int) -> None:
        """Another window."""
        self.page.set_viewport_size({"width": width, "height": height})

    def pressed(self, button: Locator, key: str) -> str:
        """Press a key on a button; returns what the page would do."""
        button.focus()
        return self.said(key)

    def said(self, key: str) -> str:
        """Press a key on what has the focus; returns the move that the page would send."""
        with self.page.expect_console_message(timeout=3000) as told:
            self.page.keyboard.press(key)
        return told.value.text
