"""Play one match: python example_bot.py [URL] [TABLE]. It makes a table, or takes a bot's seat at the one named."""

import asyncio
import sys

import msgpack
from websockets.asyncio.client import connect


def choose(moves: list[str]) -> str:
    """Win if possible, claim nothing, discard the highest tile. Improve here."""
    return "win" if "win" in moves else "pass" if "pass" in moves else moves[-1]


async def main(url: str = "ws://127.0.0.1:8000/ws", table: str = "") -> None:
    """Connect and play."""
    async with connect(url, subprotocols=["parlour.v1.msgpack"]) as line:

        async def say(kind: str, **fields: object) -> None:
            await line.send(msgpack.packb({"type": kind, **fields}))

        await say("hello", protocol=1, name="Example bot")
        await (say("join", table=table) if table else say("create_table", clocks="casual"))
        async for frame in line:
            match msgpack.unpackb(frame):
                case {"type": "table", "you": None, "seats": seats}:
                    await say("take_seat", seat=next(seat["seat"] for seat in seats if seat["player"] == "bot"))
                case {"type": "ask", "version": version, "moves": moves}:
                    await say("play", version=version, move=choose(moves))
                case {"type": "events", "events": events} if events[-1]["e"] == "match_ended":
                    print("Final standing:", events[-1]["standing"])
                    return
                case {"type": "events", "events": events} if events[-1]["e"] == "settled":
                    await say("ready", deal=events[-1]["deal"])
                case {"type": "error"} as error:
                    print(error)


asyncio.run(main(*sys.argv[1:]))
