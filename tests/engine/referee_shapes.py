"""What a complete hand is, for `referee`: slowly, and from the rules' text alone."""

from collections import Counter

from parlour_engine.notation import parse_tiles

ORPHANS = parse_tiles("19m19p19s1234567z")
HONOURS = parse_tiles("1234567z")


def laid_out(tiles: list[int], sets: int) -> bool:
    """True where the tiles are that many sets and nothing else."""
    if not tiles:
        return sets == 0
    low = min(tiles)
    groups = [[low] * 3]
    if low < 27 and low % 9 < 7:
        groups.append([low, low + 1, low + 2])
    return any(rest is not None and laid_out(rest, sets - 1) for rest in [without(tiles, group) for group in groups])


def without(tiles: list[int], gone: list[int]) -> list[int] | None:
    """The other tiles, None where some are not there."""
    rest = list(tiles)
    for tile in gone:
        if tile not in rest:
            return None
        rest.remove(tile)
    return rest


def standard(tiles: list[int], sets: int) -> bool:
    """Sets and eyes."""
    rests = [without(tiles, [eyes, eyes]) for eyes in set(tiles)]
    return any(rest is not None and laid_out(rest, sets) for rest in rests)


def nico_nico(tiles: list[int]) -> bool:
    """SH-1: one kind three times, all others twice or four times."""
    counts = sorted(Counter(tiles).values())
    return len(tiles) == 17 and counts.count(3) == 1 and set(counts) <= {2, 3, 4}


def thirteen_orphans(tiles: list[int], gong: bool) -> bool:
    """SH-2: all thirteen, one of them doubled, and a set, which may be a declared concealed gong (A-61)."""
    rest = without(tiles, ORPHANS)
    if rest is None:
        return False
    return any(laid_out(without(rest, [orphan]) or [], 0 if gong else 1) for orphan in ORPHANS if orphan in rest)


def sixteen_orphans(tiles: list[int]) -> bool:
    """SH-3: the seven honours, three tiles of each suit at least three apart, one of the sixteen doubled."""
    kinds = sorted(set(tiles))
    if len(tiles) != 17 or len(kinds) != 16 or without(kinds, HONOURS) is None:
        return False
    suits = [[kind for kind in kinds if kind // 9 == suit] for suit in range(3)]
    return all(len(suit) == 3 and suit[1] - suit[0] >= 3 and suit[2] - suit[1] >= 3 for suit in suits)
