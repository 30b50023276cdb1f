"""Who pays whom (lrc 5, classical 3). Every payment sums to zero."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from parlour_engine.scoring.dangerous import Danger, danger
from parlour_engine.scoring.record import LOST, ScoringRecord
from parlour_engine.scoring.tally import TALLIES, Score
from parlour_engine.seats import EAST, Wind

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

Net = tuple[int, int, int, int]
"""What E, S, W and N receive; payers have negative numbers."""

NOTHING: Final[Net] = (0, 0, 0, 0)

HAND: Final = "hand"
"""A winner is paid for the hand."""
DIFFERENCE: Final = "difference"
"""Of two players who did not win, the lower score pays the higher the difference."""
PENALTY: Final = "penalty"
"""A dangerous discard: its discarder pays what another would have paid."""


@frozen
class Transfer:
    """One payment; `doubled` where East's part in it doubled it."""

    source: Wind
    target: Wind
    amount: int
    reason: str
    doubled: bool = False


@frozen
class Entry:
    """One hand's part of a settlement: what it is worth, and what it collects from whom."""

    seat_wind: Wind
    score: Score
    payments: Net
    won: bool = True


@frozen
class Settlement:
    """All winners of one deal, in turn order from the payer's right, each settled separately (P16); then, in games that
    score all hands, the others in turn order from the winner's right. `transfers` leaves out payments of nothing.
    `danger` where the winning discard was a dangerous one, whether its discarder pays for it or not."""

    entries: tuple[Entry, ...]
    net: Net
    transfers: tuple[Transfer, ...]
    danger: Danger | None = None


def settle(ruleset: "Ruleset", winners: Sequence[ScoringRecord], others: Sequence[ScoringRecord] = ()) -> Settlement:
    """Score every winner, and the others where all hands are scored, and settle.

    All of several winners won with the same tile, so from the same seat. `others` are the three LOST records beside the
    winner; without them only the winner is settled. A ruleset that scores winners only does not look at them.
    Raises NotWinning for a hand that does not win, ValueError for no winners or hands that cannot have been together.
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
    return PAYMENTS[ruleset.payment].settle(ruleset, in_turn, others)


def from_each(points: int, receiver: Wind) -> Net:
    """`points` from each of the other three: a self-drawn win, a flower set, a concealed gong (lrc 5)."""
    return _net({receiver: 3 * points} | {wind: -points for wind in range(4) if wind != receiver})


def instant_payment(ruleset: "Ruleset", name: str, receiver: Wind) -> Net:
    """What `mixed_flower_set`, `full_flower_set` or `concealed_gong` moves at once (F-5, G-2, A-94)."""
    return from_each(ruleset.instant(name), receiver)


def _net(by_wind: Mapping[Wind, int]) -> Net:
    return (by_wind[0], by_wind[1], by_wind[2], by_wind[3])


def _moved(transfers: Sequence[Transfer]) -> Net:
    moved = [0, 0, 0, 0]
    for transfer in transfers:
        moved[transfer.source] -= transfer.amount
        moved[transfer.target] += transfer.amount
    return (moved[0], moved[1], moved[2], moved[3])


def _settlement(entries: list[Entry], transfers: list[Transfer], threat: Danger | None = None) -> Settlement:
    paid = tuple([transfer for transfer in transfers if transfer.amount])
    return Settlement(tuple(entries), _moved(transfers), paid, threat)


def _payer_or_all(ruleset: "Ruleset", winners: Sequence[ScoringRecord], others: Sequence[ScoringRecord]) -> Settlement:
    """The seat that gave the tile pays alone; where nobody did, each of the three pays (lrc 5)."""
    scored = TALLIES[ruleset.tally]
    entries: list[Entry] = []
    transfers: list[Transfer] = []
    for record in winners:
        score = scored(ruleset, record)
        wind = record.seat_wind
        payers = (record.from_wind,) if record.from_wind >= 0 else ((wind + 1) & 3, (wind + 2) & 3, (wind + 3) & 3)
        paid = [Transfer(payer, wind, score.total, HAND) for payer in payers]
        entries.append(Entry(wind, score, _moved(paid)))
        transfers += paid
    return _settlement(entries, transfers)


def _everyone(ruleset: "Ruleset", winners: Sequence[ScoringRecord], others: Sequence[ScoringRecord]) -> Settlement:
    """The winner collects his whole score from each; the others settle the differences of theirs with each other; where
    East pays or is paid, double (classical 3). A dangerous discard pays for all (classical 5)."""
    if len(winners) > 1:
        raise ValueError("where everyone pays there is one winner")
    winner = winners[0]
    wind = winner.seat_wind
    seats = ((wind + 1) & 3, (wind + 2) & 3, (wind + 3) & 3)
    losers = {record.seat_wind: record for record in others}
    if others and (len(others) != len(seats) or set(losers) != set(seats) or any(one.by != LOST for one in others)):
        raise ValueError("beside the winner there are the three other seats, which did not win")
    scored = TALLIES[ruleset.tally]
    score = scored(ruleset, winner)
    threat = danger(ruleset, winner, losers.get(winner.from_wind))
    penalised = threat is not None and threat.penalised
    paid = [
        _transfer(seat, wind, score.total, HAND)
        if not penalised or seat == winner.from_wind
        else evolve(_transfer(seat, wind, score.total, PENALTY), source=winner.from_wind)
        for seat in seats
    ]
    entries = [Entry(wind, score, _moved(paid))]
    transfers = paid
    scores = {seat: scored(ruleset, losers[seat]) for seat in seats if losers}
    if penalised:
        # All scores but the winner's are void.
        scores = {seat: evolve(lost, total=0) for seat, lost in scores.items()}
    collected: dict[Wind, list[Transfer]] = {seat: [] for seat in scores}
    for one, other in combinations(scores, 2):
        low, high = (one, other) if scores[one].total < scores[other].total else (other, one)
        difference = _transfer(low, high, scores[high].total - scores[low].total, DIFFERENCE)
        collected[high].append(difference)
        transfers.append(difference)
    entries += [Entry(seat, lost, _moved(collected[seat]), won=False) for seat, lost in scores.items()]
    return _settlement(entries, transfers, threat)


def _transfer(source: Wind, target: Wind, amount: int, reason: str) -> Transfer:
    """East pays and is paid double."""
    doubled = EAST in (source, target)
    return Transfer(source, target, 2 * amount if doubled else amount, reason, doubled)


@frozen
class Payment:
    """A way of paying: how a deal is settled, and whether the hands that did not win are scored too."""

    settle: Callable[["Ruleset", Sequence[ScoringRecord], Sequence[ScoringRecord]], Settlement]
    scores_all: bool


PAYMENTS: Final[Mapping[str, Payment]] = {
    "payer_or_all": Payment(_payer_or_all, scores_all=False),
    "everyone": Payment(_everyone, scores_all=True),
}
"""The ways of paying that a ruleset may name."""
