"""A database whose files are cut off or written over under a running server: nothing more is called written."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from parlour_server.storage.named import REST, FileGone, NamedFile, Watch
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.store import StoreError
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.telling import QUICK, made, rows, written


class Heard(list[bool]):
    """What a store says of trouble, and whether it has."""

    def __init__(self) -> None:
        super().__init__()
        self.some = asyncio.Event()

    def hear(self, trouble: bool) -> None:
        self.append(trouble)
        self.some.set()


async def filled(path: Path, *, log_alone: bool = False) -> tuple[ThreadedStore, Heard]:
    """A store whose rows are in the file but for the last, or in the log alone; and what it hears of trouble."""
    loop = asyncio.get_running_loop()
    store = ThreadedStore(Sqlite(path, "normal"), loop.call_soon_threadsafe, QUICK)
    heard = Heard()
    store.on_trouble(heard.hear)
    await written(store, made("one"))
    for bundle in range(40):
        await written(store, rows("one", *range(bundle * 100, bundle * 100 + 100)))
    if not log_alone:
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)")
    await written(store, rows("one", 4000))
    return store, heard


def cut_to(length: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, length)


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 8192 * 4096)


def overwritten(path: Path, with_: bytes = b"\xa5") -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.write(with_ * size)


def zeroed(path: Path) -> None:
    overwritten(path, b"\0")


def emptied_and_begun_anew(path: Path) -> None:
    path.write_bytes(b"no database\n" * 100)


HARMS = [cut_to(0), cut_to(100), cut_in_half, overwritten, zeroed, emptied_and_begun_anew]


@pytest.mark.parametrize("harm", HARMS, ids=["empty", "a few bytes", "half of it", "noise", "zeros", "another text"])
@pytest.mark.parametrize("name", ["parlour.db", "parlour.db-wal"])
async def test_nothing_is_called_written_after_its_file_was_harmed(
    tmp_path: Path, name: str, harm: Callable[[Path], None]
) -> None:
    path = tmp_path / "parlour.db"
    store, heard = await filled(path, log_alone=name == "parlour.db-wal")
    await asyncio.sleep(0.02)  # a disk's clock may tick in hundredths
    harm(tmp_path / name)
    called: list[str] = []
    store.write(rows("one", 4001), lambda: called.append("written"))
    await asyncio.wait_for(heard.some.wait(), 20)
    await asyncio.sleep(0.1)
    assert heard == [True]
    assert called == []
    assert await store.close(0.1) == 1


async def test_it_goes_on_where_the_very_file_is_put_back(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    store, heard = await filled(path)
    whole = path.read_bytes()
    await asyncio.sleep(0.02)
    os.truncate(path, 4096)
    done = asyncio.ensure_future(written(store, rows("one", 4001)))
    await asyncio.wait_for(heard.some.wait(), 20)
    heard.some.clear()
    path.write_bytes(whole)
    await asyncio.wait_for(done, 20)
    await asyncio.wait_for(heard.some.wait(), 20)
    assert heard == [True, False]
    assert len(await store.all_rows("one")) == 4002
    assert await store.close() == 0


async def test_a_reader_makes_nothing_of_a_file_that_was_cut_off(tmp_path: Path) -> None:
    """SQLite takes an empty file for a new one and deletes the log that belongs to it."""
    path = tmp_path / "parlour.db"
    store, _ = await filled(path)
    os.truncate(path, 0)
    log = (tmp_path / "parlour.db-wal").stat().st_size
    with pytest.raises(StoreError, match="cannot be read"):
        await store.matches(None)
    assert (tmp_path / "parlour.db-wal").stat().st_size == log
    await store.close(0.1)


async def test_what_others_do_by_way_of_sqlite_is_no_harm(tmp_path: Path) -> None:
    """Whoever takes records in writes beside the server; a keeper may look, tidy up, or touch the file."""
    path = tmp_path / "parlour.db"
    store, heard = await filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for number, statement in enumerate(
            (
                "INSERT INTO bans (kind, who, until, reason, made_at) VALUES ('identity', 'x', NULL, '', '')",
                "PRAGMA wal_checkpoint(TRUNCATE)",
                "DELETE FROM journal",
                "VACUUM",
                "PRAGMA wal_checkpoint(TRUNCATE)",
            )
        ):
            other.execute(statement).fetchall()
            await asyncio.wait_for(written(store, rows("one", 5000 + number)), 20)
    path.touch()
    await asyncio.wait_for(written(store, rows("one", 6000)), 20)
    assert heard == []
    assert await store.close() == 0


def test_a_sound_file_that_others_keep_touching_is_not_read_all_the_time(tmp_path: Path) -> None:
    path, log = tmp_path / "db", tmp_path / "log"
    path.write_bytes(b"x" * 4096)
    log.write_bytes(b"x" * 4096)
    looks: list[float] = []
    now = 0.0
    sound = True

    def closer() -> bool:
        nonlocal now
        looks.append(now)
        now += 2.0
        return sound

    watch = Watch(NamedFile(path), NamedFile(log), lambda: 1, closer, lambda: now)

    def transaction() -> None:
        watch.begun()
        watch.ended()

    transaction()
    while now < 100:
        now += 1.0
        os.utime(path, (now, now))
        transaction()
    every = 2.0 + 2.0 * REST
    assert looks == [1.0, 1.0 + every, 1.0 + 2 * every]
    # What was only put off is made good, whether or not it is touched again.
    sound = False
    now += every
    for _ in range(2):
        with pytest.raises(FileGone, match="stop the server and put a backup back"):
            watch.begun()
    sound = True
    transaction()
    assert len(looks) == 6
