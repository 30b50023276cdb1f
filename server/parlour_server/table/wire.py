"""The engine's values as the protocol's: kinds become text, HIDDEN becomes null. Nothing is decided here."""

from collections.abc import Sequence
from typing import Final

from parlour_engine import events as engine
from parlour_engine.events import HIDDEN
from parlour_engine.match import NextDeal as EngineNextDeal
from parlour_engine.match import Standing as EngineStanding
from parlour_engine.melds import Meld
from parlour_engine.notation import TILE_TEXT
from parlour_engine.seats import Seat
from parlour_engine.tiles import Kind
from parlour_engine.views import CLAIMING, DISCARDING, OVER, ROBBING, WASHING, View
from parlour_engine.views import SeatView as EngineSeatView
from parlour_server.protocol import events, values
from parlour_server.protocol.values import DrawSource, MeldForm, PaidFor, Tile, WinWay

_FORMS: Final[tuple[MeldForm, ...]] = ("chow", "pong", "exposed_gong", "promoted_gong", "concealed_gong")
_SOURCES: Final[tuple[DrawSource, ...]] = ("wall", "flower", "gong")
_REASONS: Final[tuple[PaidFor, ...]] = ("mixed_set", "full_set", "concealed_gong", "washing")
_WAYS: Final[tuple[WinWay, ...]] = ("discard", "self_draw", "robbed_gong", "dealt", "flowers")


def tiles(kinds: Sequence[Kind]) -> list[Tile]:
    """The text of each kind; none of them hidden."""
    return [TILE_TEXT[kind] for kind in kinds]


def _seen(kinds: Sequence[Kind]) -> list[Tile] | None:
    return None if HIDDEN in kinds else tiles(kinds)


def _tile(kind: Kind) -> Tile | None:
    return None if kind == HIDDEN else TILE_TEXT[kind]


def _seat(seat: int) -> int | None:
    return None if seat < 0 else seat


def win_way(by: int) -> WinWay:
    """The word for a way to win."""
    return _WAYS[by]


def paid_for(reason: int) -> PaidFor:
    """The word for the reason of an instant payment."""
    return _REASONS[reason]


def meld_value(meld: Meld) -> values.MeldValue:
    """A declared set."""
    return values.MeldValue(_FORMS[meld.form], tiles(meld.tiles()), _tile(meld.claimed), _seat(meld.source))


class Count:
    """What an event says beside itself: the deal's number, live tiles left, the match's scores, all after it; and
    the dealer."""

    __slots__ = ("deal", "dealer", "live", "scores")

    def __init__(self, deal: int, live: int, scores: list[int], dealer: Seat) -> None:
        self.deal = deal
        self.live = live
        self.scores = scores
        self.dealer = dealer


def event(told: engine.Event, count: Count) -> events.TableEvent:
    """An engine's event (whole or redacted) as a message's. TypeError for a class it does not know."""
    match told:
        case engine.Drew():
            return events.Drew(told.seat, _tile(told.kind), _SOURCES[told.source], count.live)
        case engine.Discarded():
            return events.Discarded(told.seat, TILE_TEXT[told.kind], told.drawn)
        case engine.Melded():
            return events.Melded(told.seat, meld_value(told.meld))
        case engine.FlowersExposed():
            return events.FlowersExposed(told.seat, tiles(told.kinds))
        case engine.Promoted():
            return events.Promoted(told.seat, TILE_TEXT[told.kind])
        case engine.Called():
            return events.Called(told.seat)
        case engine.Paid():
            return events.Paid(told.seat, _REASONS[told.reason], list(told.changes), list(count.scores))
        case engine.Won():
            return events.Won(told.seat, _WAYS[told.by], _tile(told.kind), _seat(told.source), tiles(told.concealed))
        case engine.Exhausted():
            return events.Exhausted()
        case engine.HandShown():
            return events.HandShown(told.seat, tiles(told.concealed))
        case engine.WashingOpened():
            return events.WashingOpened(count.dealer)
        case engine.WashingClosed():
            return events.WashingClosed(count.dealer)
        case engine.Washed():
            return events.Washed(told.seat, told.heads)
        case engine.DealStarted():
            return events.DealStarted(
                deal=count.deal,
                dealer=told.dealer,
                round_wind=told.round_wind,
                streak=told.streak,
                dice=list(told.dice),
                sizes=[len(hand) for hand in told.hands],
                hands=[_seen(hand) for hand in told.hands],
                left=count.live,
                scores=list(count.scores),
            )
        case _:
            raise TypeError(f"no message tells of {type(told).__name__}")


def _seat_view(view: EngineSeatView, drawn: Kind, discards: list[values.DiscardValue]) -> values.SeatView:
    return values.SeatView(
        size=len(view.concealed),
        tiles=_seen(view.concealed),
        drawn=_tile(drawn),
        melds=[meld_value(meld) for meld in view.melds],
        flowers=tiles(view.flowers),
        discards=list(discards),
        called=view.called,
    )


def _phase(view: View) -> values.PhaseView:
    match view.phase:
        case "discarding":
            return values.PhaseView(DISCARDING, view.turn)
        case "claiming":
            return values.PhaseView(CLAIMING, view.turn, _tile(view.kind))
        case "washing":
            return values.PhaseView(WASHING, view.turn)
        case "robbing":
            return values.PhaseView(ROBBING, view.turn, _tile(view.kind))
        case _:
            return values.PhaseView(OVER)


def deal_view(view: View, deal: int, discards: Sequence[list[values.DiscardValue]]) -> values.DealView:
    """A viewer's view of the deal with this number; `discards[seat]` are all of the deal, claimed ones marked."""
    return values.DealView(
        deal=deal,
        dealer=view.dealer,
        round_wind=view.round_wind,
        streak=view.streak,
        dice=list(view.dice),
        left=view.live,
        seats=[
            _seat_view(seat, view.drawn if seat.seat == view.viewer else HIDDEN, discards[seat.seat])
            for seat in view.seats
        ],
        phase=_phase(view),
    )


def next_deal(due: EngineNextDeal) -> values.NextDeal:
    """What comes after the settlement."""
    return values.NextDeal(due.deal_index + 1, due.dealer, due.round_wind, due.streak)


def standing(lines: Sequence[EngineStanding]) -> list[values.Standing]:
    """The final standing; equal scores share the rank of the first of them."""
    ranks: dict[int, int] = {}
    for line in lines:
        ranks.setdefault(line.score, line.place)
    return [values.Standing(line.seat, ranks[line.score], line.score) for line in lines]
