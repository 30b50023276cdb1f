"""Distance and win checks of the standard shape beside `mahjong` (PyPI), in one process and one run.

`python bench/shapes.py` in an environment that holds `mahjong` prints what a call costs on either side and the ratio.
Both sides get the same 14-tile hands, and their answers are compared first: nobody is fast at something else. Below
stand figures of our own for hands of 17 tiles, which the peer does not know.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import TypeVar

from mahjong.agari import Agari
from mahjong.shanten import Shanten

# The engine is not installed among the peers.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

from parlour_engine import shapes

SEED = 20241201
HANDS = 2000
ROUNDS = 5
AIM = 5.0
"""The compared calls are to be at least so many times as fast as the peer's."""

Counts = list[int]
Item = TypeVar("Item")

GROUPS = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7] + [(k, k, k) for k in range(34)]


def random_hand(random: Random, size: int) -> Counts:
    """Tiles off the top of a shuffled wall."""
    counts = [0] * 34
    for kind in random.sample([kind for kind in range(34) for _ in range(4)], size):
        counts[kind] += 1
    return counts


def random_win(random: Random, sets: int) -> Counts:
    """Sets and eyes drawn evenly."""
    while True:
        counts = [0] * 34
        counts[random.randrange(34)] += 2
        for group in random.choices(GROUPS, k=sets):
            for kind in group:
                counts[kind] += 1
        if max(counts) <= 4:
            return counts


def swapped(random: Random, hand: Counts) -> Counts:
    """The hand with one tile replaced."""
    counts = list(hand)
    counts[random.choice([kind for kind in range(34) if counts[kind]])] -= 1
    counts[random.choice([kind for kind in range(34) if counts[kind] < 4])] += 1
    return counts


def microseconds(call: Callable[[Item], object], items: Sequence[Item]) -> float:
    """CPU time of one call, loop included: the best of some rounds, since others share the machine."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for item in items:
            call(item)
        best = min(best, process_time() - start)
    return best / len(items) * 1e6


def compared(name: str, ours: float, theirs: float) -> bool:
    """Prints one line; true when the aim is met."""
    ratio = theirs / ours
    verdict = "ok" if ratio >= AIM else "BELOW AIM"
    print(f"{name:34}{ours:9.2f} us{theirs:10.2f} us{ratio:8.1f} x  (aim {AIM:.0f} x) {verdict}")
    return ratio >= AIM


def main() -> int:
    """Prints the figures; 1 when an aim is missed or the two sides disagree."""
    random = Random(SEED)
    shanten, agari = Shanten(), Agari()
    hands = [random_hand(random, 14) for _ in range(HANDS)]
    wins = [random_win(random, 4) for _ in range(HANDS // 2)]
    wins += [swapped(random, hand) for hand in wins]
    random.shuffle(wins)
    # The peer's win check knows seven pairs and thirteen orphans too and cannot leave them out; no such hand is here.
    kept = [(*shapes.suit_keys(hand), 4) for hand in wins]
    apart = sum(shapes.distance_of(h, 4) - 1 != shanten.calculate_shanten_for_regular_hand(h) for h in hands)
    apart += sum(shapes.is_complete(*keys) != agari.is_agari(hand) for keys, hand in zip(kept, wins, strict=True))
    print(f"seed {SEED}, {HANDS} hands of 14 tiles, answers that differ: {apart}")
    print(f"{'':34}{'ours':>12}{'mahjong':>13}")
    met = compared(
        "distance from counts",
        microseconds(lambda hand: shapes.distance_of(hand, 4), hands),
        microseconds(shanten.calculate_shanten_for_regular_hand, hands),
    )
    met &= compared(
        "win check with kept keys",
        microseconds(lambda keys: shapes.is_complete(*keys), kept),
        microseconds(agari.is_agari, wins),
    )
    print("\nhands of 17 tiles, ours alone")
    whole = [(hand, shapes.suit_keys(hand)) for hand in (random_hand(random, 17) for _ in range(HANDS))]
    drawn = [(hand, shapes.suit_keys(hand)) for hand in (random_hand(random, 16) for _ in range(HANDS))]
    complete = [random_win(random, 5) for _ in range(HANDS)]
    ready = []
    for win in complete:
        hand = list(win)
        hand[random.choice([kind for kind in range(34) if hand[kind]])] -= 1
        ready.append((hand, shapes.suit_keys(hand)))
    none = [0] * 34
    for name, time in (
        ("distance with kept keys", microseconds(lambda item: shapes.distance(*item[1], 5), whole)),
        ("accepting tiles", microseconds(lambda item: shapes.accepting(*item, 5), drawn)),
        ("all discards, accepting tiles", microseconds(lambda item: shapes.discards_by_distance(*item, 5), whole)),
        ("best discards, accepting tiles", microseconds(lambda item: shapes.least_discards(*item, 5), whole)),
        ("waits, any hand", microseconds(lambda item: shapes.waits(*item, 5, 0, 0, none, shapes.FORMS), drawn)),
        ("waits, ready hand", microseconds(lambda item: shapes.waits(*item, 5, 0, 0, none, shapes.FORMS), ready)),
        ("every reading of a win", microseconds(lambda hand: shapes.partitions(hand, 5), complete)),
    ):
        print(f"{name:34}{time:9.2f} us")
    return 0 if met and not apart else 1


if __name__ == "__main__":
    sys.exit(main())
