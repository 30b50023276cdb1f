"""People of a simulated world: they follow their asks, and drop, come back, leave, lapse, chat and misbehave by chance.

Each keeps what a real client keeps (token, folded table, the version it has seen) and examines what it is told.
"""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Protocol

from attrs import evolve, frozen

from parlour_server.protocol import lobby, messages
from parlour_server.protocol.messages import Ask, Events, FromClient, Table, ToClient
from tests.kit.folding import Gap, fold
from tests.kit.hostile import bad_frame
from tests.simulation.agenda import Agenda
from tests.simulation.client import Client


@frozen
class Manners:
    """What somebody is like. Chances are per ask, `restless` things a second."""

    lapse: float = 0.05
    """Does not answer at all."""
    wrong: float = 0.05
    """Answers something illegal or old before the right thing."""
    twice: float = 0.05
    """Sends the answer several times."""
    slow: float = 1.0
    """Seconds of thinking, at most, but for the few who think ten times as long."""
    restless: float = 0.1
    hostile: bool = False
    eager: float = 0.5
    """Claims and wins rather than anything."""
    text: bool = False


class Place(Protocol):
    """The world, as somebody in it sees it."""

    agenda: Agenda
    links: list[str]

    def dial(self, client: Client) -> None:
        """Open a line."""

    def heard(self, person: "Person", message: ToClient, frame: bytes, written: int) -> None:
        """Examine and count a message."""

    def folded(self, person: "Person") -> None:
        """Examine what the person knows now."""


class Person:
    """Somebody. `wish` is the table to make; without one the person goes to another's table, to sit or to watch."""

    def __init__(
        self, place: Place, number: int, chance: Random, manners: Manners, wish: lobby.CreateTable | None, sits: bool
    ) -> None:
        self.number = number
        self.name = f"Person {number}"
        self.manners = manners
        self.client: Client | None = None
        self.token: str | None = None
        self.link: str | None = None
        self.table: Table | None = None
        self.asked: Ask | None = None
        self.retired = False
        """Has had enough; the world is about to end."""
        self.replaced = 0
        self.losses = 0
        self.plays = 0
        self._place = place
        self._chance = chance
        self._wish = wish
        self._sits = sits
        self._seat: int | None = None
        self._life = 0
        self._awaiting = True
        """Has not been told yet, on this line, where the table is."""
        self._earlier: deque[Table] = deque(maxlen=5)
        """What was known before; a client may come back with less than it had."""

    # --- lines ---

    def come(self) -> None:
        """Open a line and say hello."""
        if self.retired or self.client is not None:
            return
        self._awaiting = True
        self._life += 1
        client = Client(self.manners.text, self._chance, self._hear, self._ended)
        self.client = client
        self._place.dial(client)
        client.say(messages.Hello(messages.PROTOCOL, self.token, self.name))
        self._place.agenda.after(self._chance.expovariate(self.manners.restless), self._be_restless, self._life)

    def _ended(self) -> None:
        self._gone(self._chance.uniform(0.05, 3.0))

    def _gone(self, back_in: float) -> None:
        self.client = None
        self.asked = None
        self.losses += 1
        self._life += 1
        if not self.retired:
            self._place.agenda.after(back_in, self.come)

    def cut(self, back_in: float | None = None) -> None:
        """Lose the line, in one of the ways in which lines are lost."""
        client = self.client
        if client is None:
            return
        match self._chance.randrange(4):
            case 0:
                client.finish()
            case 1:
                client.close()
                client.finish()
            case 2:
                if client.line is not None:  # else it was refused, which the person has not noticed yet
                    client.line.silent = True
                client.over = True
            case _:
                client.reset()
        client.over = True
        self._gone(self._chance.choice((0.01, 1.0, 4.9, 5.1, 12.0)) if back_in is None else back_in)

    def say(self, message: FromClient) -> None:
        """Say something, where there is a line."""
        if self.client is not None:
            self.client.say(message)

    # --- what is heard ---

    def _hear(self, message: ToClient, frame: bytes, written: int) -> None:
        self._place.heard(self, message, frame, written)
        match message:
            case lobby.Welcome():
                self._welcomed(message)
            case Table():
                self._at(message)
            case Events():
                if self.table is None:
                    assert self.manners.hostile, "events before a table"
                    self.say(messages.Join(message.table))
                    return
                self._awaiting = False
                self._earlier.append(self.table)
                try:
                    self.table = fold(self.table, message)
                except Gap:
                    # A frame of noise may have asked for other versions than those that its speaker has.
                    if not self.manners.hostile:
                        raise
                    self.say(messages.Join(message.table))
                    return
                self.asked = None
                self._place.folded(self)
                self._look()
            case messages.Seats():
                if self.table is not None:
                    self.table = evolve(self.table, you=message.you, seats=message.seats, watchers=message.watchers)
                    self._seated()
            case messages.Still():
                if self.table is not None:
                    self.table = evolve(self.table, standstill=message.standstill)
                    self._stand()
            case messages.Said():
                if self.table is not None:
                    self.table = evolve(self.table, talk=[*self.table.talk, message.line])
            case Ask():
                self._asked(message)
            case messages.Left():
                self._left(message)
            case messages.Error():
                self._refused(message)
            case _:
                pass

    def _welcomed(self, welcome: lobby.Welcome) -> None:
        self.token = welcome.token or self.token
        if self.link is not None:
            if self._earlier and self._chance.random() < 0.1:
                self.table = self._chance.choice(self._earlier)
            seen = self.table.version if self.table is not None and self._chance.random() < 0.9 else None
            self._awaiting = True
            self.say(messages.Join(self.link, seen))
        elif self._wish is not None:
            self.say(self._wish)
        else:
            self._look_around()

    def _look_around(self) -> None:
        if self.link is None and self.client is not None:
            if self._place.links:
                self.say(messages.Join(self._chance.choice(self._place.links)))
            else:
                self._place.agenda.after(0.5, self._look_around)

    def _at(self, table: Table) -> None:
        self.table = table
        self._awaiting = False
        self._earlier.clear()
        self.asked = None
        if self.link is None and self._wish is not None:
            self._place.links.append(table.table)
            self._wish = None
        self.link = table.table
        self._place.folded(self)
        if table.you is None and self._sits:
            self._sits = False
            self.say(messages.TakeSeat(self._chance.randrange(4)))
        self._look()

    def _left(self, left: messages.Left) -> None:
        if left.table != self.link:
            return
        self.table = None
        self.asked = None
        if left.reason == "replaced":
            self.replaced += 1
            return
        if self.link in self._place.links and left.reason in {"closed", "ended"}:
            self._place.links.remove(self.link)
        self.link = None
        if left.reason == "left" and self._place.links and self.client is not None:
            self._place.agenda.after(self._chance.uniform(0.0, 2.0), self._look_around)

    def _refused(self, error: messages.Error) -> None:
        if error.code == "no_such_table" and self._awaiting:
            if self.link in self._place.links:
                self._place.links.remove(self.link)
            self.link = self.table = None
        elif error.code == "bad_token":
            self.token = None

    def _seated(self) -> None:
        """Others have come or gone."""

    # --- what is done ---

    def _asked(self, ask: Ask) -> None:
        self.asked = ask
        manners, chance = self.manners, self._chance
        if chance.random() < manners.lapse:
            return
        thinking = chance.uniform(0.0, manners.slow) * (10 if chance.random() < 0.03 else 1)
        self._place.agenda.after(thinking, self._play, ask, self._life)

    def _play(self, ask: Ask, life: int) -> None:
        if life != self._life or self.asked is not ask:
            return
        chance = self._chance
        self.plays += 1
        if chance.random() < self.manners.wrong:
            wrong = chance.choice(("discard 9z", "win", "chow 1p2p", "pass", "", "discard 1m"))
            self.say(messages.Play(ask.version - chance.randrange(2), wrong, 3))
        play = messages.Play(ask.version, self._choice(ask), self.plays)
        for _ in range(chance.randrange(2, 20) if chance.random() < self.manners.twice else 1):
            self.say(play)

    def _choice(self, ask: Ask) -> str:
        if self._chance.random() < self.manners.eager:
            for verb in ("win", "wash", "concealed_gong", "promoted_gong", "gong", "pong", "chow"):
                for move in ask.moves:
                    if move.split(" ")[0] == verb:
                        return move
        return self._chance.choice(ask.moves)

    def _look(self) -> None:
        """After news: agree to go on where the table waits for that."""
        table = self.table
        if table is None or table.you is None:
            return
        if table.owner and not table.version:
            self._place.agenda.after(self._chance.uniform(0.5, 8.0), self.say, messages.Start())
        if table.settled is not None and table.standing is None and self._chance.random() < 0.9:
            self._place.agenda.after(self._chance.uniform(0.0, 2.0), self.say, messages.Ready(table.settled.deal))
        shuffle = table.shuffle
        if shuffle is not None and shuffle.nonces is None and self._chance.random() < 0.8:
            nonce = self._chance.randbytes(16).hex()
            self._place.agenda.after(self._chance.uniform(0.0, 1.0), self.say, messages.Entropy(shuffle.deal, nonce))

    def _stand(self) -> None:
        """The table stands still by agreement: sooner or later somebody wants to go on."""
        assert self.table is not None
        if self.table.standstill.stopped == "agreed" and self.table.you is not None:
            self._place.agenda.after(self._chance.uniform(0.5, 20.0), self.say, messages.Pause(wanted=False))

    def _be_restless(self, life: int) -> None:
        if life != self._life or self.client is None or self.retired:
            return
        deeds = _DEEDS if not self.manners.hostile else _HOSTILE_DEEDS
        deed = self._chance.choices([deed for deed, _ in deeds], [weight for _, weight in deeds])[0]
        deed(self, self._chance)
        self._place.agenda.after(self._chance.expovariate(self.manners.restless), self._be_restless, self._life)


class SteadyPerson(Person):
    """Leaves nothing to chance: what is answered, and how long after the ask by the table's own clock, follows from the
    ask. So a match is the same one however often the server was killed in it."""

    def _be_restless(self, life: int) -> None:
        """Never."""

    def _ended(self) -> None:
        self._gone(0.05)

    def _drawn(self, *of: object) -> Random:
        return Random(f"{of}")

    def _at(self, table: Table) -> None:
        self._sits = table.you is None
        super()._at(table)

    def _refused(self, error: messages.Error) -> None:
        if error.code == "seat_taken" and self.table is not None and self.table.you is None:
            self.say(messages.TakeSeat(self._chance.randrange(4)))

    def _asked(self, ask: Ask) -> None:
        self.asked = ask
        assert self.table is not None
        # Two never answer at once: their order would be that of their lines.
        thinking = 10 * self._drawn("time", ask.version, self.table.you).randrange(5, 45) + (self.table.you or 0)
        passed = 0 if ask.left_ms is None or ask.total_ms is None else ask.total_ms - ask.left_ms
        self._place.agenda.after((thinking - passed) / 1000, self._play, ask, self._life)

    def _play(self, ask: Ask, life: int) -> None:
        if life == self._life and self.asked is ask and self.table is not None:
            self.plays += 1
            chance = self._drawn("move", ask.version, self.table.you)
            wins = [move for move in ask.moves if move == "win"]
            self.say(messages.Play(ask.version, wins[0] if wins else chance.choice(ask.moves), self.plays))

    def _seated(self) -> None:
        self._look()

    def _look(self) -> None:
        table = self.table
        if table is None or table.you is None:
            return
        if table.owner and not table.version and all(seat.player == "person" for seat in table.seats):
            self.say(messages.Start())
        if table.settled is not None and table.standing is None:
            self.say(messages.Ready(table.settled.deal))


Deed = Callable[[Person, Random], None]


def _drop(person: Person, _: Random) -> None:
    person.cut()


def _leave(person: Person, _: Random) -> None:
    person.say(messages.Leave())


def _sit(person: Person, chance: Random) -> None:
    person.say(messages.TakeSeat(chance.randrange(4)))


def _rejoin(person: Person, _: Random) -> None:
    """Again on the same line, as a client does that doubts what it has."""
    if person.link is not None and not person._awaiting:
        person.say(messages.Join(person.link))


def _talk(person: Person, chance: Random) -> None:
    person.say(messages.Say(chance.choice(("Well played", "\u202ereverse", "a" * 300, "好牌", " "))))


def _rename(person: Person, chance: Random) -> None:
    person.say(lobby.Rename(chance.choice((f"P{chance.randrange(99)}", "\u200b", "Ada"))))


def _pause(person: Person, chance: Random) -> None:
    person.say(messages.Pause(wanted=chance.random() < 0.6))


def _vote(person: Person, chance: Random) -> None:
    person.say(messages.EndMatch(wanted=chance.random() < 0.7))


def _ask(person: Person, chance: Random) -> None:
    person.say(
        chance.choice(
            (
                messages.Why(4),
                lobby.Ping(7),
                lobby.ListTables(),
                lobby.ListMatches(mine=chance.random() < 0.5),
                lobby.AskStatistics(),
                messages.AskHistory(),
                messages.AskHistory(1),
                messages.Start(),
            )
        )
    )


def _stop_reading(person: Person, chance: Random) -> None:
    client = person.client
    assert client is not None
    line = client.line
    if line is not None and line.reading:
        line.reading = False
        person._place.agenda.after(chance.choice((0.5, 5.0, 30.0)), line.read_on)


def _misbehave(person: Person, chance: Random) -> None:
    client = person.client
    if client is not None and client.opened:
        for _ in range(chance.randrange(1, 30)):
            client.say_bytes(*bad_frame(chance, person.link))


def _break_frames(person: Person, chance: Random) -> None:
    if person.client is not None:
        person.client.say_noise(chance.randbytes(chance.randrange(1, 40)))


_DEEDS: tuple[tuple[Deed, float], ...] = (
    (_drop, 4),
    (_leave, 0.5),
    (_sit, 1),
    (_rejoin, 2),
    (_talk, 1),
    (_rename, 1),
    (_pause, 0.7),
    (_vote, 0.3),
    (_ask, 3),
    (_stop_reading, 1),
)
_HOSTILE_DEEDS: tuple[tuple[Deed, float], ...] = (*_DEEDS, (_misbehave, 8), (_break_frames, 1))
