"""The tiles that win: lrc 1, "Waits", in every reading."""

from collections.abc import Sequence

from parlour_engine.shapes.special import (
    NICO_NICO,
    SIXTEEN_ORPHANS,
    THIRTEEN_ORPHANS,
    special_distance,
)
from parlour_engine.shapes.tables import FINAL, HONOUR, MERGE, STEPS, SUIT, Keys
from parlour_engine.tiles import KINDS

_SIX_HONOURS = 3906
"""The least key of six different honours."""


def waits(
    counts: Sequence[int],
    keys: Keys,
    sets: int,
    melds: int,
    concealed_gongs: int,
    declared: Sequence[int],
    forms: tuple[str, ...],
) -> int:
    """The mask (bit `kind`) of the kinds that complete a hand of 3 * sets + 1 tiles in any reading; 0 when not ready.

    `counts` and `keys` describe the concealed tiles, `melds` and `concealed_gongs` number the declared sets, `declared`
    counts the tiles in them by kind, `forms` names the special hands that are played. A kind of which the player holds
    all four copies, declared sets included, is skipped (lrc 1, A-74).
    """
    k0, k1, k2, k3 = keys
    a, b, c, d = SUIT[k0], SUIT[k1], SUIT[k2], HONOUR[k3]
    final = FINAL[sets]
    left, right = MERGE[a][b], MERGE[c][d]
    mask = 0
    if final[left][right] == 1 and sum(counts) == 3 * sets + 1:
        # Sets come in threes, so the winning tile goes to a suit whose number of tiles is no multiple of three.
        row = final[right]
        if sum(counts[:9]) % 3:
            merge = MERGE[b]
            for kind, step in STEPS[0]:
                if not row[merge[SUIT[k0 + step]]] and counts[kind] < 4:
                    mask |= 1 << kind
        if sum(counts[9:18]) % 3:
            merge = MERGE[a]
            for kind, step in STEPS[1]:
                if not row[merge[SUIT[k1 + step]]] and counts[kind] < 4:
                    mask |= 1 << kind
        row = final[left]
        if sum(counts[18:27]) % 3:
            merge = MERGE[d]
            for kind, step in STEPS[2]:
                if not row[merge[SUIT[k2 + step]]] and counts[kind] < 4:
                    mask |= 1 << kind
        if sum(counts[27:]) % 3:
            merge = MERGE[c]
            for kind, step in STEPS[3]:
                if not row[merge[HONOUR[k3 + step]]] and counts[kind] < 4:
                    mask |= 1 << kind
    if forms and melds <= concealed_gongs and melds < 2:
        # Cheap gates first: nearly every hand fails them.
        if melds == 0 and NICO_NICO in forms and counts.count(1) < 2:
            mask |= _special_waits(NICO_NICO, counts, sets, melds, concealed_gongs)
        if k3 >= _SIX_HONOURS and counts[27:34].count(0) < 2:
            if THIRTEEN_ORPHANS in forms:
                mask |= _special_waits(THIRTEEN_ORPHANS, counts, sets, melds, concealed_gongs)
            if melds == 0 and SIXTEEN_ORPHANS in forms:
                mask |= _special_waits(SIXTEEN_ORPHANS, counts, sets, melds, concealed_gongs)
    if mask and melds:
        for kind in range(KINDS):
            if declared[kind] and counts[kind] + declared[kind] >= 4:
                mask &= ~(1 << kind)
    return mask


def _special_waits(form: str, counts: Sequence[int], sets: int, melds: int, concealed_gongs: int) -> int:
    every = sets + melds
    if special_distance(form, counts, melds, concealed_gongs, every) != 1 or sum(counts) != 3 * sets + 1:
        return 0
    mask = 0
    tiles = list(counts)
    for kind in range(KINDS):
        if tiles[kind] < 4:
            tiles[kind] += 1
            if special_distance(form, tiles, melds, concealed_gongs, every) == 0:
                mask |= 1 << kind
            tiles[kind] -= 1
    return mask
