"""A client of the server as a test needs it: it keeps every byte, folds what it is told, and answers its asks."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from attrs import evolve
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import Welcome
from parlour_server.protocol.messages import (
    PROTOCOL,
    Ask,
    Events,
    FromClient,
    Hello,
    Play,
    Ready,
    Seats,
    Still,
    Table,
    ToClient,
)
from tests.kit.folding import fold

T = TypeVar("T")
PATIENCE = 20.0
"""Seconds after which a message that does not come is a failure; nothing waits that long when all is well."""


class Client:
    """`async with Client(url, name) as client`; it has said hello then."""

    def __init__(
        self, url: str, name: str, *, token: str | None = None, subprotocol: str = MSGPACK_SUBPROTOCOL
    ) -> None:
        self._url = url.replace("http", "ws", 1) + "/ws"
        self._name = name
        self._subprotocol = subprotocol
        self._connection: ClientConnection | None = None
        self.token = token
        self.welcome: Welcome | None = None
        self.heard: list[ToClient] = []
        self.frames: list[bytes | str] = []
        self.table: Table | None = None
        """The table as folded."""
        self.asked: Ask | None = None

    @property
    def line(self) -> ClientConnection:
        assert self._connection is not None
        return self._connection

    async def __aenter__(self) -> Self:
        self._connection = await connect(
            self._url, subprotocols=[Subprotocol(self._subprotocol)], compression=None, proxy=None, close_timeout=1
        )
        await self.say(Hello(PROTOCOL, self.token, self._name))
        self.welcome = await self.hear(Welcome)
        self.token = self.welcome.token or self.token
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A client that has stopped reading would wait for the server's goodbye in vain.
        self.cut()
        await self.line.wait_closed()

    def cut(self) -> None:
        """Lose the line without a goodbye."""
        self.line.transport.abort()

    async def say(self, message: FromClient) -> None:
        await self.line.send(encode(message, self._subprotocol))

    async def next(self) -> ToClient:
        """The next message, folded in."""
        async with asyncio.timeout(PATIENCE):
            frame = await self.line.recv()
        message = decode_reply(frame)
        self.frames.append(frame)
        self.heard.append(message)
        match message:
            case Table():
                self.table = message
                self.asked = None
            case Events():
                assert self.table is not None
                self.table = fold(self.table, message)
                self.asked = None
            case Seats() if self.table is not None:
                # The same values as in a snapshot, though not versioned.
                self.table = _seated(self.table, message)
            case Still() if self.table is not None:
                self.table = evolve(self.table, standstill=message.standstill)
            case Ask():
                self.asked = message
            case _:
                pass
        return message

    async def hear(self, kind: type[T]) -> T:
        """The next message of a kind; others before it are folded in."""
        while True:
            message = await self.next()
            if isinstance(message, kind):
                return message

    async def until(self, done: Callable[[Self], Any]) -> None:
        """Listen until something is true."""
        while not done(self):
            await self.next()

    async def answer(self, choose: Callable[[Ask], str], number: int = 1) -> None:
        """Answer the ask that is open."""
        assert self.asked is not None
        ask, self.asked = self.asked, None
        await self.say(Play(ask.version, choose(ask), number))

    async def agree(self) -> None:
        """Go on after the settlement that is shown."""
        assert self.table is not None
        assert self.table.settled is not None
        await self.say(Ready(self.table.settled.deal))


def _seated(table: Table, seats: Seats) -> Table:
    return evolve(table, you=seats.you, seats=seats.seats, watchers=seats.watchers)


def eager(ask: Ask) -> str:
    """Win, claim and gong whenever that is offered; discard the highest tile."""
    for verb in ("win", "concealed_gong", "promoted_gong", "gong", "pong", "chow"):
        for move in ask.moves:
            if move.split(" ")[0] == verb:
                return move
    return ask.moves[-1] if "pass" not in ask.moves else "pass"
