"""What is known of a finished hand when it is scored: numbers only, no text.

A scoring request becomes one (see `request`), and so does a hand that won a deal (see the play half).
"""

from typing import Final

from parlour_engine.melds import Meld
from parlour_engine.seats import Wind
from parlour_engine.tiles import Kind

DISCARD: Final = 0
"""The win tile was claimed from a discard."""
SELF_DRAW: Final = 1
"""The win tile was drawn, from the wall or as a replacement."""
ROBBED_GONG: Final = 2
"""The win tile was robbed from an added gong (P15)."""
DEALT: Final = 3
"""East's opening tiles were complete (A-78)."""
FLOWERS: Final = 4
"""The flowers won by themselves (A-20 to A-23)."""
LOST: Final = 5
"""The hand did not win: its tiles at rest, in games that score all hands (classical 2)."""

WAYS: Final = ("discard", "self_draw", "robbed_gong", "dealt", "flowers")
"""The names of the five ways to win, in order."""

FAR: Final = 99
"""Tiles on the table where no early win is in question."""


class ScoringRecord:
    """One hand to score. Nothing in it is checked: `request` checks what people write, the play half
    hands over what it has itself brought about.

    `counts` has 34 numbers: the concealed tiles without the win tile, or all of them for DEALT, FLOWERS and LOST.
    `win_tile` is -1 for those three. `from_wind` is the wind of the seat that discarded or declared the robbed
    gong, else -1. `streak` is the dealer's run of wins before this hand, whoever won.
    """

    __slots__ = (
        "by",
        "called",
        "counts",
        "first_discard",
        "flowers",
        "from_wind",
        "gong_on_gong",
        "last_tile",
        "melds",
        "replacement",
        "round_wind",
        "seat_wind",
        "streak",
        "tiles_on_table",
        "win_tile",
    )

    def __init__(
        self,
        counts: list[int],
        melds: tuple[Meld, ...],
        flowers: tuple[Kind, ...],
        seat_wind: Wind,
        round_wind: Wind,
        win_tile: Kind,
        by: int,
        from_wind: Wind = -1,
        *,
        replacement: bool = False,
        last_tile: bool = False,
        first_discard: bool = False,
        gong_on_gong: bool = False,
        tiles_on_table: int = FAR,
        called: bool = False,
        streak: int = 0,
    ) -> None:
        self.counts: Final[list[int]] = counts
        self.melds: Final[tuple[Meld, ...]] = melds
        self.flowers: Final[tuple[Kind, ...]] = flowers
        self.seat_wind: Final[Wind] = seat_wind
        self.round_wind: Final[Wind] = round_wind
        self.win_tile: Final[Kind] = win_tile
        self.by: Final[int] = by
        self.from_wind: Final[Wind] = from_wind
        self.replacement: Final[bool] = replacement
        """SELF_DRAW: the tile replaced a flower or a gong."""
        self.last_tile: Final[bool] = last_tile
        """SELF_DRAW: it was the last tile of the live wall."""
        self.first_discard: Final[bool] = first_discard
        """DISCARD: it was East's first of the deal."""
        self.gong_on_gong: Final[bool] = gong_on_gong
        """SELF_DRAW: the replacement of the second of two self-drawn gongs in one turn (A-82)."""
        self.tiles_on_table: Final[int] = tiles_on_table
        """The table count of early wins, taken as given (A-75)."""
        self.called: Final[bool] = called
        self.streak: Final[int] = streak

    def all_counts(self) -> list[int]:
        """The concealed tiles with the win tile, as 34 numbers."""
        counts = self.counts.copy()
        if self.win_tile >= 0:
            counts[self.win_tile] += 1
        return counts
