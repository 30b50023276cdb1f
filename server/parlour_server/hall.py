"""All tables, and everybody who may sit at them."""

from typing import Any

from parlour_server.identity import Guest, Guests
from parlour_server.protocol.messages import CreateTable, ErrorCode, RulesetLine
from parlour_server.settings import Settings


class Refused(Exception):
    """A request that cannot be granted; nothing was changed. `code` and the text go to the sender alone."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(text)
        self.code: ErrorCode = code


class LiveTable:
    """A table with its viewers."""

    def join(self, viewer: Any, seen: int | None) -> None:
        """Come in."""

    def disconnect(self, viewer: Any) -> None:
        """Go."""

    def receive(self, viewer: Any, message: Any) -> None:
        """Hear."""


class Hall:
    """The tables of one server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tables: dict[str, LiveTable] = {}
        self.guests = Guests(settings.limits.guests)

    def __len__(self) -> int:
        return len(self._tables)

    def ruleset_lines(self) -> list[RulesetLine]:
        """The rulesets one may choose."""
        return []

    def create(self, guest: Guest, wanted: CreateTable) -> LiveTable:
        """A new table; raises Refused."""
        raise Refused("internal", "there are no tables yet")

    def find(self, table: str) -> LiveTable:
        """The table of a link; raises Refused."""
        raise Refused("no_such_table", "there is no such table, or it has been closed")

    def rename(self, guest: Guest) -> None:
        """Tell the tables a guest's new name."""

    def close(self) -> None:
        """Close every table."""
