"""What storage asks of a database: plain SQL with `?` for values, transactions, and which errors pass by themselves."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

Synchronous = Literal["full", "normal"]
"""Whether what is committed outlives a power cut, or only a crash of the server."""
Value = str | int | float | bytes | None


class Database(Protocol):
    """One connection, used by one thread at a time."""

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """The answer of a query."""

    def run(self, sql: str, values: Sequence[Value] = ()) -> None:
        """A statement without an answer."""

    def run_many(self, sql: str, values: Iterable[Sequence[Value]]) -> None:
        """The same statement many times."""

    def begin(self) -> None:
        """Begin a transaction that writes."""

    def commit(self) -> None:
        """Make it durable."""

    def rollback(self) -> None:
        """Take it back, if there is one."""

    def problems(self) -> list[str]:
        """What is wrong with the database as a whole."""

    def close(self) -> None:
        """Close the connection."""


class Dialect(Protocol):
    """A kind of database."""

    @property
    def words(self) -> dict[str, str]:
        """How it says `text`, `blob`, `integer` and `clustered` in a schema."""

    def connect(self, *, writing: bool = False) -> Database:
        """A new connection to a database with the current schema, by which this server alone may be `writing`; raises
        what the database does."""

    def passes(self, error: BaseException) -> bool:
        """True for an error that may be gone when the same is tried again: a full disk, a lost connection."""

    def damaged(self, error: BaseException) -> bool:
        """True for an error that says that something in the database can never be read again."""

    def release(self) -> None:
        """Let the next server have the database."""
