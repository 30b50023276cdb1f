"""A look into the database beside the server that runs on it, and what a person brings to it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from parlour_server.storage.changes import MatchStored, StoredMatch
from parlour_server.storage.database import Database
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.opening import DRIVER, file_of, is_postgres
from parlour_server.storage.sqlite import SqliteDatabase, check_ours
from parlour_server.storage.store import StoreError, StoreNewer
from parlour_server.storage.writing import Writing


class Doubled(ValueError):
    """A match that is there already; `match` is its name."""

    def __init__(self, match: str) -> None:
        super().__init__(f"the match {match} is stored already")
        self.match = match


@contextmanager
def beside(url: str) -> Iterator[Database]:
    """The database that `storage.url` names, whether or not a server has it. Raises StoreError, also for what goes
    wrong while it is used."""
    with _connected(url) as (database, version):
        if version > len(STEPS):
            raise StoreNewer(f"the database has schema {version}, this program knows {len(STEPS)}: use the newer one")
        if version < len(STEPS):
            raise StoreError("the database is older than this program: start the server once")
        yield database


def schema_of(url: str) -> tuple[int, int] | None:
    """How many steps of the schema the database has had, and how many there are; None where it is not there yet.
    Nothing is changed. Raises StoreError."""
    if not is_postgres(url) and not file_of(url).exists():
        return None
    with _connected(url) as (_, version):
        return version, len(STEPS)


@contextmanager
def _connected(url: str) -> Iterator[tuple[Database, int]]:
    """A connection and the schema's version."""
    if is_postgres(url):
        yield from _postgres(url)
    else:
        yield from _sqlite(file_of(url))


def _sqlite(path: Path) -> Iterator[tuple[Database, int]]:
    if not path.is_file():
        raise StoreError(f"there is no database {path}: name it in storage.url, or start the server once")
    try:
        database = SqliteDatabase(path, "full")
        try:
            check_ours(database, path)
            ((version,),) = database.rows("PRAGMA user_version")
            yield database, version
        finally:
            database.close()
    except sqlite3.Error as error:
        raise StoreError(f"the database {path} cannot be used ({error})") from error


def _postgres(url: str) -> Iterator[tuple[Database, int]]:
    try:
        import psycopg  # noqa: PLC0415 # not everybody has installed it

        from parlour_server.storage.postgres import PostgresDatabase, parameters_of  # noqa: PLC0415 # as above
    except ImportError as error:
        raise StoreError(DRIVER) from error
    try:
        database = PostgresDatabase(parameters_of(url), "full")
        try:
            known = database.rows("SELECT to_regclass('schema_version') IS NOT NULL") == [(True,)]
            yield database, database.rows("SELECT version FROM schema_version")[0][0] if known else 0
        finally:
            database.close()
    except psycopg.Error as error:
        said = " ".join(str(error).split())
        raise StoreError(f"the database on the server cannot be used ({said}): check storage.url") from error


def bring(database: Database, matches: Sequence[StoredMatch]) -> None:
    """Store these matches, all or none; raises Doubled for the first that is there already."""
    seen: set[str] = set()
    database.begin()
    try:
        writing = Writing(database)
        for match in matches:
            if match.match in seen or database.rows("SELECT 1 FROM matches WHERE id = ?", (match.match,)):
                raise Doubled(match.match)
            seen.add(match.match)
            writing.write(MatchStored(match))
        database.commit()
    except BaseException:
        database.rollback()
        raise
