"""What is said away from the tables: who somebody is, which tables there are, what was played before."""

from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, le, max_len, min_len, optional

from parlour_server.protocol.listings import LevelWins, MatchLine, TableLine
from parlour_server.protocol.values import Clocks, Names, OptionLine, OptionValue, Reveal, Watching, name_field

MAX_INT = 2**53 - 1
"""The largest number that every client can hold."""
LONGEST_FLOOR = 10_000
"""Milliseconds of the longest claim floor that a table may choose."""


def _account_field() -> str:
    return field(validator=[min_len(1), max_len(40)])


def _password_field() -> str:
    return field(validator=[min_len(1), max_len(200)], repr=False)


# --- from the client ---------------------------------------------------------------------------------------------


@frozen
class Register:
    """Make an account of the guest one is: its history stays, and one may come back to it with name and password."""

    account: str = _account_field()
    password: str = _password_field()
    type: Literal["register"] = "register"


@frozen
class LogIn:
    """Be the person of an account from now on; the guest one was stays where it is."""

    account: str = _account_field()
    password: str = _password_field()
    type: Literal["log_in"] = "log_in"


@frozen
class LogOut:
    """Give back this browser's token, or (`everywhere`) all tokens of this person. Its lines are closed."""

    everywhere: bool = False
    type: Literal["log_out"] = "log_out"


@frozen
class CreateTable:
    """Make a table and sit down at it; `bots` are the levels of the three other seats, `rounds` the game's own where it
    is null.

    A `public` table is listed for everybody; any other is found by its link alone. With `start` "now" the match begins
    at once, with "together" when its maker says so. `floor_ms` is the server's own where it is null.
    """

    ruleset: str = field(default="lrc", validator=max_len(40))
    options: dict[str, OptionValue] = field(factory=dict, validator=max_len(40))
    rounds: Literal[1, 4] | None = None
    clocks: Clocks = "casual"
    bots: list[str] = field(factory=lambda: ["steady", "steady", "steady"], validator=max_len(3))
    pad_windows: bool = False
    public: bool = False
    start: Literal["now", "together"] = "now"
    watching: Watching = "live"
    reveal: Reveal = "match"
    floor_ms: int | None = field(default=None, validator=optional([ge(0), le(LONGEST_FLOOR)]))
    type: Literal["create_table"] = "create_table"


@frozen
class ListTables:
    """Ask which public tables there are; `tables` answers. Ask again every few seconds while the list is looked at."""

    type: Literal["list_tables"] = "list_tables"


@frozen
class QuickMatch:
    """Sit down at a public table of this ruleset (any, where null) that has a bot's seat free, else make one."""

    ruleset: str | None = field(default=None, validator=optional(max_len(40)))
    type: Literal["quick_match"] = "quick_match"


@frozen
class ListMatches:
    """Ask for matches that are over, newest first: one's `mine`, or all of public tables. `before` is the `match` of
    the last line one has."""

    mine: bool = True
    before: str | None = field(default=None, validator=optional(max_len(64)))
    type: Literal["list_matches"] = "list_matches"


@frozen
class AskStatistics:
    """Ask for one's own statistics."""

    type: Literal["ask_statistics"] = "ask_statistics"


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
    """Answer to hello. `token` is set only when it was just made: keep it, it is the key to one's seats. `account` is
    null for a guest; `demonstration` the table of bots that is always there to be watched; `floor_ms` the claim floor
    of a table that chooses none; `house_key` the public key that this house seals records with, in hex, null where it
    seals none."""

    protocol: int
    server: str
    token: str | None = field(repr=False)
    name: str
    rulesets: list[RulesetLine]
    bots: list[str]
    account: str | None
    demonstration: str | None
    floor_ms: int
    house_key: str | None
    type: Literal["welcome"] = "welcome"


@frozen
class SignedIn:
    """Answer to register (`token` null: the one in use stays) and to log_in (keep the new one)."""

    token: str | None = field(repr=False)
    account: str
    name: str
    type: Literal["signed_in"] = "signed_in"


@frozen
class SignedOut:
    """The token is void; the line is closed after this."""

    type: Literal["signed_out"] = "signed_out"


@frozen
class Tables:
    """The public tables, those one may sit down at first; at most 60 of `count`."""

    tables: list[TableLine]
    count: int
    type: Literal["tables"] = "tables"


@frozen
class Matches:
    """Matches that are over, newest first; `more` where there are older ones."""

    mine: bool
    matches: list[MatchLine]
    more: bool
    type: Literal["matches"] = "matches"


@frozen
class Statistics:
    """One's own, of all matches that are stored. Deals played by a stand-in count as the seat's owner's."""

    matches: int
    deals: int
    wins: int
    by: list[LevelWins]
    """Wins by kind."""
    dealt_in: int
    """Deals in which somebody won on one's discard, or robbed one's gong."""
    points: int
    """The sum over all deals."""
    first: int
    """Matches won."""
    type: Literal["statistics"] = "statistics"


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


@frozen
class Notice:
    """Something about the whole house: it is about to `restart`, the tables stand still because nothing can be written
    (`storage`) and will go on by themselves, or they go on (`storage_back`)."""

    notice: Literal["restart", "storage", "storage_back"]
    type: Literal["notice"] = "notice"
