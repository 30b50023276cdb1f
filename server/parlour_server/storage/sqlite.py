"""SQLite: one file, write-ahead log, one server at a time."""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from parlour_server.storage.database import Database, Synchronous, Value
from parlour_server.storage.migrations import STEPS, Step, migrate
from parlour_server.storage.named import NamedFile, Watch
from parlour_server.storage.store import StoreBusy, StoreError

if sys.platform != "win32":  # which has other locks; nothing keeps a second server away there
    import fcntl

_PRIVATE: Final = 0o600
"""The journal tells walls before they are played: no other user of the machine may look."""
_BUSY: Final = 5.0
"""Seconds that a backup or somebody's shell may hold the file up before that counts as trouble."""
_OURS: Final = 0x50524C52
"""By this SQLite files tell what program they belong to."""
_LOG_PAGES: Final = 4000
"""Pages of the log that bring it into the file: one that is written again and again meanwhile is brought over once."""
_CACHE: Final = 16 << 20
"""Bytes of pages in memory: those of 500 tables' journals that are being written."""
_LOG_KEPT: Final = 32 << 20
"""Bytes of the write-ahead log that stay when it is empty."""


class SqliteDatabase:
    """A connection to a file."""

    def __init__(self, path: Path, synchronous: Synchronous) -> None:
        """Raises sqlite3.Error where it cannot be opened."""
        self._connection: Final = sqlite3.connect(
            path, timeout=_BUSY, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            # Each commit is on the platter with FULL; with NORMAL a power cut may take the last ones.
            self.run(f"PRAGMA synchronous={synchronous}")
            self.run("PRAGMA foreign_keys=ON")
            self.run(f"PRAGMA journal_size_limit={_LOG_KEPT}")
            self.run(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
            self.run(f"PRAGMA cache_size=-{_CACHE >> 10}")
        except BaseException:
            self._connection.close()
            raise

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """See Database."""
        return self._connection.execute(sql, values).fetchall()

    def run(self, sql: str, values: Sequence[Value] = ()) -> None:
        """See Database."""
        self._connection.execute(sql, values)

    def run_many(self, sql: str, values: Iterable[Sequence[Value]]) -> None:
        """See Database."""
        self._connection.executemany(sql, values)

    def begin(self) -> None:
        """See Database."""
        self._connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """See Database."""
        self._connection.execute("COMMIT")

    def rollback(self) -> None:
        """See Database. SQLite takes back by itself what a full disk has broken off."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def problems(self) -> list[str]:
        """See Database."""
        found = [row[0] for row in self.rows("PRAGMA integrity_check(20)")]
        orphans = self.rows("PRAGMA foreign_key_check")
        found += [f"{row[0]}: a row refers to {row[2]}, where there is none" for row in orphans]
        return [line for line in found if line != "ok"]

    def close(self) -> None:
        """See Database."""
        self._connection.close()


class _NamedDatabase(SqliteDatabase):
    """A connection by which nothing is called written that the next server would not find."""

    def __init__(self, path: Path, synchronous: Synchronous, name: NamedFile) -> None:
        """Raises FileGone, or sqlite3.Error where the file cannot be opened."""
        # SQLite would make an empty one, or take what is left of it for one.
        name.check_length(name.look()[0])
        super().__init__(path, synchronous)
        self._path: Final = path
        self._synchronous: Final = synchronous
        log = NamedFile(path.with_name(path.name + "-wal"))
        self._watch: Final = Watch(name, log, self._version, self._is_sound)
        self._writes = False

    def begin(self) -> None:
        """See Database."""
        super().begin()
        self._watch.begun()
        self._writes = True

    def commit(self) -> None:
        """See Database."""
        super().commit()
        self._writes = False
        self._watch.ended()

    def rollback(self) -> None:
        """See Database."""
        super().rollback()
        if self._writes:
            self._writes = False
            self._watch.ended()

    def _version(self) -> int:
        ((version,),) = self.rows("PRAGMA data_version")
        return int(version)

    def _is_sound(self) -> bool:
        try:
            # This connection remembers pages as they were.
            with closing(SqliteDatabase(self._path, self._synchronous)) as fresh:
                return fresh.rows("PRAGMA quick_check(1)") == [("ok",)]
        except sqlite3.DatabaseError as error:
            if _is_damage(error) or _code(error) == sqlite3.SQLITE_IOERR:
                return False
            raise


class Sqlite:
    """The dialect, with a file that this server holds until `release`."""

    words: Final = {"text": "TEXT", "blob": "BLOB", "integer": "INTEGER", "clustered": " WITHOUT ROWID"}

    def __init__(
        self,
        path: Path,
        synchronous: Synchronous = "full",
        *,
        steps: Sequence[Step] = STEPS,
        wrapped: Callable[[Database], Database] = lambda database: database,
    ) -> None:
        """Opens, makes or migrates the file. Raises StoreBusy, StoreNewer or StoreError. `wrapped` is put around every
        connection, for tests of what goes wrong."""
        self._path: Final = path
        self._synchronous: Final = synchronous
        self._wrapped: Final = wrapped
        self._name: Final = NamedFile(path)
        self._lock: int | None = _held(path)
        try:
            self._prepare(steps)
            self._name.look()
        except (OSError, sqlite3.Error) as error:
            self.release()
            raise StoreError(f"the database {path} cannot be used ({error}): {_cure(error)}") from error
        except BaseException:
            self.release()
            raise

    def _prepare(self, steps: Sequence[Step]) -> None:
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, _PRIVATE))
        self._path.chmod(_PRIVATE)
        database = SqliteDatabase(self._path, self._synchronous)
        try:
            if database.rows("PRAGMA journal_mode=WAL") != [("wal",)]:
                raise StoreError(f"{self._path} is on a disk that allows no write-ahead log: name another")
            ((version,),) = database.rows("PRAGMA user_version")
            check_ours(database, self._path)
            database.run(f"PRAGMA application_id={_OURS}")
            migrate(database, self.words, version, lambda number: database.run(f"PRAGMA user_version={number}"), steps)
        finally:
            database.close()

    def connect(self, *, writing: bool = False) -> Database:
        """See Dialect. The file is held by this server, whatever the connection is for."""
        return self._wrapped(_NamedDatabase(self._path, self._synchronous, self._name))

    def passes(self, error: BaseException) -> bool:
        """See Dialect. A full disk and a damaged one may be mended; what this program asks wrongly may not."""
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError):
            return False
        if isinstance(error, sqlite3.DataError | sqlite3.NotSupportedError):
            return False
        return (
            isinstance(error, sqlite3.DatabaseError) and getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_ERROR
        )

    def damaged(self, error: BaseException) -> bool:
        """See Dialect."""
        return _is_damage(error)

    def release(self) -> None:
        """See Dialect."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


def check_ours(database: Database, path: Path) -> None:
    """Raise StoreError where a database holds something, and not ours."""
    if database.rows("PRAGMA application_id") != [(_OURS,)] and database.rows("SELECT 1 FROM sqlite_master"):
        raise StoreError(f"{path} is a database of another program: name another file")


def lock_of(path: Path) -> Path:
    """The file by which a server holds a database."""
    return path.with_name(path.name + ".lock")


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Keep servers away from a database, or raise StoreBusy where one has it."""
    lock = _held(path)
    try:
        yield
    finally:
        os.close(lock)


def _held(path: Path) -> int:
    """Hold the database, or raise StoreBusy."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(lock_of(path), os.O_RDWR | os.O_CREAT, _PRIVATE)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"the database {path} cannot be used ({reason}): {_cure(error)}") from error
    try:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(lock, 32, 0).decode(errors="replace").strip()
        os.close(lock)
        who = f", process {holder}" if holder.isdigit() else ""
        raise StoreBusy(
            f"the database {path} is in use by another server{who}: stop that one, or name another in storage.url"
        ) from error
    with suppress(OSError):  # on a full disk the lock holds all the same
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock


def _code(error: BaseException) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _is_damage(error: BaseException) -> bool:
    return _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _cure(error: Exception) -> str:
    if _is_damage(error):
        return "it is damaged or no database; put a backup back with parlour restore"
    return "name a file in storage.url that can be written, with room on its disk"
