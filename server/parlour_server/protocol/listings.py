"""Values of the lobby: tables and matches as they are listed, and what somebody has won."""

from typing import Literal

from attrs import frozen

from parlour_server.protocol.values import Clocks, Names, OptionValue, Watching, WinWay


@frozen
class TableSeat:
    """A seat as the lobby shows it; `level` is a bot's."""

    name: str
    player: Literal["person", "bot"]
    level: str | None
    present: bool


@frozen
class TableLine:
    """A public table as the lobby shows it."""

    table: str
    ruleset: str
    options: dict[str, OptionValue]
    rounds: Literal[1, 4]
    clocks: Clocks
    floor_ms: int
    pad_windows: bool
    watching: Watching
    seats: list[TableSeat]
    watchers: int
    deal: int
    """The running deal's number; 0 while it waits to begin."""
    over: bool
    demonstration: bool
    """The house's own table of bots."""
    open: bool
    """One may sit down in a bot's place."""


@frozen
class MatchSeat:
    """A line of a finished match; `you` marks the asker's own."""

    name: str
    level: str | None
    score: int
    rank: int
    you: bool


@frozen
class MatchLine:
    """A match that is over. Its record is at `/records/<match>.jsonl`."""

    match: str
    ruleset: str
    ruleset_name: Names
    options: dict[str, OptionValue]
    rounds: int
    began: str
    """UTC, as 2026-01-31T19:30:00Z."""
    deals: int
    finished: bool
    """False where the table was closed before its last deal."""
    public: bool
    seats: list[MatchSeat]


@frozen
class LevelWins:
    """How often one has won in a way."""

    by: WinWay
    wins: int
