"""What is true of a winning hand, worked out once, at the three depths at which it can change.

A hand has one `HandFacts`; each split of its tiles into groups adds one `SplitFacts`; each group that can hold
the win tile adds one `ReadingFacts`. Patterns ask these and nothing else, so a row costs what its depth costs.
All three are filled when made and never changed.
"""

from typing import Final

from parlour_engine.melds import CHOW, CONCEALED_GONG, PONG
from parlour_engine.scoring.record import DEALT, DISCARD, ROBBED_GONG, SELF_DRAW, ScoringRecord
from parlour_engine.tiles import FIRST_DRAGON, FIRST_WIND, KINDS, Kind, flower_number

STANDARD: Final = "standard"
"""Sets and eyes."""
FLOWER_WIN: Final = "flowers"
"""Seven or eight flowers, whatever the tiles."""
UNFINISHED: Final = "unfinished"
"""A hand that did not win, where all hands are scored."""

NO_GROUP: Final = -1
"""No group holds the win tile: dealt hands, flower wins and special hands."""
EYES: Final = 2
"""The holder is the eyes; CHOW (0) and PONG (1) name the others."""


class HandFacts:
    """Facts that no way of reading the tiles can change."""

    __slots__ = (
        "claimed",
        "concealed",
        "concealed_gongs",
        "counts",
        "dragons",
        "exposed",
        "honours",
        "meld_chows",
        "meld_pongs",
        "open_gongs",
        "quads",
        "record",
        "seat_flowers",
        "suit_count",
        "suits",
        "tiles",
        "waits",
        "wall_drawn",
        "winds",
    )

    def __init__(self, record: ScoringRecord, counts: list[int], waits: int, sets: int) -> None:
        """`counts` are the concealed tiles with the win tile; `waits` how many kinds completed the hand
        before it (0 if nobody asks); `sets` how many sets a complete hand has."""
        self.record: Final[ScoringRecord] = record
        self.counts: Final[list[int]] = counts
        self.waits: Final[int] = waits
        tiles = counts.copy()
        chows: list[Kind] = []
        pongs: list[Kind] = []
        exposed_sets = open_gongs = concealed_gongs = 0
        for meld in record.melds:
            kind = meld.kind
            if meld.form == CHOW:
                chows.append(kind)
                tiles[kind] += 1
                tiles[kind + 1] += 1
                tiles[kind + 2] += 1
                exposed_sets += 1
            else:
                pongs.append(kind)
                tiles[kind] += 3
                if meld.form == PONG:
                    exposed_sets += 1
                elif meld.form == CONCEALED_GONG:
                    concealed_gongs += 1
                else:
                    open_gongs += 1
        self.tiles: Final[list[int]] = tiles
        """All tiles by kind, a gong as three: enough for every question about which kinds are there."""
        self.meld_chows: Final[list[Kind]] = chows
        self.meld_pongs: Final[list[Kind]] = pongs
        """Declared pongs and gongs (A-4)."""
        self.open_gongs: Final[int] = open_gongs
        self.concealed_gongs: Final[int] = concealed_gongs
        suits = (any(tiles[0:9]), any(tiles[9:18]), any(tiles[18:27]))
        self.suits: Final[tuple[bool, bool, bool]] = suits
        """Whether there are characters, circles and bamboo."""
        self.suit_count: Final[int] = suits[0] + suits[1] + suits[2]
        self.quads: Final[list[Kind]] = [kind for kind in range(27) if tiles[kind] == 4]
        """Numbered kinds of which all four copies are there, and not in a gong (A-50)."""
        self.winds: Final[bool] = any(tiles[FIRST_WIND:FIRST_DRAGON])
        self.dragons: Final[bool] = any(tiles[FIRST_DRAGON:KINDS])
        self.honours: Final[bool] = self.winds or self.dragons
        by = record.by
        self.claimed: Final[bool] = by in (DISCARD, ROBBED_GONG)
        """A robbed tile is claimed from the gong's declarer (A-81)."""
        self.wall_drawn: Final[bool] = by in (SELF_DRAW, DEALT)
        exposed = concealed_gongs == 0 and len(record.melds) == sets
        self.exposed: Final[bool] = exposed
        """Only the eyes were still in hand (H-4, A-71)."""
        self.concealed: Final[bool] = exposed_sets == 0 and not exposed
        """No exposed chow or pong; gongs do not matter (A-7)."""
        number = record.seat_wind + 1
        self.seat_flowers: Final[int] = sum(flower_number(flower) == number for flower in record.flowers)


class SplitFacts:
    """Facts of one split of the tiles into sets and eyes, or of one special hand.

    A special hand has no chows, and its only pong is the one it is made with (A-58, A-62).
    """

    __slots__ = (
        "chow_at",
        "chows",
        "dragon_pongs",
        "eyes",
        "form",
        "fours",
        "hand",
        "hand_chows",
        "hand_pongs",
        "pongs",
        "wind_pongs",
    )

    def __init__(
        self,
        hand: HandFacts,
        form: str,
        hand_chows: tuple[Kind, ...],
        hand_pongs: tuple[Kind, ...],
        eyes: Kind,
        fours: int = 0,
    ) -> None:
        """`eyes` is -1 where no pair is one; `fours` the kinds of which a special hand holds all four."""
        self.hand: Final[HandFacts] = hand
        self.form: Final[str] = form
        self.hand_chows: Final[tuple[Kind, ...]] = hand_chows
        self.hand_pongs: Final[tuple[Kind, ...]] = hand_pongs
        self.eyes: Final[Kind] = eyes
        self.fours: Final[int] = fours
        chows = [*hand.meld_chows, *hand_chows]
        pongs = [*hand.meld_pongs, *hand_pongs]
        self.chows: Final[list[Kind]] = chows
        """The lowest tile of every chow, declared and in hand."""
        self.pongs: Final[list[Kind]] = pongs
        """The kind of every pong and gong, declared and in hand (A-4)."""
        chow_at = [0] * 27
        for kind in chows:
            chow_at[kind] += 1
        self.chow_at: Final[list[int]] = chow_at
        """How many chows begin at each numbered kind."""
        winds = dragons = 0
        for kind in pongs:
            if kind >= FIRST_DRAGON:
                dragons += 1
            elif kind >= FIRST_WIND:
                winds += 1
        self.wind_pongs: Final[int] = winds
        self.dragon_pongs: Final[int] = dragons


class ReadingFacts:
    """Facts that depend on which group in hand took the win tile (A-3)."""

    __slots__ = ("exposed_chow", "holder", "holder_kind", "split")

    def __init__(self, split: SplitFacts, holder: int, holder_kind: Kind) -> None:
        """`holder` is CHOW, PONG, EYES or NO_GROUP, `holder_kind` that group's lowest tile."""
        self.split: Final[SplitFacts] = split
        self.holder: Final[int] = holder
        self.holder_kind: Final[Kind] = holder_kind
        self.exposed_chow: Final[Kind] = holder_kind if holder == CHOW and split.hand.claimed else -1
        """The chow that a claimed tile finished, which is not concealed (A-6); -1 if none."""
