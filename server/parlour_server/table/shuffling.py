"""The walls of a match, and for each the shuffle that nobody can choose: committed to, added to by the seats, shown.

Where the walls come from is no business of the table's; it only keeps the order: nothing is accepted from a seat before
the commitment is told, and no tile is dealt before everybody is told what the seats have added.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from attrs import evolve

from parlour_engine.notation import parse_tile
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from parlour_engine.tiles import Kind
from parlour_server.protocol.events import ShuffleCommitted, ShuffleFixed, ShuffleRevealed
from parlour_server.protocol.values import Shuffle
from parlour_server.table.journal import Row, Sealed, WallLaid

TIME_TO_ADD: Final = 2.0
"""Seconds that the seats have to send their part."""
_HEX: Final = frozenset("0123456789abcdef")

Laid = tuple[Sequence[Kind], Sequence[int]]
"""A wall in drawing order and the dice."""


class Commitment(Protocol):
    """A deal's secret `seed`, and what may be told before it is played; all of it text."""

    @property
    def seed(self) -> str:
        """Hex."""

    @property
    def context(self) -> str:
        """What the seed is for."""

    @property
    def commit(self) -> str:
        """Hex."""


class FairDeals(Protocol):
    """Walls that are decided by a committed seed and by what the seats add."""

    def commit(self, number: int) -> Commitment:
        """A fresh seed for the deal with this number, from 1. Asked once a deal."""

    def deal(self, number: int, procedure: Procedure, seed: str, nonces: Sequence[str | None]) -> Laid:
        """The wall and the dice; `nonces` by seat, hex, None where a seat adds nothing."""


Deals = Callable[[int, Procedure], Laid] | FairDeals
"""The wall in drawing order and the dice of the deal with this number, from 1, asked once a deal; or fair deals."""


class Shuffling:
    """`shown` is what everybody may know of the newest shuffle; `ends` when the seats' time to add is over, None
    outside of it."""

    __slots__ = ("_fair", "_hidden", "_plain", "_sealed", "_seed", "_walls", "ends", "nonces", "shown")

    def __init__(self, deals: Deals) -> None:
        self._plain: Final = deals if callable(deals) else None
        self._fair: Final = None if callable(deals) else deals
        self._walls: dict[int, WallLaid] = {}
        self._sealed: dict[int, Sealed] = {}
        self._hidden: dict[int, str] = {}
        """Seeds that were committed to and not shown yet, by deal."""
        self.nonces: list[str | None] = [None, None, None, None]
        self.shown: Shuffle | None = None
        self.ends: float | None = None

    @property
    def fair(self) -> bool:
        """True where there is a shuffle to add to."""
        return self._fair is not None

    def remember(self, rows: Iterable[Row]) -> None:
        """Seeds and walls that were told already; they come again instead of new ones."""
        for row in rows:
            if isinstance(row, WallLaid):
                self._walls[row.deal] = row
            elif isinstance(row, Sealed):
                self._sealed[row.deal] = row

    def seal(self, number: int, now: float) -> tuple[Sealed, ShuffleCommitted]:
        """Commit to the seed of the next deal: the row to be written before the event is told."""
        assert self._fair is not None
        sealed = self._sealed.pop(number, None)
        if sealed is None:
            made = self._fair.commit(number)
            sealed = Sealed(now, number, made.seed, made.context, made.commit)
        self._hidden[number] = sealed.seed
        self.nonces = [None, None, None, None]
        self.shown = Shuffle(number, sealed.context, sealed.commit, None, None)
        self.ends = now + TIME_TO_ADD
        return sealed, ShuffleCommitted(number, sealed.context, sealed.commit)

    def takes(self, deal: int, seat: Seat) -> bool:
        """True while this seat may add its part to the shuffle of this deal."""
        return (
            self.ends is not None and self.shown is not None and self.shown.deal == deal and self.nonces[seat] is None
        )

    def fix(self) -> ShuffleFixed:
        """What the seats have added is decided."""
        assert self.shown is not None
        self.ends = None
        self.shown = evolve(self.shown, nonces=list(self.nonces))
        return ShuffleFixed(self.shown.deal, list(self.nonces))

    def lay(self, number: int, procedure: Procedure) -> Laid:
        """The wall and the dice of the next deal."""
        known = self._walls.pop(number, None)
        if known is not None:
            return [parse_tile(tile) for tile in known.wall], known.dice
        if self._plain is not None:
            return self._plain(number, procedure)
        assert self._fair is not None
        return self._fair.deal(number, procedure, self._hidden[number], self.nonces)

    def reveal(self) -> list[ShuffleRevealed]:
        """Show every seed that is still hidden."""
        events = [ShuffleRevealed(deal, seed) for deal, seed in sorted(self._hidden.items())]
        if self.shown is not None and self.shown.deal in self._hidden:
            self.shown = evolve(self.shown, seed=self._hidden[self.shown.deal])
        self._hidden.clear()
        return events

    def hidden(self) -> list[str]:
        """The seeds not shown yet, of deals in a row of which the last is the newest."""
        return [seed for _, seed in sorted(self._hidden.items())]

    def put_back(self, shown: Shuffle | None, seeds: Sequence[str], deal: int) -> None:
        """As `shown` and `hidden` told it when the wall of this deal was laid."""
        self.shown = shown
        self._hidden = dict(enumerate(seeds, deal - len(seeds) + 1))
        if shown is not None and shown.nonces is not None:
            self.nonces = list(shown.nonces)


def is_nonce(text: str) -> bool:
    """True for 16 octets in small hex."""
    return len(text) == 32 and _HEX.issuperset(text)
