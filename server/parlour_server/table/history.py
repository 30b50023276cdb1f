"""The versioned events of a table: whole for its keeper, and as each viewer may know them."""

from collections.abc import Iterable, Sequence
from typing import Final

from parlour_engine.deal import Deal
from parlour_engine.events import DealStarted, Discarded, Drew, Event, Melded, Paid
from parlour_engine.melds import CONCEALED_GONG
from parlour_engine.notation import TILE_TEXT
from parlour_engine.seats import SEATS, Seat
from parlour_engine.views import redact
from parlour_server.protocol.events import ShuffleCommitted, TableEvent
from parlour_server.protocol.values import DiscardValue
from parlour_server.table import wire


class Entry:
    """One event: `whole`; `public`, what a watcher gets; `private`, where a seat gets more than that."""

    __slots__ = ("private", "public", "whole")

    def __init__(self, whole: TableEvent, public: TableEvent, private: dict[Seat, TableEvent]) -> None:
        self.whole: Final[TableEvent] = whole
        self.public: Final[TableEvent] = public
        self.private: Final[dict[Seat, TableEvent]] = private

    def seen_by(self, seat: Seat | None) -> TableEvent:
        """The event as `seat`, or a watcher, may know it."""
        return self.public if seat is None else self.private.get(seat, self.public)


_NO_ONE: Final[dict[Seat, TableEvent]] = {}


class History:
    """Events of the running deal, its shuffle included (older ones are gone: a snapshot is shorter), and the number of
    the last.

    `deal` counts the deals begun, `scores` are the match's with everything told so far, `discards[seat]` the discards
    of the deal in order, claimed ones marked.
    """

    __slots__ = ("_left", "_shuffled", "deal", "discards", "entries", "first", "scores", "version")

    def __init__(self) -> None:
        self.version = 0
        self.first = 1
        """The version of the oldest entry."""
        self.entries: Final[list[Entry]] = []
        self.deal = 0
        self.scores: list[int] = [0, 0, 0, 0]
        self.discards: Final[list[list[DiscardValue]]] = [[], [], [], []]
        self._left = 0
        self._shuffled = False

    def put_back(self, version: int, deals: int, scores: Sequence[int]) -> None:
        """As it was after event `version`, when so many deals were over; nothing is known of their events."""
        self.version = version
        self.first = version + 1
        self.deal = deals
        self.scores = list(scores)

    def add(self, event: TableEvent) -> Entry:
        """Something that everybody may know in full."""
        if isinstance(event, ShuffleCommitted):
            # The deal begins with its shuffle.
            self._forget()
            self._shuffled = True
        entry = Entry(event, event, _NO_ONE)
        self._append(entry)
        return entry

    def tell(self, deal: Deal, happened: Iterable[Event]) -> list[Entry]:
        """The engine's events of one step; `deal` is as it is after them."""
        return [self._tell(deal, event) for event in happened]

    def after(self, seen: int) -> list[Entry] | None:
        """The entries after version `seen`, None where some are gone or `seen` never was."""
        if not self.first - 1 <= seen <= self.version:
            return None
        return self.entries[seen - self.first + 1 :]

    def _append(self, entry: Entry) -> None:
        self.version += 1
        self.entries.append(entry)

    def _tell(self, deal: Deal, event: Event) -> Entry:
        if isinstance(event, Drew):
            self._left -= 1
        elif isinstance(event, Discarded):
            self.discards[event.seat].append(DiscardValue(TILE_TEXT[event.kind], event.drawn))
        elif isinstance(event, Paid):
            self.scores = [score + change for score, change in zip(self.scores, event.changes, strict=True)]
        elif isinstance(event, Melded) and event.meld.form != CONCEALED_GONG:
            pile = self.discards[event.meld.source]
            pile[-1] = DiscardValue(pile[-1].tile, pile[-1].drawn, claimed=True)
        elif isinstance(event, DealStarted):
            self._begin(event)
        # P8: the tiles left above the reserve are live.
        live = max(0, self._left - deal.wall.reserve)
        count = wire.Count(self.deal, live, self.scores, deal.dealer)
        whole = wire.event(event, count)
        hidden = redact(event, None)
        entry = Entry(whole, whole, _NO_ONE)
        if hidden is not event:
            entry = Entry(whole, wire.event(hidden, count), self._private(event, hidden, whole, count))
        self._append(entry)
        return entry

    def _private(self, event: Event, hidden: Event, whole: TableEvent, count: wire.Count) -> dict[Seat, TableEvent]:
        private: dict[Seat, TableEvent] = {}
        for seat in SEATS:
            seen = redact(event, seat)
            if seen is event:
                private[seat] = whole
            elif seen != hidden:
                private[seat] = wire.event(seen, count)
        return private

    def _begin(self, event: DealStarted) -> None:
        self.deal += 1
        self._left = len(event.wall) - sum([len(hand) for hand in event.hands])
        for pile in self.discards:
            pile.clear()
        if not self._shuffled:
            self._forget()
        self._shuffled = False

    def _forget(self) -> None:
        # `match_started` stays with the first deal, so that whoever saw nothing can have everything.
        if self.version > 1:
            self.entries.clear()
            self.first = self.version + 1
