"""When what happens at a table: turns, windows, clocks, the gate after a settlement, the shuffle before a deal.

The engine decides what; this decides when. Whatever comes too late, a clock answers with the engine's late move: there
is no second path for absent players.

Every change that nobody could derive from those before it is a row of the journal, the first row that the change
brings about; `restoring` does the same changes again in this order and arrives at the same table.
"""

from collections.abc import Callable, Sequence
from typing import Final

from parlour_engine.deal import Deal
from parlour_engine.legal import late_move, legal_moves, waiting_on
from parlour_engine.moves import Move, move_text
from parlour_engine.phases import Claiming, Discarding, Over, Robbing, Washing
from parlour_engine.seats import Seat
from parlour_server.protocol.messages import Accepted
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import AskKind, Chair, Question
from parlour_server.table.clocks import UNNOTICED_MS, Clock
from parlour_server.table.course import Course
from parlour_server.table.history import Entry
from parlour_server.table.journal import Added, Agreed, Answered, AnsweredBy, Checkpoint, Offered, Row
from parlour_server.table.presence import Presence
from parlour_server.table.seating import Seating
from parlour_server.table.settings import Settings
from parlour_server.table.shuffling import Shuffling
from parlour_server.table.standstill import Standstill


class Flow:
    """The order of a table in time. Times are seconds.

    `window_ends` is when the open window may close, whoever was asked; `gate` since when a settlement waits for the
    players to go on. `checkpoint` makes the row before a wall is laid, `deal_over` is called when one has ended and
    was told.
    """

    __slots__ = (
        "_audience",
        "_chairs",
        "_course",
        "_presence",
        "_rows",
        "_seating",
        "_settings",
        "_shuffling",
        "_standstill",
        "checkpoint",
        "deal_over",
        "gate",
        "window_ends",
    )

    def __init__(
        self,
        settings: Settings,
        seating: Seating,
        presence: Presence,
        course: Course,
        shuffling: Shuffling,
        audience: Audience,
        standstill: Standstill,
        rows: list[Row],
    ) -> None:
        self._settings: Final = settings
        self._seating: Final = seating
        self._chairs: Final = seating.chairs
        self._presence: Final = presence
        self._course: Final = course
        self._shuffling: Final = shuffling
        self._audience: Final = audience
        self._standstill: Final = standstill
        self._rows: Final = rows
        self.window_ends: float | None = None
        self.gate: float | None = None
        self.checkpoint: Callable[[float], Checkpoint] | None = None
        self.deal_over: Callable[[], None] | None = None

    # --- time ---------------------------------------------------------------------------------------------------

    def deadline(self) -> float | None:
        """When to call `tick`, None where only a message can change anything."""
        if self._standstill.holds:
            return None
        dues = [self._window_due(), self._audience.due()]
        if self.gate is not None:
            dues.append(self._gate_due())
        if self._shuffling.ends is not None:
            dues.append(self._shuffle_due())
        over = self._course.over
        for chair in self._chairs:
            if chair.away_since is not None:
                dues.append(self._presence.grace_ends(chair))
                if not over:
                    dues.append(self._presence.gone_at(chair))
            if chair.question is not None:
                dues.append(chair.question.due())
        return min([due for due in dues if due is not None], default=None)

    def awaits(self, chair: Chair, now: float) -> bool:
        """Whether everybody sees that the owner of a chair may be waited for: on its turn, and in a window from when on
        it might have closed, or a bank may run. There all owners are alike: if only those who were asked counted, how
        soon a silent line is given up would tell who that is. A window that lasts its full time costs no bank."""
        if self._standstill.holds:
            return False
        if chair.question is not None and chair.question.kind == "turn":
            return True
        settings, ends = self._settings, self.window_ends
        if ends is None or settings.bank is None or settings.claim_ms is None or settings.pad_windows:
            return False
        # Where the floor is longer than the time that costs nothing, banks run before it is over.
        return now > ends - max(0, settings.floor_ms - settings.claim_ms) / 1000

    def tick(self, now: float) -> None:
        """Do everything that is due."""
        self._audience.pass_time(now)
        while not self._standstill.holds and self._step(now):
            pass
        self.note_gone(now)

    def note_gone(self, now: float) -> None:
        """Find out whether an owner has been gone for long."""
        self._presence.note_gone(now, self._course.over)

    def _step(self, now: float) -> bool:
        """Do one thing that is due; False when there is none."""
        for chair in self._chairs:
            ends = None if chair.away_since is None else self._presence.grace_ends(chair)
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
        due = None if self.gate is None else self._gate_due()
        if due is not None and now >= due:
            self.begin_deal(now)
            return True
        due = None if self._shuffling.ends is None else self._shuffle_due()
        if due is not None and now >= due:
            self.fix_shuffle(now)
            return True
        return False

    def _window_due(self) -> float | None:
        if self.window_ends is not None:
            for chair in self._chairs:
                if chair.question is not None:
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

    def _shuffle_due(self) -> float | None:
        shuffling = self._shuffling
        if shuffling.ends is None:
            return None
        # Whoever is here is waited for; where all of them have sent their part, it is due at once.
        waits = any(chair.up and shuffling.nonces[chair.seat] is None for chair in self._chairs)
        return shuffling.ends if waits else self._audience.now

    # --- the course of the match --------------------------------------------------------------------------------

    def start(self, absent: Sequence[Seat], now: float) -> None:
        """Begin the match; nobody knows of the owners of the seats `absent`. ValueError the second time."""
        entries = self._course.begin_match(now)
        self._audience.tell(entries, self._course.history.version, late=self._settings.watching == "late")
        self._presence.begin(absent, now)
        self.begin_deal(now)

    def agree(self, chair: Chair, now: float) -> None:
        """The owner agrees to go on after the settlement."""
        chair.ready = True
        self._rows.append(Agreed(now, chair.seat, self._course.history.deal))
        self._audience.seats_changed()

    def begin_deal(self, now: float) -> None:
        """Go on to the next deal: shuffle for it, or deal at once where nobody can add to the shuffle."""
        history = self._course.history
        if history.deal:
            # The first deal's history keeps `match_started`: who took a seat before it has still to be told the whole.
            self._seating.forget_before(history.version)
        if self.gate is not None:
            self.gate = None
            self._audience.seats_changed()
        for chair in self._chairs:
            chair.ready = False
        if self._shuffling.fair:
            sealed, committed = self._shuffling.seal(self._course.next_deal().deal_index + 1, now)
            self._rows.append(sealed)
            self._audience.tell([self._course.add(committed, now)], history.version)
        else:
            self.deal([], now)

    def add_to_shuffle(self, seat: Seat, nonce: str, now: float) -> None:
        """The owner of a seat adds its part."""
        assert self._shuffling.shown is not None
        self._shuffling.nonces[seat] = nonce
        self._rows.append(Added(now, self._shuffling.shown.deal, seat, nonce))

    def fix_shuffle(self, now: float) -> None:
        """What the seats have added is decided and told; then it is dealt."""
        self.deal([self._course.add(self._shuffling.fix(), now)], now)

    def deal(self, entries: Sequence[Entry], now: float) -> None:
        """Lay the wall and deal, after these entries which were not told yet."""
        self._seating.new_hands()
        if self._course.history.deal:
            assert self.checkpoint is not None
            self._rows.append(self.checkpoint(now))
        for chair in self._chairs:
            chair.new_deal()
        self._go_on([*entries, *self._course.begin_deal(now)], now)

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
        if by == "person" and question.kind == "turn":
            # What somebody answers in a window is nobody's business, so it must not put a stand-in off.
            chair.late = 0
        if reply is not None and chair.viewer is not None:
            self._audience.send(chair.viewer, reply)
        if entries:
            self._go_on(entries, now)

    def answer_late(self, chair: Chair, now: float) -> None:
        """The clock answers the open question of a chair."""
        assert chair.question is not None
        chair.lapsed = chair.question.version
        if not chair.bot_plays():
            on_turn = chair.question.kind == "turn"
            # That somebody was late in a window that lasts its full time anyway shows nothing, and must never.
            chair.late += on_turn or not self._settings.pad_windows
            if on_turn:
                self._presence.replace_if_late(chair, now)
        self.answer(chair, late_move(self._course.current(), chair.seat), "clock", now)

    def close_window(self, now: float) -> None:
        """Resolve the open window."""
        self.window_ends = None
        self._go_on(self._course.close(now), now)

    def reveal(self, now: float) -> None:
        """Show every seed that is still hidden."""
        entries = self._revealed(now)
        if entries:
            self._audience.tell(entries, self._course.history.version)

    def _revealed(self, now: float) -> list[Entry]:
        return [self._course.add(event, now) for event in self._shuffling.reveal()]

    def _go_on(self, entries: Sequence[Entry], now: float) -> None:
        """A step is done: tell it, and ask whoever is next."""
        course, settings = self._course, self._settings
        deal = course.current()
        if deal.is_over() and (settings.reveal == "deal" or course.over):
            entries = [*entries, *self._revealed(now)]
        self._audience.tell(entries, course.history.version)
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
                if not course.over:
                    self.gate = now
                    self._audience.seats_changed()
                if self.deal_over is not None:
                    self.deal_over()

    # --- questions ----------------------------------------------------------------------------------------------

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
                self._presence.be_open(chair, now)
            clock = Clock(ends, chair.bank_ms if banked else None, self._settings.grace_ms, chair.charges)
            if not chair.bot_plays():
                if chair.up:
                    clock.run(now)
                else:
                    clock.drop(now)
            chair.question = Question(version, kind, legal_moves(deal, seat), clock, total_ms)
            chair.spare_ms = UNNOTICED_MS
            self._rows.append(Offered(now, version, seat, list(chair.question.moves)))
            self.ask_viewer(chair, now)
            self.ask_bot(chair, now)

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

    def stand_in(self, chair: Chair, now: float) -> None:
        """A bot plays for the owner from now on, and answers what the owner was asked."""
        self._presence.replace(chair, now)
        self.ask_bot(chair, now)

    def stand_up(self, chair: Chair, now: float) -> None:
        """The owner leaves for good; the bot that has the seat answers what the owner was asked."""
        bot_was_asked = chair.bot_plays()
        self._presence.stand_up(chair, now)
        if not bot_was_asked:
            self.ask_bot(chair, now)
