"""What people at a table want of it. What they may not have is refused to them alone, and changes nothing."""

from typing import Final, assert_never

from attrs import evolve

from parlour_engine.moves import Move
from parlour_engine.seats import Seat
from parlour_server.budgets import Budgets
from parlour_server.protocol.messages import (
    Accepted,
    AskHistory,
    EndMatch,
    Entropy,
    Error,
    ErrorCode,
    Left,
    Pause,
    Play,
    Ready,
    Said,
    Say,
    Start,
    TakeSeat,
    Why,
    WhyNot,
)
from parlour_server.table import talk, why
from parlour_server.table.chairs import Chair, Person
from parlour_server.table.journal import Spoken, Voted
from parlour_server.table.parts import Parts
from parlour_server.table.shown import Refused
from parlour_server.table.shuffling import is_nonce

WANTS: Final = 6
"""Votes and seats that one may ask for without a pause: each of them is kept, and told to everybody."""
WANTS_PAUSE: Final = 3.0
"""Seconds after which one may ask for another."""
_MANY: Final = 256
"""People of whom it is kept how much they have wanted lately."""

Request = TakeSeat | Play | Ready | Why | Start | Entropy | Pause | EndMatch | Say | AskHistory
"""What a viewer may want of a table."""


class Requests:
    """Takes the requests of viewers who are here."""

    __slots__ = ("_budgets", "_parts", "_told_why")

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts
        self._budgets: Final = Budgets(_MANY)
        self._told_why: Final[dict[Seat | None, tuple[tuple[int, int], WhyNot]]] = {}
        """The last answer to each seat, and when it was true: at which version, and after which answer of its own."""

    def take(self, viewer: int, message: Request, now: float, clock: float) -> None:
        """One request; `clock` is a time that passes while the table stands still."""
        if self._parts.standstill.holds and isinstance(message, Play | Ready | Start):
            self._error(viewer, "stopped", "the table stands still", message.id if isinstance(message, Play) else None)
            return
        match message:
            case Play():
                self._play(viewer, message, now)
            case Ready():
                self._ready(viewer, message, now)
            case TakeSeat():
                self._take_seat(viewer, message.seat, now, clock)
            case Why():
                self._why(viewer, message)
            case Start():
                self._start(viewer, now)
            case Entropy():
                self._add(viewer, message, now)
            case Pause() | EndMatch():
                self._want(viewer, message, now, clock)
            case Say():
                self._say(viewer, message, now, clock)
            case AskHistory():
                self._ask_history(viewer, message)
            case _:
                assert_never(message)

    def _play(self, viewer: int, message: Play, now: float) -> None:
        chair = self._parts.audience.seated.get(viewer)
        if chair is None:
            self._error(viewer, "not_seated", "watchers do not play; take a bot's seat first", message.id)
            return
        self._parts.presence.play_on(chair, now)
        found = judge(chair, message, self._parts.course.history.version)
        if isinstance(found, Error):
            self._parts.audience.send(viewer, found)
            return
        self._parts.flow.answer(chair, found, "person", now, Accepted(message.id, message.version))

    def _why(self, viewer: int, message: Why) -> None:
        # No answer of the flow, no event, no row: nobody else learns that it was asked.
        chair = self._parts.audience.seated.get(viewer)
        course = self._parts.course
        seat = None if chair is None else chair.seat
        # It takes long to find out, and at one moment it is always the same.
        moment = (course.history.version, -1 if chair is None else chair.answered)
        at, told = self._told_why.get(seat, (None, None))
        if told is None or at != moment:
            told = why.answer(message.id, course.history.version, course.deal, seat)
            self._told_why[seat] = moment, told
        # Whoever watches one deal late learns no newer version.
        self._parts.audience.send(viewer, evolve(told, id=message.id, version=self._parts.shown.version(viewer)))

    def _ready(self, viewer: int, message: Ready, now: float) -> None:
        chair = self._parts.audience.seated.get(viewer)
        if chair is None:
            self._error(viewer, "not_seated", "only players go on to the next deal")
            return
        if chair.stood_in_for:
            self._parts.presence.resume(chair, now)
        if self._parts.flow.gate is None or message.deal != self._parts.course.history.deal:
            self._error(viewer, "stale", f"no settlement of deal {message.deal} waits for you")
        elif not chair.ready:
            self._parts.flow.agree(chair, now)

    def _start(self, viewer: int, now: float) -> None:
        if self._parts.audience.people[viewer] != self._parts.owner:
            self._error(viewer, "not_yours", "who has made the table begins its match")
        elif self._parts.course.history.version:
            self._error(viewer, "stale", "the match has begun")
        else:
            start(self._parts, now)

    def _add(self, viewer: int, message: Entropy, now: float) -> None:
        chair = self._parts.audience.seated.get(viewer)
        nonce = message.nonce.lower()
        if chair is None:
            self._error(viewer, "not_seated", "only players add to the shuffle")
        elif not is_nonce(nonce):
            self._error(viewer, "bad_message", "what a seat adds is 16 octets in hex")
        elif self._parts.standstill.ended or not self._parts.shuffling.takes(message.deal, chair.seat):
            self._error(viewer, "stale", f"your seat cannot add to the shuffle of deal {message.deal} now")
        else:
            self._parts.flow.add_to_shuffle(chair.seat, nonce, now)

    def _allows(self, viewer: int, clock: float) -> bool:
        """True where this person has not wanted too much; counts what it wants now, and refuses it where it has."""
        allowed = self._budgets.take(self._parts.audience.people[viewer], WANTS, WANTS * WANTS_PAUSE, clock)
        if not allowed:
            self._error(viewer, "too_many", "you change your mind too fast; wait some seconds")
        return allowed

    def _want(self, viewer: int, message: Pause | EndMatch, now: float, clock: float) -> None:
        chair = self._parts.audience.seated.get(viewer)
        begun = self._parts.course.history.version and not self._parts.course.over and not self._parts.standstill.ended
        if chair is None:
            self._error(viewer, "not_seated", "only players decide this")
        elif not begun or (isinstance(message, EndMatch) and not self._parts.standstill.may_end):
            self._error(viewer, "stale", "this cannot be decided now")
        else:
            about: Final = "pause" if isinstance(message, Pause) else "end"
            vote = Voted(now, chair.seat, about, message.wanted)
            if self._parts.halting.counts(vote) and self._allows(viewer, clock):
                self._parts.halting.vote(vote)

    def _say(self, viewer: int, message: Say, now: float, clock: float) -> None:
        chair = self._parts.audience.seated.get(viewer)
        text = talk.clean(message.text)
        if not text:
            self._error(viewer, "bad_message", "nothing visible is left of this line")
        elif not self._parts.talk.allows(self._parts.audience.people[viewer], clock):
            self._error(viewer, "too_many", "say less at once")
        else:
            seat = None if chair is None else chair.seat
            said = speak(self._parts, Spoken(now, seat, self._parts.audience.names[viewer], text))
            heard = self._parts.audience.unseated() if chair is None else list(self._parts.audience.people)
            self._parts.audience.send_to(heard, said)

    def _ask_history(self, viewer: int, message: AskHistory) -> None:
        try:
            self._parts.audience.send(viewer, self._parts.shown.history(viewer, message.deal))
        except Refused as refused:
            self._error(viewer, refused.code, str(refused))

    def _take_seat(self, viewer: int, seat: Seat, now: float, clock: float) -> None:
        person = self._parts.audience.people[viewer]
        mine = self._parts.seating.chair_of(person)
        chair = self._parts.seating.chairs[seat]
        if mine is not None:
            if mine is not chair or chair.viewer != viewer:
                self._error(viewer, "seat_taken", "you have a seat at this table")
                return
            self._parts.presence.resume(chair, now)
            self._show(chair, viewer, now)
            return
        if self._parts.settings.house:
            self._error(viewer, "not_yours", "only the house's bots play here")
            return
        if chair.person is not None:
            self._error(viewer, "seat_taken", "a person has this seat")
            return
        if self._parts.seating.knows_other(person, seat, self._parts.course.history.deal):
            # Who went from seat to seat would see every hand.
            self._error(viewer, "next_deal", "you have seen another hand of this deal; wait for the next deal")
            return
        if not self._allows(viewer, clock):
            return
        for other in [
            number for number, who in self._parts.audience.people.items() if who == person and number != viewer
        ]:
            self._parts.audience.replace(other)
        owner = Person(person, self._parts.audience.names[viewer])
        self._parts.presence.sit(chair, owner, now)
        self._parts.audience.enter(viewer, owner, chair)
        self._show(chair, viewer, now)

    def _show(self, chair: Chair, viewer: int, now: float) -> None:
        self._parts.audience.send(viewer, self._parts.shown.snapshot(viewer))
        self._parts.flow.ask_viewer(chair, now)

    def _error(self, viewer: int, code: ErrorCode, text: str, about: int | None = None) -> None:
        self._parts.error(viewer, code, text, about)


def judge(chair: Chair, message: Play, version: int) -> Move | Error:
    """The move that an answer to the open question of a chair means, or why it means none."""
    question = chair.question
    if question is None or question.version != message.version:
        if message.version == chair.lapsed:
            return Error("too_late", "the time for this answer has run out", message.id)
        if message.version != version or message.version == chair.answered:
            return Error("stale", f"the table is at version {version}", message.id)
        return Error("not_your_turn", "you were not asked", message.id)
    move = question.moves.get(message.move)
    if move is None:
        return Error("illegal_move", "that is not one of the moves you were asked to choose from", message.id)
    return move


def start(parts: Parts, now: float) -> None:
    """Begin the match with those who are here; where nobody may watch, those who have no seat have to go."""
    parts.begin([chair.seat for chair in parts.seating.owned() if chair.viewer is None], now)
    if parts.settings.watching == "never":
        for viewer in parts.audience.unseated():
            parts.error(viewer, "not_watched", "nobody may watch this table")
            parts.audience.send(viewer, Left(parts.id, "removed"))
            parts.audience.go(viewer)


def speak(parts: Parts, spoken: Spoken) -> Said:
    """Write down what somebody says, and make the message of it."""
    parts.rows.append(spoken)
    return Said(parts.id, parts.talk.add(spoken.seat, spoken.name, spoken.text))
