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
    `exhausted` deals without a winner, `washed` those that were washed; `wins_by_seat` winners by seat; `points[seat]`
    and `squares[seat]` the sums of a seat's points in a deal and of their squares; `totals` the sum of the winning
    hands' totals, `least` and `most` the smallest and largest of them (None without a win); `doubles` the sum of their
    doubles, `limited` how many of them a limit capped or set.
    """

    __slots__ = (
        "deals",
        "decisions",
        "doubles",
        "exhausted",
        "least",
        "limited",
        "most",
        "points",
        "squares",
        "totals",
        "washed",
        "wins",
        "wins_by_seat",
    )

    def __init__(self) -> None:
        self.deals = 0
        self.decisions = 0
        self.exhausted = 0
        self.washed = 0
        self.totals = 0
        self.least: int | None = None
        self.most: int | None = None
        self.doubles = 0
        self.limited = 0
        self.wins: Final[list[int]] = [0] * len(WIN_WAYS)
        self.wins_by_seat: Final[list[int]] = [0, 0, 0, 0]
        self.points: Final[list[int]] = [0, 0, 0, 0]
        self.squares: Final[list[int]] = [0, 0, 0, 0]

    def add(
        self,
        decisions: int,
        wins: list[tuple[int, int, int]],
        changes: tuple[int, int, int, int],
        *,
        doubles: int = 0,
        limited: int = 0,
        washed: bool = False,
    ) -> None:
        """Count one deal: its decisions, its winners as (seat, way, total), the points each seat won or lost, the
        winners' doubles, how many of them a limit touched, and whether it was washed."""
        self.deals += 1
        self.decisions += decisions
        self.doubles += doubles
        self.limited += limited
        if washed:
            self.washed += 1
        elif not wins:
            self.exhausted += 1
        for seat, way, total in wins:
            self._extend(total)
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
        self.washed += other.washed
        self.doubles += other.doubles
        self.limited += other.limited
        for total in (other.least, other.most):
            if total is not None:
                self._extend(total)
        self.totals += other.totals
        for mine, theirs in (
            (self.wins, other.wins),
            (self.wins_by_seat, other.wins_by_seat),
            (self.points, other.points),
            (self.squares, other.squares),
        ):
            mine[:] = [one + two for one, two in zip(mine, theirs, strict=True)]

    def _extend(self, total: int) -> None:
        self.least = total if self.least is None else min(self.least, total)
        self.most = total if self.most is None else max(self.most, total)

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
