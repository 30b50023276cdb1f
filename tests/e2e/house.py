"""A server in a thread of its own, whose walls, bots and seats a test may write down."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from attrs import evolve

from parlour_bots.chance import Chance, stream
from parlour_engine.moves import DISCARD, Move, move_text
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import Kind, full_wall
from parlour_engine.views import View
from parlour_server import bot_seats
from parlour_server.hall import Hall
from parlour_server.resources import client_root
from parlour_server.server import Parlour
from parlour_server.settings import Listen, Settings
from parlour_server.table.chairs import Occupant, Person
from parlour_server.table.shuffling import Laid
from tests.kit.deals import Deals
from tests.kit.houses import build
from tests.kit.stores import MemoryStore

Wall = Sequence[Kind]
CROWD = 1_000_000
"""More sockets than any house admits."""


def dealing(seed: int, walls: Sequence[Wall] = ()) -> Callable[[str], Deals]:
    """The given walls for the first deals, then others that are the same in every run."""

    def deal(number: int, procedure: Procedure) -> Laid:
        if number <= len(walls):
            return list(walls[number - 1]), (1, 2, 3)
        chance = stream(seed, number)
        wall = chance.shuffled(full_wall(procedure.flowers))
        return wall, tuple([1 + chance.randrange(6) for _ in range(procedure.dice)])

    return lambda _: deal


class ScriptedBot:
    """Does what the test wants of its seat where that is possible, else passes or throws what it has drawn."""

    def __init__(self, wanted: Mapping[int, Sequence[str]]) -> None:
        self._wanted = wanted

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        """One of the legal moves."""
        assert view.viewer is not None
        moves = {move_text(move): move for move in legal}
        for text in self._wanted.get(view.viewer, ()):
            if text in moves:
                return moves[text]
        discards = [move for move in legal if move.verb == DISCARD]
        drawn = [move for move in discards if move.kind == view.drawn]
        return moves.get("pass") or (drawn or discards)[-1]


def script_bots(monkeypatch: pytest.MonkeyPatch, wanted: Mapping[int, Sequence[str]]) -> None:
    """From now on bots do what `wanted` says of their seats."""
    monkeypatch.setattr(bot_seats, "make_bot", lambda _: ScriptedBot(wanted))


def seat_maker(monkeypatch: pytest.MonkeyPatch, seat: int) -> None:
    """From now on whoever makes a table sits on this seat, and chance has no say."""
    drawn = Hall._seating

    def seating(hall: Hall, person: Person, levels: list[str]) -> list[Occupant]:
        bots = [occupant for occupant in drawn(hall, person, levels) if not isinstance(occupant, Person)]
        return [*bots[:seat], person, *bots[seat:]]

    monkeypatch.setattr(Hall, "_seating", seating)


class House:
    """`with House(settings) as house`: up at `house.url` until the end; `restart` forgets every table and guest,
    `come_back` does not."""

    def __init__(self, settings: Settings, deals_of: Callable[[str], Deals] | None = None) -> None:
        """Without `deals_of` the walls are shuffled as for everybody."""
        self._settings = settings
        self._deals_of = deals_of
        self._up = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._parlour: Parlour | None = None
        self._thread: threading.Thread | None = None
        self.url = ""
        self.store = MemoryStore()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self.store.open()
        parlour = build(self._settings, client_root(), self.store, deals_of=self._deals_of)
        await parlour.hall.resume()
        parlour.readiness.resumed = True
        async with parlour:
            self._parlour = parlour
            self.url = parlour.url
            self._up.set()
            await self._stop.wait()

    def __enter__(self) -> "House":
        self._up.clear()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        assert self._up.wait(20), "the server did not come up"
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop as at a signal; nothing where it is down already."""
        if self._thread is None:
            return
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)
        self._thread = None

    def restart(self) -> None:
        """Come up again at the same address, knowing nobody."""
        self.stop()
        self.store = MemoryStore()
        self.come_back()

    def come_back(self) -> None:
        """Come up again at the same address, with all that was stored."""
        self.stop()
        assert self._parlour is not None
        self._settings = evolve(self._settings, listen=Listen(port=self._parlour.port))
        self.__enter__()

    def cut(self) -> None:
        """Every line breaks without a goodbye, and nobody comes in until `mend`."""
        self._turn_away(CROWD)

    def mend(self) -> None:
        """Let people in again."""
        self._turn_away(-CROWD)

    def crash(self) -> None:
        """Break every line and stop, so that nobody hears a goodbye."""
        self.cut()
        self.stop()

    def _turn_away(self, crowd: int) -> None:
        parlour, loop = self._parlour, self._loop
        assert parlour is not None
        assert loop is not None

        def turn() -> None:
            # A house that is full turns everybody away.
            parlour.doorkeeper._sockets.sum += crowd
            if crowd > 0:
                lines: list[Any] = list(parlour._lines)
                for line in lines:
                    line.transport.abort()

        loop.call_soon_threadsafe(turn)
