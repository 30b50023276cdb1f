"""The crowd whose lines come back as the page's do: `python -m bench.server.returning players PORT FIRST COUNT RATE`.

A line that breaks without a goodbye tries once at once. Where nobody is there, its client comes at a moment of the next
7.7 seconds, and every 7.7 seconds from then on; so the page spreads them (`connection.ts`).
"""

import asyncio

from bench.server import crowd
from bench.server.crowd import Counts, Player

AT_ONCE = (0.2, 0.4)
NOT_BEFORE = 0.3
SPREAD = 7.7


class Arrivals(Counts):
    """Beside the rest, for when those came who were let in, by the clock of all processes."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[float] = []


class Returning(Player):
    """Somebody at the page."""

    _tries = 0
    _due = 0.0

    def connection_lost(self, exc: Exception | None) -> None:
        """One try at once."""
        self.counts.lost += 1
        if not self.opened.done():
            # It was let in and cut before it was greeted: `_again` hears of it.
            self.opened.set_exception(ConnectionError("refused"))
            return
        self.version = -1
        self._tries = 0
        self._wait(self._chance.uniform(*AT_ONCE))

    def _wait(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + seconds
        loop.call_at(self._due, self._come_back)

    def _refused(self) -> None:
        wait = SPREAD if self._tries else NOT_BEFORE + SPREAD * self._chance.random()
        self._tries += 1
        self._wait(wait)

    def _let_in(self) -> None:
        assert isinstance(self.counts, Arrivals)
        self.counts.due.append(self._due)
        super()._let_in()


if __name__ == "__main__":
    # The crowd is made of these.
    crowd.Player = Returning  # type: ignore[misc]
    crowd.Counts = Arrivals  # type: ignore[misc]
    asyncio.run(crowd.main())
