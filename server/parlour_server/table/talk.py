"""What is said at a table: the players' room, which all hear, and the watchers', which no player does."""

from collections.abc import Iterable
from typing import Final

from parlour_engine.seats import Seat
from parlour_server.budgets import Budgets
from parlour_server.names import clean_line
from parlour_server.protocol.messages import LONGEST_LINE
from parlour_server.protocol.values import ChatLine

KEPT: Final = 50
"""Lines of each room that a newcomer is shown."""
BURST: Final = 5
"""Lines that one may say without a pause."""
PAUSE: Final = 2.0
"""Seconds after which one may say another."""
_MANY: Final = 256
"""People of whom it is kept how much they have said lately, and what they have heard."""


def clean(text: str) -> str:
    """A line as it is shown: without controls, reordering and invisible characters; empty where nothing is left."""
    return clean_line(text, LONGEST_LINE)


class Talk:
    """The last lines of both rooms, each room counting its own: else the players could count the watchers' lines."""

    __slots__ = ("_budgets", "_heard", "_lines", "_said")

    def __init__(self) -> None:
        self._said = (0, 0)
        """Lines of players and of watchers."""
        self._heard: Final[dict[str, tuple[int, int]]] = {}
        """By person: what had been said when it was here last."""
        self._lines: list[ChatLine] = []
        """Of both rooms, in order."""
        self._budgets: Final = Budgets(_MANY)

    def allows(self, person: str, now: float) -> bool:
        """True where this person has not said too much; counts the line that it says then."""
        return self._budgets.take(person, BURST, BURST * PAUSE, now)

    def add(self, seat: Seat | None, name: str, text: str) -> ChatLine:
        """A line of a player (`seat`) or a watcher."""
        room = [line for line in self._lines if (line.seat is None) is (seat is None)]
        line = ChatLine(room[-1].n + 1 if room else 1, seat, name, text)
        if len(room) == KEPT:
            self._lines.remove(room[0])
        self._lines.append(line)
        players, watchers = self._said
        self._said = (players, watchers + 1) if seat is None else (players + 1, watchers)
        return line

    def gone(self, person: str) -> None:
        """A person is not here any more, and hears no more."""
        if len(self._heard) > _MANY:
            self._heard.clear()
        self._heard[person] = self._said

    def missed(self, person: str, *, player: bool) -> bool:
        """True where something was said that a player, or a watcher, who comes back has not heard."""
        heard = self._heard.get(person)
        if heard is None:
            # It was here before the server started again, or never, and may have heard all of it or nothing.
            return bool(self.shown(player=player))
        return heard[0] != self._said[0] or (not player and heard[1] != self._said[1])

    def shown(self, *, player: bool) -> list[ChatLine]:
        """What a player or a watcher may read."""
        return [line for line in self._lines if line.seat is not None or not player]

    def put_back(self, lines: Iterable[ChatLine]) -> None:
        """As `shown` told them to a watcher."""
        self._lines = list(lines)
