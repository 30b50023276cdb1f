"""What waits for one reader is bounded in messages, bytes and time."""

import asyncio
from typing import Any

import pytest

from parlour_server.outbox import Outbox
from parlour_server.settings import Limits

LIMITS = Limits(outbox_messages=16, outbox_bytes=16384, stall_seconds=1)


class Stuck:
    """A line whose reader has stopped: nothing is ever written."""

    def __init__(self) -> None:
        self.transport = self
        self.aborted = 0
        self.closed: list[tuple[int, str]] = []
        self.over = asyncio.Event()

    async def send(self, frame: bytes, text: bool) -> None:
        await asyncio.get_running_loop().create_future()

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))
        self.over.set()

    def abort(self) -> None:
        self.aborted += 1


class Reading(Stuck):
    """A line whose reader reads."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[tuple[bytes, bool]] = []

    async def send(self, frame: bytes, text: bool) -> None:
        self.read.append((frame, text))


def box(line: Any, why: list[str], text: bool = False) -> Outbox:
    return Outbox(line, text, LIMITS, why.append)


@pytest.mark.parametrize(("size", "fit"), [(10, 16), (8192, 2), (20_000, 1)])
async def test_a_full_box_drops_the_line_once(size: int, fit: int) -> None:
    line, why = Stuck(), list[str]()
    outbox = box(line, why)
    for _ in range(fit):
        outbox.put(bytes(size))
    assert line.aborted == 0
    outbox.put(bytes(size))
    outbox.put(bytes(size))
    outbox.close(1000, "")

    assert (line.aborted, why) == (1, ["reads too slowly"])


async def test_a_write_that_does_not_move_drops_the_line() -> None:
    line, dropped = Stuck(), asyncio.Event()
    outbox = Outbox(line, False, LIMITS, lambda _: dropped.set())  # type: ignore[arg-type]  # as much of a line as is used
    outbox.put(b"x")

    async with asyncio.timeout(10):
        await dropped.wait()
    assert line.aborted == 1


async def test_what_waits_is_written_in_order_before_the_goodbye() -> None:
    line = Reading()
    outbox = box(line, [], text=True)
    outbox.put(b"one")
    await asyncio.sleep(0)
    for word in (b"two", b"three"):
        outbox.put(word)
    outbox.close(1008, "enough")
    outbox.put(b"too late")
    async with asyncio.timeout(10):
        await line.over.wait()

    assert line.read == [(b"one", True), (b"two", True), (b"three", True)]
    assert line.closed == [(1008, "enough")]
