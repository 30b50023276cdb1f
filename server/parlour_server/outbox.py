"""What waits to be written to one socket. It is bounded: a slow reader is dropped, and nobody waits for a stranger."""

import asyncio
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from parlour_server.settings import Limits


class Outbox:
    """A queue and the task that empties it into the socket; `on_drop` hears why a line was cut, once.

    Frames are bytes, UTF-8 where the line speaks `text`.
    """

    __slots__ = ("_bytes", "_closing", "_frames", "_limits", "_line", "_on_drop", "_text", "_waiting", "_writer")

    def __init__(self, line: ServerConnection, text: bool, limits: Limits, on_drop: Callable[[str], None]) -> None:
        self._line = line
        self._text = text
        self._limits = limits
        self._on_drop = on_drop
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._closing: tuple[int, str] | None = None
        self._waiting: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = asyncio.get_running_loop().create_task(self._write())

    def put(self, frame: bytes) -> None:
        """Queue a frame, or drop the line where too much is waiting. Never raises, never waits."""
        if self._writer is None or self._closing is not None:
            return
        size = len(frame)
        # One large frame may always wait alone: a snapshot must fit whatever the limit.
        if len(self._frames) >= self._limits.outbox_messages or (
            self._frames and self._bytes + size > self._limits.outbox_bytes
        ):
            self.drop("reads too slowly")
            return
        self._frames.append(frame)
        self._bytes += size
        self._wake()

    def close(self, code: int, reason: str) -> None:
        """Write what is queued, then close the line with a reason."""
        if self._writer is not None and self._closing is None:
            self._closing = (code, reason)
            self._wake()

    def drop(self, why: str) -> None:
        """Cut the line at once; what is queued is lost."""
        if self._writer is None:
            return
        self.stop()
        self._line.transport.abort()
        self._on_drop(why)

    def stop(self) -> None:
        """Forget the queue and end the writer."""
        writer, self._writer = self._writer, None
        self._frames.clear()
        self._bytes = 0
        if writer is not None:
            writer.cancel()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                while self._frames:
                    frame = self._frames[0]
                    async with asyncio.timeout(self._limits.stall_seconds):
                        await self._line.send(frame, text=self._text)
                    # It counts until it is written, else a stalled frame would not be seen.
                    self._frames.popleft()
                    self._bytes -= len(frame)
                if self._closing is not None:
                    await self._line.close(*self._closing)
                    return
                self._waiting = loop.create_future()
                await self._waiting
        except ConnectionClosed:
            pass
        except TimeoutError:
            self.drop("stalled")
