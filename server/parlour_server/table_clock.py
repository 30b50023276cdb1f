"""The time of one table: the loop's, less all the time that the table stood still or the server was down."""

from collections import deque
from collections.abc import Callable
from typing import Final

_PLACES: Final = 6
"""Decimals of a second that are kept. Sums of other floats would differ in their last bits after a stop, and a match
that went on would have another record than one that was never stopped."""
_RUNS: Final = 16
"""So many times that it went on are remembered."""


class TableClock:
    """Runs from `at` seconds on, at once; `now` stands while it is stopped."""

    __slots__ = ("_loop_time", "_offset", "_runs", "_stood")

    def __init__(self, loop_time: Callable[[], float], at: float = 0.0) -> None:
        self._loop_time: Final = loop_time
        self._offset = loop_time() - at
        self._stood: float | None = None
        self._runs: Final[deque[tuple[float, float]]] = deque([(loop_time(), at)], _RUNS)
        """When it went on, by the loop's clock and by its own."""

    def stands(self) -> bool:
        """Whether it is stopped."""
        return self._stood is not None

    def now(self) -> float:
        """Seconds of table time."""
        if self._stood is not None:
            return self._stood
        return round(self._loop_time() - self._offset, _PLACES)

    def stop(self) -> None:
        """Stand still; nothing where it does."""
        if self._stood is None:
            self._stood = self.now()

    def go_on(self) -> None:
        """Run again from where it stood; nothing where it runs."""
        if self._stood is not None:
            self.set(self._stood)
            self._stood = None

    def set(self, at: float) -> None:
        """It is `at` now, whether it stands or runs."""
        loop_time = self._loop_time()
        self._offset = loop_time - at
        self._runs.append((loop_time, at))
        if self._stood is not None:
            self._stood = at

    def then(self, loop_time: float) -> float:
        """What it was at that time of the loop's; the earliest that it remembers, where that is too long ago."""
        found = self.now()
        for begun, at in reversed(self._runs):
            if loop_time >= begun:
                return min(found, round(at + loop_time - begun, _PLACES))
            found = at
        return found

    def in_loop_time(self, at: float) -> float:
        """When it is `at` by the loop's clock, if it is not stopped until then."""
        return at + self._offset
