"""A disk that outlives its server, and a store upon it: only what was committed survives, and at times nothing is.

The database is the real one, in memory; the thread that writes is a timer of the server's loop.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from attrs import frozen

from parlour_server.protocol.lobby import Matches, Statistics
from parlour_server.storage import reading
from parlour_server.storage.changes import Banned, Change, Muted, RowsTold, RulesetKept, StoredMatch, Together, Utc
from parlour_server.storage.database import Database
from parlour_server.storage.matches import stored_match
from parlour_server.storage.migrations import STEPS, migrate
from parlour_server.storage.sqlite import Sqlite, SqliteDatabase
from parlour_server.storage.store import PAGE, LiveRows, Seal, StoredAccount, StoredIdentity, unsealed
from parlour_server.storage.writing import Writing
from parlour_server.table.journal import Happened, Row
from tests.simulation.loop import VirtualLoop

T = TypeVar("T")
Queued = tuple[Change, Callable[[], None] | None]
AGAIN = 0.5
"""Seconds until a write that failed is tried again."""


@frozen
class Speed:
    """How long a commit and a question take, in seconds, and when nothing can be written."""

    commit: tuple[float, float] = (0.0005, 0.01)
    question: tuple[float, float] = (0.0005, 0.02)
    full: tuple[tuple[float, float], ...] = ()
    """Moments from and to which every write fails."""


class Disk:
    """What is on it, and up to which version each table is."""

    def __init__(self, speed: Speed) -> None:
        self.speed = speed
        self.database: Database = SqliteDatabase(Path(":memory:"), "normal")
        migrate(self.database, Sqlite.words, 0, lambda _: None, STEPS)
        self.versions: dict[str, list[tuple[int, int]]] = {}
        """Of each table the last event that is durable, and since which step of the server."""
        self.rows: dict[str, list[Row]] = {}
        """All rows that were ever durable, of tables that are gone too."""
        self.commits = 0
        self.failures = 0

    def is_full(self, now: float) -> bool:
        """Whether a write fails now."""
        return any(since <= now < until for since, until in self.speed.full)

    def version(self, table: str, step: int | None = None) -> int:
        """The last durable event of a table, now or in a step of the server."""
        marks = self.versions.get(table, [])
        for since, version in reversed(marks):
            if step is None or since <= step:
                return version
        return 0

    def records(self) -> list[str]:
        """Of the matches that are over, by name."""
        names = [row[0] for row in self.database.rows("SELECT id FROM matches ORDER BY id")]
        return [text for name in names if (text := reading.record(self.database, name)) is not None]

    def close(self) -> None:
        """It is not needed any more."""
        self.database.close()


class SimulatedStore:
    """The `Store` of one life of the server."""

    def __init__(self, disk: Disk, loop: VirtualLoop, chance: Random) -> None:
        self._disk = disk
        self._loop = loop
        self._chance = chance
        self._queue: deque[Queued] = deque()
        self._batch: list[Queued] = []
        self._writing = Writing(disk.database)
        self._in_trouble: list[Callable[[bool], None]] = []
        self._of_refused: list[Callable[[Change, Exception], None]] = []
        self._troubled = False
        self._dead = False

    @property
    def troubled(self) -> bool:
        """Whether the server was told that nothing can be written."""
        return self._troubled

    @property
    def waiting(self) -> int:
        """Changes that are not durable yet."""
        return len(self._queue) + len(self._batch)

    def write(self, change: Change, done: Callable[[], None] | None = None) -> None:
        self._queue.append((change, done))
        if not self._batch and not self._dead:
            self._take()

    def on_trouble(self, told: Callable[[bool], None]) -> None:
        self._in_trouble.append(told)

    def on_refused(self, told: Callable[[Change, Exception], None]) -> None:
        self._of_refused.append(told)

    def die(self) -> None:
        """The process is gone: what it was about to commit is on the disk or not, nothing else is."""
        self._dead = True
        if self._batch and self._chance.random() < 0.5 and not self._disk.is_full(self._loop.time()):
            self._commit()
        self._batch = []
        self._queue.clear()

    def _take(self) -> None:
        self._batch = list(self._queue)
        self._queue.clear()
        self._loop.call_later(self._chance.uniform(*self._disk.speed.commit), self._try)

    def _try(self) -> None:
        if self._dead:
            return
        if self._disk.is_full(self._loop.time()):
            self._disk.failures += 1
            if not self._troubled:
                self._troubled = True
                for told in self._in_trouble:
                    told(True)
            self._loop.call_later(AGAIN, self._try)
            return
        calls = self._commit()
        self._batch = []
        if self._queue:
            self._take()
        for call in calls:
            call()
        if self._troubled:
            self._troubled = False
            for told in self._in_trouble:
                told(False)

    def _commit(self) -> list[Callable[[], None]]:
        """Make the batch durable; what is to be called then."""
        disk = self._disk
        disk.commits += 1
        calls: list[Callable[[], None]] = []
        disk.database.begin()
        for change, done in self._batch:
            self._writing.write(change)
            self._note(change)
            if done is not None:
                calls.append(done)
        disk.database.commit()
        return calls

    def _note(self, change: Change) -> None:
        if isinstance(change, Together):
            for one in change.changes:
                self._note(one)
        if isinstance(change, RowsTold):
            self._disk.rows.setdefault(change.table, []).extend(change.rows)
            for row in change.rows:
                if isinstance(row, Happened):
                    self._disk.versions.setdefault(change.table, []).append((self._loop.steps, row.version))

    async def _ask(self, question: Callable[[Database], T]) -> T:
        await asyncio.sleep(self._chance.uniform(*self._disk.speed.question))
        return question(self._disk.database)

    async def identity_of_key(self, key: bytes) -> StoredIdentity | None:
        return await self._ask(lambda database: reading.identity_of_key(database, key))

    async def identity(self, identity: str) -> StoredIdentity | None:
        return await self._ask(lambda database: reading.identity(database, identity))

    async def account(self, folded: str) -> StoredAccount | None:
        return await self._ask(lambda database: reading.account(database, folded))

    async def live_tables(self) -> AsyncIterator[LiveRows]:
        for table in await self._ask(reading.live_ids):
            found = await self.live_table(table)
            if found is not None:
                yield found

    async def live_table(self, table: str) -> LiveRows | None:
        return await self._ask(lambda database: reading.live(database, table))

    async def all_rows(self, table: str) -> list[Row]:
        return await self._ask(lambda database: reading.all_rows(database, table))

    async def match_of(self, table: str, ended: Utc, program: str, seal: Seal = unsealed) -> StoredMatch | None:
        def question(database: Database) -> StoredMatch | None:
            meta = reading.table_meta(database, table)
            return None if meta is None else stored_match(meta, reading.all_rows(database, table), ended, program, seal)

        return await self._ask(question)

    async def matches(self, identity: str | None, before: str | None = None, limit: int = PAGE) -> Matches:
        return await self._ask(lambda database: reading.matches(database, identity, before, limit))

    async def record(self, match: str) -> str | None:
        return await self._ask(lambda database: reading.record(database, match))

    async def statistics(self, identity: str) -> Statistics:
        return await self._ask(lambda database: reading.statistics(database, identity))

    async def ruleset(self, digest: str) -> RulesetKept | None:
        return await self._ask(lambda database: reading.ruleset(database, digest))

    async def bans(self) -> list[Banned]:
        return await self._ask(reading.bans)

    async def mutes(self) -> list[Muted]:
        return await self._ask(reading.mutes)

    async def integrity(self) -> list[str]:
        return await self._ask(reading.integrity)

    async def close(self, patience: float = 5.0) -> int:
        for _ in range(int(patience * 100)):
            if not self.waiting:
                break
            await asyncio.sleep(0.01)
        self._dead = True
        return self.waiting
