"""What waits to be written to one socket. It is bounded: a slow reader is dropped, and nobody waits for a stranger."""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from parlour_server.settings import Limits


@lru_cache(maxsize=16)
def _framed(payload: bytes, text: bool) -> bytes:
    """Made once for all the lines that are told the same, one after the other."""
    return Frame(Opcode.TEXT if text else Opcode.BINARY, payload).serialize(mask=False)


def _write(line: ServerConnection, payloads: Sequence[bytes], text: bool) -> None:
    """All of them in one call of the system, which costs more than everything else about a message."""
    # No extension is spoken and nothing is ever sent in fragments, so the library has no more to do with it than this.
    if line.protocol.state is State.OPEN:
        if len(payloads) == 1:
            line.transport.write(_framed(payloads[0], text))
        else:
            line.transport.write(b"".join([_framed(payload, text) for payload in payloads]))


class Outbox:
    """Writes to one line at once, and watches what the system could not take yet; `on_drop` hears why a line was cut,
    once.

    Frames are bytes, UTF-8 where the line speaks `text`. There is no task and no queue of its own: what waits, waits in
    the transport.
    """

    __slots__ = (
        "_bytes",
        "_closing",
        "_frames",
        "_limits",
        "_line",
        "_on_drop",
        "_over",
        "_stall",
        "_text",
        "_write",
        "_written",
    )

    def __init__(
        self,
        line: ServerConnection,
        text: bool,
        limits: Limits,
        on_drop: Callable[[str], None],
        write: Callable[[ServerConnection, Sequence[bytes], bool], None] = _write,
    ) -> None:
        self._line: Final = line
        self._text: Final = text
        self._limits: Final = limits
        self._on_drop: Callable[[str], None] | None = on_drop
        self._write: Final = write
        self._frames = 0
        """Frames since the transport was empty last, as far as was seen."""
        self._bytes = 0
        """Bytes handed over in all."""
        self._written = 0
        """As many had left when that was looked at last."""
        self._over = False
        self._closing: asyncio.Task[None] | None = None
        self._stall: asyncio.TimerHandle | None = None

    def put(self, *frames: bytes) -> None:
        """Write frames, or drop the line where too much is waiting. Never raises, never waits."""
        transport = self._line.transport
        if self._over or transport.is_closing():
            return
        # Whatever waits is watched.
        waiting = 0 if self._stall is None else transport.get_write_buffer_size()
        size = len(frames[0]) if len(frames) == 1 else sum(map(len, frames))
        if waiting == 0:
            self._frames = 0
        # What belongs together may always wait alone: a snapshot must fit whatever the limit.
        elif self._frames >= self._limits.outbox_messages or waiting + size > self._limits.outbox_bytes:
            self.drop("reads too slowly")
            return
        self._frames += len(frames)
        self._bytes += size
        self._write(self._line, frames, self._text)
        if self._stall is None and transport.get_write_buffer_size() > 0:
            self._watch()

    def close(self, code: int, reason: str) -> None:
        """Close the line with a reason, when what waits is written."""
        if not self._over:
            self._over = True
            self._closing = asyncio.get_running_loop().create_task(self._line.close(code, reason))

    def drop(self, why: str) -> None:
        """Cut the line at once; what waits is lost."""
        if self._over:
            return
        on_drop = self._on_drop
        self.stop()
        self._line.transport.abort()
        if on_drop is not None:
            on_drop(why)

    def stop(self) -> None:
        """Write nothing more, and tell nobody."""
        self._over = True
        # Its owner would hold it, and it its owner: only the collector would find out that both are gone.
        self._on_drop = None
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _waiting(self) -> int:
        return self._line.transport.get_write_buffer_size()

    def _watch(self) -> None:
        self._written = self._bytes - self._waiting()
        self._stall = asyncio.get_running_loop().call_later(self._limits.stall_seconds, self._look)

    def _look(self) -> None:
        self._stall = None
        waiting = self._waiting()
        if waiting == 0 or self._over:
            return
        if self._bytes - waiting <= self._written:
            self.drop("stalled")
        else:
            self._watch()
