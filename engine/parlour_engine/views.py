"""The one place that hides: what a seat or a watcher may know, built from nothing.

A view starts empty and gets what is public (classical 6; lrc 7) and what its viewer holds;
nothing is taken away from the full state, so what nobody thought of stays hidden.
"""

from typing import ClassVar, Final

from parlour_engine.deal import Deal
from parlour_engine.events import HIDDEN, DealStarted, Drew, Event, Won
from parlour_engine.legal import legal_moves
from parlour_engine.melds import Meld
from parlour_engine.moves import Move
from parlour_engine.phases import Claiming, Discarding, Over, Robbing, Washing
from parlour_engine.seats import SEATS, Seat, Wind, seat_wind
from parlour_engine.tiles import KINDS, Kind

DISCARDING: Final = "discarding"
CLAIMING: Final = "claiming"
ROBBING: Final = "robbing"
WASHING: Final = "washing"
OVER: Final = "over"


class _Seen:
    """Equal when everything seen is equal."""

    __slots__: tuple[str, ...] = ()
    # Beside __slots__, since a class compiled by mypyc has none.
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def fields(self) -> tuple[object, ...]:
        """The values in the order in which the class takes them."""
        return tuple([getattr(self, name) for name in self.FIELDS])

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, _Seen):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(self.fields())

    def __repr__(self) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.FIELDS])
        return f"{type(self).__name__}({values})"


class SeatView(_Seen):
    """What a viewer sees of one seat.

    `concealed` are its kinds, lowest first, HIDDEN for each tile that the viewer may not see; `discards` the kinds that
    lie before it and `drawn_discards` whether each was the tile just drawn; `paid` the points of instant payments.
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "seat",
        "wind",
        "concealed",
        "melds",
        "flowers",
        "discards",
        "drawn_discards",
        "called",
        "paid",
    )
    __slots__ = ("called", "concealed", "discards", "drawn_discards", "flowers", "melds", "paid", "seat", "wind")

    def __init__(
        self,
        seat: Seat,
        wind: Wind,
        concealed: tuple[Kind, ...],
        melds: tuple[Meld, ...],
        flowers: tuple[Kind, ...],
        discards: tuple[Kind, ...],
        drawn_discards: tuple[bool, ...],
        called: bool,
        paid: int,
    ) -> None:
        self.seat: Final[Seat] = seat
        self.wind: Final[Wind] = wind
        self.concealed: Final[tuple[Kind, ...]] = concealed
        self.melds: Final[tuple[Meld, ...]] = melds
        self.flowers: Final[tuple[Kind, ...]] = flowers
        self.discards: Final[tuple[Kind, ...]] = discards
        self.drawn_discards: Final[tuple[bool, ...]] = drawn_discards
        self.called: Final[bool] = called
        self.paid: Final[int] = paid


class View(_Seen):
    """What a viewer knows of a deal. Never changed once made; holds no part of the deal itself.

    `viewer` is None for a watcher. `phase` is one of the five names above; `turn` the seat on turn, or the one whose
    discard or gong the window is about, the dealer while tiles may be washed, -1 when over; `kind` the tile of the
    window (-1 outside one); `claimed` the kind that the seat on turn has just claimed by chow or pong; `source` how it
    drew (an `events` constant, -1 without a draw). `live` tiles may still be drawn, `left` counts the others too.
    `last_discarder` is the seat whose last discard is the most recent one and still lies there, -1 if none. `wins` are
    the winners' events once it is over.

    The viewer's own: `drawn`, the kind it just drew, -1 if none; `moves`, what it may do now; `missed`, the kinds it
    may not win on until its next draw (P17).
    """

    FIELDS: ClassVar[tuple[str, ...]] = (
        "viewer",
        "dealer",
        "round_wind",
        "streak",
        "dice",
        "left",
        "live",
        "last_discarder",
        "seats",
        "phase",
        "turn",
        "kind",
        "claimed",
        "source",
        "wins",
        "drawn",
        "moves",
        "missed",
    )
    __slots__ = (
        "claimed",
        "dealer",
        "dice",
        "drawn",
        "kind",
        "last_discarder",
        "left",
        "live",
        "missed",
        "moves",
        "phase",
        "round_wind",
        "seats",
        "source",
        "streak",
        "turn",
        "viewer",
        "wins",
    )

    def __init__(
        self,
        viewer: Seat | None,
        dealer: Seat,
        round_wind: Wind,
        streak: int,
        dice: tuple[int, ...],
        left: int,
        live: int,
        last_discarder: Seat,
        seats: tuple[SeatView, ...],
        phase: str,
        turn: Seat,
        kind: Kind,
        claimed: Kind,
        source: int,
        wins: tuple[Won, ...],
        drawn: Kind,
        moves: tuple[Move, ...],
        missed: tuple[Kind, ...],
    ) -> None:
        self.viewer: Final[Seat | None] = viewer
        self.dealer: Final[Seat] = dealer
        self.round_wind: Final[Wind] = round_wind
        self.streak: Final[int] = streak
        self.dice: Final[tuple[int, ...]] = dice
        self.left: Final[int] = left
        self.live: Final[int] = live
        self.last_discarder: Final[Seat] = last_discarder
        self.seats: Final[tuple[SeatView, ...]] = seats
        self.phase: Final[str] = phase
        self.turn: Final[Seat] = turn
        self.kind: Final[Kind] = kind
        self.claimed: Final[Kind] = claimed
        self.source: Final[int] = source
        self.wins: Final[tuple[Won, ...]] = wins
        self.drawn: Final[Kind] = drawn
        self.moves: Final[tuple[Move, ...]] = moves
        self.missed: Final[tuple[Kind, ...]] = missed


def view(deal: Deal, viewer: Seat | None) -> View:
    """What `viewer`, a seat or None for a watcher, may know of `deal` between two steps."""
    name = OVER
    turn, kind, claimed, source, drawn = -1, -1, -1, -1, -1
    phase = deal.phase
    match phase:
        case Discarding():
            name, turn, claimed, source = DISCARDING, phase.seat, phase.claimed, phase.source
            if viewer == turn:
                drawn = phase.drawn
        case Claiming():
            name, turn, kind = CLAIMING, phase.seat, phase.kind
        case Robbing():
            name, turn, kind = ROBBING, phase.seat, phase.kind
        case Washing():
            name, turn = WASHING, phase.seat
        case Over():
            pass
    moves: tuple[Move, ...] = ()
    missed: tuple[Kind, ...] = ()
    if viewer is not None:
        moves = legal_moves(deal, viewer)
        barred = deal.missed[viewer]
        if barred:
            missed = tuple([missed_kind for missed_kind in range(KINDS) if barred >> missed_kind & 1])
    return View(
        viewer,
        deal.dealer,
        deal.round_wind,
        deal.streak,
        deal.dice,
        deal.wall.left(),
        deal.wall.live(),
        deal.last_discarder,
        tuple([_seat_view(deal, seat, viewer) for seat in SEATS]),
        name,
        turn,
        kind,
        claimed,
        source,
        tuple(deal.wins),
        drawn,
        moves,
        missed,
    )


def _seat_view(deal: Deal, seat: Seat, viewer: Seat | None) -> SeatView:
    hand = deal.hands[seat]
    if seat == viewer:
        concealed = hand.tiles() + tuple(sorted(hand.unshown))
    else:
        concealed = (HIDDEN,) * (hand.size + len(hand.unshown))
        for won in deal.wins:
            if won.seat == seat:
                # A self-drawn winning tile is among the concealed ones; a claimed one is not.
                concealed = hand.tiles()
        if deal.shown >> seat & 1:
            concealed = hand.tiles()
    return SeatView(
        seat,
        seat_wind(seat, deal.dealer),
        concealed,
        tuple(hand.melds),
        tuple(hand.flowers),
        tuple(deal.discards[seat]),
        tuple(deal.drawn_discards[seat]),
        deal.called[seat],
        deal.paid[seat],
    )


def redact(event: Event, viewer: Seat | None) -> Event:
    """What `viewer` may know of `event`: the wall and others' dealt tiles and draws are hidden, the rest is public."""
    if isinstance(event, Drew):
        return event if event.seat == viewer else Drew(event.seat, HIDDEN, event.source)
    if isinstance(event, DealStarted):
        hands = [hand if seat == viewer else (HIDDEN,) * len(hand) for seat, hand in enumerate(event.hands)]
        return DealStarted(event.dealer, event.round_wind, event.streak, event.dice, (), tuple(hands))
    return event
