"""PostgreSQL by URL. The connection that writes holds an advisory lock: who has lost it cannot write."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from time import monotonic, sleep
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from parlour_server.storage.database import Database, Synchronous, Value
from parlour_server.storage.migrations import STEPS, Step, migrate
from parlour_server.storage.store import StoreBusy, StoreError

_LOCK: Final = 0x50524C52
_LOCKED: Final = "SELECT pg_try_advisory_lock(?, hashtext(coalesce(current_schema(), '')))"
_PATIENT: Final = {
    "application_name": "mahjong-parlour",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""A server that is cut off is noticed in about fifteen seconds; the URL may say otherwise."""
_LINGERING: Final = 1.0
"""Seconds in which the server notices that the one who had the lock before is gone."""
TRIED: Final = (
    "CREATE TABLE IF NOT EXISTS schema_version (one BIGINT PRIMARY KEY, version BIGINT NOT NULL)",
    "INSERT INTO schema_version (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING",
)
"""What every start does first: who may do this may do the rest."""
_COMMITS: Final[dict[Synchronous, str]] = {"full": "on", "normal": "off"}


@cache
def _sql(text: str) -> bytes:
    """In psycopg's own spelling of values; there is no `?` or `%` in the texts of statements."""
    return text.replace("?", "%s").encode()


def parameters_of(url: str) -> dict[str, Any]:
    """What a URL says about connecting, and what it leaves to us; raises StoreError."""
    try:
        return {**_PATIENT, **conninfo_to_dict(url)}
    except psycopg.Error:  # whose text would repeat the password
        problem = "storage.url is no URL that PostgreSQL understands: write postgresql://USER@HOST/DATABASE"
        raise StoreError(problem) from None


class PostgresDatabase:
    """A connection to a server."""

    def __init__(self, parameters: dict[str, Any], synchronous: Synchronous) -> None:
        """Raises psycopg.Error where there is no connection to be had."""
        self._connection: Final = psycopg.connect(**parameters, autocommit=True)
        try:
            self.run(f"SET synchronous_commit = {_COMMITS[synchronous]}")
        except BaseException:
            self._connection.close()
            raise

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """See Database."""
        with self._connection.execute(_sql(sql), values) as cursor:
            return cursor.fetchall()

    def run(self, sql: str, values: Sequence[Value] = ()) -> None:
        """See Database."""
        self._connection.execute(_sql(sql), values).close()

    def run_many(self, sql: str, values: Iterable[Sequence[Value]]) -> None:
        """See Database."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_sql(sql), values)

    def begin(self) -> None:
        """See Database."""
        self.run("BEGIN")

    def commit(self) -> None:
        """See Database."""
        self.run("COMMIT")

    def rollback(self) -> None:
        """See Database."""
        self._connection.rollback()

    def problems(self) -> list[str]:
        """See Database. The server looks after its own files; that it answers is all that is asked here."""
        return [] if self.rows("SELECT 1") == [(1,)] else ["the server does not answer"]

    def close(self) -> None:
        """See Database."""
        self._connection.close()


class Postgres:
    """The dialect, with a database that this server holds while its writing connection lives."""

    words: Final = {"text": 'TEXT COLLATE "C"', "blob": "BYTEA", "integer": "BIGINT", "clustered": ""}

    def __init__(
        self,
        url: str,
        synchronous: Synchronous = "full",
        *,
        steps: Sequence[Step] = STEPS,
        wrapped: Callable[[Database], Database] = lambda database: database,
    ) -> None:
        """Connects, makes or migrates the schema. Raises StoreBusy, StoreNewer or StoreError; see Sqlite."""
        self._parameters: Final = parameters_of(url)
        self._synchronous: Final[Synchronous] = synchronous
        self._wrapped: Final = wrapped
        self._where: Final = f"the database {self._parameters.get('dbname', '')} on {self._parameters.get('host', '')}"
        self._first: PostgresDatabase | None = None
        """Made at the start, and handed out to the first who writes."""
        try:
            self._first = self._writer()
            self._prepare(self._first, steps)
        except psycopg.Error as error:
            self.release()
            said = " ".join(str(error).split())
            raise StoreError(f"{self._where} cannot be used ({said}): check storage.url and the server") from error
        except BaseException:
            self.release()
            raise

    def _prepare(self, database: Database, steps: Sequence[Step]) -> None:
        for statement in TRIED:
            database.run(statement)
        ((version,),) = database.rows("SELECT version FROM schema_version")

        def set_version(number: int) -> None:
            database.run("UPDATE schema_version SET version = ?", (number,))

        migrate(database, self.words, version, set_version, steps)

    def _writer(self) -> PostgresDatabase:
        database = PostgresDatabase(self._parameters, self._synchronous)
        try:
            until = monotonic() + _LINGERING
            while database.rows(_LOCKED, (_LOCK,)) != [(True,)]:
                if monotonic() > until:
                    raise StoreBusy(f"{self._where} is in use by another server: stop that one, or name another")
                sleep(_LINGERING / 20)
        except BaseException:
            database.close()
            raise
        return database

    def connect(self, *, writing: bool = False) -> Database:
        """See Dialect."""
        if not writing:
            return self._wrapped(PostgresDatabase(self._parameters, self._synchronous))
        first, self._first = self._first, None
        return self._wrapped(first or self._writer())

    def passes(self, error: BaseException) -> bool:
        """See Dialect. Without the lock, too, it is tried again: the server may not know yet that a line was cut."""
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | psycopg.InternalError | StoreBusy)

    def damaged(self, error: BaseException) -> bool:
        """See Dialect."""
        return isinstance(error, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted)

    def release(self) -> None:
        """See Dialect. The lock goes with its connection."""
        first, self._first = self._first, None
        if first is not None:
            with suppress(psycopg.Error):
                first.close()
