"""One play of the wall, as it stands now. It changes only through `evolve`; everybody else reads."""

from typing import Final

from parlour_engine.events import Won
from parlour_engine.hand import Hand
from parlour_engine.moves import Move
from parlour_engine.phases import Claiming, Discarding, Over, Phase, Robbing, Washing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat, Wind
from parlour_engine.tiles import Kind
from parlour_engine.wall import Wall


class Deal:
    """The state of a deal. `phase` says what the table waits for.

    By seat: `hands`; `discards`, the kinds that lie before it (a claimed one is gone, one that was won on stays), and
    `drawn_discards`, whether each was the tile just drawn; `missed`, a mask of the kinds it may not win on until its
    next draw (P17, P25); `called` (P23); `flower_sets`, the best flower set it was paid for (A-18; `flowers`);
    `paid`, points of instant payments so far.

    `discarded` counts the discards made; `last_discarder` is the seat whose last discard still lies there as the most
    recent one, -1 if none. After the end `wins` has the events of the winners, `ended_in` the phase they won in, and
    `shown` is the mask of the seats that laid down their hands without having won.
    """

    __slots__ = (
        "called",
        "dealer",
        "dice",
        "discarded",
        "discards",
        "drawn_discards",
        "ended_in",
        "flower_sets",
        "hands",
        "last_discarder",
        "legal",
        "missed",
        "paid",
        "phase",
        "procedure",
        "round_wind",
        "shown",
        "streak",
        "wall",
        "wins",
    )

    def __init__(self, procedure: Procedure) -> None:
        """A table before any tile is dealt; `play.start` and `play.fold` go on from here."""
        self.procedure: Final[Procedure] = procedure
        self.phase: Phase = Over(())
        self.hands: Final[list[Hand]] = [Hand() for _ in SEATS]
        self.discards: Final[list[list[Kind]]] = [[] for _ in SEATS]
        self.drawn_discards: Final[list[list[bool]]] = [[] for _ in SEATS]
        self.missed: Final[list[int]] = [0, 0, 0, 0]
        self.called: Final[list[bool]] = [False, False, False, False]
        self.flower_sets: Final[list[int]] = [0, 0, 0, 0]
        self.paid: Final[list[int]] = [0, 0, 0, 0]
        self.wall = Wall((), procedure.reserve)
        self.dealer: Seat = 0
        self.round_wind: Wind = 0
        self.streak = 0
        self.dice: tuple[int, ...] = ()
        self.discarded = 0
        self.last_discarder: Seat = -1
        self.wins: Final[list[Won]] = []
        self.ended_in: Phase | None = None
        self.shown = 0
        self.legal: tuple[Move, ...] | None = None
        """The legal moves of the seat on turn, kept from the first time `legal` was asked; no part of the state."""

    def is_over(self) -> bool:
        """True when the deal has ended."""
        return isinstance(self.phase, Over)

    def copy(self) -> "Deal":
        """An independent deal in the same state, answers of an open window included."""
        deal = Deal(self.procedure)
        deal.phase = copied(self.phase)
        for seat in SEATS:
            deal.hands[seat] = self.hands[seat].copy()
            deal.discards[seat][:] = self.discards[seat]
            deal.drawn_discards[seat][:] = self.drawn_discards[seat]
        deal.missed[:] = self.missed
        deal.called[:] = self.called
        deal.flower_sets[:] = self.flower_sets
        deal.paid[:] = self.paid
        deal.wall = self.wall.copy()
        deal.dealer = self.dealer
        deal.round_wind = self.round_wind
        deal.streak = self.streak
        deal.dice = self.dice
        deal.discarded = self.discarded
        deal.last_discarder = self.last_discarder
        deal.wins[:] = self.wins
        deal.ended_in = self.ended_in
        deal.shown = self.shown
        deal.legal = self.legal
        return deal

    def state(self) -> tuple[object, ...]:
        """All that events tell, as one comparable value: no answers of an open window, nothing that is only kept for
        speed."""
        return (
            self.dealer,
            self.round_wind,
            self.streak,
            self.dice,
            self.wall.tiles,
            self.wall.head,
            self.wall.tail,
            tuple(self.wall.loose),
            _phase_state(self.phase),
            None if self.ended_in is None else _phase_state(self.ended_in),
            tuple([_hand_state(hand) for hand in self.hands]),
            tuple([tuple(pile) for pile in self.discards]),
            tuple([tuple(pile) for pile in self.drawn_discards]),
            tuple(self.missed),
            tuple(self.called),
            tuple(self.flower_sets),
            tuple(self.paid),
            self.discarded,
            self.last_discarder,
            tuple(self.wins),
            self.shown,
        )


def copied(phase: Phase) -> Phase:
    """The same situation with answers of its own."""
    if isinstance(phase, Claiming):
        claiming = Claiming(phase.seat, phase.kind, phase.options, phase.winners)
        claiming.answers[:] = phase.answers
        return claiming
    if isinstance(phase, Robbing):
        robbing = Robbing(phase.seat, phase.kind, phase.options, phase.own_gongs, phase.winners)
        robbing.answers[:] = phase.answers
        return robbing
    if isinstance(phase, Washing):
        washing = Washing(phase.seat, phase.options, phase.winners)
        washing.answers[:] = phase.answers
        return washing
    return phase


def _hand_state(hand: Hand) -> tuple[object, ...]:
    return (
        tuple(hand.counts),
        tuple(hand.keys),
        tuple(hand.declared),
        tuple(hand.melds),
        tuple(hand.flowers),
        tuple(hand.unshown),
        hand.size,
        hand.concealed_gongs,
        hand.fresh,
    )


def _phase_state(phase: Phase) -> tuple[object, ...]:
    match phase:
        case Discarding():
            return (
                "discarding",
                phase.seat,
                phase.drawn,
                phase.source,
                phase.claimed,
                phase.opening,
                phase.last_live,
                phase.own_gongs,
            )
        case Claiming():
            return ("claiming", phase.seat, phase.kind, _option_ids(phase.options), phase.winners)
        case Robbing():
            return ("robbing", phase.seat, phase.kind, _option_ids(phase.options), phase.winners, phase.own_gongs)
        case Washing():
            return ("washing", phase.seat, _option_ids(phase.options), phase.winners)
        case Over():
            return ("over", phase.winners)


def _option_ids(options: list[tuple[Move, ...]]) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple([move.id for move in moves]) for moves in options])
