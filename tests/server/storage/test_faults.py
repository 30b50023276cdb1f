"""Nothing is lost, doubled or put out of order when writes fail, and nothing is called done that is not durable."""

import asyncio
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from parlour_server.storage import reading
from parlour_server.storage.changes import Change, IdentityMade, RowsTold, SessionMade
from parlour_server.storage.database import Database
from parlour_server.storage.sqlite import Sqlite, SqliteDatabase
from parlour_server.storage.store import StoreError
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.faults import Counts, Faulty, Plan
from tests.server.storage.telling import NOON, QUICK, made, numbers, row, rows, written

MANY = 230


def opened(path: Path, plan: Plan, *, late: bool = False, backoff: Sequence[float] = QUICK) -> ThreadedStore:
    counts = Counts()

    def wrapped(database: Database) -> Database:
        return Faulty(database, plan, counts, late=late)

    loop = asyncio.get_running_loop()
    # What the file is made with must not fail; only what the store asks afterwards.
    return ThreadedStore(Sqlite(path, "normal", wrapped=wrapped), loop.call_soon_threadsafe, backoff)


def stored(path: Path, table: str) -> list[int]:
    """The numbers of the rows of a table, as another program reads the file."""
    with closing(SqliteDatabase(path, "full")) as database:
        assert database.problems() == []
        following = 0
        for n, size in database.rows("SELECT n, size FROM journal WHERE live_table = ? ORDER BY n", (table,)):
            assert n == following, "the rows are not numbered one after the other"
            following = n + size
        return numbers(reading.all_rows(database, table))


async def told_one_by_one(store: ThreadedStore, path: Path, count: int) -> list[str]:
    """Tell rows and wait for each; what is called done is in the file at that moment. What was heard."""
    heard: list[str] = []
    store.on_trouble(lambda trouble: heard.append("trouble" if trouble else "over"))
    store.on_refused(lambda change, error: heard.append(f"refused {error}"))
    await written(store, made("one"))
    for number in range(count):
        await written(store, rows("one", number))
        if number % 50 == 0:
            assert stored(path, "one")[-1] == number
    return heard


@pytest.mark.parametrize("kind", ["write", "commit", "late commit"])
@pytest.mark.parametrize("first", range(3))
async def test_every_third_write_or_commit_fails(tmp_path: Path, kind: str, first: int) -> None:
    """In the three runs each of the first 200 fails once, and the next attempt does not."""
    path = tmp_path / "parlour.db"
    plan: Plan = lambda step, count: step == kind.rsplit(maxsplit=1)[-1] and count % 3 == first and count <= 200  # noqa: E731 # a plan is one question
    store = opened(path, plan, late=kind == "late commit")
    heard = await told_one_by_one(store, path, MANY)
    assert await store.close() == 0
    assert stored(path, "one") == list(range(MANY))
    assert heard == ["trouble", "over"] * (len(heard) // 2)
    assert len(heard) > 100


@pytest.mark.parametrize("kind", ["write", "commit", "late commit"])
async def test_a_single_failure_among_writes_that_come_in_bursts(tmp_path: Path, kind: str) -> None:
    failing = 0
    plan: Plan = lambda step, count: step == kind.rsplit(maxsplit=1)[-1] and count == failing  # noqa: E731 # as above
    for failing in range(1, 201, 7):  # the plan asks for it
        path = tmp_path / f"{failing}.db"
        store = opened(path, plan, late=kind == "late commit")
        heard: list[bool] = []
        store.on_trouble(heard.append)
        store.write(made("one"))
        store.write(made("two"))
        called: list[int] = []
        last = asyncio.Event()
        for number in range(MANY):
            table = "one" if number % 3 else "two"
            store.write(rows(table, number), partial(called.append, number))
            if number % 5 == 0:
                await asyncio.sleep(0)
        store.write(made("three"), last.set)
        await asyncio.wait_for(last.wait(), 20)
        assert await store.close() == 0
        assert called == list(range(MANY)), failing
        assert stored(path, "one") == [number for number in range(MANY) if number % 3], failing
        assert stored(path, "two") == [number for number in range(MANY) if not number % 3], failing
        assert heard in ([], [True, False]), failing


async def test_while_it_fails_nothing_is_done_and_afterwards_all_is_in_order(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    broken = False
    store = opened(path, lambda step, count: broken, backoff=(0.01,))
    heard: list[object] = []
    trouble = asyncio.Event()
    store.on_trouble(heard.append)
    store.on_trouble(lambda _: trouble.set())
    await written(store, made("one"), rows("one", 0))
    broken = True
    for number in range(1, 40):
        store.write(rows("one", number), partial(heard.append, number))
    await asyncio.wait_for(trouble.wait(), 20)
    await asyncio.sleep(0.1)
    assert heard == [True]
    assert stored(path, "one") == [0]
    assert numbers(await store.all_rows("one")) == [0]
    broken = False
    await written(store, rows("one", 40))
    assert stored(path, "one") == list(range(41))
    assert heard[0] is True
    assert [one for one in heard if not isinstance(one, bool)] == list(range(1, 40))
    assert heard.count(False) == 1
    await store.close()


async def test_a_change_that_can_never_be_written_is_left_out_and_told_and_the_others_go_on(tmp_path: Path) -> None:
    chance = random.Random(5)
    path = tmp_path / "parlour.db"
    store = opened(path, lambda step, count: step == "commit" and count % 4 == 0)
    refused: list[tuple[Change, str]] = []
    store.on_refused(lambda change, error: refused.append((change, type(error).__name__)))
    await written(store, made("one"))
    bad: list[Change] = [
        made("one"),
        rows("never made", 1),
        SessionMade(b"k", "nobody", NOON),
        RowsTold("one", [row(7), object()]),  # type: ignore[list-item]  # that is the point
        IdentityMade("ann", object(), NOON),  # type: ignore[arg-type]  # as above
    ]
    changes: list[Change] = [rows("one", number) for number in range(100)]
    for change in bad:
        changes.insert(chance.randrange(len(changes)), change)
    expected = [change for change in changes if change in bad]
    last = asyncio.Event()
    called: list[Change] = []
    for change in changes:
        store.write(change, partial(called.append, change))
    store.write(rows("one", 100), last.set)
    await asyncio.wait_for(last.wait(), 20)
    assert [change for change, _ in refused] == expected
    assert {name for _, name in refused} == {"IntegrityError", "AttributeError", "ProgrammingError"}
    assert called == [change for change in changes if change not in bad]
    assert await store.close() == 0
    assert stored(path, "one") == list(range(101))


async def test_a_disk_that_is_really_full_holds_the_writes_back_until_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    small: list[Database] = []

    def wrapped(database: Database) -> Database:
        database.run("PRAGMA max_page_count=60" if not small else "PRAGMA max_page_count=100000")
        small.append(database)
        return database

    store = ThreadedStore(
        Sqlite(path, "normal", wrapped=wrapped), asyncio.get_running_loop().call_soon_threadsafe, (0.01,)
    )
    heard: list[object] = []
    trouble = asyncio.Event()
    store.on_trouble(heard.append)
    store.on_trouble(lambda _: trouble.set())
    await written(store, made("one"))
    for number in range(200):
        told = [row(number * 20 + one) for one in range(20)]
        store.write(RowsTold("one", told), partial(heard.append, number))
    await asyncio.wait_for(trouble.wait(), 20)
    await asyncio.sleep(0.05)
    durable = [one for one in heard if not isinstance(one, bool)]
    assert durable == list(range(len(durable)))
    assert len(durable) < 200
    # The page count is a property of the connection: there is room again.
    small[0].run("PRAGMA max_page_count=100000")
    await written(store, made("two"))
    assert [one for one in heard if not isinstance(one, bool)] == list(range(200))
    assert await store.close() == 0
    assert stored(path, "one") == list(range(4000))


async def test_a_connection_that_cannot_even_take_back_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    made_connections: list[Database] = []

    class Torn(Faulty):
        def rollback(self) -> None:
            raise sqlite3.OperationalError("the line is cut")

    counts = Counts()

    def wrapped(database: Database) -> Database:
        made_connections.append(Torn(database, lambda step, count: step == "commit" and count % 5 == 0, counts))
        return made_connections[-1]

    store = ThreadedStore(Sqlite(path, wrapped=wrapped), asyncio.get_running_loop().call_soon_threadsafe, QUICK)
    await told_one_by_one(store, path, 20)
    assert await store.close() == 0
    assert len(made_connections) >= 4
    assert stored(path, "one") == list(range(20))


async def test_closing_a_store_that_cannot_write_ends_and_says_how_much_is_lost(tmp_path: Path) -> None:
    broken = False
    store = opened(tmp_path / "parlour.db", lambda step, count: broken, backoff=(0.02,))
    await written(store, made("one"))
    broken = True
    called: list[int] = []
    for number in range(7):
        store.write(rows("one", number), partial(called.append, number))
    before = asyncio.get_running_loop().time()
    assert await store.close(0.2) == 7
    assert asyncio.get_running_loop().time() - before < 2
    assert called == []
    assert stored(tmp_path / "parlour.db", "one") == []


async def test_a_listener_that_fails_does_not_keep_the_others_from_hearing(tmp_path: Path) -> None:
    store = opened(tmp_path / "parlour.db", lambda step, count: False)
    called: list[str] = []

    def failing() -> None:
        raise ValueError("a fault of a listener")

    store.write(made("one"), failing)
    store.write(rows("one", 1), lambda: called.append("one"))
    await written(store, rows("one", 2))
    assert called == ["one"]
    await store.close()


@pytest.mark.parametrize("name", ["parlour.db", "parlour.db-wal"])
async def test_nothing_is_called_written_in_a_file_that_has_lost_its_name(tmp_path: Path, name: str) -> None:
    """Deleted, moved or replaced under the server: whatever stands there is not where the next server looks."""
    path, aside = tmp_path / "parlour.db", tmp_path / "aside"
    store = opened(path, lambda _, __: False)
    heard: list[bool] = []
    trouble, over = asyncio.Event(), asyncio.Event()
    store.on_trouble(heard.append)
    store.on_trouble(lambda on: (trouble if on else over).set())
    await written(store, made("one"), rows("one", 0))
    for replaced in (False, True):
        trouble.clear()
        over.clear()
        (tmp_path / name).rename(aside)
        if replaced:
            (tmp_path / name).write_bytes(aside.read_bytes())
        done = asyncio.ensure_future(written(store, rows("one", 1 + replaced)))
        await trouble.wait()
        assert not done.done()
        aside.replace(tmp_path / name)
        await over.wait()
        await done
    assert heard == [True, False, True, False]
    assert stored(path, "one") == [0, 1, 2]
    assert await store.close() == 0


async def test_a_store_makes_no_new_file_where_its_own_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    store = opened(path, lambda _, __: False)
    path.unlink()
    with pytest.raises(StoreError, match="not there any more"):
        await store.bans()
    trouble = asyncio.Event()
    store.on_trouble(lambda _: trouble.set())
    refused: list[Change] = []
    store.on_refused(lambda change, _: refused.append(change))
    store.write(made("one"))
    await trouble.wait()
    assert await store.close(0.1) == 1
    assert (refused, path.exists()) == ([], False)
