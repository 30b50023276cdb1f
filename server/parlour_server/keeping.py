"""How tables outlive the process: their journals in the store, their records when they end, and both taken up again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import Final

from parlour_engine.rulesets import Ruleset
from parlour_server.chance import Chance
from parlour_server.fairness.deals import FairDeals
from parlour_server.fairness.seal import Signer, sealed
from parlour_server.live_table import LiveTable
from parlour_server.log import log
from parlour_server.rulesets import Shelf, from_sources
from parlour_server.storage.changes import (
    MatchStored,
    RowsTold,
    RulesetKept,
    SeatMeta,
    StoredMatch,
    TableBegan,
    TableGone,
    TableMeta,
    Together,
)
from parlour_server.storage.matches import match_id
from parlour_server.storage.store import LiveRows, Store
from parlour_server.table.chairs import Bot, Occupant, Person
from parlour_server.table.journal import Closed, MatchBegun, Row
from parlour_server.table.shuffling import Deals as Source
from parlour_server.table.table import Table
from parlour_server.unseen import shows_nothing


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def seat_meta(occupant: Occupant) -> SeatMeta:
    """Who a table is made with, as it is kept."""
    if isinstance(occupant, Person):
        return SeatMeta(occupant.name, occupant.id, None)
    return SeatMeta(occupant.name, None, occupant.level)


def _occupant(seat: SeatMeta) -> Occupant:
    if seat.person is not None:
        return Person(seat.person, seat.name)
    assert seat.level is not None
    return Bot(seat.level, seat.name)


class Keeping:
    """The store as the tables use it. `deals` replaces where walls come from, for tests and tools; no setting does."""

    def __init__(
        self,
        store: Store,
        *,
        program: str,
        chance: Chance | None = None,
        signer: Signer | None = None,
        now: Callable[[], datetime] = utc_now,
        deals: Callable[[str], Source] | None = None,
        keep_file: Callable[[StoredMatch], None] | None = None,
        aside: Callable[[Callable[[], None]], Awaitable[None]] = asyncio.to_thread,
    ) -> None:
        """`keep_file` gets every match that is over, in a thread (`aside`); `program` is named in records."""
        self.store: Final = store
        self._program: Final = program
        self._chance: Final = Chance() if chance is None else chance
        self._signer: Final = signer
        self._now: Final = now
        self._deals: Final = deals
        self._keep_file: Final = keep_file
        self._aside: Final = aside
        self._rulesets: Final[set[str]] = set()
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def utc_text(self) -> str:
        """The time, as records write it."""
        return f"{self._now():%Y-%m-%dT%H:%M:%SZ}"

    @property
    def house_key(self) -> str | None:
        """The public half, in hex, of the key that records are sealed with; None where they are not."""
        return None if self._signer is None else self._signer.key

    def deals_of(self, table: str, ruleset: Ruleset) -> Source:
        """Where the walls of a table come from."""
        if self._deals is not None:
            return self._deals(table)
        return FairDeals(match_id(table), ruleset.digest, self._chance.token_bytes)

    def keep_ruleset(self, shelf: Shelf, ruleset: Ruleset) -> None:
        """Keep the texts of a ruleset that is played: its file may say something else tomorrow."""
        if ruleset.digest not in self._rulesets:
            self._rulesets.add(ruleset.digest)
            text, bases = shelf.sources(ruleset.key)
            self.store.write(RulesetKept(ruleset.digest, ruleset.key, ruleset.version, text, bases))

    def record(self, table: str, rows: list[Row], written: Callable[[], None]) -> None:
        """Queue a table's rows; `written` is called when they are on disk."""
        for row in rows:
            if isinstance(row, MatchBegun):
                self.store.write(TableBegan(table, self.utc_text()))
        self.store.write(RowsTold(table, rows), written)

    # --- a match's end ---

    def over(self, live: LiveTable) -> None:
        """A match's last event is written: keep its record."""
        self._begin(self._finish(live.id, live.meta, gone=False))

    def ended(self, live: LiveTable) -> None:
        """A table is closed, which is written: keep its record, and forget its journal."""
        self._begin(self._finish(live.id, live.meta, gone=True))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _finish(self, table: str, meta: TableMeta, *, gone: bool) -> None:
        try:
            match = await self.store.match_of(table, self.utc_text(), self._program, self._seal)
            if match is not None and self._keep_file is not None:
                await self._aside(partial(self._keep_file, match))
        except Exception:  # noqa: BLE001 # the journal stays, so nothing is lost
            log.exception("record not kept", match=meta.match[:8])
            return
        changes = [] if match is None else [MatchStored(match)]
        self.store.write(Together((*changes, TableGone(table)) if gone else tuple(changes)))

    def _seal(self, text: str) -> str:
        return text if self._signer is None else sealed(text, self._signer)

    async def settle(self) -> None:
        """Wait until every record that is being made is queued."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    # --- coming back ---

    async def kept(self) -> AsyncIterator[LiveRows]:
        """Every table that was not closed. One that was is finished here, where the process ended amid that."""
        async for found in self.store.live_tables():
            if found.rows and isinstance(found.rows[-1], Closed):
                self._begin(self._finish(found.table, found.meta, gone=True))
            else:
                yield found

    async def kept_table(self, table: str) -> LiveRows:
        """One of them; LookupError where there is none."""
        found = await self.store.live_table(table)
        if found is None:
            raise LookupError("the table is not in the store")
        return found

    async def restore(self, kept: LiveRows, shelf: Shelf) -> tuple[Table, float]:
        """A table as its journal tells it, and the time it was then. Raises BrokenJournal or LookupError."""
        if kept.problem is not None:
            raise LookupError(kept.problem)
        ruleset = await self._ruleset(kept.meta, shelf)
        # What shows nothing moves no clock: else the rest of the window would say when somebody had answered.
        at = next((row.at for row in reversed(kept.rows) if not shows_nothing(row)), 0.0)
        table = Table.restore(
            kept.table,
            ruleset,
            kept.meta.settings,
            [_occupant(seat) for seat in kept.meta.occupants],
            self.deals_of(kept.table, ruleset),
            kept.rows,
            at,
            owner=kept.meta.owner,
        )
        return table, at

    async def _ruleset(self, meta: TableMeta, shelf: Shelf) -> Ruleset:
        """The ruleset that a table was made under; LookupError where nobody has it any more."""
        if meta.ruleset in shelf.names:
            ruleset = shelf.choose(meta.ruleset, meta.options)
            if ruleset.digest == meta.digest:
                return ruleset
        kept = await self.store.ruleset(meta.digest)
        if kept is None:
            raise LookupError(f"the ruleset {meta.ruleset} {meta.ruleset_version} is not kept")
        return from_sources(kept.text, kept.bases).with_options(meta.options)
