"""One life of the server in a simulated world: it starts, takes up its tables, serves, and stops or is killed."""

import asyncio
from collections.abc import Callable, Iterator, MutableMapping
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random, getstate, seed, setstate
from typing import Any, TypeVar

import structlog
import websockets.frames
import websockets.utils
from argon2 import PasswordHasher

import parlour_server.conversation
import parlour_server.hall
import parlour_server.server
from parlour_bots.chance import stream
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import full_wall
from parlour_server.chance import Chance
from parlour_server.hall import BOT_NAMES, Hall
from parlour_server.keeping import Keeping
from parlour_server.live_table import LiveTable
from parlour_server.page import Page
from parlour_server.people.passwords import Passwords
from parlour_server.people.people import People
from parlour_server.rulesets import Shelf
from parlour_server.server import Parlour
from parlour_server.settings import Settings
from parlour_server.table.journal import Row
from parlour_server.table.shuffling import Laid
from tests.kit.deals import Deals
from tests.simulation.agenda import Agenda
from tests.simulation.client import Client
from tests.simulation.disk import Disk, SimulatedStore
from tests.simulation.loop import VirtualLoop
from tests.simulation.network import Line, Weather

T = TypeVar("T")
PAGE = Path(__file__).parent / "page"
Record = Callable[[str, list[Row]], None]


class ServerFault(AssertionError):
    """The server logged an error or let an exception through."""


def deals_of(table: str) -> Deals:
    """Walls that depend on the table's link and the deal's number alone."""

    def deal(number: int, procedure: Procedure) -> Laid:
        chance = stream(table, number)
        wall = chance.shuffled(full_wall(procedure.flowers))
        return wall, tuple([1 + chance.randrange(6) for _ in range(procedure.dice)])

    return deal


class _InPlace:
    """Works hashes out at once: no thread, and nothing that takes time."""

    def submit(self, work: Callable[[], T], /) -> "Future[T]":
        """Done already."""
        future: Future[T] = Future()
        future.set_result(work())
        return future


def _cheap_passwords(chance: Chance) -> Passwords:
    passwords = Passwords(chance, _InPlace())
    passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return passwords


class _Keeping(Keeping):
    """Lets the world hear of every row as it is queued."""

    heard: Record

    def record(self, table: str, rows: list[Row], written: Callable[[], None]) -> None:
        self.heard(table, rows)
        super().record(table, rows, written)


class House:
    """A server on its own loop. `troubles` are the errors it logged."""

    def __init__(
        self,
        agenda: Agenda,
        settings: Settings,
        chance: Random,
        disk: Disk,
        record: Record,
        *,
        demonstration: bool = False,
        steps: int = 0,
    ) -> None:
        self.agenda = agenda
        self.loop = VirtualLoop(agenda, steps)  # type: ignore[abstract] # it has what is asked of it
        self.troubles: list[dict[str, Any]] = []
        self.dead = False
        self.resumed: dict[str, int] | None = None
        """The tables that were taken up, and the version at which they were; None before."""
        self._record = record
        self._lines: list[Line] = []
        self._demonstration = demonstration
        self.store = SimulatedStore(disk, self.loop, chance)
        drawn = Chance(chance, chance.randbytes)
        with self.loop.running():
            keeping = _Keeping(self.store, program="simulation", chance=drawn, now=self._now, deals=deals_of)
            keeping.heard = self._recorded
            people = People(
                self.store,
                settings.limits.guests,
                chance=drawn,
                utc_now=self._now,
                names=BOT_NAMES,
                passwords=_cheap_passwords(drawn),
            )
            self.hall = Hall(settings, keeping, people, chance=drawn)
            self.parlour = Parlour(settings, PAGE, self.hall)
            self.store.on_trouble(self.parlour.storage_trouble)
            self.store.on_refused(self.hall.refused)
            self._opening = self.loop.create_task(self._open())

    async def _open(self) -> None:
        await self.hall.resume()
        self.resumed = {table: live._table.version for table, live in self.hall.tables.items()}
        await asyncio.sleep(0)
        if self._demonstration:
            self.hall.demonstrate()
        await self.parlour.__aenter__()

    def _now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.agenda.now)

    def _recorded(self, table: str, rows: list[Row]) -> None:
        if not self.dead:
            self._record(table, rows)

    @property
    def open(self) -> bool:
        """Whether lines can come in."""
        return not self.dead and self.loop.listening is not None and self.loop.listening.is_serving()

    def tables(self) -> list[LiveTable]:
        """Those that live."""
        return list(self.hall.tables.values())

    def lines(self) -> list[Line]:
        """Those that it keeps."""
        return [line for line in self._lines if line.kept]

    def dial(self, client: Client, chance: Random, weather: Weather, number: int) -> bool:
        """Open a line for a client; False where nobody listens."""
        listening = self.loop.listening
        if self.dead or listening is None or listening.factory is None:
            return False
        line = Line(self.agenda, self.loop, chance, weather, client, number)
        self._lines.append(line)
        with self.loop.running():
            protocol = listening.factory()
        self.loop.call_soon(line.transport.connect, protocol)
        client.open(line)
        return True

    def step(self) -> None:
        """One callback; raises what the server let through or logged as an error."""
        self.loop.step()
        if self._opening.done():
            self._opening.result()
        if self.troubles or self.loop.troubles:
            raise ServerFault(f"{self.troubles} {self.loop.troubles}")

    def leave(self) -> None:
        """Stop, as a signal would have it."""
        self._leaving = self.loop.create_task(self._leave())

    async def _leave(self) -> None:
        await self.hall.keeping.settle()
        await self.parlour.__aexit__(None, None, None)
        await self.store.close()

    def examine_end(self) -> None:
        """Nothing is left of a server that has stopped."""
        self._leaving.result()
        left = [task for task in self.loop.tasks() if not task.done()]
        health = self.parlour.health()
        if left or health["sockets"] or self.parlour._lines or self.parlour.conversations or self.store.waiting:
            raise ServerFault(f"left over: {left} {health} {self.store.waiting}")
        if self.hall.people.here():
            raise ServerFault("somebody counts as here")

    def kill(self) -> None:
        """The process is gone, with everything that it had in memory; its lines are reset."""
        if not self.dead:
            self.dead = True
            self.store.die()
            for line in self._lines:
                line.die()
            self.loop.bury()


# Reading the rule books is the slowest part of a start, and the same every time.
_shelf, _book = cache(Shelf), cache(parlour_server.hall._book)
_pages: list[Page] = []


def _page(client: Path, books: dict[str, bytes]) -> Page:
    if not _pages:
        _pages.append(Page(client, books))
    return _pages[0]


@contextmanager
def one_chance(number: int) -> Iterator[None]:
    """The chance that the library takes from the process comes from `number` inside."""

    class _Secrets:
        token_bytes = staticmethod(Random(number).randbytes)

    before = getstate()
    seed(number)
    modules: tuple[Any, ...] = (websockets.frames, websockets.utils)
    kept = [module.secrets for module in modules]
    hall: Any = parlour_server.hall
    server: Any = parlour_server.server
    slow = hall.Shelf, hall._book, server.Page
    # What a process counts begins with it.
    conversation: Any = parlour_server.conversation
    counted = conversation._numbers
    conversation._numbers = count(1)
    for module in modules:
        module.secrets = _Secrets
    hall.Shelf, hall._book, server.Page = _shelf, _book, _page
    try:
        yield
    finally:
        for module, real in zip(modules, kept, strict=True):
            module.secrets = real
        hall.Shelf, hall._book, server.Page = slow
        conversation._numbers = counted
        setstate(before)


def hear_log(house_of: Callable[[], House | None]) -> None:
    """Let the errors that are logged reach the house that lives; every other line is passed over."""

    def process(_: Any, level: str, event: MutableMapping[str, Any]) -> Any:
        house = house_of()
        if house is not None and not house.dead and level in {"error", "critical", "exception"}:
            house.troubles.append(dict(structlog.processors.format_exc_info(None, level, event)))
        raise structlog.DropEvent

    structlog.configure(
        processors=[process],
        wrapper_class=structlog.make_filtering_bound_logger("warning"),
        cache_logger_on_first_use=False,
    )
