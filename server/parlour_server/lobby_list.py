"""The public tables as the lobby shows them, and the one that suits somebody who wants to play now."""

from collections.abc import Callable, Container, Iterable
from typing import Final, Protocol, TypeVar

from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, encode
from parlour_server.protocol.listings import TableLine
from parlour_server.protocol.lobby import Tables

MOST_LINES: Final = 60
"""Tables in one answer."""
FRESH: Final = 1.0
"""Seconds for which an answer serves everybody who asks."""


class Listed(Protocol):
    """A table as far as the lobby looks at it. Raises nothing."""

    @property
    def id(self) -> str:
        """Its link."""

    @property
    def public(self) -> bool:
        """Whether it may be listed."""

    @property
    def open(self) -> bool:
        """Whether one may sit down in a bot's place, and the match goes on."""

    @property
    def people_present(self) -> int:
        """People who have a seat and are here."""

    def line(self) -> TableLine:
        """As the lobby shows it."""


Found = TypeVar("Found", bound=Listed)


def inviting(tables: Iterable[Found]) -> list[Found]:
    """The public ones: those one may sit down at first, then those with people, then the newest. `tables` come in
    the order in which they were made."""
    public = [(table.open, table.people_present, age, table) for age, table in enumerate(tables) if table.public]
    public.sort(key=lambda entry: entry[:3], reverse=True)
    return [entry[3] for entry in public]


class TableList:
    """Answers `list_tables` to any number of people who ask again and again: the answer is made once a second."""

    def __init__(self, tables: Callable[[], Iterable[Listed]]) -> None:
        self._tables = tables
        self._frames: dict[bool, tuple[float, bytes]] = {}
        """By whether a line speaks JSON: when the answer was made, and the answer."""

    def frame(self, *, text: bool, now: float) -> bytes:
        """The answer, encoded. It depends on nobody who asks."""
        made, frame = self._frames.get(text, (0.0, b""))
        if not frame or now - made >= FRESH:
            found = inviting(self._tables())
            answer = Tables([table.line() for table in found[:MOST_LINES]], len(found))
            encoded = encode(answer, JSON_SUBPROTOCOL if text else MSGPACK_SUBPROTOCOL)
            frame = encoded.encode() if isinstance(encoded, str) else encoded
            self._frames[text] = (now, frame)
        return frame


def seat_for(tables: Iterable[Found], ruleset: str | None, away_from: Container[str]) -> tuple[Found, int] | None:
    """The table that suits somebody who wants to play now, and a bot's seat there; None where there is none.

    `away_from` has the ids of tables that do not: the one that one is at, and those one has left.
    """
    for table in inviting(tables):
        if not table.open:
            return None
        if table.id in away_from:
            continue
        line = table.line()
        # The line knows more: a seat is of no use where nobody gets in to take it.
        if not line.open or (ruleset is not None and line.ruleset != ruleset):
            continue
        seats = [seat for seat, who in enumerate(line.seats) if who.player == "bot"]
        if seats:
            return table, seats[0]
    return None
