"""The real server with gauges: how long from an action to its last write, and how late the loop is.

    python -m bench.server.measured FIGURES serve --port 0 --config FILE

SIGUSR1 writes what was measured since the last time to the file FIGURES, as JSON; SIGWINCH takes the gauges out, or
puts them in again, for they cost something themselves.
"""

import asyncio
import json
import os
import signal
import sys
import time
from itertools import chain
from pathlib import Path
from typing import Any, Final

from parlour_server import cli, running
from parlour_server.conversation import Conversation
from parlour_server.live_table import LiveTable
from parlour_server.table.deliveries import ToViewers

EVERY: Final = 0.01
"""Seconds between two looks at the loop."""
Moment = tuple[float, float]
"""The clock, and how long this thread was ready to run and did not, so far; or how much of both has passed."""


def _opened() -> int | None:
    try:
        return os.open("/proc/self/schedstat", os.O_RDONLY)
    except OSError:  # not Linux
        return None


_SCHEDULE: Final = _opened()


def moment() -> Moment:
    """Now."""
    kept = 0.0 if _SCHEDULE is None else int(os.pread(_SCHEDULE, 100, 0).split()[1]) / 1e9
    return time.perf_counter(), kept


def _since(before: Moment, after: Moment) -> Moment:
    return after[0] - before[0], after[1] - before[1]


class Gauges:
    """Times in seconds, each as it passed and without what the machine's other programs had the processor for.

    A table's action is done with the last frame that is written to its lines because of it.
    """

    def __init__(self) -> None:
        self.actions: list[Moment] = []
        self.lags: list[Moment] = []
        self.written = self.writes = 0
        """Messages, and how often one or more were written to a line together."""
        self.waiting: dict[str, list[Moment]] = {}

    def figures(self) -> dict[str, Any]:
        """What was measured, in milliseconds; measured anew from here."""
        found = {
            "actions": len(self.actions),
            "written": self.written,
            "writes": self.writes,
            "action_ms": _points([passed - kept for passed, kept in self.actions]),
            "lag_ms": _points([passed - kept for passed, kept in self.lags]),
            "action_passed_ms": _points([passed for passed, _ in self.actions]),
            "lag_passed_ms": _points([passed for passed, _ in self.lags]),
        }
        self.actions, self.lags, self.written, self.writes = [], [], 0, 0
        return found


def _points(values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    ordered = sorted(values)

    def at(part: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000, 3)

    return {"p50": at(0.5), "p99": at(0.99), "p99.9": at(0.999), "max": round(ordered[-1] * 1000, 3)}


GAUGES: Final = Gauges()


class Hooks:
    """The gauges in the server's classes, and the look at its loop."""

    def __init__(self) -> None:
        self._lines: Any = Conversation
        self._tables: Any = LiveTable
        self._real = self._lines._hear, self._tables._send
        self._looking: asyncio.Task[None] | None = None

    def put_in(self) -> None:
        """Measure from now on."""
        hear, send = self._real
        waiting = GAUGES.waiting

        def heard(line: Any, frame: bytes | str) -> Any:
            # Timed from before it is decoded.
            table = line.table
            if table is not None and isinstance(frame, bytes) and b"\xa4play" in frame:
                waiting.setdefault(table.id, []).append(moment())
            return hear(line, frame)

        def sent(table: Any, deliveries: Any) -> None:
            # All that follows from an action is written in one call, whether at once or when the rows are on disk.
            send(table, deliveries)
            told = [one.viewers for one in deliveries if isinstance(one, ToViewers)]
            if told:
                GAUGES.written += sum(map(len, told))
                GAUGES.writes += len(set(chain(*told)))
                now = moment()
                GAUGES.actions += [_since(begun, now) for begun in waiting.pop(table.id, ())]

        self._lines._hear, self._tables._send = heard, sent
        self._looking = asyncio.get_running_loop().create_task(look())

    def turn(self) -> None:
        """Take them out, or put them in again."""
        if self._looking is None:
            self.put_in()
            return
        self._looking.cancel()
        self._looking = None
        self._lines._hear, self._tables._send = self._real
        GAUGES.waiting.clear()


async def look() -> None:
    """Look at the loop again and again."""
    while True:
        before = moment()
        await asyncio.sleep(EVERY)
        passed, kept = _since(before, moment())
        late = max(0.0, passed - EVERY)
        GAUGES.lags.append((late, min(kept, late)))


def _tell(figures: Path) -> None:
    partial = figures.with_suffix(".part")
    partial.write_text(json.dumps(GAUGES.figures()), encoding="utf-8")
    partial.replace(figures)


def main() -> None:
    """Run the command line with gauges in it."""
    figures = Path(sys.argv.pop(1))
    run = running.run

    async def measured(*arguments: Any, **options: Any) -> Any:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, _tell, figures)
        hooks = Hooks()
        hooks.put_in()
        loop.add_signal_handler(signal.SIGWINCH, hooks.turn)
        profile = os.environ.get("BENCH_PROFILE")
        if profile:
            _profile(Path(profile))
        return await run(*arguments, **options)

    places: Any = (
        running,
        sys.modules.get("parlour_server.cli.serve") or __import__("parlour_server.cli.serve", fromlist=["run"]),
    )
    for place in places:
        place.run = measured
    sys.argv[0] = "parlour"
    cli.main()


def _profile(target: Path) -> None:
    """Where the time goes, from SIGUSR2 to the next; written to `target` for `pstats`."""
    import cProfile  # noqa: PLC0415 # only where asked for

    profile = cProfile.Profile()
    running_now = False

    def turn() -> None:
        nonlocal running_now
        if running_now:
            profile.disable()
            profile.dump_stats(target)
        else:
            profile.enable()
        running_now = not running_now

    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, turn)


if __name__ == "__main__":
    main()
