"""Chance that is handed in: a stream of random numbers that is the same on every machine.

The stream is HMAC-SHA-256 in counter mode and the shuffle is our own, so neither a version of Python nor its hash seed
changes a wall.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, Protocol


class Chance(Protocol):
    """Where a bot's random numbers come from; `random.Random` is one, `Stream` another."""

    def randrange(self, stop: int, /) -> int:
        """A number in 0..stop - 1, each equally likely."""
        ...


_DOMAIN: Final = b"mj-stream-v1"
_MOST: Final = 1 << 16


class Stream:
    """Numbers from `key`: HMAC-SHA-256(key, "mj-stream-v1" and an 8-byte counter from 0), read 16 bits at a time."""

    __slots__ = ("_at", "_block", "_counter", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._block = b""
        self._at = 0

    def randrange(self, stop: int, /) -> int:
        """A number in 0..stop - 1, each equally likely. Raises ValueError unless 1 <= stop <= 65536.

        16 bits, high byte first; what lies above the largest multiple of `stop` is drawn again.
        """
        if not 1 <= stop <= _MOST:
            raise ValueError(f"a number below {stop} was asked for: 1 to {_MOST} are possible")
        limit = _MOST - _MOST % stop
        while True:
            if self._at == len(self._block):
                message = _DOMAIN + self._counter.to_bytes(8, "big")
                self._block = hmac.digest(self._key, message, "sha256")
                self._counter += 1
                self._at = 0
            drawn = self._block[self._at] << 8 | self._block[self._at + 1]
            self._at += 2
            if drawn < limit:
                return drawn % stop

    def shuffled(self, tiles: Sequence[int]) -> list[int]:
        """`tiles` in a random order: Fisher-Yates from the last place down to the second."""
        order = list(tiles)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.randrange(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order


def stream(*parts: str | int) -> Stream:
    """The stream that `parts` name, e.g. `stream(seed, deal, "wall")`; other parts give an unrelated stream.

    The key is SHA-256 over "parlour-chance-v1" and the parts' texts, each after its length (4 bytes, high byte first).
    """
    name = hashlib.sha256(b"parlour-chance-v1")
    for part in parts:
        text = str(part).encode()
        name.update(len(text).to_bytes(4, "big") + text)
    return Stream(name.digest())
