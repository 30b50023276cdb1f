"""A backup is whole, taken while somebody writes, and comes back as it was; nothing is lost on the way."""

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour_server.cli import main
from parlour_server.storage import backups, reading
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.sqlite import Sqlite, SqliteDatabase
from parlour_server.storage.store import StoreError
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.telling import QUICK, made, numbers, rows, written

NOW = datetime(2026, 1, 31, 19, 30, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands look for the database."""
    path = tmp_path / "data" / "parlour.db"
    monkeypatch.setenv("PARLOUR_STORAGE_URL", str(path))
    return path


def opened(path: Path) -> ThreadedStore:
    return ThreadedStore(Sqlite(path, "normal"), asyncio.get_running_loop().call_soon_threadsafe, QUICK)


async def filled(path: Path, count: int) -> None:
    """A database with so many rows, closed."""
    store = opened(path)
    await written(store, made("one"), *[rows("one", number) for number in range(count)])
    await store.close()


def stored(path: Path) -> list[int]:
    with closing(SqliteDatabase(path, "full")) as database:
        assert database.problems() == []
        return numbers(reading.all_rows(database, "one"))


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def contents(file: Path) -> bytes:
    return file.read_bytes()


def fill(file: Path, octets: bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(octets)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def parlour(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(*arguments: str | Path) -> str:
    """What a command says that ends with status 2: one line."""
    result = parlour(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


async def test_a_backup_taken_while_somebody_writes_is_a_moment_of_the_database(database: Path, tmp_path: Path) -> None:
    store = opened(database)
    await written(store, made("one"))
    done: list[int] = []
    last = asyncio.Event()
    for number in range(3000):
        store.write(rows("one", number), partial(done.append, number))
    store.write(made("two"), last.set)
    taken: list[tuple[int, Path]] = []
    while not last.is_set():
        before = len(done)
        taken.append((before, tmp_path / f"backup {len(taken)}"))
        result = await asyncio.to_thread(parlour, "backup", taken[-1][1])
        assert result.exit_code == 0, result.output
    await store.close()
    assert taken
    for before, backup in taken:
        there = stored(backup)
        assert there == list(range(len(there)))
        assert len(there) >= before
        assert mode(backup) == 0o600
    assert set(names(tmp_path)) == {"data", *[backup.name for _, backup in taken]}


async def test_a_backup_comes_back_and_what_was_there_stays_beside_it(database: Path, tmp_path: Path) -> None:
    await filled(database, 10)
    backup = tmp_path / "backup"
    assert parlour("backup", backup).exit_code == 0
    store = opened(database)
    await written(store, *[rows("one", number) for number in range(10, 20)])
    await store.close()
    result = parlour("restore", backup)
    assert result.exit_code == 0
    assert stored(database) == list(range(10))
    (aside,) = [name for name in names(database.parent) if ".replaced-" in name]
    assert aside in result.stdout
    assert stored(database.with_name(aside)) == list(range(20))
    assert mode(database) == 0o600
    assert stored(backup) == list(range(10))


async def test_what_only_the_log_of_a_killed_server_holds_is_kept_on_both_ways(database: Path, tmp_path: Path) -> None:
    store = opened(database)
    await written(store, made("one"), *[rows("one", number) for number in range(10)])
    left = {name: contents(database.parent / name) for name in ("parlour.db", "parlour.db-wal")}
    await store.close()
    for folder in ("copied", "replaced"):
        (tmp_path / folder).mkdir()
        for name, octets in left.items():
            fill(tmp_path / folder / name, octets)
    backup = tmp_path / "backup"
    backups.back_up(tmp_path / "copied" / "parlour.db", backup)
    assert stored(backup) == list(range(10))
    killed = tmp_path / "replaced" / "parlour.db"
    aside = backups.restore(backup, killed, NOW)
    assert aside == killed.with_name("parlour.db.replaced-20260131T193000Z")
    assert stored(aside) == stored(killed) == list(range(10))
    assert backups.restore(backup, killed, NOW) == killed.with_name("parlour.db.replaced-20260131T193000Z-2")


async def test_a_backup_comes_back_where_there_is_no_database(database: Path, tmp_path: Path) -> None:
    await filled(tmp_path / "other.db", 5)
    result = parlour("restore", tmp_path / "other.db")
    assert result.exit_code == 0
    assert "what was there" not in result.stdout
    assert stored(database) == list(range(5))


async def test_nothing_is_put_back_while_a_server_has_the_database(database: Path, tmp_path: Path) -> None:
    await filled(tmp_path / "other.db", 5)
    store = opened(database)
    await written(store, made("one"), rows("one", 77))
    assert "in use by another server" in refused("restore", tmp_path / "other.db")
    await store.close()
    assert stored(database) == [77]


async def test_a_damaged_database_goes_aside_with_its_log(database: Path, tmp_path: Path) -> None:
    await filled(tmp_path / "other.db", 5)
    fill(database, b"no database" * 1000)
    fill(database.with_name("parlour.db-wal"), b"no log")
    assert parlour("restore", tmp_path / "other.db").exit_code == 0
    assert stored(database) == list(range(5))
    (aside, log) = [name for name in names(database.parent) if ".replaced-" in name]
    assert contents(database.with_name(aside)) == b"no database" * 1000
    assert log == f"{aside}-wal"
    assert contents(database.with_name(log)) == b"no log"


async def test_a_file_that_is_there_is_replaced_only_by_force(database: Path, tmp_path: Path) -> None:
    await filled(database, 3)
    backup = tmp_path / "backup"
    backup.write_text("a letter")
    assert "add --force" in refused("backup", backup)
    assert backup.read_text() == "a letter"
    assert parlour("backup", backup, "--force").exit_code == 0
    assert stored(backup) == [0, 1, 2]


async def test_the_database_itself_is_no_backup_of_it(database: Path) -> None:
    await filled(database, 3)
    assert "is the database itself" in refused("backup", database, "--force")
    assert "is the database itself" in refused("restore", database)
    assert stored(database) == [0, 1, 2]


def test_there_is_nothing_to_copy_before_the_first_start(database: Path, tmp_path: Path) -> None:
    assert "there is no database" in refused("backup", tmp_path / "backup")
    assert "there is no file" in refused("restore", tmp_path / "backup")
    assert names(tmp_path) == []


@pytest.fixture
def bad(tmp_path: Path) -> dict[str, Path]:
    """Files that are no backups."""
    text = tmp_path / "text"
    text.write_text("no database at all\n" * 1000)
    empty = tmp_path / "empty"
    empty.write_text("")
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as addresses:
        addresses.execute("CREATE TABLE addresses (name TEXT)")
    newer = tmp_path / "newer"
    Sqlite(newer, steps=(*STEPS, ("CREATE TABLE more (id TEXT)",))).release()
    torn = tmp_path / "torn"
    Sqlite(torn).release()
    torn.write_bytes(torn.read_bytes()[:20_000])
    return {"text": text, "empty": empty, "other": other, "newer": newer, "torn": torn}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("text", "is damaged or no database"),
        ("empty", "holds nothing of ours"),
        ("other", "is a database of another program"),
        ("newer", f"has schema {len(STEPS) + 1}, this program knows {len(STEPS)}"),
        ("torn", "is damaged"),
    ],
)
async def test_what_is_no_backup_is_not_put_back(database: Path, bad: dict[str, Path], name: str, said: str) -> None:
    await filled(database, 3)
    before = names(database.parent)
    assert said in refused("restore", bad[name])
    assert stored(database) == [0, 1, 2]
    assert names(database.parent) == before


async def test_a_place_without_room_is_told_and_nothing_stays_there(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(database, 3)
    assert "cannot be written" in refused("backup", tmp_path / "nowhere" / "backup")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        backups.back_up(database, tmp_path / "backup")
    monkeypatch.undo()
    assert names(tmp_path) == ["data"]


LONG = "x" * 300
"""A name that no file system has: like a folder that may not be entered, but for root too."""


@pytest.mark.parametrize(
    "words", [("backup", f"/{LONG}/copy.db"), ("restore", f"/{LONG}/copy.db"), ("backup", "--force", LONG)]
)
async def test_a_place_that_cannot_be_looked_into_is_told_in_one_line(database: Path, words: tuple[str, ...]) -> None:
    await filled(database, 1)
    assert "File name too long" in refused(*words)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter everywhere")
async def test_a_folder_that_may_not_be_entered_is_told_in_one_line(database: Path, tmp_path: Path) -> None:
    await filled(database, 1)
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o000)
    assert "cannot be written (Permission denied)" in refused("backup", locked / "copy.db")
    assert "cannot be read (Permission denied)" in refused("restore", locked / "copy.db")
    database.parent.chmod(0o000)
    try:
        assert "cannot be read (Permission denied)" in refused("backup", tmp_path / "copy.db")
        assert "Permission denied" in refused("restore", tmp_path / "copy.db")
    finally:
        database.parent.chmod(0o700)


@pytest.mark.parametrize(("command", "program"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_a_postgresql_server_has_programs_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, program: str
) -> None:
    monkeypatch.setenv("PARLOUR_STORAGE_URL", "postgresql://ann:geheim@localhost/parlour")
    said = refused(command, tmp_path / "backup")
    assert program in said
    assert "geheim" not in said
