"""One server a database, no older program on a newer one, and clear words where it cannot be used."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from parlour_server.settings import Settings
from parlour_server.storage.database import Synchronous
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.opening import file_of, open_store
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.store import StoreBusy, StoreError, StoreNewer
from tests.server.storage.telling import made, rows, written


def schema(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        ((number,),) = database.execute("PRAGMA user_version").fetchall()
        assert isinstance(number, int)
        return number


def test_a_second_server_is_refused_and_the_first_is_not_disturbed(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    first = Sqlite(path)
    with pytest.raises(StoreBusy, match=f"in use by another server, process {os.getpid()}: .*storage.url"):
        Sqlite(path)
    again = "import sys, pathlib; from parlour_server.storage.sqlite import Sqlite; Sqlite(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", again, str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert ended.returncode != 0
    assert "StoreBusy" in ended.stderr
    first.release()
    Sqlite(path).release()


async def test_the_database_is_free_when_the_store_was_closed(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "parlour.db"), asyncio.get_running_loop().call_soon_threadsafe, "normal")
    await written(store, made("one"), rows("one", 1))
    with pytest.raises(StoreBusy):
        Sqlite(tmp_path / "parlour.db")
    await store.close()
    Sqlite(tmp_path / "parlour.db").release()


def test_a_database_of_a_newer_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    newer = (*STEPS, ("CREATE TABLE more (id TEXT)",))
    Sqlite(path, steps=newer).release()
    before = schema(path)
    with pytest.raises(StoreNewer, match=f"schema {len(STEPS) + 1}, this program knows {len(STEPS)}: run the newer"):
        Sqlite(path)
    assert schema(path) == before
    Sqlite(path, steps=newer).release()


@pytest.mark.parametrize("older", range(len(STEPS) + 1))
def test_every_older_database_becomes_like_a_new_one(tmp_path: Path, older: int) -> None:
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    Sqlite(new).release()
    Sqlite(old, steps=STEPS[:older]).release()
    assert version(old) == older
    Sqlite(old).release()
    assert version(old) == len(STEPS)
    assert schema(old) == schema(new)


def test_a_step_that_fails_leaves_the_database_as_the_step_before_left_it(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    Sqlite(path).release()
    before = schema(path)
    broken = (*STEPS, ("CREATE TABLE more (id TEXT)", "CREATE TABLE more (id TEXT)"))
    with pytest.raises(StoreError, match="more already exists"):
        Sqlite(path, steps=broken)
    assert (schema(path), version(path)) == (before, len(STEPS))
    Sqlite(path).release()


def test_files_that_are_no_database_of_ours_are_refused_and_not_touched(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database at all, but long enough to be looked at\n" * 100)
    with pytest.raises(StoreError, match=r"text cannot be used .*parlour restore"):
        Sqlite(text)
    assert text.read_text().startswith("no database")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE addresses (name TEXT)")
    with pytest.raises(StoreError, match="is a database of another program: name another file"):
        Sqlite(other)
    assert [name for _, name, _ in schema(other)] == ["addresses"]


@pytest.mark.parametrize("name", ["file/below.db", "folder", ""])
def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="cannot be used") as raised:
        Sqlite(tmp_path / name)
    assert "\n" not in str(raised.value)
    assert "storage.url" in str(raised.value)


@pytest.mark.parametrize(("synchronous", "pragma"), [("full", 2), ("normal", 1)])
async def test_the_connection_that_writes_waits_for_the_platter_as_it_is_told(
    tmp_path: Path, synchronous: Synchronous, pragma: int
) -> None:
    """What a client was told outlives a power cut with FULL (2) alone, which is the default."""
    on_loop = asyncio.get_running_loop().call_soon_threadsafe
    store = open_store(str(tmp_path / "parlour.db"), on_loop, synchronous)
    await written(store, made("one"))
    assert store._database is not None
    assert store._database.rows("PRAGMA synchronous") == [(pragma,)]
    await store.close()
    assert Settings().storage.synchronous == "full"


def test_the_url_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", "/home/ann")
    assert file_of("") == tmp_path / "mahjong-parlour" / "parlour.db"
    assert file_of("~/parlour.db") == Path("/home/ann/parlour.db")
    assert file_of("sqlite:///var/lib/parlour.db") == Path("/var/lib/parlour.db")
    assert file_of("data/parlour.db") == Path("data/parlour.db")
    for wrong in ("mysql://localhost/parlour", "sqlite:", "a\0b"):
        with pytest.raises(StoreError, match="postgresql://"):
            file_of(wrong)


async def test_the_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    store = open_store(str(folder / "parlour.db"), asyncio.get_running_loop().call_soon_threadsafe, "normal")
    await written(store, made("one"))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == {
        "parlour.db": 0o600,
        "parlour.db-wal": 0o600,
        "parlour.db-shm": 0o600,
        "parlour.db.lock": 0o600,
    }
    await store.close()
