"""The crowd whose lines come back as the page's do: `python -m bench.server.returning players PORT FIRST COUNT RATE`.

A line that breaks without a goodbye tries once at once. Where nobody is there, its client comes at a moment of the next
eight seconds, and every eight seconds from then on; so the page spreads them (`connection.ts`).
"""

import asyncio

from bench.server import crowd
from bench.server.crowd import Player

AT_ONCE = (0.2, 0.4)
NOT_BEFORE = 0.3
SPREAD = 8.0


class Returning(Player):
    """Somebody at the page."""

    _tries = 0

    def connection_lost(self, exc: Exception | None) -> None:
        """One try at once."""
        self.counts.lost += 1
        if not self.opened.done():
            # It was let in and cut before it was greeted: `_again` hears of it.
            self.opened.set_exception(ConnectionError("refused"))
            return
        self.version = -1
        self._tries = 0
        asyncio.get_running_loop().call_later(self._chance.uniform(*AT_ONCE), self._come_back)

    async def _again(self) -> None:
        loop = asyncio.get_running_loop()
        self.begin()
        try:
            await loop.create_connection(lambda: self, "127.0.0.1", self._port)
            await self.opened
        except OSError:
            wait = SPREAD if self._tries else NOT_BEFORE + SPREAD * self._chance.random()
            self._tries += 1
            loop.call_later(wait, self._come_back)
            return
        self._coming_back = True
        self.say({"type": "hello", "protocol": 1, "token": self._token, "name": None})


if __name__ == "__main__":
    crowd.Player = Returning  # type: ignore[misc] # the crowd is made of these
    asyncio.run(crowd.main())
