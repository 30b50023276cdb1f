"""Random complete special hands."""

from random import Random

from tests.engine.shapes.oracle import ORPHANS, SPACED, THIRTEEN


def special_hand(random: Random, form: str, gong: bool = False) -> list[int]:
    """The concealed tiles of a complete hand of `form`; with `gong` the extra set of 13 Orphans is declared."""
    counts = [0] * 34
    if form == "thirteen_orphans":
        return list(random.choice(THIRTEEN[not gong]))
    if form == "sixteen_orphans":
        chosen = [*range(27, 34)]
        for first in (0, 9, 18):
            chosen += [first + rank for rank in random.choice(SPACED)]
        for kind in (*chosen, random.choice(chosen)):
            counts[kind] += 1
        return counts
    kinds = list(range(34))
    random.shuffle(kinds)
    counts[kinds.pop()] = 3
    fours = random.randint(0, 3)
    for at, kind in enumerate(kinds[: 7 - fours]):
        counts[kind] = 4 if at < fours else 2
    return counts


assert len(ORPHANS) == 13
