"""The authority of one table: it keeps time and order, and judges nothing.

Time is an argument (seconds of any steady clock). Every call is atomic; afterwards the shell takes what `to_send` and
`to_record` hold and calls `tick` at `deadline`. Whatever comes too late, a clock answers with the engine's late move,
and that answer takes the way that any other takes.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Self

from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import Seat
from parlour_engine.views import View, view
from parlour_server.protocol import messages
from parlour_server.protocol.messages import Accepted, Error, Left, Play, Why
from parlour_server.protocol.values import SeatState, Stopped
from parlour_server.table.chairs import Bot, Occupant, Person
from parlour_server.table.deliveries import Delivery
from parlour_server.table.journal import Row
from parlour_server.table.parts import Parts
from parlour_server.table.requests import Request, Requests, judge, start
from parlour_server.table.restoring import Restoring
from parlour_server.table.settings import Settings
from parlour_server.table.shuffling import Deals

STAND_IN: Final = Bot("steady", "Steady")


class Table:
    """One table, from the first deal to the final standing.

    `viewer` is a connection's number. A seat is a fact of the person behind it, never of a message. What a viewer may
    not do is answered by an error to it alone and changes nothing. What goes wrong inside the engine is raised.
    """

    def __init__(
        self,
        table_id: str,
        ruleset: Ruleset,
        settings: Settings,
        occupants: Sequence[Occupant],
        deals: Deals,
        stand_in: Bot = STAND_IN,
        owner: str | None = None,
    ) -> None:
        """`occupants` by seat, seat 0 is the first East; `stand_in` plays for people who are away; `owner` is the
        person who has made the table."""
        parts = Parts(table_id, ruleset, settings, occupants, deals, stand_in, owner)
        self.id: Final[str] = table_id
        self._settings: Final = settings
        self._parts: Final = parts
        self._requests: Final = Requests(parts)
        self._seating: Final = parts.seating
        self._chairs: Final = parts.seating.chairs
        self._audience: Final = parts.audience
        self._rows: Final = parts.rows
        self._standstill: Final = parts.standstill
        self._course: Final = parts.course
        self._presence: Final = parts.presence
        self._flow: Final = parts.flow
        self._halting: Final = parts.halting
        self._shown: Final = parts.shown

    @classmethod
    def restore(
        cls,
        table_id: str,
        ruleset: Ruleset,
        settings: Settings,
        occupants: Sequence[Occupant],
        deals: Deals,
        rows: Sequence[Row],
        now: float,
        stand_in: Bot = STAND_IN,
        owner: str | None = None,
    ) -> Self:
        """A table as it was when it told the last of `rows`: those from its last `Checkpoint` on, or all where there is
        none; the other arguments are those that it was made with. `now` is that row's time.

        Nobody is here yet. Where somebody was, it stands still (`restart`) until they are back, or `go_on("restart")`.
        Raises BrokenJournal for rows that no such table has told.
        """
        table = cls(table_id, ruleset, settings, occupants, deals, stand_in, owner)
        Restoring(table._parts).take(rows)
        table._audience.forget(now)
        if table.version and not table.over:
            table._halting.restart(now)
        table._flow.tick(now)
        return table

    # --- what the shell asks ------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self._course.history.version

    @property
    def over(self) -> bool:
        """True after the last deal."""
        return self._course.over

    def here(self, viewer: int) -> bool:
        """True for a connection that is at this table."""
        return viewer in self._audience.people

    def not_here(self, viewers: Iterable[int]) -> list[int]:
        """Those of these connections that are not at this table."""
        people = self._audience.people
        return [viewer for viewer in viewers if viewer not in people]

    def viewers(self) -> int:
        """How many connections are here."""
        return len(self._audience.people)

    @property
    def waiting(self) -> bool:
        """True while the match has not begun, and begins when the owner says so."""
        return self._settings.start == "together" and not self.version

    @property
    def ended(self) -> bool:
        """True where the players have voted to end the match here: the shell closes the table."""
        return self._standstill.ended

    @property
    def stopped(self) -> Stopped | None:
        """Why the table stands still; its time must not pass until it is None again."""
        return self._standstill.stopped

    def seat_of(self, person: str) -> Seat | None:
        """The seat that a person owns, present or not."""
        chair = self._seating.chair_of(person)
        return None if chair is None else chair.seat

    def line_of(self, person: str) -> int | None:
        """The connection at the seat that a person owns."""
        chair = self._seating.chair_of(person)
        return None if chair is None else chair.viewer

    def knows(self, person: str) -> bool:
        """True for a person who is here or owns a seat."""
        return person in self._audience.people.values() or self._seating.chair_of(person) is not None

    def owned(self) -> bool:
        """True where a person has a seat to come back to."""
        return bool(self._seating.owned())

    @property
    def deal_number(self) -> int:
        """The number of the running deal, or of the last; 0 before the first."""
        return self._course.history.deal

    @property
    def between_deals(self) -> bool:
        """Whether no deal is under way: before the first, after a settlement, while it is shuffled."""
        deal = self._course.deal
        return deal is None or deal.is_over()

    @property
    def window_ends(self) -> float | None:
        """When the open window may close, whoever was asked; None where there is none."""
        return self._flow.window_ends

    def awaits(self, viewer: int, now: float) -> bool:
        """True where everybody sees that the table waits for this connection."""
        for chair in self._seating.chairs:
            if chair.viewer == viewer:
                return self._flow.awaits(chair, now)
        return False

    def seat_states(self) -> list[SeatState]:
        """Who sits where, as everybody may know it."""
        return self._shown.seats(None)

    def watchers(self) -> int:
        """How many connections have no seat."""
        return self._audience.watchers()

    def view_for(self, seat: Seat) -> View:
        """What a seat may know of the deal, for its bot. ValueError before the first deal."""
        return view(self._course.current(), seat)

    def to_send(self) -> list[Delivery]:
        """Messages that wait, in order; they are handed out once."""
        self._halting.tell()
        return self._audience.drain(self._shown.seats, at_once=self._standstill.holds)

    def to_record(self) -> list[Row]:
        """Journal rows that wait, in order; they are handed out once."""
        rows = list(self._rows)
        self._rows.clear()
        return rows

    def deadline(self) -> float | None:
        """When to call `tick`, None where only a message can change anything."""
        return self._flow.deadline()

    # --- what the shell tells -----------------------------------------------------------------------------------

    def start(self, now: float) -> None:
        """Begin the match. ValueError the second time."""
        start(self._parts, now)
        self._flow.tick(now)

    def tick(self, now: float) -> None:
        """Do everything that is due."""
        self._flow.tick(now)

    def stop(self, reason: Stopped, now: float) -> None:
        """Stand still from now on: nothing is asked or answered until every reason to is gone."""
        self._halting.stop(reason, now)

    def go_on(self, reason: Stopped, now: float) -> None:
        """This is no reason to stand still any more; `now` is when the table stopped, for its time has not passed.

        After a restart, whoever is still missing is away from now on.
        """
        self._halting.go_on(reason, now)

    def end(self, now: float) -> None:
        """Nothing happens any more, and what is secret about the shuffles is shown: the shell closes the table."""
        if self.version and not self.ended:
            self._halting.end(now)

    def join(
        self, viewer: int, person: str, name: str, seen: int | None, now: float, since: float | None = None
    ) -> bool:
        """A connection of `person` comes: to its seat if it has one, else to watch; False (and an error) if it may not.

        It gets the events after version `seen`, or the whole table, then its ask if there is one. `since` is the last
        sign of life of the connection that had the seat, where that is silent.
        """
        self._flow.tick(now)
        chair = self._seating.chair_of(person)
        if chair is not None:
            again = chair.viewer is not None
            if chair.viewer is not None and chair.viewer != viewer:
                if since is not None:
                    self._presence.forgive(chair, now, since)
                self._audience.replace(chair.viewer)
            if again or not chair.up:
                self._presence.resume(chair, now)
            # Else the line went down with the server, and nobody has been away.
        elif not self._may_watch(viewer):
            return False
        self._audience.enter(viewer, Person(person, name), chair)
        self.rename(person, name)
        missed = self._shown.missed(viewer, seen)
        if missed is None:
            self._audience.send(viewer, self._snapshot(viewer))
        else:
            if missed:
                self._audience.tell_one(viewer, missed, self._course.history.version)
            self._halting.tell_one(viewer)
        if chair is not None:
            self._flow.ask_viewer(chair, now)
        self._halting.all_back(now)
        self._flow.tick(now)
        return True

    def _may_watch(self, viewer: int) -> bool:
        if self._settings.watching == "never" and self.version:
            self._parts.error(viewer, "not_watched", "nobody may watch this table")
            return False
        if viewer not in self._audience.people and self._audience.watchers() >= self._settings.watchers:
            self._parts.error(viewer, "table_full", "no more people may watch this table")
            return False
        return True

    def disconnect(self, viewer: int, now: float, since: float | None = None) -> None:
        """A line is gone; its seat is kept, and after a moment a stand-in plays. `since` is its last sign of life,
        where it was silent."""
        person = self._audience.people.get(viewer)
        if person is not None:
            self._parts.talk.gone(person)
        chair = self._audience.go(viewer)
        if chair is not None:
            self._presence.drop(chair, now, since)
        self._flow.tick(now)

    def leave(self, viewer: int, now: float) -> None:
        """A viewer goes by its own wish; a bot has its seat for good."""
        self._flow.tick(now)
        if not self.here(viewer):
            return
        self._audience.send(viewer, Left(self.id, "left"))
        self._parts.talk.gone(self._audience.people[viewer])
        chair = self._audience.go(viewer)
        if chair is not None:
            self._halting.stand_up(chair, now)
            self._halting.all_back(now)
        self._flow.tick(now)

    def rename(self, person: str, name: str) -> None:
        """A person has another name from now on."""
        self._audience.rename(person, name)
        chair = self._seating.chair_of(person)
        if chair is not None and chair.person is not None and chair.person.name != name:
            self._presence.rename(chair, Person(person, name), self._audience.now)
            self._audience.presence_changed()

    def receive(self, viewer: int, message: Request, now: float, clock: float | None = None) -> None:
        """What a viewer wants. Refusals go to it alone. `clock` is a time that passes while the table stands still."""
        self._flow.tick(now)
        about = message.id if isinstance(message, Play | Why) else None
        if not self.here(viewer):
            self._parts.error(viewer, "not_at_table", "join the table first", about)
            return
        self._requests.take(viewer, message, now, now if clock is None else clock)
        self._flow.tick(now)

    def receive_bot(self, seat: Seat, message: Play, now: float) -> Accepted | Error:
        """What the bot of a seat answers. An error only means that somebody was faster, or that the bot is wrong."""
        self._flow.tick(now)
        chair = self._chairs[seat]
        if not chair.bot_plays():
            return Error("not_seated", "a person plays this seat", message.id)
        if self._standstill.holds:
            return Error("stopped", "the table stands still", message.id)
        found = judge(chair, message, self.version)
        if isinstance(found, Error):
            return found
        self._flow.answer(chair, found, "bot", now)
        self._flow.tick(now)
        return Accepted(message.id, message.version)

    def _snapshot(self, viewer: int) -> messages.Table:
        return self._shown.snapshot(viewer)
