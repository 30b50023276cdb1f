"""Stores on real files, opened and closed by the tests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from parlour_server.storage.database import Dialect
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.telling import QUICK

Opening = Callable[[], Awaitable[ThreadedStore]]


class Place:
    """A database, and how a server opens it."""

    def __init__(self, dialect: Callable[[], Dialect]) -> None:
        self.dialect = dialect

    def open(self) -> ThreadedStore:
        """A server's store on it."""
        return ThreadedStore(self.dialect(), asyncio.get_running_loop().call_soon_threadsafe, QUICK)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A database of its own for each test."""
    return Place(lambda: Sqlite(tmp_path / "store" / "parlour.db"))


@pytest.fixture
async def store(place: Place) -> AsyncIterator[ThreadedStore]:
    """An open store."""
    async with AsyncExitStack() as stack:
        opened = place.open()
        stack.push_async_callback(opened.close)
        yield opened
