"""Sends bad frames: `make frames` gives a million to the decoder and a hundred thousand to a real server.

    python -m tools.hostile_frames --decoder 1000000 --sockets 100000 --seed 7

Exit status 1 where anything but a refusal came of a frame: an exception of another kind, a line in the log, a process
that ended, a table beside that lost an event. The figures are printed as one line of JSON at the end.
"""

import argparse
import asyncio
import json
import sys
import time
import tracemalloc
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.protocol import State
from websockets.typing import Subprotocol

from parlour_server.protocol.codec import MAX_FRAME, MSGPACK_SUBPROTOCOL, ProtocolError, decode, decode_reply, encode
from parlour_server.protocol.lobby import CreateTable, Ping, Pong
from parlour_server.protocol.messages import Error, Hello, Table
from tests.kit.clients import Client, eager
from tests.kit.hostile import bad_bytes, bomb, real_frames
from tools.served import Served, temporary

MOST_MEMORY: Final = 256 * 1024
LAST: Final = 987_654_321
BATCH: Final = 200
EVERY: Final = 50
"""Of so many frames the memory of one is measured: tracing slows the decoder down tenfold."""
CONFIG: Final = """
[limits]
messages_per_second = 100000
messages_burst = 100000
[tables]
floor_ms = 0
[bots]
least_delay_ms = 50
most_delay_ms = 50
[log]
level = "warning"
"""


def decoded(job: tuple[int, int]) -> Counter[str]:
    """Decode so many frames of a seed; counts what came of them."""
    seed, frames = job
    chance, real = Random(seed), real_frames()
    found: Counter[str] = Counter()
    for number in range(frames):
        frame: bytes | str = bomb(chance) if number % 20 == 0 else bad_bytes(chance, real)
        if number % 4 == 3 and isinstance(frame, bytes):
            frame = frame.decode("latin-1")
        measured = number % EVERY == 0
        if measured:
            tracemalloc.start()
        try:
            decode(frame)
            found["understood"] += 1
        except ProtocolError as error:
            found["refused"] += 1
            found["too many words"] += len(str(error).encode()) > 200
        except Exception as error:  # noqa: BLE001 # what is looked for
            found["unhandled"] += 1
            print(f"seed {seed}, frame {number}: {type(error).__name__} {error}", file=sys.stderr)
        if measured:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            found["measured"] += 1
            found["peak"] = max(found["peak"], peak)
    return found


def at_the_decoder(frames: int, seed: int, jobs: int) -> dict[str, Any]:
    """Decode so many frames in several processes."""
    share = -(-frames // (jobs * 8))
    begun = time.monotonic()
    total: Counter[str] = Counter()
    peak = 0
    with Pool(jobs) as pool:
        for found in pool.imap_unordered(decoded, [(seed * 1000 + part, share) for part in range(jobs * 8)]):
            peak = max(peak, found.pop("peak"))
            total += found
    frames = total["understood"] + total["refused"] + total["unhandled"]
    return {
        "frames": frames,
        **{word: total[word] for word in ("understood", "refused", "unhandled", "too many words", "measured")},
        "peak_bytes": peak,
        "seconds": round(time.monotonic() - begun, 1),
        "good": not total["unhandled"] and not total["too many words"] and peak <= MOST_MEMORY,
    }


async def _raw_noise(port: int, chance: Random) -> None:
    """Bytes that are not even WebSocket, or a frame that says it is a gibibyte long."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if chance.random() < 0.5:
            writer.write(
                b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Protocol: parlour.v1.msgpack\r\n\r\n" % port
            )
            await reader.readuntil(b"\r\n\r\n")
            if chance.random() < 0.5:
                writer.write(b"\x82\xff" + (2**30).to_bytes(8, "big") + b"\x00\x00\x00\x00" + b"x" * 4000)
        writer.write(chance.randbytes(chance.randrange(1, 400)))
        await writer.drain()
        writer.write_eof()
        async with asyncio.timeout(10):
            await reader.read()
        writer.close()
        await writer.wait_closed()
    except (OSError, EOFError, asyncio.LimitOverrunError, TimeoutError):
        pass


class Assailant:
    """Sends batches of bad frames and asks for a sign of life after each; comes back where it was thrown out."""

    def __init__(self, url: str, port: int, seed: int, found: Counter[str]) -> None:
        self._url = url.replace("http", "ws", 1) + "/ws"
        self._port = port
        self._chance = Random(seed)
        self._found = found
        self._real = real_frames()

    async def send(self, frames: int) -> None:
        """So many, in all."""
        noise: list[asyncio.Task[None]] = []
        while frames > 0:
            noise.append(asyncio.create_task(_raw_noise(self._port, self._chance)))
            self._found["raw"] += 1
            try:
                async with connect(
                    self._url, subprotocols=[Subprotocol(MSGPACK_SUBPROTOCOL)], compression=None, proxy=None
                ) as line:
                    if self._chance.random() < 0.9:
                        await line.send(encode(Hello(1), MSGPACK_SUBPROTOCOL))
                    while frames > 0 and line.state is State.OPEN:
                        frames -= await self._batch(line, min(BATCH, frames))
                    self._found["lines"] += 1
                    self._found[f"closed {line.close_code}"] += 1
            except (ConnectionClosed, InvalidHandshake, OSError):
                self._found["thrown out"] += 1
        await asyncio.gather(*noise)

    async def _batch(self, line: ClientConnection, size: int) -> int:
        sent = 0
        for _ in range(size):
            frame = bad_bytes(self._chance, self._real)
            while len(frame) > MAX_FRAME and self._chance.random() < 0.99:
                # One that is too large ends the line, so most are left out.
                frame = bad_bytes(self._chance, self._real)
            try:
                if self._chance.random() < 0.1:
                    await line.send(frame.decode("latin-1")[: MAX_FRAME // 2])
                else:
                    await line.send(frame)
            except ConnectionClosed:
                return sent
            sent += 1
            self._found["sent"] += 1
        try:
            await line.send(encode(Ping(LAST), MSGPACK_SUBPROTOCOL))
            async with asyncio.timeout(30):
                while True:
                    reply = decode_reply(await line.recv())
                    match reply:
                        case Error():
                            self._found["refused"] += 1
                            self._found["internal"] += reply.code == "internal"
                            if reply.code == "say_hello":
                                self._found["before hello"] += 1
                                await line.close()
                                return sent
                        case Pong(n=n) if n == LAST:
                            return sent
                        case _:
                            self._found["answered"] += 1
        except ConnectionClosed:
            return sent


async def _table_beside(url: str, stop: asyncio.Event, found: Counter[str]) -> None:
    """Somebody who plays meanwhile, folds everything and compares it with a new snapshot now and then."""
    async with Client(url, "Ada") as ada:
        await ada.say(CreateTable(clocks="off"))
        await ada.hear(Table)
        while not stop.is_set():
            while ada.asked is None:
                if ada.table is not None and ada.table.settled is not None:
                    await ada.agree()
                await ada.next()
                if ada.table is not None and ada.table.standing is not None:
                    await ada.say(CreateTable(clocks="off"))
                    await ada.hear(Table)
            await ada.answer(eager)
            found["moves beside"] += 1
            await asyncio.sleep(0.02)
        assert ada.table is not None
        found["events beside"] = ada.table.version


async def over_sockets(frames: int, seed: int, served: Served, lines: int = 16) -> dict[str, Any]:
    """Send so many frames over real sockets to a server that runs."""
    found: Counter[str] = Counter()
    stop = asyncio.Event()
    begun = time.monotonic()
    beside = asyncio.create_task(_table_beside(served.url, stop, found))
    before = served.memory()
    share = -(-frames // lines)
    await asyncio.gather(
        *[Assailant(served.url, served.port, seed * 100 + line, found).send(share) for line in range(lines)]
    )
    stop.set()
    async with asyncio.timeout(30):
        await beside
    errors = served.errors()
    for line in errors[:5]:
        print(json.dumps(line)[:2000], file=sys.stderr)
    return {
        **found,
        "errors_logged": len(errors),
        "alive": served.alive(),
        "rss_growth_bytes": served.memory() - before,
        "rss_most_bytes": served.most_memory(),
        "seconds": round(time.monotonic() - begun, 1),
        "good": served.alive() and not errors and not found["internal"] and found["moves beside"] > 10,
    }


def main() -> int:
    """Both parts; 1 where one of them found something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decoder", type=int, default=1_000_000, help="frames for the decoder")
    parser.add_argument("--sockets", type=int, default=100_000, help="frames over sockets")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2, help="processes at the decoder")
    options = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    if options.decoder:
        results["decoder"] = at_the_decoder(options.decoder, options.seed, options.jobs)
        print("decoder", json.dumps(results["decoder"]), flush=True)
    if options.sockets:
        with temporary() as folder, Served(Path(folder), CONFIG) as served:
            served.start()
            results["sockets"] = asyncio.run(over_sockets(options.sockets, options.seed, served))
            print("sockets", json.dumps(results["sockets"]), flush=True)
    return 0 if all(found["good"] for found in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
