"""Looks at many claim windows as an eavesdropper would: python tools/leaks.py [WINDOWS] [SEED] [KIND ...].

For every kind of window and of table, and for everything that can be timed or weighed, it prints the chance that
windows in which somebody could claim are of the same sort as the others (Kolmogorov-Smirnov), how often the best guess
is right with what mere chance stays under in 99 of 100 cases, and how often it can be right at most. What shows is
looked for in a fresh sample, and it fails where it shows again.

KIND is `claim`, `rob` (the fourth tile of a pong), `last` (the last discard of a wall) or `wash` (the washing of the
tiles as dealt); all of them where none is named. Of claims WINDOWS are looked at at each kind of table, of robbing and
of washing WINDOWS in all, and a tenth of that of last discards, for each of which a whole wall is played.
"""

import sys
from pathlib import Path
from typing import Final

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.leaks.eavesdropping import FEATURES, Case, bound, cases, shows, told_apart, verdict, windows
from tests.leaks.plots import PLOTS, Plot

KINDS: Final = ("claim", *PLOTS)
Figures = dict[str, tuple[float, float, float]]


def main(most: int, seed: int, kinds: list[str]) -> int:
    """The number of figures that are not as they should be."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    return sum([_kind(kind, most, seed) for kind in kinds or KINDS])


def _kind(kind: str, most: int, seed: int) -> int:
    plot = PLOTS.get(kind)
    tables = cases(plot)
    if plot is not None:
        most = -(-most // len(tables) // (10 if kind == "last" else 1))
    wrong = seen = 0
    all_figures: list[Figures] = []
    for case in tables:
        figures, number, again = _case(case, kind, plot, most, seed)
        wrong += again
        seen += number
        all_figures.append(figures)
    print(f"{kind}: {seen} windows in all")
    for feature in FEATURES:
        found = [figures[feature] for figures in all_figures]
        # Of samples that know nothing of each other, each as large as the other.
        right = sum([right for _, right, _ in found]) / len(found)
        spread = sum([(chance - 0.5) ** 2 for _, _, chance in found]) ** 0.5 / len(found)
        print(f"  {feature:7} right {right:.4f} < {0.5 + spread:.4f}, at most {right + spread:.4f}")
    return wrong


def _case(case: Case, kind: str, plot: Plot | None, most: int, seed: int) -> tuple[Figures, int, int]:
    met = windows(case, seed, most, plot)
    print(f"{kind}, {case.name}: {len(met)} windows, somebody could claim in {sum(window.asked for window in met)}")
    figures = verdict(met)
    for feature, found in figures.items():
        same, right, chance = found
        print(f"  {feature:7} p={same:.4f}  right {right:.4f} < {chance:.4f}, at most {bound(found):.4f}", flush=True)
    lengths = {round(window.length, 6) for window in met}
    if len(lengths) > 1:
        print(f"  windows last {sorted(lengths)} s")
    again: set[str] = set()
    if any(map(shows, figures.values())):
        again = told_apart(case, seed + 1, most, plot)
        print(f"  in a fresh sample: {', '.join(sorted(again)) or 'nothing shows'}")
    return figures, len(met), len(again) + (len(lengths) > 1)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:3] if text.isdigit()]
    how_many, first_seed = [*numbers, *(10_000, 1)[len(numbers) :]]
    sys.exit(min(1, main(how_many, first_seed, sys.argv[1 + len(numbers) :])))
