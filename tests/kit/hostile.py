"""Frames that no client of ours would send: noise, real frames with bytes changed, maps with values out of place."""

import json
from random import Random
from typing import Any

import msgpack

from parlour_server.protocol import lobby, messages
from parlour_server.protocol.codec import CONVERTER

_HEX = "0" * 32
SAID: list[messages.FromClient] = [
    messages.Hello(1, "x" * 32, "Eve"),
    messages.Join("x" * 22, 5),
    messages.TakeSeat(2),
    messages.Play(10, "discard 5p", 2),
    messages.Ready(1),
    messages.Why(7),
    messages.Leave(),
    messages.Start(),
    messages.Entropy(1, _HEX),
    messages.Pause(wanted=True),
    messages.EndMatch(wanted=True),
    messages.Say("hello"),
    messages.AskHistory(2),
    lobby.Register("eve", "correct horse battery"),
    lobby.LogIn("eve", "wrong horse"),
    lobby.CreateTable(ruleset="classical", options={"limit": 600, "washing": False}, clocks="off"),
    lobby.ListTables(),
    lobby.QuickMatch("lrc"),
    lobby.ListMatches(mine=False, before="0" * 32),
    lobby.AskStatistics(),
    lobby.Rename("Q"),
    lobby.Ping(3),
]
"""One of every kind (tests/server/test_hostile_frames.py), but for `log_out`, which ends the speaker's own identity."""

STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**53,
    2**63,
    2**64 - 1,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "\u202e" * 50,
    "9z",
    [],
    {},
    [[[[[[[[[]]]]]]]]],
    {"a": {"b": {}}},
    b"\x00",
    "x" * 500,
    ["steady"] * 400,
    "\x00",
]


def real_frames() -> list[bytes]:
    """A MessagePack frame of every kind of message."""
    return [bytes(msgpack.packb(CONVERTER.unstructure(message))) for message in SAID]


def mutated(frame: bytes, chance: Random) -> bytes:
    """The frame with a few bytes changed, cut off, put in or doubled."""
    data = bytearray(frame)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(data)) if data else 0
        match chance.randrange(4):
            case 0 if data:
                data[place] = chance.randrange(256)
            case 1:
                del data[place:]
            case 2:
                data[place:place] = chance.randbytes(chance.randrange(1, 5))
            case _:
                data[place:place] = data[place : place + chance.randrange(1, 20)]
    return bytes(data)


def misfit(frame: bytes, chance: Random) -> Any:
    """The map of a real frame with a value that does not belong there."""
    value = msgpack.unpackb(frame)
    value[chance.choice([*value, "seat", "extra", "version", "table"])] = chance.choice(STRANGE)
    return value


def bomb(chance: Random) -> bytes:
    """MessagePack that says it is very long or very deep."""
    match chance.randrange(5):
        case 0:
            return bytes([chance.choice((0xDD, 0xDF, 0xC6, 0xDB, 0xC9))]) + b"\x7f\xff\xff\xff" + chance.randbytes(8)
        case 1:
            return bytes([chance.choice((0x91, 0x81))]) * chance.randrange(8, 4000)
        case 2:
            return b"\x81\xa4type" * chance.randrange(2, 600)
        case 3:
            return b"\xdc\x0f\x00" + b"\xc0" * 3840
        case _:
            return b"\xd4\x05\x00" * chance.randrange(1, 50)


def structured(chance: Random, depth: int = 0) -> Any:
    """A value of chance that MessagePack can carry, with the protocol's own words in it."""
    match chance.randrange(8 if depth < 9 else 4):
        case 0:
            return chance.choice(STRANGE)
        case 1:
            return chance.choice(_WORDS)
        case 2:
            return chance.randrange(-(2**63), 2**64)
        case 3:
            return chance.random() * 10 ** chance.randrange(-300, 300)
        case 4 | 5:
            return {chance.choice(_WORDS): structured(chance, depth + 1) for _ in range(chance.randrange(6))}
        case 6:
            return [structured(chance, depth + 1) for _ in range(chance.randrange(6))]
        case _:
            return {"type": chance.choice(_TYPES), chance.choice(_WORDS): structured(chance, depth + 1)}


_TYPES = [message.type for message in SAID]
_WORDS = sorted({key for message in SAID for key in CONVERTER.unstructure(message)} | set(_TYPES))


def bad_bytes(chance: Random, real: list[bytes]) -> bytes:
    """A binary frame of one of the bad kinds; now and then it is a fair one by luck."""
    match chance.randrange(5):
        case 0:
            return chance.randbytes(chance.randrange(200))
        case 1:
            return mutated(chance.choice(real), chance)
        case 2:
            return bytes(msgpack.packb(misfit(chance.choice(real), chance)))
        case 3:
            return bytes(msgpack.packb(structured(chance)))
        case _:
            return bomb(chance)


_REAL = real_frames()


def bad_frame(chance: Random, link: str | None) -> tuple[bytes, bool | None]:
    """A frame for a simulated line and whether it is sent as text (None: as the line speaks)."""
    if link is not None and chance.random() < 0.2:
        # Another's words: seats, versions and tables that are not the speaker's.
        said = chance.choice(
            (
                {"type": "play", "version": chance.randrange(400), "move": "win", "id": 1},
                {"type": "join", "table": link},
            )
        )
        return msgpack.packb(said), False
    if chance.random() < 0.2:
        return json.dumps(misfit(chance.choice(_REAL), chance), default=str).encode(), True
    return bad_bytes(chance, _REAL), False if chance.random() < 0.8 else None
