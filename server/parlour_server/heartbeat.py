"""Asks silent lines whether anybody is still there. The library's way takes a task and two timers for each line, and as
much of the processor as all that thousands of idle lines are told; and it knows nothing of a clock that runs."""

import asyncio
from itertools import cycle
from typing import Final, Protocol

LOOK: Final = 0.1
"""Seconds between two looks, each at another part of the lines."""
EVERY: Final = 5.0
"""Seconds between two looks at the same line."""
QUIET: Final = 6
"""Looks after which a line from which nothing has come is asked: proxies cut what is silent for a minute."""
PATIENCE: Final = 4
"""Looks that it has to answer."""
PRESSED_QUIET: Final = 1
"""The same where everybody sees that somebody waits for it."""
PRESSED_PATIENCE: Final = 2


class Beating(Protocol):
    """A line that can be asked. Whoever hears something from it sets `quiet` and `owing` to 0."""

    quiet: int
    """Looks since something has come from it."""
    owing: int
    """Looks since it was asked, that one included; 0 where it was not, or has answered."""

    def pressed(self) -> bool:
        """Whether everybody sees that somebody waits for it."""

    def ask(self) -> None:
        """Send a ping."""

    def give_up(self) -> None:
        """Nobody is there any more."""


class Heartbeat:
    """Looks at every line it watches until it is forgotten."""

    def __init__(self) -> None:
        self._parts: Final[list[dict[Beating, None]]] = [{} for _ in range(round(EVERY / LOOK))]
        self._new: Final = cycle(self._parts)
        """Lines that came together are looked at one after the other."""
        self._looks: Final = cycle(self._parts)
        self._part_of: Final[dict[Beating, dict[Beating, None]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, line: Beating) -> None:
        """Look at a line from now on."""
        part = self._part_of[line] = next(self._new)
        part[line] = None
        if self._timer is None:
            self._set_timer()

    def forget(self, line: Beating) -> None:
        """A line is gone; nothing where it was not watched."""
        part = self._part_of.pop(line, None)
        if part is not None:
            del part[line]

    def stop(self) -> None:
        """Look at nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(LOOK, self._look)

    def _look(self) -> None:
        self._set_timer()
        for line in list(next(self._looks)):
            line.quiet += 1
            if line.owing:
                if line.owing >= PATIENCE or (line.owing >= PRESSED_PATIENCE and line.pressed()):
                    line.give_up()
                line.owing += 1
            elif line.quiet >= QUIET or (line.quiet >= PRESSED_QUIET and line.pressed()):
                line.owing = 1
                line.ask()
