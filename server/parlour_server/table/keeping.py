"""The row before a wall is laid: all of a table that the rows after it do not tell; and the table put back from it."""

from typing import Final

from parlour_engine.match import NextDeal
from parlour_server.protocol.events import ShuffleCommitted, ShuffleFixed, TableEvent
from parlour_server.table.course import Course
from parlour_server.table.journal import Checkpoint
from parlour_server.table.seating import Seating
from parlour_server.table.shown import Shown
from parlour_server.table.shuffling import Shuffling
from parlour_server.table.standstill import Standstill
from parlour_server.table.talk import Talk


class Keeping:
    """Both ways between a table that is about to lay a wall and its `Checkpoint`."""

    __slots__ = ("_course", "_seating", "_shown", "_shuffling", "_standstill", "_talk")

    def __init__(
        self,
        course: Course,
        seating: Seating,
        standstill: Standstill,
        shuffling: Shuffling,
        talk: Talk,
        shown: Shown,
    ) -> None:
        self._course: Final = course
        self._seating: Final = seating
        self._standstill: Final = standstill
        self._shuffling: Final = shuffling
        self._talk: Final = talk
        self._shown: Final = shown

    def checkpoint(self, now: float) -> Checkpoint:
        """The row of a table that lays its next wall now."""
        due = self._course.next_deal()
        return Checkpoint(
            at=now,
            version=self._course.history.version,
            deal=due.deal_index + 1,
            dealer=due.dealer,
            round_wind=due.round_wind,
            streak=due.streak,
            scores=list(self._course.history.scores),
            seats=[chair.kept() for chair in self._seating.chairs],
            moved=self._seating.moved(),
            pausing=sorted(self._standstill.pausing),
            ending=sorted(self._standstill.ending),
            players=sorted(self._seating.players),
            shuffle=self._shuffling.shown,
            seeds=self._shuffling.hidden(),
            talk=self._talk.shown(player=False),
            finished=self._shown.kept(),
        )

    def put_back(self, kept: Checkpoint) -> None:
        """A fresh table becomes the one that told this row. ValueError for what cannot be."""
        due = NextDeal(kept.dealer, kept.round_wind, kept.streak, kept.deal - 1)
        told: list[TableEvent] = []
        if kept.shuffle is not None:
            shuffle = kept.shuffle
            told.append(ShuffleCommitted(shuffle.deal, shuffle.context, shuffle.commit))
            told.append(ShuffleFixed(shuffle.deal, list(shuffle.nonces or [])))
        self._course.put_back(due, kept.scores, kept.version - len(told))
        for event in told:
            self._course.history.add(event)
        self._seating.put_back(kept.moved, kept.players)
        for chair, seat in zip(self._seating.chairs, kept.seats, strict=True):
            chair.put_back(seat)
        self._standstill.pausing.update(kept.pausing)
        self._standstill.ending.update(kept.ending)
        self._shuffling.put_back(kept.shuffle, kept.seeds, kept.deal)
        self._talk.put_back(kept.talk)
        self._shown.finished = kept.finished
