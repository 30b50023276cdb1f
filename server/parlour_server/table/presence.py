"""Who plays each seat: its owner, whose line is up or down, or the bot that stands in; each change a journal row."""

from collections.abc import Sequence
from typing import Final

from parlour_engine.seats import Seat
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import Chair, Person
from parlour_server.table.history import History
from parlour_server.table.journal import LineChanged, Row, SeatChanged, Waiting
from parlour_server.table.seating import Seating
from parlour_server.table.settings import LATE_IN_A_ROW, Settings
from parlour_server.table.standstill import GONE, Standstill


class Presence:
    """Changes chairs and what follows from it for their clocks and votes. Asking a bot is the flow's business."""

    __slots__ = ("_audience", "_history", "_rows", "_seating", "_settings", "_standstill")

    def __init__(
        self,
        settings: Settings,
        seating: Seating,
        history: History,
        audience: Audience,
        standstill: Standstill,
        rows: list[Row],
    ) -> None:
        self._settings: Final = settings
        self._seating: Final = seating
        self._history: Final = history
        self._audience: Final = audience
        self._standstill: Final = standstill
        self._rows: Final = rows

    # --- when something is due ----------------------------------------------------------------------------------

    def grace_ends(self, chair: Chair) -> float | None:
        """When a stand-in plays for an owner whose line is down."""
        if chair.person is None or chair.stand_in or chair.away_since is None:
            return None
        return chair.away_since + self._settings.grace_ms / 1000

    def gone_at(self, chair: Chair) -> float | None:
        """When this seat's owner will have been gone for long, None where it is known already or will not be."""
        if self._standstill.may_end or not chair.stand_in or chair.away_since is None:
            return None
        return chair.away_since + GONE

    def note_gone(self, now: float, over: bool) -> None:
        """Find out whether an owner has been gone for long; when none is any more, the votes are void."""
        standstill = self._standstill
        away = [chair for chair in self._seating.chairs if chair.away_since is not None]
        standstill.may_end = bool(away) and not over and any(_is_gone(chair, now) for chair in away)
        if not standstill.may_end:
            standstill.ending.clear()

    # --- changes ------------------------------------------------------------------------------------------------

    def begin(self, absent: Sequence[Seat], now: float) -> None:
        """The match begins; nobody knows of the owners of the seats `absent`."""
        self._seating.begin()
        for chair in self._seating.chairs:
            if chair.seat in absent:
                chair.away_since = now
            self.record(chair, now)

    def sit(self, chair: Chair, owner: Person, now: float) -> None:
        """A person takes a bot's place."""
        self._seating.took(owner.id, self._history.version)
        self._standstill.forget(chair.seat)
        chair.sit(owner)
        _own(chair, now)
        self.record(chair, now)

    def stand_up(self, chair: Chair, now: float) -> None:
        """The owner leaves for good, a bot has the seat."""
        assert chair.person is not None
        history = self._history
        self._seating.left(chair.person.id, history.version, history.deal, chair.seat)
        self._standstill.forget(chair.seat)
        chair.stand_up()
        if chair.question is not None:
            chair.question.clock.rest(now)
        self.record(chair, now)

    def rename(self, chair: Chair, owner: Person, now: float) -> None:
        """The owner has another name."""
        chair.person = owner
        self.record(chair, now)

    def drop(self, chair: Chair, now: float, since: float | None = None) -> None:
        """The owner's line is gone; `since` is its last sign of life, where it was silent. Before the match nobody is
        waited for."""
        if chair.up and self._history.version:
            chair.away_since = now
            if chair.question is not None and not chair.stand_in:
                chair.question.clock.drop(now)
            if since is not None:
                chair.give_back(since)
            self._rows.append(LineChanged(now, chair.seat, up=False, since=since))

    def forgive(self, chair: Chair, now: float, since: float) -> None:
        """The owner has another line, and that before has been silent since then."""
        if self._history.version:
            if chair.question is not None:
                chair.question.clock.settle(now)
            chair.give_back(since)
            # Whether there was anything to give back: the disk has as much to do, and tells nobody how the clock runs.
            self._rows.append(LineChanged(now, chair.seat, up=True, since=since))

    def resume(self, chair: Chair, now: float, shown: bool = False) -> None:
        """The owner is here: the moves are its own again. `shown` leaves the others in their belief that a bot plays,
        which they are told only when the seat's turn comes."""
        stood_in, changed = chair.stand_in, chair.stood_in_for is not shown
        news = chair.away_since is not None or chair.late > 0
        chair.resume()
        chair.stood_in_for = shown
        _own(chair, now)
        if changed:
            self._audience.seats_changed()
        elif stood_in:
            self._audience.own_seat_changed(chair)
        if stood_in or changed:
            self.record(chair, now)
        elif news:
            self._rows.append(LineChanged(now, chair.seat, up=True))

    def play_on(self, chair: Chair, now: float) -> None:
        """The owner plays: the moves are its own again, which the others are told when its turn comes."""
        if chair.stand_in:
            on_turn = chair.question is not None and chair.question.kind == "turn"
            self.resume(chair, now, chair.stood_in_for and not on_turn)

    def replace_if_late(self, chair: Chair, now: float) -> None:
        """A stand-in plays for an owner who was late too often."""
        # Only where everybody knows that the seat is on turn: in a claim window, which counts too, the change of hands
        # would show that the seat had been asked.
        if not chair.bot_plays() and chair.late >= LATE_IN_A_ROW:
            self.replace(chair, now)

    def replace(self, chair: Chair, now: float) -> None:
        """A stand-in plays from now on."""
        chair.stand_in = True
        chair.stood_in_for = True
        chair.late = 0
        if chair.question is not None:
            chair.question.clock.rest(now)
        self._audience.seats_changed()
        self.record(chair, now)

    def be_open(self, chair: Chair, now: float) -> None:
        """The seat is on turn, as everybody knows: so everybody is told who plays it."""
        self.replace_if_late(chair, now)
        if chair.stood_in_for is not chair.stand_in:
            chair.stood_in_for = chair.stand_in
            self._audience.seats_changed()

    def record(self, chair: Chair, now: float) -> None:
        """Write down who plays a seat from now on."""
        person = chair.person
        who = None if person is None else person.id
        name = chair.bot.name if person is None else person.name
        if not self._history.version:
            self._rows.append(Waiting(now, chair.seat, who, name))
            return
        level = chair.bot.level if person is None or chair.stand_in else None
        self._rows.append(
            SeatChanged(now, self._history.version, chair.seat, who, name, level, chair.stand_in, chair.stood_in_for)
        )


def _is_gone(chair: Chair, now: float) -> bool:
    return chair.stand_in and chair.away_since is not None and now >= chair.away_since + GONE


def _own(chair: Chair, now: float) -> None:
    """The open question is the owner's."""
    if chair.question is not None:
        chair.question.bot_due = None
        chair.question.clock.run(now)
