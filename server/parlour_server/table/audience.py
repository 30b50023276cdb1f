"""Who looks at a table, and what each of them is told. It hides nothing itself: `views` has done so before."""

from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve

from parlour_engine.seats import Seat
from parlour_server.protocol.messages import Ask, Events, Left, Seats, ToClient
from parlour_server.protocol.values import SeatState
from parlour_server.table.chairs import Chair, Person
from parlour_server.table.deliveries import Delivery, ToBot, ToViewers
from parlour_server.table.history import Entry

AT_ONCE: Final = 20
"""Changes of presence that are told without delay after some quiet."""
_NEARLY_ONE: Final = 1 - 1e-6


class Audience:
    """The connections at a table and the messages that wait for them.

    `people` maps each viewer to the id of the person behind it, `names` to its name, `seated` those who have a seat to
    their chair; the others watch. Where `live` is False they are not told what happens.
    """

    __slots__ = (
        "_now",
        "_outgoing",
        "_owners",
        "_presence",
        "_pressing",
        "_seats_changed",
        "_spare",
        "_table",
        "_told",
        "live",
        "names",
        "people",
        "seated",
    )

    def __init__(self, table: str, presence_ms: int, live: bool = True) -> None:
        """One change of presence in `presence_ms` is told to everybody, in the long run."""
        self._table: Final[str] = table
        self.live: Final = live
        self.people: Final[dict[int, str]] = {}
        self.names: Final[dict[int, str]] = {}
        self.seated: Final[dict[int, Chair]] = {}
        self._outgoing: list[Delivery] = []
        self._seats_changed = False
        self._pressing = False
        self._owners: Final[set[int]] = set()
        """Connections whose own seat has changed so that only they may see it."""
        self._told: Final[dict[int, Seats]] = {}
        self._presence: Final = presence_ms / 1000
        self._spare: float = AT_ONCE
        self._now: float | None = None

    @property
    def now(self) -> float:
        """The time that it was told last."""
        return self._now or 0.0

    def unseated(self) -> list[int]:
        """The connections of those who have no seat."""
        return [viewer for viewer in self.people if viewer not in self.seated]

    def watchers(self) -> int:
        """How many have no seat."""
        return len(self.people) - len(self.seated)

    def enter(self, viewer: int, person: Person, chair: Chair | None) -> None:
        """A connection of `person`, to `chair` or to watch."""
        self.people[viewer] = person.id
        self.names[viewer] = person.name
        if chair is None:
            self.seated.pop(viewer, None)
        else:
            chair.viewer = viewer
            self.seated[viewer] = chair
        self.presence_changed()

    def go(self, viewer: int) -> Chair | None:
        """A connection is gone; its chair, if it had one, keeps its owner."""
        if self.people.pop(viewer, None) is None:
            return None
        del self.names[viewer]
        self._told.pop(viewer, None)
        self.presence_changed()
        chair = self.seated.pop(viewer, None)
        if chair is not None:
            chair.viewer = None
        return chair

    def rename(self, person: str, name: str) -> None:
        """The connections of a person have another name."""
        for viewer, who in self.people.items():
            if who == person:
                self.names[viewer] = name

    def replace(self, viewer: int) -> None:
        """A newer connection of the same person has come."""
        self.send(viewer, Left(self._table, "replaced"))
        self.go(viewer)

    def send(self, viewer: int, message: ToClient) -> None:
        """To one alone."""
        self._outgoing.append(ToViewers((viewer,), message))

    def send_to(self, viewers: Sequence[int], message: ToClient) -> None:
        """The same to some."""
        if viewers:
            self._outgoing.append(ToViewers(tuple(viewers), message))

    def send_all(self, message: ToClient) -> None:
        """To everybody here."""
        self.send_to(list(self.people), message)

    def ask_bot(self, seat: Seat, level: str, ask: Ask) -> None:
        """A bot is to answer."""
        self._outgoing.append(ToBot(seat, level, ask))

    def tell(self, entries: Sequence[Entry], version: int, *, late: bool = False) -> None:
        """What happened, up to `version`: one message for all who may know the same; `late` where even those may who
        watch one deal late."""
        if not self.people:
            return
        public = self.unseated() if self.live or late else []
        private = {seat for entry in entries for seat in entry.private}
        for viewer, chair in self.seated.items():
            if chair.seat in private:
                self._tell((viewer,), entries, version, chair.seat)
            else:
                public.append(viewer)
        if public:
            self._tell(tuple(public), entries, version, None)

    def tell_one(self, viewer: int, entries: Sequence[Entry], version: int) -> None:
        """What a viewer that comes back has missed."""
        chair = self.seated.get(viewer)
        self._tell((viewer,), entries, version, None if chair is None else chair.seat)

    def seats_changed(self) -> None:
        """The game has changed what is told of a seat: whoever does not know it is to be told, once."""
        self._seats_changed = True
        self._pressing = True

    def own_seat_changed(self, chair: Chair) -> None:
        """Who plays for an owner has changed, which nobody else may notice: what waits for them waits on."""
        if chair.viewer is not None:
            self._owners.add(chair.viewer)

    def presence_changed(self) -> None:
        """Somebody has come, gone or changed a name: it is told as `seats_changed`, but not too often."""
        self._seats_changed = True

    def pass_time(self, now: float) -> None:
        """It is `now`."""
        if self._now is not None:
            self._spare = min(AT_ONCE, self._spare + (now - self._now) / self._presence) if self._presence else AT_ONCE
        self._now = now

    def forget(self, now: float) -> None:
        """Nobody is here yet at `now`, and nothing waits to be told."""
        self._outgoing.clear()
        self._owners.clear()
        self._seats_changed = self._pressing = False
        self._now = now

    def due(self) -> float | None:
        """When those can be told who is here whom `drain` has left out; None where there are none."""
        if not self._seats_changed or self._now is None:
            return None
        return self._now + max(0.0, 1 - self._spare) * self._presence

    def drain(self, seats: Callable[[Chair | None], list[SeatState]], at_once: bool = False) -> list[Delivery]:
        """All that waits to be sent, in order; `seats` is who is here as a chair's owner, or a watcher, sees it.

        `at_once` tells who comes and goes however often: for a table whose time does not pass.
        """
        if self._owners:
            self._tell_owners()
        if self._seats_changed:
            self._pressing = self._pressing or at_once
            self._tell_seats(seats)
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def _tell(self, viewers: tuple[int, ...], entries: Sequence[Entry], version: int, seat: Seat | None) -> None:
        message = Events(self._table, version, [entry.seen_by(seat) for entry in entries])
        self._outgoing.append(ToViewers(viewers, message))

    def _tell_owners(self) -> None:
        """Nothing but who plays for them: the rest of what they have not been told comes to them with the others."""
        for viewer in sorted(self._owners):
            told, chair = self._told.get(viewer), self.seated.get(viewer)
            if told is not None and chair is not None and told.you == chair.seat:
                states = list(told.seats)
                states[chair.seat] = evolve(states[chair.seat], stand_in=chair.stand_in)
                self._told[viewer] = evolve(told, seats=states)
                self.send(viewer, self._told[viewer])
        self._owners.clear()

    def _tell_seats(self, seats: Callable[[Chair | None], list[SeatState]]) -> None:
        count = self.watchers()
        watching = Seats(self._table, None, seats(None), count)
        messages = {
            viewer: Seats(self._table, chair.seat, seats(chair), count) for viewer, chair in self.seated.items()
        }
        # Told again to somebody for whom nothing has changed, it would say that something has for another.
        stale = [viewer for viewer in self.people if self._told.get(viewer) != messages.get(viewer, watching)]
        self._seats_changed = False
        pressing, self._pressing = self._pressing, False
        if not pressing and any(viewer in self._told for viewer in stale):
            if self._spare < _NEARLY_ONE and self._presence:
                self._seats_changed = True
                stale = [viewer for viewer in stale if viewer not in self._told]
            else:
                self._spare -= 1
        for viewer in stale:
            self._told[viewer] = messages.get(viewer, watching)
        watchers = tuple([viewer for viewer in stale if viewer not in messages])
        if watchers:
            self._outgoing.append(ToViewers(watchers, watching))
        for viewer in stale:
            if viewer in messages:
                self.send(viewer, messages[viewer])
