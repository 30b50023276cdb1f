"""The house as its keeper sees it: tables and lines by their public names, and what may be done about them."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final

from parlour_server.admin.rooms import Room, Standing, Visitor
from parlour_server.limits import household
from parlour_server.live_table import LiveTable
from parlour_server.metrics import Census
from parlour_server.people.requests import LINE_OUT
from parlour_server.protocol.lobby import Notice
from parlour_server.server import Parlour
from parlour_server.storage.changes import Utc


class Premises:
    """Answers the admin socket (`admin.rooms.Rooms`) for one running server; `stop` ends the process."""

    def __init__(self, parlour: Parlour, stop: Callable[[], None], waiting: Callable[[], int]) -> None:
        """`waiting` is how many changes the storage has still to write."""
        self._parlour: Final = parlour
        self._hall: Final = parlour.hall
        self._stop: Final = stop
        self._waiting: Final = waiting

    def standing(self) -> Standing:
        """The house at a glance."""
        health, states = self._parlour.health(), dict(self._hall.states())
        return Standing(
            version=health["version"],
            uptime_s=health["uptime_s"],
            lines=health["sockets"],
            people=self._hall.people.here(),
            tables=states,
            playing=sum([live.plays for live in self._hall.tables.values()]),
            draining=self._hall.closing,
            store_queue=self._waiting(),
            lacks=self._parlour.readiness.lacks(),
        )

    def census(self) -> Census:
        """The same in numbers, for `/metrics`."""
        return Census(
            lines=self._parlour.doorkeeper.inside,
            strangers=self._parlour.doorkeeper.strangers,
            guests=self._hall.people.here(),
            tables=dict(self._hall.states()),
            store_queue=self._waiting(),
            draining=self._hall.closing,
        )

    def rooms(self) -> Iterable[Room]:
        """Every table."""
        now, utc = asyncio.get_running_loop().time(), self._hall.keeping.utc_text()
        return [_room(live, now, utc) for live in self._hall.tables.values()]

    def people(self) -> Iterable[tuple[str, str]]:
        """Everybody who is here or was lately: identity and name."""
        return self._hall.people.remembered()

    def visitors(self) -> Iterable[Visitor]:
        """Every line that has opened."""
        now = asyncio.get_running_loop().time()
        return [
            Visitor(
                number=line.number,
                address=line.address,
                identity=line.person or None,
                name=line.name,
                match=None if line.table is None else line.table.meta.match,
                age_s=int(now - line.since),
            )
            for line in self._parlour.conversations
        ]

    def freeze(self, match: str) -> None:
        """Let the table stand still until it is thawed; its people are told. Nothing where it is frozen."""
        self._live(match).stop("frozen")

    def thaw(self, match: str) -> None:
        """Let it go on. ValueError where its journal cannot be read."""
        self._live(match).thaw()

    def close_room(self, match: str) -> None:
        """End the table; its people are told, and its record is kept as far as it goes."""
        self._live(match).close("removed")

    def drain(self, on: bool) -> None:
        """Make no new table and begin no further deal, or do so again. People are told of it."""
        self._hall.drain(on)
        self._parlour.readiness.draining = on
        if on:
            self._parlour.tell_all(Notice("restart"))

    def stop(self) -> None:
        """End the process as SIGTERM would; the tables will stand again at the next start."""
        self._stop()

    def dismiss(self, identity: str | None, address: str | None) -> int:
        """End the lines of somebody, or of everybody whose household is `address`; how many."""
        found = [
            line
            for line in self._parlour.conversations
            if (identity is not None and line.person == identity)
            or (address is not None and household(line.address) == address)
        ]
        for line in found:
            line.dismiss("banned")
        return len(found)

    async def new_password(self, account: str) -> tuple[str, int] | None:
        """Another password for an account; its person is signed out everywhere. Raises Refused."""
        found = await self._hall.people.reset_password(account)
        if found is None:
            return None
        identity, password = found
        lines = list(identity.lines)
        for line in lines:
            line.dismiss(LINE_OUT, signed_out=True)
        return password, len(lines)

    def _live(self, match: str) -> LiveTable:
        for live in self._hall.tables.values():
            if live.meta.match == match:
                return live
        raise ValueError("the table has been closed")


def _seconds(since: Utc, until: Utc) -> int:
    """How long that is; 0 where somebody has put the clock back."""
    return max(0, int((datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds()))


def _room(live: LiveTable, now: float, utc: Utc) -> Room:
    line = live.line()
    return Room(
        match=live.meta.match,
        state=live.state,
        ruleset=live.meta.ruleset,
        deal=line.deal,
        people=live.people_present,
        watchers=line.watchers,
        public=live.public,
        demonstration=line.demonstration,
        # The loop's clock begins anew with the process, and a table may be older.
        age_s=_seconds(live.meta.made_at, utc),
        idle_s=None if live.deserted is None else int(now - live.deserted),
        seats=[seat.name for seat in line.seats],
    )
