"""How far a hand is from complete in the standard shape (sets and eyes), and which tiles bring it nearer."""

from collections.abc import Sequence

from parlour_engine.shapes.tables import FINAL, HONOUR, KEY_STEP, MERGE, SUIT, Keys, suit_keys
from parlour_engine.tiles import Kind

Discard = tuple[int, Kind, int]
"""Distance after throwing a kind, that kind, and the mask of the kinds that would then lower the distance."""


def distance(k0: int, k1: int, k2: int, k3: int, sets: int) -> int:
    """Tiles missing to hold `sets` (0-5) sets and eyes among the tiles of the four keys: 0 complete, 1 ready.

    Tiles beyond what the shape needs are free, so a hand to throw from has the distance of its best discard. Only the
    hand itself is looked at: a tile all of whose copies lie elsewhere still counts as one that may come.
    """
    return FINAL[sets][MERGE[SUIT[k0]][SUIT[k1]]][MERGE[SUIT[k2]][HONOUR[k3]]]


def distance_of(counts: Sequence[int], sets: int) -> int:
    """`distance` from the number of tiles of each of the 34 kinds."""
    k0, k1, k2, k3 = suit_keys(counts)
    return FINAL[sets][MERGE[SUIT[k0]][SUIT[k1]]][MERGE[SUIT[k2]][HONOUR[k3]]]


def is_complete(k0: int, k1: int, k2: int, k3: int, sets: int) -> bool:
    """True when the tiles are `sets` sets and eyes. The caller holds exactly 3 * sets + 2 tiles."""
    return FINAL[sets][MERGE[SUIT[k0]][SUIT[k1]]][MERGE[SUIT[k2]][HONOUR[k3]]] == 0


def accepting(counts: Sequence[int], keys: Keys, sets: int) -> int:
    """The mask of the kinds (bit `kind`) one more of which lowers the distance; kinds held four times never do.

    `counts` and `keys` describe the same tiles. A complete hand has none.
    """
    k0, k1, k2, k3 = keys
    a, b, c, d = SUIT[k0], SUIT[k1], SUIT[k2], HONOUR[k3]
    final = FINAL[sets]
    left, right = MERGE[a][b], MERGE[c][d]
    now = final[left][right]
    mask = 0
    if not now:
        return mask
    row = final[right]
    merge = MERGE[b]
    for kind in range(9):
        if counts[kind] < 4 and row[merge[SUIT[k0 + KEY_STEP[kind]]]] < now:
            mask |= 1 << kind
    merge = MERGE[a]
    for kind in range(9, 18):
        if counts[kind] < 4 and row[merge[SUIT[k1 + KEY_STEP[kind]]]] < now:
            mask |= 1 << kind
    row = final[left]
    merge = MERGE[d]
    for kind in range(18, 27):
        if counts[kind] < 4 and row[merge[SUIT[k2 + KEY_STEP[kind]]]] < now:
            mask |= 1 << kind
    merge = MERGE[c]
    for kind in range(27, 34):
        if counts[kind] < 4 and row[merge[HONOUR[k3 + KEY_STEP[kind]]]] < now:
            mask |= 1 << kind
    return mask


def discard_distances(counts: Sequence[int], keys: Keys, sets: int) -> list[tuple[int, Kind]]:
    """For every kind in hand the distance after throwing one of it, as (distance, kind) in the order of kinds."""
    k0, k1, k2, k3 = keys
    a, b, c, d = SUIT[k0], SUIT[k1], SUIT[k2], HONOUR[k3]
    final = FINAL[sets]
    row = final[MERGE[c][d]]
    merge = MERGE[b]
    found = [(row[merge[SUIT[k0 - KEY_STEP[kind]]]], kind) for kind in range(9) if counts[kind]]
    merge = MERGE[a]
    found += [(row[merge[SUIT[k1 - KEY_STEP[kind]]]], kind) for kind in range(9, 18) if counts[kind]]
    row = final[MERGE[a][b]]
    merge = MERGE[d]
    found += [(row[merge[SUIT[k2 - KEY_STEP[kind]]]], kind) for kind in range(18, 27) if counts[kind]]
    merge = MERGE[c]
    found += [(row[merge[HONOUR[k3 - KEY_STEP[kind]]]], kind) for kind in range(27, 34) if counts[kind]]
    return found


def _accepting_after(counts: Sequence[int], keys: Keys, sets: int, kind: Kind) -> int:
    rest = list(counts)
    rest[kind] -= 1
    after = list(keys)
    after[kind // 9] -= KEY_STEP[kind]
    return accepting(rest, (after[0], after[1], after[2], after[3]), sets)


def discards_by_distance(counts: Sequence[int], keys: Keys, sets: int) -> list[Discard]:
    """Every discard from a hand of 3 * sets + 2 tiles, least distance first, then in the order of kinds."""
    found = discard_distances(counts, keys, sets)
    found.sort()
    return [(missing, kind, _accepting_after(counts, keys, sets, kind)) for missing, kind in found]


def least_discards(counts: Sequence[int], keys: Keys, sets: int) -> list[Discard]:
    """Only the discards that leave the least distance, in the order of kinds: what a player chooses from."""
    found = discard_distances(counts, keys, sets)
    least = min(found)[0]
    return [(missing, kind, _accepting_after(counts, keys, sets, kind)) for missing, kind in found if missing == least]
