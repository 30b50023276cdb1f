"""A settlement that explains itself: for every hand its readings, rows, what fell away and the sum step by step, then
who pays whom and why. Nothing is scored here; whoever shows a settlement shows this and works nothing out himself."""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from parlour_engine.rulesets import Ruleset
from parlour_engine.rulesets.ruleset import SheetRow
from parlour_engine.scoring.dangerous import Danger, in_question
from parlour_engine.scoring.groups import Group, groups
from parlour_engine.scoring.payment import (
    DIFFERENCE,
    HAND,
    NOTHING,
    PENALTY,
    Entry,
    Net,
    Settlement,
    Transfer,
    settle,
)
from parlour_engine.scoring.reading import Reading
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.scoring.score import Award, Replaced, Score
from parlour_engine.scoring.sheet import BESIDE
from parlour_engine.scoring.tally import score
from parlour_engine.seats import Wind
from parlour_engine.tiles import KINDS, Kind

POINTS: Final = "points"
DOUBLE: Final = "double"
LIMIT: Final = "limit"
ADDED: Final = "added"
VOID: Final = "void"
"""What a step of the sum does: begin with the points, double them, set them to what the limit says, add a row that
stands beside the hand; make nothing of it, where a penalty voids the hands that did not win."""


@frozen
class ExplainedReading:
    """One way to read the tiles, laid out, and what it comes to."""

    form: str
    groups: tuple[Group, ...]
    points: int
    total: int


@frozen
class ExplainedRow:
    """A row that counts: `points` and `doubles` are its whole contribution, `count` included; `limit` is `half` or
    `whole` where it sets the hand to that much of the limit. `stage` is where it stands on the sheet (`scoring.sheet`).
    """

    id: str
    names: Mapping[str, str]
    rules: Mapping[str, str]
    clause: str
    points: int
    doubles: int
    limit: str
    count: int
    stage: str


@frozen
class ReplacedRow:
    """A row that applied but gave way to row `by`, and what it would have given."""

    id: str
    names: Mapping[str, str]
    rules: Mapping[str, str]
    clause: str
    points: int
    doubles: int
    limit: str
    by: str
    by_names: Mapping[str, str]


@frozen
class Step:
    """One step of the sum: what it does (a word above), the row that does it (empty where no single one does), and what
    the hand is worth after it."""

    does: str
    row: str
    value: int


@frozen
class ExplainedHand:
    """One scored hand. `reading` counted; `others` were considered, best first, and `margin` is by how much the chosen
    one is better than the best of them, None where there was no other. The last of `steps` is the total."""

    seat_wind: Wind
    won: bool
    record: ScoringRecord
    reading: ExplainedReading
    others: tuple[ExplainedReading, ...]
    margin: int | None
    rows: tuple[ExplainedRow, ...]
    replaced: tuple[ReplacedRow, ...]
    points: int
    """Before doubles and before what stands beside the hand."""
    doubles: int
    limited: bool
    total: int
    steps: tuple[Step, ...]
    waits: tuple[Kind, ...]
    """The kinds that completed the hand before it won."""
    payments: Net
    """What the seats receive for this hand alone."""


@frozen
class ExplainedPayment:
    """One payment: `reason` is `hand`, `difference` or `penalty` (see `payment`); `alone` where one player pays a
    winner's hand for all three; `doubled` where East pays or receives. `higher` and `lower` are the totals it comes
    from, `lower` 0 where a winner is paid."""

    source: Wind
    target: Wind
    amount: int
    reason: str
    doubled: bool
    alone: bool
    higher: int
    lower: int


@frozen
class Explanation:
    """A settlement with all its reasons: the winners' hands in the order of settlement, then, where they are scored,
    the others'; every payment; what each wind receives in all."""

    ruleset: Ruleset = field(repr=False)
    hands: tuple[ExplainedHand, ...]
    payments: tuple[ExplainedPayment, ...]
    net: Net
    danger: Danger | None = None
    """The danger of the winning discard, where there was any."""
    unjudged: bool = False
    """Won on a discard that might be dangerous, and the other hands, which judge its discarder, were not given."""


def explain(ruleset: Ruleset, winners: Sequence[ScoringRecord], others: Sequence[ScoringRecord] = ()) -> Explanation:
    """Settle and explain; takes and raises what `settle` does."""
    return explanation(ruleset, [*winners, *others], settle(ruleset, winners, others))


def explanation(ruleset: Ruleset, records: Sequence[ScoringRecord], settlement: Settlement) -> Explanation:
    """`settlement` of these `records` under `ruleset`, explained."""
    by_wind = {record.seat_wind: record for record in records}
    penalty = any(transfer.reason == PENALTY for transfer in settlement.transfers)
    hands = [
        _hand(ruleset, by_wind[entry.seat_wind], entry, void=penalty and not entry.won) for entry in settlement.entries
    ]
    totals = {hand.seat_wind: hand.total for hand in hands}
    payers: dict[Wind, int] = {}
    for transfer in settlement.transfers:
        if transfer.reason != DIFFERENCE:
            payers[transfer.target] = payers.get(transfer.target, 0) + 1
    payments = tuple([_payment(transfer, totals, payers) for transfer in settlement.transfers])
    unjudged = len(records) == 1 and in_question(ruleset, records[0])
    return Explanation(ruleset, tuple(hands), payments, settlement.net, settlement.danger, unjudged)


def explain_lost(ruleset: Ruleset, record: ScoringRecord) -> ExplainedHand:
    """One hand that did not win, on its own: what it is worth, without payments."""
    return _hand(ruleset, record, Entry(record.seat_wind, score(ruleset, record), NOTHING, won=False), void=False)


def _hand(ruleset: Ruleset, record: ScoringRecord, entry: Entry, *, void: bool) -> ExplainedHand:
    scored = entry.score
    rows = {row.id: row for row in ruleset.sheet}
    others = tuple([_reading(record, other.reading, other.points, other.total) for other in scored.considered])
    lines = tuple([_row(rows[award.award], award) for award in scored.awards])
    return ExplainedHand(
        entry.seat_wind,
        entry.won,
        record,
        _reading(record, scored.reading, scored.points, scored.total),
        others,
        scored.total - others[0].total if others else None,
        lines,
        tuple([_replaced(rows, line) for line in scored.replaced]),
        scored.points,
        scored.doubles,
        scored.limited,
        scored.total,
        _steps(scored, lines, void=void),
        tuple([kind for kind in range(KINDS) if scored.waits >> kind & 1]),
        entry.payments,
    )


def _reading(record: ScoringRecord, reading: Reading, points: int, total: int) -> ExplainedReading:
    return ExplainedReading(reading.form, tuple(groups(record, reading)), points, total)


def _row(row: SheetRow, award: Award) -> ExplainedRow:
    return ExplainedRow(
        row.id, row.names, row.rules, award.clause, award.points, award.doubles, award.limit, award.count, row.stage
    )


def _replaced(rows: Mapping[str, SheetRow], line: Replaced) -> ReplacedRow:
    row, by = rows[line.award], rows[line.by]
    return ReplacedRow(row.id, row.names, row.rules, row.clause, line.points, line.doubles, line.limit, by.id, by.names)


def _steps(scored: Score, rows: Sequence[ExplainedRow], *, void: bool) -> tuple[Step, ...]:
    """The sum as a player does it aloud: 50, 100, 200, ..."""
    value = scored.points
    steps = [Step(POINTS, "", value)]
    for row in rows:
        for _ in range(row.doubles):
            value *= 2
            steps.append(Step(DOUBLE, row.id, value))
    if void:
        return (*steps, Step(VOID, "", scored.total))
    beside = [row for row in rows if row.stage == BESIDE]
    if scored.limited:
        limited = scored.total - sum([row.points for row in beside])
        # The limit cuts what is higher; what is lower only a row has raised, one of the whole limit before one of half.
        raising = sorted([row for row in rows if row.limit], key=_halves) if limited > value else []
        steps.append(Step(LIMIT, raising[0].id if raising else "", limited))
        value = limited
    for row in beside:
        value += row.points
        steps.append(Step(ADDED, row.id, value))
    return tuple(steps)


def _halves(row: ExplainedRow) -> bool:
    return row.limit != "whole"


def _payment(transfer: Transfer, totals: Mapping[Wind, int], payers: Mapping[Wind, int]) -> ExplainedPayment:
    return ExplainedPayment(
        transfer.source,
        transfer.target,
        transfer.amount,
        transfer.reason,
        transfer.doubled,
        transfer.reason == HAND and payers[transfer.target] == 1,
        totals[transfer.target],
        totals[transfer.source] if transfer.reason == DIFFERENCE else 0,
    )
