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

from parlour_server.conversation import INTERNAL, Conversation
from parlour_server.door import CLOSING, SLOWEST_DOWNLOAD, SUBPROTOCOLS, Door, Line
from parlour_server.hall import Hall
from parlour_server.limits import Doorkeeper
from parlour_server.log import QUIET, log, log_loop_trouble
from parlour_server.origins import Origins
from parlour_server.page import Page
from parlour_server.protocol.codec import MAX_FRAME
from parlour_server.settings import Settings

PING_SECONDS: Final = 20.0
"""How often a silent line is asked whether it is still there, and how long it may take to answer."""
STOPPING: Final = 2.0
"""Seconds that the peers have to say goodbye when the server stops."""


class Parlour:
    """A running server: `async with Parlour(settings, client, hall) as parlour`."""

    def __init__(self, settings: Settings, client: Traversable, hall: Hall) -> None:
        self._settings = settings
        self._hall = hall
        self._doorkeeper = Doorkeeper(settings.limits)
        self._door = Door(Page(client, hall.rule_books), Origins(settings.listen.public_origins), self.health)
        self._version = version("mahjong-parlour")
        self._since = time.monotonic()
        self._server: Server | None = None
        self._lines: set[Line] = set()
        self.port = settings.listen.port
        """The port in use, once started."""

    def health(self) -> dict[str, Any]:
        """What `/healthz` says."""
        return {
            "status": "ok",
            "version": self._version,
            "uptime_s": int(time.monotonic() - self._since),
            "tables": len(self._hall),
            "sockets": self._doorkeeper.inside,
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
        connection = partial(Line, lines=self._lines, doorkeeper=self._doorkeeper, limits=limits)
        self._server = await serve(
            self._converse,
            self._settings.listen.host,
            self._settings.listen.port,
            subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
            compression=None,
            process_request=self._door.answer,
            server_header=None,
            open_timeout=SLOWEST_DOWNLOAD + limits.hello_seconds,
            ping_interval=PING_SECONDS,
            ping_timeout=PING_SECONDS,
            close_timeout=CLOSING,
            max_size=MAX_FRAME,
            logger=QUIET,
            create_connection=cast("type[ServerConnection]", connection),
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def _converse(self, line: ServerConnection) -> None:
        assert isinstance(line, Line)
        try:
            await Conversation(line, self._hall, self._settings.limits).hold()
        except Exception:  # noqa: BLE001 # one conversation's fault ends that conversation alone
            log.exception("conversation failed")
            await line.close(INTERNAL, "internal error")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the tables and the lines, with code 1001."""
        self._hall.close()
        if self._server is None:
            return
        self._server.close(reason="the server stops")
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
