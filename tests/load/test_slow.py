"""N05: watchers and a player who read nothing, beside people who play. What is promised is counted in octets, so no
busy machine makes it fail; how long anything takes is for `python -m bench.server.slow`."""

import argparse
import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from bench.server.dawdlers import Dawdler
from bench.server.slow import AIMS, Dawdlers, judged, slow
from parlour_server.door import UNSENT
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Events, Table
from parlour_server.settings import Limits
from tests.kit.clients import Client, eager
from tools.served import Served

CONFIG = """
[limits]
messages_per_second = 100000
messages_burst = 100000
stall_seconds = 600
[tables]
floor_ms = 0
demonstration = false
[bots]
least_delay_ms = 0
most_delay_ms = 0
"""
WATCHERS = 12
SPARE = 65536
"""What the other end's system takes, what is told until somebody hears that they are gone, and what systems count
beside the octets themselves."""


async def _play(ada: Client) -> None:
    """One move of hers, or on to the next deal."""
    if ada.asked is not None:
        await ada.answer(eager)
    elif ada.table is not None and ada.table.settled is not None:
        await ada.agree()
    await ada.next()


def _told(ada: Client) -> int:
    """Octets of what was told to everybody at the table."""
    return sum(len(frame) for frame, message in zip(ada.frames, ada.heard, strict=True) if isinstance(message, Events))


def _dropped(served: Served) -> list[Any]:
    return [line["reason"] for line in served.log() if line.get("event") == "line dropped"]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["nothing", "drops"])
async def test_watchers_who_do_not_keep_up_are_dropped_for_what_waits(tmp_path: Path, how: str) -> None:
    with Served(tmp_path, CONFIG) as served:
        served.start()
        async with Client(served.url, "Ada") as ada:
            await ada.say(CreateTable(clocks="off", public=True))
            link = (await ada.hear(Table)).table
            crowd = await asyncio.to_thread(Dawdlers, os.sched_getaffinity(0), how, served.port, WATCHERS, 0, link)
            try:
                await asyncio.to_thread(crowd.ready)
                before = _told(ada)
                await ada.until(lambda one: one.table is not None and one.table.watchers == WATCHERS)
                while ada.table is not None and ada.table.watchers:
                    await _play(ada)
                    assert _told(ada) - before < Limits().outbox_bytes + UNSENT + SPARE
            finally:
                crowd.kill()
                crowd.gone()
            version = ada.table.version if ada.table is not None else 0
            while ada.table is not None and ada.table.version < version + 20:
                await _play(ada)
        assert _dropped(served) == ["reads too slowly"] * WATCHERS
        assert not served.errors()


@pytest.mark.slow
async def test_a_player_who_does_not_read_is_dropped_and_the_table_goes_on(tmp_path: Path) -> None:
    with Served(tmp_path, CONFIG) as served:
        served.start()
        async with Client(served.url, "Ada") as ada:
            await ada.say(CreateTable(clocks="off"))
            link = (await ada.hear(Table)).table
            assert ada.table is not None
            seat = next(seat.seat for seat in ada.table.seats if seat.player == "bot")
            join = {"type": "join", "table": link, "seen": None}
            bo = await asyncio.to_thread(Dawdler, served.port, 0, join, {"type": "take_seat", "seat": seat})
            await ada.until(lambda one: one.table is not None and one.table.seats[seat].player == "person")
            # Each snapshot is for him alone.
            await asyncio.to_thread(bo.say, *[join] * 300)
            await ada.until(lambda one: one.table is not None and not one.table.seats[seat].present)
            version = ada.table.version
            while ada.table.version < version + 50:
                await _play(ada)
            assert ada.table.seats[seat].stand_in
            bo.socket.close()
        assert _dropped(served) == ["reads too slowly"]
        assert not served.errors()


@pytest.mark.slow
def test_slow_readers_are_measured() -> None:
    """The measurement can be made; what it says is for a machine that does nothing else."""
    found = slow(argparse.Namespace(tables=0, rate=50.0, rounds=1, seconds=1.0, segment=0))
    assert not found["errors"]
    assert set(found["of"]) == {"alone", "all", "nothing", "drops"}
    assert all(spell["p99_ms"] > 0 for spell in found["of"].values())
    assert len(judged(found)) == len(AIMS)
