"""The special hands: Nico Nico, Thirteen Orphans, Sixteen Orphans (lrc SH-1, SH-2, SH-3, A-57 to A-63), single heads
(classical 5), which are Thirteen Orphans where a hand has four sets.

A ruleset names the forms it knows; nothing here asks which ruleset that is. Each form is answered as a yes or no, as a
distance and as its readings. Counts are those of the concealed tiles; declared sets come in as two numbers, how many
there are and how many of them are concealed gongs. `sets` is how many a complete hand of the game has, declared ones
included: with five Thirteen Orphans have an extra set, with four there is none and the two other forms cannot be.
"""

from collections.abc import Sequence
from typing import Final

from parlour_engine.shapes.splits import PONG_CODE
from parlour_engine.tiles import FIRST_WIND, KINDS, Kind, is_orphan

NICO_NICO: Final = "nico_nico"
THIRTEEN_ORPHANS: Final = "thirteen_orphans"
SIXTEEN_ORPHANS: Final = "sixteen_orphans"
FORMS: Final[tuple[str, ...]] = (NICO_NICO, THIRTEEN_ORPHANS, SIXTEEN_ORPHANS)
"""The names of all special forms."""

OUT_OF_REACH: Final = 99
"""The distance of a form that the declared sets rule out."""

ORPHANS: Final[tuple[Kind, ...]] = tuple(kind for kind in range(KINDS) if is_orphan(kind))
"""The thirteen orphan kinds."""
SPACED: Final[tuple[tuple[int, int, int], ...]] = tuple(
    (low, middle, high) for low in range(9) for middle in range(low + 3, 9) for high in range(middle + 3, 9)
)
"""The ten choices of three rank indices at least three apart (A-63)."""
_SETS: Final = 5
"""Of a hand of 17 tiles."""
_CHOW_STARTS: Final[tuple[Kind, ...]] = tuple(kind for kind in range(27) if kind % 9 < 7)

SpecialPartition = tuple[str, Kind, int]
"""Form, kind of the eyes (-1 in Nico Nico, which has no one pair), group code of the pong of Nico Nico or of the extra
set of Thirteen Orphans (-1 where there is none in hand: Sixteen Orphans, or the extra set is a declared gong, or a hand
has four sets)."""


def _extra_set_declared(melds: int, concealed_gongs: int) -> bool:
    """True when the extra set of Thirteen Orphans is the one declared set, a concealed gong (A-61)."""
    return melds == 1 and concealed_gongs == 1


def special_forms(counts: Sequence[int], melds: int, concealed_gongs: int, sets: int = _SETS) -> tuple[str, ...]:
    """The forms that a complete hand satisfies, in the order of `FORMS`; the winning tile is among `counts`."""
    if melds and not _extra_set_declared(melds, concealed_gongs):
        return ()
    # Each gate is a necessary condition that nearly every hand fails; of the thirteen orphans the pair and the extra
    # set, where there is one, leave at least eleven single.
    singles = counts.count(1)
    nico = not singles and not melds
    orphans = singles > 10 and 0 not in counts[FIRST_WIND:]
    if not (nico or orphans) or sum(counts) != 3 * (sets - melds) + 2:
        return ()
    forms = FORMS[:1] if nico else FORMS[1:]
    return tuple([form for form in forms if special_distance(form, counts, melds, concealed_gongs, sets) == 0])


def special_distance(form: str, counts: Sequence[int], melds: int, concealed_gongs: int, sets: int = _SETS) -> int:
    """Tiles missing to `form`: 0 complete, 1 ready, `OUT_OF_REACH` where the declared sets or `sets` rule it out.

    As with the standard shape only the concealed tiles are looked at. Raises ValueError for a name not in `FORMS`.
    """
    if form == NICO_NICO:
        return OUT_OF_REACH if melds or sets != _SETS else _nico_nico(counts)
    if form == THIRTEEN_ORPHANS:
        if sets != _SETS:
            return OUT_OF_REACH if melds or sets != _SETS - 1 else _thirteen_alone(counts)
        if melds == 0:
            return _thirteen_orphans(counts)
        return _thirteen_alone(counts) if _extra_set_declared(melds, concealed_gongs) else OUT_OF_REACH
    if form == SIXTEEN_ORPHANS:
        return OUT_OF_REACH if melds or sets != _SETS else _sixteen_orphans(counts)
    raise ValueError(f"no special form is called {form!r}; there are {', '.join(FORMS)}")


def _nico_nico(counts: Sequence[int]) -> int:
    # A kind held n times offers its first pair min(n, 2) tiles and its second n - 2; the seven best pairs beside the
    # pong are taken, and a pong of k tiles takes the pairs of its own kind out of the offer.
    held = [0, 0, 0, 0, 0]
    for n in counts:
        held[n] += 1
    whole = held[2] + held[3] + 2 * held[4]
    half = held[1] + held[3]
    best = 0
    for n in range(5):
        if held[n]:
            twos = whole - (0, 0, 1, 1, 2)[n]
            ones = half - (0, 1, 0, 1, 0)[n]
            full = min(7, twos)
            best = max(best, min(3, n) + 2 * full + min(7 - full, ones))
    return 17 - best


def _thirteen_alone(counts: Sequence[int]) -> int:
    """Missing to the thirteen kinds and their pair, without any further set."""
    kinds = 0
    pair = 0
    for kind in ORPHANS:
        n = counts[kind]
        if n:
            kinds += 1
            if n > 1:
                pair = 1
    return 14 - kinds - pair


def _thirteen_orphans(counts: Sequence[int]) -> int:
    rest = list(counts)
    kinds = 0
    for kind in ORPHANS:
        if rest[kind]:
            kinds += 1
            rest[kind] -= 1
    # Orphans left over: each may be the doubled one unless the extra set needs it.
    spare = sum([rest[kind] for kind in ORPHANS])
    best = 0
    for kind in range(KINDS):
        held = min(3, rest[kind])
        if held:
            used = held if is_orphan(kind) else 0
            best = max(best, held + (1 if spare > used else 0))
    for kind in _CHOW_STARTS:
        low, middle, high = rest[kind] > 0, rest[kind + 1] > 0, rest[kind + 2] > 0
        held = low + middle + high
        if held:
            used = (1 if low and kind % 9 == 0 else 0) + (1 if high and kind % 9 == 6 else 0)
            best = max(best, held + (1 if spare > used else 0))
    return 17 - kinds - best


def _sixteen_orphans(counts: Sequence[int]) -> int:
    held = 0
    pair = False
    for kind in range(FIRST_WIND, KINDS):
        n = counts[kind]
        if n:
            held += 1
            if n > 1:
                pair = True
    for first in (0, 9, 18):
        best = 0
        doubled = False
        for low, middle, high in SPACED:
            x, y, z = counts[first + low], counts[first + middle], counts[first + high]
            here = (1 if x else 0) + (1 if y else 0) + (1 if z else 0)
            double = x > 1 or y > 1 or z > 1
            if here > best:
                best, doubled = here, double
            elif here == best and double:
                doubled = True
        held += best
        # A pair bought with a kind fewer gains nothing.
        pair = pair or doubled
    return 17 - held - (1 if pair else 0)


def special_partitions(
    counts: Sequence[int], melds: int, concealed_gongs: int, sets: int = _SETS
) -> list[SpecialPartition]:
    """Every reading of a complete hand as one of `FORMS`, in the order of `FORMS`, then of eyes, then of groups."""
    found: list[SpecialPartition] = []
    for form in special_forms(counts, melds, concealed_gongs, sets):
        if form == NICO_NICO:
            found.append((form, -1, PONG_CODE + [n & 1 for n in counts].index(1)))
        elif form == SIXTEEN_ORPHANS:
            found.append((form, list(counts).index(2), -1))
        else:
            rest = list(counts)
            for kind in ORPHANS:
                rest[kind] -= 1
            for eyes in ORPHANS:
                if rest[eyes]:
                    rest[eyes] -= 1
                    if melds or sets != _SETS:
                        found.append((form, eyes, -1))
                    else:
                        low = next(kind for kind in range(KINDS) if rest[kind])
                        if rest[low] == 3:
                            found.append((form, eyes, PONG_CODE + low))
                        elif low in _CHOW_STARTS and rest[low] == rest[low + 1] == rest[low + 2] == 1:
                            found.append((form, eyes, low))
                    rest[eyes] += 1
    return found
