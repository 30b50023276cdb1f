"""The authority of one table: it keeps time and order, and judges nothing.

Time is an argument (seconds of any steady clock). Every call is atomic; afterwards the shell takes what `to_send` and
`to_record` hold and calls `tick` at `deadline`. Whatever comes too late, a clock answers with the engine's late move,
and that answer takes the way that any other takes.
"""

from collections.abc import Sequence
from typing import Final, Self, assert_never

from attrs import evolve

from parlour_engine.moves import Move
from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import Seat
from parlour_engine.views import View, view
from parlour_server.protocol import messages
from parlour_server.protocol.messages import (
    Accepted,
    EndMatch,
    Error,
    ErrorCode,
    Left,
    Pause,
    Play,
    Ready,
    Still,
    TakeSeat,
    Why,
    WhyNot,
)
from parlour_server.protocol.values import SeatState, Stopped
from parlour_server.table import why
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import Bot, Chair, Occupant, Person
from parlour_server.table.course import Course, Deals
from parlour_server.table.deliveries import Delivery
from parlour_server.table.flow import Flow
from parlour_server.table.journal import MatchBegun, Row, Voted
from parlour_server.table.restoring import Laid, Restoring
from parlour_server.table.seating import Seating
from parlour_server.table.settings import Settings
from parlour_server.table.standstill import Standstill

STAND_IN: Final = Bot("steady", "Steady")

Request = Play | Ready | TakeSeat | Why | Pause | EndMatch
"""What a viewer may want of a table."""


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
        self._seating: Final = Seating([Chair(seat, occupants[seat], stand_in, settings.bank) for seat in range(4)])
        self._chairs: Final = self._seating.chairs
        self._audience: Final = Audience(table_id, settings.presence_ms)
        self._rows: Final[list[Row]] = []
        self._standstill: Final = Standstill()
        self._told_still = self._standstill.value()
        self._course: Final = Course(ruleset, settings.rounds, deals, self._rows)
        self._flow: Final = Flow(settings, self._seating, self._course, self._audience, self._standstill, self._rows)
        self._told_why: Final[dict[Seat | None, tuple[tuple[int, int], WhyNot]]] = {}
        """The last answer to each seat, and when it was true: at which version, and after which answer of its own."""

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
    ) -> Self:
        """A table as it was when it told the last of `rows`: those from its last `Checkpoint` on, or all where there is
        none; the other arguments are those that it was made with. `now` is that row's time.

        Nobody is here yet. Where somebody was, it stands still (`restart`) until they are back, or `go_on("restart")`.
        Raises BrokenJournal for rows that no such table has told.
        """
        table = cls(table_id, ruleset, settings, occupants, Laid(deals, rows), stand_in)
        course, flow = table._course, table._flow
        Restoring(
            course, flow, table._seating, table._standstill, table._rows, table._begin, table._stand_up, table._vote
        ).take(rows)
        table._audience.forget(now)
        flow.note_gone(now)
        if course.history.version and not course.over and any(chair.is_awaited() for chair in table._chairs):
            table._standstill.reasons.add("restart")
        else:
            flow.ask_again(now)
        table._told_still = table._standstill.value()
        flow.tick(now)
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

    def viewers(self) -> int:
        """How many connections are here."""
        return len(self._audience.people)

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

    def knows(self, person: str) -> bool:
        """True for a person who is here or owns a seat."""
        return person in self._audience.people.values() or self._seating.chair_of(person) is not None

    def owned(self) -> bool:
        """True where a person has a seat to come back to."""
        return bool(self._seating.owned())

    def view_for(self, seat: Seat) -> View:
        """What a seat may know of the deal, for its bot. ValueError before the first deal."""
        return view(self._course.current(), seat)

    def to_send(self) -> list[Delivery]:
        """Messages that wait, in order; they are handed out once."""
        self._tell_still()
        return self._audience.drain(self._seats, at_once=self._standstill.holds)

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
        self._begin(now, [chair.seat for chair in self._seating.owned() if chair.viewer is None])
        self._flow.tick(now)

    def tick(self, now: float) -> None:
        """Do everything that is due."""
        self._flow.tick(now)

    def stop(self, reason: Stopped, now: float) -> None:
        """Stand still from now on: nothing is asked or answered until every reason to is gone."""
        self._audience.pass_time(now)
        self._standstill.reasons.add(reason)
        self._tell_still()

    def go_on(self, reason: Stopped, now: float) -> None:
        """This is no reason to stand still any more; `now` is when the table stopped, for its time has not passed.

        After a restart, whoever is still missing is away from now on.
        """
        if reason not in self._standstill.reasons:
            return
        self._standstill.reasons.discard(reason)
        if reason == "restart":
            for chair in self._chairs:
                if chair.viewer is None:
                    self._flow.drop(chair, now)
        elif reason == "agreed":
            self._standstill.pausing.clear()
        self._tell_still()
        if not self._standstill.holds:
            self._flow.ask_again(now)
        self._flow.tick(now)

    def join(self, viewer: int, person: str, name: str, seen: int | None, now: float) -> bool:
        """A connection of `person` comes: to its seat if it has one, else to watch; False (and an error) if it is full.

        It gets the events after version `seen`, or the whole table, then its ask if there is one.
        """
        self._flow.tick(now)
        chair = self._seating.chair_of(person)
        if chair is not None:
            if chair.viewer is not None and chair.viewer != viewer:
                self._audience.replace(chair.viewer)
                self._flow.resume(chair, now)
            elif chair.viewer is not None or not chair.up:
                self._flow.resume(chair, now)
            # Else the line went down with the server, and nobody has been away.
        elif viewer not in self._audience.people and self._audience.watchers() >= self._settings.watchers:
            self._error(viewer, "table_full", "no more people may watch this table")
            return False
        self._audience.enter(viewer, Person(person, name), chair)
        self.rename(person, name)
        missed = None
        if seen is not None and not self._seating.sees_anew(person, seen):
            missed = self._course.history.after(seen)
        if missed is None:
            self._send_snapshot(viewer)
        elif missed:
            self._audience.tell_one(viewer, missed, self._course.history.version)
        if chair is not None:
            self._flow.ask_viewer(chair, now)
        self._all_back(now)
        self._flow.tick(now)
        return True

    def disconnect(self, viewer: int, now: float) -> None:
        """A line is gone; its seat is kept, and after a moment a stand-in plays."""
        chair = self._audience.go(viewer)
        if chair is not None:
            self._flow.drop(chair, now)
        self._flow.tick(now)

    def leave(self, viewer: int, now: float) -> None:
        """A viewer goes by its own wish; a bot has its seat for good."""
        self._flow.tick(now)
        if not self.here(viewer):
            return
        self._audience.send(viewer, Left(self.id, "left"))
        chair = self._audience.go(viewer)
        if chair is not None:
            self._stand_up(chair, now)
            self._all_back(now)
        self._flow.tick(now)

    def rename(self, person: str, name: str) -> None:
        """A person has another name from now on."""
        self._audience.rename(person, name)
        chair = self._seating.chair_of(person)
        if chair is not None and chair.person is not None and chair.person.name != name:
            self._flow.rename(chair, Person(person, name), self._audience.now)
            self._audience.presence_changed()

    def close(self) -> None:
        """The table ends here; everybody is told."""
        for viewer in list(self._audience.people):
            self._audience.send(viewer, Left(self.id, "closed"))
            self._audience.go(viewer)

    def receive(self, viewer: int, message: Request, now: float) -> None:
        """What a viewer wants. Refusals go to it alone."""
        self._flow.tick(now)
        if not self.here(viewer):
            about = message.id if isinstance(message, Play | Why) else None
            self._error(viewer, "not_at_table", "join the table first", about)
            return
        if self._standstill.holds and isinstance(message, Play | Ready):
            about = message.id if isinstance(message, Play) else None
            self._error(viewer, "stopped", "the table stands still", about)
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
            case Pause() | EndMatch():
                self._want(viewer, message, now)
            case _:
                assert_never(message)
        self._flow.tick(now)

    def receive_bot(self, seat: Seat, message: Play, now: float) -> Accepted | Error:
        """What the bot of a seat answers. An error only means that somebody was faster, or that the bot is wrong."""
        self._flow.tick(now)
        chair = self._chairs[seat]
        if not chair.bot_plays():
            return Error("not_seated", "a person plays this seat", message.id)
        if self._standstill.holds:
            return Error("stopped", "the table stands still", message.id)
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
            self._flow.agree(chair, now)

    def _want(self, viewer: int, message: Pause | EndMatch, now: float) -> None:
        chair = self._audience.seated.get(viewer)
        if chair is None:
            self._error(viewer, "not_seated", "only players decide this")
        elif (
            not self.version
            or self.over
            or self.ended
            or (isinstance(message, EndMatch) and not self._standstill.may_end)
        ):
            self._error(viewer, "stale", "this cannot be decided now")
        else:
            self._vote(Voted(now, chair.seat, "pause" if isinstance(message, Pause) else "end", message.wanted))

    def _vote(self, vote: Voted) -> None:
        self._rows.append(vote)
        standstill = self._standstill
        seats = standstill.pausing if vote.about == "pause" else standstill.ending
        if vote.wanted:
            seats.add(vote.seat)
            self._count_votes(vote.at)
        else:
            seats.discard(vote.seat)
            if vote.about == "pause":
                self.go_on("agreed", vote.at)

    def _stand_up(self, chair: Chair, now: float) -> None:
        self._flow.stand_up(chair, now)
        self._count_votes(now)

    def _count_votes(self, now: float) -> None:
        """Do what all players want who are here; whose line has dropped for a moment decides nothing."""
        standstill = self._standstill
        here = {chair.seat for chair in self._chairs if chair.up}
        if not self._seating.owned():
            self.go_on("agreed", now)
        elif here and here <= standstill.pausing and "agreed" not in standstill.reasons:
            self.stop("agreed", now)
        if here and here <= standstill.ending:
            standstill.ended = True

    def _all_back(self, now: float) -> None:
        if "restart" in self._standstill.reasons and not any(chair.is_awaited() for chair in self._chairs):
            self.go_on("restart", now)

    def _take_seat(self, viewer: int, seat: Seat, now: float) -> None:
        person = self._audience.people[viewer]
        mine = self._seating.chair_of(person)
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
        if self._seating.knows_other(person, seat, self._course.history.deal):
            # Who went from seat to seat would see every hand.
            self._error(viewer, "seat_taken", "you have seen another hand of this deal; wait for the next deal")
            return
        for other in [number for number, who in self._audience.people.items() if who == person and number != viewer]:
            self._audience.replace(other)
        owner = Person(person, self._audience.names[viewer])
        self._flow.sit(chair, owner, now)
        self._audience.enter(viewer, owner, chair)
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
            standstill=self._standstill.value(),
            talk=[],
            owner=False,
            bank_ms=None if chair is None else chair.bank_left_ms(),
        )

    def _seats(self, own: Chair | None) -> list[SeatState]:
        waiting = self._flow.gate is not None
        return [chair.state(waiting, chair is own) for chair in self._chairs]

    def _begin(self, now: float, absent: Sequence[Seat]) -> None:
        if self.version:
            raise ValueError("the match has begun")
        value, seats = self._settings_value, [chair.sitter() for chair in self._chairs]
        self._rows.append(
            MatchBegun(
                now,
                value.ruleset,
                value.ruleset_version,
                self._digest,
                value.options,
                value.rounds,
                seats,
                list(absent),
            )
        )
        self._flow.start(absent, now)

    def _tell_still(self) -> None:
        value = self._standstill.value()
        if value != self._told_still:
            self._told_still = value
            self._audience.send_all(Still(self.id, value))
