"""Dangerous discards (classical.md 7, Harr p. 67-70): when a discarder pays for all.

A hand is shown as dangerous by its declared sets: nine tiles of one suit, nine heads, two sets of dragons, three sets
of winds. Whoever discards the tile with which it wins as feared pays for everyone, unless he had good reason.
"""

from typing import TYPE_CHECKING, Final

from parlour_engine.melds import CHOW
from parlour_engine.scoring.reading import completing
from parlour_engine.scoring.record import DISCARD, SELF_DRAW, ScoringRecord
from parlour_engine.scoring.tally import score
from parlour_engine.tiles import FIRST_DRAGON, FIRST_WIND, KINDS, Kind, is_orphan

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

SHOWN: Final = 9
"""Tiles of one suit, or heads, that warn the table."""
HONOURS_HELD: Final = 2
"""A waiting hand with so many doubles may take the risk, or one that a tile would bring more."""

_SUITS: Final = (range(9), range(9, 18), range(18, 27))
_HEADS: Final = tuple(kind for kind in range(KINDS) if is_orphan(kind))
_WINDS: Final = range(FIRST_WIND, FIRST_DRAGON)
_DRAGONS: Final = range(FIRST_DRAGON, KINDS)


def is_penalised(ruleset: "Ruleset", winner: ScoringRecord, discarder: ScoringRecord) -> bool:
    """Whether `discarder`, a LOST record, pays for all; False where the ruleset has no such penalty.

    A robbed tile was not discarded.
    """
    if not ruleset.values.get("dangerous_discard", False) or winner.by != DISCARD:
        return False
    feared = dangerous_kinds(winner)
    if not feared:
        return False
    if all(kind in feared for kind, held in enumerate(discarder.counts) if held):
        # He had no other tile to discard.
        return False
    waiting = completing(ruleset.procedure, discarder)
    if not waiting:
        return True
    if score(ruleset, discarder).doubles >= HONOURS_HELD:
        return False
    return not any(
        score(ruleset, _with(discarder, kind)).doubles > HONOURS_HELD for kind in range(KINDS) if waiting >> kind & 1
    )


def dangerous_kinds(winner: ScoringRecord) -> frozenset[Kind]:
    """The kinds that the winner's declared sets warned of, if the hand won as was to be feared; else none."""
    tiles = winner.all_counts()
    shown = [0] * KINDS
    sets: set[Kind] = set()
    for meld in winner.melds:
        for kind in meld.tiles():
            tiles[kind] += 1
            shown[kind] += 1
        if meld.form != CHOW:
            sets.add(meld.kind)
    kinds: set[Kind] = set()
    held = sum(tiles)
    for suit in (*_SUITS, _HEADS):
        if sum([shown[kind] for kind in suit]) >= SHOWN and sum([tiles[kind] for kind in suit]) == held:
            kinds.update(suit)
    for family in (_WINDS, _DRAGONS):
        missing = [kind for kind in family if kind not in sets]
        # The one set that is still missing, made by the winning discard.
        if len(missing) == 1 and missing[0] == winner.win_tile and tiles[winner.win_tile] >= 3:
            kinds.add(winner.win_tile)
    return frozenset(kinds)


def _with(record: ScoringRecord, kind: Kind) -> ScoringRecord:
    """The hand as it would have won with one more tile."""
    return ScoringRecord(
        record.counts, record.melds, record.flowers, record.seat_wind, record.round_wind, kind, SELF_DRAW
    )
