"""A person at the page, as a test plays one: looks, taps, and takes what it is offered."""

import json
import re
from collections.abc import Callable, Sequence

from playwright.sync_api import Page, expect

OFFER = "[data-move], [data-discard][aria-disabled='false']"
TURN = "[data-discard][aria-disabled='false']"
SETTLED = "[role=dialog]"

AUTOPILOT = """() => setInterval(() => {
    const next = document.querySelector("[data-ready]:enabled, [data-move='win'], [data-move='pass']");
    (next ?? [...document.querySelectorAll("[data-discard][aria-disabled='false']")].at(-1))?.click();
}, 25)"""
"""Passes, throws what it has drawn, and wins where it may, from now on and without a round trip for every tap."""


def keep_settings(page: Page, **settings: bool) -> None:
    """Open pages with these settings, as if they had been chosen before."""
    kept = json.dumps(json.dumps(settings))
    page.add_init_script(
        f"localStorage.getItem('parlour.settings') ?? localStorage.setItem('parlour.settings', {kept})"
    )


def sit_down(
    page: Page, url: str, *, clocks: str | None = None, game: str | None = None, rounds: str | None = None
) -> str:
    """Open the front page and click Play: one click. Returns the table's link.

    `game`, `clocks` and `rounds` are chosen before.
    """
    page.goto(url)
    if game is not None:
        page.locator(f"[name='game'][value='{game}']").check()
    if clocks is not None or rounds is not None:
        page.locator("[data-options] summary").click()
    if clocks is not None:
        page.locator("[data-clocks]").select_option(clocks)
    if rounds is not None:
        page.locator("[data-length]").select_option(rounds)
    page.locator("[data-play]:enabled").click()
    expect(page).to_have_url(re.compile(r"/t/[\w-]{20,}$"))
    page.locator("[data-discard]").first.wait_for()
    return page.url


def own_tiles(page: Page) -> list[str]:
    """The tiles of one's own hand, as the page shows them."""
    found = page.locator("[data-discard]").evaluate_all("tiles => tiles.map(tile => tile.dataset.discard)")
    return [str(tile) for tile in found]


def own_seat(page: Page) -> int:
    """The seat at the bottom of the table."""
    return int(page.locator(".seat.self").get_attribute("data-seat") or "-1")


def numbers(texts: Sequence[str]) -> list[int]:
    """Points as the page writes them; nothing counts as none."""
    return [int(text.replace("\u2212", "-").replace("+", "").replace(",", "") or 0) for text in texts]


def answer(page: Page, *, claims: bool = False, wanted: Sequence[str] | None = None) -> str | None:
    """Answer what is asked now, if anything: a win always, a claim if `claims`, else pass; or discard the last tile."""
    if wanted is None:
        wanted = ["win", "gong", "pong", "chow", "pass"] if claims else ["win", "pass"]
    for move in wanted:
        button = page.locator(f"[data-move^='{move}']")
        if button.count():
            button.first.click()
            return move
    tiles = page.locator(TURN)
    if not tiles.count():
        return None
    tile = tiles.last
    tile.click()
    if tile.count() and tile.get_attribute("aria-pressed") == "true":
        page.wait_for_timeout(350)  # a second tap at once would be a double click, which the page ignores
        tile.click()
    return "discard"


def play_until(
    page: Page,
    done: Callable[[], bool],
    *,
    claims: bool = False,
    wanted: Sequence[str] | None = None,
    steps: int = 400,
) -> None:
    """Answer whatever is asked until `done()`."""
    for _ in range(steps):
        page.locator(f"{OFFER}, {SETTLED}").first.wait_for()
        if done():
            return
        if page.locator(SETTLED).count():
            raise AssertionError("the deal was settled before the test was done with it")
        try:
            answer(page, claims=claims, wanted=wanted)
        except Exception as gone:  # the offer may lapse between the look and the tap, as for a person
            if "Timeout" not in str(gone) and "detached" not in str(gone):
                raise
    raise AssertionError(f"not done after {steps} answers")
