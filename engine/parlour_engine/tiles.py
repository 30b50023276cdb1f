"""What a tile is: one of 42 kinds, a small int. The engine knows no physical copies.

0-8 are 1-9 characters (m), 9-17 circles (p), 18-26 bamboo (s), 27-30 the winds E S W N,
31-33 the white, green and red dragon, 34-37 the red flowers 1-4, 38-41 the blue flowers 1-4.
"""

from typing import Final

Kind = int
"""A kind of tile, 0-41; 0-33 are the faces that make sets, 34-41 the flowers."""

KINDS: Final = 34
"""How many kinds can stand in a hand."""
ALL_KINDS: Final = 42
"""Kinds with the eight flowers."""
COPIES: Final = 4
"""Copies of each kind that is not a flower; a flower has one."""

FIRST_WIND: Final = 27
FIRST_DRAGON: Final = 31
WHITE: Final = 31
GREEN: Final = 32
RED: Final = 33
FIRST_FLOWER: Final = 34

SUITS: Final = "mpsz"
"""Letters of the suits, honours last; `kind // 9` is the index."""


def suit(kind: Kind) -> int:
    """0 characters, 1 circles, 2 bamboo, 3 honours. `kind` is 0-33."""
    return kind // 9


def rank(kind: Kind) -> int:
    """1-9 in a numbered suit, 1-7 for E S W N white green red. `kind` is 0-33."""
    return kind % 9 + 1


def is_honour(kind: Kind) -> bool:
    """True for winds and dragons."""
    return FIRST_WIND <= kind < FIRST_FLOWER


def is_flower(kind: Kind) -> bool:
    """True for the eight flowers."""
    return kind >= FIRST_FLOWER


def is_orphan(kind: Kind) -> bool:
    """True for honours and the ranks 1 and 9 (the thirteen kinds of 13 Orphans)."""
    return kind < FIRST_FLOWER and (kind >= FIRST_WIND or kind % 9 in (0, 8))


def flower_number(kind: Kind) -> int:
    """1-4: the number on a flower; it belongs to the seat wind E S W N = 1 2 3 4 (lrc F-4)."""
    return (kind - FIRST_FLOWER) % 4 + 1


def full_wall(flowers: bool = True) -> list[Kind]:
    """All tiles of a set in order: 144 kinds with flowers, 136 without (lrc P1)."""
    tiles = [kind for kind in range(KINDS) for _ in range(COPIES)]
    return tiles + list(range(FIRST_FLOWER, ALL_KINDS)) if flowers else tiles
