"""The scorer call beside `mahjong` (PyPI), in one process and one run: hands a second, and the ratios.

`python bench/scoring.py` in an environment that holds `mahjong` and `attrs`. Each side scores winning hands of its own
game from parsed records: 17 tiles (LRC) and 14 (classical) here, with waits, every reading and the whole derivation;
14 tiles there, where the call estimates the hand's value from prepared tile arrays. Hands that a side refuses (no yaku)
are left out beforehand.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig

ROOT = Path(__file__).resolve().parents[1]
# The engine is not installed among the peers.
sys.path.insert(0, str(ROOT / "engine"))

from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG, Meld
from parlour_engine.rulesets import Ruleset, parse
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.record import DISCARD, SELF_DRAW, ScoringRecord
from parlour_engine.scoring.tally import score

SEED = 20241201
HANDS = 1000
ROUNDS = 5
AIMS = {"lrc": 0.5, "classical": 1.0}
"""Our hands a second are to be at least so many times the peer's."""

GROUPS = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7] + [(k, k, k) for k in range(34)]


def random_win(random: Random, sets: int) -> tuple[list[tuple[int, int, int]], int]:
    """Sets and eyes drawn evenly, at most four of a kind."""
    while True:
        sets_drawn, eyes = random.choices(GROUPS, k=sets), random.randrange(34)
        tiles = [kind for group in sets_drawn for kind in group] + [eyes, eyes]
        if max(tiles.count(kind) for kind in tiles) <= 4:
            return sets_drawn, eyes


def our_record(random: Random, ruleset: Ruleset) -> ScoringRecord:
    """A winning hand with zero to three declared sets, some flowers if there are any, claimed or drawn."""
    sets, eyes = random_win(random, ruleset.procedure.sets)
    declared = random.choice((0, 0, 1, 2, 3))
    melds: list[Meld] = []
    for group in sets[:declared]:
        if group[0] != group[1]:
            melds.append(Meld(CHOW, group[0], group[0], 0))
        else:
            same = sum(kind == group[0] for other in sets for kind in other) + 2 * (eyes == group[0])
            form = random.choice((PONG, PONG, EXPOSED_GONG, CONCEALED_GONG)) if same == 3 else PONG
            melds.append(Meld(form, group[0], group[0], 0))
    concealed = [kind for group in sets[declared:] for kind in group] + [eyes, eyes]
    tile = concealed.pop(random.randrange(len(concealed)))
    counts = [0] * 34
    for kind in concealed:
        counts[kind] += 1
    flowers = tuple(
        sorted(random.sample(range(34, 42), random.choice((0, 1, 2, 3) if ruleset.procedure.flowers else (0,))))
    )
    seat = random.randrange(4)
    by = random.choice((DISCARD, DISCARD, SELF_DRAW))
    giver = (seat + random.randint(1, 3)) % 4 if by == DISCARD else -1
    return ScoringRecord(counts, tuple(melds), flowers, seat, random.randrange(4), tile, by, giver, tiles_on_table=40)


def their_hand(random: Random, calculator: HandCalculator) -> tuple[list[int], int, HandConfig]:
    """A concealed winning hand that the peer accepts, as its tile ids."""
    while True:
        sets, eyes = random_win(random, 4)
        used = [0] * 34
        tiles = []
        for kind in [kind for group in sets for kind in group] + [eyes, eyes]:
            tiles.append(4 * kind + used[kind])
            used[kind] += 1
        config = HandConfig(is_tsumo=bool(random.randrange(2)), is_riichi=True)
        win = random.choice(tiles)
        if calculator.estimate_hand_value(tiles, win, config=config).error is None:
            return tiles, win, config


def microseconds(call: Callable[[Any], object], items: Sequence[Any]) -> float:
    """CPU time of one call, loop included: the best of some rounds, since others share the machine."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for item in items:
            call(item)
        best = min(best, process_time() - start)
    return best / len(items) * 1e6


def main() -> int:
    """Print both sides and the ratios; 1 when an aim is missed."""
    random = Random(SEED)
    calculator = HandCalculator()
    hands = [their_hand(random, calculator) for _ in range(HANDS)]
    theirs = microseconds(lambda hand: calculator.estimate_hand_value(hand[0], hand[1], config=hand[2]), hands)
    told("mahjong estimate_hand_value", theirs)
    missed = False
    for name, aim in AIMS.items():
        path = ROOT / "config" / "rulesets" / f"{name}.toml"
        ruleset = parse(path.read_text(encoding="utf-8"), path.name)
        records = [our_record(random, ruleset) for _ in range(HANDS)]
        ours = microseconds(partial(score, ruleset), records)
        told(f"{name}: score, with derivation", ours)
        alone = [[record] for record in records]
        told(f"{name}: settle, one winner", microseconds(partial(settle, ruleset), alone))
        ratio = theirs / ours
        print(f"{f'{name}: ratio':34}{ratio:9.2f} x  (aim {aim} x) {'ok' if ratio >= aim else 'BELOW AIM'}")
        missed |= ratio < aim
    return 1 if missed else 0


def told(what: str, each: float) -> None:
    """Print a line with the time of one call."""
    print(f"{what:34}{each:9.1f} us{1e6 / each:10.0f} hands/s")


if __name__ == "__main__":
    sys.exit(main())
