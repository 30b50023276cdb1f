"""The sum: which lines of a sheet a winning hand gets in its best reading, and what fell away."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from attrs import frozen

from parlour_engine.melds import CONCEALED_GONG
from parlour_engine.scoring.facts import FLOWER_WIN, HandFacts, ReadingFacts
from parlour_engine.scoring.reading import Reading, holders, splits
from parlour_engine.scoring.record import DEALT, FLOWERS, ScoringRecord
from parlour_engine.scoring.sheet import Line, Sheet
from parlour_engine.shapes import suit_keys, waits
from parlour_engine.tiles import KINDS

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset


class NotWinning(ValueError):
    """The tiles are lawful but do not win."""


@frozen
class Award:
    """One line of a score: `points` is the whole of it, count included."""

    award: str
    points: int
    count: int
    clause: str


@frozen
class Replaced:
    """A row that applied but gave way to `by`, another of its group (M2), or to a closing row (M4)."""

    award: str
    points: int
    by: str


@frozen
class Considered:
    """A reading and the points it comes to."""

    reading: Reading
    points: int


@frozen
class Score:
    """What a hand is worth, and why.

    `points` is the sum before base, calling and streak, `total` with them; `awards` lists every line of the total.
    `reading` is the one that counted, `considered` the others, best first. `waits` has bit `kind` set for each kind
    that completed the hand; 0 where there was no wait.
    """

    points: int
    total: int
    awards: tuple[Award, ...]
    reading: Reading
    considered: tuple[Considered, ...]
    replaced: tuple[Replaced, ...]
    waits: int


def score(ruleset: "Ruleset", record: ScoringRecord) -> Score:
    """The score of a winning hand in its best reading (A-2, A-3, M1 to M5); raises NotWinning.

    Of readings worth the same, the one whose key is smallest is reported.
    """
    sheet = ruleset.compiled
    counts = record.all_counts()
    sets = ruleset.procedure.sets
    waiting = 0 if record.by in (DEALT, FLOWERS) else _waits(ruleset, record)
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
    lines_of_form: dict[str, list[Line]] = {}
    for split in splits(hand, sets, ruleset.procedure.forms):
        form = split.form
        if form not in lines_of_form:
            lines_of_form[form] = sheet.hand_lines(form, hand)
        common = lines_of_form[form] + sheet.split_lines(form, split)
        for holder, kind in holders(split):
            lines = common + sheet.reading_lines(form, ReadingFacts(split, holder, kind))
            points = _points(sheet, lines)
            reading = Reading(split, holder, kind)
            if best is None or points > best_points or (points == best_points and reading.key() < best.key()):
                if best is not None:
                    others.append((best, best_points))
                best, best_points, best_lines = reading, points, lines
            else:
                others.append((reading, points))
    if best is None:
        raise NotWinning("the tiles are not a complete hand")
    return _closed(sheet, hand, best, best_lines, others, waiting)


def _waits(ruleset: "Ruleset", record: ScoringRecord) -> int:
    declared = [0] * KINDS
    concealed_gongs = 0
    for meld in record.melds:
        concealed_gongs += meld.form == CONCEALED_GONG
        for kind in meld.tiles():
            declared[kind] += 1
    melds = len(record.melds)
    procedure = ruleset.procedure
    counts = record.counts
    return waits(counts, suit_keys(counts), procedure.sets - melds, melds, concealed_gongs, declared, procedure.forms)


def _highest(sheet: Sheet, lines: list[Line]) -> dict[str, Line]:
    """For each group the line that counts: the one worth most, of equal ones the earlier or the later in print."""
    highest: dict[str, Line] = {}
    for line in lines:
        for group in line.row.groups:
            rival = highest.get(group)
            if rival is None:
                highest[group] = line
                continue
            more = line.worth.points - rival.worth.points
            later = line.row.place > rival.row.place
            if more > 0 or (more == 0 and later == (group in sheet.later)):
                highest[group] = line
    return highest


def _points(sheet: Sheet, lines: list[Line]) -> int:
    highest = _highest(sheet, lines)
    points = 0
    for line in lines:
        for group in line.row.groups:
            if highest[group] is not line:
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
    highest = _highest(sheet, lines)
    kept: list[Line] = []
    replaced: list[Replaced] = []
    points = 0
    for line in sorted(lines, key=_place):
        for group in line.row.groups:
            by = highest[group]
            if by is not line:
                replaced.append(Replaced(line.row.key, line.worth.points, by.row.key))
                break
        else:
            kept.append(line)
            points += line.worth.points
    for row in sheet.closing:
        closing = row.line(points)
        if closing is not None:
            replaced.extend([Replaced(line.row.key, line.worth.points, row.key) for line in kept])
            kept = [closing]
            points = closing.worth.points
    beside = sheet.beside_lines(reading.form, hand)
    total = points
    for line in beside:
        total += line.worth.points
    others.sort(key=_rank)
    return Score(
        points,
        total,
        tuple([_award(line) for line in kept + beside]),
        reading,
        tuple([Considered(other, worth) for other, worth in others]),
        tuple(replaced),
        waiting,
    )


def _award(line: Line) -> Award:
    return Award(line.row.key, line.worth.points, line.count, line.row.clause)


def _place(line: Line) -> int:
    return line.row.place


def _rank(other: tuple[Reading, int]) -> tuple[int, tuple[object, ...]]:
    return (-other[1], other[0].key())


TALLIES: Final[Mapping[str, Callable[["Ruleset", ScoringRecord], Score]]] = {"points": score}
"""The ways of adding up that a ruleset may name."""
