"""Random and mutated frames over real sockets: an error or a close, and another table plays on."""

import asyncio
import random
from collections.abc import Iterator
from typing import get_args

import msgpack

from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import CreateTable, LogOut, Ping, Pong
from parlour_server.protocol.messages import Error, Events, FromClient, Hello, Table
from tests.kit.clients import eager
from tests.kit.deals import seeded
from tests.kit.hostile import SAID
from tests.server.conftest import Opening
from tests.server.test_conversation import raw_line

FRAMES = 1500
LAST = 987_654_321


def frames(chance: random.Random) -> Iterator[bytes]:
    """Noise, real frames with bytes changed, and real maps with values that do not belong there."""
    real = [bytes(encode(message, MSGPACK_SUBPROTOCOL)) for message in SAID]  # type: ignore[arg-type]  # bytes here
    strange: list[object] = [None, True, -1, 2**63, 1.5, "", "\u202e" * 50, "9z", [], {}, [[[]]], b"\x00", "x" * 500]
    for _ in range(FRAMES):
        match chance.randrange(3):
            case 0:
                yield chance.randbytes(chance.randrange(64))
            case 1:
                frame = bytearray(chance.choice(real))
                for _ in range(chance.randrange(1, 4)):
                    frame[chance.randrange(len(frame))] = chance.randrange(256)
                yield bytes(frame)
            case _:
                value = msgpack.unpackb(chance.choice(real))
                value[chance.choice([*value, "seat", "extra"])] = chance.choice(strange)
                yield msgpack.packb(value)


def test_every_kind_of_message_is_among_them() -> None:
    """But for the one that ends the line: what it does to others is in test_trespass.py."""
    assert {type(message) for message in SAID} == {*get_args(FromClient)} - {LogOut}


async def test_hostile_frames_harm_nobody(open_house: Opening) -> None:
    seed = random.SystemRandom().randrange(2**32)
    print(f"frames of seed {seed}")  # noqa: T201 # shown when it fails
    house = await open_house(deals_of=seeded(8))
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    await ada.hear(Table)
    line = await raw_line(house)
    await line.send(encode(Hello(1), MSGPACK_SUBPROTOCOL))

    async def errors() -> int:
        found = 0
        while True:
            match decode_reply(await line.recv()):
                case Error():
                    found += 1
                case Pong(n=n) if n == LAST:
                    return found
                case _:
                    pass

    reading = asyncio.create_task(errors())
    for number, frame in enumerate(frames(random.Random(seed))):
        await line.send(frame)
        if number % 100 == 0:
            while ada.asked is None:
                if ada.table is not None and ada.table.settled is not None:
                    await ada.agree()
                await ada.next()
            await ada.answer(eager)
            await ada.hear(Events)
    await line.send(encode(Ping(LAST), MSGPACK_SUBPROTOCOL))
    async with asyncio.timeout(20):
        # A change may leave a fair message, so not every one of them is refused.
        assert await reading >= FRAMES // 2
    assert ada.table is not None
    assert ada.table.version > 10
