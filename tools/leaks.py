"""Looks at many claim windows as an eavesdropper would: python tools/leaks.py [WINDOWS] [SEED].

For every kind of table and everything that can be timed or weighed it prints the chance that windows in which somebody
could claim are of the same sort as the others (Kolmogorov-Smirnov), how often the best guess is right, and what mere
chance stays under in 99 of 100 cases. What shows is looked for in a fresh sample, and it fails where it shows again.
"""

import sys
from pathlib import Path

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.leaks.eavesdropping import CASES, shows, told_apart, verdict, windows


def main(most: int, seed: int) -> int:
    """The number of figures that are not as they should be."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    wrong = 0
    for case in CASES:
        met = windows(case, seed, most)
        print(f"{case.name}: {len(met)} windows, somebody could claim in {sum(window.asked for window in met)}")
        figures = verdict(met)
        for feature, (same, right, chance) in figures.items():
            print(f"  {feature:7} p={same:.4f}  right {right:.4f} < {chance:.4f}")
        if any(map(shows, figures.values())):
            again = told_apart(case, seed + 1, most)
            wrong += len(again)
            print(f"  in a fresh sample: {', '.join(sorted(again)) or 'nothing shows'}")
    return wrong


if __name__ == "__main__":
    arguments = [int(text) for text in sys.argv[1:]]
    sys.exit(min(1, main(*[*arguments, *(10_000, 1)[len(arguments) :]])))
