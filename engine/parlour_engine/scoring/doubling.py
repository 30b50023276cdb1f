"""Points, then doubles: what a hand comes to in games that double its sum, and cap it where there is a limit.

The sum of the points is doubled as often as the doubles say (classical 2). A row worth half the limit or all of it
stands in for any smaller result, and nothing is worth more than the limit (classical 5).
"""

from typing import TYPE_CHECKING

from parlour_engine.scoring.facts import FLOWER_WIN, HandFacts, SplitFacts
from parlour_engine.scoring.reading import Reading, completing, splits, unfinished
from parlour_engine.scoring.record import DEALT, FLOWERS, LOST, ScoringRecord
from parlour_engine.scoring.score import Considered, NotWinning, Replaced, Score, award_of, replaced_by
from parlour_engine.scoring.sheet import Line, Sheet, highest, stands_alone

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset


class _Sum:
    """What the lines of one reading come to: those that count, their points and doubles, and the result of these."""

    __slots__ = ("doubles", "kept", "limited", "points", "total")

    def __init__(self, kept: list[Line], points: int, doubles: int, halves: int, limit: int) -> None:
        """`halves` of the limit are the least it is worth; `limit` is 0 where there is none."""
        self.kept = kept
        self.points = points
        self.doubles = doubles
        whole = points << doubles
        total = min(max(whole, limit * halves // 2), limit) if limit else whole
        self.total = total
        self.limited = total != whole


def score(ruleset: "Ruleset", record: ScoringRecord) -> Score:
    """The score of a hand in its best reading, won or not (classical 4); raises NotWinning for a win that is none.

    Of readings worth the same, the one whose key is smallest is reported.
    """
    sheet = ruleset.compiled
    procedure = ruleset.procedure
    limit = ruleset.limit
    by = record.by
    waiting = 0 if by in (DEALT, FLOWERS, LOST) else completing(procedure, record)
    hand = HandFacts(record, record.all_counts(), waiting.bit_count(), procedure.sets)
    if by == FLOWERS:
        if not 0 < procedure.flower_win <= len(record.flowers):
            raise NotWinning(f"{len(record.flowers)} flowers do not win")
        lines = sheet.hand_lines(FLOWER_WIN, hand)
        return _derived(sheet, hand, Reading(None), lines, _sum(sheet, FLOWER_WIN, lines, limit), [], waiting)
    found: list[SplitFacts] = [unfinished(hand)] if by == LOST else splits(hand, procedure.sets, procedure.forms)
    best: Reading | None = None
    best_sum: _Sum | None = None
    best_lines: list[Line] = []
    others: list[tuple[Reading, _Sum]] = []
    for reading, lines in sheet.lines_by_reading(hand, found):
        here = _sum(sheet, reading.form, lines, limit)
        if best is None or best_sum is None:
            best, best_sum, best_lines = reading, here, lines
        elif here.total > best_sum.total or (here.total == best_sum.total and reading.key() < best.key()):
            others.append((best, best_sum))
            best, best_sum, best_lines = reading, here, lines
        else:
            others.append((reading, here))
    if best is None or best_sum is None:
        raise NotWinning("the tiles are not a complete hand")
    return _derived(sheet, hand, best, best_lines, best_sum, others, waiting)


def _sum(sheet: Sheet, form: str, lines: list[Line], limit: int) -> _Sum:
    """Groups settled, closing rows asked, points, doubles and limit reckoned up."""
    kept = lines
    if sheet.grouped:
        best = highest(lines, sheet.later)
        if best:
            kept = [line for line in lines if _counts(line, best)]
    points = doubles = halves = 0
    for line in kept:
        worth = line.worth
        points += worth.points
        doubles += worth.doubles
        halves = max(halves, worth.halves)
    for row in sheet.closing_rows(form):
        closing = row.line(points)
        if closing is None:
            continue
        worth = closing.worth
        if not row.only:
            kept, points, doubles, halves = [closing], worth.points, worth.doubles, worth.halves
        elif stands_alone(row, kept):
            kept = [*kept, closing]
            points += worth.points
            doubles += worth.doubles
            halves = max(halves, worth.halves)
    return _Sum(kept, points, doubles, halves, limit)


def _counts(line: Line, best: dict[str, Line]) -> bool:
    return all(best[group] is line for group in line.row.groups)


def _derived(
    sheet: Sheet,
    hand: HandFacts,
    reading: Reading,
    lines: list[Line],
    summed: _Sum,
    others: list[tuple[Reading, _Sum]],
    waiting: int,
) -> Score:
    """The score of the best reading with all that led to it; rows beside the hand are added to the total."""
    beside = sheet.beside_lines(reading.form, hand)
    replaced: list[Replaced] = []
    if len(summed.kept) < len(lines) or sheet.grouped:
        replaced = _replaced(sheet, lines, summed.kept)
    others.sort(key=_rank)
    return Score(
        summed.points,
        summed.total + sum([line.worth.points for line in beside]),
        tuple([award_of(line) for line in sorted(summed.kept, key=_place) + beside]),
        reading,
        tuple([_considered(sheet, hand, other, worth) for other, worth in others]),
        tuple(replaced),
        waiting,
        summed.doubles,
        summed.limited,
    )


def _replaced(sheet: Sheet, lines: list[Line], kept: list[Line]) -> list[Replaced]:
    """The lines that gave way, each to another of its group or to the closing row."""
    best = highest(lines, sheet.later)
    found: list[Replaced] = []
    for line in sorted(lines, key=_place):
        for group in line.row.groups:
            if best[group] is not line:
                found.append(replaced_by(line, best[group].row.key))
                break
        else:
            if line not in kept:
                found.append(replaced_by(line, kept[0].row.key))
    return found


def _considered(sheet: Sheet, hand: HandFacts, reading: Reading, summed: _Sum) -> Considered:
    beside = sum([line.worth.points for line in sheet.beside_lines(reading.form, hand)])
    return Considered(reading, summed.points, summed.total + beside)


def _place(line: Line) -> int:
    return line.row.place


def _rank(other: tuple[Reading, _Sum]) -> tuple[int, tuple[object, ...]]:
    return (-other[1].total, other[0].key())
