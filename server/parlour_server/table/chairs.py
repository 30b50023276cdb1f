"""Who sits where: a person or a bot on each seat, the person's line, the ask that is open."""

from typing import Final, Literal

from attrs import frozen

from parlour_engine.moves import Move, move_text
from parlour_engine.seats import Seat
from parlour_server.protocol.messages import Ask
from parlour_server.protocol.values import SeatState
from parlour_server.table.clocks import Charges, Clock, take_back
from parlour_server.table.journal import SeatKept, Sitter

AskKind = Literal["turn", "claim", "rob", "wash"]


@frozen
class Person:
    """Somebody with an identity that outlives a connection."""

    id: str
    name: str


@frozen
class Bot:
    """A player that is no person."""

    level: str
    name: str


Occupant = Person | Bot


class Question:
    """A seat is asked: `moves` by their text, with its `clock`; `bot_due` is when a bot that was asked is late, None
    where the owner plays."""

    __slots__ = ("bot_due", "clock", "kind", "moves", "total_ms", "version")

    def __init__(
        self, version: int, kind: AskKind, moves: tuple[Move, ...], clock: Clock, total_ms: int | None
    ) -> None:
        self.version: Final[int] = version
        self.kind: Final[AskKind] = kind
        self.moves: Final[dict[str, Move]] = {move_text(move): move for move in moves}
        self.clock: Final[Clock] = clock
        self.total_ms: Final[int | None] = total_ms
        self.bot_due: float | None = None

    def ask_bot(self, due: float, now: float) -> None:
        """A bot is asked, which is late at `due`, or before that when the seat's own time is over."""
        ends = self.clock.ends
        self.bot_due = due if ends is None or ends <= now else min(due, ends)

    def due(self) -> float | None:
        """When the clock answers, None if never."""
        return self.clock.due() if self.bot_due is None else self.bot_due

    def ask(self, now: float) -> Ask:
        """The message, with the time that is left."""
        clock = self.clock
        return Ask(
            self.version, self.kind, list(self.moves), clock.left_ms(now), self.total_ms, clock.bank_left_ms(now)
        )


class Chair:
    """One seat. `person` is its owner, `bot` plays while there is none or while it stands in for an owner.

    `viewer` is the owner's connection; `away_since` when it dropped; `stood_in_for` is what the others are told of
    `stand_in`; `late` counts answers in a row that the clock gave; `answered` and `lapsed` the version of the last ask
    that was answered, and of the last one that the clock answered; `bank_ms` is what the seat may still use up beyond
    the time of each question (None for nothing), as it was before the open one; `charges` is what that was charged in
    this deal, `spare_ms` how much of it may still be given back in this question.
    """

    __slots__ = (
        "answered",
        "away_since",
        "bank_ms",
        "bot",
        "charges",
        "lapsed",
        "late",
        "person",
        "question",
        "ready",
        "seat",
        "spare_ms",
        "stand_in",
        "stood_in_for",
        "viewer",
    )

    def __init__(self, seat: Seat, occupant: Occupant, stand_in: Bot, bank_ms: int | None = None) -> None:
        self.seat: Final[Seat] = seat
        self.person: Person | None = None
        self.bot = stand_in
        self.away_since: float | None = None
        self.bank_ms = bank_ms
        self.charges: Final[Charges] = []
        self.spare_ms = 0
        if isinstance(occupant, Person):
            self.person = occupant
        else:
            self.bot = occupant
        self.viewer: int | None = None
        self.stand_in = False
        self.stood_in_for = False
        self.late = 0
        self.ready = False
        self.question: Question | None = None
        self.answered = -1
        self.lapsed = -1

    @property
    def up(self) -> bool:
        """True where there is an owner, and nobody knows of a line that went down. That is not the same as to have a
        `viewer`: after the server has started again, whoever was here before is still to come."""
        return self.person is not None and self.away_since is None

    def is_awaited(self) -> bool:
        """True for an owner whose line went down with the server, or whose seat is still kept for a moment."""
        return self.person is not None and self.viewer is None and (self.up or not self.stand_in)

    def bot_plays(self) -> bool:
        """True where the bot decides."""
        return self.person is None or self.stand_in

    def is_waited_for(self) -> bool:
        """True where a settlement waits for this seat's owner: present, or gone for a moment."""
        return self.person is not None and (self.up or not self.stand_in)

    def sit(self, person: Person) -> None:
        """A person takes the bot's place."""
        self.person = person
        self.ready = False
        self.resume()

    def stand_up(self) -> None:
        """The owner leaves for good."""
        self.person = None
        self.viewer = None
        self.ready = False
        self.resume()

    def resume(self) -> None:
        """The owner is back at the moves."""
        self.away_since = None
        self.stand_in = False
        self.stood_in_for = False
        self.late = 0

    def bank_left_ms(self) -> int | None:
        """What is left of the bank, without what the open question is using up just now."""
        question = self.question
        if question is None or question.clock.bank_ms is None:
            return self.bank_ms
        return question.clock.bank_ms

    def give_back(self, since: float) -> None:
        """The bank is what it was then, as far as it was charged for a silent line since."""
        back = min(take_back(self.charges, since), self.spare_ms)
        self.spare_ms -= back
        question = self.question
        if question is not None and question.clock.bank_ms is not None:
            question.clock.bank_ms += back
        elif self.bank_ms is not None:
            self.bank_ms += back

    def new_deal(self) -> None:
        """Nothing of the deals before is given back."""
        self.charges.clear()
        self.spare_ms = 0

    def kept(self) -> SeatKept:
        """All of it between two deals, for the journal."""
        person = self.person
        return SeatKept(
            None if person is None else person.id,
            None if person is None else person.name,
            self.away_since,
            self.stand_in,
            self.stood_in_for,
            self.late,
            self.answered,
            self.lapsed,
            self.bank_ms,
        )

    def put_back(self, kept: SeatKept) -> None:
        """As it was when it told this."""
        self.person = None if kept.person is None else Person(kept.person, kept.name or "")
        self.away_since = kept.away_since
        self.stand_in = kept.stand_in
        self.stood_in_for = kept.shown
        self.late = kept.late
        self.answered = kept.answered
        self.lapsed = kept.lapsed
        self.bank_ms = kept.bank_ms

    def sitter(self) -> Sitter:
        """Who sits here, for the journal."""
        return Sitter(self.bot.name, self.bot.level) if self.person is None else Sitter(self.person.name, None)

    def state(self, waiting: bool, own: bool) -> SeatState:
        """As the owner or the others may see it; `waiting` while a settlement waits for the players."""
        person = self.person
        return SeatState(
            seat=self.seat,
            name=self.bot.name if person is None else person.name,
            player="bot" if person is None else "person",
            level=self.bot.level if person is None else None,
            present=person is None or self.viewer is not None,
            stand_in=self.stand_in if own else self.stood_in_for,
            ready=waiting and (person is None or self.ready),
        )
