"""What waits for one reader is bounded in messages, bytes and time."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from parlour_server.outbox import Outbox
from parlour_server.settings import Limits

LIMITS = Limits(outbox_messages=16, outbox_bytes=16384, stall_seconds=1)


class Line:
    """A line whose reader takes `room` bytes, and then no more."""

    def __init__(self, room: int = 0) -> None:
        self.transport = self
        self.aborted = 0
        self.closed: list[tuple[int, str]] = []
        self.frames: list[tuple[bytes, bool]] = []
        self.waiting = 0
        self.room = room

    def write(self, _: Any, frames: Sequence[bytes], text: bool) -> None:
        self.frames += [(frame, text) for frame in frames]
        self.waiting += sum(map(len, frames))
        self.take(0)

    def take(self, more: int) -> None:
        """The reader reads so many bytes more."""
        self.room += more
        read = min(self.room, self.waiting)
        self.room -= read
        self.waiting -= read

    def is_closing(self) -> bool:
        return self.aborted > 0

    def get_write_buffer_size(self) -> int:
        return self.waiting

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))

    def abort(self) -> None:
        self.aborted += 1


def box(line: Line, why: list[str], text: bool = False) -> Outbox:
    return Outbox(line, text, LIMITS, why.append, line.write)  # type: ignore[arg-type]  # as much of a line as is used


@pytest.mark.parametrize(("size", "fit"), [(10, 16), (8192, 2), (20_000, 1)])
async def test_a_reader_that_has_stopped_drops_the_line_once(size: int, fit: int) -> None:
    line, why = Line(), list[str]()
    outbox = box(line, why)
    for _ in range(fit):
        outbox.put(bytes(size))
    assert line.aborted == 0
    outbox.put(bytes(size))
    outbox.put(bytes(size))
    outbox.close(1000, "")

    assert (line.aborted, why, len(line.frames)) == (1, ["reads too slowly"], fit)


async def test_a_reader_that_reads_may_have_as_much_as_there_is() -> None:
    line, why = Line(room=10**9), list[str]()
    outbox = box(line, why, text=True)
    for _ in range(1000):
        outbox.put(bytes(1000))

    assert (why, len(line.frames)) == ([], 1000)
    assert line.frames[0] == (bytes(1000), True)


async def later(seconds: float) -> None:
    await asyncio.sleep(seconds)


async def test_a_write_that_does_not_move_drops_the_line() -> None:
    line, why = Line(), list[str]()
    box(line, why).put(b"x")

    await later(0.5)
    assert why == []
    await later(1.0)
    assert (line.aborted, why) == (1, ["stalled"])


async def test_a_reader_that_is_slow_but_moves_keeps_the_line() -> None:
    line, why = Line(), list[str]()
    outbox = box(line, why)
    outbox.put(bytes(300))
    for _ in range(3):
        await later(0.7)
        line.take(90)
    assert why == []
    line.take(30)
    await later(1.1)

    assert (line.aborted, line.waiting, why) == (0, 0, [])


async def test_the_goodbye_comes_after_all_that_was_put_and_ends_it() -> None:
    line = Line(room=10**6)
    outbox = box(line, [], text=True)
    for word in (b"one", b"two", b"three"):
        outbox.put(word)
    outbox.close(1008, "enough")
    outbox.put(b"too late")
    outbox.close(1000, "again")
    await asyncio.sleep(0)

    assert line.frames == [(b"one", True), (b"two", True), (b"three", True)]
    assert line.closed == [(1008, "enough")]


async def test_what_is_put_together_is_written_together() -> None:
    calls: list[list[bytes]] = []
    line = Line(room=10**6)
    outbox = Outbox(
        line,  # type: ignore[arg-type]  # as much of a line as is used
        False,
        LIMITS,
        list[str]().append,
        lambda _, frames, __: calls.append(list(frames)),
    )
    outbox.put(b"one", b"two", b"three")

    assert calls == [[b"one", b"two", b"three"]]


async def test_frames_that_are_put_together_count_one_by_one() -> None:
    line, why = Line(), list[str]()
    outbox = box(line, why)
    outbox.put(*[b"x"] * 16)
    assert why == []
    outbox.put(b"x")

    assert why == ["reads too slowly"]
