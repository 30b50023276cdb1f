"""What stands between the network and a conversation: who may come in, over which address, speaking what."""

import asyncio
import json
import math
from collections.abc import Callable
from typing import Any, Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers, MultipleValuesError
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event

from parlour_server.limits import Allowance, Doorkeeper
from parlour_server.log import log
from parlour_server.origins import Origins
from parlour_server.page import Page, answer, refusal
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL
from parlour_server.settings import Limits

SOCKET_PATH: Final = "/ws"
SUBPROTOCOLS: Final = (MSGPACK_SUBPROTOCOL, JSON_SUBPROTOCOL)
SLOWEST_DOWNLOAD: Final = 60.0
"""Seconds that a plain HTTP answer may take on a slow line."""
LEFTOVERS: Final = 1000
"""Frames that may be on their way from a peer that has been told to go."""
CLOSING: Final = 5.0
"""Seconds that a peer has to answer a WebSocket's closing."""


_WHOLE: Final = frozenset({Opcode.TEXT, Opcode.BINARY})


class Line(ServerConnection):
    """A connection that is counted from its first byte and cut where its request does not come."""

    def __init__(
        self, *arguments: Any, lines: set["Line"], doorkeeper: Doorkeeper, limits: Limits, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self.lines = lines
        self.doorkeeper = doorkeeper
        self.request_seconds = limits.hello_seconds
        self.bearable: float = math.inf
        """So many more frames are read; a conversation that has ended still reads, for its goodbye to come through."""
        self.allowance = Allowance(limits.messages_per_second, limits.messages_burst, self.loop.time())
        self.address = ""
        self.admitted = False
        self.refused = False
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the line in; the library goes on to wait for its request."""
        super().connection_made(transport)
        self.lines.add(self)
        peer = transport.get_extra_info("peername")
        # A line that died at once has no peer any more.
        self.address = peer[0] if peer else ""
        self.admitted = self.doorkeeper.admit(self.address)
        if not self.admitted:
            self.refused = self.doorkeeper.keep_waiting()
            if not self.refused:
                self.transport.abort()
        self._patience = self.loop.call_later(self.request_seconds, self._give_up)

    def process_event(self, event: Event) -> None:
        """Take a frame from the library; cut the line where pings, pongs and fragments come in floods."""
        # Nobody but the library sees those, and it answers every ping at once, read or not: neither a conversation's
        # allowance nor its outbox bounds them.
        if isinstance(event, Frame):
            self.bearable -= 1
            if event.opcode not in _WHOLE and not self.allowance.take(self.loop.time()):
                self._drop("too many control frames or fragments")
            if self.bearable < 0:
                self._drop("goes on after its end")
            if self.transport.is_closing():
                return
        super().process_event(event)

    def _drop(self, why: str) -> None:
        if not self.transport.is_closing():
            log.info("line dropped", reason=why)
            self.transport.abort()

    def _give_up(self) -> None:
        if self.request is None:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the line out."""
        self.lines.discard(self)
        if self._patience is not None:
            self._patience.cancel()
        if self.admitted:
            self.admitted = False
            self.doorkeeper.leave(self.address)
        if self.refused:
            self.refused = False
            self.doorkeeper.outside -= 1
        super().connection_lost(exc)

    @property
    def is_open(self) -> bool:
        """Whether it is a WebSocket by now, which may be closed politely."""
        return self.response is not None and self.response.status_code == 101

    @property
    def at(self) -> tuple[str, int]:
        """The address and port of this machine that the line came in on."""
        name = self.transport.get_extra_info("sockname")
        return (str(name[0]), int(name[1])) if name else ("", 0)


def _single(headers: Headers, name: str) -> str | None:
    """The header's value; a header sent twice is as good as none that could be right."""
    try:
        value = headers.get(name)
    except MultipleValuesError:
        return ""
    return value


def _offered(headers: Headers) -> list[str]:
    return [part.strip() for part in ",".join(headers.get_all("Sec-WebSocket-Protocol")).split(",") if part.strip()]


class Door:
    """Answers every request: the page, `/healthz`, or the way into a WebSocket."""

    def __init__(self, page: Page, origins: Origins, health: Callable[[], dict[str, Any]]) -> None:
        self._page = page
        self._origins = origins
        self._health = health

    def answer(self, line: ServerConnection, request: Request) -> Response | None:
        """The answer to a plain request or a refusal; None lets the library open the WebSocket."""
        assert isinstance(line, Line)
        response = self._answer(line, request)
        line.close_timeout = CLOSING if response is None else SLOWEST_DOWNLOAD
        return response

    def _answer(self, line: Line, request: Request) -> Response | None:
        if not line.admitted:
            return refusal(503, "Too many connections. Close some tabs, or try again later.", {"Retry-After": "10"})
        host = _single(request.headers, "Host")
        if not self._origins.allows_host(host, *line.at):
            return refusal(403, "This name is not one of the server's. Its keeper can add it to listen.public_origins.")
        path = request.path.partition("?")[0]
        if path == SOCKET_PATH:
            return self._refuse_socket(line, request, host)
        if path == "/healthz":
            if request.method not in {"GET", "HEAD"}:
                return refusal(405, "Only GET and HEAD.", {"Allow": "GET, HEAD"})
            body = json.dumps(self._health()).encode() + b"\n"
            return answer(200, body, "application/json", {"Cache-Control": "no-store"}, head=request.method == "HEAD")
        return self._page.respond(request)

    def _refuse_socket(self, line: Line, request: Request, host: str | None) -> Response | None:
        if not self._origins.allows(_single(request.headers, "Origin"), host, *line.at):
            return refusal(403, "Pages of this origin may not play here.")
        if request.method != "GET":
            return refusal(405, "Only GET.", {"Allow": "GET"})
        upgrade = _single(request.headers, "Upgrade")
        if upgrade is not None and not set(SUBPROTOCOLS) & set(_offered(request.headers)):
            return refusal(400, f"Ask for one of the subprotocols {' and '.join(SUBPROTOCOLS)}.")
        return None
