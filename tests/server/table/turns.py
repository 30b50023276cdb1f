"""A match as a list of turns, each one call of the table with all that came of it; played again by other tables."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, frozen

from parlour_engine.rulesets import Ruleset
from parlour_server.protocol import messages
from parlour_server.protocol.messages import (
    Ask,
    AskHistory,
    EndMatch,
    Entropy,
    Pause,
    Play,
    Ready,
    Say,
    Start,
    TakeSeat,
)
from parlour_server.table import Deals, Delivery, Occupant, Row, Settings, Table, ToBot, ToViewers
from parlour_server.table.journal import Checkpoint
from parlour_server.table.requests import Request
from tests.server.table.client import plain
from tests.server.table.sitting import CountedDeals, people, shuffled, steady

Call = Callable[[Table, float], object]


COMMANDS: list[Request] = [
    Pause(wanted=True),
    Pause(wanted=False),
    Ready(2),
    Play(3, "pass"),
    EndMatch(wanted=True),
    Say("well played"),
    Say("who has the flowers?"),
    AskHistory(),
    AskHistory(1),
    Entropy(1, "0" * 32),
]
"""What people also say, mostly at the wrong moment."""


@frozen
class Turn:
    """At `now`, `call` of a table: it sent `sent` and told `rows`; `text` says what it was, `joins` which line came."""

    text: str
    now: float
    call: Call
    sent: list[Delivery]
    rows: list[Row]
    joins: int | None


@define
class Line:
    """A connection that is up."""

    viewer: int
    person: str
    ask: Ask | None = None
    version: int = 0
    deal: int = 0
    waits: bool = False


class Making:
    """Plays a match of people and bots by chance, and writes down every turn.

    Whoever is asked answers after a while, some too late; lines drop and come back, people leave and sit down.
    """

    def __init__(
        self, ruleset: Ruleset, settings: Settings, seats: Sequence[int], seed: int, *, fair: bool = False
    ) -> None:
        self.ruleset = ruleset
        self.settings = settings
        self.occupants: list[Occupant] = people(*seats)
        self.seed = seed
        self.fair = fair
        self.chance = random.Random(seed)
        self.silence = random.Random(f"silence {seed}")
        self.table = self.fresh()
        self.now = 100.0
        self.turns: list[Turn] = []
        self.lines: dict[int, Line] = {}
        self.gone: dict[str, int | None] = {}
        self.bots: dict[int, tuple[float, Ask]] = {}
        self.viewers = 0

    def fresh(self) -> Table:
        """The table before anything."""
        return Table("t", self.ruleset, self.settings, self.occupants, self.walls(), owner="eve")

    def walls(self) -> Deals:
        return CountedDeals(self.seed) if self.fair else shuffled(self.seed)

    def restored(self, rows: Sequence[Row], now: float) -> Table:
        """What the journal gives back, read from the last checkpoint on."""
        starts = [at for at, row in enumerate(rows) if isinstance(row, Checkpoint)]
        kept = rows[starts[-1] if starts else 0 :]
        return Table.restore("t", self.ruleset, self.settings, self.occupants, self.walls(), kept, now, owner="eve")

    # --- turns ---

    def turn(self, text: str, call: Call, joins: int | None = None) -> None:
        call(self.table, self.now)
        sent, rows = self.table.to_send(), self.table.to_record()
        self.turns.append(Turn(text, self.now, call, sent, rows, joins))
        for delivery in sent:
            if isinstance(delivery, ToBot):
                delay = self.chance.choice([0.0, 0.1, 0.4, 1.5])
                self.bots[delivery.seat] = (self.now + delay, delivery.ask)
                continue
            for viewer in delivery.viewers:
                if viewer in self.lines:
                    self.hear(self.lines[viewer], delivery)

    def hear(self, line: Line, delivery: ToViewers) -> None:
        match delivery.message:
            case messages.Ask():
                line.ask = delivery.message
            case messages.Events() | messages.Table():
                line.ask = None
                line.version = delivery.message.version
            case messages.Accepted():
                line.ask = None
            case messages.Left():
                self.lines.pop(line.viewer, None)
            case _:
                pass

    def join(self, person: str, seen: int | None = None) -> None:
        self.viewers += 1
        viewer = self.viewers
        self.lines[viewer] = Line(viewer, person)
        since = self.silent()
        self.turn(
            f"{person} joins, silent before since {since}",
            lambda table, now: table.join(viewer, person, person.title(), seen, now, since),
            viewer,
        )

    def silent(self) -> float | None:
        """The last sign of life of a line that goes now, None for one that was alive."""
        return self.now - self.silence.choice([0.0, 0.3, 2.0, 15.0]) if self.silence.random() < 0.5 else None

    def drop(self, line: Line) -> None:
        del self.lines[line.viewer]
        self.gone[line.person] = line.version
        since = self.silent()
        text = f"{line.person} drops, silent since {since}"
        self.turn(text, lambda table, now: table.disconnect(line.viewer, now, since))

    def ask(self, line: Line, message: Any) -> None:
        self.turn(f"{line.person}: {message}", lambda table, now: table.receive(line.viewer, message, now))

    # --- a whole match ---

    def play(self, most: int = 4000) -> "Making":
        """Until it is over, or for so many turns."""
        for occupant in self.occupants:
            person = getattr(occupant, "id", None)
            if person is not None and self.chance.random() < 0.9:
                self.join(person)
        self.join("eve")
        if self.settings.start == "now":
            self.turn("start", lambda table, now: table.start(now))
        while self.table.waiting:
            self.gather()
        while not (self.table.over or self.table.ended) and len(self.turns) < most:
            self.step()
        return self

    def gather(self) -> None:
        """People sit down and get up, until the one who has made the table begins."""
        self.now += 1
        line = self.chance.choice(list(self.lines.values()))
        what = self.chance.randrange(8)
        if what < 3:
            self.ask(line, TakeSeat(self.chance.randrange(4)))
        elif what == 3 and line.person != "eve":
            self.turn(f"{line.person} leaves", lambda table, now: table.leave(line.viewer, now))
            self.join(line.person)
        elif what == 4:
            self.ask(line, Say("shall we?"))
        elif what == 5:
            self.join(self.chance.choice(["fay", "gus"]))
        elif what == 6:
            self.ask(line, Start())

    def step(self) -> None:
        chance = self.chance
        odds = chance.random()
        if self.table.stopped is not None:
            # Its time does not pass.
            self.unstop()
        elif odds < 0.02:
            self.commotion()
        elif odds < 0.07 and self.lines:
            line = chance.choice(list(self.lines.values()))
            self.ask(line, chance.choice(COMMANDS))
        elif odds < 0.3 and self.table._parts.shuffling.ends is not None and self.lines:
            line = chance.choice(list(self.lines.values()))
            self.ask(line, Entropy(self.table._course.history.deal + 1, f"{chance.getrandbits(128):032x}"))
        else:
            self.answer_or_wait()

    def unstop(self) -> None:
        seated = [line for line in self.lines.values() if self.table.seat_of(line.person) is not None]
        if seated:
            self.ask(self.chance.choice(seated), Pause(wanted=False))
        else:
            self.come_back(self.chance.choice(sorted(self.gone)))

    def commotion(self) -> None:
        chance = self.chance
        lines = list(self.lines.values())
        line = chance.choice(lines) if lines else None
        what = chance.randrange(8)
        if what < 3 and line is not None:
            self.drop(line)
        elif what < 6 and self.gone:
            self.come_back(chance.choice(sorted(self.gone)))
        elif what == 6 and line is not None and line.person == "eve":
            self.ask(line, TakeSeat(chance.randrange(4)))
        elif what == 6 and line is not None:
            self.turn(f"{line.person} has another name", lambda table, now: table.rename(line.person, f"N{now}"))
        elif line is not None and chance.random() < 0.3:
            self.gone[line.person] = line.version
            self.turn(f"{line.person} leaves", lambda table, now: table.leave(line.viewer, now))
        elif line is not None:
            self.join(line.person)

    def come_back(self, person: str) -> None:
        seen = self.gone.pop(person)
        self.join(person, seen if self.chance.random() < 0.5 else None)

    def answer_or_wait(self) -> None:
        chance = self.chance
        ready = [seat for seat, (at, _) in self.bots.items() if at <= self.now]
        asked = [line for line in self.lines.values() if line.ask is not None]
        if ready:
            self.bot(ready[0])
        elif asked and chance.random() < 0.7:
            line = chance.choice(asked)
            assert line.ask is not None
            seat = self.table.seat_of(line.person)
            move = chance.choice(line.ask.moves)
            if seat is not None and chance.random() < 0.8:
                move = steady(self.table, seat, line.ask) if self.table.view_for(seat).moves else move
            self.ask(line, Play(line.ask.version, move, chance.randrange(9)))
        elif self.table._flow.gate is not None and chance.random() < 0.5 and self.lines:
            self.ask(chance.choice(list(self.lines.values())), Ready(self.table._course.history.deal))
        else:
            self.wait()

    def bot(self, seat: int) -> None:
        _, ask = self.bots.pop(seat)
        if self.table._chairs[seat].question is None or self.table.version != ask.version:
            return
        move = steady(self.table, seat, ask)
        self.turn(f"bot {seat}: {move}", lambda table, now: table.receive_bot(seat, Play(ask.version, move), now))

    def wait(self) -> None:
        """To the next thing that happens by itself, or half way there."""
        dues = [at for at, _ in self.bots.values()]
        deadline = self.table.deadline()
        if deadline is not None:
            dues.append(deadline)
        if not dues:
            # Clocks are off and nobody is asked who is here.
            if self.gone:
                self.come_back(self.chance.choice(sorted(self.gone)))
            else:
                self.join("eve")
            return
        due = max(self.now, min(dues))
        self.now = due if self.chance.random() < 0.7 else self.now + (due - self.now) / 2
        self.turn("tick", lambda table, now: table.tick(now))


def slots(thing: object) -> dict[str, Any]:
    """All that a slotted object holds, by value."""
    return {name: getattr(thing, name) for name in type(thing).__slots__}  # type: ignore[attr-defined]  # slotted


def everything(table: Table) -> dict[str, object]:
    """All that may show, now or later, for comparison."""
    course, flow = table._course, table._flow
    history = course.history
    chairs = []
    for chair in table._chairs:
        inside = slots(chair)
        question = inside.pop("question")
        chairs.append((inside, None if question is None else slots(question) | {"clock": slots(question.clock)}))
    return {
        "chairs": chairs,
        "gate": flow.gate,
        "window": flow.window_ends,
        "deadline": table.deadline(),
        "match": slots(course._match) | {"procedure": None},
        "deal": None if course.deal is None else course.deal.state(),
        "answers": None if course.deal is None else list(getattr(course.deal.phase, "answers", ())),
        "history": slots(history) | {"entries": [slots(entry) for entry in history.entries]},
        "settled": course.settled,
        "standing": course.standing,
        "standstill": table._standstill.value(),
        "seating": (dict(table._seating._moved), dict(table._seating._left)),
        "people": list(table._audience.people.items()),
        "snapshots": {viewer: plain(table._snapshot(viewer)) for viewer in table._audience.people},
        "ended": table.ended,
        "players": table._seating.players,
        "talk": table._parts.talk.shown(player=False),
        "finished": table._shown.kept(),
        "shuffling": (
            table._parts.shuffling.hidden(),
            table._parts.shuffling.ends,
            table._parts.shuffling.nonces,
            table._parts.shuffling.shown,
        ),
    }


def rejoin(table: Table, live: Table, now: float) -> None:
    """Everybody who is at `live` comes to `table`, in the order in which they are there; then it goes on."""
    for viewer, person in live._audience.people.items():
        table.join(viewer, person, live._audience.names[viewer], None, now)
    table.go_on("restart", now)
