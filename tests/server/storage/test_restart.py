"""What a server that starts again reads: the running deal of each table, and a word about those it cannot read."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from parlour_server.storage import threads
from parlour_server.storage.changes import RowsTold, TableGone
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.store import LiveRows, RowsUnreadable, Store, StoreDamaged, StoreError
from parlour_server.storage.threads import ThreadedStore
from parlour_server.table.journal import Checkpoint, Row
from tests.server.storage.telling import QUICK, made, meta, numbers, rows, written
from tests.server.table.sitting import FAST, Sitting, people, steady


def journal() -> list[Row]:
    """Of several deals."""
    sitting = Sitting(people(), FAST, seed=4, bots=steady).start()
    sitting.wait(200)
    return sitting.rows


async def live(store: Store) -> list[LiveRows]:
    return [found async for found in store.live_tables()]


@pytest.mark.parametrize("size", [1, 7, 100_000])
async def test_a_table_is_read_from_its_last_checkpoint_on_however_its_rows_were_told(
    store: ThreadedStore, size: int
) -> None:
    told = journal()
    places = [at for at, row in enumerate(told) if isinstance(row, Checkpoint)]
    assert len(places) > 1
    bundles: Sequence[list[Row]] = [told[at : at + size] for at in range(0, len(told), size)]
    await written(store, made("one"), made("two"), *[RowsTold("one", bundle) for bundle in bundles], rows("two", 1, 2))
    one, two = await live(store)
    assert one.rows == told[places[-1] :]
    assert await store.all_rows("one") == told
    # Where there is no checkpoint, all is read.
    assert numbers(two.rows) == [1, 2]


async def test_no_rows_are_no_change(store: ThreadedStore) -> None:
    await written(store, made("one"), RowsTold("one", []), rows("one", 1), RowsTold("one", []), rows("one", 2))
    assert numbers(await store.all_rows("one")) == [1, 2]


async def test_tables_that_are_read_some_at_a_time_are_all_read_and_in_order(
    store: ThreadedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "TOGETHER", 2)
    names = ["five", "four", "one", "three", "two"]
    await written(store, *[change for name in names for change in (made(name), rows(name, len(name)))])
    assert [(found.table, numbers(found.rows)) for found in await live(store)] == [
        (name, [len(name)]) for name in names
    ]


async def test_a_table_that_goes_before_its_turn_is_left_out(
    store: ThreadedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "TOGETHER", 1)
    await written(store, made("one"), made("two"), rows("one", 1), rows("two", 2))
    found = []
    async for table in store.live_tables():
        found.append(table.table)
        await written(store, TableGone("two"))
    assert found == ["one"]


async def test_a_table_that_cannot_be_read_keeps_no_other_from_being_read(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"

    def opened() -> ThreadedStore:
        return ThreadedStore(Sqlite(path, "normal"), asyncio.get_running_loop().call_soon_threadsafe, QUICK)

    store = opened()
    for name in ("bad meta", "bad rows", "good"):
        await written(store, made(name), rows(name, 1))
    await store.close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE live_tables SET meta = x'c1' WHERE id = 'bad meta'")
        database.execute("UPDATE journal SET bundle = x'c1' WHERE live_table = 'bad rows'")
        database.commit()
    store = opened()
    bad, good = await live(store)
    assert (bad.table, bad.meta, bad.rows) == ("bad rows", meta("bad rows"), [])
    assert bad.problem is not None
    assert "cannot be read" in bad.problem
    assert (good.table, numbers(good.rows), good.problem) == ("good", [1], None)
    with pytest.raises(RowsUnreadable):
        await store.all_rows("bad rows")
    await store.close()


async def test_whatever_page_is_damaged_a_table_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    """And what cannot be answered is said in one line, with its cure."""
    path = tmp_path / "parlour.db"

    def opened() -> ThreadedStore:
        return ThreadedStore(Sqlite(path, "normal"), asyncio.get_running_loop().call_soon_threadsafe, QUICK)

    store = opened()
    told = {name: list(range(at, at + 1500)) for at, name in enumerate(("one", "two"))}
    await written(store, *[made(name) for name in told], *[rows(name, *numbers) for name, numbers in told.items()])
    await store.close()
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        ((size,),) = database.execute("PRAGMA page_size")
    read: list[int] = []
    said: list[str] = []
    for page in range(0, len(whole), size):
        path.write_bytes(whole[:page] + b"\xff" * size + whole[page + size :])
        try:
            store = opened()
        except StoreError as error:
            said.append(str(error))
            continue
        try:
            found = await live(store)
            assert all(numbers(table.rows) == told[table.table] for table in found if table.problem is None)
            read.append(sum(table.problem is None for table in found))
        except StoreDamaged as error:
            said.append(str(error))
        await store.close()
    assert {1, 2} <= set(read), "each table is kept from its own damage alone"
    assert said
    assert all("damaged" in line and "\n" not in line for line in said)


async def test_each_commit_tells_how_long_it_took_and_what_it_held(store: ThreadedStore) -> None:
    commits: list[tuple[float, int]] = []
    store.on_commit(lambda seconds, changes: commits.append((seconds, changes)))
    await written(store, made("one"), *[rows("one", number) for number in range(50)])
    assert sum(changes for _, changes in commits) == 51
    assert all(0 < seconds < 20 for seconds, _ in commits)


async def test_a_loop_that_cannot_be_told_ends_nothing(tmp_path: Path) -> None:
    """One call fails as no loop's does, the next as a closed loop's."""
    answers: list[Exception | None] = [ValueError("a fault"), RuntimeError("the loop is closed")]
    loop = asyncio.get_running_loop()

    def on_loop(*call: object) -> None:
        error = answers.pop(0) if answers else None
        if error is not None:
            raise error
        loop.call_soon_threadsafe(*call)  # type: ignore[arg-type]  # passed on as it is

    store = ThreadedStore(Sqlite(tmp_path / "parlour.db", "normal"), on_loop, QUICK)
    store.write(made("one"), lambda: None)
    while await store.all_rows("one") == []:
        store.write(rows("one", 1), lambda: None)
        await asyncio.sleep(0.01)
    await written(store, rows("one", 2))
    assert numbers(await store.all_rows("one"))[-1] == 2
    await store.close()
