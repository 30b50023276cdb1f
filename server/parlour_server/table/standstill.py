"""Why a table stands still, who wants it to, and who wants to end its match. What is done about it, the table does."""

from typing import Final

from parlour_engine.seats import Seat
from parlour_server.protocol import values
from parlour_server.protocol.values import Stopped

GONE: Final = 60.0
"""Seconds after which a seat's owner is gone for long, so that the others may vote to end the match."""
_GRAVEST_FIRST: Final[tuple[Stopped, ...]] = ("frozen", "storage", "restart", "agreed")
_GOES_ON: Final = values.Standstill(None, [], [], may_end=False)


class Standstill:
    """`reasons` are all that hold the table now; `pausing` and `ending` the seats that want a pause or the match's end;
    `may_end` says that they may vote for it, `ended` that the vote is done: nothing happens any more."""

    __slots__ = ("ended", "ending", "may_end", "pausing", "reasons")

    def __init__(self) -> None:
        self.reasons: Final[set[Stopped]] = set()
        self.pausing: Final[set[Seat]] = set()
        self.ending: Final[set[Seat]] = set()
        self.may_end = False
        self.ended = False

    @property
    def holds(self) -> bool:
        """True where nothing may be asked, answered or done by the clock."""
        return self.ended or bool(self.reasons)

    @property
    def stopped(self) -> Stopped | None:
        """The gravest reason to stand still, None where the table goes on."""
        if not self.reasons:
            return None
        for reason in _GRAVEST_FIRST:
            if reason in self.reasons:
                return reason
        return None

    def value(self) -> values.Standstill:
        """As everybody at the table is told."""
        if not (self.reasons or self.pausing or self.ending or self.may_end):
            return _GOES_ON
        return values.Standstill(self.stopped, sorted(self.pausing), sorted(self.ending), self.may_end)

    def forget(self, seat: Seat) -> None:
        """Somebody else has the seat, who wants nothing yet."""
        self.pausing.discard(seat)
        self.ending.discard(seat)
