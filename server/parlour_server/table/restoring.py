"""A table out of its journal: every change is made again, in order, and has to tell the same rows again.

What a row cannot tell by itself is found out as it was found out then: by the same code, from the wall, the answers and
their times. A difference is never guessed away.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from parlour_engine.match import NextDeal
from parlour_engine.moves import parse_move
from parlour_engine.notation import parse_tile
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from parlour_engine.tiles import Kind
from parlour_server.table.chairs import Chair, Person
from parlour_server.table.course import Course, Deals
from parlour_server.table.flow import Flow
from parlour_server.table.journal import (
    Agreed,
    Answered,
    Checkpoint,
    Closed,
    Happened,
    LineChanged,
    MatchBegun,
    Row,
    SeatChanged,
    Voted,
    WallLaid,
)
from parlour_server.table.seating import Seating
from parlour_server.table.standstill import Standstill


class BrokenJournal(Exception):
    """Rows that no table has told: `at` is the index of the first that is wrong, the text says what is."""

    def __init__(self, at: int, row: Row, problem: str) -> None:
        super().__init__(f"row {at} ({row.row}): {problem}")
        self.at: Final = at
        self.row: Final = row


class Laid:
    """The walls that these rows tell, then those of `deals`."""

    def __init__(self, deals: Deals, rows: Sequence[Row]) -> None:
        self._deals: Final = deals
        self._known: Final = {row.deal: row for row in rows if isinstance(row, WallLaid)}

    def __call__(self, number: int, procedure: Procedure) -> tuple[Sequence[Kind], Sequence[int]]:
        """The wall and the dice of the deal with this number."""
        known = self._known.pop(number, None)
        if known is None:
            return self._deals(number, procedure)
        return [parse_tile(tile) for tile in known.wall], known.dice


class Restoring:
    """Makes a fresh table's changes again. What it tells anew collects in `rows` and is compared."""

    def __init__(
        self,
        course: Course,
        flow: Flow,
        seating: Seating,
        standstill: Standstill,
        rows: list[Row],
        begin: Callable[[float, Sequence[Seat]], None],
        stand_up: Callable[[Chair, float], None],
        vote: Callable[[Voted], None],
    ) -> None:
        """`begin` begins the match, `stand_up` lets an owner leave, `vote` counts a vote."""
        self._course: Final = course
        self._flow: Final = flow
        self._seating: Final = seating
        self._standstill: Final = standstill
        self._rows: Final = rows
        self._begin: Final = begin
        self._stand_up: Final = stand_up
        self._vote: Final = vote

    def take(self, told: Sequence[Row]) -> None:
        """All the rows there are. Raises BrokenJournal.

        What the last change has told beyond them stays in `rows`: it was never written, so it is to be told again.
        """
        again: deque[Row] = deque()
        for at, row in enumerate(told):
            if not again:
                try:
                    self._change(row, first=at == 0)
                    self._flow.note_gone(row.at)
                except (ValueError, AssertionError, KeyError, IndexError) as error:
                    raise BrokenJournal(at, row, f"{type(error).__name__}: {error}") from error
                again.extend(self._rows)
                self._rows.clear()
                if not again:
                    raise BrokenJournal(at, row, "it changes nothing")
            expected = again.popleft()
            if row != expected:
                raise BrokenJournal(at, row, f"the table tells {str(expected)[:200]} here, and not {str(row)[:200]}")
        self._rows.extend(again)

    def _change(self, row: Row, first: bool) -> None:
        """Do what this row is the first sign of."""
        flow = self._flow
        match row:
            case MatchBegun():
                self._begin(row.at, row.absent)
            case Checkpoint():
                if first:
                    self._put_back(row)
                flow.begin_deal(row.at)
            case Answered():
                chair = self._chair(row.seat)
                if chair.question is None:
                    raise ValueError(f"seat {row.seat} was not asked")
                if row.by == "clock":
                    flow.answer_late(chair, row.at)
                else:
                    flow.answer(chair, parse_move(row.move), row.by, row.at)
            case Happened():
                flow.close_window(row.at)
            case SeatChanged():
                self._seat_changed(self._chair(row.seat), row)
            case LineChanged():
                chair = self._chair(row.seat)
                if row.up:
                    flow.resume(chair, row.at)
                else:
                    flow.drop(chair, row.at)
            case Agreed():
                flow.agree(self._chair(row.seat), row.at)
            case Voted():
                self._vote(row)
            case Closed():
                raise ValueError("the table is closed")
            case _:
                raise ValueError("nothing leads to it")

    def _put_back(self, kept: Checkpoint) -> None:
        due = NextDeal(kept.dealer, kept.round_wind, kept.streak, kept.deal - 1)
        self._course.put_back(due, kept.scores, kept.version)
        self._seating.put_back(kept.moved, kept.version)
        for chair, seat in zip(self._seating.chairs, kept.seats, strict=True):
            chair.put_back(seat)
        self._standstill.pausing.update(kept.pausing)
        self._standstill.ending.update(kept.ending)

    def _chair(self, seat: Seat) -> Chair:
        if seat not in range(4):
            raise ValueError(f"there is no seat {seat}")
        return self._seating.chairs[seat]

    def _seat_changed(self, chair: Chair, row: SeatChanged) -> None:
        flow, owner = self._flow, chair.person
        if row.person is None:
            self._stand_up(chair, row.at)
        elif owner is None:
            flow.sit(chair, Person(row.person, row.name), row.at)
        elif owner.name != row.name:
            flow.rename(chair, Person(row.person, row.name), row.at)
        elif row.stand_in and not chair.stand_in:
            flow.stand_in(chair, row.at)
        else:
            flow.resume(chair, row.at, row.shown)
