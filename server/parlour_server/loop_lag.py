"""How late the event loop comes to what was due: the first sign of a server that has too much to do."""

import asyncio
from collections.abc import Callable
from typing import Final

from parlour_server.log import log

EVERY: Final = 0.1
"""Seconds between two looks."""
LATE: Final = 0.5
"""Seconds from which on the log says so."""
SILENCE: Final = 30.0
"""Seconds between two lines of the log: a slow hour is no reason for a long log."""


async def watch_loop(told: Callable[[float], None]) -> None:
    """Tell every lag in seconds, until cancelled."""
    loop = asyncio.get_running_loop()
    worst, quiet_until = 0.0, -SILENCE
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        now = loop.time()
        lag = max(0.0, now - due)
        told(lag)
        worst = max(worst, lag)
        if worst >= LATE and now >= quiet_until:
            log.warning("loop held up", ms=round(worst * 1000))
            worst, quiet_until = 0.0, now + SILENCE
