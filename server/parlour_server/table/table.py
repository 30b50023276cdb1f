"""The authority of one table: it keeps time and order, and judges nothing.

Time is an argument (seconds of any steady clock). Every call is atomic; afterwards the shell takes what `to_send` and
`to_record` hold and calls `tick` at `deadline`. Whatever comes too late, a clock answers with the engine's late move,
and that answer takes the way that any other takes.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from attrs import evolve

from parlour_engine.moves import Move
from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import Seat
from parlour_engine.views import View, view
from parlour_server.protocol import messages
from parlour_server.protocol.messages import Accepted, Error, ErrorCode, Left, Play, Ready, TakeSeat, Why, WhyNot
from parlour_server.protocol.values import SeatState, Standstill
from parlour_server.table import why
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import Bot, Chair, Occupant, Person
from parlour_server.table.course import Course, Deals
from parlour_server.table.deliveries import Delivery
from parlour_server.table.flow import Flow
from parlour_server.table.journal import MatchBegun, Row
from parlour_server.table.settings import Settings

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
    ) -> None:
        """`occupants` by seat, seat 0 is the first East; `stand_in` plays for people who are away."""
        self.id: Final[str] = table_id
        self._settings: Final = settings
        self._settings_value: Final = settings.value(ruleset)
        self._digest: Final = ruleset.digest
        self._chairs: Final = tuple(Chair(seat, occupants[seat], stand_in) for seat in range(4))
        self._audience: Final = Audience(table_id, settings.presence_ms)
        self._rows: Final[list[Row]] = []
        self._course: Final = Course(ruleset, settings.rounds, deals, self._rows)
        self._flow: Final = Flow(settings, self._chairs, self._course, self._audience, self._rows)
        self._moved: Final[dict[str, int]] = {}
        """The version at which a person last took or left a seat: what it has folded before does not go on."""
        self._told_why: Final[dict[Seat | None, tuple[tuple[int, int], WhyNot]]] = {}
        """The last answer to each seat, and when it was true: at which version, and after which answer of its own."""
        self._left: Final[dict[str, tuple[int, Seat]]] = {}
        """The deal in which a person last left a seat, and the seat, whose hand it has seen."""

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

    def viewers(self) -> int:
        """How many connections are here."""
        return len(self._audience.people)

    def seat_of(self, person: str) -> Seat | None:
        """The seat that a person owns, present or not."""
        chair = self._chair_of(person)
        return None if chair is None else chair.seat

    def knows(self, person: str) -> bool:
        """True for a person who is here or owns a seat."""
        return person in self._audience.people.values() or self._chair_of(person) is not None

    def owned(self) -> bool:
        """True where a person has a seat to come back to."""
        return any(chair.person is not None for chair in self._chairs)

    def view_for(self, seat: Seat) -> View:
        """What a seat may know of the deal, for its bot. ValueError before the first deal."""
        return view(self._course.current(), seat)

    def to_send(self) -> list[Delivery]:
        """Messages that wait, in order; they are handed out once."""
        return self._audience.drain(self._seats)

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
        seats = [chair.sitter() for chair in self._chairs]
        self._flow.start(now)
        value = self._settings_value
        begun = MatchBegun(now, value.ruleset, value.ruleset_version, self._digest, value.options, value.rounds, seats)
        self._rows.insert(0, begun)

    def tick(self, now: float) -> None:
        """Do everything that is due."""
        self._flow.tick(now)

    def join(self, viewer: int, person: str, name: str, seen: int | None, now: float) -> bool:
        """A connection of `person` comes: to its seat if it has one, else to watch; False (and an error) if it is full.

        It gets the events after version `seen`, or the whole table, then its ask if there is one.
        """
        self._flow.tick(now)
        chair = self._chair_of(person)
        if chair is not None:
            if chair.viewer is not None and chair.viewer != viewer:
                self._audience.replace(chair.viewer)
            self._flow.resume(chair, now)
        elif viewer not in self._audience.people and self._audience.watchers() >= self._settings.watchers:
            self._error(viewer, "table_full", "no more people may watch this table")
            return False
        self._audience.enter(viewer, Person(person, name), chair)
        self.rename(person, name)
        missed = None
        if seen is not None and seen > self._moved.get(person, -1):
            missed = self._course.history.after(seen)
        if missed is None:
            self._send_snapshot(viewer)
        elif missed:
            self._audience.tell_one(viewer, missed, self._course.history.version)
        if chair is not None:
            self._flow.ask_viewer(chair, now)
        self._flow.tick(now)
        return True

    def disconnect(self, viewer: int, now: float) -> None:
        """A line is gone; its seat is kept, and after a moment a stand-in plays."""
        chair = self._audience.go(viewer)
        if chair is not None and not chair.stand_in:
            chair.away_since = now
        self._flow.tick(now)

    def leave(self, viewer: int, now: float) -> None:
        """A viewer goes by its own wish; a bot has its seat for good."""
        self._flow.tick(now)
        if not self.here(viewer):
            return
        person = self._audience.people[viewer]
        self._audience.send(viewer, Left(self.id, "left"))
        chair = self._audience.go(viewer)
        if chair is not None:
            self._moved[person] = self._course.history.version
            self._left[person] = (self._course.history.deal, chair.seat)
            bot_was_asked = chair.bot_plays()
            chair.stand_up()
            self._flow.record_seat(chair, now)
            if not bot_was_asked:
                self._flow.ask_bot(chair, now)
        self._flow.tick(now)

    def rename(self, person: str, name: str) -> None:
        """A person has another name from now on."""
        self._audience.rename(person, name)
        chair = self._chair_of(person)
        if chair is not None and chair.person is not None and chair.person.name != name:
            chair.person = Person(person, name)
            self._audience.presence_changed()

    def close(self) -> None:
        """The table ends here; everybody is told."""
        for viewer in list(self._audience.people):
            self._audience.send(viewer, Left(self.id, "closed"))
            self._audience.go(viewer)

    def receive(self, viewer: int, message: Play | Ready | TakeSeat | Why, now: float) -> None:
        """What a viewer wants. Refusals go to it alone."""
        self._flow.tick(now)
        if not self.here(viewer):
            about = message.id if isinstance(message, Play | Why) else None
            self._error(viewer, "not_at_table", "join the table first", about)
            return
        match message:
            case Play():
                self._play(viewer, message, now)
            case Ready():
                self._ready(viewer, message, now)
            case TakeSeat():
                self._take_seat(viewer, message.seat, now)
            case Why():
                self._why(viewer, message)
            case _:
                assert_never(message)
        self._flow.tick(now)

    def receive_bot(self, seat: Seat, message: Play, now: float) -> Accepted | Error:
        """What the bot of a seat answers. An error only means that somebody was faster, or that the bot is wrong."""
        self._flow.tick(now)
        chair = self._chairs[seat]
        if not chair.bot_plays():
            return Error("not_seated", "a person plays this seat", message.id)
        found = self._judge(chair, message)
        if isinstance(found, Error):
            return found
        self._flow.answer(chair, found, "bot", now)
        self._flow.tick(now)
        return Accepted(message.id, message.version)

    # --- requests -----------------------------------------------------------------------------------------------

    def _play(self, viewer: int, message: Play, now: float) -> None:
        chair = self._audience.seated.get(viewer)
        if chair is None:
            self._error(viewer, "not_seated", "watchers do not play; take a bot's seat first", message.id)
            return
        self._flow.play_on(chair, now)
        found = self._judge(chair, message)
        if isinstance(found, Error):
            self._audience.send(viewer, found)
            return
        self._flow.answer(chair, found, "person", now, Accepted(message.id, message.version))

    def _why(self, viewer: int, message: Why) -> None:
        # No answer of the flow, no event, no row: nobody else learns that it was asked.
        chair = self._audience.seated.get(viewer)
        course = self._course
        seat = None if chair is None else chair.seat
        # It takes long to find out, and at one moment it is always the same.
        moment = (course.history.version, -1 if chair is None else chair.answered)
        at, told = self._told_why.get(seat, (None, None))
        if told is None or at != moment:
            told = why.answer(message.id, course.history.version, course.deal, seat)
            self._told_why[seat] = moment, told
        self._audience.send(viewer, evolve(told, id=message.id))

    def _judge(self, chair: Chair, message: Play) -> Move | Error:
        question = chair.question
        if question is None or question.version != message.version:
            if message.version == chair.lapsed:
                return Error("too_late", "the time for this answer has run out", message.id)
            if message.version != self._course.history.version or message.version == chair.answered:
                return Error("stale", f"the table is at version {self._course.history.version}", message.id)
            return Error("not_your_turn", "you were not asked", message.id)
        move = question.moves.get(message.move)
        if move is None:
            return Error("illegal_move", "that is not one of the moves you were asked to choose from", message.id)
        return move

    def _ready(self, viewer: int, message: Ready, now: float) -> None:
        chair = self._audience.seated.get(viewer)
        if chair is None:
            self._error(viewer, "not_seated", "only players go on to the next deal")
            return
        if chair.stood_in_for:
            self._flow.resume(chair, now)
        if self._flow.gate is None or message.deal != self._course.history.deal:
            self._error(viewer, "stale", f"no settlement of deal {message.deal} waits for you")
        elif not chair.ready:
            chair.ready = True
            self._audience.seats_changed()

    def _take_seat(self, viewer: int, seat: Seat, now: float) -> None:
        person = self._audience.people[viewer]
        mine = self._chair_of(person)
        chair = self._chairs[seat]
        if mine is not None:
            if mine is not chair or chair.viewer != viewer:
                self._error(viewer, "seat_taken", "you have a seat at this table")
                return
            self._flow.resume(chair, now)
            self._show(chair, viewer, now)
            return
        if chair.person is not None:
            self._error(viewer, "seat_taken", "a person has this seat")
            return
        deal, left = self._left.get(person, (0, seat))
        if left != seat and deal == self._course.history.deal:
            # Who went from seat to seat would see every hand.
            self._error(viewer, "seat_taken", "you have seen another hand of this deal; wait for the next deal")
            return
        for other in [number for number, who in self._audience.people.items() if who == person and number != viewer]:
            self._audience.replace(other)
        self._moved[person] = self._course.history.version
        owner = Person(person, self._audience.names[viewer])
        chair.sit(owner)
        self._audience.enter(viewer, owner, chair)
        if chair.question is not None:
            chair.question.bot_due = None
        self._flow.record_seat(chair, now)
        self._show(chair, viewer, now)

    def _show(self, chair: Chair, viewer: int, now: float) -> None:
        self._send_snapshot(viewer)
        self._flow.ask_viewer(chair, now)

    def _error(self, viewer: int, code: ErrorCode, text: str, about: int | None = None) -> None:
        self._audience.send(viewer, Error(code, text, about))

    def _send_snapshot(self, viewer: int) -> None:
        self._audience.send(viewer, self._snapshot(viewer))

    def _snapshot(self, viewer: int) -> messages.Table:
        chair = self._audience.seated.get(viewer)
        seat = None if chair is None else chair.seat
        course = self._course
        return messages.Table(
            table=self.id,
            version=course.history.version,
            you=seat,
            settings=self._settings_value,
            seats=self._seats(chair),
            watchers=self._audience.watchers(),
            scores=list(course.history.scores),
            deal=course.deal_view(seat),
            settled=course.settled,
            standing=course.standing,
            shuffle=None,
            standstill=Standstill(None, [], [], may_end=False),
            talk=[],
            owner=False,
            bank_ms=None,
        )

    def _seats(self, own: Chair | None) -> list[SeatState]:
        waiting = self._flow.gate is not None
        return [chair.state(waiting, chair is own) for chair in self._chairs]

    def _chair_of(self, person: str) -> Chair | None:
        for chair in self._chairs:
            if chair.person is not None and chair.person.id == person:
                return chair
        return None
