"""A table among sockets and clocks: the sans-I/O table, the lines of its viewers, its alarm and its bots.

Whatever the table raises ends this table alone: it is logged, its viewers are told, the others go on.
"""

import asyncio
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from parlour_server.bot_seats import BotSeats
from parlour_server.identity import Guest
from parlour_server.log import log
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, encode
from parlour_server.protocol.messages import Error, Leave, Left, Play, Ready, TakeSeat, ToClient, Why
from parlour_server.settings import Bots, Tables
from parlour_server.table.deliveries import Delivery, ToBot
from parlour_server.table.journal import Closed, Row
from parlour_server.table.table import Table

ORPHANED: Final = 60.0
"""Seconds after which a table without people or viewers is closed: nobody has a seat to come back to."""


class Viewer(Protocol):
    """A line at a table. `text` says whether it speaks JSON."""

    number: int
    text: bool

    def put(self, frame: bytes) -> None:
        """Queue an encoded message."""

    def gone_from(self, table: "LiveTable") -> None:
        """The table has let this viewer go."""


def _frame(message: ToClient, text: bool) -> bytes:
    frame = encode(message, JSON_SUBPROTOCOL if text else MSGPACK_SUBPROTOCOL)
    return frame.encode() if isinstance(frame, str) else frame


class LiveTable:
    """One running table. `ended(self)` is called once, when it is closed for whatever reason."""

    def __init__(
        self,
        table: Table,
        owner: Guest,
        floor_ms: int,
        times: Tables,
        bots: Bots,
        record: Callable[[str, list[Row]], None],
        ended: Callable[["LiveTable"], None],
    ) -> None:
        self.id: Final = table.id
        self.owner: Final = owner
        self.closed = False
        self._table: Final = table
        self._times: Final = times
        self._record: Final = record
        self._ended: Final = ended
        self._loop = asyncio.get_running_loop()
        self._viewers: dict[int, Viewer] = {}
        self._bots = BotSeats(bots, floor_ms, self._bot_answers, table.view_for)
        self._alarm: asyncio.TimerHandle | None = None
        self._sweep: asyncio.TimerHandle | None = None
        self._sweep_after: float | None = None
        self.deserted: float | None = None
        """Since when nobody is here, by the loop's clock; None while somebody is."""

    @property
    def over(self) -> bool:
        """Whether its match is."""
        return self._table.over

    # --- from the lines ---

    def start(self) -> None:
        """Begin the match."""
        with self._turn():
            self._table.start(self._loop.time())

    def join(self, viewer: Viewer, guest: Guest, seen: int | None) -> bool:
        """A line comes, to its guest's seat or to watch. False, and an error to it, where it cannot stay."""
        self._viewers[viewer.number] = viewer
        with self._turn():
            self._table.join(viewer.number, guest.id, guest.name, seen, self._loop.time())
        return viewer.number in self._viewers

    def disconnect(self, viewer: Viewer) -> None:
        """A line is gone, or its client has turned to another table."""
        if self._viewers.pop(viewer.number, None) is not None:
            with self._turn():
                self._table.disconnect(viewer.number, self._loop.time())

    def receive(self, viewer: Viewer, message: TakeSeat | Play | Ready | Why | Leave) -> None:
        """A viewer's message."""
        with self._turn():
            if isinstance(message, Leave):
                self._table.leave(viewer.number, self._loop.time())
            else:
                self._table.receive(viewer.number, message, self._loop.time())

    def rename(self, guest: Guest) -> None:
        """A guest has another name."""
        if self._table.knows(guest.id):
            with self._turn():
                self._table.rename(guest.id, guest.name)

    def close(self) -> None:
        """End the table; everybody at it is told."""
        if self.closed:
            return
        self.closed = True
        for handle in (self._alarm, self._sweep):
            if handle is not None:
                handle.cancel()
        self._bots.stop()
        self._record(self.id, [Closed(self._loop.time())])
        farewell = Left(self.id, "closed")
        viewers, self._viewers = list(self._viewers.values()), {}
        for viewer in viewers:
            viewer.put(_frame(farewell, viewer.text))
            viewer.gone_from(self)
        self._ended(self)

    # --- time, bots, and what comes of them ---

    def _ring(self) -> None:
        self._alarm = None
        deadline = self._table.deadline()
        with self._turn():
            # The loop may ring a clock tick early; the table is told the time that it waited for.
            self._table.tick(max(self._loop.time(), deadline or 0.0))

    def _bot_answers(self, seat: int, version: int, move: str) -> None:
        with self._turn():
            answer = self._table.receive_bot(seat, Play(version, move), self._loop.time())
            if isinstance(answer, Error):
                # A person or the clock may have been faster; only a move that is not legal is the bot's fault.
                log.debug("bot refused", table=self.id[:6], seat=seat, code=answer.code)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Around every call of the table: send and record what came of it, set the alarm anew, contain a crash."""
        try:
            yield
            self._record(self.id, self._table.to_record())
            for delivery in self._table.to_send():
                self._deliver(delivery)
            self._let_go()
            self._set_alarm()
            self._set_sweep()
        except Exception:  # noqa: BLE001 # a fault of one table must not reach the others
            log.exception("table failed", table=self.id[:6])
            self.close()

    def _deliver(self, delivery: Delivery) -> None:
        if isinstance(delivery, ToBot):
            self._bots.ask(delivery.seat, delivery.level, delivery.ask)
            return
        frames: dict[bool, bytes] = {}
        for number in delivery.viewers:
            viewer = self._viewers.get(number)
            if viewer is None:
                continue
            if viewer.text not in frames:
                frames[viewer.text] = _frame(delivery.message, viewer.text)
            viewer.put(frames[viewer.text])

    def _set_alarm(self) -> None:
        deadline = self._table.deadline()
        if self._alarm is not None:
            if self._alarm.when() == deadline:
                return
            self._alarm.cancel()
            self._alarm = None
        if deadline is not None:
            self._alarm = self._loop.call_at(deadline, self._ring)

    def _let_go(self) -> None:
        """Forget the viewers whom the table has let go: they left, were replaced, or found it full."""
        for number, viewer in list(self._viewers.items()):
            if not self._table.here(number):
                del self._viewers[number]
                viewer.gone_from(self)

    def _set_sweep(self) -> None:
        """A table that nobody is at, or whose match is over, is closed after a while."""
        seconds: float | None = None
        if self._viewers:
            self.deserted = None
        else:
            seconds = self._times.idle_seconds if self._table.owned() else min(ORPHANED, self._times.idle_seconds)
            self.deserted = self._loop.time() if self.deserted is None else self.deserted
        if self._table.over:
            seconds = min(seconds or math.inf, self._times.finished_seconds)
        if seconds == self._sweep_after:
            return
        self._sweep_after = seconds
        if self._sweep is not None:
            self._sweep.cancel()
        self._sweep = None if seconds is None else self._loop.call_later(seconds, self._swept)

    def _swept(self) -> None:
        log.info("table swept", table=self.id[:6], over=self._table.over)
        self.close()
