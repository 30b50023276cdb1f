"""A finished deal handed to scoring, and its settlement as the players are shown it."""

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from parlour_engine.deal import Deal
from parlour_engine.events import Won
from parlour_engine.notation import TILE_TEXT
from parlour_engine.outcome import scoring_records
from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.groups import groups
from parlour_engine.scoring.payment import Entry, Net, settle
from parlour_engine.scoring.reading import Reading
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.seats import SEATS, Seat, seat_wind
from parlour_server.protocol import values
from parlour_server.table import wire

_FORMS: Final[Mapping[str, values.GroupForm]] = {
    "chow": "chow",
    "pong": "pong",
    "gong": "gong",
    "eyes": "eyes",
    "pair": "pair",
    "single": "single",
}


@frozen
class Verdict:
    """The winners' hands with their derivations in the order of settlement, the `hands` of the others where they are
    scored, the `transfers` between players, and `changes`, what each seat receives in all."""

    wins: list[values.WinValue]
    hands: list[values.HandValue]
    transfers: list[values.TransferValue]
    changes: list[int]


def verdict(ruleset: Ruleset, deal: Deal) -> Verdict:
    """The settlement of a finished deal."""
    records = scoring_records(deal)
    if not records:
        return Verdict([], [], [], [0, 0, 0, 0])
    settlement = settle(ruleset, records)
    entries = {entry.seat_wind: entry for entry in settlement.entries}
    names = {row.id: names_of(row.names) for row in ruleset.sheet}
    wins = [
        _win(deal, won, record, entries[record.seat_wind], names)
        for won, record in zip(deal.wins, records, strict=True)
    ]
    return Verdict(wins, [], [], _by_seat(settlement.net, deal.dealer))


def names_of(names: Mapping[str, str]) -> values.Names:
    """A text of the ruleset in the client's languages."""
    return values.Names(en=names["en"], zh=names["zh-Hant"])


def _groups(record: ScoringRecord, reading: Reading) -> list[values.GroupValue]:
    return [
        values.GroupValue(_FORMS[group.form], wire.tiles(group.tiles), group.declared, group.winning)
        for group in groups(record, reading)
    ]


def _by_seat(net: Net, dealer: Seat) -> list[int]:
    return [net[seat_wind(seat, dealer)] for seat in SEATS]


def _win(
    deal: Deal, won: Won, record: ScoringRecord, entry: Entry, names: Mapping[str, values.Names]
) -> values.WinValue:
    score = entry.score
    return values.WinValue(
        seat=won.seat,
        by=wire.win_way(won.by),
        tile=None if won.kind < 0 else TILE_TEXT[won.kind],
        source=None if won.source < 0 else won.source,
        hand=wire.tiles(won.concealed),
        melds=[wire.meld_value(meld) for meld in record.melds],
        flowers=wire.tiles(record.flowers),
        reading=_groups(record, score.reading),
        considered=[
            values.ConsideredValue(_groups(record, other.reading), other.points, other.points)
            for other in score.considered
        ],
        awards=[
            values.AwardLine(award.award, names[award.award], award.points, award.count, award.clause)
            for award in score.awards
        ],
        replaced=[values.ReplacedLine(row.award, names[row.award], row.by) for row in score.replaced],
        points=score.points,
        total=score.total,
        payments=_by_seat(entry.payments, deal.dealer),
    )
