"""What a PostgreSQL server adds: it can be another's, be gone, come back, and not say whether a commit was one."""

import asyncio
import sys
from functools import partial

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed here")

from parlour_server.storage.database import Database  # noqa: E402 # only where the driver is
from parlour_server.storage.migrations import STEPS  # noqa: E402 # only where the driver is
from parlour_server.storage.opening import open_store  # noqa: E402 # only where the driver is
from parlour_server.storage.postgres import Postgres  # noqa: E402 # only where the driver is
from parlour_server.storage.store import StoreBusy, StoreError, StoreNewer  # noqa: E402 # only where the driver is
from parlour_server.storage.threads import ThreadedStore  # noqa: E402 # only where the driver is
from tests.server.storage.faults import Counts, Faulty  # noqa: E402 # only where the driver is
from tests.server.storage.servers import PostgresServer  # noqa: E402 # only where the driver is
from tests.server.storage.telling import QUICK, made, numbers, rows, written  # noqa: E402 # only where the driver is


def opened(url: str, **more: object) -> ThreadedStore:
    dialect = Postgres(url, **more)  # type: ignore[arg-type]  # passed on as they are
    return ThreadedStore(dialect, asyncio.get_running_loop().call_soon_threadsafe, (0.02,))


def schema(url: str) -> list[tuple[object, ...]]:
    columns = "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
    with psycopg.connect(url) as connection:
        found = connection.execute(f"{columns} WHERE table_schema = current_schema() ORDER BY 1, 2".encode()).fetchall()
        found += connection.execute(
            b"SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1, 2"
        ).fetchall()
    return list(found)


async def test_a_second_server_is_refused_until_the_first_is_gone(postgres_url: str) -> None:
    store = open_store(postgres_url, asyncio.get_running_loop().call_soon_threadsafe)
    await written(store, made("one"))
    with pytest.raises(StoreBusy, match="in use by another server"):
        Postgres(postgres_url)
    await written(store, rows("one", 1))
    await store.close()
    Postgres(postgres_url).release()


async def test_a_server_that_crashes_and_comes_back_costs_nothing(postgres: PostgresServer, postgres_url: str) -> None:
    store = opened(postgres_url)
    heard: list[object] = []
    trouble = asyncio.Event()
    store.on_trouble(heard.append)
    store.on_trouble(lambda _: trouble.set())
    await written(store, made("one"), rows("one", 0))
    assert numbers(await store.all_rows("one")) == [0]
    for turn in range(2):
        trouble.clear()
        await asyncio.to_thread(postgres.kill)
        first = 1 + turn * 50
        for number in range(first, first + 50):
            store.write(rows("one", number), partial(heard.append, number))
        await asyncio.wait_for(trouble.wait(), 20)
        with pytest.raises(StoreError, match="cannot be read"):
            await store.all_rows("one")
        await asyncio.to_thread(postgres.start)
        await written(store, made(f"more {turn}"))
        assert numbers(await store.all_rows("one")) == list(range(first + 50))
    assert [one for one in heard if not isinstance(one, bool)] == list(range(1, 101))
    assert [one for one in heard if isinstance(one, bool)] == [True, False, True, False]
    assert await store.close() == 0


async def test_who_has_lost_the_lock_does_not_write_beside_the_one_who_has_it(postgres_url: str) -> None:
    store = opened(postgres_url)
    heard: list[object] = []
    trouble = asyncio.Event()
    store.on_trouble(heard.append)
    store.on_trouble(lambda _: trouble.set())
    await written(store, made("one"))
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        operator.execute(
            b"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid() "
            b"AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid"
        )
        other = Postgres(postgres_url)
        store.write(rows("one", 1), partial(heard.append, "done"))
        await asyncio.wait_for(trouble.wait(), 20)
        await asyncio.sleep(0.1)
        assert heard == [True]
        assert operator.execute(b"SELECT COUNT(*) FROM journal").fetchall() == [(0,)]
        other.release()
    await written(store, rows("one", 2))
    assert "done" in heard
    assert numbers(await store.all_rows("one")) == [1, 2]
    await store.close()


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("kind", ["write", "commit"])
async def test_every_third_of_the_first_writes_or_commits_fails(postgres_url: str, kind: str, late: bool) -> None:
    counts = Counts()

    def wrapped(database: Database) -> Database:
        return Faulty(
            database,
            lambda step, number: step == kind and number % 3 == 1 and number <= 100,
            counts,
            late=late,
            error=psycopg.OperationalError,
        )

    store = ThreadedStore(
        Postgres(postgres_url, wrapped=wrapped), asyncio.get_running_loop().call_soon_threadsafe, QUICK
    )
    called: list[int] = []
    await written(store, made("one"))
    for number in range(100):
        store.write(rows("one", number), partial(called.append, number))
        if number % 4 == 0:
            await asyncio.sleep(0.002)
    await written(store, made("two"))
    assert called == list(range(100))
    assert numbers(await store.all_rows("one")) == list(range(100))
    assert await store.close() == 0


@pytest.mark.parametrize("older", range(len(STEPS) + 1))
def test_every_older_database_becomes_like_a_new_one(postgres: PostgresServer, postgres_url: str, older: int) -> None:
    Postgres(postgres_url, steps=STEPS[:older]).release()
    Postgres(postgres_url).release()
    upgraded = schema(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(b"DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || current_schema() || ' CASCADE'; END $$")
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        name = postgres_url.rpartition("%3D")[2]
        connection.execute(f"CREATE SCHEMA {name}".encode())
    Postgres(postgres_url).release()
    assert schema(postgres_url) == upgraded
    assert {row[0] for row in upgraded} >= {"journal", "matches", "schema_version"}


def test_a_database_of_a_newer_program_is_refused(postgres_url: str) -> None:
    newer = (*STEPS, ("CREATE TABLE more (id {text})",))
    Postgres(postgres_url, steps=newer).release()
    with pytest.raises(StoreNewer, match=f"schema {len(STEPS) + 1}, this program knows {len(STEPS)}"):
        Postgres(postgres_url)
    Postgres(postgres_url, steps=newer).release()


@pytest.mark.parametrize(
    ("url", "cure"),
    [
        ("postgresql://ann:geheim@/none?host=/nowhere", "check storage.url and the server"),
        ("postgresql://ann:geheim@localhost:port/parlour", "check storage.url and the server"),
        ("postgresql://ann:geheim@localhost/parlour?colour=green", "write postgresql://USER@HOST/DATABASE"),
    ],
)
def test_a_server_that_cannot_be_had_is_told_in_one_line_without_the_password(url: str, cure: str) -> None:
    with pytest.raises(StoreError) as raised:
        Postgres(url)
    assert cure in str(raised.value)
    assert "geheim" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_without_the_driver_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "parlour_server.storage.postgres", raising=False)
    with pytest.raises(StoreError, match=r"pip install mahjong-parlour\[postgres\]"):
        open_store("postgresql://localhost/parlour", lambda *_: None)
