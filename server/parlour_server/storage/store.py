"""The door to what is stored: changes go in and are durable in order, questions are answered beside them."""

from collections.abc import AsyncIterator, Callable
from typing import Final, Protocol

from attrs import frozen

from parlour_server.protocol.lobby import Matches, Statistics
from parlour_server.storage.changes import (
    Banned,
    Change,
    Muted,
    RulesetKept,
    StoredMatch,
    TableMeta,
    Utc,
)
from parlour_server.table.journal import Row

PAGE: Final = 20
"""Matches in one answer, where nothing else is asked for."""


Seal = Callable[[str], str]
"""Adds the house's seal to the text of a record, if anything."""


def unsealed(text: str) -> str:
    """The text as it is."""
    return text


class StoreError(ValueError):
    """The store cannot be used; the text says why, and the cure. One line."""


class StoreBusy(StoreError):
    """Another server has it."""


class StoreNewer(StoreError):
    """It was written by a newer program."""


class StoreDamaged(StoreError):
    """A part of it can never be read again."""


class RowsUnreadable(ValueError):
    """Rows that this program cannot read: another version wrote them, or they are damaged."""


@frozen
class StoredIdentity:
    """Somebody; `account` is null for a guest."""

    id: str
    name: str
    account: str | None
    made_at: Utc


@frozen
class StoredAccount:
    """What logging in needs."""

    identity: str
    account: str
    password_hash: str
    name: str


@frozen
class LiveRows:
    """A table that was running: its rows since the last `Checkpoint`, the first of them; all where there is none.

    `problem` is set, and `rows` empty, where they cannot be read.
    """

    table: str
    meta: TableMeta
    rows: list[Row]
    problem: str | None = None


class Store(Protocol):
    """What is stored. `write` and the answers of callbacks belong to the loop's thread."""

    def write(self, change: Change, done: Callable[[], None] | None = None) -> None:
        """Queue a change; returns at once. `done` is called on the loop once it is durable, in order of the writes;
        never for a change that was refused."""

    def on_trouble(self, told: Callable[[bool], None]) -> None:
        """Be told True when a write fails and is tried again, False when all that failed is written. Meanwhile
        nothing is dropped."""

    def on_refused(self, told: Callable[[Change, Exception], None]) -> None:
        """Be told of a change that can never be written, a fault of its maker: it is left out and the others go on."""

    async def identity_of_key(self, key: bytes) -> StoredIdentity | None:
        """Who holds the token with this SHA-256."""

    async def identity(self, identity: str) -> StoredIdentity | None:
        """Somebody by id."""

    async def account(self, folded: str) -> StoredAccount | None:
        """The account of a folded name."""

    def live_tables(self) -> AsyncIterator[LiveRows]:
        """The tables that were running when the last server stopped, oldest first."""

    async def live_table(self, table: str) -> LiveRows | None:
        """One of them; None where there is none. Raises RowsUnreadable for what it was made of."""

    async def all_rows(self, table: str) -> list[Row]:
        """All rows of a running table that are durable; raises RowsUnreadable."""

    async def match_of(self, table: str, ended: Utc, program: str, seal: Seal = unsealed) -> StoredMatch | None:
        """A running table's match as it is to be stored, from its durable rows (`matches.stored_match`); None where
        none has begun. Raises RowsUnreadable."""

    async def matches(self, identity: str | None, before: str | None = None, limit: int = PAGE) -> Matches:
        """Matches that are over, newest first: an identity's, or all public ones. `before` is the last one had."""

    async def record(self, match: str) -> str | None:
        """The record of a match."""

    async def statistics(self, identity: str) -> Statistics:
        """Of all matches that are stored."""

    async def ruleset(self, digest: str) -> RulesetKept | None:
        """A ruleset's file that something was once played under."""

    async def bans(self) -> list[Banned]:
        """All of them, those that are over too."""

    async def mutes(self) -> list[Muted]:
        """All of them, those that are over too."""

    async def integrity(self) -> list[str]:
        """What is wrong with the database; empty where nothing is."""

    async def close(self, patience: float = 5.0) -> int:
        """Write what is queued, for `patience` seconds at most, then close: how many changes were not written."""
