"""One line, from its first message to its last: who speaks, at which table, and within which limits.

The seat is a fact of the conversation's person, never a field of a message. An error goes to the sender alone.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, Final, assert_never

from attrs import evolve
from websockets.exceptions import ConnectionClosed

from parlour_server.door import LEFTOVERS, Line, never
from parlour_server.hall import Hall
from parlour_server.limits import Allowance
from parlour_server.live_table import LiveTable
from parlour_server.lobby_list import seat_for
from parlour_server.log import log
from parlour_server.outbox import Outbox
from parlour_server.people import requests
from parlour_server.people.arrival import arrive
from parlour_server.people.identity import Identity
from parlour_server.people.requests import Slow
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
    SignedOut,
)
from parlour_server.protocol.messages import (
    AskHistory,
    AtTable,
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
from parlour_server.refused import Refused
from parlour_server.settings import Limits
from parlour_server.table.chairs import Person

POLICY: Final = 1008
"""Close code of a line that broke a rule of the house; the reason says which."""

INTERNAL: Final = 1011
"""Close code of a line at which the server itself failed, or cannot do what every line needs."""

_LONGEST_ERROR: Final = 200
"""Bytes of an error's text."""
_LEFT: Final = 20
"""Tables that a line has left, and is not led back to by a quick match."""

COMINGS: Final = 20
COMINGS_A_SECOND: Final = 2.0
"""So often at once, and in the long run, may a line go to another table: that is kept, and told to everybody there."""

_numbers = count(1)


class Conversation:
    """What one client says and hears. `number` names it at a table."""

    def __init__(self, line: Line, hall: Hall, limits: Limits) -> None:
        self.number = next(_numbers)
        self.identity: Identity | None = None
        self.session = b""
        self.table: LiveTable | None = None
        self.address = line.address
        self._line = line
        self._hall = hall
        self._limits = limits
        self._metrics = line.metrics
        self._subprotocol = line.subprotocol or JSON_SUBPROTOCOL
        self.text = self._subprotocol == JSON_SUBPROTOCOL
        self._loop = asyncio.get_running_loop()
        self.since = self._loop.time()
        """When it came."""
        self._allowance = Allowance(limits.messages_per_second, limits.messages_burst, self.since)
        self._comings = Allowance(COMINGS_A_SECOND, COMINGS, self.since)
        self._ended = False
        self._asking: asyncio.Task[None] | None = None
        """The request under way that takes a while."""
        self._left: list[str] = []
        self._outbox = Outbox(line, self.text, limits, self._dropped)
        self.put: Final = self._outbox.put
        """Queues messages already encoded for this line."""

    def __repr__(self) -> str:
        return f"Conversation({self.number})"

    # --- who it is, for tables and for other lines ---

    @property
    def person(self) -> str:
        """The identity that speaks; empty before hello."""
        return "" if self.identity is None else self.identity.id

    @property
    def name(self) -> str:
        """How it is shown."""
        return "" if self.identity is None else self.identity.name

    @property
    def at_table(self) -> bool:
        """Whether it is at one."""
        return self.table is not None

    @property
    def is_up(self) -> bool:
        """Whether it can still be talked to."""
        return not self._ended and not self._line.transport.is_closing()

    async def answers(self) -> bool:
        """Ask the other end for a sign of life."""
        with suppress(ConnectionClosed):
            answered = await self._line.ping()
            self._line.owing = self._line.owing or 1
            await answered
            return True
        return False

    def become(self, identity: Identity, session: bytes) -> None:
        """Speak for somebody else; the one before has left as a dropped line does, and keeps its seat."""
        if self._ended:
            return
        self._depart()
        self.identity = identity
        self.session = session
        identity.lines.append(self)
        self._line.introduce()

    def dismiss(self, reason: str, *, signed_out: bool = False) -> None:
        """Take it from its table and its person at once, and close it; it hears nothing more but the reason."""
        if self._ended:
            return
        self._depart()
        if signed_out:
            self.send(SignedOut())
        self._end(reason)

    def gone_from(self, table: LiveTable) -> None:
        """The table has let this line go."""
        if self.table is table:
            self._sit_at(None)

    def _sit_at(self, table: LiveTable | None) -> None:
        self.table = table
        self._line.pressed = never if table is None else partial(table.awaits, self.number)

    def _depart(self) -> None:
        table = self.table
        self._sit_at(None)
        if table is not None:
            table.disconnect(self)
        if self.identity is not None:
            with suppress(ValueError):
                self.identity.lines.remove(self)

    # --- to the client ---

    def send(self, message: ToClient) -> None:
        """Queue a message; never waits."""
        self._metrics.told(message.type)
        frame = encode(message, self._subprotocol)
        self.put(frame.encode() if isinstance(frame, str) else frame)

    @property
    def silent_since(self) -> float | None:
        """Its last sign of life by the loop's clock, where it has been asked for another and has given none."""
        return self._line.alive if self._line.owing else None

    def refuse(self, code: ErrorCode, text: str, about: int | None = None, option: OptionLine | None = None) -> None:
        """Say that something was not done, and why."""
        self._metrics.refused(code)
        self.send(Error(code, text.encode()[:_LONGEST_ERROR].decode(errors="ignore"), about, option))

    def turn_away(self, code: ErrorCode, text: str, reason: str) -> None:
        """Say why, and close the line."""
        self.refuse(code, text)
        self._end(reason)

    def _end(self, reason: str, code: int = POLICY) -> None:
        self._ended = True
        self._line.bearable = LEFTOVERS
        self._metrics.ended(reason)
        log.info("line closed", line=self.number, reason=reason)
        self._outbox.close(code, reason)

    def _dropped(self, why: str) -> None:
        self._ended = True
        self._metrics.ended(why)
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
            if self._asking is not None:
                self._asking.cancel()
            self._depart()

    async def _greet(self) -> None:
        """Until somebody's hello has been answered; what comes after it waits for that in the line."""
        arriving = False
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                while self.identity is None and not self._ended:
                    hello = self._hear(await self._line.recv())
                    if hello is not None:
                        arriving = True
                        arrival = partial(arrive, hello, self, self._hall, self._limits.sockets_per_guest)
                        await self._answer(hello.type, arrival)
                        arriving = False
        except TimeoutError:
            if arriving:
                self._end("nothing can be written", INTERNAL)
            else:
                self._end("no hello came")

    def _hear(self, frame: bytes | str) -> Hello | None:
        """Answer a frame; the first hello is given back, for its answer takes a while."""
        if not self._allowance.take(self._loop.time()):
            self.turn_away("too_many", "too many messages", "too many messages")
            return None
        try:
            if isinstance(frame, str) is not self.text:
                raise ProtocolError(f"{self._subprotocol} speaks {'text' if self.text else 'binary'} frames")
            message = decode(frame)
        except ProtocolError as error:
            self.refuse("bad_message", str(error))
            return None
        self._metrics.heard(message.type)
        about = message.id if isinstance(message, Play | Why) else None
        try:
            if self.identity is not None:
                self._obey(message, self.identity)
            elif isinstance(message, Hello):
                return message
            else:
                raise Refused("say_hello", "say hello first")
        except Refused as refused:
            self.refuse(refused.code, str(refused), about, refused.option)
        except Exception:  # noqa: BLE001 # whatever it is, it is this line's alone
            self._failed(message.type, about)
        return None

    def _failed(self, what: str, about: int | None = None) -> None:
        log.exception("message failed", line=self.number, type=what)
        self.refuse("internal", "the server failed at this message", about)
        self._end("internal error", INTERNAL)

    # --- what can be answered at once ---

    def _obey(self, message: FromClient, identity: Identity) -> None:
        match message:
            case Ping():
                self.send(Pong(message.n))
            case Join():
                table = self._hall.find(message.table)
                if table is not self.table:
                    self._come_and_go()
                self._go_to(table, message.seen)
            case CreateTable():
                self._make(message, identity)
            case ListTables():
                self._metrics.told("tables")
                self.put(self._hall.lobby.frame(text=self.text, now=self._loop.time()))
            case QuickMatch():
                self._quick_match(message, identity)
            case Hello():
                raise Refused("bad_message", "hello was said already")
            case Register() | LogIn() | LogOut() | Rename() | ListMatches() | AskStatistics():
                self._ask(message, identity)
            case (
                TakeSeat()
                | Play()
                | Ready()
                | Why()
                | Leave()
                | Start()
                | Entropy()
                | Pause()
                | EndMatch()
                | Say()
                | AskHistory()
            ):
                self._say_at_table(message, identity)
            case _:
                assert_never(message)

    def _say_at_table(self, message: AtTable, identity: Identity) -> None:
        if self.table is None:
            raise Refused("not_at_table", "join a table first")
        if isinstance(message, Say) and self._hall.house.muted(identity.id):
            raise Refused("muted", "the house does not let you talk")
        if isinstance(message, Leave):
            self._left = [*self._left, self.table.id][-_LEFT:]
        self.table.receive(self, message)

    def _come_and_go(self) -> None:
        if not self._comings.take(self._loop.time()):
            raise Refused("too_many", "you come and go too fast; wait a second")

    def _go_to(self, table: LiveTable, seen: int | None = None) -> bool:
        before = self.table
        if not table.join(self, seen):
            return False
        self._sit_at(table)
        if before is not None and before is not table:
            before.disconnect(self)
        return True

    def _make(self, wanted: CreateTable, identity: Identity) -> None:
        if self._hall.closing:
            raise Refused("closing", "the server is about to restart; make a table afterwards")
        table = self._hall.create(Person(identity.id, identity.name), wanted)
        self._go_to(table)
        # The match begins, or the waiting for it, with its maker there to see the dice.
        table.start()

    def _quick_match(self, wanted: QuickMatch, identity: Identity) -> None:
        if self._hall.closing:
            raise Refused("closing", "the server is about to restart; come back afterwards")
        self._come_and_go()
        here = () if self.table is None else (self.table.id,)
        found = seat_for(self._hall.tables.values(), wanted.ruleset, {*here, *self._left})
        if found is None:
            ordinary = CreateTable(public=True)
            self._make(ordinary if wanted.ruleset is None else evolve(ordinary, ruleset=wanted.ruleset), identity)
            return
        table, seat = found
        if self._go_to(table) and not table.seated(identity.id):
            table.receive(self, TakeSeat(seat))

    # --- what takes a while ---

    def _ask(self, message: Slow, identity: Identity) -> None:
        if self._asking is not None:
            raise Refused("too_many", "wait for the answer to the request before")
        # Made only when its task runs: one that is cancelled before would never be awaited.
        answer = partial(requests.answer, message, identity, self, self._hall, self._limits.sockets_per_guest)
        self._asking = self._loop.create_task(self._answer(message.type, answer))
        self._asking.add_done_callback(self._answered)

    def _answered(self, _: asyncio.Task[None]) -> None:
        self._asking = None

    async def _answer(self, what: str, answer: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await answer()
        except Refused as refused:
            if not self._ended:
                self.refuse(refused.code, str(refused), None, refused.option)
        except Exception:  # noqa: BLE001 # whatever it is, it is this line's alone
            if not self._ended:
                self._failed(what)
