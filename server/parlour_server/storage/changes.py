"""What may be written, as values: each is written whole or not at all, in the order in which it was told."""

from typing import Literal

from attrs import field, frozen

from parlour_server.protocol.values import Names, OptionValue, WinWay
from parlour_server.table.journal import Row
from parlour_server.table.settings import Settings

Utc = str
"""A moment as `2026-01-31T19:30:00Z`; such texts sort as time goes."""
BanKind = Literal["identity", "address"]


# --- people ------------------------------------------------------------------------------------------------------


@frozen
class IdentityMade:
    """Somebody new; `id` stays theirs over all tokens."""

    id: str
    name: str
    at: Utc


@frozen
class IdentityRenamed:
    """Another display name."""

    id: str
    name: str


@frozen
class SessionMade:
    """A token was given out; `key` is its SHA-256, the token itself is never stored."""

    key: bytes
    identity: str
    at: Utc


@frozen
class SessionUsed:
    """A token was shown again: once a day is enough. Sessions that nobody uses any more are forgotten (`Pruned`)."""

    key: bytes
    at: Utc


@frozen
class SessionEnded:
    """A token is void."""

    key: bytes


@frozen
class SessionsEnded:
    """All tokens of an identity are void."""

    identity: str


@frozen
class AccountMade:
    """A guest takes a name and a password. Refused where `folded` is taken or the identity has an account."""

    identity: str
    account: str
    folded: str
    password_hash: str


@frozen
class PasswordChanged:
    """Another hash for an account: another password, or other costs of hashing."""

    identity: str
    password_hash: str


# --- tables ------------------------------------------------------------------------------------------------------


@frozen
class SeatMeta:
    """Who a table was made with: a person's id, or a bot's level."""

    name: str
    person: str | None
    level: str | None


@frozen(kw_only=True)
class TableMeta:
    """All that a table was made of, beside its journal."""

    ruleset: str
    ruleset_version: str
    digest: str
    """Of the ruleset's file (`RulesetKept`), before options."""
    ruleset_name: Names
    options: dict[str, OptionValue]
    """Switches set otherwise than the file sets them."""
    settings: Settings
    occupants: list[SeatMeta]
    owner: str | None
    """The identity that made it, None for the house's own."""
    public: bool
    made_at: Utc
    match: str
    """The public name of its match."""
    demonstration: bool = False
    began: Utc | None = None
    """When its match began; `TableBegan` sets it."""


@frozen
class TableMade:
    """A table stands; its rows may be told from now on."""

    table: str
    meta: TableMeta


@frozen
class TableBegan:
    """Its match begins."""

    table: str
    at: Utc


@frozen
class RowsTold:
    """What has happened at a table. The list must not be changed afterwards."""

    table: str
    rows: list[Row]


@frozen
class TableGone:
    """The table is no more, and its rows go with it."""

    table: str


# --- matches that are over ---------------------------------------------------------------------------------------


@frozen
class StoredSeat:
    """A seat's line in the lists; `person` is the identity that had it in the end, null for a bot."""

    name: str
    level: str | None
    person: str | None
    score: int
    rank: int


@frozen
class DealResult:
    """What one deal was for the person who had the seat; bots have none."""

    deal: int
    seat: int
    person: str
    won: WinWay | None
    dealt_in: bool
    """Somebody won on the seat's discard, or robbed its gong."""
    points: int
    """All that the deal changed, instant payments included."""


@frozen(kw_only=True)
class StoredMatch:
    """A match that is over: its line for the lists, its record, and what it adds to statistics."""

    match: str
    ruleset: str
    ruleset_version: str
    digest: str
    ruleset_name: Names
    options: dict[str, OptionValue]
    rounds: int
    began: Utc
    ended: Utc
    deals: int
    finished: bool
    public: bool
    demonstration: bool
    seats: list[StoredSeat]
    results: list[DealResult]
    text: str = field(repr=False)
    """The record (docs/record.md)."""


@frozen
class MatchStored:
    """A match is over. One that is there already stays as it is: telling it twice adds nothing."""

    match: StoredMatch


@frozen
class Pruned:
    """Forget what is older: matches that ended before `matches_before` (tables of the house: `demonstration_before`),
    sessions not used since `sessions_before`, and guests who have neither a session nor a match left. None: keep."""

    matches_before: Utc | None = None
    demonstration_before: Utc | None = None
    sessions_before: Utc | None = None


# --- the house ---------------------------------------------------------------------------------------------------


@frozen
class RulesetKept:
    """A ruleset's file, so that what was played under it can be restored and replayed later. `bases` are the texts of
    the files it is based on, by the name that stands in the file."""

    digest: str
    key: str
    version: str
    text: str = field(repr=False)
    bases: dict[str, str] = field(factory=dict, repr=False)


@frozen
class Banned:
    """An identity or an address may not come in, until `until` (None: for good)."""

    kind: BanKind
    who: str
    until: Utc | None
    reason: str
    at: Utc


@frozen
class Unbanned:
    """It may again."""

    kind: BanKind
    who: str


@frozen
class Muted:
    """An identity may not chat."""

    identity: str
    until: Utc | None
    reason: str
    at: Utc


@frozen
class Unmuted:
    """It may again."""

    identity: str


@frozen
class Together:
    """Several changes in one: all of them or none."""

    changes: tuple["Change", ...]


Change = (
    IdentityMade
    | IdentityRenamed
    | SessionMade
    | SessionUsed
    | SessionEnded
    | SessionsEnded
    | AccountMade
    | PasswordChanged
    | TableMade
    | TableBegan
    | RowsTold
    | TableGone
    | MatchStored
    | Pruned
    | RulesetKept
    | Banned
    | Unbanned
    | Muted
    | Unmuted
    | Together
)
