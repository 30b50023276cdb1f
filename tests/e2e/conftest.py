"""A server in a thread of its own and a real browser in front of it."""

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, sync_playwright

from parlour_server.hall import Hall
from parlour_server.resources import client_root
from parlour_server.server import Parlour
from parlour_server.settings import Bots, Listen, Settings, Tables
from tests.kit.deals import seeded

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


class House:
    """A server that is up while the test runs."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self._settings = settings
        self._seed = seed
        self._up = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self.url = ""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        hall = Hall(self._settings, deals_of=seeded(self._seed))
        async with Parlour(self._settings, client_root(), hall) as parlour:
            self.url = parlour.url
            self._up.set()
            await self._stop.wait()

    def __enter__(self) -> "House":
        self._thread.start()
        assert self._up.wait(20), "the server did not come up"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)


@pytest.fixture
def open_house() -> Iterator[Callable[..., House]]:
    """`open_house(seed=7)`: bots that do not dawdle, a short floor."""
    houses: list[House] = []

    def opening(seed: int = 7, floor_ms: int = 60) -> House:
        settings = Settings(listen=Listen(port=0), tables=Tables(floor_ms=floor_ms), bots=Bots(0, 20))
        houses.append(House(settings, seed).__enter__())
        return houses[-1]

    yield opening
    for house in houses:
        house.__exit__()


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
    """A fresh browser profile; whatever the page complains about, or asks of another host, fails the test."""
    complaints: list[str] = []
    contexts = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text}")

    def on_response(response: Response) -> None:
        if "//127.0.0.1:" not in response.url:
            complaints.append(f"asked another host: {response.url}")
        elif response.status >= 400:
            complaints.append(f"{response.status} for {response.url}")

    def opening(locale: str = "en-GB", size: dict[str, int] = DESK) -> Page:
        context = browser.new_context(
            locale=locale, viewport={"width": size["width"], "height": size["height"]}, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", on_console)
        page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        page.on("response", on_response)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert complaints == []
