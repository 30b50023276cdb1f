"""What a scored hand comes to, and why: the answer of every way of adding up."""

from typing import Final

from attrs import frozen

from parlour_engine.scoring.reading import Reading
from parlour_engine.scoring.sheet import Line

LIMITS: Final = ("", "half", "whole")
"""Parts of the limit, by their number of halves."""


class NotWinning(ValueError):
    """The tiles are lawful but do not win."""


@frozen
class Award:
    """One line of a score: `points` and `doubles` are the whole of it, count included; `limit` is `half` or `whole`
    where the line is worth that much of the limit."""

    award: str
    points: int
    count: int
    clause: str
    doubles: int = 0
    limit: str = ""


@frozen
class Replaced:
    """A row that applied but gave way to `by`, another of its group (M2), or to a closing row (M4)."""

    award: str
    points: int
    by: str
    doubles: int = 0
    limit: str = ""


@frozen
class Considered:
    """A reading, the points it comes to, and the total that these come to."""

    reading: Reading
    points: int
    total: int


@frozen
class Score:
    """What a hand is worth, and why.

    `points` is the sum before base, calling, streak and doubling, `total` with them; `awards` lists every line of the
    total. `limited` where a limit capped or set the total.
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
    doubles: int = 0
    limited: bool = False


def award_of(line: Line) -> Award:
    """The line of a score that a line of the sheet becomes."""
    worth = line.worth
    return Award(line.row.key, worth.points, line.count, line.row.clause, worth.doubles, LIMITS[worth.halves])


def replaced_by(line: Line, by: str) -> Replaced:
    """That a line of the sheet gave way to the row `by`."""
    worth = line.worth
    return Replaced(line.row.key, worth.points, by, worth.doubles, LIMITS[worth.halves])
