"""A sheet: rows in printed order, each a question with points, groups and a clause. It knows no tiles."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from parlour_engine.scoring.facts import FLOWER_WIN, UNFINISHED, HandFacts, ReadingFacts, SplitFacts
from parlour_engine.scoring.patterns import (
    HAND_QUESTIONS,
    READING_QUESTIONS,
    SPLIT_QUESTIONS,
    HandQuestion,
    ReadingQuestion,
    SplitQuestion,
)
from parlour_engine.scoring.reading import Reading, holders

HAND: Final = "hand"
"""The row describes the hand; such rows add up to its points."""
CLOSING: Final = "closing"
"""The row sees that sum and may take its place (Chicken Hand, M4)."""
BESIDE: Final = "beside"
"""The row is added after everything else (base, calling, streak; M5)."""
STAGES: Final = (HAND, CLOSING, BESIDE)


class Worth:
    """What one row gives, in the units a game may count in."""

    __slots__ = ("doubles", "halves", "points", "rank")

    def __init__(self, points: int = 0, doubles: int = 0, halves: int = 0) -> None:
        self.points: Final[int] = points
        self.doubles: Final[int] = doubles
        """Times the sum is doubled after the points are added."""
        self.halves: Final[int] = halves
        """Halves of the limit, which stand in for any smaller sum: 1 is half the limit, 2 the limit."""
        self.rank: Final[int] = points + (doubles << 32) + (halves << 48)
        """Orders what may stand in one group: limits over doubles over points."""


class Line:
    """A row that applies to a hand, with what it gives in all."""

    __slots__ = ("count", "row", "worth")

    def __init__(self, row: "Row", worth: Worth, count: int) -> None:
        self.row: Final[Row] = row
        self.worth: Final[Worth] = worth
        self.count: Final[int] = count


class Row:
    """One row of a sheet, never changed once made.

    It applies where the answer to `question` lies from `least` to `most` (no upper bound if -1). With `each` its
    worth counts once for every one answered; else once, plus `step` points for each one beyond `least`.
    `place` is its position in print. In each of its `groups` only the line that is worth most counts.
    `readings` names the kinds of reading it is asked of. For a closing row the answer is the sum of the hand; with
    `only` it applies where no row but those gives points, and is added to them instead of taking their place.
    """

    __slots__ = (
        "clause",
        "each",
        "groups",
        "key",
        "least",
        "most",
        "only",
        "place",
        "question",
        "readings",
        "single",
        "stage",
        "step",
        "worth",
    )

    def __init__(
        self,
        key: str,
        question: str,
        worth: Worth,
        *,
        clause: str,
        place: int = 0,
        groups: tuple[str, ...] = (),
        readings: tuple[str, ...] = (),
        stage: str = HAND,
        each: bool = False,
        least: int = 1,
        most: int = -1,
        step: int = 0,
        only: tuple[str, ...] = (),
    ) -> None:
        self.key: Final[str] = key
        self.question: Final[str] = question
        self.worth: Final[Worth] = worth
        self.clause: Final[str] = clause
        self.place: Final[int] = place
        self.groups: Final[tuple[str, ...]] = groups
        self.readings: Final[tuple[str, ...]] = readings
        self.stage: Final[str] = stage
        self.each: Final[bool] = each
        self.least: Final[int] = least
        self.most: Final[int] = most
        self.step: Final[int] = step
        self.only: Final[tuple[str, ...]] = only
        self.single: Final[Line] = Line(self, worth, 1)
        """The line of a row that applies once; most do, so it is made only once."""

    def line(self, answer: int) -> Line | None:
        """What this row gives where its question is answered so, or None where it does not apply."""
        if answer < self.least or (answer > self.most >= 0):
            return None
        if self.each and answer > 1:
            worth = self.worth
            return Line(self, Worth(worth.points * answer, worth.doubles * answer, worth.halves), answer)
        if self.step and answer > self.least:
            worth = self.worth
            points = worth.points + self.step * (answer - self.least)
            return Line(self, Worth(points, worth.doubles, worth.halves), 1)
        return self.single


class _Section:
    """The rows that one kind of reading is asked for at one stage, by the depth of their questions."""

    __slots__ = ("hand", "reading", "split")

    def __init__(self, rows: Iterable[Row]) -> None:
        hand: dict[str, list[Row]] = {}
        split: dict[str, list[Row]] = {}
        reading: dict[str, list[Row]] = {}
        for row in rows:
            for questions, asked in (
                (HAND_QUESTIONS, hand),
                (SPLIT_QUESTIONS, split),
                (READING_QUESTIONS, reading),
            ):
                if row.question in questions:
                    asked.setdefault(row.question, []).append(row)
        self.hand: Final[list[tuple[HandQuestion, tuple[Row, ...]]]] = [
            (HAND_QUESTIONS[name], tuple(rows)) for name, rows in hand.items()
        ]
        self.split: Final[list[tuple[SplitQuestion, tuple[Row, ...]]]] = [
            (SPLIT_QUESTIONS[name], tuple(rows)) for name, rows in split.items()
        ]
        self.reading: Final[list[tuple[ReadingQuestion, tuple[Row, ...]]]] = [
            (READING_QUESTIONS[name], tuple(rows)) for name, rows in reading.items()
        ]


class Sheet:
    """Rows in printed order, made ready to be asked. Immutable."""

    __slots__ = ("_beside", "_closing", "_sections", "forms", "grouped", "later", "rows")

    def __init__(self, rows: Iterable[Row], forms: tuple[str, ...], later: frozenset[str] = frozenset()) -> None:
        """`forms` are the kinds of reading the game knows; a row without `readings` is asked of all but flower wins
        and unfinished hands. `later` names the groups in which, of lines worth the same, the later in print counts."""
        self.rows: Final[tuple[Row, ...]] = tuple(row for row in rows if row.worth.rank)
        self.forms: Final[tuple[str, ...]] = forms
        self.later: Final[frozenset[str]] = later
        self._sections: Final[Mapping[str, _Section]] = {
            form: _Section(self._asked(form, HAND)) for form in (*forms, FLOWER_WIN, UNFINISHED)
        }
        self._beside: Final[Mapping[str, _Section]] = {
            form: _Section(self._asked(form, BESIDE)) for form in (*forms, FLOWER_WIN, UNFINISHED)
        }
        self._closing: Final[Mapping[str, tuple[Row, ...]]] = {
            form: tuple(self._asked(form, CLOSING)) for form in (*forms, FLOWER_WIN, UNFINISHED)
        }
        self.grouped: Final[bool] = any(row.groups for row in self.rows)

    def _asked(self, form: str, stage: str) -> list[Row]:
        return [
            row
            for row in self.rows
            if row.stage == stage and (form in row.readings if row.readings else form not in (FLOWER_WIN, UNFINISHED))
        ]

    def hand_lines(self, form: str, hand: HandFacts) -> list[Line]:
        """The lines of a hand that hold however its tiles are read."""
        return _lines_of_hand(self._sections[form].hand, hand)

    def closing_rows(self, form: str) -> tuple[Row, ...]:
        """The rows that look at the sum of such a hand."""
        return self._closing[form]

    def beside_lines(self, form: str, hand: HandFacts) -> list[Line]:
        """Base, calling, streak: what is added last."""
        return _lines_of_hand(self._beside[form].hand, hand)

    def split_lines(self, form: str, split: SplitFacts) -> list[Line]:
        """The lines that hold for this split, whichever group took the win tile."""
        lines: list[Line] = []
        for question, rows in self._sections[form].split:
            answer = question(split)
            if answer:
                for row in rows:
                    line = row.line(answer)
                    if line is not None:
                        lines.append(line)
        return lines

    def reading_lines(self, form: str, reading: ReadingFacts) -> list[Line]:
        """The lines that hold for this group taking the win tile."""
        lines: list[Line] = []
        for question, rows in self._sections[form].reading:
            answer = question(reading)
            if answer:
                for row in rows:
                    line = row.line(answer)
                    if line is not None:
                        lines.append(line)
        return lines

    def lines_by_reading(self, hand: HandFacts, found: Iterable[SplitFacts]) -> Iterator[tuple[Reading, list[Line]]]:
        """Every reading of the splits with the lines that hold for it. What readings share is asked once."""
        of_form: dict[str, list[Line]] = {}
        for split in found:
            form = split.form
            if form not in of_form:
                of_form[form] = self.hand_lines(form, hand)
            common = of_form[form] + self.split_lines(form, split)
            for holder, kind in holders(split):
                lines = common + self.reading_lines(form, ReadingFacts(split, holder, kind))
                yield Reading(split, holder, kind), lines


def stands_alone(row: Row, kept: Iterable[Line]) -> bool:
    """Whether a closing row that looks for it finds no points but those of the rows in its `only`."""
    return not any(line.worth.points and line.row.key not in row.only for line in kept)


def highest(lines: Iterable[Line], later: frozenset[str]) -> dict[str, Line]:
    """For each group the line that counts: the one worth most, of equal ones the earlier in print, in the groups of
    `later` the later."""
    best: dict[str, Line] = {}
    for line in lines:
        for group in line.row.groups:
            rival = best.get(group)
            if rival is None:
                best[group] = line
                continue
            more = line.worth.rank - rival.worth.rank
            if more > 0 or (more == 0 and (line.row.place > rival.row.place) == (group in later)):
                best[group] = line
    return best


def _lines_of_hand(asked: list[tuple[HandQuestion, tuple[Row, ...]]], hand: HandFacts) -> list[Line]:
    lines: list[Line] = []
    for question, rows in asked:
        answer = question(hand)
        if not answer and rows[0].least:
            continue
        for row in rows:
            line = row.line(answer)
            if line is not None:
                lines.append(line)
    return lines
