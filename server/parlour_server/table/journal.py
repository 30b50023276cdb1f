"""What a table tells its keeper, whole: walls, events, asks and answers. Never for a player's eyes before the end."""

from typing import Literal

from attrs import frozen

from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.values import MoveText, OptionValue, Tile

AnsweredBy = Literal["person", "bot", "clock"]


@frozen
class Sitter:
    """Who sits at a seat as the match begins; `level` is a bot's, null for a person."""

    name: str
    level: str | None


@frozen
class MatchBegun:
    """The first row: which game is played, under which switches (those set otherwise than the ruleset's file sets
    them), and by whom."""

    at: float
    ruleset: str
    ruleset_version: str
    digest: str
    options: dict[str, OptionValue]
    rounds: int
    seats: list[Sitter]
    row: Literal["match"] = "match"


@frozen
class WallLaid:
    """The wall of a deal in drawing order, before its first event."""

    at: float
    deal: int
    wall: list[Tile]
    dice: list[int]
    row: Literal["wall"] = "wall"


@frozen
class Happened:
    """A versioned event with nothing hidden."""

    at: float
    version: int
    event: TableEvent
    row: Literal["event"] = "event"


@frozen
class Offered:
    """A seat was asked at `version`."""

    at: float
    version: int
    seat: int
    moves: list[MoveText]
    row: Literal["offered"] = "offered"


@frozen
class Answered:
    """What the seat answered, and who decided it."""

    at: float
    version: int
    seat: int
    move: MoveText
    by: AnsweredBy
    row: Literal["answered"] = "answered"


@frozen
class SeatChanged:
    """Who sits there from `version` on; `person` is null for a bot, `level` for a person."""

    at: float
    version: int
    seat: int
    person: str | None
    name: str
    level: str | None
    stand_in: bool
    row: Literal["seat"] = "seat"


@frozen
class Closed:
    """The last row: the table is gone, its match over or not."""

    at: float
    row: Literal["closed"] = "closed"


Row = MatchBegun | WallLaid | Happened | Offered | Answered | SeatChanged | Closed
