"""Hostile and unlucky lines, against a real server: cases N07, N12, N14, N19 and the limits of G17."""

import asyncio
import io
import json
import random
import socket
import struct

import pytest

from parlour_server.log import start_log
from parlour_server.loop_lag import watch_loop
from parlour_server.names import LONGEST, clean_name
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import CreateTable, Ping, Pong, Welcome
from parlour_server.protocol.messages import Error, Hello, Join, Leave, Left, Table, Why, WhyNot
from parlour_server.settings import Limits, Listen, Settings
from tests.server.conftest import Opening
from tests.server.test_conversation import raw_line
from tests.server.test_door import UPGRADE, ask

PUBLIC = "https://mahjong.example.org"
MATRIX = [
    ("its own page", "http://127.0.0.1:PORT", True),
    ("a public origin", PUBLIC, True),
    ("no browser at all", "-", True),
    ("null", "null", False),
    ("a space", " ", False),
    ("another scheme", "http://mahjong.example.org", False),
    ("another port", f"{PUBLIC}:8443", False),
    ("upper case", PUBLIC.upper(), False),
    ("a name that begins alike", f"{PUBLIC}.evil.example", False),
]


@pytest.mark.parametrize(("what", "origin", "allowed"), MATRIX, ids=[row[0] for row in MATRIX])
async def test_n07_only_listed_pages_open_a_socket(open_house: Opening, what: str, origin: str, allowed: bool) -> None:
    """N07, G18: whoever is refused has got 403, and no byte of the game."""
    house = await open_house(Settings(listen=Listen(port=0, public_origins=[PUBLIC])))

    answered = await ask(house, "/ws", Origin=origin.replace("PORT", str(house.parlour.port)), **UPGRADE)

    assert answered.status == (101 if allowed else 403), what
    assert "Sec-WebSocket-Accept" in answered.headers if allowed else b"welcome" not in answered.body


async def test_n12_every_command_is_answered_exactly_once(open_house: Opening) -> None:
    """N12: also while the line goes from table to table, which changes who reads what it says."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"commands of seed {seed}")  # noqa: T201 # shown when it fails
    chance = random.Random(seed)
    house = await open_house()
    ada, ben = await house.client("Ada"), await house.client("Ben")
    tables = []
    for client in (ada, ben):
        await client.say(CreateTable(clocks="off"))
        tables.append((await client.hear(Table)).table)
    line = await raw_line(house)
    await line.send(encode(Hello(1), MSGPACK_SUBPROTOCOL))
    commands = 1000
    asked: list[tuple[str, int]] = []
    for number in range(commands):
        asked.append(("ping", number) if chance.random() < 0.5 else ("why", number))
        kind = asked[-1][0]
        frames = [encode(Ping(number) if kind == "ping" else Why(number), MSGPACK_SUBPROTOCOL)]
        match chance.randrange(6):
            case 0:
                frames.append(encode(Join(chance.choice(tables)), MSGPACK_SUBPROTOCOL))
            case 1:
                frames.append(encode(Leave(), MSGPACK_SUBPROTOCOL))
            case _:
                pass
        for frame in frames:
            await line.send(frame)
        if number % 50 == 0:
            await asyncio.sleep(0)
    answered: list[tuple[str, int]] = []
    async with asyncio.timeout(30):
        while len(answered) < commands:
            match decode_reply(await line.recv()):
                case Pong(n=number):
                    answered.append(("ping", number))
                case WhyNot(id=number) | Error(id=int(number)):
                    answered.append(("why", number))
                case _:
                    pass
    await line.close()
    assert answered == asked, "once each, and in the order of asking"


async def test_n12_a_line_that_leaves_hears_of_it_once(open_house: Opening) -> None:
    house = await open_house()
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    table = (await ada.hear(Table)).table
    ben = await house.client("Ben")
    for _ in range(20):
        await ben.say(Join(table))
        await ben.hear(Table)
        await ben.say(Leave())
    await ben.say(Ping(5))
    await ben.hear(Pong)

    assert sum(isinstance(message, Left) for message in ben.heard) == 20


PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '"><script>alert(1)</script>',
    "'><b>x</b>",
    "javascript:alert(1)",
    "<iframe src=//evil.example>",
    "{{7*7}}",
    "${7*7}",
    "</title><script>alert(1)</script>",
    "<a href='data:text/html,x'>x</a>",
    "&lt;script&gt;",
    "&#x3c;script&#x3e;",
    "<style>*{display:none}</style>",
    "<math><mtext></mtext></math>",
    "<details open ontoggle=alert(1)>",
    "<body onload=alert(1)>",
    "<!--",
    "]]>",
    "<?xml version='1.0'?>",
    "\x1b[31mred\x1b[0m",
    "\u202egnirts",
    "\u2066x\u2069",
    "a\u0300\u0301\u0302\u0303\u0304\u0305",
    "\u0000null",
    "line\nbreak\r\nSet-Cookie: x",
    "%0d%0aX: y",
    "\ufeffmark",
    "\ud7ff\ue000",
    "x" * 80,
]


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_n14_a_name_is_told_as_a_text_and_nothing_steers_who_shows_it(open_house: Opening, payload: str) -> None:
    """N14: names are data on the wire in both languages, bounded and visible; the page's policy runs no markup."""
    said = io.StringIO()
    start_log("debug", said)
    house = await open_house()
    for subprotocol in (MSGPACK_SUBPROTOCOL, JSON_SUBPROTOCOL):
        line = await raw_line(house, subprotocol)
        await line.send(encode(Hello(1, name=payload), subprotocol))
        welcome = decode_reply(await line.recv())
        assert isinstance(welcome, Welcome)
        assert welcome.name.isprintable()
        assert 0 < len(welcome.name) <= LONGEST
        assert welcome.name.startswith(clean_name(payload)[:4])
        await line.close()
    for logged in said.getvalue().splitlines():
        assert payload not in json.loads(logged).values(), "no name is ever logged"
    served = await ask(house, "/")
    assert payload.encode("utf-8", "surrogatepass") not in served.body
    assert "unsafe-inline" not in served.headers["Content-Security-Policy"]


CUT = 300
"""Lines of the 7,000 that the case asks for; the long run cuts them all (`make load`)."""


async def test_n19_many_lines_cut_at_once_hold_up_nobody(open_house: Opening) -> None:
    """N19: the loop is late by 250 ms at most, and the log gets at most a line each and no traceback."""
    said = io.StringIO()
    start_log("info", said)
    house = await open_house()
    held = []
    for _ in range(CUT):
        line = await raw_line(house)
        await line.send(encode(Hello(1), MSGPACK_SUBPROTOCOL))
        await line.recv()
        held.append(line)
    ada = await house.client("Ada")
    lags: list[float] = []
    watching = asyncio.create_task(watch_loop(lags.append))
    await asyncio.sleep(0.15)
    before = len(said.getvalue().splitlines())
    for line in held:
        # A line that is cut, and not closed.
        own = line.transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.transport.abort()
    await ada.say(Ping(1))
    await ada.hear(Pong)
    for _ in range(200):
        if house.parlour.health()["sockets"] == 1:
            break
        await asyncio.sleep(0.02)
    watching.cancel()

    assert house.parlour.health()["sockets"] == 1
    assert max(lags) <= 0.25
    logged = said.getvalue().splitlines()[before:]
    assert len(logged) <= CUT
    assert not any("Traceback" in line for line in logged)


async def test_g17_who_says_no_hello_is_sent_away_and_a_slow_handshake_is_cut(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(hello_seconds=1)))
    began = asyncio.get_running_loop().time()
    line = await raw_line(house)
    async with asyncio.timeout(5):
        await line.wait_closed()
    assert line.close_code == 1008
    assert 0.9 <= asyncio.get_running_loop().time() - began < 3


def test_g17_the_numbers_are_those_of_the_goal() -> None:
    limits = Limits()
    assert (limits.messages_per_second, limits.messages_burst) == (20, 40)
    assert (limits.sockets_per_guest, limits.strangers_per_address, limits.hello_seconds) == (5, 20, 5)
