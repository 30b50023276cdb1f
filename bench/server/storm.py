"""Everybody comes back at once: `make storm`, or `python -m bench.server.storm --tables 400` (C08, G02).

The server is killed with SIGKILL while people play, and started again on its database; four seats and a watcher of each
table come back as the page brings them back: once at once, to a server that is not there, then spread over 7.7
seconds. Printed as JSON: the seconds from the kill to listening, until 99 of 100 were back (from the kill, and from
listening), how many of them came for the busiest second, and how late the loop was meanwhile; then a line for each aim.
Exit status 1 where one is missed.
"""

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from bench.server.load import Crowd, Measured, shared_out, tell, verdict
from tools.served import temporary

PATIENCE = 120.0
AIMS: Final = {"back_99_s": 10.0, "busiest_second": 0.15, "lag_max_ms": 500.0, "never_back": 0.0}
POLL: Final = 0.1


class Returning(Crowd):
    """A process full of clients who come back."""

    MODULE = "bench.server.returning"


def storm(options: argparse.Namespace) -> dict[str, Any]:
    """The whole run."""
    cores = shared_out()
    people = options.tables * 5
    with temporary() as folder, Measured(Path(folder), cores[0]) as server:
        server.start()
        crowd = Returning(cores[1], "players", server.port, 0, options.tables, options.rate)
        crowd.ready()
        time.sleep(options.seconds)
        crowd.counts()
        server.kill()
        begun = time.monotonic()
        started = server.start(server.port)
        back = 0
        seconds: Counter[int] = Counter()
        times: dict[str, float] = {}
        while back < people and time.monotonic() - begun < PATIENCE:
            time.sleep(POLL)
            counts = crowd.counts()
            back += counts["resumed"]
            seconds.update([int(due - begun) for due in counts["due"]])
            for part in (0.5, 0.9, 0.99, 1.0):
                if back >= part * people:
                    times.setdefault(f"{part:.0%}", round(time.monotonic() - begun, 1))
        figures = server.figures()
        time.sleep(5)
        after = crowd.counts()
        errors = server.errors()
        crowd.kill()
        crowd.gone()
    return {
        "people": people,
        "start_s": round(started, 2),
        "back_s": times,
        "back_99_s": times.get("99%", PATIENCE),
        "back_99_after_listening_s": round(times.get("99%", PATIENCE) - started, 1),
        "busiest_second": round(max(seconds.values()) / people, 3),
        "never_back": people - back,
        "lag_ms": figures["lag_ms"],
        "lag_passed_ms": figures["lag_passed_ms"],
        "lag_max_ms": figures["lag_ms"].get("max", 0.0),
        "plays_per_s_after": round(after["plays"] / 5, 1),
        "errors": errors[:3],
        "load": os.getloadavg()[0],
    }


def judged(found: dict[str, Any]) -> list[str]:
    """A line for each aim."""
    return verdict(found, AIMS)


def main() -> int:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=400, help="of five people each")
    parser.add_argument("--rate", type=float, default=250.0)
    parser.add_argument("--seconds", type=float, default=10.0, help="of play before the kill")
    found = storm(parser.parse_args())
    return tell(found, judged(found)) or int(bool(found["errors"]))


if __name__ == "__main__":
    sys.exit(main())
