"""When a table is swept away: nobody is at it any more, or its match is over."""

import asyncio
import math
from collections.abc import Callable
from typing import Final

from parlour_server.settings import Tables

ORPHANED: Final = 60.0
"""Seconds after which a table without people or viewers is swept: nobody has a seat to come back to."""


class Sweep:
    """Calls `swept` when it is time; `deserted` is since when nobody is there, by the loop's clock."""

    def __init__(self, times: Tables, swept: Callable[[], None]) -> None:
        self.deserted: float | None = None
        self._loop = asyncio.get_running_loop()
        self._times: Final = times
        self._swept: Final = swept
        self._after: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, *, here: bool, owned: bool, over: bool) -> None:
        """Somebody is `here`, a person has a seat to come back to (`owned`), the match is `over`."""
        seconds: float | None = None
        if here:
            self.deserted = None
        else:
            seconds = self._times.idle_seconds if owned else min(ORPHANED, self._times.idle_seconds)
            self.deserted = self._loop.time() if self.deserted is None else self.deserted
        if over:
            seconds = min(seconds or math.inf, self._times.finished_seconds)
        if seconds == self._after:
            return
        self.cancel()
        self._after = seconds
        if seconds is not None:
            self._timer = self._loop.call_later(seconds, self._swept)

    def cancel(self) -> None:
        """Not any more."""
        self._after = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
