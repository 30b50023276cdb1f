"""Journals of matches, some played and some written by hand."""

from collections.abc import Sequence

from parlour_server.protocol.events import MatchEnded, MatchStarted, Paid, Settled
from parlour_server.protocol.values import InstantValue, MeldValue, Standing, WinValue, WinWay
from parlour_server.table.journal import Answered, Happened, MatchBegun, Row, SeatChanged, Sitter

NAMES = ("Ann", "Bob", "Mei", "Lan")


def win(seat: int, by: WinWay, source: int | None) -> WinValue:
    """A hand that won."""
    melds: list[MeldValue] = []
    return WinValue(seat, by, "5p", source, [], melds, [], [], [], [], [], 3, 4, [0, 0, 0, 0], 0, False)


class Hand:
    """A journal as it grows: `begin`, `deal` and so on add rows; every row comes an eighth of a second later."""

    def __init__(self, start: float = 1000.0) -> None:
        self.rows: list[Row] = []
        self.scores = [0, 0, 0, 0]
        self.deals = 0
        self._now = start
        self._version = 0

    def add(self, row: Row) -> None:
        self.rows.append(row)

    def now(self) -> float:
        self._now += 0.125
        return self._now

    def event(self, event: MatchStarted | Settled | Paid | MatchEnded) -> None:
        self._version += 1
        self.add(Happened(self.now(), self._version, event))

    def begin(self, *persons: str | None) -> "Hand":
        """Four seats; a bot where there is no person."""
        sitters = [Sitter(name, None if person else "steady") for name, person in zip(NAMES, persons, strict=True)]
        self.add(MatchBegun(self._now, "lrc", "1", "d" * 64, {"streak": True}, 1, sitters))
        self.event(MatchStarted(1))
        for seat, person in enumerate(persons):
            self.seat(seat, person)
        return self

    def seat(self, seat: int, person: str | None, *, stand_in: bool = False) -> None:
        """Somebody else has the seat, or a bot plays for the one who has it."""
        level = "steady" if person is None or stand_in else None
        name = "Zhu" if person is None and self.deals else NAMES[seat]
        self.add(SeatChanged(self.now(), self._version, seat, person, name, level, stand_in))

    def played(self) -> None:
        """A move that matters to nobody."""
        self.add(Answered(self.now(), self._version, 0, "pass", "person"))

    def deal(self, changes: Sequence[int], *wins: WinValue, instant: Sequence[tuple[int, list[int]]] = ()) -> "Hand":
        """A deal, settled."""
        self.deals += 1
        for seat, paid in instant:
            self.scores = [one + other for one, other in zip(self.scores, paid, strict=True)]
            self.event(Paid(seat, "concealed_gong", paid, list(self.scores)))
        self.scores = [one + other for one, other in zip(self.scores, changes, strict=True)]
        told = [InstantValue(seat, "concealed_gong", paid) for seat, paid in instant]
        self.event(Settled(self.deals, list(wins), [], [], None, told, list(changes), list(self.scores), None))
        return self

    def end(self) -> "Hand":
        """The last deal was the last."""
        ranks = {seat: 1 + sum(other > score for other in self.scores) for seat, score in enumerate(self.scores)}
        order = sorted(range(4), key=lambda seat: ranks[seat])
        self.event(MatchEnded([Standing(seat, ranks[seat], self.scores[seat]) for seat in order]))
        return self
