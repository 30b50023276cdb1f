"""What a run of deals came to: counts and sums in whole numbers, so that adding them up in any order gives the same."""

from math import sqrt
from typing import Final

from parlour_engine.events import WIN_WAYS
from parlour_engine.seats import SEATS

CONFIDENT: Final = 1.96
"""Standard errors to each side of a mean that hold the true one in 95 of 100 runs."""


class Tally:
    """The sums over some deals.

    `deals` were finished; `wins[way]` counts winners by `WIN_WAYS`, so a deal with two winners counts twice;
    `exhausted` deals without a winner; `wins_by_seat` winners by seat; `points[seat]` and `squares[seat]` the sums of
    a seat's points in a deal and of their squares; `totals` the sum of the winning hands' totals.
    """

    __slots__ = ("deals", "decisions", "exhausted", "points", "squares", "totals", "wins", "wins_by_seat")

    def __init__(self) -> None:
        self.deals = 0
        self.decisions = 0
        self.exhausted = 0
        self.totals = 0
        self.wins: Final[list[int]] = [0] * len(WIN_WAYS)
        self.wins_by_seat: Final[list[int]] = [0, 0, 0, 0]
        self.points: Final[list[int]] = [0, 0, 0, 0]
        self.squares: Final[list[int]] = [0, 0, 0, 0]

    def add(self, decisions: int, wins: list[tuple[int, int, int]], changes: tuple[int, int, int, int]) -> None:
        """Count one deal: its decisions, its winners as (seat, way, total), and the points each seat won or lost."""
        self.deals += 1
        self.decisions += decisions
        if not wins:
            self.exhausted += 1
        for seat, way, total in wins:
            self.wins[way] += 1
            self.wins_by_seat[seat] += 1
            self.totals += total
        for seat in SEATS:
            self.points[seat] += changes[seat]
            self.squares[seat] += changes[seat] * changes[seat]

    def merge(self, other: "Tally") -> None:
        """Add all that `other` counted."""
        self.deals += other.deals
        self.decisions += other.decisions
        self.exhausted += other.exhausted
        self.totals += other.totals
        for mine, theirs in (
            (self.wins, other.wins),
            (self.wins_by_seat, other.wins_by_seat),
            (self.points, other.points),
            (self.squares, other.squares),
        ):
            mine[:] = [one + two for one, two in zip(mine, theirs, strict=True)]

    def mean(self, seat: int) -> float:
        """Points a deal of `seat`; 0 where no deal was counted."""
        return self.points[seat] / self.deals if self.deals else 0.0

    def margin(self, seat: int) -> float | None:
        """Half the width of the 95 % confidence interval of `mean`; None where fewer than two deals were counted."""
        deals = self.deals
        if deals < 2:
            return None
        spread = (self.squares[seat] - self.points[seat] * self.points[seat] / deals) / (deals - 1)
        return CONFIDENT * sqrt(max(0.0, spread) / deals)
