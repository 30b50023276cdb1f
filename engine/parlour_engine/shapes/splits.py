"""Every way to split a complete hand into sets and eyes: the readings that scoring compares.

A group is one small int: a chow is the kind of its lowest tile (0-24), a pong is `PONG_CODE` + kind (34-67).
"""

from collections.abc import Sequence
from typing import Final

from parlour_engine.melds import CHOW, PONG
from parlour_engine.tiles import FIRST_WIND, KINDS, Kind

PONG_CODE: Final = 34
"""What a pong's code has over its kind."""

Partition = tuple[Kind, tuple[int, ...]]
"""The kind of the eyes and the codes of the groups, ascending: chows first, then pongs."""


def group_form(code: int) -> int:
    """`melds.CHOW` or `melds.PONG`."""
    return CHOW if code < PONG_CODE else PONG


def group_kind(code: int) -> Kind:
    """The kind of a pong, the lowest kind of a chow."""
    return code if code < PONG_CODE else code - PONG_CODE


def group_tiles(code: int) -> tuple[Kind, Kind, Kind]:
    """The three kinds of a group, ascending."""
    if code < PONG_CODE:
        return (code, code + 1, code + 2)
    return (code - PONG_CODE,) * 3


def _suit_splits(tiles: list[int], first: Kind) -> list[tuple[int, ...]]:
    """All splits of nine counts into chows and pongs. Going up the ranks, the lowest tile left is in a pong or begins a
    chow, so a rank leaves at most two choices: with three or more left, a pong or not."""
    open_splits: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    for rank in range(9):
        n = tiles[rank]
        grown: list[tuple[int, int, tuple[int, ...]]] = []
        for one_ago, two_ago, groups in open_splits:
            left = n - one_ago - two_ago
            if left < 0:
                continue
            if left == 0:
                grown.append((0, one_ago, groups))
                continue
            if rank < 7 and left <= tiles[rank + 1] and left <= tiles[rank + 2]:
                grown.append((left, one_ago, groups + (first + rank,) * left))
            if left >= 3:
                pong = (PONG_CODE + first + rank,)
                if left == 3:
                    grown.append((0, one_ago, groups + pong))
                elif rank < 7:
                    grown.append((1, one_ago, groups + pong + (first + rank,)))
        if not grown:
            return []
        open_splits = grown
    return [groups for one_ago, two_ago, groups in open_splits if one_ago == 0 and two_ago == 0]


def partitions(counts: Sequence[int], sets: int) -> list[Partition]:
    """Every distinct way to split the concealed tiles into `sets` sets and eyes; empty when they are not complete.

    The order depends on the tiles alone. No tile of a declared set is among `counts`.
    """
    if sum(counts) != 3 * sets + 2:
        return []
    honours: tuple[int, ...] = ()
    eyes_kind = -1
    for kind in range(FIRST_WIND, KINDS):
        n = counts[kind]
        if n == 3:
            honours += (PONG_CODE + kind,)
        elif n == 2 and eyes_kind < 0:
            eyes_kind = kind
        elif n:
            return []
    plain: list[list[tuple[int, ...]]] = [[honours]] if honours else []
    eyes_suit = -1
    for first in (0, 9, 18):
        tiles = list(counts[first : first + 9])
        n = sum(tiles)
        if n == 0:
            continue
        if n % 3 == 0:
            splits = _suit_splits(tiles, first)
            if not splits:
                return []
            plain.append(splits)
        elif n % 3 == 2 and eyes_suit < 0 and eyes_kind < 0:
            eyes_suit = first
        else:
            return []
    with_eyes: list[tuple[Kind, list[tuple[int, ...]]]] = []
    if eyes_suit < 0:
        with_eyes.append((eyes_kind, [()]))
    else:
        tiles = list(counts[eyes_suit : eyes_suit + 9])
        # Every set's ranks add up to a multiple of three, so the eyes' rank is known modulo three.
        weight = sum([rank * n for rank, n in enumerate(tiles)])
        for rank in range(2 * weight % 3, 9, 3):
            if tiles[rank] >= 2:
                tiles[rank] -= 2
                splits = _suit_splits(tiles, eyes_suit)
                tiles[rank] += 2
                if splits:
                    with_eyes.append((eyes_suit + rank, splits))
    rest: list[tuple[int, ...]] = [()]
    for splits in plain:
        rest = [one + other for one in rest for other in splits]
    return [(eyes, tuple(sorted(one + other))) for eyes, splits in with_eyes for one in splits for other in rest]
