"""When what happens at a table: turns, windows, clocks, stand-ins, the gate after a settlement.

Every change that nobody could derive from those before it is a row of the journal, the first row that the change
brings about; `restoring` does the same changes again in this order and arrives at the same table.

The engine decides what; this decides when. Whatever comes too late, a clock answers with the engine's late move: there
is no second path for absent players.
"""

from collections.abc import Sequence
from typing import Final

from parlour_engine.deal import Deal
from parlour_engine.legal import late_move, legal_moves, waiting_on
from parlour_engine.moves import Move, move_text
from parlour_engine.phases import Claiming, Discarding, Over, Robbing, Washing
from parlour_engine.seats import Seat
from parlour_server.protocol.messages import Accepted
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import AskKind, Chair, Person, Question
from parlour_server.table.clocks import Clock
from parlour_server.table.course import Course
from parlour_server.table.history import Entry
from parlour_server.table.journal import (
    Agreed,
    Answered,
    AnsweredBy,
    Checkpoint,
    LineChanged,
    Offered,
    Row,
    SeatChanged,
)
from parlour_server.table.seating import Seating
from parlour_server.table.settings import LATE_IN_A_ROW, Settings
from parlour_server.table.standstill import GONE, Standstill


class Flow:
    """The order of a table in time. Times are seconds.

    `window_ends` is when the open window may close, whoever was asked; `gate` since when a settlement waits for the
    players to go on.
    """

    __slots__ = (
        "_audience",
        "_chairs",
        "_course",
        "_rows",
        "_seating",
        "_settings",
        "_standstill",
        "gate",
        "window_ends",
    )

    def __init__(
        self,
        settings: Settings,
        seating: Seating,
        course: Course,
        audience: Audience,
        standstill: Standstill,
        rows: list[Row],
    ) -> None:
        self._settings: Final = settings
        self._seating: Final = seating
        self._chairs: Final = seating.chairs
        self._course: Final = course
        self._audience: Final = audience
        self._standstill: Final = standstill
        self._rows: Final = rows
        self.window_ends: float | None = None
        self.gate: float | None = None

    def deadline(self) -> float | None:
        """When to call `tick`, None where only a message can change anything."""
        if self._standstill.holds:
            return None
        dues = [self._gate_due(), self._window_due(), self._audience.due()]
        for chair in self._chairs:
            dues += [self._grace_ends(chair), self._gone_at(chair)]
            if chair.question is not None:
                dues.append(chair.question.due())
        return min([due for due in dues if due is not None], default=None)

    def start(self, absent: Sequence[Seat], now: float) -> None:
        """Begin the match; nobody knows of the owners of the seats `absent`. ValueError the second time."""
        entries = self._course.begin_match(now)
        self._audience.tell(entries, self._course.history.version)
        for chair in self._chairs:
            if chair.seat in absent:
                chair.away_since = now
            self.record_seat(chair, now)
        self.begin_deal(now)

    def tick(self, now: float) -> None:
        """Do everything that is due."""
        self._audience.pass_time(now)
        while not self._standstill.holds and self._step(now):
            pass
        self.note_gone(now)

    def note_gone(self, now: float) -> None:
        """Find out whether an owner has been gone for long; when none is any more, the votes are void."""
        standstill = self._standstill
        standstill.may_end = not self._course.over and any(self._is_gone(chair, now) for chair in self._chairs)
        if not standstill.may_end:
            standstill.ending.clear()

    @staticmethod
    def _is_gone(chair: Chair, now: float) -> bool:
        return chair.stand_in and chair.away_since is not None and now >= chair.away_since + GONE

    def _gone_at(self, chair: Chair) -> float | None:
        if self._standstill.may_end or self._course.over or not chair.stand_in or chair.away_since is None:
            return None
        return chair.away_since + GONE

    def _step(self, now: float) -> bool:
        """Do one thing that is due; False when there is none."""
        for chair in self._chairs:
            ends = self._grace_ends(chair)
            if ends is not None and now >= ends:
                self.stand_in(chair, now)
                return True
            due = None if chair.question is None else chair.question.due()
            if due is not None and now >= due:
                self.answer_late(chair, now)
                return True
        due = self._window_due()
        if due is not None and now >= due:
            self.close_window(now)
            return True
        due = self._gate_due()
        if due is not None and now >= due:
            self.begin_deal(now)
            return True
        return False

    def _grace_ends(self, chair: Chair) -> float | None:
        if chair.person is None or chair.stand_in or chair.away_since is None:
            return None
        return chair.away_since + self._settings.grace_ms / 1000

    def _window_due(self) -> float | None:
        if self.window_ends is None or any(chair.question is not None for chair in self._chairs):
            return None
        return self.window_ends

    def _gate_due(self) -> float | None:
        if self.gate is None:
            return None
        settings = self._settings
        waited_for = [chair for chair in self._chairs if chair.is_waited_for()]
        if waited_for:
            if all(chair.ready for chair in waited_for):
                return self.gate
            return None if settings.clocks == "off" else self.gate + settings.ready_ms / 1000
        if not self._audience.people and not settings.unwatched:
            return None
        return self.gate + settings.pause_ms / 1000

    def answer_late(self, chair: Chair, now: float) -> None:
        """The clock answers the open question of a chair."""
        assert chair.question is not None
        chair.lapsed = chair.question.version
        if not chair.bot_plays():
            chair.late += 1
            if chair.question.kind == "turn":
                self._replace_if_late(chair, now)
        self.answer(chair, late_move(self._course.current(), chair.seat), "clock", now)

    def _replace_if_late(self, chair: Chair, now: float) -> None:
        # Only where everybody knows that the seat is on turn: in a claim window, which counts too, the change of hands
        # would show that the seat had been asked.
        if not chair.bot_plays() and chair.late >= LATE_IN_A_ROW:
            self._replace(chair, now)

    def stand_in(self, chair: Chair, now: float) -> None:
        """A bot plays for the owner from now on, and answers what the owner was asked."""
        self._replace(chair, now)
        self.ask_bot(chair, now)

    def _replace(self, chair: Chair, now: float) -> None:
        chair.stand_in = True
        chair.stood_in_for = True
        chair.late = 0
        if chair.question is not None:
            chair.question.clock.rest(now)
        self._audience.seats_changed()
        self.record_seat(chair, now)

    # --- who sits where, and whose line is up -------------------------------------------------------------------

    def sit(self, chair: Chair, owner: Person, now: float) -> None:
        """A person takes a bot's place."""
        self._seating.took(owner.id, self._course.history.version)
        self._standstill.forget(chair.seat)
        chair.sit(owner)
        self._own(chair, now)
        self.record_seat(chair, now)

    def stand_up(self, chair: Chair, now: float) -> None:
        """The owner leaves for good, a bot has the seat."""
        assert chair.person is not None
        history = self._course.history
        self._seating.left(chair.person.id, history.version, history.deal, chair.seat)
        self._standstill.forget(chair.seat)
        bot_was_asked = chair.bot_plays()
        chair.stand_up()
        if chair.question is not None:
            chair.question.clock.rest(now)
        self.record_seat(chair, now)
        if not bot_was_asked:
            self.ask_bot(chair, now)

    def rename(self, chair: Chair, owner: Person, now: float) -> None:
        """The owner has another name."""
        chair.person = owner
        if self._course.history.version:
            self.record_seat(chair, now)

    def drop(self, chair: Chair, now: float) -> None:
        """The owner's line is gone."""
        if chair.up:
            if self._course.history.version:
                chair.away_since = now
                if chair.question is not None and not chair.stand_in:
                    chair.question.clock.drop(now)
                self._rows.append(LineChanged(now, chair.seat, up=False))

    def resume(self, chair: Chair, now: float, shown: bool = False) -> None:
        """The owner is here: the moves are its own again. `shown` leaves the others in their belief that a bot plays,
        which they are told only when the seat's turn comes."""
        stood_in, changed = chair.stand_in, chair.stood_in_for is not shown
        news = chair.away_since is not None or chair.late > 0
        chair.resume()
        chair.stood_in_for = shown
        self._own(chair, now)
        if stood_in or changed:
            self._audience.seats_changed()
            self.record_seat(chair, now)
        elif news:
            self._rows.append(LineChanged(now, chair.seat, up=True))

    @staticmethod
    def _own(chair: Chair, now: float) -> None:
        """The open question is the owner's."""
        if chair.question is not None:
            chair.question.bot_due = None
            chair.question.clock.run(now)

    def play_on(self, chair: Chair, now: float) -> None:
        """The owner plays: the moves are its own again, which the others are told when its turn comes."""
        if chair.stand_in:
            on_turn = chair.question is not None and chair.question.kind == "turn"
            self.resume(chair, now, chair.stood_in_for and not on_turn)

    def agree(self, chair: Chair, now: float) -> None:
        """The owner agrees to go on after the settlement."""
        chair.ready = True
        self._rows.append(Agreed(now, chair.seat, self._course.history.deal))
        self._audience.seats_changed()

    def begin_deal(self, now: float) -> None:
        """Go on to the next deal."""
        history = self._course.history
        self._seating.forget_before(history.version)
        if history.deal:
            self._rows.append(self._checkpoint(now))
        if self.gate is not None:
            self.gate = None
            self._audience.seats_changed()
        for chair in self._chairs:
            chair.ready = False
        self._go_on(self._course.begin_deal(now), now)

    def _checkpoint(self, now: float) -> Checkpoint:
        history, due = self._course.history, self._course.next_deal()
        return Checkpoint(
            now,
            history.version,
            due.deal_index + 1,
            due.dealer,
            due.round_wind,
            due.streak,
            list(history.scores),
            [chair.kept() for chair in self._chairs],
            self._seating.moved(),
            sorted(self._standstill.pausing),
            sorted(self._standstill.ending),
        )

    # --- questions, windows, turns ------------------------------------------------------------------------------

    def answer(self, chair: Chair, move: Move, by: AnsweredBy, now: float, reply: Accepted | None = None) -> None:
        """A seat that is asked answers with one of the moves offered; `reply` tells its owner first."""
        question = chair.question
        assert question is not None
        self._rows.append(Answered(now, question.version, chair.seat, move_text(move), by))
        entries = self._course.apply(chair.seat, move, now)
        question.clock.rest(now)
        chair.bank_ms = chair.bank_left_ms()
        chair.question = None
        chair.answered = question.version
        if by == "person":
            chair.late = 0
        if reply is not None and chair.viewer is not None:
            self._audience.send(chair.viewer, reply)
        if entries:
            self._go_on(entries, now)

    def close_window(self, now: float) -> None:
        """Resolve the open window."""
        self.window_ends = None
        self._go_on(self._course.close(now), now)

    def _go_on(self, entries: Sequence[Entry], now: float) -> None:
        """A step is done: tell it, and ask whoever is next."""
        self._audience.tell(entries, self._course.history.version)
        deal = self._course.current()
        settings = self._settings
        match deal.phase:
            case Discarding():
                self._ask(deal, "turn", settings.discard_ms, now)
            case Claiming():
                self._open_window(deal, "claim", now)
            case Robbing():
                self._open_window(deal, "rob", now)
            case Washing():
                self._open_window(deal, "wash", now)
            case Over():
                if not self._course.over:
                    self.gate = now
                    self._audience.seats_changed()

    def _open_window(self, deal: Deal, kind: AskKind, now: float) -> None:
        settings = self._settings
        length = settings.floor_ms
        if settings.pad_windows and settings.claim_ms is not None:
            length = max(length, settings.claim_ms)
        self.window_ends = now + length / 1000
        self._ask(deal, kind, settings.claim_ms, now, banked=not settings.pad_windows)

    def _ask(self, deal: Deal, kind: AskKind, total_ms: int | None, now: float, *, banked: bool = True) -> None:
        ends = None if total_ms is None else now + total_ms / 1000
        version = self._course.history.version
        for seat in waiting_on(deal):
            chair = self._chairs[seat]
            if kind == "turn":
                self._be_open(chair, now)
            clock = Clock(ends, chair.bank_ms if banked else None, self._settings.grace_ms)
            if chair.up and not chair.stand_in:
                clock.run(now)
            elif chair.person is not None and not chair.stand_in:
                clock.drop(now)
            chair.question = Question(version, kind, legal_moves(deal, seat), clock, total_ms)
            self._rows.append(Offered(now, version, seat, list(chair.question.moves)))
            self.ask_viewer(chair, now)
            self.ask_bot(chair, now)

    def _be_open(self, chair: Chair, now: float) -> None:
        self._replace_if_late(chair, now)
        if chair.stood_in_for is not chair.stand_in:
            chair.stood_in_for = chair.stand_in
            self._audience.seats_changed()

    def ask_viewer(self, chair: Chair, now: float) -> None:
        """Send the open question of a chair to its owner; while the table stands still, nobody is asked."""
        if chair.question is not None and chair.viewer is not None and not self._standstill.holds:
            self._audience.send(chair.viewer, chair.question.ask(now))

    def ask_bot(self, chair: Chair, now: float) -> None:
        """Put the open question of a chair to its bot, where the bot plays."""
        question = chair.question
        if question is not None and chair.bot_plays():
            question.ask_bot(now + self._settings.bot_ms / 1000, now)
            if not self._standstill.holds:
                self._audience.ask_bot(chair.seat, chair.bot.level, question.ask(now))

    def ask_again(self, now: float) -> None:
        """Put every open question once more: the table has stood still."""
        for chair in self._chairs:
            self.ask_viewer(chair, now)
            if chair.question is not None and chair.bot_plays():
                self._audience.ask_bot(chair.seat, chair.bot.level, chair.question.ask(now))

    def record_seat(self, chair: Chair, now: float) -> None:
        """Write down who plays a seat from now on."""
        person = chair.person
        self._rows.append(
            SeatChanged(
                now,
                self._course.history.version,
                chair.seat,
                None if person is None else person.id,
                chair.bot.name if person is None else person.name,
                chair.bot.level if person is None or chair.stand_in else None,
                chair.stand_in,
                chair.stood_in_for,
            )
        )
