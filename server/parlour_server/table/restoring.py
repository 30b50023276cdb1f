"""A table out of its journal: every change is made again, in order, and has to tell the same rows again.

What a row cannot tell by itself is found out as it was found out then: by the same code, from the wall, the answers and
their times. A difference is never guessed away.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

from parlour_engine.moves import parse_move
from parlour_engine.seats import Seat
from parlour_server.protocol.events import ShuffleRevealed
from parlour_server.table.chairs import Chair, Person
from parlour_server.table.journal import (
    Added,
    Agreed,
    Answered,
    Checkpoint,
    Closed,
    Happened,
    LineChanged,
    MatchBegun,
    Row,
    Sealed,
    SeatChanged,
    Spoken,
    Voted,
    Waiting,
)
from parlour_server.table.parts import Parts
from parlour_server.table.requests import speak


class BrokenJournal(Exception):
    """Rows that no table has told: `at` is the index of the first that is wrong, the text says what is."""

    def __init__(self, at: int, row: Row, problem: str) -> None:
        super().__init__(f"row {at} ({row.row}): {problem}")
        self.at: Final = at
        self.row: Final = row


class Restoring:
    """Makes a fresh table's changes again. What it tells anew collects in `rows` and is compared."""

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts

    def take(self, told: Sequence[Row]) -> None:
        """All the rows there are. Raises BrokenJournal.

        What the last change has told beyond them stays in `rows`: it was never written, so it is to be told again.
        """
        self._parts.shuffling.remember(told)
        again: deque[Row] = deque()
        for at, row in enumerate(told):
            if not again:
                try:
                    self._change(row, first=at == 0)
                    self._parts.flow.note_gone(row.at)
                except (ValueError, AssertionError, KeyError, IndexError) as error:
                    raise BrokenJournal(at, row, f"{type(error).__name__}: {error}"[:300]) from error
                again.extend(self._parts.rows)
                self._parts.rows.clear()
                if not again:
                    raise BrokenJournal(at, row, "it changes nothing")
            if row != again.popleft():
                # Neither is named: walls and seeds are nobody's to read in a log.
                raise BrokenJournal(at, row, "the table tells something else here")
        self._parts.rows.extend(again)

    def _change(self, row: Row, first: bool) -> None:
        """Do what this row is the first sign of."""
        parts, flow, presence = self._parts, self._parts.flow, self._parts.presence
        match row:
            case MatchBegun():
                parts.begin(row.absent, row.at)
            case Checkpoint():
                if first:
                    parts.keeping.put_back(row)
                    flow.deal([], row.at)
                else:
                    flow.begin_deal(row.at)
            case Sealed():
                flow.begin_deal(row.at)
            case Added():
                flow.add_to_shuffle(row.seat, row.nonce, row.at)
            case Answered():
                chair = self._chair(row.seat)
                if chair.question is None:
                    raise ValueError(f"seat {row.seat} was not asked")
                if row.by == "clock":
                    flow.answer_late(chair, row.at)
                else:
                    flow.answer(chair, parse_move(row.move), row.by, row.at)
            case Happened():
                if isinstance(row.event, ShuffleRevealed):
                    parts.halting.end(row.at)
                elif parts.shuffling.ends is not None:
                    flow.fix_shuffle(row.at)
                else:
                    flow.close_window(row.at)
            case SeatChanged():
                self._seat_changed(self._chair(row.seat), row)
            case Waiting():
                self._owner_changed(self._chair(row.seat), row)
            case LineChanged():
                chair = self._chair(row.seat)
                if not row.up:
                    presence.drop(chair, row.at, row.since)
                elif row.since is not None:
                    presence.forgive(chair, row.at, row.since)
                else:
                    presence.resume(chair, row.at)
            case Agreed():
                flow.agree(self._chair(row.seat), row.at)
            case Voted():
                parts.halting.vote(row)
            case Spoken():
                speak(parts, row)
            case Closed():
                raise ValueError("the table is closed")
            case _:
                raise ValueError("nothing leads to it")

    def _chair(self, seat: Seat) -> Chair:
        if seat not in range(4):
            raise ValueError(f"there is no seat {seat}")
        return self._parts.seating.chairs[seat]

    def _owner_changed(self, chair: Chair, row: SeatChanged | Waiting) -> None:
        if row.person is None:
            self._parts.halting.stand_up(chair, row.at)
        elif chair.person is None:
            self._parts.presence.sit(chair, Person(row.person, row.name), row.at)
        else:
            self._parts.presence.rename(chair, Person(row.person, row.name), row.at)

    def _seat_changed(self, chair: Chair, row: SeatChanged) -> None:
        owner = chair.person
        if row.person is None or owner is None or owner.name != row.name:
            self._owner_changed(chair, row)
        elif row.stand_in and not chair.stand_in:
            self._parts.flow.stand_in(chair, row.at)
        else:
            self._parts.presence.resume(chair, row.at, row.shown)
