"""Looks at many claim windows as an eavesdropper would: python tools/leaks.py [WINDOWS] [SEED].

For every kind of table and everything that can be timed or weighed it prints the chance that windows in which somebody
could claim are of the same sort as the others (Kolmogorov-Smirnov), how often the best guess is right, and what mere
chance stays under in 99 of 100 cases. It fails where a table's secret shows.
"""

import sys
from pathlib import Path

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.leaks.eavesdropping import CASES, verdict, windows


def main(most: int, seed: int) -> int:
    """The number of figures that are not as they should be."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    wrong = 0
    for case in CASES:
        met = windows(case, seed, most)
        asked = sum(window.asked for window in met)
        print(f"{case.name}: {len(met)} windows, somebody could claim in {asked}")
        for feature, (same, right, chance) in verdict(met).items():
            shows = same <= 0.01 or right >= chance
            wrong += shows
            print(f"  {feature:7} p={same:.4f}  right {right:.4f} < {chance:.4f}{'  SHOWS' if shows else ''}")
    return wrong


if __name__ == "__main__":
    arguments = [int(text) for text in sys.argv[1:]]
    sys.exit(min(1, main(*[*arguments, *(10_000, 1)[len(arguments) :]])))
