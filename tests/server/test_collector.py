"""What lies about when nobody needs it any more: to look for it everywhere holds a full house up for a second."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from parlour_server import gentle
from parlour_server.door import Line
from parlour_server.protocol.codec import JSON_SUBPROTOCOL
from tests.server.conftest import House, Opening
from tests.server.test_conversation import raw_line
from tests.server.test_door import UPGRADE, ask
from tests.simulation.agenda import Agenda
from tests.simulation.loop import VirtualLoop, pass_time


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Nothing is freed but by the last that lets it go."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[object]]:
    """Gives what is there still of all lines that have come."""
    refs: list[weakref.ref[Any]] = []
    comes = Line.connection_made

    def connection_made(line: Line, transport: asyncio.BaseTransport) -> None:
        refs.extend([weakref.ref(line), weakref.ref(line.protocol), weakref.ref(transport)])
        comes(line, transport)

    monkeypatch.setattr(Line, "connection_made", connection_made)
    return lambda: [found for ref in refs if (found := ref()) is not None]


async def send_raw(house: House, octets: bytes) -> None:
    _reader, writer = await asyncio.open_connection("127.0.0.1", house.parlour.port)
    writer.write(octets)
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.transport.abort()


async def ask_for_the_page(house: House) -> None:
    assert (await ask(house, "/")).status == 200


async def be_refused(house: House) -> None:
    assert (await ask(house, "/ws")).status == 426


async def send_no_request(house: House) -> None:
    await send_raw(house, b"\x00\x01\r\n\r\n")


async def break_off_a_request(house: House) -> None:
    await send_raw(house, b"GET / HT")


async def say_goodbye(house: House) -> None:
    client = await house.client()
    await client.line.close()


async def be_cut(house: House) -> None:
    client = await house.client()
    client.line.transport.abort()


async def be_told_to_go(house: House) -> None:
    client = await house.client()
    next(iter(house.parlour.conversations)).dismiss("banned")
    await client.line.wait_closed()


async def break_the_protocol(house: House) -> None:
    line = await raw_line(house)
    line.transport.write(b"\xff\xff\xff\xff")
    with pytest.raises(ConnectionClosed):
        await line.recv()


async def send_no_utf_8(house: House) -> None:
    line = await raw_line(house, JSON_SUBPROTOCOL)
    line.transport.write(b"\x81\x82\0\0\0\0\xff\xfe")
    await line.wait_closed()


async def say_more_than_a_request(house: House) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in UPGRADE.items())
    own = f"127.0.0.1:{house.parlour.port}"
    await send_raw(house, f"GET /ws HTTP/1.1\r\nHost: {own}\r\n{head}\r\n".encode() + b"\xff" * 50)


async def send_too_much(house: House) -> None:
    line = await raw_line(house)
    with suppress(ConnectionClosed):
        await line.send(bytes(1_000_000))
    await line.wait_closed()


@pytest.mark.parametrize(
    "way",
    [
        ask_for_the_page,
        be_refused,
        send_no_request,
        break_off_a_request,
        say_goodbye,
        be_cut,
        be_told_to_go,
        break_the_protocol,
        send_no_utf_8,
        say_more_than_a_request,
        send_too_much,
    ],
)
async def test_a_line_that_is_gone_leaves_nothing_to_the_collector(
    open_house: Opening,
    no_collector: None,
    left: Callable[[], list[object]],
    way: Callable[[House], Awaitable[None]],
) -> None:
    house = await open_house()

    await way(house)

    async with asyncio.timeout(10):
        while left():  # noqa: ASYNC110  # nobody tells when the last has let go
            await asyncio.sleep(0.01)
    assert not house.parlour.conversations


class Memory:
    """So many lines and blocks of memory, of which a look at everything leaves `used`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines = self.looks = 0
        self.used = self.blocks = 500_000
        self.agenda = Agenda()
        self.loop = VirtualLoop(self.agenda)  # type: ignore[abstract]  # it has what is asked of it
        monkeypatch.setattr(gc, "collect", self.look)
        monkeypatch.setattr(sys, "getallocatedblocks", lambda: self.blocks)
        with self.loop.running():
            self.task = self.loop.create_task(gentle.clear_up(lambda: self.lines))

    def look(self) -> None:
        self.looks += 1
        self.blocks = self.used

    def after(self, minutes: float) -> int:
        """Looks so far."""
        pass_time(lambda: self.loop, self.agenda, minutes * gentle.MINUTE)
        return self.looks


def test_everything_is_looked_at_where_it_is_calm_and_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    house = Memory(monkeypatch)
    house.after(0.5)
    house.blocks += gentle.FEW - 1
    assert house.after(5) == 0, "not worth it"
    house.blocks, house.lines = house.used + gentle.FEW, gentle.CALM + 1
    assert house.after(5) == 0, "not calm"
    house.lines = gentle.CALM
    assert house.after(1) == 1
    assert house.after(5) == 1, "nothing is left of those"


def test_a_house_that_is_never_calm_has_it_done_once_a_day_or_where_much_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = Memory(monkeypatch)
    house.after(0.5)
    house.lines = 10 * gentle.CALM
    house.blocks = 2 * house.used + gentle.MANY
    assert house.after(1) == 1
    house.blocks = 2 * house.used + gentle.MANY - 1
    assert house.after(gentle.DAY - 1) == 1
    assert house.after(1) == 2
    assert house.after(gentle.DAY) == 3


def test_a_house_that_has_emptied_is_measured_by_what_it_needs_now(monkeypatch: pytest.MonkeyPatch) -> None:
    house = Memory(monkeypatch)
    house.used = house.blocks = 5_000_000
    house.lines = 10 * gentle.CALM
    house.after(gentle.DAY + 0.5)
    house.blocks = 500_000
    assert house.after(5) == 1
    house.blocks = 2 * 500_000 + gentle.MANY
    assert house.after(1) == 2


def test_the_collector_never_looks_at_everything_by_itself() -> None:
    before = gc.get_threshold()
    try:
        gentle.calm_collector()
        assert gc.get_threshold()[1:] == (gentle.NEVER, gentle.NEVER)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
