"""Clients for the load: `python -m bench.server.crowd KIND PORT FIRST COUNT ...`, driven by lines on standard input.

KIND is `players` (COUNT tables, four seats and a watcher each, who together play RATE moves a second), `idle` (COUNT
sockets that say hello and no more) or `echo` (COUNT rooms of five at the bare server, in which RATE frames a second are
said). It prints `ready`, and for each line it is sent one line of JSON: what has arrived since the line before.

The WebSocket is spelt out here: a library's client would cost more than the server that is measured.
"""

import asyncio
import json
import os
import sys
import time
from collections import deque
from random import Random
from typing import Any, Final

import msgpack

HEAD: Final = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: parlour.v1.msgpack\r\n\r\n"
)
AT_ONCE: Final = 60
"""Lines that are opened together."""


class Counts:
    """What has arrived."""

    def __init__(self) -> None:
        self.messages = 0
        self.bytes = 0
        self.plays = 0
        self.accepted = 0
        self.errors: dict[str, int] = {}
        self.lost = 0
        self.resumed = 0

    def taken(self) -> dict[str, Any]:
        """As plain values; counted anew from here."""
        found = dict(self.__dict__)
        self.__init__()  # type: ignore[misc] # begins again
        return found


def frame(head: int, payload: bytes) -> bytes:
    """A client's frame: `head` is its first octet."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    # Masked with zeros, which changes nothing.
    return bytes([head]) + length + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """A WebSocket without a library: binary frames both ways, pings answered."""

    def __init__(self, port: int, counts: Counts) -> None:
        self.counts = counts
        self._port = port
        self._transport: asyncio.Transport | None = None
        self.begin()

    def begin(self) -> None:
        """A new line."""
        self.opened = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(HEAD.format(port=self._port).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is gone."""
        self.counts.lost += 1
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        """Take out the frames that are whole."""
        buffer = self._buffer
        buffer += data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(bytes(buffer[:60]).decode("latin-1")))
                return
            del buffer[: end + 4]
            self._upgraded = True
            self.opened.set_result(None)
        while len(buffer) >= 2:
            size, start = buffer[1], 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                return
            kind, payload = buffer[0] & 15, bytes(buffer[start : start + size])
            del buffer[: start + size]
            if kind == 9:
                self._frame(0x8A, payload)
            elif kind < 3:
                self.counts.messages += 1
                self.counts.bytes += size
                self.hear(payload)

    def _frame(self, head: int, payload: bytes) -> None:
        assert self._transport is not None
        self._transport.write(frame(head, payload))

    def say(self, message: dict[str, Any] | bytes) -> None:
        """Send a message."""
        self._frame(0x82, message if isinstance(message, bytes) else msgpack.packb(message))

    def hear(self, payload: bytes) -> None:
        """A message has come."""


class Room:
    """A table as its people know it."""

    def __init__(self) -> None:
        self.link: str | None = None
        self.found = asyncio.Event()


class Player(Socket):
    """Somebody at a table: sits down where asked to, answers every ask when its turn in the queue comes."""

    def __init__(self, port: int, counts: Counts, queue: "deque[tuple[Player, int, str]]", chance: Random) -> None:
        super().__init__(port, counts)
        self.room: Room | None = None
        self.you: int | None = None
        self.sits: int | None = None
        self.greeted = asyncio.Event()
        self.seated = asyncio.Event()
        self.version = -1
        self._queue = queue
        self._chance = chance
        self._token: str | None = None
        self._seen: int | None = None
        self._coming_back = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Come back, as the page does: at a moment of the next eight seconds."""
        super().connection_lost(exc)
        self.version = -1
        asyncio.get_running_loop().call_later(self._chance.uniform(0.3, 8.0), self._come_back)

    def _come_back(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._again())

    async def _again(self) -> None:
        loop = asyncio.get_running_loop()
        self.begin()
        try:
            await loop.create_connection(lambda: self, "127.0.0.1", self._port)
            await self.opened
        except OSError:
            self._refused()
        else:
            self._let_in()

    def _refused(self) -> None:
        """Nobody is there."""
        asyncio.get_running_loop().call_later(self._chance.uniform(0.3, 2.0), self._come_back)

    def _let_in(self) -> None:
        """The line stands again."""
        self._coming_back = True
        self.say({"type": "hello", "protocol": 1, "token": self._token, "name": None})

    def _welcomed(self, token: str | None) -> None:
        self._token = token or self._token
        self.greeted.set()
        if self._coming_back and self.room is not None and self.room.link is not None:
            self.say({"type": "join", "table": self.room.link, "seen": self._seen})

    def _is_back(self) -> None:
        if self._coming_back:
            self._coming_back = False
            self.counts.resumed += 1

    def hear(self, payload: bytes) -> None:
        """Do what a player does about it."""
        message = msgpack.unpackb(payload)
        kind = message["type"]
        if kind == "events":
            self._seen = message["version"]
            self._is_back()
            self._heard(message["events"])
        elif kind == "ask":
            self._asked(message)
        elif kind == "accepted":
            self.counts.accepted += 1
        elif kind == "table":
            self._at(message)
        elif kind == "welcome":
            self._welcomed(message["token"])
        elif kind == "seats":
            self._is_back()
        elif kind == "error":
            code = message["code"]
            self.counts.errors[code] = self.counts.errors.get(code, 0) + 1

    def _heard(self, events: list[dict[str, Any]]) -> None:
        self.version = -1
        last = events[-1]
        if self.you is None:
            return
        if last["e"] == "settled":
            self.say({"type": "ready", "deal": last["deal"]})
        elif last["e"] == "shuffle_committed":
            self.say({"type": "entropy", "deal": last["deal"], "nonce": "00" * 16})

    def _at(self, table: dict[str, Any]) -> None:
        assert self.room is not None
        self._seen = table["version"]
        self._is_back()
        self.you = table["you"]
        self.room.link = table["table"]
        self.room.found.set()
        if self.you is not None:
            self.seated.set()
        if table.get("settled") is not None and self.you is not None:
            self.say({"type": "ready", "deal": table["settled"]["deal"]})

    def _asked(self, ask: dict[str, Any]) -> None:
        moves = ask["moves"]
        self.version = ask["version"]
        move = moves[-1]
        if "pass" in moves:
            others = [text for text in moves if text != "pass"]
            move = self._chance.choice(others) if self._chance.random() < 0.3 else "pass"
        elif moves[0] == "win":
            move = "win"
        self._queue.append((self, ask["version"], move))

    def play(self, version: int, move: str) -> bool:
        """Answer, unless things have gone on."""
        if self.version != version:
            return False
        self.version = -1
        self.counts.plays += 1
        self.say({"type": "play", "version": version, "move": move, "id": 1})
        return True


async def _at_rate(rate: float, act: Any) -> None:
    """Do `act` so many times a second; it says whether it did anything."""
    begun, done = time.monotonic(), 0
    while True:
        due = int((time.monotonic() - begun) * rate)
        while done < due:
            done += 1
            if not act():
                break
        await asyncio.sleep(0.004)


async def _open(make: Any, port: int, count: int) -> list[Any]:
    loop = asyncio.get_running_loop()
    opened: list[Any] = []
    while len(opened) < count:
        part = min(AT_ONCE, count - len(opened))
        made = await asyncio.gather(*[loop.create_connection(make, "127.0.0.1", port) for _ in range(part)])
        sockets = [protocol for _, protocol in made]
        await asyncio.gather(*[socket.opened for socket in sockets])
        opened += sockets
    return opened


async def players(port: int, first: int, tables: int, rate: float, counts: Counts) -> None:
    """Seat four people and a watcher at each table, then play for ever."""
    queue: deque[tuple[Player, int, str]] = deque()
    chance = Random(first)
    for start in range(0, tables, 12):
        count = min(12, tables - start)
        people = await _open(lambda: Player(port, counts, queue, chance), port, count * 5)
        for number, person in enumerate(people):
            person.say({"type": "hello", "protocol": 1, "token": None, "name": f"P{first + start}-{number}"})
        await asyncio.gather(*[person.greeted.wait() for person in people])
        rooms = [Room() for _ in range(count)]
        for number, person in enumerate(people):
            person.room = rooms[number // 5]
        for maker in people[::5]:
            maker.say({"type": "create_table", "bots": ["random"] * 3, "clocks": "casual", "public": True})
        await asyncio.gather(*[room.found.wait() for room in rooms])
        for place, room in enumerate(rooms):
            maker, *others, watcher = people[place * 5 : place * 5 + 5]
            free = [seat for seat in range(4) if seat != maker.you]
            for person, seat in zip(others, free, strict=True):
                person.say({"type": "join", "table": room.link, "seen": None})
                person.say({"type": "take_seat", "seat": seat})
            watcher.say({"type": "join", "table": room.link, "seen": None})
        await asyncio.gather(*[person.seated.wait() for number, person in enumerate(people) if number % 5 != 4])

    def act() -> bool:
        for _ in range(len(queue)):
            person, version, move = queue.popleft()
            if person.play(version, move):
                return True
        return False

    print("ready", flush=True)
    await _at_rate(rate, act)


async def idle(port: int, count: int, counts: Counts) -> None:
    """Say hello and listen."""
    for start in range(0, count, 1000):
        sockets = await _open(lambda: Socket(port, counts), port, min(1000, count - start))
        for socket in sockets:
            socket.say({"type": "hello", "protocol": 1, "token": None, "name": None})
    print("ready", flush=True)
    await asyncio.Event().wait()


async def echo(port: int, rooms: int, rate: float, counts: Counts) -> None:
    """Rooms of five at the bare server, one of whom says something now and then."""
    people = await _open(lambda: Socket(port, counts), port, rooms * 5)
    chance = Random(1)
    frame = bytes(60)

    def act() -> bool:
        counts.plays += 1
        people[chance.randrange(rooms) * 5].say(frame)
        return True

    print("ready", flush=True)
    await _at_rate(rate, act)


async def main() -> None:
    """As the command line says."""
    kind, port, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    rate = float(sys.argv[5]) if len(sys.argv) > 5 else 0.0
    counts = Counts()
    loop = asyncio.get_running_loop()

    def asked() -> None:
        if not sys.stdin.readline():
            os._exit(0)
        print(json.dumps(counts.taken()), flush=True)

    loop.add_reader(sys.stdin, asked)
    if kind == "players":
        await players(port, first, count, rate, counts)
    elif kind == "idle":
        await idle(port, count, counts)
    else:
        await echo(port, count, rate, counts)


if __name__ == "__main__":
    asyncio.run(main())
