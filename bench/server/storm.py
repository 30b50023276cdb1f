"""Everybody comes back at once: `make storm`, or `python -m bench.server.storm --tables 500`.

The server is killed with SIGKILL while people play, and started again on its database; four seats and a watcher of each
table come back within eight seconds, spread as the page spreads them (C08). Printed as JSON: the seconds from the start
to listening, until 99 of 100 were back, and how late the loop was meanwhile.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from bench.server.load import Crowd, Measured
from tools.served import temporary

PATIENCE = 120.0


def storm(options: argparse.Namespace) -> dict[str, Any]:
    """The whole run."""
    all_cores = sorted(os.sched_getaffinity(0))
    cores = ({all_cores[0]}, set(all_cores[1:]) or {all_cores[0]})
    people = options.tables * 5
    with temporary() as folder, Measured(Path(folder), cores[0]) as server:
        server.start()
        crowd = Crowd(cores[1], "players", server.port, 0, options.tables, options.rate)
        crowd.ready()
        time.sleep(options.seconds)
        crowd.counts()
        server.kill()
        begun = time.monotonic()
        started = server.start(server.port)
        back = 0
        times: dict[str, float] = {}
        while back < people and time.monotonic() - begun < PATIENCE:
            time.sleep(0.1)
            back += crowd.counts()["resumed"]
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
        "never_back": people - back,
        "lag_ms": figures["lag_ms"],
        "lag_passed_ms": figures["lag_passed_ms"],
        "plays_per_s_after": round(after["plays"] / 5, 1),
        "errors": errors[:3],
        "load": os.getloadavg()[0],
    }


def main() -> int:
    """Run and print; 1 where somebody did not come back, or most too late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=250.0)
    parser.add_argument("--seconds", type=float, default=10.0, help="of play before the kill")
    options = parser.parse_args()
    found = storm(options)
    print(json.dumps(found))
    return 0 if not found["never_back"] and found["back_s"].get("99%", PATIENCE) <= 10 else 1


if __name__ == "__main__":
    sys.exit(main())
