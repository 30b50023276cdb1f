"""What keeps a crowd from holding the tables up: sockets in portions and turns, and a garbage collector that looks at
little at a time."""

import asyncio
import gc
import selectors
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

PORTION: Final = 100
"""Sockets looked after in one turn of the loop; the others are ready still in the next."""
TURN: Final = 0.016
"""Seconds from one look at sockets and timers to the next, at least. What comes meanwhile is looked after together, and
written to the disk together: to wake up, or to commit, costs more than most messages do. Whoever comes after a silence
is heard at once."""
YOUNG: Final = 2_000
"""Objects more than before, after which the collector looks at these, once: some milliseconds."""
NEVER: Final = 2**31 - 1
MINUTE: Final = 60.0
DAY: Final = 24 * 60
"""Minutes after which everything is looked at in any case."""
CALM: Final = 200
"""Lines: where no more are here, to look at everything takes some hundredths of a second."""
FEW: Final = 200_000
"""Blocks of memory more than were left once since the last such look, for which that is worth it: about 20 MB."""
MANY: Final = 1_000_000
"""As many more than twice those must not wait for a calm minute."""


class _Turns(selectors.DefaultSelector):
    """Between two turns only the bell wakes the loop: what other threads ring to have something called."""

    def __init__(self) -> None:
        super().__init__()
        self._bell: selectors.SelectorKey | None = None
        self._ear: Final = selectors.DefaultSelector()
        self._next = 0.0

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        if self._bell is None:
            # A loop registers its own bell before anything else.
            self._bell = key
            self._ear.register(fileobj, events)
        return key

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        rest = self._next - monotonic()
        if rest > 0:
            if timeout is not None and timeout <= 0:
                # Something is ready to run, and runs first.
                return []
            if self._ear.select(rest) and self._bell is not None:
                return [(self._bell, selectors.EVENT_READ)]
            timeout = None if timeout is None else timeout - rest
        found = super().select(timeout)
        self._next = 0.0 if len(found) > PORTION else monotonic() + TURN
        return found[:PORTION]

    def close(self) -> None:
        self._ear.close()
        super().close()


def gentle_loop() -> asyncio.AbstractEventLoop:
    """A new event loop in which thousands of lines that are cut at once leave room for timers in between."""
    return asyncio.SelectorEventLoop(_Turns())


@contextmanager
def collector_away() -> Iterator[None]:
    """No collector inside: while a start reads what stays, all that it would look at is still in use. `calm_collector`
    has it back before the end."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def calm_collector() -> None:
    """Call once when everything is imported and read.

    What is there by now stays, so it is never looked at again. Some 9,000 objects that the imports have left are
    garbage; to find them would take a tenth of a second, in which people are already at the door. What is new is
    looked at often, because it is little. To look at everything takes a second with thousands of lines, and comes only
    with `clear_up`.
    """
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)
    gc.enable()


async def clear_up(lines: Callable[[], int]) -> None:
    """Let the collector look at everything when that is worth it, until cancelled; `lines` are here now. What grows may
    be in use, but only tables that are gone leave much that it would find, and not each of them can wait for a day."""
    kept, minutes = sys.getallocatedblocks(), 0
    while True:
        await asyncio.sleep(MINUTE)
        minutes += 1
        blocks = sys.getallocatedblocks()
        # A house that has emptied since needs less.
        kept = min(kept, blocks)
        calm = lines() <= CALM and blocks >= kept + FEW
        if calm or blocks >= 2 * kept + MANY or minutes >= DAY:
            gc.collect()
            kept, minutes = sys.getallocatedblocks(), 0
