"""Dangerous discards (classical 5, Harr p. 67-70): when a discarder pays for all.

A hand is shown as dangerous by its declared sets: nine tiles of one suit, nine heads, two sets of dragons, three sets
of winds. Whoever discards the tile with which it wins as feared pays for everyone, unless he had good reason.
"""

from typing import TYPE_CHECKING, Final

from attrs import frozen

from parlour_engine.melds import CHOW
from parlour_engine.scoring.reading import completing
from parlour_engine.scoring.record import DISCARD, SELF_DRAW, ScoringRecord
from parlour_engine.scoring.tally import score
from parlour_engine.seats import Wind
from parlour_engine.tiles import FIRST_DRAGON, FIRST_WIND, KINDS, Kind, is_orphan

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

SHOWN: Final = 9
"""Tiles of one suit, or heads, that warn the table."""
HONOURS_HELD: Final = 2
"""A waiting hand with so many doubles may take the risk, or one that a tile would bring more."""

SUIT: Final = "suit"
HEADS: Final = "heads"
DRAGONS: Final = "dragons"
WINDS: Final = "winds"
"""What a winner may have shown: nine tiles of one suit, nine heads, all sets of dragons or of winds but one."""
NO_OTHER_TILE: Final = "no_other_tile"
"""Whatever the discarder held was as dangerous."""
TWO_DOUBLES: Final = "two_doubles"
"""He was waiting, with so many doubles already."""
MORE_DOUBLES: Final = "more_doubles"
"""He was waiting for a tile that would have made more of them."""

_ALIKE: Final = (
    (SUIT, range(9)),
    (SUIT, range(9, 18)),
    (SUIT, range(18, 27)),
    (HEADS, tuple(kind for kind in range(KINDS) if is_orphan(kind))),
)
_FAMILIES: Final = ((DRAGONS, range(FIRST_DRAGON, KINDS)), (WINDS, range(FIRST_WIND, FIRST_DRAGON)))


@frozen
class Danger:
    """A discard that the winner's declared sets had warned of: by `shown`, one or more of the four words above.

    `judged` where the discarder's hand is known; then `excuse` says why he does not pay for all, empty where he does.
    """

    discarder: Wind
    shown: tuple[str, ...]
    judged: bool
    excuse: str = ""

    @property
    def penalised(self) -> bool:
        """Whether the discarder pays for all."""
        return self.judged and not self.excuse


def in_question(ruleset: "Ruleset", winner: ScoringRecord) -> bool:
    """Whether a win may have been one by a dangerous discard, whatever was shown. A robbed tile was not discarded."""
    return bool(ruleset.values.get("dangerous_discard", False)) and winner.by == DISCARD


def danger(ruleset: "Ruleset", winner: ScoringRecord, discarder: ScoringRecord | None) -> Danger | None:
    """The danger of the discard that `winner` won with, None where there was none or the ruleset has no such penalty.
    `discarder` is a LOST record, None where it is not known."""
    if not in_question(ruleset, winner):
        return None
    found = warnings(winner)
    if not found:
        return None
    shown = tuple(found)
    if discarder is None:
        return Danger(winner.from_wind, shown, judged=False)
    feared = frozenset[Kind]().union(*found.values())
    return Danger(winner.from_wind, shown, judged=True, excuse=_excuse(ruleset, discarder, feared))


def _excuse(ruleset: "Ruleset", discarder: ScoringRecord, feared: frozenset[Kind]) -> str:
    if all(kind in feared for kind, held in enumerate(discarder.counts) if held):
        return NO_OTHER_TILE
    waiting = completing(ruleset.procedure, discarder)
    if not waiting:
        return ""
    if score(ruleset, discarder).doubles >= HONOURS_HELD:
        return TWO_DOUBLES
    tiles = [kind for kind in range(KINDS) if waiting >> kind & 1]
    if any(score(ruleset, _with(discarder, kind)).doubles > HONOURS_HELD for kind in tiles):
        return MORE_DOUBLES
    return ""


def warnings(winner: ScoringRecord) -> dict[str, frozenset[Kind]]:
    """What the winner's declared sets warned of (the words above), if the hand won as was to be feared, and the kinds
    that each of them made dangerous."""
    tiles = winner.all_counts()
    shown = [0] * KINDS
    sets: set[Kind] = set()
    for meld in winner.melds:
        for kind in meld.tiles():
            tiles[kind] += 1
            shown[kind] += 1
        if meld.form != CHOW:
            sets.add(meld.kind)
    found: dict[str, frozenset[Kind]] = {}
    held = sum(tiles)
    for word, kinds in _ALIKE:
        if sum([shown[kind] for kind in kinds]) >= SHOWN and sum([tiles[kind] for kind in kinds]) == held:
            found[word] = frozenset(kinds)
    for word, family in _FAMILIES:
        missing = [kind for kind in family if kind not in sets]
        # The one set that is still missing, made by the winning discard.
        if len(missing) == 1 and missing[0] == winner.win_tile and tiles[winner.win_tile] >= 3:
            found[word] = frozenset(missing)
    return found


def _with(record: ScoringRecord, kind: Kind) -> ScoringRecord:
    """The hand as it would have won with one more tile."""
    return ScoringRecord(
        record.counts, record.melds, record.flowers, record.seat_wind, record.round_wind, kind, SELF_DRAW
    )
