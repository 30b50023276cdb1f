"""What the table is waiting for. A phase is a type that carries just what its situation has.

A gong or a flower and the draw that replaces it belong to one step; between their events a deal keeps the phase
`Discarding` of the seat that is owed the tile.
"""

from typing import Final

from parlour_engine.moves import Move
from parlour_engine.seats import Seat
from parlour_engine.tiles import Kind


class Discarding:
    """`seat` is on turn with a full hand: it wins, gongs or discards.

    `drawn` is the kind it just drew (-1 after a claim and on the dealer's opening turn, P26); `source` how it was drawn
    (an `events` constant; -1 without a draw); `claimed` the kind it just claimed by chow or pong (-1 if none);
    `opening` True on the dealer's opening turn before any gong; `last_live` True where the tile just drawn was the last
    live one; `own_gongs` self-drawn gongs in this turn so far, each after the first using the tile drawn for the one
    before (A-82).
    """

    __slots__ = ("claimed", "drawn", "last_live", "opening", "own_gongs", "seat", "source")

    def __init__(
        self,
        seat: Seat,
        drawn: Kind = -1,
        source: int = -1,
        claimed: Kind = -1,
        opening: bool = False,
        last_live: bool = False,
        own_gongs: int = 0,
    ) -> None:
        self.seat: Final[Seat] = seat
        self.drawn: Final[Kind] = drawn
        self.source: Final[int] = source
        self.claimed: Final[Kind] = claimed
        self.opening: Final[bool] = opening
        self.last_live: Final[bool] = last_live
        self.own_gongs: Final[int] = own_gongs


class Claiming:
    """`seat` discarded `kind`; `options[other]` are the legal answers of each other seat (empty: nothing to choose).

    `winners` is the mask (bit `other`) of the seats that may win. `answers[other]` is None until it answers. Answers
    are secret and no part of the folded state.
    """

    __slots__ = ("answers", "kind", "options", "seat", "winners")

    def __init__(self, seat: Seat, kind: Kind, options: list[tuple[Move, ...]], winners: int = 0) -> None:
        self.seat: Final[Seat] = seat
        self.kind: Final[Kind] = kind
        self.options: Final[list[tuple[Move, ...]]] = options
        self.winners: Final[int] = winners
        self.answers: Final[list[Move | None]] = [None, None, None, None]


class Robbing:
    """`seat` announced the fourth `kind` for its pong; the others may win on it or pass. Fields as in Claiming.

    Until the window closes the tile is neither in the hand nor in the set, which is still a pong.
    """

    __slots__ = ("answers", "kind", "options", "own_gongs", "seat", "winners")

    def __init__(
        self, seat: Seat, kind: Kind, options: list[tuple[Move, ...]], own_gongs: int, winners: int = 0
    ) -> None:
        self.seat: Final[Seat] = seat
        self.kind: Final[Kind] = kind
        self.options: Final[list[tuple[Move, ...]]] = options
        self.own_gongs: Final[int] = own_gongs
        self.winners: Final[int] = winners
        self.answers: Final[list[Move | None]] = [None, None, None, None]


class Washing:
    """Before the opening turn of the dealer, `seat`: whoever was dealt enough different heads may wash, and the dealer
    may win with a complete hand (classical 5). Fields as in Claiming."""

    __slots__ = ("answers", "options", "seat", "winners")

    def __init__(self, seat: Seat, options: list[tuple[Move, ...]], winners: int = 0) -> None:
        self.seat: Final[Seat] = seat
        self.options: Final[list[tuple[Move, ...]]] = options
        self.winners: Final[int] = winners
        self.answers: Final[list[Move | None]] = [None, None, None, None]


class Over:
    """The deal has ended; `winners` in order of settlement, empty when the wall ran out or the tiles were washed."""

    __slots__ = ("winners",)

    def __init__(self, winners: tuple[Seat, ...]) -> None:
        self.winners: Final[tuple[Seat, ...]] = winners


Phase = Discarding | Claiming | Robbing | Washing | Over
