"""What everything is compared with: a bare `websockets` server that sends each frame it gets to the room it came from.

    python -m bench.server.bare SIZE TIMES APART

A room is five lines in the order in which they came; every frame is answered by TIMES broadcasts of SIZE bytes to it,
APART seconds from each other. With 0 all are made at once: that is cheaper, and not what happens at a table, where a
move is told when it is made, and what follows it when its claim window has closed.
"""

import asyncio
import sys
from typing import Any

from websockets.asyncio.server import ServerConnection, broadcast, serve

from parlour_server.gentle import calm_collector


async def main() -> None:
    """Serve for ever; prints where, as the real server does."""
    size, times, apart = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    loop = asyncio.get_running_loop()
    rooms: list[list[ServerConnection]] = [[]]
    place: dict[ServerConnection, list[ServerConnection]] = {}
    payload = bytes(size)
    owed = 0.0

    async def hold(line: ServerConnection) -> None:
        nonlocal owed
        if line.request is not None and line.request.path == "/ws":
            if len(rooms[-1]) == 5:
                rooms.append([])
            rooms[-1].append(line)
            place[line] = rooms[-1]
        async for _ in line:
            owed += times
            due, owed = int(owed), owed % 1
            for after in range(due):
                if after and apart:
                    loop.call_later(after * apart, broadcast, place[line], payload)
                else:
                    broadcast(place[line], payload)

    options: dict[str, Any] = {"compression": None, "ping_interval": 20, "ping_timeout": 20, "open_timeout": 120}
    async with serve(hold, "127.0.0.1", 0, subprotocols=["parlour.v1.msgpack"], **options) as server:  # type: ignore[list-item] # a plain name
        calm_collector()
        print(f"bare server is at http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
