"""Stores on real databases, opened and closed by the tests: each test runs on SQLite and, where one is installed, on a
PostgreSQL server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from parlour_server.storage.database import Database, Dialect
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.servers import PostgresServer, missing
from tests.server.storage.telling import QUICK

_NUMBERS: Final = count(1)


class Place:
    """A database, and how a server opens it: `dialect(wrapped=...)`."""

    def __init__(self, dialect: Callable[..., Dialect]) -> None:
        self.dialect = dialect

    def open(self, wrapped: Callable[[Database], Database] = lambda database: database) -> ThreadedStore:
        """A server's store on it."""
        dialect = self.dialect(wrapped=wrapped)
        return ThreadedStore(dialect, asyncio.get_running_loop().call_soon_threadsafe, QUICK)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server for all tests that want one."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    """A schema of its own on that server."""
    import psycopg  # noqa: PLC0415 # not everybody has it

    name = f"test_{next(_NUMBERS)}"
    with psycopg.connect(postgres.url) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{postgres.url}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A database of its own for each test."""
    if request.param == "sqlite":
        return Place(lambda **more: Sqlite(tmp_path / "store" / "parlour.db", **more))
    url = request.getfixturevalue("postgres_url")
    from parlour_server.storage.postgres import Postgres  # noqa: PLC0415 # as above

    return Place(lambda **more: Postgres(url, **more))


@pytest.fixture
async def store(place: Place) -> AsyncIterator[ThreadedStore]:
    """An open store."""
    async with AsyncExitStack() as stack:
        opened = place.open()
        stack.push_async_callback(opened.close)
        yield opened
