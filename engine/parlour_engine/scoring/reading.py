"""The readings of a winning hand: every split of its tiles and every group that can hold the win tile."""

from typing import Final

from parlour_engine.melds import CHOW, CONCEALED_GONG, PONG
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.facts import EYES, FLOWER_WIN, NO_GROUP, STANDARD, UNFINISHED, HandFacts, SplitFacts
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.shapes import (
    NICO_NICO,
    PONG_CODE,
    partitions,
    special_partitions,
    suit_keys,
    waits,
)
from parlour_engine.tiles import KINDS, Kind

HOLDER_NAMES: Final = ("chow", "pong", "eyes")
"""Names of the groups that can hold the win tile."""


class Reading:
    """One way to read a winning hand. Its declared sets are the same in every reading and not repeated here.

    `form` is `standard`, a special hand, `flowers` or `unfinished`; `chows` (lowest tiles) and `pongs` are the sets in
    hand; `eyes` the pair, -1 for a flower win and an unfinished hand, and in Nico Nico the pair that the win tile made,
    if it made one. `holder` says which of them took the win tile: CHOW, PONG or EYES with `holder_kind`, NO_GROUP where
    none did.
    """

    __slots__ = ("chows", "eyes", "form", "holder", "holder_kind", "pongs")

    def __init__(self, split: SplitFacts | None, holder: int = NO_GROUP, holder_kind: Kind = -1) -> None:
        """`split` is None for a flower win, which reads no tiles."""
        self.form: Final[str] = split.form if split is not None else FLOWER_WIN
        self.chows: Final[tuple[Kind, ...]] = split.hand_chows if split is not None else ()
        self.pongs: Final[tuple[Kind, ...]] = split.hand_pongs if split is not None else ()
        self.eyes: Final[Kind] = split.eyes if split is not None else -1
        self.holder: Final[int] = holder
        self.holder_kind: Final[Kind] = holder_kind

    def key(self) -> tuple[str, tuple[Kind, ...], tuple[Kind, ...], Kind, int, Kind]:
        """Orders readings without regard to how they were found; different readings have different keys."""
        return (self.form, self.chows, self.pongs, self.eyes, self.holder, self.holder_kind)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        holder = "none" if self.holder == NO_GROUP else f"{HOLDER_NAMES[self.holder]} {self.holder_kind}"
        return f"Reading({self.form}, chows={self.chows}, pongs={self.pongs}, eyes={self.eyes}, holder={holder})"


def splits(hand: HandFacts, sets: int, forms: tuple[str, ...]) -> list[SplitFacts]:
    """Every split into sets and eyes, then every special hand among `forms`; none if the tiles do not win."""
    counts = hand.counts
    melds = len(hand.record.melds)
    found: list[SplitFacts] = []
    for eyes, codes in partitions(counts, sets - melds):
        chows = tuple([code for code in codes if code < PONG_CODE])
        pongs = tuple([code - PONG_CODE for code in codes if code >= PONG_CODE])
        found.append(SplitFacts(hand, STANDARD, chows, pongs, eyes))
    if not forms:
        return found
    for form, eyes, code in special_partitions(counts, melds, hand.concealed_gongs, sets):
        if form not in forms:
            continue
        chows = (code,) if 0 <= code < PONG_CODE else ()
        pongs = (code - PONG_CODE,) if code >= PONG_CODE else ()
        if form == NICO_NICO:
            found.append(SplitFacts(hand, form, chows, pongs, _pair_made(hand), counts.count(4)))
        else:
            found.append(SplitFacts(hand, form, chows, pongs, eyes))
    return found


def unfinished(hand: HandFacts) -> SplitFacts:
    """A hand that did not win, as it is scored: every kind held three times or more is a pong (classical A-7)."""
    pongs = tuple([kind for kind, held in enumerate(hand.counts) if held >= 3])
    return SplitFacts(hand, UNFINISHED, (), pongs, -1)


def completing(procedure: Procedure, record: ScoringRecord) -> int:
    """Bit `kind` for each kind that completes the hand of `record` without its win tile (A-74; classical A-5)."""
    declared = [0] * KINDS
    concealed_gongs = 0
    for meld in record.melds:
        concealed_gongs += meld.form == CONCEALED_GONG
        for kind in meld.tiles():
            declared[kind] += 1
    melds = len(record.melds)
    counts = record.counts
    return waits(counts, suit_keys(counts), procedure.sets - melds, melds, concealed_gongs, declared, procedure.forms)


def _pair_made(hand: HandFacts) -> Kind:
    """In Nico Nico: the kind whose first or second pair the win tile completed, -1 if it made the pong (A-59)."""
    tile = hand.record.win_tile
    return tile if tile >= 0 and hand.counts[tile] in (2, 4) else -1


def holders(split: SplitFacts) -> list[tuple[int, Kind]]:
    """Each distinct group in hand that can have taken the win tile (A-3); one NO_GROUP where none is asked for."""
    tile = split.hand.record.win_tile
    if tile < 0 or split.form != STANDARD:
        return [(NO_GROUP, -1)]
    found: list[tuple[int, Kind]] = []
    last = -1
    for kind in split.hand_chows:
        if kind <= tile <= kind + 2 and kind != last:
            found.append((CHOW, kind))
            last = kind
    if tile in split.hand_pongs:
        found.append((PONG, tile))
    if tile == split.eyes:
        found.append((EYES, tile))
    return found
