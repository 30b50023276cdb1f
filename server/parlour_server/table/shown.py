"""A table as one viewer is shown it: live, or (to watchers, where the table is set so) one deal late."""

from collections.abc import Sequence
from typing import Final

from parlour_server.protocol import messages
from parlour_server.protocol.messages import DealSoFar, ErrorCode
from parlour_server.protocol.values import SeatState, Shuffle, TableSettings, Watching
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import Chair
from parlour_server.table.course import Course
from parlour_server.table.flow import Flow
from parlour_server.table.history import Entry
from parlour_server.table.journal import DealKept
from parlour_server.table.seating import Seating
from parlour_server.table.shuffling import Shuffling
from parlour_server.table.standstill import Standstill
from parlour_server.table.talk import Talk

BEGUN: Final = 1
"""The version of a match that has begun, and of which nothing more is told."""


class Refused(Exception):
    """What a viewer may not see: `code` for its client, the text for people."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(text)
        self.code: Final[ErrorCode] = code


class Shown:
    """Snapshots and histories. `finished` is the last deal that is over.

    Whoever watches one deal late is told nothing of the running deal. It is shown the table as it was at the end of
    the deal before, at that version (in the first deal, as the match began; before that, who has come); when a deal
    ends, it gets the next such snapshot, and the events of that deal whole. Who has, or had, a seat in this match sees
    no hand that was not shown to everybody, until the match is over.
    """

    __slots__ = (
        "_audience",
        "_course",
        "_flow",
        "_owner",
        "_seating",
        "_settings",
        "_shuffling",
        "_standstill",
        "_table",
        "_talk",
        "_watching",
        "finished",
    )

    def __init__(
        self,
        table: str,
        settings: TableSettings,
        owner: str | None,
        seating: Seating,
        audience: Audience,
        course: Course,
        flow: Flow,
        shuffling: Shuffling,
        standstill: Standstill,
        talk: Talk,
    ) -> None:
        self._table: Final = table
        self._settings: Final = settings
        self._watching: Final[Watching] = settings.watching
        self._owner: Final = owner
        self._seating: Final = seating
        self._audience: Final = audience
        self._course: Final = course
        self._flow: Final = flow
        self._shuffling: Final = shuffling
        self._standstill: Final = standstill
        self._talk: Final = talk
        self.finished: DealKept | None = None

    def is_late(self, viewer: int) -> bool:
        """True for a viewer that is told nothing of the running deal."""
        return self._watching == "late" and viewer not in self._audience.seated and not self._course.over

    def version(self, viewer: int) -> int:
        """The version at which a viewer is shown the table."""
        version = self._course.history.version
        if not self.is_late(viewer):
            return version
        # That the match has begun is no secret, and a table that waits must not look like one that plays.
        return self.finished.last if self.finished is not None else min(version, BEGUN)

    def missed(self, viewer: int, seen: int | None) -> list[Entry] | None:
        """What has happened for a viewer after version `seen`; None where it needs a whole snapshot."""
        person = self._audience.people[viewer]
        if seen is None or self._seating.sees_anew(person, seen):
            return None
        if self._talk.missed(person, player=viewer in self._audience.seated):
            return None
        if self.is_late(viewer) or self._course.over:
            return [] if seen == self.version(viewer) else None
        return self._course.history.after(seen)

    def snapshot(self, viewer: int) -> messages.Table:
        """The whole table as this viewer may know it."""
        chair = self._audience.seated.get(viewer)
        seat = None if chair is None else chair.seat
        person = self._audience.people[viewer]
        course = self._course
        deal, settled, standing = course.deal_view(seat), course.settled, course.standing
        scores: Sequence[int] = course.history.scores
        shuffle: Shuffle | None = self._shuffling.shown
        if self.is_late(viewer):
            finished = self.finished
            deal = settled = shuffle = None
            scores = (0, 0, 0, 0)
            if finished is not None:
                deal = finished.public if person in self._seating.players else finished.whole
                settled, scores, shuffle = finished.settled, finished.settled.scores, finished.shuffle
        elif self._watching == "late" and chair is None and self.finished is not None:
            deal = self.finished.whole
        return messages.Table(
            table=self._table,
            version=self.version(viewer),
            you=seat,
            settings=self._settings,
            seats=self.seats(chair),
            watchers=self._audience.watchers(),
            scores=list(scores),
            deal=deal,
            settled=settled,
            standing=standing,
            shuffle=shuffle,
            standstill=self._standstill.value(),
            talk=self._talk.shown(player=chair is not None),
            owner=person == self._owner,
            bank_ms=None if chair is None else chair.bank_left_ms(),
        )

    def seats(self, own: Chair | None) -> list[SeatState]:
        """Who is here, as the owner of a chair or a watcher is told."""
        waiting = self._flow.gate is not None
        return [chair.state(waiting, chair is own) for chair in self._seating.chairs]

    def history(self, viewer: int, deal: int | None) -> DealSoFar:
        """The running deal as this viewer may know it, or the finished deal with this number whole. Raises Refused."""
        course = self._course
        if deal is not None:
            return self._whole(viewer, deal)
        if self.is_late(viewer):
            raise Refused("not_watched", "the running deal is not shown at this table")
        if course.deal is None or self._shuffling.ends is not None:
            raise Refused("stale", "nothing has been dealt yet")
        chair = self._audience.seated.get(viewer)
        events = [entry.seen_by(None if chair is None else chair.seat) for entry in course.history.entries]
        return DealSoFar(self._table, course.history.deal, course.history.first, whole=False, events=events)

    def _whole(self, viewer: int, deal: int) -> DealSoFar:
        finished = self.finished
        person = self._audience.people[viewer]
        if not self._course.over and (not self.is_late(viewer) or person in self._seating.players):
            raise Refused("not_watched", "hands that were not shown stay hidden until the match is over")
        if finished is None or finished.deal != deal:
            raise Refused("not_watched", "only the last finished deal is kept")
        return DealSoFar(self._table, deal, finished.first, whole=True, events=finished.events)

    # --- one deal late ------------------------------------------------------------------------------------------

    def deal_over(self) -> None:
        """A deal has ended: keep it, and show it to those who watch one deal late."""
        course = self._course
        history, public = course.history, course.deal_view(None)
        assert course.settled is not None
        assert public is not None
        self.finished = DealKept(
            history.deal,
            history.first,
            history.version,
            [entry.whole for entry in history.entries],
            course.open_view(),
            public,
            course.settled,
            self._shuffling.shown,
        )
        if self._watching == "late":
            self._show_late()

    def kept(self) -> DealKept | None:
        """What the journal has to keep of the finished deal."""
        return self.finished if self._watching == "late" else None

    def _show_late(self) -> None:
        alike: dict[tuple[bool, bool], list[int]] = {}
        for viewer in self._audience.unseated():
            person = self._audience.people[viewer]
            alike.setdefault((person in self._seating.players, person == self._owner), []).append(viewer)
        for (player, _), viewers in alike.items():
            self._audience.send_to(viewers, self.snapshot(viewers[0]))
            if self.finished is not None and (self._course.over or not player):
                deal = self._whole(viewers[0], self.finished.deal)
                self._audience.send_to(viewers, deal)
