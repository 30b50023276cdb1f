"""Declared sets."""

from typing import Final

from parlour_engine.seats import Seat
from parlour_engine.tiles import Kind

CHOW: Final = 0
PONG: Final = 1
EXPOSED_GONG: Final = 2
"""A gong made by claiming a discard with three in hand."""
PROMOTED_GONG: Final = 3
"""A gong made by adding the fourth tile to one's own exposed pong."""
CONCEALED_GONG: Final = 4
"""A gong of four tiles in hand; its kind is public (lrc 1, classical 6)."""

MELD_NAMES: Final = ("chow", "pong", "exposed_gong", "promoted_gong", "concealed_gong")


class Meld:
    """One declared set, never changed once made.

    `form` is one of the five constants above; `kind` the tile, the lowest one of a chow; `claimed` the kind that was
    claimed (-1 for a concealed gong); `source` the seat it came from (-1 if none or unknown).
    """

    __slots__ = ("claimed", "form", "kind", "source")

    def __init__(self, form: int, kind: Kind, claimed: Kind = -1, source: Seat = -1) -> None:
        self.form: Final[int] = form
        self.kind: Final[Kind] = kind
        self.claimed: Final[Kind] = claimed
        self.source: Final[Seat] = source

    def tiles(self) -> tuple[Kind, ...]:
        """The three or four kinds of the set, lowest first."""
        kind = self.kind
        if self.form == CHOW:
            return (kind, kind + 1, kind + 2)
        return (kind,) * (3 if self.form == PONG else 4)

    def is_gong(self) -> bool:
        """True for the three forms of four tiles."""
        return self.form >= EXPOSED_GONG

    def promoted(self) -> "Meld":
        """This pong with its fourth tile added; whose tile was claimed stays known."""
        return Meld(PROMOTED_GONG, self.kind, self.claimed, self.source)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Meld)
            and self.form == other.form
            and self.kind == other.kind
            and self.claimed == other.claimed
            and self.source == other.source
        )

    def __hash__(self) -> int:
        return hash((self.form, self.kind, self.claimed, self.source))

    def __repr__(self) -> str:
        return f"Meld({MELD_NAMES[self.form]}, kind={self.kind}, claimed={self.claimed}, source={self.source})"
