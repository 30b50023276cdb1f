"""The keeper's socket: a file that only the server's own user may open, and JSON lines through it."""

import asyncio
import json
import os
import socket
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from parlour_server.admin.desk import Answer, Desk, Wrong
from parlour_server.admin.rooms import Rooms
from parlour_server.log import log

LONGEST_ORDER: Final = 4096
"""Bytes of a line."""
MOST_CALLERS: Final = 8
PATIENCE: Final = 30.0
"""Seconds that a caller may be silent."""
BRIEFLY: Final = 1.0
"""Seconds that somebody who is one too many has to say anything."""
LOOK: Final = 0.5
"""Seconds between two looks at the deals that are waited for."""
LAST_WORDS: Final = 0.2
"""Seconds that a caller who waits has to hear that it is over, before the server stops."""


class AdminBusy(OSError):
    """Another server answers at this socket."""


def _bound(path: Path) -> socket.socket:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1.0)
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()  # a server that was killed has left it
            else:
                raise AdminBusy(f"another server answers at {path}")
    made = socket.socket(socket.AF_UNIX)
    # The file must never be there with more rights, not even for a moment.
    before = os.umask(0o177)
    try:
        made.bind(str(path))
    except OSError:
        made.close()
        raise
    finally:
        os.umask(before)
    return made


class AdminSocket:
    """Serves the keeper while it is open: `async with AdminSocket(path, desk, rooms)`.

    Raises OSError where the socket cannot be made, AdminBusy where another server has it.
    """

    def __init__(self, path: Path, desk: Desk, rooms: Rooms) -> None:
        self._path = path
        self._desk = desk
        self._rooms = rooms
        self._server: asyncio.Server | None = None
        self._callers: set[asyncio.Task[Any]] = set()
        self._ending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Make the socket."""
        bound = _bound(self._path)
        self._server = await asyncio.start_unix_server(self._serve, sock=bound, limit=LONGEST_ORDER)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the calls and remove the socket."""
        if self._server is None:
            return
        self._server.close()
        self._path.unlink(missing_ok=True)
        tasks = [*self._callers, *([self._ending] if self._ending is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._callers.add(task)
        try:
            if len(self._callers) > MOST_CALLERS:
                async with asyncio.timeout(BRIEFLY):
                    await reader.readline()  # who is still writing would not hear the answer
                await _say(writer, {"ok": False, "error": "too many keepers at once"})
                return
            while True:
                try:
                    async with asyncio.timeout(PATIENCE):
                        line = await reader.readline()
                except ValueError:
                    await _say(writer, {"ok": False, "error": f"an order is at most {LONGEST_ORDER} bytes"})
                    return
                if not line:
                    return
                await self._obey(line, writer)
        except (OSError, TimeoutError, ValueError):
            pass  # whoever called has gone, or talks too much
        finally:
            self._callers.discard(task)
            writer.close()

    async def _obey(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            order = json.loads(line)
        except (ValueError, RecursionError):
            await _say(writer, {"ok": False, "error": "an order is one line of JSON"})
            return
        waits = isinstance(order, dict) and order.get("do") == "drain" and "within_s" in order
        try:
            within = _seconds(order.pop("within_s")) if waits else None
            if waits and order.get("on") is False:
                raise Wrong("who takes a drain back has nothing to wait for: leave within_s out")
            said = await self._desk.attend(order)
        except Wrong as wrong:
            await _say(writer, {"ok": False, "error": str(wrong)})
            return
        except Exception:  # noqa: BLE001 # whatever it is, it must not become the tables'
            log.exception("admin failed")
            await _say(writer, {"ok": False, "error": "the server failed at this; its log says why"})
            return
        log.info("admin", order=order["do"])
        if order["do"] == "drain":
            self._forget_ending()
        if within is not None:
            await self._wait_for_end(within, writer)
        else:
            await _say(writer, {"ok": True, **said})

    def _forget_ending(self) -> None:
        """A later word about draining replaces an earlier one."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None

    async def _wait_for_end(self, within: float, writer: asyncio.StreamWriter) -> None:
        # A task of its own: a keeper who hangs up has still ordered the end.
        ending = self._ending = asyncio.get_running_loop().create_task(self._end(within))
        while not ending.done():
            await _say(writer, {"playing": self._rooms.standing().playing})
            await asyncio.wait({ending}, timeout=1.0)
        await _say(writer, {"ok": True, "stopping": not ending.cancelled()})

    async def _end(self, within: float) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(ceil(within / LOOK)):
            if not self._rooms.standing().playing:
                break
            await asyncio.sleep(LOOK)
        log.info("drained", playing=self._rooms.standing().playing)
        loop.call_later(LAST_WORDS, self._rooms.stop)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 86_400:
        raise Wrong("within_s must be a number of seconds, a day at most")
    return float(value)


async def _say(writer: asyncio.StreamWriter, said: Answer) -> None:
    writer.write(json.dumps(said).encode() + b"\n")
    async with asyncio.timeout(PATIENCE):
        await writer.drain()
