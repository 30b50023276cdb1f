"""A person at the page, as a test plays one: looks, taps, and takes what it is offered."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

OFFER = "[data-move], [data-discard][aria-disabled='false']"
SETTLED = "[role=dialog]"


def sit_down(page: Page, url: str) -> str:
    """Open the front page and click Play: one click. Returns the table's link."""
    page.goto(url)
    page.locator("[data-play]:enabled").click()
    expect(page).to_have_url(re.compile(r"/t/[\w-]{20,}$"))
    page.locator("[data-discard]").first.wait_for()
    return page.url


def own_tiles(page: Page) -> list[str]:
    """The tiles of one's own hand, as the page shows them."""
    found = page.locator("[data-discard]").evaluate_all("tiles => tiles.map(tile => tile.dataset.discard)")
    return [str(tile) for tile in found]


def answer(page: Page, *, claims: bool = False) -> str | None:
    """Answer what is asked now, if anything: a win always, a claim if `claims`, else pass; or discard the last tile."""
    wanted = ["win", "gong", "pong", "chow", "pass"] if claims else ["win", "pass"]
    for move in wanted:
        button = page.locator(f"[data-move^='{move}']")
        if button.count():
            button.first.click()
            return move
    tiles = page.locator("[data-discard][aria-disabled='false']")
    if not tiles.count():
        return None
    tile = tiles.last
    tile.click()
    if tile.count() and tile.get_attribute("aria-pressed") == "true":
        page.wait_for_timeout(350)  # a second tap at once would be a double click, which the page ignores
        tile.click()
    return "discard"


def play_until(page: Page, done: Callable[[], bool], *, claims: bool = False, steps: int = 400) -> None:
    """Answer whatever is asked until `done()`."""
    for _ in range(steps):
        page.locator(f"{OFFER}, {SETTLED}").first.wait_for()
        if done():
            return
        if page.locator(SETTLED).count():
            raise AssertionError("the deal was settled before the test was done with it")
        try:
            answer(page, claims=claims)
        except Exception as gone:  # the offer may lapse between the look and the tap, as for a person
            if "Timeout" not in str(gone) and "detached" not in str(gone):
                raise
    raise AssertionError(f"not done after {steps} answers")
