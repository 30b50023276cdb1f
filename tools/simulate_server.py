"""Runs the whole server in simulated worlds: `make simulate-server SEEDS=10000`, or one of them: `SEED=123`.

    python -m tools.simulate_server --seeds 10000 --jobs 2
    python -m tools.simulate_server --seed 123

Exit status 1 where a world has broken an invariant. Each is told with the command that runs it again; put its seed into
KEPT of tests/simulation/test_simulation.py once it is mended.
"""

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

from attrs import asdict

from tests.simulation.plan import Plan
from tests.simulation.world import Report, World


def again(seed: int) -> str:
    """The command that runs a world alone."""
    return f"make simulate-server SEED={seed}"


def ran(seed: int) -> Report | str:
    """The report of a world, or what went wrong in it."""
    try:
        return World(Plan.of(seed)).run()
    except Exception as error:  # noqa: BLE001 # whatever it is, it is what is looked for
        places = [f"{Path(place.filename).name}:{place.lineno}" for place in traceback.extract_tb(error.__traceback__)]
        return f"{type(error).__name__}: {str(error)[:600]} at {' '.join(places[-6:])}"


def one(seed: int) -> int:
    """Run a world, and show where it failed."""
    try:
        report = World(Plan.of(seed)).run()
    except Exception:  # noqa: BLE001 # as above
        traceback.print_exc()
        print(f"again: {again(seed)}")
        return 1
    print(json.dumps({key: value for key, value in asdict(report).items() if key != "records"}))
    return 0


def many(first: int, seeds: int, jobs: int) -> int:
    """Run so many worlds and sum up."""
    begun = time.monotonic()
    total: Counter[str] = Counter()
    failed: list[int] = []
    with Pool(jobs, maxtasksperchild=200) as pool:
        for seed, found in zip(
            range(first, first + seeds), pool.imap(ran, range(first, first + seeds), chunksize=5), strict=True
        ):
            if isinstance(found, str):
                failed.append(seed)
                print(f"seed {seed}: {found}\n  again: {again(seed)}", flush=True)
                continue
            total["worlds"] += 1
            for what in ("events", "deals", "messages", "steps", "losses", "crashes", "commits", "failures"):
                total[what] += getattr(found, what)
            total["records"] += len(found.records)
            if total["worlds"] % 1000 == 0:
                print(f"{total['worlds']} worlds, {len(failed)} broken, {time.monotonic() - begun:.0f} s", flush=True)
    print(json.dumps({**total, "broken": len(failed), "seeds": failed, "seconds": round(time.monotonic() - begun)}))
    return 1 if failed else 0


def main() -> int:
    """As the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="run this world alone and show where it fails")
    parser.add_argument("--seeds", type=int, default=10_000, help="so many worlds")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    return one(options.seed) if options.seed is not None else many(options.first, options.seeds, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
