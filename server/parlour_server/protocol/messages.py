"""The two closed unions of messages, named by direction. `type` is the tag."""

from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, le, max_len, optional

from parlour_server.protocol.events import Settled, TableEvent
from parlour_server.protocol.values import (
    Clocks,
    DealView,
    MoveText,
    Names,
    OptionLine,
    OptionValue,
    SeatState,
    Standing,
    TableSettings,
    Tile,
    name_field,
    seat_field,
)

PROTOCOL = 1
"""The version this server speaks."""

MAX_INT = 2**53 - 1
"""The largest number that every client can hold."""


# --- from the client ---------------------------------------------------------------------------------------------


@frozen
class Hello:
    """The first message of a connection. Without a token the server makes a guest and sends its token once."""

    protocol: int
    token: str | None = field(default=None, validator=optional(max_len(128)))
    name: str | None = field(default=None, validator=optional(max_len(80)))
    type: Literal["hello"] = "hello"


@frozen
class CreateTable:
    """Make a table and sit down at it; `bots` are the levels of the three other seats, `rounds` the game's own where it
    is null."""

    ruleset: str = field(default="lrc", validator=max_len(40))
    options: dict[str, OptionValue] = field(factory=dict, validator=max_len(40))
    rounds: Literal[1, 4] | None = None
    clocks: Clocks = "casual"
    bots: list[str] = field(factory=lambda: ["steady", "steady", "steady"], validator=max_len(3))
    pad_windows: bool = False
    type: Literal["create_table"] = "create_table"


@frozen
class Join:
    """Go to a table: back to one's own seat if one has it, else as a watcher.

    `seen` is the last version this client has folded; the server sends the events after it, or a whole `table`.
    """

    table: str = field(validator=max_len(64))
    seen: int | None = field(default=None, validator=optional([ge(0), le(MAX_INT)]))
    type: Literal["join"] = "join"


@frozen
class TakeSeat:
    """Take the seat of a bot (one's own stand-in included) at the table one is at."""

    seat: int = seat_field()
    type: Literal["take_seat"] = "take_seat"


@frozen
class Play:
    """Answer the ask of `version` with one of its moves; `id` comes back in `accepted` or `error`."""

    version: int = field(validator=[ge(0), le(MAX_INT)])
    move: MoveText = field(validator=max_len(40))
    id: int = field(default=0, validator=[ge(0), le(MAX_INT)])
    type: Literal["play"] = "play"


@frozen
class Ready:
    """Agree to go on after the settlement of deal number `deal`."""

    deal: int = field(validator=[ge(0), le(MAX_INT)])
    type: Literal["ready"] = "ready"


@frozen
class Why:
    """Ask why one cannot win now; `id` comes back in `why_not` or `error`."""

    id: int = field(default=0, validator=[ge(0), le(MAX_INT)])
    type: Literal["why"] = "why"


@frozen
class Leave:
    """Leave the table: a bot takes the seat for good, a watcher just goes."""

    type: Literal["leave"] = "leave"


@frozen
class Rename:
    """Change one's display name."""

    name: str = name_field()
    type: Literal["rename"] = "rename"


@frozen
class Ping:
    """Measure the line; `n` comes back."""

    n: int = field(default=0, validator=[ge(0), le(MAX_INT)])
    type: Literal["ping"] = "ping"


FromClient = Hello | CreateTable | Join | TakeSeat | Play | Ready | Why | Leave | Rename | Ping


# --- to the client -----------------------------------------------------------------------------------------------


@frozen
class RulesetLine:
    """A ruleset one may choose."""

    key: str
    version: str
    name: Names
    hand_size: int
    """Tiles of a seat that is not on turn."""
    rounds: Literal[1, 4]
    """Length of a match where nothing else is chosen."""
    options: list[OptionLine]


@frozen
class Welcome:
    """Answer to hello. `token` is set only when it was just made: keep it, it is the key to one's seats."""

    protocol: int
    server: str
    token: str | None
    name: str
    rulesets: list[RulesetLine]
    bots: list[str]
    type: Literal["welcome"] = "welcome"


@frozen
class Table:
    """A whole table as this viewer may know it at `version`; replaces everything the client had.

    `you` is one's seat, null for a watcher. `deal` is null only before the first deal. `settled` is set while the
    table waits for the players to go on, `standing` after the match.
    """

    table: str
    version: int
    you: int | None
    settings: TableSettings
    seats: list[SeatState]
    watchers: int
    scores: list[int]
    deal: DealView | None
    settled: Settled | None
    standing: list[Standing] | None
    type: Literal["table"] = "table"


@frozen
class Events:
    """What happened, in order. The last event has `version`, the first `version - len(events) + 1`."""

    table: str
    version: int
    events: list[TableEvent]
    type: Literal["events"] = "events"


@frozen
class Ask:
    """One's own turn, claim or chance to wash, with every legal move. It lapses when a later version arrives.

    `left_ms` and `total_ms` are null where clocks are off.
    """

    version: int
    kind: Literal["turn", "claim", "rob", "wash"]
    moves: list[MoveText]
    left_ms: int | None
    total_ms: int | None
    type: Literal["ask"] = "ask"


@frozen
class Accepted:
    """The answer with this `id` was taken (in a claim window nothing else tells so)."""

    id: int
    version: int
    type: Literal["accepted"] = "accepted"


WhyNotReason = Literal["can_win", "incomplete", "no_tile", "other_tile", "missed_win", "not_seated", "over"]


@frozen
class WhyNot:
    """Answer to `why`, from nothing but what one's own seat may know.

    `missing` tiles to a complete hand (0 complete, 1 ready) of `form`, the nearest shape: `standard` or a special one.
    """

    id: int
    version: int
    reason: WhyNotReason
    missing: int
    form: str
    completing: list[Tile]
    """Kinds that complete the hand, when one is missing."""
    helping: list[Tile]
    """Kinds that bring it nearer."""
    barred: list[Tile]
    """Kinds one may not win on because of a win that was passed."""
    type: Literal["why_not"] = "why_not"


@frozen
class Seats:
    """Who is here; not versioned."""

    table: str
    you: int | None
    seats: list[SeatState]
    watchers: int
    type: Literal["seats"] = "seats"


@frozen
class Left:
    """One is no longer here: `left` on request, `replaced` by a newer tab of oneself, `closed` with the table."""

    table: str
    reason: Literal["left", "replaced", "closed"]
    type: Literal["left"] = "left"


@frozen
class Renamed:
    """The name as it is shown."""

    name: str
    type: Literal["renamed"] = "renamed"


@frozen
class Pong:
    """Answer to ping."""

    n: int
    type: Literal["pong"] = "pong"


ErrorCode = Literal[
    "bad_message",
    "unsupported_protocol",
    "say_hello",
    "bad_token",
    "no_such_table",
    "table_full",
    "not_at_table",
    "not_seated",
    "seat_taken",
    "stale",
    "too_late",
    "illegal_move",
    "not_your_turn",
    "bad_settings",
    "bad_name",
    "too_many",
    "internal",
]


@frozen
class Error:
    """Nothing was changed. `id` is the one of the `play` it answers, else null. The message is at most 200 bytes.

    `option` is the switch that was given a value it may not have, where `bad_settings` is about one."""

    code: ErrorCode
    message: str
    id: int | None = None
    option: OptionLine | None = None
    type: Literal["error"] = "error"


ToClient = Welcome | Table | Events | Ask | Accepted | WhyNot | Seats | Left | Renamed | Pong | Error
