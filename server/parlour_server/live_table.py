"""A table among sockets and clocks: the sans-I/O table, the lines of its viewers, its alarm, its journal and its bots.

Whatever the table raises stays with this table: its viewers keep their lines while it is made anew from its journal,
and the others go on.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from parlour_server.bot_seats import BotSeats
from parlour_server.contained import Contained
from parlour_server.first_written import FirstWritten, Turn
from parlour_server.log import log
from parlour_server.protocol.listings import TableLine
from parlour_server.protocol.messages import AtTable, Error, Leave, Left, LeftReason, Play
from parlour_server.protocol.values import Stopped
from parlour_server.storage.changes import TableMeta
from parlour_server.surroundings import House, Viewer, framed, lets_in, put, silent_since, table_line, table_state
from parlour_server.sweep import Sweep
from parlour_server.table.deliveries import Delivery, ToBot, ToViewers, is_still
from parlour_server.table.journal import Closed, Row
from parlour_server.table.table import Table
from parlour_server.table_clock import TableClock
from parlour_server.unseen import Unseen

CRASHES: Final = 3
"""So often in `CRASHING` seconds may a table fail; with the last it is frozen."""
CRASHING: Final = 60.0


class LiveTable:
    """One running table; `at` is its time so far."""

    def __init__(self, table: Table, meta: TableMeta, house: House, at: float = 0.0) -> None:
        self.id: Final = table.id
        self.meta: Final = meta
        self.closed = False
        self.frozen = False
        """Whether it has failed too often: it stands still for good."""
        self._house: Final = house
        self._loop = asyncio.get_running_loop()
        self._table = table
        self._clock: Final = TableClock(self._loop.time, at)
        self._viewers: dict[int, Viewer] = {}
        self._bots = BotSeats(
            house.bots,
            meta.settings.floor_ms,
            self._bot_answers,
            lambda seat: self._table.view_for(seat),  # noqa: PLW0108 # the table may be another by then
            house.chance,
        )
        self._turns = FirstWritten(lambda rows, written: house.record(self.id, rows, written), self._told)
        self._contained: Final = Contained(self._failed)
        self._turn: Final = Contained(self._failed, self._follow)
        """Around every call of the table: write and send what came of it, set the alarm anew, contain a crash."""
        self._unseen = Unseen(self._clock, self._turns, house.alarms)
        self._alarm = house.alarms.alarm(self._ring)
        self._sweep = Sweep(house.times, self._swept)
        self._begins_at_once: Final = meta.settings.start == "now"
        self._since: float | None = None
        """When the message came that is being answered."""
        self._crashes: list[float] = []
        self._recorded = False
        self._reviving: asyncio.Task[None] | None = None

    # --- what the house asks ---

    def reviving(self) -> bool:
        """Whether it is being made anew from its journal."""
        return self._reviving is not None

    @property
    def over(self) -> bool:
        """Whether its match is."""
        return self._table.over

    @property
    def stopped(self) -> Stopped | None:
        """Why it stands still."""
        return self._table.stopped

    @property
    def viewers(self) -> int:
        """Lines that are here."""
        return len(self._viewers)

    @property
    def deserted(self) -> float | None:
        """Since when nobody is here, by the loop's clock; None while somebody is."""
        return self._sweep.deserted

    @property
    def public(self) -> bool:
        """Whether the lobby lists it."""
        return self.meta.public

    @property
    def open(self) -> bool:
        """Whether one may sit down in a bot's place, and the match goes on."""
        if self.meta.demonstration or self._table.over or self.frozen or self.closed:
            return False
        return lets_in(self._table, self.meta) and any(seat.player == "bot" for seat in self._table.seat_states())

    @property
    def people_present(self) -> int:
        """People who have a seat and are here."""
        return sum([seat.player == "person" and seat.present for seat in self._table.seat_states()])

    @property
    def state(self) -> str:
        """One of `metrics.TABLE_STATES`."""
        return "frozen" if self.frozen else table_state(self._table)

    @property
    def plays(self) -> bool:
        """Whether a deal is under way."""
        return self.state in {"playing", "paused"} and not self._table.between_deals

    def seated(self, person: str) -> bool:
        """Whether somebody has a seat here."""
        return self._table.seat_of(person) is not None

    def awaits(self, number: int) -> bool:
        """Whether everybody sees that the table waits for this line."""
        with self._contained:
            return not self.reviving() and self._table.awaits(number, self._clock.now())
        return False

    def line(self) -> TableLine:
        """As the lobby shows it."""
        return table_line(self._table, self.meta, self.open)

    # --- from the lines ---

    def made(self) -> None:
        """It is new: nobody is told of it before it is written that there is such a table."""
        self._turns.put([], (), (), cover=True)

    def start(self) -> None:
        """Begin the match, or the waiting for the word of its owner."""
        if self._begins_at_once:
            with self._turn:
                self._table.start(self._clock.now())

    def join(self, viewer: Viewer, seen: int | None) -> bool:
        """A line comes, to its person's seat or to watch. False, and an error to it, where it cannot stay."""
        if self.meta.demonstration:
            self.go_on("agreed")
        self._viewers[viewer.number] = viewer
        if self.reviving():
            # It is let in with everybody else when the table is back.
            return True
        with self._turn:
            before = self._viewers.get(self._table.line_of(viewer.person) or 0)
            since = silent_since(before, self._clock)
            self._table.join(viewer.number, viewer.person, viewer.name, seen, self._clock.now(), since)
        return self.reviving() or self._table.here(viewer.number)

    def disconnect(self, viewer: Viewer) -> None:
        """A line is gone, or its client has turned to another table."""
        if self._viewers.pop(viewer.number, None) is not None and not self.reviving():
            with self._turn:
                self._table.disconnect(viewer.number, self._clock.now(), silent_since(viewer, self._clock))

    def receive(self, viewer: Viewer, message: AtTable) -> None:
        """A viewer's message."""
        if self.reviving():
            about = message.id if isinstance(message, Play) else None
            viewer.put(framed(Error("stopped", "the table is being put in order", about), viewer.text))
            return
        self._since = self._loop.time()
        with self._turn:
            if isinstance(message, Leave):
                self._table.leave(viewer.number, self._clock.now())
            else:
                self._table.receive(viewer.number, message, self._clock.now(), self._loop.time())

    def rename(self, person: str, name: str) -> None:
        """A person has another name."""
        if not self.reviving() and self._table.knows(person):
            with self._turn:
                self._table.rename(person, name)

    # --- from the house ---

    def stop(self, reason: Stopped) -> None:
        """Stand still until `go_on`."""
        if not self.reviving() and not self.closed:
            with self._turn:
                self._table.stop(reason, self._clock.now())

    def go_on(self, reason: Stopped) -> None:
        """Nothing of this kind holds the table any more."""
        if not self.reviving() and not self.closed:
            with self._turn:
                self._table.go_on(reason, self._clock.now())

    def rest(self) -> None:
        """Stand still where no deal is under way: the house is about to close."""
        if self._table.between_deals and not self._table.over:
            self.stop("restart")

    def thaw(self) -> None:
        """Go on after having been frozen; where it has failed, anew from its journal."""
        if self.frozen:
            self.frozen = False
            self._crashes.clear()
            self._reviving = self._loop.create_task(self._revive())
        else:
            self.go_on("frozen")

    def close(self, reason: LeftReason = "closed") -> None:
        """End the table; everybody at it is told."""
        if self.closed:
            return
        last: list[Row] = []
        if not self.reviving():
            with suppress(Exception):  # it may be closed because it has failed
                self._table.end(self._clock.now())
                last = self._table.to_record()
        self.leave_off()
        last.append(Closed(self._clock.now()))
        farewell = self._let_go(reason)

        def written() -> None:
            farewell()
            self._house.kept(self)

        self._house.record(self.id, last, written)

    def _let_go(self, reason: LeftReason) -> Callable[[], None]:
        """Nobody is here any more, nor has the house this table; what is given back says so to its viewers."""
        viewers, self._viewers = list(self._viewers.values()), {}
        for viewer in viewers:
            viewer.gone_from(self)
        self._house.ended(self)

        def farewell() -> None:
            for viewer in viewers:
                viewer.put(framed(Left(self.id, reason), viewer.text))

        return farewell

    def leave_off(self) -> None:
        """Do nothing more and say nothing: the journal goes on from here another time."""
        self._unseen.leave_off()
        self.closed = True
        for handle in (self._alarm, self._sweep, self._reviving):
            if handle is not None:
                handle.cancel()
        self._bots.stop()

    # --- time, bots, and what comes of them ---

    def _ring(self) -> None:
        deadline = self._table.deadline()
        with self._turn:
            # The loop may ring a clock tick early; the table is told the time that it waited for.
            self._table.tick(max(self._clock.now(), deadline or 0.0))

    def _bot_answers(self, seat: int, version: int, move: str) -> None:
        if self.reviving():
            return
        with self._turn:
            answer = self._table.receive_bot(seat, Play(version, move), self._clock.now())
            if isinstance(answer, Error):
                # A person or the clock may have been faster; only a move that is not legal is the bot's fault.
                log.debug("bot refused", table=self.meta.match[:8], seat=seat, code=answer.code)

    def _follow(self) -> None:
        """Do what the table has decided."""
        rows, deliveries = self._table.to_record(), self._table.to_send()
        if self._table.stopped is None:
            self._clock.go_on()
        else:
            self._clock.stop()
            # It tells nothing that happened, and waits for no disk: the disk may be what they wait for.
            self._send([one for one in deliveries if is_still(one)])
            deliveries = [one for one in deliveries if not is_still(one)]
        gone = self._table.not_here(self._viewers)
        self._unseen.put(self._table.window_ends, rows, deliveries, gone, self._since)
        self._since = None
        if self._table.between_deals and self._house.closing() and self._table.stopped is None:
            self._loop.call_soon(self.rest)
        self._set_alarm()
        self._set_sweep()
        if self._table.ended:
            self.close("ended")

    def _told(self, turn: Turn) -> None:
        """A turn that is on disk is told."""
        if self.closed:
            return
        with self._contained:
            self._send(turn.deliveries)
            if turn.since is not None:
                self._house.metrics.written(self._loop.time() - turn.since)
            for number in turn.gone:
                viewer = self._viewers.get(number)
                if viewer is not None and not self.reviving() and not self._table.here(number):
                    del self._viewers[number]
                    viewer.gone_from(self)
                    self._set_sweep()
            self._keep_record()

    def _keep_record(self) -> None:
        """Once, when all that its match tells is written."""
        if self._table.over and not self._recorded and not self._turns:
            self._recorded = True
            self._house.over(self)

    def _send(self, deliveries: Sequence[Delivery]) -> None:
        told: list[ToViewers] = []
        for delivery in deliveries:
            if isinstance(delivery, ToBot):
                self._bots.ask(delivery.seat, delivery.level, delivery.ask, self._unseen.left())
                continue
            told.append(delivery)
            self._house.metrics.told(delivery.message.type, len(delivery.viewers))
        put(told, self._viewers)

    def _set_alarm(self) -> None:
        deadline = None if self.closed or self._clock.stands() else self._table.deadline()
        self._alarm.set(None if deadline is None else self._clock.in_loop_time(deadline))

    def resumed(self, patience: float) -> None:
        """Taken up again after a restart: wait for its people for `patience` seconds at most."""
        with self._turn:
            if not self._table.version and self._begins_at_once:
                # The process ended between the making of the table and its first event.
                self._table.start(self._clock.now())
        # The process may have ended before the record was kept; kept twice it is one.
        self._keep_record()
        if self._table.stopped == "restart":
            self._loop.call_later(patience, self.go_on, "restart")

    # --- what fails ---

    def _failed(self, error: Exception) -> None:
        """A fault of one table must not reach the others."""
        log.error("table failed", table=self.meta.match[:8], exc_info=error)
        self._house.metrics.table_crashed()
        self.fail()

    def fail(self) -> None:
        """Make the table anew from what is written; too often in a minute, and it is frozen."""
        if self.closed or self.reviving():
            return
        self._alarm.cancel()
        self._bots.stop()
        self._unseen.forget()
        now = self._loop.time()
        self._crashes = [at for at in self._crashes if at > now - CRASHING] + [now]
        self._reviving = self._loop.create_task(self._revive())

    async def _revive(self) -> None:
        try:
            table, at = await self._house.revive(self)
            self.frozen = self.frozen or len(self._crashes) >= CRASHES
        except Exception:  # noqa: BLE001 # its journal cannot be read: it is kept as it is, for whoever finds out why
            log.exception("table lost", table=self.meta.match[:8])
            self._reviving = None
            self.frozen = True
            self.leave_off()
            self._let_go("closed")()
            return
        self._table = table
        self._clock.set(at)
        self._reviving = None
        log.info("table revived", table=self.meta.match[:8], frozen=self.frozen)
        with self._turn:
            if self.frozen:
                self._table.stop("frozen", self._clock.now())
            elif not self._table.version and self._begins_at_once:
                self._table.start(self._clock.now())
            for viewer in self._viewers.values():
                self._table.join(viewer.number, viewer.person, viewer.name, None, self._clock.now())
            # Whoever has no line now is away, but nobody is waited for: no line was lost.
            self._table.go_on("restart", self._clock.now())

    def _set_sweep(self) -> None:
        if not self.closed:
            self._sweep.set(here=bool(self._viewers), owned=self._table.owned(), over=self._table.over)

    def _swept(self) -> None:
        if self.meta.demonstration and not self._table.over:
            # Bots do not play for nobody; the next visitor sees them go on from here.
            self.stop("agreed")
            return
        log.info("table swept", table=self.meta.match[:8], over=self._table.over)
        self.close()
