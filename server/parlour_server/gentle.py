"""What keeps a crowd from holding the tables up: sockets in portions, and a garbage collector that looks less often."""

import asyncio
import gc
import selectors
from typing import Final

PORTION: Final = 100
"""Sockets looked after in one turn of the loop; the others are ready still in the next."""


class _Portions(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(timeout)[:PORTION]


def gentle_loop() -> asyncio.AbstractEventLoop:
    """A new event loop in which thousands of lines that are cut at once leave room for timers in between."""
    return asyncio.SelectorEventLoop(_Portions())


def calm_collector() -> None:
    """Call once when everything is imported and read.

    What is there by now stays, so it is never looked at again. A full collection looks at every object of every line,
    which takes a second with thousands of lines, so it comes later than usual: after about 10,000 lines have come and
    gone.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 10)
