"""A server in a thread of its own and a real browser in front of it."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, sync_playwright

from parlour_server.settings import Bots, Listen, Settings, Tables
from tests.e2e.demo import Demo, build
from tests.e2e.house import House, Wall, dealing, script_bots, seat_maker

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture
def open_house(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., House]]:
    """`open_house(seed=7)`: bots that do not dawdle, a short floor.

    `walls` are those of the first deals, `seat` is where the maker of a table sits, `bots` what bots do by seat.
    """
    houses: list[House] = []

    def opening(
        seed: int = 7,
        floor_ms: int = 60,
        *,
        walls: Sequence[Wall] = (),
        seat: int | None = None,
        bots: Mapping[int, Sequence[str]] | None = None,
    ) -> House:
        if seat is not None:
            seat_maker(monkeypatch, seat)
        if bots is not None:
            script_bots(monkeypatch, bots)
        delays = Bots(0, 20 if floor_ms else 0)
        settings = Settings(listen=Listen(port=0), tables=Tables(floor_ms=floor_ms), bots=delays)
        houses.append(House(settings, dealing(seed, walls)).__enter__())
        return houses[-1]

    yield opening
    for house in houses:
        house.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium that `tools/chromium.py` found, or the one on the PATH.

    Not for the whole session: while Playwright is up, its loop runs in this thread and no asynchronous test can.
    """
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "no Chromium: run `make e2e`, which finds or installs one"
    arguments = [*ARGUMENTS, "--no-sandbox"] if os.geteuid() == 0 else list(ARGUMENTS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A fresh browser profile; whatever the page complains about, or asks of another host, fails the test.

    `beside` opens another tab of that page's profile; `expected` are complaints that the test provokes.
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []
    expecting: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text}")

    def on_response(response: Response) -> None:
        if "//127.0.0.1:" not in response.url:
            complaints.append(f"asked another host: {response.url}")
        elif response.status >= 400:
            complaints.append(f"{response.status} for {response.url}")

    def opening(
        locale: str = "en-GB", size: dict[str, int] = DESK, *, beside: Page | None = None, expected: str | None = None
    ) -> Page:
        if beside is None:
            context = browser.new_context(
                locale=locale, viewport={"width": size["width"], "height": size["height"]}, reduced_motion="reduce"
            )
            contexts.append(context)
        else:
            context = beside.context
        if expected is not None:
            expecting.append(expected)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", on_console)
        page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        page.on("response", on_response)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert [found for found in complaints if not any(re.search(known, found) for known in expecting)] == []


@pytest.fixture(scope="module")
def demo(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One tab for all of this module."""
    folder = tmp_path_factory.mktemp("demo")
    build(folder)
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield Demo(page, folder)
    context.close()
