"""The time of one table: the loop's, less all the time that the table stood still or the server was down."""

from collections.abc import Callable
from typing import Final

_PLACES: Final = 6
"""Decimals of a second that are kept. Sums of other floats would differ in their last bits after a stop, and a match
that went on would have another record than one that was never stopped."""


class TableClock:
    """Runs from `at` seconds on, at once; `now` stands while it is stopped."""

    __slots__ = ("_loop_time", "_offset", "_stood")

    def __init__(self, loop_time: Callable[[], float], at: float = 0.0) -> None:
        self._loop_time: Final = loop_time
        self._offset = loop_time() - at
        self._stood: float | None = None

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
            self._offset = self._loop_time() - self._stood
            self._stood = None

    def set(self, at: float) -> None:
        """It is `at` now, whether it stands or runs."""
        self._offset = self._loop_time() - at
        if self._stood is not None:
            self._stood = at

    def in_loop_time(self, at: float) -> float:
        """When it is `at` by the loop's clock, if it is not stopped until then."""
        return at + self._offset
