"""What a table tells its keeper, whole: walls, events, asks and answers. Never for a player's eyes before the end."""

from typing import Literal

from attrs import field, frozen

from parlour_server.protocol.events import Settled, TableEvent
from parlour_server.protocol.values import ChatLine, DealView, MoveText, OptionValue, Shuffle, Tile

AnsweredBy = Literal["person", "bot", "clock"]


@frozen
class Sitter:
    """Who sits at a seat as the match begins; `level` is a bot's, null for a person."""

    name: str
    level: str | None


@frozen
class MatchBegun:
    """The first row of the match: which game is played, under which switches (those set otherwise than the ruleset's
    file sets them), and by whom. `absent` are the seats whose owner's line was not up."""

    at: float
    ruleset: str
    ruleset_version: str
    digest: str
    options: dict[str, OptionValue]
    rounds: int
    seats: list[Sitter]
    absent: list[int] = field(factory=list)
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
    """Who sits there from `version` on; `person` is null for a bot, `level` for a person. `shown` is what the others
    are told of `stand_in`."""

    at: float
    version: int
    seat: int
    person: str | None
    name: str
    level: str | None
    stand_in: bool
    shown: bool = False
    row: Literal["seat"] = "seat"


@frozen
class LineChanged:
    """The line of a seat's owner went down, or (`up`) the owner is there again; no other row tells of it.

    With `since` the line that was there had been silent since then: what the seat's bank was charged for that is given
    back. With `up` as well that is all that the row tells.
    """

    at: float
    seat: int
    up: bool
    since: float | None = None
    row: Literal["line"] = "line"


@frozen
class Agreed:
    """The owner of a seat agrees to go on after the settlement of deal `deal`."""

    at: float
    seat: int
    deal: int
    row: Literal["agreed"] = "agreed"


@frozen
class Voted:
    """Whether the owner of a seat wants the table to stand still, or the match to end here."""

    at: float
    seat: int
    about: Literal["pause", "end"]
    wanted: bool
    row: Literal["voted"] = "voted"


@frozen
class Waiting:
    """Who has a seat while the match waits to begin; `person` is null for a bot."""

    at: float
    seat: int
    person: str | None
    name: str
    row: Literal["waiting"] = "waiting"


@frozen
class Spoken:
    """Something was said, by a player or (`seat` null) a watcher."""

    at: float
    seat: int | None
    name: str
    text: str
    row: Literal["spoken"] = "spoken"


@frozen
class Sealed:
    """The secret seed of a deal, before its commitment is told; hex."""

    at: float
    deal: int
    seed: str = field(repr=False)
    context: str
    commit: str
    row: Literal["sealed"] = "sealed"


@frozen
class Added:
    """What a seat adds to the shuffle of a deal; hex."""

    at: float
    deal: int
    seat: int
    nonce: str
    row: Literal["added"] = "added"


@frozen
class DealKept:
    """A deal that is over, for those who may see it whole: its `events` from version `first` to `last`; the table at
    its end with all hands open, and as everybody may know it."""

    deal: int
    first: int
    last: int
    events: list[TableEvent]
    whole: DealView
    public: DealView
    settled: Settled
    shuffle: Shuffle | None


@frozen
class SeatKept:
    """A seat as a deal begins; all of it is in `Chair`."""

    person: str | None
    name: str | None
    away_since: float | None
    stand_in: bool
    shown: bool
    late: int
    answered: int
    lapsed: int
    bank_ms: int | None


@frozen
class Checkpoint:
    """The row before every wall but the match's first: with the rows after it the table can be restored, and nobody has
    to read those before.

    `version` is that of the last event, `deal` the number of the deal that begins; `dealer`, `round_wind`, `streak`
    and `scores` are the match's; `moved` are the persons who have taken or left a seat since the deal before, and
    after which event; `players` all who have had one in this match; `pausing` and `ending` the seats that want a pause
    or the match's end; `shuffle` is this deal's, where there is one, `seeds` are those not shown yet, up to this
    deal's; `talk` the lines of both rooms; `finished` the deal before, where watchers see one deal late.
    """

    at: float
    version: int
    deal: int
    dealer: int
    round_wind: int
    streak: int
    scores: list[int]
    seats: list[SeatKept]
    moved: dict[str, int]
    pausing: list[int]
    ending: list[int]
    players: list[str]
    shuffle: Shuffle | None
    seeds: list[str] = field(repr=False)
    talk: list[ChatLine]
    finished: DealKept | None
    row: Literal["checkpoint"] = "checkpoint"


@frozen
class Closed:
    """The last row: the table is gone, its match over or not."""

    at: float
    row: Literal["closed"] = "closed"


Row = (
    MatchBegun
    | Checkpoint
    | WallLaid
    | Happened
    | Offered
    | Answered
    | SeatChanged
    | LineChanged
    | Agreed
    | Voted
    | Waiting
    | Spoken
    | Sealed
    | Added
    | Closed
)
