"""What happened in a deal. Folding the events of a deal, in order, gives the deal back (`play.fold`).

Every event is immutable. A kind of -1 (HIDDEN) stands for a tile that a viewer may not see: only `views` writes it.
A pass, and a claim that lost to a better one, are no events.
"""

from typing import ClassVar, Final

from parlour_engine.melds import Meld
from parlour_engine.seats import Seat, Wind
from parlour_engine.tiles import Kind

HIDDEN: Final = -1

WALL: Final = 0
"""Drawn from the head of the wall."""
FLOWER_REPLACEMENT: Final = 1
GONG_REPLACEMENT: Final = 2
"""Drawn from the tail, for a flower or for a gong (lrc P7, P14)."""

MIXED_SET: Final = 0
FULL_SET: Final = 1
CONCEALED_GONG_PAID: Final = 2
WASHED: Final = 3
PAYMENT_REASONS: Final = ("mixed_set", "full_set", "concealed_gong", "washing")

BY_DISCARD: Final = 0
BY_SELF_DRAW: Final = 1
BY_ROBBED_GONG: Final = 2
BY_DEALT: Final = 3
"""The dealer's dealt hand was complete (Heavenly)."""
BY_FLOWERS: Final = 4
"""Seven or eight flowers."""
WIN_WAYS: Final = ("discard", "self_draw", "robbed_gong", "dealt", "flowers")


class Event:
    """The common base; match on the subclass."""

    __slots__: tuple[str, ...] = ()
    # Beside __slots__, since a class compiled by mypyc has none.
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def fields(self) -> tuple[object, ...]:
        """The event's values in the order in which its class takes them."""
        return tuple([getattr(self, name) for name in self.FIELDS])

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Event):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.fields()))

    def __repr__(self) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.FIELDS])
        return f"{type(self).__name__}({values})"


class DealStarted(Event):
    """The wall is broken and the tiles are dealt, before any flower is shown.

    `wall` is the whole wall in drawing order, head first (empty when hidden); `hands[seat]` the kinds dealt to each
    seat, sorted, flowers included: hand_size, the dealer one more (P5); HIDDEN where a viewer may not see them.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("dealer", "round_wind", "streak", "dice", "wall", "hands")
    __slots__ = ("dealer", "dice", "hands", "round_wind", "streak", "wall")

    def __init__(
        self,
        dealer: Seat,
        round_wind: Wind,
        streak: int,
        dice: tuple[int, ...],
        wall: tuple[Kind, ...],
        hands: tuple[tuple[Kind, ...], ...],
    ) -> None:
        self.dealer: Final[Seat] = dealer
        self.round_wind: Final[Wind] = round_wind
        self.streak: Final[int] = streak
        self.dice: Final[tuple[int, ...]] = dice
        self.wall: Final[tuple[Kind, ...]] = wall
        self.hands: Final[tuple[tuple[Kind, ...], ...]] = hands


class FlowersExposed(Event):
    """`seat` shows `kinds` (one batch, sorted); their replacements follow as draws (P6, P7)."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "kinds")
    __slots__ = ("kinds", "seat")

    def __init__(self, seat: Seat, kinds: tuple[Kind, ...]) -> None:
        self.seat: Final[Seat] = seat
        self.kinds: Final[tuple[Kind, ...]] = kinds


class Drew(Event):
    """`seat` takes a tile from `source` (WALL, FLOWER_REPLACEMENT or GONG_REPLACEMENT)."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "kind", "source")
    __slots__ = ("kind", "seat", "source")

    def __init__(self, seat: Seat, kind: Kind, source: int) -> None:
        self.seat: Final[Seat] = seat
        self.kind: Final[Kind] = kind
        self.source: Final[int] = source


class Called(Event):
    """`seat` declares itself ready; its discard is the next event (P23)."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)
    __slots__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        self.seat: Final[Seat] = seat


class Discarded(Event):
    """`seat` discards; `drawn` says whether the kind is the one just drawn (P26)."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "kind", "drawn")
    __slots__ = ("drawn", "kind", "seat")

    def __init__(self, seat: Seat, kind: Kind, drawn: bool) -> None:
        self.seat: Final[Seat] = seat
        self.kind: Final[Kind] = kind
        self.drawn: Final[bool] = drawn


class Melded(Event):
    """`seat` declares a set: a chow, pong or exposed gong by claim, or a concealed gong on its own turn."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "meld")
    __slots__ = ("meld", "seat")

    def __init__(self, seat: Seat, meld: Meld) -> None:
        self.seat: Final[Seat] = seat
        self.meld: Final[Meld] = meld


class Promoted(Event):
    """`seat` announces the fourth tile for its exposed pong; it may be robbed before the replacement (P15)."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "kind")
    __slots__ = ("kind", "seat")

    def __init__(self, seat: Seat, kind: Kind) -> None:
        self.seat: Final[Seat] = seat
        self.kind: Final[Kind] = kind


class Paid(Event):
    """An instant payment: `changes[seat]` points each, summing to zero (lrc 5; classical 5, washing);
    `reason` as above."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "reason", "changes")
    __slots__ = ("changes", "reason", "seat")

    def __init__(self, seat: Seat, reason: int, changes: tuple[int, int, int, int]) -> None:
        self.seat: Final[Seat] = seat
        self.reason: Final[int] = reason
        self.changes: Final[tuple[int, int, int, int]] = changes


class Won(Event):
    """`seat` wins; one event a winner, in the order of settlement (P16).

    `kind` is the winning tile (-1 for a dealt hand or flowers); `source` the discarder or gong declarer (-1 if none);
    `concealed` the winner's concealed kinds without the winning tile, sorted (all of them where `kind` is -1).
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "by", "kind", "source", "concealed")
    __slots__ = ("by", "concealed", "kind", "seat", "source")

    def __init__(self, seat: Seat, by: int, kind: Kind, source: Seat, concealed: tuple[Kind, ...]) -> None:
        self.seat: Final[Seat] = seat
        self.by: Final[int] = by
        self.kind: Final[Kind] = kind
        self.source: Final[Seat] = source
        self.concealed: Final[tuple[Kind, ...]] = concealed


class Exhausted(Event):
    """No live tile is left for the next draw: nobody wins (P9)."""

    __slots__ = ()


class HandShown(Event):
    """`seat` lays down its `concealed` kinds, sorted: after the winners' events each other seat, from the dealer on,
    where all hands are scored; and whoever washes, before that is told."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "concealed")
    __slots__ = ("concealed", "seat")

    def __init__(self, seat: Seat, concealed: tuple[Kind, ...]) -> None:
        self.seat: Final[Seat] = seat
        self.concealed: Final[tuple[Kind, ...]] = concealed


class WashingOpened(Event):
    """All tiles are dealt and the dealt flowers replaced: who holds enough different heads may wash now, before
    anybody's turn (classical 5). Told in every deal where washing is played, whatever anybody holds."""

    __slots__ = ()


class WashingClosed(Event):
    """Nobody washed or won with the dealt hand: it is the dealer's opening turn."""

    __slots__ = ()


class Washed(Event):
    """`seat` shows that it was dealt `heads` different heads and the deal ends without a winner; what the others pay is
    the next event."""

    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "heads")
    __slots__ = ("heads", "seat")

    def __init__(self, seat: Seat, heads: int) -> None:
        self.seat: Final[Seat] = seat
        self.heads: Final[int] = heads
