"""What everything is compared with: a bare `websockets` server that sends each frame it gets to the room it came from.

    python -m bench.server.bare SIZE MESSAGES MOMENTS APART

A room is five lines in the order in which they came. Every frame is answered at MOMENTS, APART seconds from each other,
by MESSAGES broadcasts of SIZE bytes in all; both may be fractions. At a table, too, a move is told when it is made, and
what follows it when its claim window has closed.
"""

import asyncio
import sys
from typing import Any

from websockets.asyncio.server import ServerConnection, broadcast, serve

from parlour_server.gentle import calm_collector


class Owed:
    """So much a time, as whole numbers."""

    def __init__(self, each: float) -> None:
        self._each = each
        self._rest = 0.0

    def due(self) -> int:
        """This time."""
        found, self._rest = divmod(self._rest + self._each, 1)
        return int(found)


async def main() -> None:
    """Serve for ever; prints where, as the real server does."""
    size, messages, moments, apart = int(sys.argv[1]), *map(float, sys.argv[2:5])
    loop = asyncio.get_running_loop()
    rooms: list[list[ServerConnection]] = [[]]
    place: dict[ServerConnection, list[ServerConnection]] = {}
    payload = bytes(size)
    telling, together = Owed(moments), Owed(messages / moments)

    def tell(room: list[ServerConnection]) -> None:
        for _ in range(together.due()):
            broadcast(room, payload)

    async def hold(line: ServerConnection) -> None:
        if line.request is not None and line.request.path == "/ws":
            if len(rooms[-1]) == 5:
                rooms.append([])
            rooms[-1].append(line)
            place[line] = rooms[-1]
        async for _ in line:
            for later in range(telling.due()):
                if later:
                    loop.call_later(later * apart, tell, place[line])
                else:
                    tell(place[line])

    options: dict[str, Any] = {"compression": None, "ping_interval": 20, "ping_timeout": 20, "open_timeout": 120}
    async with serve(hold, "127.0.0.1", 0, subprotocols=["parlour.v1.msgpack"], **options) as server:  # type: ignore[list-item] # a plain name
        calm_collector()
        print(f"bare server is at http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
