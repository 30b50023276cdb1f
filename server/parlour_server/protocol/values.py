"""Values inside messages: tiles are text (`5p`), seats 0-3, points whole numbers, times milliseconds.

Everything here is frozen attrs; `codec` turns it into plain data and back, `typescript` into the client's types.
"""

from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, le, max_len

Tile = str
"""`1m`-`9m`, `1p`-`9p`, `1s`-`9s`, `1z`-`7z`, `1f`-`8f`."""
MoveText = str
"""A move as text, such as `discard 5p`, `chow 456p`, `win`, `pass`."""
OptionValue = bool | int | str
"""A house-rule switch of a ruleset."""

MeldForm = Literal["chow", "pong", "exposed_gong", "promoted_gong", "concealed_gong"]
WinWay = Literal["discard", "self_draw", "robbed_gong", "dealt", "flowers"]
PaidFor = Literal["mixed_set", "full_set", "concealed_gong", "washing"]
GroupForm = Literal["chow", "pong", "gong", "eyes", "pair", "single"]
DrawSource = Literal["wall", "flower", "gong"]
Clocks = Literal["off", "casual", "brisk"]
TransferFor = Literal["hand", "difference", "penalty"]
DangerSign = Literal["suit", "heads", "dragons", "winds"]
Excuse = Literal["no_other_tile", "two_doubles", "more_doubles"]
Watching = Literal["live", "late", "never"]
"""What watchers see: what is public, as it happens; the deal before the running one with all hands; nothing."""
Reveal = Literal["deal", "match"]
"""When the seeds of the walls are shown: after each deal, or after the match."""
Stopped = Literal["agreed", "storage", "restart", "frozen"]
"""Why a table stands still: its players agreed to; nothing can be written; the server has started again and waits for
them to come back; it has failed too often."""


@frozen
class Names:
    """One text in the languages of the client."""

    en: str
    zh: str
    """Traditional Chinese."""


@frozen
class MeldValue:
    """A declared set; `claimed` and `source` say which tile came from which seat (null for a concealed gong)."""

    form: MeldForm
    tiles: list[Tile]
    claimed: Tile | None = None
    source: int | None = None


@frozen
class DiscardValue:
    """A discard: `drawn` where it was the tile just drawn, `claimed` where somebody took it."""

    tile: Tile
    drawn: bool
    claimed: bool = False


@frozen
class SeatView:
    """What a viewer sees of one seat in the running deal; `tiles` is null where the hand is hidden."""

    size: int
    """Concealed tiles in the hand."""
    tiles: list[Tile] | None
    """The concealed kinds, sorted, the drawn one included."""
    drawn: Tile | None
    """The tile just drawn, for its owner only."""
    melds: list[MeldValue]
    flowers: list[Tile]
    discards: list[DiscardValue]
    called: bool = False


@frozen
class PhaseView:
    """What the table waits for: a window for washing, claiming or robbing, a seat on turn, or nothing (`over`)."""

    kind: Literal["washing", "discarding", "claiming", "robbing", "over"]
    seat: int | None = None
    """On turn, or the one who discarded or added the tile; the dealer while the tiles may be washed."""
    tile: Tile | None = None
    """The tile that may be claimed or robbed."""


@frozen
class DealView:
    """The running deal as one viewer may know it."""

    deal: int
    """1 for the first deal of the match."""
    dealer: int
    round_wind: int
    """0 East .. 3 North."""
    streak: int
    dice: list[int]
    left: int
    """Live tiles left in the wall."""
    seats: list[SeatView]
    phase: PhaseView


@frozen
class AwardLine:
    """One row of the sheet in a scored hand; `points` and `doubles` are its whole contribution."""

    award: str
    name: Names
    points: int
    count: int
    clause: str
    """Where the rule stands."""
    rule: Names
    """The row in words."""
    doubles: int
    limit: Literal["half", "whole"] | None
    """The hand is worth so much of the limit for this row."""


@frozen
class GroupValue:
    """One group of the reading that was scored; `winning` where it took the winning tile."""

    form: GroupForm
    tiles: list[Tile]
    declared: bool
    winning: bool


@frozen
class ReplacedLine:
    """A row that would have counted, and the one that replaced it."""

    award: str
    name: Names
    by: str
    points: int
    """What it would have been worth."""


@frozen
class ConsideredValue:
    """Another reading of the same tiles, and what it would have been worth."""

    reading: list[GroupValue]
    points: int
    total: int


@frozen
class WinValue:
    """One winner's hand, its whole derivation and its payments (`payments[seat]`, summing to zero)."""

    seat: int
    by: WinWay
    tile: Tile | None
    source: int | None
    hand: list[Tile]
    """Concealed tiles without the winning tile."""
    melds: list[MeldValue]
    flowers: list[Tile]
    reading: list[GroupValue]
    """Empty for a win by flowers."""
    considered: list[ConsideredValue]
    """The other readings of the hand, best first."""
    awards: list[AwardLine]
    replaced: list[ReplacedLine]
    points: int
    """Before doubles, base, calling and streak."""
    total: int
    payments: list[int]
    doubles: int
    limited: bool
    """The limit has cut `total`, or a row has set it."""


@frozen
class HandValue:
    """A hand that did not win and is scored all the same."""

    seat: int
    hand: list[Tile]
    """All its concealed tiles."""
    melds: list[MeldValue]
    flowers: list[Tile]
    reading: list[GroupValue]
    """What it holds that counts; the tiles left over are in no group."""
    awards: list[AwardLine]
    points: int
    """Before doubles."""
    doubles: int
    total: int
    limited: bool
    """The limit has cut `total`."""


@frozen
class TransferValue:
    """Points from one player to another: for the winner's hand, for the difference of two others, as a penalty."""

    source: int
    target: int
    amount: int
    reason: TransferFor
    doubled: bool
    """East pays or receives twice as much; `amount` is after that."""


@frozen
class DangerValue:
    """The winning discard was a dangerous one, by what the winner had `shown`; with an excuse its discarder does not
    pay for all."""

    seat: int
    shown: list[DangerSign]
    excuse: Excuse | None


@frozen
class InstantValue:
    """An instant payment of the deal: flower sets, concealed gongs, washed tiles."""

    seat: int
    reason: PaidFor
    changes: list[int]


@frozen
class NextDeal:
    """What comes after the ready gate."""

    deal: int
    dealer: int
    round_wind: int
    streak: int


@frozen
class Standing:
    """One line of the final standing, best first; equal scores share a rank."""

    seat: int
    rank: int
    score: int


@frozen
class SeatState:
    """Who sits on a seat; `level` is a bot's."""

    seat: int
    name: str
    player: Literal["person", "bot"]
    level: str | None
    present: bool
    """A person's line is up; always true for a bot."""
    stand_in: bool
    """A bot plays for a person who is away or timed out three times."""
    ready: bool
    """Has agreed to go on after the settlement."""


@frozen
class GameWords:
    """What players of this game call things."""

    chow: Names
    pong: Names
    gong: Names
    win: Names
    """What a winner says."""
    wins: Names
    """What is said of a winner."""
    flower: Names


@frozen
class TableSettings:
    """How a table plays; everybody at it may see this."""

    ruleset: str
    ruleset_version: str
    ruleset_name: Names
    words: GameWords
    wall: int
    """Tiles that the wall is built of."""
    reserve: int
    """Tiles at its end that are not drawn in turn."""
    counts_streak: bool
    """The dealer's wins in a row are worth something."""
    options: dict[str, OptionValue]
    """The switches that differ from the ruleset's defaults."""
    rounds: Literal[1, 4]
    clocks: Clocks
    discard_ms: int | None
    claim_ms: int | None
    """Null where clocks are off."""
    floor_ms: int
    """A claim window lasts at least this long."""
    pad_windows: bool
    """Every window lasts its full time."""
    bank_ms: int | None
    """What a player may use up in a match beyond the time of each turn and claim; null where clocks are off."""
    public: bool
    """Listed in the lobby."""
    watching: Watching
    reveal: Reveal
    house: bool
    """The house's own table, at which nobody may sit down."""


@frozen
class Shuffle:
    """What is known of the running deal's shuffle (docs/fairness.md); hex. `nonces` by seat, null before they are
    fixed, and null for a seat that sent none or is a bot's; `seed` null until it is shown."""

    deal: int
    context: str
    commit: str
    nonces: list[str | None] | None
    seed: str | None


@frozen
class Standstill:
    """Whether the table stands still and why, who wants it to, and who wants to end the match."""

    stopped: Stopped | None
    pausing: list[int]
    """Seats that want a pause."""
    ending: list[int]
    """Seats that want to end the match here."""
    may_end: bool
    """Somebody's owner has been gone for long, so the others may vote to end it."""


@frozen
class ChatLine:
    """Something said at a table. `seat` is null for a watcher, whom only watchers hear; `n` counts the lines."""

    n: int
    seat: int | None
    name: str
    text: str


@frozen
class OptionLine:
    """A house-rule switch that a table may set; `values` are all it may be, empty where any of its type is."""

    id: str
    name: Names
    rule: Names | None
    """What it changes, in words."""
    type: Literal["boolean", "integer", "text"]
    default: OptionValue
    values: list[OptionValue]
    value_names: dict[str, Names]
    """What each value of a text is called; empty for other types."""
    least: int | None
    most: int | None
    """The bounds of a number; null where `values` lists all, and for other types."""


def name_field() -> str:
    """A display name as sent by a client; the server cleans it before showing it."""
    return field(validator=max_len(80))


def seat_field() -> int:
    """A seat number sent by a client."""
    return field(validator=[ge(0), le(3)])
