"""One line, from its first message to its last: who speaks, at which table, and within which limits.

The seat is a fact of the conversation's guest, never a field of a message. An error goes to the sender alone.
"""

import asyncio
from importlib.metadata import version
from itertools import count
from typing import Final, assert_never

from websockets.exceptions import ConnectionClosed

from parlour_bots.levels import LEVELS
from parlour_server.door import LEFTOVERS, Line
from parlour_server.hall import Hall, Refused
from parlour_server.identity import Guest
from parlour_server.limits import Allowance
from parlour_server.live_table import LiveTable
from parlour_server.log import log
from parlour_server.names import clean_name
from parlour_server.outbox import Outbox
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, ProtocolError, decode, encode
from parlour_server.protocol.lobby import (
    AskStatistics,
    CreateTable,
    ListMatches,
    ListTables,
    LogIn,
    LogOut,
    Ping,
    Pong,
    QuickMatch,
    Register,
    Rename,
    Renamed,
    Welcome,
)
from parlour_server.protocol.messages import (
    PROTOCOL,
    AskHistory,
    EndMatch,
    Entropy,
    Error,
    ErrorCode,
    FromClient,
    Hello,
    Join,
    Leave,
    Pause,
    Play,
    Ready,
    Say,
    Start,
    TakeSeat,
    ToClient,
    Why,
)
from parlour_server.protocol.values import OptionLine
from parlour_server.settings import Limits

POLICY: Final = 1008
"""Close code of a line that broke a rule of the house; the reason says which."""

INTERNAL: Final = 1011
"""Close code of a line at which the server itself failed."""

_LONGEST_ERROR: Final = 200
"""Bytes of an error's text."""

_VERSION: Final = version("mahjong-parlour")
_numbers = count(1)


class Conversation:
    """What one client says and hears. `number` names it at a table."""

    def __init__(self, line: Line, hall: Hall, limits: Limits) -> None:
        self.number = next(_numbers)
        self.guest: Guest | None = None
        self.table: LiveTable | None = None
        self._line = line
        self._hall = hall
        self._limits = limits
        self._subprotocol = line.subprotocol or JSON_SUBPROTOCOL
        self.text = self._subprotocol == JSON_SUBPROTOCOL
        self._loop = asyncio.get_running_loop()
        self._allowance = Allowance(limits.messages_per_second, limits.messages_burst, self._loop.time())
        self._ended = False
        self._outbox = Outbox(line, self.text, limits, self._dropped)

    # --- to the client ---

    def send(self, message: ToClient) -> None:
        """Queue a message; never waits."""
        frame = encode(message, self._subprotocol)
        self.put(frame.encode() if isinstance(frame, str) else frame)

    def put(self, frame: bytes) -> None:
        """Queue a message already encoded for this line."""
        self._outbox.put(frame)

    def _error(self, code: ErrorCode, text: str, about: int | None = None, option: OptionLine | None = None) -> None:
        self.send(Error(code, text.encode()[:_LONGEST_ERROR].decode(errors="ignore"), about, option))

    def _end(self, reason: str, code: int = POLICY) -> None:
        self._ended = True
        self._line.bearable = LEFTOVERS
        log.info("line closed", line=self.number, reason=reason)
        self._outbox.close(code, reason)

    def _dropped(self, why: str) -> None:
        self._ended = True
        log.info("line dropped", line=self.number, reason=why)

    # --- from the client ---

    async def hold(self) -> None:
        """Talk until the line ends, whoever ends it."""
        try:
            await self._greet()
            while True:
                frame = await self._line.recv()
                # Whoever was told to go may have more under way; it is read, else the goodbye would not come through.
                if not self._ended:
                    self._hear(frame)
        except ConnectionClosed:
            pass
        finally:
            self._ended = True
            self._outbox.stop()
            if self.table is not None:
                self.table.disconnect(self)
            if self.guest is not None:
                self.guest.sockets -= 1

    async def _greet(self) -> None:
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                while self.guest is None and not self._ended:
                    self._hear(await self._line.recv())
        except TimeoutError:
            self._end("no hello came")

    def _hear(self, frame: bytes | str) -> None:
        if not self._allowance.take(self._loop.time()):
            self._error("too_many", "too many messages")
            self._end("too many messages")
            return
        try:
            if isinstance(frame, str) is not self.text:
                raise ProtocolError(f"{self._subprotocol} speaks {'text' if self.text else 'binary'} frames")
            message = decode(frame)
        except ProtocolError as error:
            self._error("bad_message", str(error))
            return
        about = message.id if isinstance(message, Play | Why) else None
        try:
            if self.guest is not None:
                self._obey(message, self.guest)
            elif isinstance(message, Hello):
                self._hello(message)
            else:
                raise Refused("say_hello", "say hello first")
        except Refused as refused:
            self._error(refused.code, str(refused), about, refused.option)
        except Exception:  # noqa: BLE001 # whatever it is, it is this line's alone
            log.exception("message failed", line=self.number, type=message.type)
            self._error("internal", "the server failed at this message", about)
            self._end("internal error", INTERNAL)

    def _hello(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            self._error("unsupported_protocol", f"this server speaks protocol {PROTOCOL}")
            self._end("unsupported protocol")
            return
        guests = self._hall.guests
        guest = guests.known(hello.token) if hello.token is not None else None
        token = None
        if guest is None:
            if hello.token is not None:
                self._error("bad_token", "nobody here has this token; here is a new one")
            guest, token = guests.make(hello.name)
        elif guest.sockets >= self._limits.sockets_per_guest:
            self._error("too_many", "too many lines of one guest")
            self._end("too many lines of one guest")
            return
        guest.sockets += 1
        self.guest = guest
        self.send(
            Welcome(PROTOCOL, _VERSION, token, guest.name, self._hall.ruleset_lines, list(LEVELS), None, None, 600)
        )
        if token is None and hello.name is not None and clean_name(hello.name) not in {"", guest.name}:
            self._rename(guest, hello.name)

    def _rename(self, guest: Guest, wanted: str) -> None:
        name = clean_name(wanted)
        if not name:
            raise Refused("bad_name", "nothing visible is left of this name")
        guest.name = name
        self.send(Renamed(name))
        self._hall.rename(guest)

    def _obey(self, message: FromClient, guest: Guest) -> None:
        match message:
            case Ping():
                self.send(Pong(message.n))
            case Rename():
                self._rename(guest, message.name)
            case CreateTable():
                table = self._hall.create(guest, message)
                self._go_to(table, guest, None)
                # The match begins with its maker there to see the dice.
                table.start()
            case Join():
                self._go_to(self._hall.find(message.table), guest, message.seen)
            case TakeSeat() | Play() | Ready() | Why() | Leave():
                if self.table is None:
                    raise Refused("not_at_table", "join a table first")
                self.table.receive(self, message)
            case Hello():
                raise Refused("bad_message", "hello was said already")
            case (
                Register()
                | LogIn()
                | LogOut()
                | ListTables()
                | QuickMatch()
                | ListMatches()
                | AskStatistics()
                | Start()
                | Entropy()
                | Pause()
                | EndMatch()
                | Say()
                | AskHistory()
            ):
                raise Refused("bad_settings", "this server does not do that yet")
            case _:
                assert_never(message)

    def _go_to(self, table: LiveTable, guest: Guest, seen: int | None) -> None:
        before = self.table
        if table.join(self, guest, seen):
            self.table = table
            if before is not None and before is not table:
                before.disconnect(self)

    def gone_from(self, table: LiveTable) -> None:
        """The table has let this line go."""
        if self.table is table:
            self.table = None
