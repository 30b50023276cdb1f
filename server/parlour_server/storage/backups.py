"""A whole database as one file: copied while a server writes, checked, put back."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from parlour_server.storage.migrations import STEPS
from parlour_server.storage.sqlite import SqliteDatabase, check_ours, holding
from parlour_server.storage.store import StoreError, StoreNewer

_LOG: Final = "-wal"
_INDEX: Final = "-shm"
"""What SQLite keeps beside a file that is in use, or was when the power went."""


def back_up(database: Path, backup: Path, *, replace: bool = False) -> int:
    """Copy the database, in use or not, to `backup`, which appears whole and checked or not at all; its size in bytes.
    Raises StoreError."""
    if not _is_file(database):
        raise StoreError(f"there is no database {database}: name it in storage.url, or start the server once")
    with _told(backup):
        if backup.exists() and backup.samefile(database):
            raise StoreError(f"{backup} is the database itself: name another file")
        if not replace and os.path.lexists(backup):
            raise StoreError(f"{backup} is there already: name another file, or add --force to replace it")
    with _told(backup), _copy(database, backup) as copy:
        copy.replace(backup)
        _force_folder(backup.parent)
        return backup.stat().st_size


def restore(backup: Path, database: Path, now: datetime) -> Path | None:
    """Put a backup in the place of the database, which is kept beside it: under which name, None where there was none.
    Raises StoreBusy where a server has the database, StoreNewer, StoreError."""
    if not _is_file(backup):
        raise StoreError(f"there is no file {backup}: name one that parlour backup has written")
    with _told(database):
        if database.exists() and backup.samefile(database):
            raise StoreError(f"{backup} is the database itself: name a backup")
    with holding(database), _told(database), _copy(backup, database) as copy:
        aside = _put_aside(database, f"{now:%Y%m%dT%H%M%SZ}")
        copy.replace(database)
        _force_folder(database.parent)
        return aside


def _is_file(path: Path) -> bool:
    """Raises StoreError where that cannot be seen: in a folder that may not be entered."""
    try:
        return path.is_file()
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}): see to its folder's permissions") from error


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """What goes wrong with a file, as one line."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoreError(f"{file} cannot be written ({reason}): name a place with room for it") from error


@contextmanager
def _copy(source: Path, target: Path) -> Iterator[Path]:
    """A copy of `source` beside `target`, whole, checked and on the platter; gone afterwards unless it was renamed."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(unfinished)) as copy:
            _fill(copy, source)
        _check(unfinished, source)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        yield unfinished
    finally:
        for name in ("", _LOG, _INDEX):
            with suppress(OSError):
                unfinished.with_name(unfinished.name + name).unlink(missing_ok=True)


def _fill(copy: sqlite3.Connection, source: Path) -> None:
    try:
        # `rw` makes no file where there is none; a log that a crash has left is read as well.
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=5)) as original:
            original.execute("SELECT COUNT(*) FROM sqlite_master")
            original.backup(copy)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise StoreError(f"{source} is damaged or no database ({error})") from error
        raise
    copy.execute("PRAGMA journal_mode=DELETE")


def _check(copy: Path, source: Path) -> None:
    with closing(SqliteDatabase(copy, "full")) as database:
        check_ours(database, source)
        ((version,),) = database.rows("PRAGMA user_version")
        if not version:
            raise StoreError(f"{source} holds nothing of ours: name a backup, or start the server once")
        if version > len(STEPS):
            problem = f"{source} has schema {version}, this program knows {len(STEPS)}"
            raise StoreNewer(f"{problem}: use the newer program that wrote it")
        problems = database.problems()
    if problems:
        raise StoreError(f"{source} is damaged ({problems[0]}): use an older backup")


def _put_aside(database: Path, time: str) -> Path | None:
    """Give the database, and the log in which its last changes may be, a second name; take the log away.

    It is not opened: SQLite would throw the log of a damaged file away. After a power cut at any moment all of the old
    one is there, under one name or both, and a new one never finds an old log.
    """
    if not database.exists():
        return None
    aside = database.with_name(f"{database.name}.replaced-{time}")
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = database.with_name(f"{database.name}.replaced-{time}-{number}")
    for name in (_LOG, ""):
        file = database.with_name(database.name + name)
        if file.exists():
            _named_too(file, aside.with_name(aside.name + name))
    _force_folder(database.parent)
    for name in (_LOG, _INDEX):
        database.with_name(database.name + name).unlink(missing_ok=True)
    return aside


def _named_too(file: Path, name: Path) -> None:
    try:
        name.hardlink_to(file)
    except OSError:  # a disk that knows no second names
        shutil.copy2(file, name)


def _force_folder(folder: Path) -> None:
    """A name that was given outlives a power cut, where the system can do that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
