"""Answers in a claim window that nobody may notice: neither sooner nor later does anything reach anybody for them.

A commit takes its time, and whatever a table tells meanwhile waits for it. If every answer were written when it came,
a reply that is late, or a window that closes a moment after its floor, would say that somebody had been asked and had
just answered. So what shows nothing is kept back until a moment that the window's opening alone decides, and at those
moments something is written at every table, whether or not there is anything to write. The last of them lies so long
before the floor that a commit is over by then; an answer that comes still later is written with what closes the window.
"""

from collections.abc import Sequence
from typing import Final

from parlour_server.alarm import Alarms
from parlour_server.first_written import FirstWritten
from parlour_server.protocol.messages import Accepted, Error, Seats
from parlour_server.table.deliveries import Delivery, ToViewers
from parlour_server.table.journal import Answered, Row, SeatChanged
from parlour_server.table_clock import TableClock

EVERY: Final = 0.5
"""Seconds between two such moments in a window that is longer."""
BEFORE: Final = 0.1
"""So much of a window, and of EVERY at most, lies after the last of them."""


def shows_nothing(row: Row) -> bool:
    """Whether nobody but the seat's own owner learns of it, where nothing else happens with it."""
    return isinstance(row, Answered) or (isinstance(row, SeatChanged) and row.shown and not row.stand_in)


class Unseen:
    """What one table keeps back of what it puts into its `turns`."""

    __slots__ = ("_alarm", "_clock", "_deliveries", "_due", "_ends", "_over", "_rows", "_turns")

    def __init__(self, clock: TableClock, turns: FirstWritten, alarms: Alarms) -> None:
        self._clock: Final = clock
        self._turns: Final = turns
        self._rows: list[Row] = []
        self._deliveries: list[Delivery] = []
        self._ends: float | None = None
        self._due: list[float] = []
        """The moments that are still to come in this window, the next one last; by the table's time."""
        self._alarm: Final = alarms.alarm(self._ring)
        self._over = False

    def left(self) -> float | None:
        """Seconds until the open window may close; None where there is none."""
        return None if self._ends is None else self._ends - self._clock.now()

    def put(
        self,
        ends: float | None,
        rows: list[Row],
        deliveries: Sequence[Delivery],
        gone: Sequence[int],
        since: float | None,
    ) -> None:
        """A turn of the table, after which its window closes at `ends`, by the table's time, at the earliest (None:
        there is none). The rest as FirstWritten has it."""
        now = self._clock.now()
        if self._over:
            ends = None
        if ends is not None and now < ends and rows and all(map(shows_nothing, rows)):
            self._rows += rows
            seats = {row.seat for row in rows if isinstance(row, Answered | SeatChanged)}
            own = [one for one in deliveries if _is_answer(one, seats)]
            self._deliveries += own
            rows, since = [], None
            # What falls due at this very moment, such as who is here, others would be told now anyway.
            deliveries = self._in_order([one for one in deliveries if one not in own])
        elif rows:
            kept, told = self._take()
            rows, deliveries = kept + rows, [*told, *deliveries]
        elif self._deliveries:
            deliveries = self._in_order(deliveries)
        if ends != self._ends:
            self._ends = ends
            self._due = [] if ends is None else _moments(now, ends)
        self._set_alarm()
        self._turns.put(rows, deliveries, gone, since)

    def leave_off(self) -> None:
        """Write what is kept back, and keep back nothing more."""
        rows, deliveries = self._take()
        self._over, self._ends, self._due = True, None, []
        self._set_alarm()
        self._turns.put(rows, deliveries, ())

    def forget(self) -> None:
        """Whatever waits is written by nobody and told to nobody: the table it came from has failed."""
        self._take()
        self._turns.forget()
        self._ends, self._due = None, []
        self._set_alarm()

    def _take(self) -> tuple[list[Row], list[Delivery]]:
        kept = self._rows, self._deliveries
        self._rows, self._deliveries = [], []
        return kept

    def _in_order(self, deliveries: Sequence[Delivery]) -> list[Delivery]:
        """Whoever has an answer to come is told nothing for itself alone before that."""
        waiting = {viewer for one in self._deliveries if isinstance(one, ToViewers) for viewer in one.viewers}
        at_once: list[Delivery] = []
        for one in deliveries:
            behind = isinstance(one, ToViewers) and waiting.issuperset(one.viewers)
            (self._deliveries if behind else at_once).append(one)
        return at_once

    def _set_alarm(self) -> None:
        due = self._due and not self._clock.stands()
        self._alarm.set(self._clock.in_loop_time(self._due[-1]) if due else None)

    def _ring(self) -> None:
        self._due.pop()
        self._set_alarm()
        rows, deliveries = self._take()
        self._turns.put(rows, deliveries, (), cover=True)


def _is_answer(delivery: Delivery, seats: set[int]) -> bool:
    """Whether it goes to whoever has answered for one of these seats, because of that answer."""
    if not isinstance(delivery, ToViewers):
        return False
    message = delivery.message
    return isinstance(message, Accepted | Error) or (isinstance(message, Seats) and message.you in seats)


def _moments(begins: float, ends: float) -> list[float]:
    at = ends - BEFORE * min(ends - begins, EVERY)
    found = []
    while at > begins:
        found.append(at)
        at -= EVERY
    return found
