"""The match as it goes at a table: deal after deal, each step told to the history and the journal."""

from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import Event, Paid
from parlour_engine.match import Match, NextDeal
from parlour_engine.moves import Move
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import SEATS, Seat
from parlour_engine.tiles import Kind
from parlour_engine.views import view
from parlour_server.protocol.events import MatchEnded, MatchStarted, Settled, TableEvent
from parlour_server.protocol.values import DealView, InstantValue, Standing
from parlour_server.table import wire
from parlour_server.table.history import Entry, History
from parlour_server.table.journal import Happened, Row, WallLaid
from parlour_server.table.verdict import verdict

Walls = Callable[[int, Procedure], tuple[Sequence[Kind], Sequence[int]]]
"""The wall in drawing order and the dice of the deal with this number, from 1. Asked once a deal."""


class Course:
    """What has been played: the running `deal` (None before the first), the `settled` event while no new deal has
    begun, the `standing` after the last. Each step returns its new entries; the end of a deal is settled at once."""

    __slots__ = ("_instants", "_match", "_rows", "_ruleset", "_walls", "deal", "history", "settled", "standing")

    def __init__(self, ruleset: Ruleset, rounds: int, walls: Walls, rows: list[Row]) -> None:
        """Journal rows are appended to `rows`."""
        self._ruleset: Final = ruleset
        self._walls: Final = walls
        self._match = Match(ruleset.procedure, rounds)
        self._rows: Final = rows
        self._instants: list[InstantValue] = []
        self.history: Final = History()
        self.deal: Deal | None = None
        self.settled: Settled | None = None
        self.standing: list[Standing] | None = None

    @property
    def over(self) -> bool:
        """True after the last deal."""
        return self._match.over

    def current(self) -> Deal:
        """The running deal. ValueError before the first."""
        if self.deal is None:
            raise ValueError("nothing has been dealt")
        return self.deal

    def begin_match(self, now: float) -> list[Entry]:
        """The first event. ValueError the second time."""
        if self.history.version:
            raise ValueError("the match has begun")
        return [self.add(MatchStarted(self._match.rounds), now)]

    def next_deal(self) -> NextDeal:
        """What the next deal will be. ValueError after the last."""
        return self._match.next_deal()

    def put_back(self, due: NextDeal, scores: Sequence[int], version: int) -> None:
        """As it was when `due` was the next deal, after event `version`. ValueError for what no match comes to."""
        self._match = Match.at(self._ruleset.procedure, self._match.rounds, due, scores)
        self.history.put_back(version, due.deal_index, scores)

    def begin_deal(self, now: float) -> list[Entry]:
        """Lay the next wall and deal from it."""
        due = self._match.next_deal()
        wall, dice = self._walls(due.deal_index + 1, self._ruleset.procedure)
        deal, happened = play.start(self._ruleset.procedure, wall, dice, due.dealer, due.round_wind, due.streak)
        self._rows.append(WallLaid(now, due.deal_index + 1, wire.tiles(wall), list(dice)))
        self.deal = deal
        self.settled = None
        self._instants = []
        return self._told(deal, happened, now)

    def apply(self, seat: Seat, move: Move, now: float) -> list[Entry]:
        """A seat's legal move; in a window nothing happens yet: []. Raises IllegalMove and changes nothing."""
        deal = self.current()
        happened = play.apply(deal, seat, move)
        return self._told(deal, happened, now) if happened else []

    def close(self, now: float) -> list[Entry]:
        """Resolve the open window."""
        deal = self.current()
        return self._told(deal, play.close(deal), now)

    def open_view(self) -> DealView:
        """A deal that is over with all hands open. ValueError while it is played."""
        deal = self.current()
        if not deal.is_over():
            raise ValueError("the deal is not over")
        own = [wire.deal_view(view(deal, seat), self.history.deal, self.history.discards) for seat in SEATS]
        return evolve(own[0], seats=[own[seat].seats[seat] for seat in SEATS])

    def deal_view(self, seat: Seat | None) -> DealView | None:
        """The running deal as a seat or a watcher may know it."""
        if self.deal is None:
            return None
        return wire.deal_view(view(self.deal, seat), self.history.deal, self.history.discards)

    def add(self, event: TableEvent, now: float) -> Entry:
        """Something happens between the steps that everybody may know in full."""
        entry = self.history.add(event)
        self._rows.append(Happened(now, self.history.version, event))
        return entry

    def _told(self, deal: Deal, happened: Sequence[Event], now: float) -> list[Entry]:
        self._match.pay(happened)
        for event in happened:
            if isinstance(event, Paid):
                self._instants.append(InstantValue(event.seat, wire.paid_for(event.reason), list(event.changes)))
        version = self.history.version
        entries = self.history.tell(deal, happened)
        for entry in entries:
            version += 1
            self._rows.append(Happened(now, version, entry.whole))
        if deal.is_over():
            self._settle(deal, entries, now)
        return entries

    def _settle(self, deal: Deal, entries: list[Entry], now: float) -> None:
        found = verdict(self._ruleset, deal)
        match = self._match
        match.finish(deal, found.changes)
        self.history.scores = list(match.scores)
        following = None if match.over else wire.next_deal(match.next_deal())
        self.settled = Settled(
            deal=self.history.deal,
            wins=found.wins,
            hands=found.hands,
            transfers=found.transfers,
            danger=found.danger,
            instant=self._instants,
            changes=found.changes,
            scores=list(match.scores),
            next=following,
        )
        entries.append(self.add(self.settled, now))
        if match.over:
            self.standing = wire.standing(match.standing())
            entries.append(self.add(MatchEnded(self.standing), now))
