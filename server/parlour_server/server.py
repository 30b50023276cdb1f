"""The whole server on one port: page, health and tables. It starts, says where it is, and stops cleanly."""

import asyncio
import time
from functools import partial
from importlib.metadata import version
from importlib.resources.abc import Traversable
from types import TracebackType
from typing import Any, Final, Self, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from parlour_server.admin.rulings import Rulings
from parlour_server.conversation import INTERNAL, Conversation
from parlour_server.door import CLOSING, SLOWEST_DOWNLOAD, SUBPROTOCOLS, Door, Line
from parlour_server.fairness.served import verifiers
from parlour_server.hall import Hall
from parlour_server.heartbeat import Heartbeat
from parlour_server.limits import Doorkeeper
from parlour_server.log import QUIET, log, log_loop_trouble
from parlour_server.metrics import UNHEARD, Metrics
from parlour_server.origins import Origins
from parlour_server.page import Page
from parlour_server.protocol.codec import MAX_FRAME
from parlour_server.protocol.lobby import Notice
from parlour_server.protocol.messages import ToClient
from parlour_server.proxies import Proxies
from parlour_server.readiness import Readiness
from parlour_server.settings import Settings

RESTART: Final = 1012
"""Close code of lines when the server stops: their clients come back, spread over some seconds."""
_PORTION: Final = 200
"""Lines told in one turn of the loop."""
STOPPING: Final = 2.0
"""Seconds that the peers have to say goodbye when the server stops."""


class Parlour:
    """A running server: `async with Parlour(settings, client, hall) as parlour`."""

    def __init__(
        self,
        settings: Settings,
        client: Traversable,
        hall: Hall,
        *,
        metrics: Metrics = UNHEARD,
        rulings: Rulings | None = None,
    ) -> None:
        """`rulings` are the keeper's bans of addresses."""
        self._settings = settings
        self.hall: Final = hall
        self.readiness: Final = Readiness()
        proxies = Proxies(settings.listen.trusted_proxies)
        self.doorkeeper: Final = Doorkeeper(settings.limits, proxies.trusts)
        self.conversations: Final[dict[Conversation, None]] = {}
        """Those that are held now, in the order in which they came."""
        self._metrics = metrics
        self._door = Door(
            Page(client, hall.rule_books | verifiers()),
            Origins(settings.listen.public_origins),
            self.health,
            readiness=self.readiness,
            metrics=metrics,
            metrics_token=settings.metrics.token,
            records=hall.store.record,
            proxies=proxies,
            banned=(lambda _: False) if rulings is None else rulings.address_banned,
        )
        self._version = version("mahjong-parlour")
        self._since = time.monotonic()
        self._server: Server | None = None
        self._lines: dict[Line, None] = {}
        self._heartbeat = Heartbeat()
        self.port = settings.listen.port
        """The port in use, once started."""

    def health(self) -> dict[str, Any]:
        """What `/healthz` says."""
        return {
            "status": "ok",
            "version": self._version,
            "uptime_s": int(time.monotonic() - self._since),
            "tables": len(self.hall),
            "sockets": self.doorkeeper.inside,
        }

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it."""
        host = self._settings.listen.host
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    async def __aenter__(self) -> Self:
        """Listen. Raises OSError where the address cannot be had."""
        limits = self._settings.limits
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(log_loop_trouble)
        connection = partial(
            Line,
            lines=self._lines,
            doorkeeper=self.doorkeeper,
            heartbeat=self._heartbeat,
            limits=limits,
            metrics=self._metrics,
        )
        self._server = await serve(
            self._converse,
            self._settings.listen.host,
            self._settings.listen.port,
            subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
            compression=None,
            process_request=self._door.answer,
            server_header=None,
            open_timeout=SLOWEST_DOWNLOAD + limits.hello_seconds,
            ping_interval=None,
            close_timeout=CLOSING,
            max_size=MAX_FRAME,
            logger=QUIET,
            create_connection=cast("type[ServerConnection]", connection),
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self.readiness.listening = True
        return self

    def tell_all(self, message: ToClient) -> None:
        """Tell everybody who is here, in portions: thousands of lines must not hold the tables up."""
        lines = iter(list(self.conversations))
        loop = asyncio.get_running_loop()

        def portion() -> None:
            for told, line in enumerate(lines, 1):
                line.send(message)
                if told == _PORTION:
                    loop.call_soon(portion)
                    return

        portion()

    def storage_trouble(self, trouble: bool) -> None:
        """Nothing can be written, or it can again: the tables stand still meanwhile, and everybody is told."""
        self.readiness.writable = not trouble
        self.hall.storage_trouble(trouble)
        self.tell_all(Notice("storage" if trouble else "storage_back"))

    async def _converse(self, line: ServerConnection) -> None:
        assert isinstance(line, Line)
        conversation = Conversation(line, self.hall, self._settings.limits)
        self.conversations[conversation] = None
        try:
            await conversation.hold()
        except Exception:  # noqa: BLE001 # one conversation's fault ends that conversation alone
            log.exception("conversation failed")
            await line.close(INTERNAL, "internal error")
        finally:
            del self.conversations[conversation]

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the tables go as they are, and close the lines with code 1012: the server will be back."""
        self.readiness.listening = False
        self._heartbeat.stop()
        self.hall.leave_off()
        if self._server is None:
            return
        self._server.close(code=RESTART, reason="the server restarts")
        for line in list(self._lines):
            if not line.is_open:
                line.transport.abort()
        try:
            async with asyncio.timeout(STOPPING):
                await self._server.wait_closed()
        except TimeoutError:
            for line in list(self._lines):
                line.transport.abort()
            await self._server.wait_closed()
