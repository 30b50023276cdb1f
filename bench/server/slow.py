"""Slow readers at a table that plays: `python -m bench.server.slow` (N05, G21).

Four people play as fast as one table can, and others at twenty more. In turn nobody else watches, fifty do who read
everything, fifty who read nothing, and fifty who read an octet at a time; when all are thrown out the next fifty come.
Each spell is measured like the others, several times over, and the medians are compared: the time from an action to its
last write, the memory of the server and what the system keeps for its sockets, and how long a slow line lasts.
Printed as JSON, then a line for each aim; exit status 1 where one is missed.
"""

import argparse
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bench.server.dawdlers import Eye
from bench.server.load import CONFIG, Crowd, Measured, shared_out, tell, verdict
from tools.served import Served, temporary

AIMS: Final = {"added_p99_ms": 10.0, "added_to_none_ms": 10.0, "lasted_s": 15.0, "rss_kib_each": 64.0}
"""What fifty slow watchers may add to the p99, beyond that of fifty who keep up and beyond nobody's; how long the last
of them may stay: ten seconds after what the systems take is full, which takes some seconds at such a table; and what
each may cost in memory."""
SPELLS: Final = {"alone": 0, "all": 50, "nothing": 50, "drops": 50}


class Fast(Measured):
    """The server with its gauges and without floors, so that one table plays as many moves as it can."""

    def __init__(self, folder: Path, cores: set[int]) -> None:
        super().__init__(folder, cores)
        config = CONFIG.replace("[tables]", "[tables]\nfloor_ms = 0\ndemonstration = false")
        Served.__init__(self, folder, config, cores=cores, code=self._code)


class Dawdlers(Crowd):
    """A process full of watchers."""

    MODULE = "bench.server.dawdlers"


def kept_by_system() -> float:
    """MiB that the system keeps for TCP sockets, of everybody."""
    words = next(
        line for line in Path("/proc/net/sockstat").read_text(encoding="ascii").splitlines() if line.startswith("TCP:")
    ).split()
    return int(words[words.index("mem") + 1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Waves:
    """Fifty come, stay as long as they may, and the next fifty come; `lasted` is how long until the last was out."""

    def __init__(self, how: str, eye: Eye, start: Callable[[], Dawdlers]) -> None:
        self._how, self._eye, self._start = how, eye, start
        self.lasted: list[float] = []
        self.stayed = 0.0
        self._come()

    def _come(self) -> None:
        self._crowd = self._start()
        self._crowd.ready()
        self._since = time.monotonic()

    def look(self) -> None:
        """See whether they are all out; the watcher who plays with the others stays."""
        here = time.monotonic() - self._since
        if self._eye.watchers() <= 1:
            self.lasted.append(round(here, 1))
            self.end()
            self._come()
        elif self._how != "all":
            self.stayed = max(self.stayed, here)

    def end(self) -> None:
        """Whoever is left goes."""
        self._crowd.kill()
        self._crowd.gone()


def spell(
    how: str, server: Measured, players: list[Crowd], eye: Eye, options: argparse.Namespace, cores: set[int]
) -> dict[str, Any]:
    """One of them, after a moment in which it comes to what it is."""
    waves = None
    if SPELLS[how]:
        waves = Waves(how, eye, lambda: Dawdlers(cores, how, server.port, SPELLS[how], options.segment, eye.table))
    time.sleep(1.0)
    for one in players:
        one.counts()
    server.figures()
    memory, kernel = [server.memory() / 1024], [kept_by_system()]
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        time.sleep(0.5)
        memory.append(server.memory() / 1024)
        kernel.append(kept_by_system())
        if waves is not None:
            waves.look()
    told = server.figures()
    plays = sum(one.counts()["plays"] for one in players)
    found = {
        "how": how,
        "plays_per_s": round(plays / options.seconds, 1),
        "p50_ms": told["action_ms"]["p50"],
        "p99_ms": told["action_ms"]["p99"],
        "p99_passed_ms": told["action_passed_ms"]["p99"],
        "lag_p99.9_ms": told["lag_ms"]["p99.9"],
        "rss_kib": max(memory),
        "kernel_mib": round(max(kernel), 1),
    }
    if waves is not None:
        waves.end()
        found |= {"waves": len(waves.lasted), "longest_s": round(max([*waves.lasted, waves.stayed]), 1)}
    while eye.watchers() > 1:
        time.sleep(0.2)
    return found


def slow(options: argparse.Namespace) -> dict[str, Any]:
    """The whole run."""
    cores = shared_out()
    with temporary() as folder, Fast(Path(folder), cores[0]) as server:
        server.start()
        players = [Crowd(cores[1], "players", server.port, 0, 1, options.rate)]
        players[0].ready()
        eye = Eye(server.port)
        if options.tables:
            players.append(Crowd(cores[1], "players", server.port, 100, options.tables, options.rate))
            players[1].ready()
        # The first round only warms up.
        spells = [
            spell(how, server, players, eye, options, cores[1]) for _ in range(options.rounds + 1) for how in SPELLS
        ][len(SPELLS) :]
        reasons = Counter(line.get("reason") for line in server.log() if line.get("event") == "line dropped")
        errors = server.errors()
        for crowd in players:
            crowd.kill()
            crowd.gone()
    of = {
        how: {
            key: round(statistics.median([one[key] for one in spells if one["how"] == how]), 3)
            for key in next(one for one in spells if one["how"] == how)
            if key != "how"
        }
        for how in SPELLS
    }
    # Journals grow while people play, so each spell is compared with the one alone before it.
    alone = [one["rss_kib"] for one in spells if one["how"] == "alone" for _ in SPELLS]
    growth = [
        (one["rss_kib"] - before) / SPELLS[one["how"]]
        for one, before in zip(spells, alone, strict=True)
        if one["how"] in ("nothing", "drops")
    ]
    return {
        "of": of,
        "ratio_to_none": {how: round(of[how]["p99_ms"] / of["alone"]["p99_ms"], 2) for how in SPELLS},
        "ratio_to_fast": {how: round(of[how]["p99_ms"] / of["all"]["p99_ms"], 2) for how in ("nothing", "drops")},
        "added_p99_ms": round(max(of[how]["p99_ms"] for how in ("nothing", "drops")) - of["all"]["p99_ms"], 2),
        "added_to_none_ms": round(max(of[how]["p99_ms"] for how in ("nothing", "drops")) - of["alone"]["p99_ms"], 2),
        "lasted_s": max(one["longest_s"] for one in spells if one["how"] in ("nothing", "drops")),
        "rss_kib_each": round(statistics.median(growth), 1),
        "dropped": reasons,
        "errors": errors[:3],
        "load": os.getloadavg()[0],
    }


def judged(found: dict[str, Any]) -> list[str]:
    """A line for each aim."""
    return verdict(found, AIMS)


def main() -> int:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20, help="that play beside")
    parser.add_argument("--rate", type=float, default=100.0, help="moves a second at the table, and at the others")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0, help="of a spell")
    parser.add_argument("--segment", type=int, default=0, help="octets of the largest segment; 0: the system's own")
    options = parser.parse_args()
    found = slow(options)
    return tell(found, judged(found)) or int(bool(found["errors"]))


if __name__ == "__main__":
    sys.exit(main())
