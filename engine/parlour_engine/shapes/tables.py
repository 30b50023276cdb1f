"""The packaged tables, read once, and the key of a suit.

The key of a numbered suit is the sum of 5**rank_index over its tiles, that of the honours the sum of 5**(kind - 27); a
key fits any hand of at most four copies a kind. Adding or taking away a tile of `kind` adds or takes `KEY_STEP[kind]`
from key `SUIT_OF[kind]`, so whoever keeps a hand keeps its four keys for the price of one addition.

How far four keys k0 k1 k2 k3 are from `sets` sets and eyes, written out for loops that vary one suit:

    FINAL[sets][MERGE[SUIT[k0]][SUIT[k1]]][MERGE[SUIT[k2]][HONOUR[k3]]]

- `SUIT`, `HONOUR`: bytes, key -> profile (0-197): what the suit alone is missing for 0-5 sets with and without eyes.
- `MERGE`: profile, profile -> merge (0-327), symmetric, so the four suits may be paired up in any way.
- `FINAL`: sets wanted (0-5), merge, merge -> tiles missing (0 = complete), symmetric in the two merges.

`SUIT` and `HONOUR` run on past the last key by one step of the highest rank, so a loop may read the key of a fifth copy
and throw the answer away afterwards, which is cheaper than asking first.

Suits of the same profile are worth the same in any company, so a loop may skip a tile that leaves its suit's profile
as it was.
"""

import zlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from parlour_engine.tiles import KINDS

Keys = tuple[int, int, int, int]
"""The keys of m, p, s and the honours."""

KEY_STEP: Final[tuple[int, ...]] = tuple(5 ** (kind % 9) for kind in range(KINDS))
"""What one tile of each kind adds to the key of its suit."""
SUIT_OF: Final[tuple[int, ...]] = tuple(kind // 9 for kind in range(KINDS))
"""The index of the suit of each kind: 0 m, 1 p, 2 s, 3 honours."""

STEPS: Final[tuple[tuple[tuple[int, int], ...], ...]] = tuple(
    tuple((kind, KEY_STEP[kind]) for kind in range(KINDS) if SUIT_OF[kind] == suit) for suit in range(4)
)
"""The kinds of each suit, each with its step."""

TABLES_FILE: Final = "tables.bin"
PROFILES: Final = 198
MERGES: Final = 328
MOST_SETS: Final = 5
SUIT_KEYS: Final = 5**9
HONOUR_KEYS: Final = 5**7


def _read() -> tuple[bytes, bytes, tuple[tuple[int, ...], ...], tuple[tuple[bytes, ...], ...]]:
    raw = zlib.decompress(files("parlour_engine.shapes").joinpath(TABLES_FILE).read_bytes())
    start = SUIT_KEYS
    suits = raw[:start] + bytes(5**8)
    honours = raw[start : start + HONOUR_KEYS] + bytes(5**6)
    start += HONOUR_KEYS
    # One int object a merge, shared by all rows, keeps the table in the processor's cache.
    numbers = tuple(range(MERGES))
    merge = tuple(
        tuple([numbers[raw[at] << 8 | raw[at + 1]] for at in range(row, row + 2 * PROFILES, 2)])
        for row in range(start, start + 2 * PROFILES * PROFILES, 2 * PROFILES)
    )
    start += 2 * PROFILES * PROFILES
    final = tuple(
        tuple(raw[row : row + MERGES] for row in range(table, table + MERGES * MERGES, MERGES))
        for table in range(start, start + (MOST_SETS + 1) * MERGES * MERGES, MERGES * MERGES)
    )
    return suits, honours, merge, final


_TABLES: Final = _read()
SUIT: Final[bytes] = _TABLES[0]
HONOUR: Final[bytes] = _TABLES[1]
MERGE: Final[tuple[tuple[int, ...], ...]] = _TABLES[2]
FINAL: Final[tuple[tuple[bytes, ...], ...]] = _TABLES[3]


def suit_keys(counts: Sequence[int]) -> Keys:
    """The four keys of `counts`, the number of tiles (0-4) of each of the 34 kinds."""
    (
        m1, m2, m3, m4, m5, m6, m7, m8, m9,
        p1, p2, p3, p4, p5, p6, p7, p8, p9,
        s1, s2, s3, s4, s5, s6, s7, s8, s9,
        z1, z2, z3, z4, z5, z6, z7,
    ) = counts  # fmt: skip
    return (
        m1 + 5 * m2 + 25 * m3 + 125 * m4 + 625 * m5 + 3125 * m6 + 15625 * m7 + 78125 * m8 + 390625 * m9,
        p1 + 5 * p2 + 25 * p3 + 125 * p4 + 625 * p5 + 3125 * p6 + 15625 * p7 + 78125 * p8 + 390625 * p9,
        s1 + 5 * s2 + 25 * s3 + 125 * s4 + 625 * s5 + 3125 * s6 + 15625 * s7 + 78125 * s8 + 390625 * s9,
        z1 + 5 * z2 + 25 * z3 + 125 * z4 + 625 * z5 + 3125 * z6 + 15625 * z7,
    )
