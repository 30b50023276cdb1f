"""One life of the server's process in a simulated world: it starts, serves, and stops or is killed."""

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random, getstate, seed, setstate
from typing import Any

import structlog
import websockets.frames
import websockets.utils

import parlour_server.bot_seats
import parlour_server.hall
import parlour_server.identity
import parlour_server.server
from parlour_bots.chance import stream
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import full_wall
from parlour_server.deals import Deals, Dealt
from parlour_server.hall import Hall
from parlour_server.live_table import LiveTable
from parlour_server.page import Page
from parlour_server.rulesets import Shelf
from parlour_server.server import Parlour
from parlour_server.settings import Settings
from parlour_server.table.journal import Row
from tests.simulation.agenda import Agenda
from tests.simulation.client import Client
from tests.simulation.loop import VirtualLoop
from tests.simulation.network import Line, Weather

PAGE = Path(__file__).parent / "page"
Record = Callable[[str, list[Row]], None]


class ServerFault(AssertionError):
    """The server logged an error or let an exception through."""


def deals_of(table: str) -> Deals:
    """Walls that depend on the table's link and the deal's number alone."""

    def deal(number: int, procedure: Procedure) -> Dealt:
        chance = stream(table, number)
        wall = chance.shuffled(full_wall(procedure.flowers))
        return wall, tuple([1 + chance.randrange(6) for _ in range(procedure.dice)])

    return deal


class House:
    """A server on its own loop. `troubles` are the errors it logged."""

    def __init__(self, agenda: Agenda, settings: Settings, chance: Random, record: Record) -> None:
        self.agenda = agenda
        self.loop = VirtualLoop(agenda)  # type: ignore[abstract] # it has what is asked of it
        self.troubles: list[dict[str, Any]] = []
        self.dead = False
        self._lines: list[Line] = []
        with self.loop.running():
            self.hall = Hall(settings, deals_of=deals_of, record=self._recorded)
            self.parlour = Parlour(settings, PAGE, self.hall)
            self._record = record
            self._opening = self.loop.create_task(self.parlour.__aenter__())

    def _recorded(self, table: str, rows: list[Row]) -> None:
        if not self.dead:
            self._record(table, rows)

    @property
    def open(self) -> bool:
        """Whether lines can come in."""
        return not self.dead and self.loop.listening is not None and self.loop.listening.is_serving()

    def tables(self) -> list[LiveTable]:
        """Those that live."""
        return list(self.hall._tables.values())

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
        self._leaving = self.loop.create_task(self.parlour.__aexit__(None, None, None))

    def examine_end(self) -> None:
        """Nothing is left of a server that has stopped."""
        self._leaving.result()
        left = [task for task in self.loop.tasks() if not task.done()]
        if left or self.hall._tables or self.parlour.health()["sockets"] or self.parlour._lines:
            raise ServerFault(f"left over: {left} {len(self.hall._tables)} tables {self.parlour.health()}")

    def kill(self) -> None:
        """The process is gone, with everything that it had in memory; its lines are reset."""
        self.dead = True
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
    # Until the server takes its chance from one place.
    drawn = Random(number + 1)

    class _Tokens(_Secrets):
        token_urlsafe = staticmethod(lambda size: drawn.randbytes(size).hex())
        randbelow = staticmethod(drawn.randrange)

    places: list[tuple[Any, str, Any]] = [
        (parlour_server.identity, "secrets", _Tokens),
        (parlour_server.hall, "secrets", _Tokens),
        (parlour_server.hall, "SystemRandom", lambda: drawn),
        (parlour_server.bot_seats, "_chance", drawn),
    ]
    taken = [(module, name, getattr(module, name)) for module, name, _ in places if hasattr(module, name)]
    for module, name, mine in places:
        setattr(module, name, mine)
    hall: Any = parlour_server.hall
    server: Any = parlour_server.server
    slow = hall.Shelf, hall._book, server.Page
    for module in modules:
        module.secrets = _Secrets
    hall.Shelf, hall._book, server.Page = _shelf, _book, _page
    try:
        yield
    finally:
        for module, real in zip(modules, kept, strict=True):
            module.secrets = real
        hall.Shelf, hall._book, server.Page = slow
        for module, name, real in taken:
            setattr(module, name, real)
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
