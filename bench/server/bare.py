"""What everything is compared with: a bare `websockets` server that sends each frame it gets to the room it came from.

    python -m bench.server.bare SIZE TIMES

A room is five lines in the order in which they came; every frame is answered by TIMES broadcasts of SIZE bytes to it.
"""

import asyncio
import sys
from typing import Any

from websockets.asyncio.server import ServerConnection, broadcast, serve

from parlour_server.gentle import calm_collector


async def main() -> None:
    """Serve for ever; prints where, as the real server does."""
    size, times = int(sys.argv[1]), float(sys.argv[2])
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
            while owed >= 1:
                owed -= 1
                broadcast(place[line], payload)

    options: dict[str, Any] = {"compression": None, "ping_interval": 20, "ping_timeout": 20, "open_timeout": 120}
    async with serve(hold, "127.0.0.1", 0, subprotocols=["parlour.v1.msgpack"], **options) as server:  # type: ignore[list-item] # a plain name
        calm_collector()
        print(f"bare server is at http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
