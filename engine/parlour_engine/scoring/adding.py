"""Adding up points: what a hand of a game without doubles comes to in its best reading, and what fell away."""

from typing import TYPE_CHECKING

from parlour_engine.scoring.facts import FLOWER_WIN, HandFacts
from parlour_engine.scoring.reading import Reading, completing, splits
from parlour_engine.scoring.record import DEALT, FLOWERS, LOST, ScoringRecord
from parlour_engine.scoring.score import Considered, NotWinning, Replaced, Score, award_of, replaced_by
from parlour_engine.scoring.sheet import Line, Sheet, highest, stands_alone

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset


def score(ruleset: "Ruleset", record: ScoringRecord) -> Score:
    """The score of a winning hand in its best reading (A-2, A-3, M1 to M5); raises NotWinning.

    Of readings worth the same, the one whose key is smallest is reported.
    """
    sheet = ruleset.compiled
    counts = record.all_counts()
    sets = ruleset.procedure.sets
    waiting = 0 if record.by in (DEALT, FLOWERS, LOST) else completing(ruleset.procedure, record)
    hand = HandFacts(record, counts, waiting.bit_count(), sets)
    if record.by == FLOWERS:
        least = ruleset.procedure.flower_win
        if not 0 < least <= len(record.flowers):
            raise NotWinning(f"{len(record.flowers)} flowers do not win")
        return _closed(sheet, hand, Reading(None), sheet.hand_lines(FLOWER_WIN, hand), [], waiting)
    best_lines: list[Line] = []
    best: Reading | None = None
    best_points = -1
    others: list[tuple[Reading, int]] = []
    for reading, lines in sheet.lines_by_reading(hand, splits(hand, sets, ruleset.procedure.forms)):
        points = _points(sheet, lines)
        if best is None or points > best_points or (points == best_points and reading.key() < best.key()):
            if best is not None:
                others.append((best, best_points))
            best, best_points, best_lines = reading, points, lines
        else:
            others.append((reading, points))
    if best is None:
        raise NotWinning("the tiles are not a complete hand")
    return _closed(sheet, hand, best, best_lines, others, waiting)


def _points(sheet: Sheet, lines: list[Line]) -> int:
    best = highest(lines, sheet.later)
    points = 0
    for line in lines:
        for group in line.row.groups:
            if best[group] is not line:
                break
        else:
            points += line.worth.points
    return points


def _closed(
    sheet: Sheet,
    hand: HandFacts,
    reading: Reading,
    lines: list[Line],
    others: list[tuple[Reading, int]],
    waiting: int,
) -> Score:
    """The score of the best reading: groups settled, closing rows asked, the rest added."""
    best = highest(lines, sheet.later)
    kept: list[Line] = []
    replaced: list[Replaced] = []
    points = 0
    for line in sorted(lines, key=_place):
        for group in line.row.groups:
            by = best[group]
            if by is not line:
                replaced.append(replaced_by(line, by.row.key))
                break
        else:
            kept.append(line)
            points += line.worth.points
    for row in sheet.closing_rows(reading.form):
        closing = row.line(points)
        if closing is None:
            continue
        if not row.only:
            replaced.extend([replaced_by(line, row.key) for line in kept])
            kept = [closing]
            points = closing.worth.points
        elif stands_alone(row, kept):
            kept.append(closing)
            points += closing.worth.points
    beside = sheet.beside_lines(reading.form, hand)
    total = points
    for line in beside:
        total += line.worth.points
    others.sort(key=_rank)
    return Score(
        points,
        total,
        tuple([award_of(line) for line in kept + beside]),
        reading,
        tuple([Considered(other, worth, worth + _beside(sheet, hand, other)) for other, worth in others]),
        tuple(replaced),
        waiting,
    )


def _beside(sheet: Sheet, hand: HandFacts, reading: Reading) -> int:
    return sum([line.worth.points for line in sheet.beside_lines(reading.form, hand)])


def _place(line: Line) -> int:
    return line.row.place


def _rank(other: tuple[Reading, int]) -> tuple[int, tuple[object, ...]]:
    return (-other[1], other[0].key())
