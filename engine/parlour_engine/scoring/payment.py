"""Who pays whom (section 5). Every payment sums to zero."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.scoring.tally import TALLIES, Score
from parlour_engine.seats import Wind

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

Net = tuple[int, int, int, int]
"""What E, S, W and N receive; payers have negative numbers."""

NOTHING: Final[Net] = (0, 0, 0, 0)


@frozen
class Entry:
    """One winner's part of a settlement."""

    seat_wind: Wind
    score: Score
    payments: Net


@frozen
class Settlement:
    """All winners of one deal, each settled separately (P16), in turn order from the payer's right."""

    entries: tuple[Entry, ...]
    net: Net


def settle(ruleset: "Ruleset", winners: Sequence[ScoringRecord]) -> Settlement:
    """Score every winner and settle. All of several winners won with the same tile, so from the same seat.

    Raises NotWinning for a hand that does not win, ValueError for no winners or winners who cannot have won together.
    """
    if not winners:
        raise ValueError("there is no winner to settle")
    payer = winners[0].from_wind
    winds = {record.seat_wind for record in winners}
    if len(winners) > 1 and (
        payer < 0
        or payer in winds
        or len(winds) < len(winners)
        or any(record.from_wind != payer or record.win_tile != winners[0].win_tile for record in winners)
    ):
        raise ValueError("several winners must be different seats that claimed the same tile from one payer")
    in_turn = sorted(winners, key=lambda record: (record.seat_wind - payer) & 3)
    scored = TALLIES[ruleset.tally]
    paid = PAYMENTS[ruleset.payment]
    entries: list[Entry] = []
    for record in in_turn:
        score = scored(ruleset, record)
        entries.append(Entry(record.seat_wind, score, paid(record, score.total)))
    return Settlement(tuple(entries), total_of([entry.payments for entry in entries]))


def payments(ruleset: "Ruleset", record: ScoringRecord, total: int) -> Net:
    """What one winner's total moves between the seats."""
    return PAYMENTS[ruleset.payment](record, total)


def from_each(points: int, receiver: Wind) -> Net:
    """`points` from each of the other three: a self-drawn win, a flower set, a concealed gong (section 5)."""
    return _net({receiver: 3 * points} | {wind: -points for wind in range(4) if wind != receiver})


def instant_payment(ruleset: "Ruleset", name: str, receiver: Wind) -> Net:
    """What `mixed_flower_set`, `full_flower_set` or `concealed_gong` moves at once (F-5, G-2, A-94)."""
    return from_each(ruleset.instant(name), receiver)


def total_of(nets: Sequence[Net]) -> Net:
    """Several payments in one."""
    return _net({wind: sum([net[wind] for net in nets]) for wind in range(4)})


def _net(by_wind: Mapping[Wind, int]) -> Net:
    return (by_wind[0], by_wind[1], by_wind[2], by_wind[3])


def _payer_or_all(record: ScoringRecord, total: int) -> Net:
    """The seat that gave the tile pays alone; where nobody did, each of the three pays (section 5)."""
    if record.from_wind < 0:
        return from_each(total, record.seat_wind)
    moved = dict.fromkeys(range(4), 0)
    moved[record.seat_wind] = total
    moved[record.from_wind] = -total
    return _net(moved)


PAYMENTS: Final[Mapping[str, Callable[[ScoringRecord, int], Net]]] = {"payer_or_all": _payer_or_all}
"""The ways of paying that a ruleset may name."""
