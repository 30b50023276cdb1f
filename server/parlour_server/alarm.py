"""The alarms of all tables on one timer of the loop: they are set anew with every move, and timers of the loop's own
would cost as much as what the move does."""

import asyncio
import math
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final

from parlour_server.log import log


class Alarms:
    """Makes alarms, and rings them."""

    def __init__(self) -> None:
        self._set: Final[list[tuple[float, int, Alarm]]] = []
        """A heap. An alarm that is set to a later time keeps its place, and takes the other when that has come: a table
        is set anew with every move, and what it was set to before would make a heap of a hundred thousand."""
        self._numbers: Final = count()
        self._timer: asyncio.TimerHandle | None = None
        self._wakes = math.inf
        """When the timer rings."""

    def alarm(self, rings: Callable[[], None]) -> "Alarm":
        """An alarm that calls `rings`."""
        return Alarm(self, rings)

    def add(self, at: float, alarm: "Alarm") -> None:
        """Ring this alarm at `at`, by the loop's clock, if it is still set to that."""
        if not alarm.places or at < alarm.places[-1]:
            alarm.places.append(at)
            heappush(self._set, (at, next(self._numbers), alarm))
            if at < self._wakes:
                self._wake(at)

    def _wake(self, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._wakes = at
        self._timer = asyncio.get_running_loop().call_at(at, self._ring)

    def _ring(self) -> None:
        # The loop may call a clock tick early.
        until = max(self._wakes, asyncio.get_running_loop().time())
        self._timer = None
        # Nothing that is set meanwhile needs a timer yet.
        self._wakes = -math.inf
        heap = self._set
        while heap and (heap[0][0] <= until or heap[0][2].at != heap[0][0]):
            at, _, alarm = heappop(heap)
            alarm.places.pop()
            if alarm.at == at:
                alarm.ring()
            elif alarm.at is not None:
                self.add(alarm.at, alarm)
        self._wakes = math.inf
        if heap:
            self._wake(heap[0][0])


class Alarm:
    """Calls what it was made with when the time has come that it was set to last, by the loop's clock."""

    __slots__ = ("_alarms", "_rings", "at", "places")

    def __init__(self, alarms: Alarms, rings: Callable[[], None]) -> None:
        self._alarms: Final = alarms
        self._rings: Final = rings
        self.at: float | None = None
        """When it rings."""
        self.places: Final[list[float]] = []
        """Times under which it stands in the heap, the next one last."""

    def set(self, at: float | None) -> None:
        """Ring at `at` and at no other time; never where it is None."""
        if at != self.at:
            self.at = at
            if at is not None:
                self._alarms.add(at, self)

    def cancel(self) -> None:
        """Do not ring."""
        self.at = None

    def ring(self) -> None:
        """It is time."""
        self.at = None
        try:
            self._rings()
        except Exception:  # noqa: BLE001 # it must not keep the alarms after it from ringing
            log.exception("alarm failed")
