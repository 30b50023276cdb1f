"""One timer that is set anew again and again."""

import asyncio
from collections.abc import Callable
from typing import Final


class Alarm:
    """Calls `rings` when the time has come that it was set to last, by the loop's clock."""

    __slots__ = ("_at", "_loop", "_rings", "_timer")

    def __init__(self, rings: Callable[[], None]) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._rings: Final = rings
        self._at: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, at: float | None) -> None:
        """Ring at `at` and no other time; never where it is None."""
        if at == self._at:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._at = at
        if at is not None:
            self._timer = self._loop.call_at(at, self._ring)

    def cancel(self) -> None:
        """Do not ring."""
        self.set(None)

    def _ring(self) -> None:
        self._at = self._timer = None
        self._rings()
