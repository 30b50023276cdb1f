"""A finished deal handed to scoring, and its settlement as the players are shown it."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

from attrs import frozen

from parlour_engine.deal import Deal
from parlour_engine.events import Won
from parlour_engine.notation import TILE_TEXT
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.dangerous import Danger
from parlour_engine.scoring.explanation import ExplainedHand, ExplainedPayment, ExplainedRow, explain
from parlour_engine.scoring.groups import Group
from parlour_engine.scoring.payment import Net
from parlour_engine.seats import SEATS, Seat, Wind, seat_wind
from parlour_engine.tiles import Kind
from parlour_server.protocol import values
from parlour_server.table import wire

_FORMS: Final[Mapping[str, values.GroupForm]] = {form: form for form in get_args(values.GroupForm)}
_REASONS: Final[Mapping[str, values.TransferFor]] = {reason: reason for reason in get_args(values.TransferFor)}
_WARNINGS: Final[Mapping[str, values.DangerSign]] = {word: word for word in get_args(values.DangerSign)}
_EXCUSES: Final[Mapping[str, values.Excuse]] = {excuse: excuse for excuse in get_args(values.Excuse)}
_LIMITS: Final[Mapping[str, Literal["half", "whole"] | None]] = {"": None, "half": "half", "whole": "whole"}


@frozen
class Verdict:
    """The winners' hands with their derivations in the order of settlement, the `hands` of the others where they are
    scored, the `transfers` between players, the `danger` of the winning discard if it had any, and `changes`, what
    each seat receives in all."""

    wins: list[values.WinValue]
    hands: list[values.HandValue]
    transfers: list[values.TransferValue]
    danger: values.DangerValue | None
    changes: list[int]


def verdict(ruleset: Ruleset, deal: Deal) -> Verdict:
    """The settlement of a finished deal."""
    records = scoring_records(deal)
    if not records:
        return Verdict([], [], [], None, [0, 0, 0, 0])
    explanation = explain(ruleset, records, losing_records(deal))
    won = {seat_wind(win.seat, deal.dealer): win for win in deal.wins}
    return Verdict(
        [_win(deal.dealer, won[hand.seat_wind], hand) for hand in explanation.hands if hand.won],
        [_hand(deal.dealer, hand) for hand in explanation.hands if not hand.won],
        [_transfer(deal.dealer, payment) for payment in explanation.payments],
        None if explanation.danger is None else _danger(deal.dealer, explanation.danger),
        _by_seat(explanation.net, deal.dealer),
    )


def names_of(names: Mapping[str, str]) -> values.Names:
    """A text of the ruleset in the client's languages."""
    return values.Names(en=names["en"], zh=names["zh-Hant"])


def _seat(wind: Wind, dealer: Seat) -> Seat:
    return (wind + dealer) & 3


def _by_seat(net: Net, dealer: Seat) -> list[int]:
    return [net[seat_wind(seat, dealer)] for seat in SEATS]


def _groups(groups: Sequence[Group]) -> list[values.GroupValue]:
    return [
        values.GroupValue(_FORMS[group.form], wire.tiles(group.tiles), group.declared, group.winning)
        for group in groups
    ]


def _award(row: ExplainedRow) -> values.AwardLine:
    return values.AwardLine(
        row.id,
        names_of(row.names),
        row.points,
        row.count,
        row.clause,
        names_of(row.rules),
        row.doubles,
        _LIMITS[row.limit],
    )


def _win(dealer: Seat, won: Won, hand: ExplainedHand) -> values.WinValue:
    record = hand.record
    return values.WinValue(
        seat=won.seat,
        by=wire.win_way(won.by),
        tile=None if won.kind < 0 else TILE_TEXT[won.kind],
        source=None if won.source < 0 else won.source,
        hand=wire.tiles(won.concealed),
        melds=[wire.meld_value(meld) for meld in record.melds],
        flowers=wire.tiles(record.flowers),
        reading=_groups(hand.reading.groups),
        considered=[values.ConsideredValue(_groups(other.groups), other.points, other.total) for other in hand.others],
        awards=[_award(row) for row in hand.rows],
        replaced=[values.ReplacedLine(row.id, names_of(row.names), row.by, row.points) for row in hand.replaced],
        points=hand.points,
        total=hand.total,
        payments=_by_seat(hand.payments, dealer),
        doubles=hand.doubles,
        limited=hand.limited,
    )


def _hand(dealer: Seat, hand: ExplainedHand) -> values.HandValue:
    record = hand.record
    return values.HandValue(
        seat=_seat(hand.seat_wind, dealer),
        hand=wire.tiles(_concealed(record.counts)),
        melds=[wire.meld_value(meld) for meld in record.melds],
        flowers=wire.tiles(record.flowers),
        # A tile that stands alone is worth nothing in a hand that did not win.
        reading=_groups([group for group in hand.reading.groups if group.form != "single"]),
        awards=[_award(row) for row in hand.rows],
        points=hand.points,
        doubles=hand.doubles,
        total=hand.total,
        limited=hand.limited,
    )


def _concealed(counts: Sequence[int]) -> list[Kind]:
    return [kind for kind, held in enumerate(counts) for _ in range(held)]


def _danger(dealer: Seat, danger: Danger) -> values.DangerValue:
    return values.DangerValue(
        _seat(danger.discarder, dealer),
        [_WARNINGS[word] for word in danger.shown],
        _EXCUSES[danger.excuse] if danger.excuse else None,
    )


def _transfer(dealer: Seat, payment: ExplainedPayment) -> values.TransferValue:
    return values.TransferValue(
        _seat(payment.source, dealer),
        _seat(payment.target, dealer),
        payment.amount,
        _REASONS[payment.reason],
        payment.doubled,
    )
