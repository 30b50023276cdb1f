"""Lines between the server and its clients in memory: bytes are delayed, split, merged, held up and lost by chance.

The server's end is an asyncio transport; the client's end is told `opened`, `arrived` and `lost`.
"""

import asyncio
from random import Random
from typing import Any, Protocol

from attrs import frozen

from tests.simulation.agenda import Agenda
from tests.simulation.loop import HERE, VirtualLoop

_PACKET = 256


@frozen
class Weather:
    """How bad the lines are: seconds on the way, bytes that fit between the ends, the chance that bytes are split."""

    least: float = 0.001
    most: float = 0.05
    window: int = 65536
    split: float = 0.1


class Peer(Protocol):
    """The client's end of a line."""

    def arrived(self, data: bytes, written: int) -> None:
        """Bytes have come; `written` is the server's step in which the last of them was written."""

    def lost(self) -> None:
        """The line is gone: closed, cut or reset."""


class Line:
    """One connection. The client's end calls `write`, `finish` (FIN) and `reset` (RST)."""

    def __init__(
        self, agenda: Agenda, loop: VirtualLoop, chance: Random, weather: Weather, peer: Peer, number: int
    ) -> None:
        self._agenda = agenda
        self._loop = loop
        self._chance = chance
        self._weather = weather
        self._peer = peer
        self.number = number
        self.silent = False
        """Half-open: nothing comes through in either direction, and neither end learns of it."""
        self.reading = True
        """The client reads what arrives; else its window closes."""
        self.dead = False
        """The server's process is gone, or the client has forgotten the line."""
        self._up_at = self._down_at = agenda.now
        self._unread: list[tuple[bytes, int]] = []
        self._under_way = 0
        self._gone = False
        self.transport = ServerEnd(self, loop, ("10.0.0.1" if number % 7 == 0 else "127.0.0.1", 20000 + number))

    @property
    def kept(self) -> bool:
        """The server has this line still."""
        return not self.dead and not self.transport.lost

    # --- the client's end ---

    def write(self, data: bytes) -> None:
        """Bytes for the server."""
        for part in self._parts(data):
            self._up_at = max(self._up_at, self._agenda.now + self._delay())
            self._agenda.at(self._up_at, self._to_server, self.transport.received, part)

    def finish(self) -> None:
        """The client is done: FIN."""
        self._up_at = max(self._up_at, self._agenda.now + self._delay())
        self._agenda.at(self._up_at, self._to_server, self.transport.ended)

    def reset(self) -> None:
        """The client's end is gone: RST."""
        self._gone = True
        self._agenda.after(self._delay(), self._to_server, self.transport.broken)

    def forget(self) -> None:
        """The client's end takes nothing more."""
        self._gone = True

    def read_on(self) -> None:
        """The client reads again."""
        self.reading = True
        self._take()

    # --- the server's end ---

    def room(self) -> int:
        """Bytes that the network takes now."""
        return self._weather.window - self._under_way

    def carry(self, data: bytes, written: int) -> None:
        """Bytes for the client; there is room for them."""
        if self.dead:
            return
        for part in self._parts(data):
            self._under_way += len(part)
            self._down_at = max(self._down_at, self._agenda.now + self._delay())
            self._agenda.at(self._down_at, self._to_client, part, written)

    def end(self) -> None:
        """No more bytes will come, politely or not."""
        if self.dead:
            return
        self._down_at = max(self._down_at, self._agenda.now + self._delay())
        self._agenda.at(self._down_at, self._end)

    def die(self) -> None:
        """The server's process is gone: the client's end is reset."""
        self.dead = True
        self._agenda.after(self._delay(), self._end)

    # --- on the way ---

    def _delay(self) -> float:
        return self._chance.uniform(self._weather.least, self._weather.most)

    def _parts(self, data: bytes) -> list[bytes]:
        if len(data) < 2 or self._chance.random() >= self._weather.split:
            return [data]
        cut = self._chance.randrange(1, len(data))
        return [data[:cut], data[cut:]]

    def _to_server(self, receive: Any, *arguments: Any) -> None:
        if not self.silent and not self.dead:
            self._loop.call_soon(receive, *arguments)

    def _to_client(self, data: bytes, written: int) -> None:
        if self.silent or self._gone:
            return
        self._unread.append((data, written))
        if self.reading:
            self._take()

    def _take(self) -> None:
        while self._unread and self.reading and not self._gone:
            data, written = self._unread.pop(0)
            self._under_way -= len(data)
            self._peer.arrived(data, written)
        if not self.dead:
            self._loop.call_soon(self.transport.flush)

    def _end(self) -> None:
        if not self.silent and not self._gone:
            self._gone = True
            self._peer.lost()


class ServerEnd(asyncio.Transport):
    """The transport that the server's protocol is given."""

    def __init__(self, line: Line, loop: VirtualLoop, peer: tuple[str, int]) -> None:
        super().__init__({"peername": peer, "sockname": HERE})
        self._line = line
        self._loop = loop
        self._protocol: asyncio.Protocol | None = None
        self._high, self._low = 65536, 16384
        self._waiting = bytearray()
        self._unheard: list[bytes] = []
        self._paused = False
        self._held = False
        self._ending = False
        self._closing = False
        self._lost = False

    @property
    def lost(self) -> bool:
        """The server has let it go, or knows that it is gone."""
        return self._lost

    def connect(self, protocol: asyncio.Protocol) -> None:
        """The line is open."""
        self._protocol = protocol
        protocol.connection_made(self)

    # --- bytes from the client ---

    def received(self, data: bytes) -> None:
        """Bytes have come, once the server reads."""
        if self._held:
            self._unheard.append(data)
        elif not self._closing and self._protocol is not None:
            self._protocol.data_received(data)

    def ended(self) -> None:
        """The client has said its last."""
        if self._held:
            self._loop.call_later(0.01, self.ended)
        elif not self._closing and self._protocol is not None and not self._protocol.eof_received():
            self.close()

    def broken(self) -> None:
        """The line is reset."""
        self._lose(ConnectionResetError(104, "Connection reset by peer"))

    def pause_reading(self) -> None:
        self._held = True

    def resume_reading(self) -> None:
        self._held = False
        unheard, self._unheard = self._unheard, []
        for data in unheard:
            self._loop.call_soon(self.received, data)

    def is_reading(self) -> bool:
        return not self._held

    # --- bytes to the client ---

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._lost or self._ending:
            return
        self._waiting += data
        self._pump()
        if len(self._waiting) > self._high and not self._paused and self._protocol is not None:
            self._paused = True
            self._protocol.pause_writing()

    def flush(self) -> None:
        """There may be room again."""
        if self._lost:
            return
        self._pump()
        if self._paused and len(self._waiting) <= self._low and self._protocol is not None:
            self._paused = False
            self._protocol.resume_writing()

    def _pump(self) -> None:
        room = self._line.room()
        # As TCP does, it waits for a window that is worth a packet.
        if self._waiting and room >= min(len(self._waiting), _PACKET):
            self._line.carry(bytes(self._waiting[:room]), self._loop.steps)
            del self._waiting[:room]
        if not self._waiting:
            if self._ending and not self._closing:
                self._line.end()
            if self._closing:
                self._lose(None)

    def write_eof(self) -> None:
        if not self._ending:
            self._ending = True
            self._pump()

    def can_write_eof(self) -> bool:
        return True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = 65536 if high is None else high
        self._low = self._high // 4 if low is None else low

    def get_write_buffer_size(self) -> int:
        return len(self._waiting)

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return self._low, self._high

    # --- the end ---

    def is_closing(self) -> bool:
        return self._closing or self._lost

    def close(self) -> None:
        if not self._closing and not self._lost:
            self._closing = True
            self._pump()

    def abort(self) -> None:
        self._waiting.clear()
        self._lose(None)

    def _lose(self, error: Exception | None) -> None:
        if self._lost:
            return
        self._lost = self._closing = True
        self._line.end()
        self._loop.call_soon(self._say_lost, error)

    def _say_lost(self, error: Exception | None) -> None:
        if self._protocol is not None:
            self._protocol.connection_lost(error)
            self._protocol = None
