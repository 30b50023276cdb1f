"""Watchers who do not keep up: `python -m bench.server.dawdlers HOW PORT COUNT SEGMENT TABLE`, until it is killed.

COUNT lines watch TABLE. HOW they read: `nothing`, `drops` (an octet at a time, twenty a second) or
`all`, to compare with. Their windows are as small as can be had; SEGMENT is the
largest TCP segment they take (0: the system's own), by which the other end's system sizes what it keeps for them.
It prints `ready` when they are all there. Whoever is thrown out does not find out: the end of a line waits behind what
he does not read. So the server is asked who is there (`Eye`).
"""

import select
import socket
import sys
import time
from typing import Any, Final

import msgpack

from bench.server.crowd import HEAD, frame

WINDOW: Final = 4096
PAUSE: Final = 0.05
"""Seconds between two octets."""
Said = dict[str, Any]
_HELLO: Final[Said] = {"type": "hello", "protocol": 1, "token": None, "name": "Slow"}


class Dawdler:
    """One line, that says hello and then this."""

    def __init__(self, port: int, segment: int, *said: Said, narrow: bool = True) -> None:
        self.socket = socket.socket()
        if narrow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
        if segment:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, segment)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(HEAD.format(port=port).encode())
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += self._more()
        self._buffer = self._buffer.split(b"\r\n\r\n", 1)[1]
        self.say(_HELLO, *said)

    def say(self, *said: Said) -> None:
        """Send messages."""
        self.socket.sendall(b"".join([frame(0x82, msgpack.packb(message)) for message in said]))

    def _more(self) -> bytes:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionResetError("closed")
        return data

    def hear(self, kind: str) -> Said:
        """Read on until such a message comes."""
        while True:
            buffer = self._buffer
            size, start = (buffer[1], 2) if len(buffer) > 1 else (0, 2)
            if size == 126 and len(buffer) > 3:
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            if len(buffer) < start + size or len(buffer) < 2:
                self._buffer += self._more()
                continue
            self._buffer = buffer[start + size :]
            if buffer[0] & 15 < 3:
                message: Said = msgpack.unpackb(buffer[start : start + size])
                if message["type"] == kind:
                    return message


class Eye:
    """Sees how many watch a public table: the one that is listed first."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.table: str = self._listed()[0]["table"]

    def _listed(self) -> list[Said]:
        # A line that waited for its next question would have to answer pings.
        line = Dawdler(self._port, 0, {"type": "list_tables"}, narrow=False)
        tables: list[Said] = line.hear("tables")["tables"]
        line.socket.close()
        return tables

    def watchers(self) -> int:
        """Now, as the server's list has it."""
        return next(int(line["watchers"]) for line in self._listed() if line["table"] == self.table)


def main() -> None:
    """Come, and stay."""
    how, port, count, segment, table = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
    lines = [
        Dawdler(port, segment, {"type": "join", "table": table, "seen": None}, narrow=how != "all")
        for _ in range(count)
    ]
    poll = select.poll()
    by_number = {line.socket.fileno(): line.socket for line in lines}
    for line in lines:
        line.hear("table")
        line.socket.setblocking(False)
        poll.register(line.socket, select.POLLIN)
    print("ready", flush=True)
    while by_number:
        if how == "all":
            ready = [number for number, _ in poll.poll()]
        else:
            time.sleep(PAUSE)
            ready = list(by_number) if how == "drops" else []
        for number in ready:
            try:
                over = not by_number[number].recv(65536 if how == "all" else 1)
            except BlockingIOError:
                over = False
            except OSError:
                over = True
            if over:
                poll.unregister(number)
                by_number.pop(number).close()


if __name__ == "__main__":
    main()
