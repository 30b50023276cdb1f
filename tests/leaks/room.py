"""A table among people on virtual time, without sockets: quick enough for ten thousand windows."""

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random

from parlour_server.chance import Chance
from parlour_server.hall import BOT_NAMES, Hall
from parlour_server.keeping import Keeping
from parlour_server.live_table import LiveTable
from parlour_server.people.people import People
from parlour_server.protocol.codec import decode_reply
from parlour_server.protocol.events import Settled
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import (
    Ask,
    AtTable,
    Events,
    Play,
    Ready,
    Seats,
    Start,
    Table,
    TakeSeat,
    ToClient,
    Why,
    WhyNot,
)
from parlour_server.settings import Bots, Listen, Settings, Tables
from parlour_server.storage.changes import Change
from parlour_server.table.chairs import Person
from parlour_server.table.journal import Row
from tests.kit.deals import Deals
from tests.kit.stores import MemoryStore
from tests.simulation.agenda import Agenda
from tests.simulation.house import one_chance
from tests.simulation.loop import VirtualLoop, pass_time


class SlowStore(MemoryStore):
    """One writer, that commits together what came while it was busy; a commit takes `seconds()`."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        super().__init__()
        self._seconds = seconds
        self._batch = 0

    def write(self, change: Change, done: Callable[[], None] | None = None) -> None:
        self._queue.append((change, done))
        if not self._batch:
            self._begin()

    def _begin(self) -> None:
        self._batch = len(self._queue)
        asyncio.get_running_loop().call_later(self._seconds(), self._end)

    def _end(self) -> None:
        committed = [self._queue.popleft() for _ in range(self._batch)]
        self._batch = 0
        if self._queue:
            self._begin()
        for change, done in committed:
            self._apply(change)
            if done is not None:
                done()


class Ear:
    """A line at the table, of somebody who keeps what is told and when."""

    def __init__(self, room: "Room", number: int, name: str) -> None:
        self.number = number
        self.text = False
        self.person = f"{number:032x}"
        self.name = name
        self.room = room
        self.heard: list[tuple[float, int, ToClient, float]] = []
        """When, how many octets, what, and how long after it was asked for, where it is an answer to `why`."""
        self._wondered: deque[float] = deque()
        self.you: int | None = None
        self.version = 0
        self.up = False
        self.silent_since: float | None = None
        self.answer: Callable[[Ear, Ask], None] = lambda _, __: None

    def put(self, *frames: bytes) -> None:
        for frame in frames:
            self._hear(frame)

    def _hear(self, frame: bytes) -> None:
        now = self.room.agenda.now
        message = decode_reply(frame)
        waited = now - self._wondered.popleft() if isinstance(message, WhyNot) else 0.0
        self.heard.append((now, len(frame), message, waited))
        match message:
            case Ask():
                self.answer(self, message)
            case Events():
                self.version = message.version
                settled = [event for event in message.events if isinstance(event, Settled)]
                if settled and self.you is not None:
                    self.room.agenda.after(0.2, self.say, Ready(settled[0].deal))
            case Table():
                self.version, self.you = message.version, message.you
            case Seats():
                self.you = message.you
            case _:
                pass

    def gone_from(self, table: LiveTable) -> None:
        self.up = False

    def come(self) -> None:
        """Join; again where it has been here."""
        with self.room.loop.running():
            self.number += 1000
            self.up = True
            self.room.live.join(self, self.version or None)

    def cut(self) -> None:
        """Lose the line."""
        with self.room.loop.running():
            self.up = False
            self.room.live.disconnect(self)

    def wonder(self) -> None:
        """Ask for something that changes nothing, to see how long the answer takes."""
        if self.up:
            self._wondered.append(self.room.agenda.now)
            self.say(Why())

    def say(self, message: AtTable) -> None:
        """Say something at the table."""
        if self.up:
            with self.room.loop.running():
                self.room.live.receive(self, message)


class Room:
    """`people` sit, the others are bots of chance; `watcher` and everybody who sits hears."""

    def __init__(
        self,
        seed: int,
        people: int,
        wish: CreateTable,
        *,
        commit: float = 0.004,
        bots: int = 700,
        deals: Callable[["Room"], Callable[[str], Deals]] | None = None,
    ) -> None:
        self.agenda = Agenda()
        self.chance = Random(seed)
        self._one = one_chance(seed)
        self._one.__enter__()
        self.loop = VirtualLoop(self.agenda)  # type: ignore[abstract] # it has what is asked of it
        self.rows: list[Row] = []
        luck = Random(seed + 1)
        disk = Random(seed + 2)
        chance = Chance(luck, luck.randbytes)
        rows = self.rows

        class Listening(Keeping):
            def record(self, table: str, told: list[Row], written: Callable[[], None]) -> None:
                rows.extend(told)
                super().record(table, told, written)

        settings = Settings(listen=Listen(port=8000), tables=Tables(), bots=Bots(bots // 2, bots))
        with self.loop.running():
            store = SlowStore(lambda: min(0.04, 0.0005 + disk.expovariate(1 / commit)))
            keeping = Listening(store, program="leaks", chance=chance, deals=deals and deals(self))
            house = Hall(settings, keeping, People(store, 100, chance=chance, names=BOT_NAMES), chance=chance)
            self.sitters = [Ear(self, number + 1, f"P{number}") for number in range(people)]
            self.watcher = Ear(self, 9, "Eve")
            first = self.sitters[0]
            self.live = house.create(Person(first.person, first.name), wish)
            self.live.start()
        self.house = house
        for ear in self.sitters:
            ear.come()
            self.wait(0.1)
            if ear.you is None:
                mine = {other.you for other in self.sitters}
                ear.say(TakeSeat(next(seat for seat in range(4) if seat not in mine)))
                self.wait(0.1)
        self.watcher.come()
        self.wait(0.1)
        first.say(Start())

    def close(self) -> None:
        """Done with it."""
        with self.loop.running():
            self.live.leave_off()
        self._one.__exit__(None, None, None)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        pass_time(lambda: self.loop, self.agenda, seconds)


def play(ear: Ear, ask: Ask, move: str, seconds: float) -> None:
    """Answer after so long."""
    ear.room.agenda.after(seconds, ear.say, Play(ask.version, move, 1))
