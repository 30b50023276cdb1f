"""The versioned events of a table, as one viewer may know them. `e` is the tag.

Every viewer gets the same events with the same version numbers; what a viewer may not see is null.
"""

from typing import Literal

from attrs import frozen

from parlour_server.protocol.values import (
    DangerValue,
    DrawSource,
    HandValue,
    InstantValue,
    MeldValue,
    NextDeal,
    PaidFor,
    Standing,
    Tile,
    TransferValue,
    WinValue,
    WinWay,
)


@frozen
class MatchStarted:
    """The match begins; seat 0 is the first East."""

    rounds: int
    e: Literal["match_started"] = "match_started"


@frozen
class DealStarted:
    """Tiles are dealt: `hands[seat]` is null where hidden, `sizes[seat]` how many tiles each seat has."""

    deal: int
    dealer: int
    round_wind: int
    streak: int
    dice: list[int]
    sizes: list[int]
    hands: list[list[Tile] | None]
    left: int
    scores: list[int]
    e: Literal["deal_started"] = "deal_started"


@frozen
class WashingOpened:
    """A window opens in which the tiles may be washed, whether or not anybody can; `seat` is the dealer."""

    seat: int
    e: Literal["washing_opened"] = "washing_opened"


@frozen
class WashingClosed:
    """Nobody has washed the tiles or won as dealt: it is the turn of the dealer, `seat`."""

    seat: int
    e: Literal["washing_closed"] = "washing_closed"


@frozen
class Washed:
    """The seat washes the tiles, with so many different heads in its dealt hand: nobody wins, it is dealt anew."""

    seat: int
    heads: int
    e: Literal["washed"] = "washed"


@frozen
class HandShown:
    """A hand that did not win is shown, all its concealed tiles: those of the losers, where they are scored too, or
    those of a seat that washes."""

    seat: int
    tiles: list[Tile]
    e: Literal["hand_shown"] = "hand_shown"


@frozen
class FlowersExposed:
    """A batch of flowers is shown; the replacements follow as draws."""

    seat: int
    tiles: list[Tile]
    e: Literal["flowers"] = "flowers"


@frozen
class Drew:
    """A tile is taken; `tile` is null for everybody but its owner (a drawn flower is shown by the next event)."""

    seat: int
    tile: Tile | None
    source: DrawSource
    left: int
    e: Literal["draw"] = "draw"


@frozen
class Called:
    """The seat declares itself ready with its next discard."""

    seat: int
    e: Literal["called"] = "called"


@frozen
class Discarded:
    """A discard opens a claim window for the three others."""

    seat: int
    tile: Tile
    drawn: bool
    e: Literal["discard"] = "discard"


@frozen
class Melded:
    """A set is declared, by claim or (a concealed gong) from the hand."""

    seat: int
    meld: MeldValue
    e: Literal["meld"] = "meld"


@frozen
class Promoted:
    """The fourth tile is added to an exposed pong; it may be robbed."""

    seat: int
    tile: Tile
    e: Literal["promoted"] = "promoted"


@frozen
class Paid:
    """An instant payment; `scores` are the match's after it."""

    seat: int
    reason: PaidFor
    changes: list[int]
    scores: list[int]
    e: Literal["paid"] = "paid"


@frozen
class Won:
    """A winner shows the hand (`hand` without the winning tile)."""

    seat: int
    by: WinWay
    tile: Tile | None
    source: int | None
    hand: list[Tile]
    e: Literal["won"] = "won"


@frozen
class Exhausted:
    """The wall ran out; nobody wins."""

    e: Literal["exhausted"] = "exhausted"


@frozen
class Settled:
    """The deal is paid. `hands` are those that did not win, where all are scored; `transfers` are what `changes` is
    the sum of; `danger` is null unless the winning discard was a dangerous one. `changes` leaves the instant payments
    out; `next` is null after the last deal."""

    deal: int
    wins: list[WinValue]
    hands: list[HandValue]
    transfers: list[TransferValue]
    danger: DangerValue | None
    instant: list[InstantValue]
    changes: list[int]
    scores: list[int]
    next: NextDeal | None
    e: Literal["settled"] = "settled"


@frozen
class MatchEnded:
    """The final standing."""

    standing: list[Standing]
    e: Literal["match_ended"] = "match_ended"


@frozen
class ShuffleCommitted:
    """The server has chosen the seed of deal `deal` and is bound to it by `commit`; the seats may add their part."""

    deal: int
    context: str
    commit: str
    e: Literal["shuffle_committed"] = "shuffle_committed"


@frozen
class ShuffleFixed:
    """What the seats have added, hex; null for a bot, and for whoever sent nothing. The wall is decided by this."""

    deal: int
    nonces: list[str | None]
    e: Literal["shuffle_fixed"] = "shuffle_fixed"


@frozen
class ShuffleRevealed:
    """The seed of a deal that is over: anybody can lay its wall again now."""

    deal: int
    seed: str
    e: Literal["shuffle_revealed"] = "shuffle_revealed"


TableEvent = (
    MatchStarted
    | ShuffleCommitted
    | ShuffleFixed
    | ShuffleRevealed
    | DealStarted
    | WashingOpened
    | WashingClosed
    | Washed
    | HandShown
    | FlowersExposed
    | Drew
    | Called
    | Discarded
    | Melded
    | Promoted
    | Paid
    | Won
    | Exhausted
    | Settled
    | MatchEnded
)
