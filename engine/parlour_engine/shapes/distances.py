"""How far a hand is from complete in the standard shape (sets and eyes), and which tiles bring it nearer."""

from collections.abc import Sequence

from parlour_engine.shapes.tables import FINAL, HONOUR, KEY_STEP, MERGE, STEPS, SUIT, Keys, suit_keys
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
    for kind, step in STEPS[0]:
        if row[merge[SUIT[k0 + step]]] < now and counts[kind] < 4:
            mask |= 1 << kind
    merge = MERGE[a]
    for kind, step in STEPS[1]:
        if row[merge[SUIT[k1 + step]]] < now and counts[kind] < 4:
            mask |= 1 << kind
    row = final[left]
    merge = MERGE[d]
    for kind, step in STEPS[2]:
        if row[merge[SUIT[k2 + step]]] < now and counts[kind] < 4:
            mask |= 1 << kind
    merge = MERGE[c]
    for kind, step in STEPS[3]:
        if row[merge[HONOUR[k3 + step]]] < now and counts[kind] < 4:
            mask |= 1 << kind
    return mask


def discard_distances(counts: Sequence[int], keys: Keys, sets: int) -> list[tuple[int, Kind]]:
    """For every kind in hand the distance after throwing one of it, as (distance, kind) in the order of kinds."""
    k0, k1, k2, k3 = keys
    a, b, c, d = SUIT[k0], SUIT[k1], SUIT[k2], HONOUR[k3]
    final = FINAL[sets]
    row = final[MERGE[c][d]]
    merge = MERGE[b]
    found = [(row[merge[SUIT[k0 - step]]], kind) for kind, step in STEPS[0] if counts[kind]]
    merge = MERGE[a]
    found += [(row[merge[SUIT[k1 - step]]], kind) for kind, step in STEPS[1] if counts[kind]]
    row = final[MERGE[a][b]]
    merge = MERGE[d]
    found += [(row[merge[SUIT[k2 - step]]], kind) for kind, step in STEPS[2] if counts[kind]]
    merge = MERGE[c]
    found += [(row[merge[HONOUR[k3 - step]]], kind) for kind, step in STEPS[3] if counts[kind]]
    return found


def _with_accepting(found: list[tuple[int, Kind]], counts: Sequence[int], keys: Keys, sets: int) -> list[Discard]:
    """Adds the accepting mask to each of the discards `found`, which are in the order of kinds."""
    k0, k1, k2, k3 = keys
    profiles = (SUIT[k0], SUIT[k1], SUIT[k2], HONOUR[k3])
    final = FINAL[sets]
    # What one tile more makes of each suit: the profiles it may get, other than the one it has, and the kinds for each.
    growths: list[list[tuple[int, int]]] = []
    for suit in range(4):
        table = HONOUR if suit == 3 else SUIT
        key = keys[suit]
        now = profiles[suit]
        masks: dict[int, int] = {}
        for kind, step in STEPS[suit]:
            grown = table[key + step]
            if grown != now and counts[kind] < 4:
                masks[grown] = masks.get(grown, 0) | 1 << kind
        growths.append(list(masks.items()))
    answers: list[Discard] = []
    # Discards of one suit that leave the same profile accept the same kinds of the other three suits.
    shared: dict[tuple[int, int], int] = {}
    for missing, kind in found:
        suit = kind // 9
        table = HONOUR if suit == 3 else SUIT
        key = keys[suit] - KEY_STEP[kind]
        left = table[key]
        partner, third, fourth = suit ^ 1, suit ^ 2, suit ^ 3
        far = final[MERGE[profiles[third]][profiles[fourth]]]
        mask = shared.get((suit, left), -1)
        if mask < 0:
            mask = 0
            merge = MERGE[left]
            for grown, kinds in growths[partner]:
                if far[merge[grown]] < missing:
                    mask |= kinds
            near = final[merge[profiles[partner]]]
            merge = MERGE[profiles[fourth]]
            for grown, kinds in growths[third]:
                if near[merge[grown]] < missing:
                    mask |= kinds
            merge = MERGE[profiles[third]]
            for grown, kinds in growths[fourth]:
                if near[merge[grown]] < missing:
                    mask |= kinds
            shared[suit, left] = mask
        merge = MERGE[profiles[partner]]
        for own, step in STEPS[suit]:
            if far[merge[table[key + step]]] < missing and (counts[own] < 4 or own == kind):
                mask |= 1 << own
        answers.append((missing, kind, mask))
    return answers


def discards_by_distance(counts: Sequence[int], keys: Keys, sets: int) -> list[Discard]:
    """Every discard from a hand of 3 * sets + 2 tiles, least distance first, then in the order of kinds."""
    found = _with_accepting(discard_distances(counts, keys, sets), counts, keys, sets)
    found.sort()
    return found


def least_discards(counts: Sequence[int], keys: Keys, sets: int) -> list[Discard]:
    """Only the discards that leave the least distance, in the order of kinds: what a player chooses from."""
    found = discard_distances(counts, keys, sets)
    least = min(found)[0]
    return _with_accepting([item for item in found if item[0] == least], counts, keys, sets)
