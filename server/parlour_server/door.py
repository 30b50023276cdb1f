"""What stands between the network and a conversation: who may come in, over which address, speaking what."""

import asyncio
import gzip
import hmac
import json
import math
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers, MultipleValuesError
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State

from parlour_server.heartbeat import Heartbeat
from parlour_server.limits import Allowance, Doorkeeper, is_loopback
from parlour_server.log import log
from parlour_server.metrics import CONTENT_TYPE, UNHEARD, Metrics
from parlour_server.origins import Origins
from parlour_server.page import Asset, Page, answer, download, refusal, respond, tag_of
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL
from parlour_server.proxies import Proxies, passed_on
from parlour_server.readiness import Readiness
from parlour_server.settings import Limits

SOCKET_PATH: Final = "/ws"
SUBPROTOCOLS: Final = (MSGPACK_SUBPROTOCOL, JSON_SUBPROTOCOL)
SLOWEST_DOWNLOAD: Final = 60.0
"""Seconds that a plain HTTP answer may take on a slow line."""
LEFTOVERS: Final = 1000
"""Frames that may be on their way from a peer that has been told to go."""
CLOSING: Final = 5.0
"""Seconds that a peer has to answer a WebSocket's closing."""
UNSENT: Final = 16_384
"""Bytes of a line that the system takes beyond what is on its way. Left to itself it takes megabytes from peers of the
same machine, a proxy's among them; no outbox sees what waits there, and so nobody would be found to read too slowly."""
MOST_READING: Final = 20
"""Records that are read and packed at once; whoever asks for a further one is to try again."""

Records = Callable[[str], Awaitable[str | None]]
"""The record of a match by its public name; None where there is none, or none yet."""
_RECORD: Final = re.compile(r"/records/([0-9a-f]{32})\.jsonl")

_WHOLE: Final = frozenset({Opcode.TEXT, Opcode.BINARY})


def _keep_little(transport: asyncio.BaseTransport) -> None:
    found = transport.get_extra_info("socket")
    # Neither simulated lines have it nor every system.
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    if found is not None and option is not None:
        with suppress(OSError):
            found.setsockopt(socket.IPPROTO_TCP, option, UNSENT)


_PING: Final = Frame(Opcode.PING, b"").serialize(mask=False)


def never() -> bool:
    """Nobody waits for a line that is at no table."""
    return False


class Line(ServerConnection):
    """A connection that is counted from its first byte and cut where its request does not come."""

    def __init__(
        self,
        *arguments: Any,
        lines: dict["Line", None],
        doorkeeper: Doorkeeper,
        heartbeat: Heartbeat,
        limits: Limits,
        metrics: Metrics = UNHEARD,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.metrics = metrics
        self.lines = lines
        self.doorkeeper = doorkeeper
        self.heartbeat = heartbeat
        self.quiet = self.owing = 0
        self.pressed: Callable[[], bool] = never
        """Whether everybody sees that somebody waits for it, so that it is to be noticed soon should it fall silent."""
        self.alive = self.loop.time()
        """When something has come from it last."""
        self.request_seconds = limits.hello_seconds
        self.bearable: float = math.inf
        """So many more frames are read; a conversation that has ended still reads, for its goodbye to come through."""
        self.allowance = Allowance(limits.messages_per_second, limits.messages_burst, self.loop.time())
        self.peer = ""
        """The other end of the socket, be it a proxy."""
        self.address = ""
        """Whose line it is: the peer, or whom a trusted proxy names."""
        self.admitted = False
        self.stranger = False
        """Whether nobody has said hello on it yet, nor asked for a page."""
        self.refused = False
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the line in; the library goes on to wait for its request."""
        super().connection_made(transport)
        _keep_little(transport)
        self.lines[self] = None
        peer = transport.get_extra_info("peername")
        # A line that died at once has no peer any more.
        self.peer = self.address = peer[0] if peer else ""
        self.admitted = self.stranger = self.doorkeeper.admit(self.address)
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
            self.quiet = self.owing = 0
            self.alive = self.loop.time()
            if event.opcode not in _WHOLE and not self.allowance.take(self.alive):
                self._drop("too many control frames or fragments")
            if self.bearable < 0:
                self._drop("goes on after its end")
            # An answer to the heartbeat is noted by now.
            answered = event.opcode is Opcode.PONG and not self.pending_pings
            if answered or self.transport.is_closing():
                return
        super().process_event(event)

    def start_keepalive(self) -> None:
        """The library's word that the WebSocket is open."""
        self.heartbeat.watch(self)

    def ask(self) -> None:
        """Ask the other end whether it is still there."""
        if self.protocol.state is State.OPEN:
            self.transport.write(_PING)

    def give_up(self) -> None:
        """It is not."""
        self._drop("silent")

    def _drop(self, why: str) -> None:
        if not self.transport.is_closing():
            log.info("line dropped", reason=why)
            self.metrics.ended(why)
            self.transport.abort()

    def _give_up(self) -> None:
        if self.request is None:
            self.metrics.ended("request too slow")
            self.transport.abort()

    def come_from(self, address: str) -> None:
        """Count the line as one of this address, which a trusted proxy has named; it may not be `admitted` then."""
        if self.admitted and address != self.address:
            self.doorkeeper.leave(self.address, self.stranger)
            self.address = address
            self.admitted = self.stranger = self.doorkeeper.admit(address)

    def introduce(self) -> None:
        """Somebody has said hello: the line is no stranger's any more."""
        if self.stranger:
            self.stranger = False
            self.doorkeeper.introduce(self.address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the line out."""
        self.lines.pop(self, None)
        self.heartbeat.forget(self)
        if self._patience is not None:
            self._patience.cancel()
        if self.admitted:
            self.admitted = False
            self.doorkeeper.leave(self.address, self.stranger)
        if self.refused:
            self.refused = False
            self.doorkeeper.outside -= 1
        super().connection_lost(exc)
        self._untie()

    def _untie(self) -> None:
        """Let go of what holds itself: the loop and the library leave a line so that only the collector would find it,
        and that would have to look at every other line too."""
        self.protocol.parser.close()
        errors: list[BaseException | None] = [
            self.connection_exc,
            self.protocol.parser_exc,
            self.protocol.handshake_exc,
        ]
        while errors:
            error = errors.pop()
            if error is not None:
                error.__traceback__ = None
                errors.append(error.__cause__ or error.__context__)
        # By this a transport of asyncio's own holds itself; others have no such thing.
        vars(self.transport).pop("_read_ready_cb", None)

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
    """Answers every request: the page, records, what its keeper asks, or the way into a WebSocket."""

    def __init__(
        self,
        page: Page,
        origins: Origins,
        health: Callable[[], dict[str, Any]],
        *,
        readiness: Readiness | None = None,
        metrics: Metrics = UNHEARD,
        metrics_token: str = "",
        records: Records | None = None,
        proxies: Proxies | None = None,
        banned: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`banned` says whether an address may not come in at all. Without `metrics_token` the metrics are told to all
        users of this machine, and to nobody by way of a proxy; with it to whoever shows it, from wherever."""
        self._page = page
        self._origins = origins
        self._health = health
        self._readiness = readiness or Readiness(listening=True, resumed=True)
        self._metrics = metrics
        self._metrics_token = metrics_token
        self._records = records
        self._reading = 0
        self._proxies = proxies or Proxies(())
        self._banned = banned
        self._told: dict[str, Callable[[Line, Request], Response]] = {
            "/healthz": self._tell_health,
            "/readyz": self._tell_readiness,
            "/metrics": self._tell_metrics,
        }

    def answer(self, line: ServerConnection, request: Request) -> Response | Awaitable[Response] | None:
        """The answer to a plain request or a refusal, perhaps later; None lets the library open the WebSocket."""
        assert isinstance(line, Line)
        line.come_from(self._proxies.guest(line.peer, request.headers))
        response = self._answer(line, request)
        line.close_timeout = CLOSING if response is None else SLOWEST_DOWNLOAD
        if response is not None:
            # The request has come, and the answer to it is bounded in time. Strangers are those who keep us waiting.
            line.introduce()
        return response

    def _answer(self, line: Line, request: Request) -> Response | Awaitable[Response] | None:
        if not line.admitted:
            self._metrics.ended("too many connections")
            return refusal(503, "Too many connections. Close some tabs, or try again later.", {"Retry-After": "10"})
        host = _single(request.headers, "Host")
        if not self._origins.allows_host(host, *line.at):
            return refusal(403, "This name is not one of the server's. Its keeper can add it to listen.public_origins.")
        path = request.path.partition("?")[0]
        told = self._told.get(path)
        if told is not None:
            if request.method not in {"GET", "HEAD"}:
                return refusal(405, "Only GET and HEAD.", {"Allow": "GET, HEAD"})
            return told(line, request)
        if self._banned(line.address):
            self._metrics.ended("banned")
            return refusal(403, "This address may not come in. The keeper of the house can say why.")
        if path == SOCKET_PATH:
            return self._refuse_socket(line, request, host)
        record = _RECORD.fullmatch(path)
        if record is not None and self._records is not None:
            return self._record(request, record[1], self._records)
        return self._page.respond(request)

    def _tell_health(self, _: Line, request: Request) -> Response:
        return _told(request, 200, self._health())

    def _tell_readiness(self, _: Line, request: Request) -> Response:
        lacks = self._readiness.lacks()
        if not lacks:
            return _told(request, 200, {"status": "ready"})
        return _told(request, 503, {"status": "not ready", "lacks": lacks})

    def _tell_metrics(self, line: Line, request: Request) -> Response:
        if self._metrics_token:
            given = _single(request.headers, "Authorization") or ""
            if not hmac.compare_digest(given.encode(), f"Bearer {self._metrics_token}".encode()):
                return refusal(401, "Show the token of metrics.token.", {"WWW-Authenticate": "Bearer"})
        elif not is_loopback(line.peer) or passed_on(request.headers):
            return refusal(403, "Ask from the server's own machine, or set metrics.token.")
        extra = {"Cache-Control": "no-store"}
        body = self._metrics.text(line.loop.time())
        return answer(200, body, CONTENT_TYPE, extra, head=request.method == "HEAD")

    async def _record(self, request: Request, match: str, records: Records) -> Response:
        if self._reading >= MOST_READING:
            return refusal(503, "Too many records are being read. Try again.", {"Retry-After": "2"})
        self._reading += 1
        try:
            text = await records(match)
            if text is None:
                return refusal(404, "There is no record of such a match, or not yet.")
            return respond(request, await asyncio.to_thread(_record_asset, match, text))
        except Exception:  # noqa: BLE001 # a storage that fails is no reason to end the line without a word
            log.exception("record not read")
            return refusal(503, "The record cannot be read now. Try again later.", {"Retry-After": "10"})
        finally:
            self._reading -= 1

    def _refuse_socket(self, line: Line, request: Request, host: str | None) -> Response | None:
        if not self._origins.allows(_single(request.headers, "Origin"), host, *line.at):
            return refusal(403, "Pages of this origin may not play here.")
        if request.method != "GET":
            return refusal(405, "Only GET.", {"Allow": "GET"})
        upgrade = _single(request.headers, "Upgrade")
        if upgrade is not None and not set(SUBPROTOCOLS) & set(_offered(request.headers)):
            return refusal(400, f"Ask for one of the subprotocols {' and '.join(SUBPROTOCOLS)}.")
        return None


def _told(request: Request, status: int, said: dict[str, Any]) -> Response:
    body = json.dumps(said).encode() + b"\n"
    return answer(status, body, "application/json", {"Cache-Control": "no-store"}, head=request.method == "HEAD")


def _record_asset(match: str, text: str) -> Asset:
    body = text.encode()
    packed = gzip.compress(body, 6, mtime=0)
    return Asset(
        content_type="application/x-ndjson; charset=utf-8",
        cache="no-cache",
        body=body,
        etag=tag_of(body),
        packed=packed if len(packed) < len(body) else None,
        extra=download(f"{match}.jsonl"),
    )
