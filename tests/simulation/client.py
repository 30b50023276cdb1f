"""The client's end of a simulated line: the WebSocket protocol without sockets, and messages in and out."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

from websockets.client import ClientProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.messages import FromClient, ToClient
from tests.simulation.network import Line

URI = parse_uri("ws://127.0.0.1:8000/ws")


class Client:
    """One WebSocket. `hear(message, frame, written)` gets each message, `ended()` the end of the line."""

    def __init__(
        self, text: bool, chance: Random, hear: Callable[[ToClient, bytes, int], None], ended: Callable[[], None]
    ) -> None:
        self.text = text
        self.subprotocol = JSON_SUBPROTOCOL if text else MSGPACK_SUBPROTOCOL
        self.line: Line | None = None
        self.opened = False
        self.over = False
        self.code: int | None = None
        """The server's close code, where it said one."""
        self._chance = chance
        self._hear = hear
        self._ended = ended
        self._ready: list[bytes] = []
        self._protocol = ClientProtocol(URI, subprotocols=[Subprotocol(self.subprotocol)], max_size=None)

    def open(self, line: Line) -> None:
        """Ask for the WebSocket; what is said before it is open is sent then."""
        self.line = line
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def say(self, message: FromClient) -> None:
        """Send a message."""
        frame = encode(message, self.subprotocol)
        self.say_bytes(frame if isinstance(frame, bytes) else frame.encode())

    def say_bytes(self, frame: bytes, text: bool | None = None) -> None:
        """Send a frame of any content."""
        if self.over:
            return
        if not self.opened:
            self._ready.append(frame)
        elif self._protocol.state is State.OPEN:
            if self.text if text is None else text:
                self._protocol.send_text(frame)
            else:
                self._protocol.send_binary(frame)
            self._flush()

    def say_noise(self, noise: bytes) -> None:
        """Send bytes that are no frame; the line is no use afterwards."""
        if not self.over and self.line is not None:
            self.line.write(noise)

    def close(self) -> None:
        """Say goodbye and wait for the server's."""
        if not self.over and self.opened and self._protocol.state is State.OPEN:
            self._protocol.send_close(1000)
            self._flush()

    def finish(self) -> None:
        """Lose the line without a goodbye, by FIN."""
        if self.line is not None and not self.over:
            self.over = True
            self.line.finish()
            self.line.forget()

    def reset(self) -> None:
        """Lose the line, by RST."""
        if self.line is not None and not self.over:
            self.over = True
            self.line.reset()

    # --- from the line ---

    def arrived(self, data: bytes, written: int) -> None:
        """Bytes have come."""
        if self.over:
            return
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Response):
                self._answered(event)
            elif isinstance(event, Frame):
                self._frame(event, written)
            if self._forgotten():
                return
        self._flush()

    def _answered(self, response: Response) -> None:
        if response.status_code != 101:
            return
        self.opened = True
        ready, self._ready = self._ready, []
        for frame in ready:
            self.say_bytes(frame)

    def _frame(self, frame: Frame, written: int) -> None:
        if frame.opcode in {Opcode.TEXT, Opcode.BINARY}:
            assert frame.fin, "the server never fragments"
            data = bytes(frame.data)
            self._hear(decode_reply(data.decode() if self.text else data), data, written)
        elif frame.opcode is Opcode.CLOSE:
            received = self._protocol.close_rcvd
            self.code = None if received is None else received.code

    def _forgotten(self) -> bool:
        """Whether whoever heard the last message has given the line up."""
        return self.over

    def lost(self) -> None:
        """The line is gone."""
        if self.over:
            return
        self.over = True
        with suppress(EOFError, ProtocolError):
            self._protocol.receive_eof()
        self._ended()

    def _flush(self) -> None:
        assert self.line is not None
        for data in self._protocol.data_to_send():
            if data:
                self.line.write(data)
            else:
                self.line.finish()
