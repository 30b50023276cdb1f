"""A real server on an ephemeral port, and clients that speak to it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import structlog

from parlour_server.fairness.seal import Signer
from parlour_server.hall import Hall
from parlour_server.log import start_log
from parlour_server.people.house import House as Rulings
from parlour_server.server import Parlour
from parlour_server.settings import Bots, Limits, Listen, Settings, Tables
from parlour_server.storage.changes import StoredMatch
from parlour_server.storage.store import Store
from parlour_server.table.journal import Row
from parlour_server.table.shuffling import Deals as Source
from tests.kit.clients import Client
from tests.kit.houses import build
from tests.kit.stores import MemoryStore

OPEN = Limits(messages_per_second=100_000, messages_burst=100_000)
"""Tests that play as fast as they can are no flood."""


@pytest.fixture(autouse=True)
def log() -> Iterator[None]:
    """The log as it was, whatever a test makes of it."""
    start_log("error")
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def own_storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that a test starts keep nothing where the user's own server keeps it."""
    monkeypatch.setenv("PARLOUR_STORAGE_URL", str(tmp_path / "kept" / "parlour.db"))


@pytest.fixture
def quick() -> Settings:
    """No floor, no thinking, no limit of speed."""
    return Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(floor_ms=0), bots=Bots(0, 0))


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A client small enough to read."""
    (tmp_path / "client" / "assets").mkdir(parents=True)
    (tmp_path / "client" / "index.html").write_bytes(b"<!doctype html><title>Parlour</title>" * 10)
    (tmp_path / "client" / "assets" / "index-aJwKb_MF.js").write_bytes(b"console.log('parlour');\n" * 20_000)
    return tmp_path / "client"


class House:
    """A running server and what tests ask of it."""

    def __init__(self, stack: AsyncExitStack, parlour: Parlour, hall: Hall) -> None:
        self._stack = stack
        self.parlour = parlour
        self.hall = hall

    async def client(self, name: str = "Ada", **options: object) -> Client:
        """Somebody who has said hello."""
        client = Client(self.parlour.url, name, **options)  # type: ignore[arg-type]  # passed on as they are
        await self._stack.enter_async_context(client)
        return client


Opening = Callable[..., Awaitable[House]]


@pytest.fixture
async def open_house(page: Path, quick: Settings) -> AsyncIterator[Opening]:
    """Open a house: `house = await open_house(settings, deals_of=...)`; it is closed after the test."""
    async with AsyncExitStack() as stack:

        async def opening(
            settings: Settings = quick,
            *,
            store: Store | None = None,
            deals_of: Callable[[str], Source] | None = None,
            record: Callable[[str, list[Row]], None] | None = None,
            rulings: Rulings | None = None,
            keep_file: Callable[[StoredMatch], None] | None = None,
            signer: Signer | None = None,
        ) -> House:
            parlour = build(
                settings,
                page,
                MemoryStore() if store is None else store,
                deals_of=deals_of,
                record=record,
                rulings=rulings,
                keep_file=keep_file,
                signer=signer,
            )
            await parlour.hall.resume()
            await stack.enter_async_context(parlour)
            return House(stack, parlour, parlour.hall)

        yield opening
