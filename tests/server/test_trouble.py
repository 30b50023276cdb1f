"""A table that plays when something goes wrong: the disk is full, or the table itself fails again and again."""

import asyncio
from typing import Any

import pytest

from parlour_server.live_table import CRASHES, CRASHING, LiveTable
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Accepted, Ask, Error, Events, Play, Still, Table
from parlour_server.settings import Bots, Listen, Settings
from tests.kit.clients import Client
from tests.kit.deals import seeded
from tests.kit.stores import MemoryStore
from tests.server.conftest import OPEN, Opening

CALM = Settings(listen=Listen(port=0), limits=OPEN, bots=Bots(9_000, 9_000))
"""Bots that think for longer than a test takes."""
NO_DISK = "the storage cannot be written"
STILL = 1.0
"""Seconds that a table stands still."""


async def on_turn(client: Client) -> Ask:
    """Somebody's own turn at a new table, with a clock."""
    await client.say(CreateTable(clocks="casual"))
    while client.asked is None or client.asked.kind != "turn":
        if client.asked is not None:
            await client.answer(lambda ask: "pass")
        await client.next()
    return client.asked


async def test_a_running_table_stands_still_while_nothing_can_be_written_and_goes_on_as_it_was(
    open_house: Opening,
) -> None:
    store = MemoryStore()
    house = await open_house(CALM, store=store, deals_of=seeded(8))
    ada = await house.client()
    asked = await on_turn(ada)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    assert ada.table is not None
    version = ada.table.version

    store.commits = False
    house.parlour.storage_trouble(True)
    assert (await ada.hear(Still)).standstill.stopped == "storage"
    stopped = loop.time()
    await ada.say(Play(asked.version, asked.moves[0], 5))
    error = await ada.hear(Error)
    assert (error.code, error.id) == ("stopped", 5)
    assert NO_DISK in house.parlour.readiness.lacks()
    await asyncio.sleep(STILL)
    assert ada.table.version == version

    store.resume()
    house.parlour.storage_trouble(False)
    assert (await ada.hear(Still)).standstill.stopped is None
    again = await ada.hear(Ask)
    assert (again.version, again.kind, again.moves) == (asked.version, asked.kind, asked.moves)
    assert (again.total_ms, again.bank_ms) == (asked.total_ms, asked.bank_ms)
    assert asked.left_ms is not None
    assert again.left_ms is not None
    # What passed before the disk was full has passed; the time since then has not.
    assert 0 <= asked.left_ms - again.left_ms <= 1000 * (stopped - begun) + 1000 * STILL / 2
    assert NO_DISK not in house.parlour.readiness.lacks()
    await ada.say(Play(again.version, again.moves[0], 6))
    assert (await ada.hear(Accepted)).id == 6
    await ada.until(lambda client: client.table is not None and client.table.version > version)


class Later:
    """A loop whose clock is some seconds ahead of the real one."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.seconds = 0.0

    def time(self) -> float:
        return self._loop.time() + self.seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)


async def crash(live: LiveTable) -> None:
    """Fail, and be made anew."""
    live.fail()
    await made_anew(live)


async def made_anew(live: LiveTable) -> None:
    async with asyncio.timeout(10):
        while live.reviving():  # noqa: ASYNC110 # the table has no event for this
            await asyncio.sleep(0)


@pytest.mark.parametrize(("pause", "frozen"), [(0.0, True), (CRASHING - 2, True), (CRASHING + 1, False)])
async def test_three_crashes_in_a_minute_freeze_a_table_and_as_many_in_a_longer_time_do_not(
    open_house: Opening, pause: float, frozen: bool
) -> None:
    house = await open_house(CALM, deals_of=seeded(8))
    ada = await house.client()
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    live = house.hall.find(table.table)
    later = Later(live._loop)
    live._loop = later  # type: ignore[assignment] # it is one in all that counts
    assert (CRASHES, CRASHING) == (3, 60.0)

    await crash(live)
    await crash(live)
    assert house.hall.states() == {"playing": 1}
    later.seconds += pause
    await crash(live)
    assert house.hall.states() == {"frozen" if frozen else "playing": 1}
    if not frozen:
        await crash(live)
        assert house.hall.states() == {"playing": 1}, "two in this minute"
        await ada.hear(Events)
        await crash(live)
        assert house.hall.states() == {"frozen": 1}
    await ada.until(lambda client: client.table is not None and client.table.standstill.stopped == "frozen")


async def test_a_table_that_cannot_say_whom_it_waits_for_is_made_anew(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house(CALM, deals_of=seeded(8))
    ada = await house.client()
    await on_turn(ada)
    (live,) = house.hall.tables.values()
    (line,) = house.parlour.conversations
    assert live.awaits(line.number)

    def broken(*_: object) -> bool:
        raise RuntimeError("broken")

    monkeypatch.setattr(live._table, "awaits", broken)
    assert not live.awaits(line.number), "the look at the other lines goes on"
    await made_anew(live)
    assert live.awaits(line.number)
