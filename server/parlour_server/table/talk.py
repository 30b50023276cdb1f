"""What is said at a table: the players' room, which all hear, and the watchers', which no player does."""

from collections.abc import Iterable
from typing import Final

from parlour_engine.seats import Seat
from parlour_server.names import clean_line
from parlour_server.protocol.messages import LONGEST_LINE
from parlour_server.protocol.values import ChatLine

KEPT: Final = 50
"""Lines of each room that a newcomer is shown."""
BURST: Final = 5
"""Lines that one may say without a pause."""
PAUSE: Final = 2.0
"""Seconds after which one may say another."""
_NEARLY_ONE: Final = 1 - 1e-6
_MANY: Final = 256
"""Speakers after which those are forgotten who have been quiet long enough."""


def clean(text: str) -> str:
    """A line as it is shown: without controls, reordering and invisible characters; empty where nothing is left."""
    return clean_line(text, LONGEST_LINE)


class Talk:
    """The last lines of both rooms, each room counting its own: else the players could count the watchers' lines."""

    __slots__ = ("_lines", "_spare")

    def __init__(self) -> None:
        self._lines: list[ChatLine] = []
        """Of both rooms, in order."""
        self._spare: Final[dict[str, tuple[float, float]]] = {}
        """By person: the lines it may say at once, and when that was so."""

    def allows(self, person: str, now: float) -> bool:
        """True where this person has not said too much; counts the line that it says then."""
        if len(self._spare) > _MANY:
            for who in [who for who, (_, at) in self._spare.items() if now - at > BURST * PAUSE]:
                del self._spare[who]
        spare, at = self._spare.get(person, (float(BURST), now))
        spare = min(BURST, spare + (now - at) / PAUSE)
        allowed = spare >= _NEARLY_ONE
        self._spare[person] = (spare - 1 if allowed else spare, now)
        return allowed

    def add(self, seat: Seat | None, name: str, text: str) -> ChatLine:
        """A line of a player (`seat`) or a watcher."""
        room = [line for line in self._lines if (line.seat is None) is (seat is None)]
        line = ChatLine(room[-1].n + 1 if room else 1, seat, name, text)
        if len(room) == KEPT:
            self._lines.remove(room[0])
        self._lines.append(line)
        return line

    def shown(self, *, player: bool) -> list[ChatLine]:
        """What a player or a watcher may read."""
        return [line for line in self._lines if line.seat is not None or not player]

    def put_back(self, lines: Iterable[ChatLine]) -> None:
        """As `shown` told them to a watcher."""
        self._lines = list(lines)
