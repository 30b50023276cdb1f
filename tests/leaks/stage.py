"""A whole server on virtual time with lines that are equally quick for everybody, so that two runs can be compared to
the octet and to the moment; and people who do what a course tells them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import structlog

from parlour_engine.notation import TILE_TEXT
from parlour_engine.procedure import Procedure
from parlour_server.chance import Chance
from parlour_server.hall import BOT_NAMES, Hall
from parlour_server.keeping import Keeping
from parlour_server.live_table import LiveTable
from parlour_server.people.people import People
from parlour_server.protocol import lobby, messages
from parlour_server.protocol.messages import Ask, FromClient, ToClient
from parlour_server.server import Parlour
from parlour_server.settings import Listen, Settings, Tables
from parlour_server.table.journal import Row
from parlour_server.table.shuffling import Laid
from tests.kit.deals import Deals
from tests.simulation.agenda import Agenda
from tests.simulation.client import Client
from tests.simulation.disk import Disk, SimulatedStore, Speed
from tests.simulation.house import PAGE, one_chance
from tests.simulation.loop import VirtualLoop, pass_time
from tests.simulation.network import Line, Weather

WAY = 0.003
"""Seconds that every packet is on its way."""
COMMIT = 0.02
"""Seconds of every commit: long, so that whoever waits for one too many shows."""
LEVEL = Weather(WAY, WAY, split=0.0)

Heard = tuple[float, bytes]
"""When a frame arrived, and the frame."""


class _Keeping(Keeping):
    """Lets the stage keep every row."""

    heard: Callable[[str, list[Row]], None]

    def record(self, table: str, rows: list[Row], written: Callable[[], None]) -> None:
        self.heard(table, rows)
        super().record(table, rows, written)


def walls(*of_deals: list[int]) -> Callable[[str], Deals]:
    """These walls for the first deals of every table; there are no others."""

    def deals_of(_: str) -> Deals:
        def deal(number: int, procedure: Procedure) -> Laid:
            return of_deals[number - 1], (1,) * procedure.dice

        return deal

    return deals_of


class Stage:
    """`with Stage(...) as stage`; its log, in `log`, has every level."""

    def __init__(
        self,
        seed: int,
        deals: Callable[[str], Deals] | None = None,
        *,
        floor_ms: int = 600,
        settings: Settings | None = None,
        commit: float = COMMIT,
    ) -> None:
        """`deals` None has the real ones, committed to and shuffled."""
        self.seed = seed
        self.agenda = Agenda()
        self.settings = settings or Settings(listen=Listen(port=8000), tables=Tables(floor_ms=floor_ms))
        self.log: list[tuple[float, dict[str, Any]]] = []
        self.rows: list[Row] = []
        self.deals = deals
        self.disk = Disk(Speed((commit, commit), (0.01, 0.01)))
        self.lives = 0
        self.dialled = 0
        self.lines: list[Line] = []
        self.agenda_chance = Random(seed)
        """What people of this stage do by chance."""

    def __enter__(self) -> "Stage":
        self._chance = one_chance(self.seed)
        self._chance.__enter__()
        structlog.configure(
            processors=[structlog.processors.format_exc_info, self._logged],
            wrapper_class=structlog.make_filtering_bound_logger("debug"),
            cache_logger_on_first_use=False,
        )
        self.open()
        return self

    def __exit__(self, *error: Any) -> None:
        self.kill()
        self._chance.__exit__(*error)
        structlog.reset_defaults()
        self.disk.close()

    def _logged(self, _: Any, level: str, event: Any) -> Any:
        self.log.append((self.agenda.now, {"level": level, **event}))
        raise structlog.DropEvent

    def open(self) -> None:
        """A server that takes up what is on the disk."""
        self.lives += 1
        self.loop = VirtualLoop(self.agenda)  # type: ignore[abstract] # it has what is asked of it
        drawn = Random(f"{self.seed} {self.lives}")
        chance = Chance(drawn, drawn.randbytes)
        self.store = SimulatedStore(self.disk, self.loop, Random(0))
        with self.loop.running():
            keeping = _Keeping(self.store, program="leaks", chance=chance, now=self._now, deals=self.deals)
            keeping.heard = self._recorded
            people = People(self.store, self.settings.limits.guests, chance=chance, utc_now=self._now, names=BOT_NAMES)
            self.hall = Hall(self.settings, keeping, people, chance=chance)
            self.parlour = Parlour(self.settings, PAGE, self.hall)
            self._opening = self.loop.create_task(self._open())

    async def _open(self) -> None:
        await self.hall.resume()
        await self.parlour.__aenter__()

    def _now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.agenda.now)

    def _recorded(self, _: str, rows: list[Row]) -> None:
        self.rows += rows

    @property
    def table(self) -> LiveTable:
        """The only one."""
        (live,) = self.hall.tables.values()
        return live

    def dial(self, client: Client) -> None:
        """Open a line."""
        self.dialled += 1
        listening = self.loop.listening
        assert listening is not None
        assert listening.factory is not None
        line = Line(self.agenda, self.loop, Random(self.dialled), LEVEL, client, self.dialled)
        self.lines.append(line)
        with self.loop.running():
            protocol = listening.factory()
        self.loop.call_soon(line.transport.connect, protocol)
        client.open(line)

    def kill(self) -> None:
        """The process is gone with all that was not on the disk."""
        self.store.die()
        for line in self.lines:
            line.die()
        self.lines.clear()
        self.loop.bury()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        pass_time(lambda: self.loop, self.agenda, seconds)


class Someone:
    """A person with one line. `frames` is all that arrived, `answer` what becomes of an ask."""

    def __init__(self, stage: Stage, name: str, *, text: bool = False) -> None:
        self.stage = stage
        self.name = name
        self.text = text
        self.frames: list[Heard] = []
        self.said: list[ToClient] = []
        self.token: str | None = None
        self.you: int | None = None
        self.version = 0
        self.table: str | None = None
        self.ask: Ask | None = None
        self.answer: Callable[[Someone, Ask], None] = lambda _, __: None
        self.client: Client | None = None

    def come(self, *then: FromClient) -> "Someone":
        """Open a line, say hello and then this."""
        self.ask = None
        self.client = Client(self.text, Random(0), self._hear, lambda: None)
        self.stage.dial(self.client)
        self.say(messages.Hello(messages.PROTOCOL, self.token, self.name), *then)
        return self

    def say(self, *said: FromClient) -> None:
        """Say something."""
        assert self.client is not None
        for message in said:
            self.client.say(message)

    def after(self, seconds: float, *said: FromClient) -> None:
        """Say it later."""
        self.stage.agenda.after(seconds, self.say, *said)

    def cut(self) -> None:
        """Lose the line."""
        assert self.client is not None
        self.client.reset()

    def _hear(self, message: ToClient, frame: bytes, _: int) -> None:
        self.frames.append((self.stage.agenda.now, frame))
        self.said.append(message)
        match message:
            case lobby.Welcome():
                self.token = message.token or self.token
            case messages.Table():
                self.table, self.you, self.version, self.ask = message.table, message.you, message.version, None
            case messages.Events():
                self.version, self.ask = message.version, None
            case messages.Seats():
                self.you = message.you
            case messages.Ask():
                self.ask = message
                self.answer(self, message)
            case _:
                pass


def told_tiles(tiles: list[int]) -> list[str]:
    """Their texts."""
    return [TILE_TEXT[tile] for tile in tiles]


@contextmanager
def staged(*arguments: Any, **options: Any) -> Iterator[Stage]:
    """A stage for the length of a block."""
    with Stage(*arguments, **options) as stage:
        yield stage
