"""A store on two threads: one writes what is queued, all that came while the last commit ran in one transaction; one
reads. What goes wrong with a write is tried again until it works, and no error ends the thread."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Final, TypeVar

from attrs import frozen

from parlour_server.log import log
from parlour_server.protocol.lobby import Matches, Statistics
from parlour_server.storage import reading
from parlour_server.storage.changes import Banned, Change, Muted, RulesetKept, StoredMatch, Utc
from parlour_server.storage.database import Database, Dialect
from parlour_server.storage.matches import match_id, stored_match
from parlour_server.storage.store import (
    PAGE,
    LiveRows,
    RowsUnreadable,
    Seal,
    StoredAccount,
    StoreDamaged,
    StoredIdentity,
    StoreError,
    unsealed,
)
from parlour_server.storage.writing import Writing
from parlour_server.table.journal import Row

BACKOFF: Final = (0.2, 0.4, 0.8, 1.6, 2.0)
"""Seconds before a write that failed is tried again; the last goes on."""
MOST: Final = 1000
"""Changes of one transaction, but for what else was written in the same turn of the loop."""
TOGETHER: Final = 50
"""Tables that are read in one go when a server starts; all their rows are in memory at a time."""

T = TypeVar("T")
OnLoop = Callable[..., object]
"""`loop.call_soon_threadsafe`, or what a test puts in its place."""


def at_once(call: Callable[[], None]) -> None:
    """Instead of `loop.call_soon`, where there are no turns."""
    call()


@frozen
class _Queued:
    change: Change
    done: Callable[[], None] | None


class _GivenUp(Exception):
    """The store closes, and this could not be written."""


class ThreadedStore:
    """The `Store` over a database of some dialect."""

    def __init__(
        self, dialect: Dialect, on_loop: OnLoop, backoff: Sequence[float] = BACKOFF, soon: OnLoop = at_once
    ) -> None:
        """`dialect` is at the current schema and held by this server alone; `close` releases it. `soon` is
        `loop.call_soon`: what is written in one turn of the loop is handed over at its end. Were the writing thread
        woken in the middle of it, both would wait for each other at every call of the system."""
        self._dialect: Final = dialect
        self._on_loop: Final = on_loop
        self._soon: Final = soon
        self._turn: list[_Queued] = []
        self._backoff: Final = backoff
        self._queue: Final[SimpleQueue[list[_Queued] | None]] = SimpleQueue()
        self._in_trouble: Final[list[Callable[[bool], None]]] = []
        self._of_refused: Final[list[Callable[[Change, Exception], None]]] = []
        self._of_commits: Final[list[Callable[[float, int], None]]] = []
        self._hurry: Final = Event()
        """Set when waiting has no sense any more."""
        self._given = 0
        self._settled = 0
        """Changes that were written, or are known to be refused."""
        self._troubled = False
        self._run: Final = os.urandom(8).hex()
        self._batch = 0
        self._database: Database | None = None
        self._writing: Writing | None = None
        self._reader: Database | None = None
        self._readers: Final = ThreadPoolExecutor(1, "storage reads")
        self._writer: Final = Thread(target=self._write_all, name="storage writes", daemon=True)
        self._writer.start()

    # --- from the loop ---

    @property
    def waiting(self) -> int:
        """Changes that are not written yet, about."""
        return self._given - self._settled

    def write(self, change: Change, done: Callable[[], None] | None = None) -> None:
        """See Store."""
        self._given += 1
        self._turn.append(_Queued(change, done))
        if len(self._turn) == 1:
            self._soon(self._hand_over)

    def _hand_over(self) -> None:
        turn, self._turn = self._turn, []
        if turn:
            self._queue.put(turn)

    def on_trouble(self, told: Callable[[bool], None]) -> None:
        """See Store."""
        self._in_trouble.append(told)

    def on_refused(self, told: Callable[[Change, Exception], None]) -> None:
        """See Store."""
        self._of_refused.append(told)

    def on_commit(self, told: Callable[[float, int], None]) -> None:
        """Be told of each commit how many seconds it took, its writes included, and how many changes it made durable.
        Told on the writing thread."""
        self._of_commits.append(told)

    async def close(self, patience: float = 5.0) -> int:
        """See Store."""
        self._hand_over()
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join, patience)
        self._hurry.set()
        await asyncio.to_thread(self._writer.join, patience)
        if not self._writer.is_alive():
            await asyncio.get_running_loop().run_in_executor(self._readers, self._close_reader)
            self._dialect.release()
        self._readers.shutdown(wait=False)
        return self.waiting

    async def identity_of_key(self, key: bytes) -> StoredIdentity | None:
        """See Store."""
        return await self._read(lambda database: reading.identity_of_key(database, key))

    async def identity(self, identity: str) -> StoredIdentity | None:
        """See Store."""
        return await self._read(lambda database: reading.identity(database, identity))

    async def account(self, folded: str) -> StoredAccount | None:
        """See Store."""
        return await self._read(lambda database: reading.account(database, folded))

    async def live_tables(self) -> AsyncIterator[LiveRows]:
        """See Store. Some at a time: for one alone, two threads would wait for each other longer than it takes."""
        tables = await self._read(reading.live_ids)
        for first in range(0, len(tables), TOGETHER):
            for found in await self._read(partial(self._those_of, tables=tables[first : first + TOGETHER])):
                yield found

    async def live_table(self, table: str) -> LiveRows | None:
        """See Store."""
        return await self._read(partial(reading.live, table=table))

    async def all_rows(self, table: str) -> list[Row]:
        """See Store."""
        return await self._read(lambda database: reading.all_rows(database, table))

    async def match_of(self, table: str, ended: Utc, program: str, seal: Seal = unsealed) -> StoredMatch | None:
        """See Store."""

        def question(database: Database) -> StoredMatch | None:
            meta = reading.table_meta(database, table)
            if meta is None:
                return None
            return stored_match(meta, reading.all_rows(database, table), ended, program, seal)

        return await self._read(question)

    async def matches(self, identity: str | None, before: str | None = None, limit: int = PAGE) -> Matches:
        """See Store."""
        return await self._read(lambda database: reading.matches(database, identity, before, limit))

    async def record(self, match: str) -> str | None:
        """See Store."""
        return await self._read(lambda database: reading.record(database, match))

    async def statistics(self, identity: str) -> Statistics:
        """See Store."""
        return await self._read(lambda database: reading.statistics(database, identity))

    async def ruleset(self, digest: str) -> RulesetKept | None:
        """See Store."""
        return await self._read(lambda database: reading.ruleset(database, digest))

    async def bans(self) -> list[Banned]:
        """See Store."""
        return await self._read(reading.bans)

    async def mutes(self) -> list[Muted]:
        """See Store."""
        return await self._read(reading.mutes)

    async def integrity(self) -> list[str]:
        """See Store."""
        return await self._read(reading.integrity)

    async def _read(self, question: Callable[[Database], T]) -> T:
        """Raises StoreError where the database gives no answer, StoreDamaged where it never will."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._answer, question)

    # --- on the reading thread ---

    def _answer(self, question: Callable[[Database], T]) -> T:
        try:
            return self._ask(question)
        except Exception as error:
            if self._dialect.damaged(error):
                cure = "it is damaged: put a backup back"
                raise StoreDamaged(f"the database cannot be read ({_said(error)}); {cure}") from error
            if self._dialect.passes(error):
                raise StoreError(f"the database cannot be read ({_said(error)}); see to it and try again") from error
            raise

    def _ask(self, question: Callable[[Database], T]) -> T:
        if self._reader is not None:
            try:
                return question(self._reader)
            except Exception as error:
                # A connection that was lost is made anew, once.
                if not self._dialect.passes(error):
                    raise
                self._close_reader()
        self._reader = self._dialect.connect()
        return question(self._reader)

    def _those_of(self, database: Database, tables: list[str]) -> list[LiveRows]:
        """What can be read of these tables."""
        found = []
        for table in tables:
            try:
                found.append(reading.live(database, table))
            except Exception as error:
                if not isinstance(error, RowsUnreadable) and not self._dialect.damaged(error):
                    raise
                log.exception("table cannot be restored", table=match_id(table)[:8])
        return [rows for rows in found if rows is not None]

    def _close_reader(self) -> None:
        database, self._reader = self._reader, None
        _closed(database)

    # --- on the writing thread ---

    def _write_all(self) -> None:
        going = True
        while going:
            batch, going = self._taken()
            try:
                self._settle(batch)
            except _GivenUp:
                break
            except Exception:  # noqa: BLE001 # a fault of the store's own must not end the writing of everything else
                log.exception("storage failed")
            if self._troubled:
                self._troubled = False
                log.warning("storage writes again")
                self._tell([partial(told, False) for told in self._in_trouble])
        self._drop_writer()

    def _taken(self) -> tuple[list[_Queued], bool]:
        """All that is queued, waited for where there is nothing; False with the last of it."""
        batch: list[_Queued] = []
        turn = self._queue.get()
        while turn is not None:
            batch += turn
            if len(batch) >= MOST or self._queue.empty():
                return batch, True
            turn = self._queue.get()
        return batch, False

    def _settle(self, batch: list[_Queued]) -> None:
        """Write these in order, leave out what can never be written, tell everybody. Raises _GivenUp."""
        if not batch:
            return
        error = self._until_written(batch)
        if error is not None and len(batch) > 1:
            middle = len(batch) // 2
            self._settle(batch[:middle])
            self._settle(batch[middle:])
            return
        self._settled += len(batch)
        if error is None:
            self._tell([queued.done for queued in batch if queued.done is not None])
        else:
            change = batch[0].change
            log.error("change refused", change=type(change).__name__, error=_said(error))
            self._tell([partial(told, change, error) for told in self._of_refused])

    def _until_written(self, batch: list[_Queued]) -> Exception | None:
        """Try until it is written (None), or is known to be refused for good. Raises _GivenUp."""
        self._batch += 1
        tries = 0
        while True:
            since = monotonic()
            try:
                self._try(batch, tries > 0)
            except Exception as error:  # noqa: BLE001 # judged below
                self._take_back()
                if not self._dialect.passes(error):
                    return error
                if not self._troubled:
                    self._troubled = True
                    log.error("storage cannot write", error=_said(error))
                    self._tell([partial(told, True) for told in self._in_trouble])
            else:
                _call([partial(told, monotonic() - since, len(batch)) for told in self._of_commits])
                return None
            if self._hurry.wait(self._backoff[min(tries, len(self._backoff) - 1)]):
                raise _GivenUp
            tries += 1

    def _try(self, batch: list[_Queued], again: bool) -> None:
        if self._database is None or self._writing is None:
            self._database = self._dialect.connect(writing=True)
            self._writing = Writing(self._database)
        database, writing = self._database, self._writing
        database.begin()
        if again and database.rows("SELECT run, batch FROM mark") == [(self._run, self._batch)]:
            # The commit that failed had been one.
            database.rollback()
            return
        for queued in batch:
            writing.write(queued.change)
        database.run("UPDATE mark SET run = ?, batch = ?", (self._run, self._batch))
        database.commit()

    def _take_back(self) -> None:
        if self._database is None or self._writing is None:
            return
        self._writing.taken_back()
        try:
            self._database.rollback()
        except Exception:  # noqa: BLE001 # a connection that cannot even do this is of no use
            self._drop_writer()

    def _drop_writer(self) -> None:
        database, self._database, self._writing = self._database, None, None
        _closed(database)

    def _tell(self, calls: list[Callable[[], None]]) -> None:
        if not calls:
            return
        # A loop that has been closed wants to know nothing.
        with suppress(RuntimeError):
            self._on_loop(_call, calls)


def _call(calls: list[Callable[[], None]]) -> None:
    for call in calls:
        try:
            call()
        except Exception:  # noqa: BLE001 # a fault of one listener must not keep the others from hearing
            log.exception("listener of the storage failed")


def _said(error: Exception) -> str:
    # PostgreSQL's second line repeats the values, a table's link among them.
    text = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {text}"[:300]


def _closed(database: Database | None) -> None:
    if database is not None:
        with suppress(Exception):
            database.close()
