"""One server on one core under load: `make load`, or `python -m bench.server.load --tables 500 --idle 5000`.

Four people and a watcher at each table play RATE moves a second in all; idle sockets lie beside. Clients are other
processes on the other cores. Figures are medians over several windows, because a shared machine
is never quiet; times are given as they passed (`passed`) and without those for which other programs had the processor.
A bare `websockets` server does as many deliveries on the same core at the same time, apart from each other as those of
a table are: the ratio of both is what counts.
They are printed, and written as JSON where `--json FILE` says so. Exit status 1 where an aim is missed.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from tools.served import ROOT, Served, temporary

CONFIG: Final = """
[limits]
sockets = 20000
sockets_per_address_loopback = 20000
strangers_per_address_loopback = 20000
guests = 100000
[tables]
most = 1000
[log]
level = "info"
"""
AIMS: Final = {
    "action_p99_ms": 20.0,
    "action_p99.9_ms": 50.0,
    "lag_p99.9_ms": 50.0,
    "rss_mib": 400.0,
    "cpu_ratio": 2.0,
    "cut_lag_ms": 250.0,
}


Cores = tuple[set[int], set[int]]
"""The server's, and the clients'."""


def shared_out() -> Cores:
    """The first core for the server, the others for the clients; the same where there is but one."""
    first, *others = sorted(os.sched_getaffinity(0))
    return {first}, set(others) or {first}


def verdict(values: dict[str, Any], aims: dict[str, float]) -> list[str]:
    """A line for each aim."""
    return [
        f"{key:18}{values[key]:10.2f}  (aim {aim:g}){'  MISSED' if values[key] > aim else ''}"
        for key, aim in aims.items()
    ]


def tell(found: dict[str, Any], lines: list[str]) -> int:
    """Print both; 1 where an aim is missed."""
    print(json.dumps(found))
    print("\n".join(lines))
    return 1 if any("MISSED" in line for line in lines) else 0


class Crowd:
    """A process full of clients, that runs MODULE."""

    MODULE = "bench.server.crowd"

    def __init__(self, cores: set[int], *arguments: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", self.MODULE, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        os.sched_setaffinity(self._process.pid, cores)

    def ready(self) -> None:
        """Wait until all of them are where they belong."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line.strip() != "ready":
            raise RuntimeError("the clients did not come in")

    def counts(self) -> dict[str, Any]:
        """What has arrived since the last time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def kill(self) -> None:
        """All of them at once, as if a cable were pulled."""
        self._process.kill()

    def gone(self) -> None:
        """Wait until the system has closed their sockets."""
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


class Measured(Served):
    """The server with its gauges."""

    def __init__(self, folder: Path, cores: set[int]) -> None:
        self._figures = folder / "figures.json"
        code = f"import sys; sys.argv.insert(1, {str(self._figures)!r}); from bench.server.measured import main; main()"
        super().__init__(folder, CONFIG, cores=cores, code=code)

    def __enter__(self) -> "Measured":
        return self

    def turn_gauges(self) -> None:
        """Take the gauges out, or put them in again."""
        os.kill(self.pid, signal.SIGWINCH)
        time.sleep(0.2)

    def figures(self) -> dict[str, Any]:
        """What was measured since the last time."""
        self._figures.unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR1)
        deadline = time.monotonic() + 20
        while not self._figures.exists():
            if time.monotonic() > deadline:
                raise RuntimeError("the server does not tell its figures")
            time.sleep(0.005)
        found: dict[str, Any] = json.loads(self._figures.read_text(encoding="utf-8"))
        return found


def windows(server: Served, crowds: list[Crowd], count: int, seconds: float, figures: Any) -> list[dict[str, Any]]:
    """Measure so many windows: processor, messages that arrived, and what `figures` tells."""
    found = []
    for crowd in crowds:
        crowd.counts()
    figures()
    for _ in range(count):
        cpu, begun = server.cpu(), time.monotonic()
        time.sleep(seconds)
        counts = [crowd.counts() for crowd in crowds]
        told = figures()
        passed = time.monotonic() - begun
        used = server.cpu() - cpu
        messages = sum(count["messages"] for count in counts)
        found.append(
            {
                "cpu": used / passed,
                "messages_per_s": messages / passed,
                "plays_per_s": sum(count["plays"] for count in counts) / passed,
                "us_per_message": used / max(1, messages) * 1e6,
                "bytes_per_message": sum(count["bytes"] for count in counts) / max(1, messages),
                "lost": sum(count["lost"] for count in counts),
                "errors": {code: number for count in counts for code, number in count["errors"].items()},
                "rss_mib": server.memory() / 2**20,
                **told,
            }
        )
    return found


def median(found: list[dict[str, Any]], *path: str) -> float:
    """Of all windows."""
    values = []
    for window in found:
        value: Any = window
        for key in path:
            value = value.get(key, 0.0)
        values.append(float(value))
    return round(statistics.median(values), 3)


class Bare(Served):
    """The bare server, with as many sockets, under as many messages of the same size."""

    def __init__(self, options: argparse.Namespace, cores: Cores, size: float, messages: float, moments: float) -> None:
        traffic = map(str, (int(size), messages, moments, options.apart))
        command = [sys.executable, "-m", "bench.server.bare", *traffic]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
        self._process = process
        os.sched_setaffinity(process.pid, cores[0])
        assert process.stdout is not None
        port = process.stdout.readline().strip().rsplit(":", 1)[1]
        self.crowds = [Crowd(cores[1], "echo", port, 0, options.tables, options.rate)]
        if options.idle:
            self.crowds.append(Crowd(cores[1], "idle", port, 0, options.idle))
        for crowd in self.crowds:
            crowd.ready()

    def stop(self) -> None:
        """It and its clients are gone."""
        assert self._process is not None
        for crowd in self.crowds:
            crowd.kill()
            crowd.gone()
        self.kill()


def side_by_side(server: Measured, crowds: list[Crowd], options: argparse.Namespace, cores: Cores) -> dict[str, Any]:
    """Both servers on one core at the same time, so that whatever else the machine does meets both alike."""
    ours = windows(server, crowds, 1, options.seconds, server.figures)[0]
    # As much for each frame as comes of each move, to five people; ours may have several messages in one write.
    messages = ours["messages_per_s"] / max(1.0, ours["plays_per_s"]) / 5
    moments = 1.0 if options.burst else messages * ours["writes"] / max(1, ours["written"])
    other = Bare(options, cores, ours["bytes_per_message"], messages, moments)
    try:
        time.sleep(options.settle)
        server.turn_gauges()
        pairs = [pair(server, crowds, other, options.seconds) for _ in range(options.windows)]
        server.turn_gauges()
    finally:
        other.stop()
    return {
        "messages_per_move": round(messages, 2),
        "moments_per_move": round(moments, 2),
        "ours_us_per_message": round(statistics.median([ours for ours, _, _ in pairs]), 1),
        "of_the_loop_us_per_message": round(statistics.median([loop for _, loop, _ in pairs]), 1),
        "bare_us_per_message": round(statistics.median([bare for _, _, bare in pairs]), 1),
        "ratio": round(statistics.median([ours / bare for ours, _, bare in pairs]), 2),
        "ratios": [round(ours / bare, 2) for ours, _, bare in pairs],
        "ratio_of_the_loop": round(statistics.median([loop / bare for _, loop, bare in pairs]), 2),
    }


def pair(server: Served, crowds: list[Crowd], other: Bare, seconds: float) -> tuple[float, float, float]:
    """Microseconds of processor for each delivered message in the same window: ours, without the storage's threads, and
    the bare server's."""
    for crowd in (*crowds, other.crowds[0]):
        crowd.counts()
    before = server.cpu(), server.loop_cpu(), other.cpu()
    time.sleep(seconds)
    after = server.cpu(), server.loop_cpu(), other.cpu()
    delivered = max(1, sum(crowd.counts()["messages"] for crowd in crowds))
    copies = max(1, other.crowds[0].counts()["messages"])
    ours, loop, bare = [
        (end - begin) / count * 1e6
        for begin, end, count in zip(before, after, (delivered, delivered, copies), strict=True)
    ]
    return ours, loop, bare


def load(options: argparse.Namespace) -> dict[str, Any]:
    """The whole run."""
    cores = shared_out()
    results: dict[str, Any] = {"cores": len(os.sched_getaffinity(0)), "load_before": os.getloadavg()[0]}
    with temporary() as folder, Measured(Path(folder), cores[0]) as server:
        results["start_s"] = round(server.start(), 2)
        stay = max(1, options.tables // 10)
        port = server.port
        crowds = [
            Crowd(cores[1], "players", port, 0, stay, options.rate * stay / options.tables),
            Crowd(cores[1], "players", port, 10_000, options.tables - stay, options.rate * (1 - stay / options.tables)),
        ]
        for crowd in crowds:
            crowd.ready()
        rss = server.memory() / 2**20
        if options.idle:
            crowds.append(Crowd(cores[1], "idle", port, 0, options.idle))
            crowds[2].ready()
        time.sleep(options.settle)
        found = windows(server, crowds[:2], options.windows, options.seconds, server.figures)
        results["server"] = {
            key: median(found, key)
            for key in ("cpu", "messages_per_s", "plays_per_s", "us_per_message", "bytes_per_message", "rss_mib")
        }
        results["server"]["rss_without_idle_mib"] = round(rss, 1)
        for what in ("action", "lag", "action_passed", "lag_passed"):
            for point in ("p50", "p99", "p99.9", "max"):
                results["server"][f"{what}_{point}_ms"] = median(found, f"{what}_ms", point)
        results["server"]["actions_measured"] = sum(window["actions"] for window in found)
        results["windows"] = found
        if options.profile:
            os.kill(server.pid, signal.SIGUSR2)
            time.sleep(10)
            os.kill(server.pid, signal.SIGUSR2)
            time.sleep(1)
        if options.bare:
            results["bare"] = side_by_side(server, crowds[:2], options, cores)
        results["cut"] = cut(server, crowds)
        results["errors_logged"] = server.errors()[:3]
        for crowd in crowds:
            crowd.kill()
            crowd.gone()
    results["load_after"] = os.getloadavg()[0]
    return results


def cut(server: Measured, crowds: list[Crowd]) -> dict[str, Any]:
    """Cut all but a tenth of the tables at once, and see how long the loop is held up."""
    before = len(server.log())
    server.figures()
    begun = time.monotonic()
    for crowd in crowds[1:]:
        crowd.kill()
    for crowd in crowds[1:]:
        crowd.gone()
    time.sleep(8)
    told = server.figures()
    counts = crowds[0].counts()
    return {
        "lag_ms": told["lag_ms"],
        "lag_passed_ms": told["lag_passed_ms"],
        "log_lines": len(server.log()) - before,
        "stayed_messages": counts["messages"],
        "seconds": round(time.monotonic() - begun, 1),
        "rss_mib": round(server.memory() / 2**20, 1),
    }


def judged(results: dict[str, Any]) -> list[str]:
    """A line for each aim."""
    ours = results["server"]
    values = {
        "action_p99_ms": ours["action_p99_ms"],
        "action_p99.9_ms": ours["action_p99.9_ms"],
        "lag_p99.9_ms": ours["lag_p99.9_ms"],
        "rss_mib": ours["rss_mib"],
        "cpu_ratio": results.get("bare", {}).get("ratio", 0.0),
        "cut_lag_ms": results["cut"]["lag_ms"].get("max", 0.0),
    }
    return verdict(values, AIMS)


def main() -> int:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--idle", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=250.0, help="moves a second in all")
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0, help="of a window")
    parser.add_argument("--settle", type=float, default=5.0, help="seconds before the first window")
    parser.add_argument("--no-bare", dest="bare", action="store_false", help="leave the bare server out")
    parser.add_argument("--apart", type=float, default=0.35, help="seconds between the bare server's answers")
    parser.add_argument("--burst", action="store_true", help="let it give all its answers at once")
    parser.add_argument("--profile", help="write ten seconds of profile to this file")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.profile:
        os.environ["BENCH_PROFILE"] = str(Path(options.profile).absolute())
    results = load(options)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return tell({key: value for key, value in results.items() if key != "windows"}, judged(results))


if __name__ == "__main__":
    sys.exit(main())
