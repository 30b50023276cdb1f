"""The clock of a simulated world, and what happens in it outside the server: packets on their way, people thinking."""

import heapq
from collections.abc import Callable
from typing import Any


class Agenda:
    """Calls in the order of their times; those of one time in the order they were put in."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self._entries: list[tuple[float, int, Callable[..., Any], tuple[Any, ...]]] = []
        self._number = 0

    def at(self, when: float, call: Callable[..., Any], *arguments: Any) -> None:
        """Do this then."""
        self._number += 1
        heapq.heappush(self._entries, (max(when, self.now), self._number, call, arguments))

    def after(self, seconds: float, call: Callable[..., Any], *arguments: Any) -> None:
        """Do this in so many seconds."""
        self.at(self.now + seconds, call, *arguments)

    def due(self) -> float | None:
        """The time of the next call."""
        return self._entries[0][0] if self._entries else None

    def step(self) -> None:
        """Do the next, at its time."""
        when, _, call, arguments = heapq.heappop(self._entries)
        self.now = when
        call(*arguments)
