"""The two closed unions of messages, named by direction. `type` is the tag."""

from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, le, max_len, min_len, optional

from parlour_server.protocol.events import Settled, TableEvent
from parlour_server.protocol.lobby import (
    MAX_INT,
    AskStatistics,
    CreateTable,
    ListMatches,
    ListTables,
    LogIn,
    LogOut,
    Matches,
    Notice,
    Ping,
    Pong,
    QuickMatch,
    Register,
    Rename,
    Renamed,
    SignedIn,
    SignedOut,
    Statistics,
    Tables,
    Welcome,
)
from parlour_server.protocol.values import (
    ChatLine,
    DealView,
    MoveText,
    OptionLine,
    SeatState,
    Shuffle,
    Standing,
    Standstill,
    TableSettings,
    Tile,
    seat_field,
)

PROTOCOL = 1
"""The version this server speaks."""
LONGEST_LINE = 300
"""Characters of the longest thing that can be said at once."""


# --- from the client ---------------------------------------------------------------------------------------------


@frozen
class Hello:
    """The first message of a connection. Without a token the server makes a guest and sends its token once."""

    protocol: int
    token: str | None = field(default=None, validator=optional(max_len(128)), repr=False)
    name: str | None = field(default=None, validator=optional(max_len(80)))
    type: Literal["hello"] = "hello"


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
class Start:
    """Begin the match of a table that waits; its maker alone may."""

    type: Literal["start"] = "start"


@frozen
class Entropy:
    """One's own part in the shuffle of deal `deal`, whose commitment was told: 16 random bytes in hex."""

    deal: int = field(validator=[ge(0), le(MAX_INT)])
    nonce: str = field(validator=[min_len(32), max_len(32)])
    type: Literal["entropy"] = "entropy"


@frozen
class Pause:
    """Whether one wants the table to stand still. It does when all present players want it, and goes on when one of
    them wants to."""

    wanted: bool
    type: Literal["pause"] = "pause"


@frozen
class EndMatch:
    """Whether one wants to end the match here: it ends when all present players want it, and one has been gone for
    long."""

    wanted: bool
    type: Literal["end_match"] = "end_match"


@frozen
class Say:
    """Say something at the table. What a player says, all hear; what a watcher says, the watchers."""

    text: str = field(validator=[min_len(1), max_len(LONGEST_LINE)])
    type: Literal["say"] = "say"


@frozen
class AskHistory:
    """Ask for the running deal from its beginning (`deal` null), or for an earlier one of this match that a watcher may
    see whole; `deal_so_far` answers."""

    deal: int | None = field(default=None, validator=optional([ge(0), le(MAX_INT)]))
    type: Literal["ask_history"] = "ask_history"


AtTable = TakeSeat | Play | Ready | Why | Leave | Start | Entropy | Pause | EndMatch | Say | AskHistory
"""What is said at the table one is at."""
Away = Register | LogIn | LogOut | CreateTable | ListTables | QuickMatch | ListMatches | AskStatistics | Rename | Ping
"""What may be said anywhere."""
FromClient = Hello | Join | AtTable | Away


# --- to the client -----------------------------------------------------------------------------------------------


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
    shuffle: Shuffle | None
    standstill: Standstill
    talk: list[ChatLine]
    owner: bool
    """One has made the table, and begins its match where it waits."""
    bank_ms: int | None
    """What is left of one's own bank; null without a seat, and where clocks are off."""
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
    """Of the time that does not cost the bank anything."""
    total_ms: int | None
    bank_ms: int | None = None
    """What is left of the bank, used when `left_ms` has run out."""
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


LeftReason = Literal["left", "replaced", "closed", "ended", "removed"]


@frozen
class Left:
    """One is no longer here: `left` on request, `replaced` by a newer tab of oneself, `closed` with the table, `ended`
    by vote, `removed` by the house."""

    table: str
    reason: LeftReason
    type: Literal["left"] = "left"


@frozen
class Still:
    """The table stands still, or goes on, or somebody wants one of these; not versioned."""

    table: str
    standstill: Standstill
    type: Literal["still"] = "still"


@frozen
class Said:
    """Somebody has said something."""

    table: str
    line: ChatLine
    type: Literal["said"] = "said"


@frozen
class DealSoFar:
    """A deal from its beginning, as this viewer may know it; folds by itself, and changes nothing at the live table.

    `first` is the version of the first event. `whole` where all hands are open: a deal that is over, told to those who
    watch one deal late.
    """

    table: str
    deal: int
    first: int
    whole: bool
    events: list[TableEvent]
    type: Literal["deal_so_far"] = "deal_so_far"


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
    "next_deal",
    "stale",
    "too_late",
    "illegal_move",
    "not_your_turn",
    "bad_settings",
    "bad_name",
    "too_many",
    "name_taken",
    "bad_login",
    "weak_password",
    "stopped",
    "not_yours",
    "not_watched",
    "muted",
    "banned",
    "closing",
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


ToClient = (
    Welcome
    | SignedIn
    | SignedOut
    | Tables
    | Matches
    | Statistics
    | Notice
    | Table
    | Events
    | DealSoFar
    | Ask
    | Accepted
    | WhyNot
    | Seats
    | Still
    | Said
    | Left
    | Renamed
    | Pong
    | Error
)
