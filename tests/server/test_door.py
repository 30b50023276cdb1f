"""What the port says to everybody who is no client of ours yet: pages, strangers, slow and broken requests."""

import asyncio
import gzip
import json

import attrs
import pytest

from parlour_server.limits import OUTSIDE
from parlour_server.settings import Limits, Listen, Settings, Tables
from tests.server.conftest import House, Opening

UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "parlour.v1.json",
}


class Answered:
    """An HTTP answer, taken apart."""

    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        self.status = int(status.split(" ")[1]) if status else 0
        self.headers = dict(line.split(": ", 1) for line in lines)


async def ask(house: House, path: str, method: str = "GET", host: str | None = None, **headers: str) -> Answered:
    """Send a request as it is, and read until the server ends it or opens a WebSocket."""
    own = f"127.0.0.1:{house.parlour.port}"
    sent = {"Host": own if host is None else host, **{k.replace("_", "-"): v for k, v in headers.items()}}
    reader, writer = await asyncio.open_connection("127.0.0.1", house.parlour.port)
    writer.write(f"{method} {path} HTTP/1.1\r\n".encode())
    writer.write("".join(f"{name}: {value}\r\n" for name, value in sent.items() if value != "-").encode() + b"\r\n")
    async with asyncio.timeout(20):
        raw = b""
        while not raw.startswith(b"HTTP/1.1 101") and (more := await reader.read(65536)):
            raw += more
    writer.transport.abort()
    return Answered(raw)


async def test_the_page_comes_whole_and_packed(open_house: Opening) -> None:
    house = await open_house()

    whole = await ask(house, "/assets/index-aJwKb_MF.js")
    packed = await ask(house, "/assets/index-aJwKb_MF.js", Accept_Encoding="gzip, br")

    assert (whole.status, packed.status) == (200, 200)
    assert len(whole.body) == int(whole.headers["Content-Length"]) == 480_000
    assert gzip.decompress(packed.body) == whole.body
    assert (await ask(house, "/", If_None_Match=(await ask(house, "/")).headers["ETag"])).status == 304


async def test_every_ruleset_of_the_welcome_has_its_rule_book(open_house: Opening) -> None:
    house = await open_house()
    client = await house.client()
    assert client.welcome is not None
    assert "lrc" in [line.key for line in client.welcome.rulesets]

    for line in client.welcome.rulesets:
        path = f"/rules/{line.key}.json"
        whole, packed = await ask(house, path), await ask(house, path, Accept_Encoding="gzip")
        assert (whole.status, packed.status) == (200, 200)
        assert gzip.decompress(packed.body) == whole.body
        assert (await ask(house, path, If_None_Match=whole.headers["ETag"])).status == 304
        book = json.loads(whole.body)
        assert (book["key"], book["version"], book["name"]) == (line.key, line.version, attrs.asdict(line.name))
        assert [option["id"] for option in book["options"]] == [option.id for option in line.options]


@pytest.mark.parametrize(
    "path", ["/rules/riichi.json", "/rules/..%2flrc.json", "/rules/../../config/rulesets/lrc.toml", "/rules/lrc.toml"]
)
async def test_no_other_path_reaches_a_rule_book_or_a_file(open_house: Opening, path: str) -> None:
    house = await open_house()
    assert (await ask(house, path)).status == 404


async def test_head_has_the_headers_and_no_body(open_house: Opening) -> None:
    house = await open_house()

    for path in ("/", "/healthz"):
        head = await ask(house, path, "HEAD")
        assert (head.status, head.body) == (200, b"")
        assert int(head.headers["Content-Length"]) > 0


async def test_health_is_told_in_json(open_house: Opening) -> None:
    house = await open_house()

    health = await ask(house, "/healthz")

    assert health.headers["Content-Type"] == "application/json"
    assert health.headers["Cache-Control"] == "no-store"
    told = json.loads(health.body)
    assert (told["status"], told["tables"], told["sockets"]) == ("ok", 0, 1)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/../../../etc/passwd", 404),
        ("GET", "/assets/..%2f..%2fpyproject.toml", 404),
        ("GET", "/wsx", 404),
        ("POST", "/", 405),
        ("POST", "/healthz", 405),
        ("DELETE", "/ws", 405),
        ("GET", "/ws", 426),
    ],
)
async def test_what_is_not_there_or_not_allowed(open_house: Opening, method: str, path: str, status: int) -> None:
    refused = await ask(await open_house(), path, method)

    assert refused.status == status


ORIGINS = [
    ("http://127.0.0.1:PORT", None, 101),
    ("http://localhost:PORT", "localhost:PORT", 101),
    ("-", None, 101),
    ("https://mahjong.example.org", "mahjong.example.org", 101),
    ("null", None, 403),
    ("", None, 403),
    ("http://127.0.0.1:1", None, 403),
    ("https://127.0.0.1:PORT", None, 403),
    ("HTTP://LOCALHOST:PORT", None, 403),
    ("http://evil.example", None, 403),
    ("http://evil.example:PORT", "evil.example:PORT", 403),
    ("-", "evil.example:PORT", 403),
    ("http://127.0.0.1:PORT", "-", 403),
]


@pytest.mark.parametrize(("origin", "host", "status"), ORIGINS)
async def test_only_our_own_page_may_open_a_socket(
    open_house: Opening, origin: str, host: str | None, status: int
) -> None:
    """N07: anybody else is refused before any byte of the game."""
    house = await open_house(Settings(listen=Listen(port=0, public_origins=["https://mahjong.example.org"])))
    port = str(house.parlour.port)

    answered = await ask(
        house,
        "/ws",
        host=None if host is None else host.replace("PORT", port),
        Origin=origin.replace("PORT", port),
        **UPGRADE,
    )

    assert answered.status == status
    if status == 101:
        assert answered.headers["Sec-WebSocket-Protocol"] == "parlour.v1.json"
    else:
        assert b"gin" in answered.body or b"name" in answered.body


async def test_two_origins_are_none(open_house: Opening) -> None:
    house = await open_house()
    own = f"http://127.0.0.1:{house.parlour.port}"

    answered = await ask(house, "/ws", Origin=f"{own}\r\nOrigin: {own}", **UPGRADE)

    assert answered.status == 403


async def test_a_name_that_somebody_pointed_at_this_machine_gets_not_even_the_page(open_house: Opening) -> None:
    house = await open_house()

    for path in ("/", "/healthz", "/ws"):
        assert (await ask(house, path, host=f"rebound.example:{house.parlour.port}")).status == 403


@pytest.mark.parametrize("offered", ["-", "", "parlour.v2.json", "chat, mqtt"])
async def test_a_socket_speaks_one_of_our_subprotocols(open_house: Opening, offered: str) -> None:
    answered = await ask(await open_house(), "/ws", **{**UPGRADE, "Sec-WebSocket-Protocol": offered})

    assert answered.status == 400
    assert b"parlour.v1.msgpack" in answered.body


async def test_messagepack_is_preferred_where_both_are_offered(open_house: Opening) -> None:
    offered = {**UPGRADE, "Sec-WebSocket-Protocol": "parlour.v1.json, parlour.v1.msgpack"}

    assert (await ask(await open_house(), "/ws", **offered)).headers["Sec-WebSocket-Protocol"] == "parlour.v1.msgpack"


async def test_compression_stays_off(open_house: Opening) -> None:
    answered = await ask(await open_house(), "/ws", Sec_WebSocket_Extensions="permessage-deflate", **UPGRADE)

    assert answered.status == 101
    assert "Sec-WebSocket-Extensions" not in answered.headers


async def test_an_address_has_its_share_of_sockets(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(sockets_per_address_loopback=2)))
    held = [await asyncio.open_connection("127.0.0.1", house.parlour.port) for _ in range(2)]
    # The server has counted a line once it answers on a later one.
    refused = await ask(house, "/")
    assert refused.status == 503
    assert "Retry-After" in refused.headers

    for reader, writer in held:
        writer.close()
        await reader.read()
    assert (await ask(house, "/")).status == 200


async def test_a_crowd_of_refused_lines_is_not_even_told(open_house: Opening) -> None:
    # Each of them would hold an open file until its request comes, and none would be left for anybody else.
    limits = Limits(sockets_per_address_loopback=1)
    house = await open_house(Settings(listen=Listen(port=0), limits=limits))
    lines = [await asyncio.open_connection("127.0.0.1", house.parlour.port) for _ in range(1 + OUTSIDE + 5)]

    cut = 0
    for reader, writer in lines[1 + OUTSIDE :]:
        async with asyncio.timeout(3):
            try:
                cut += await reader.read() == b""
            except ConnectionResetError:
                cut += 1
        writer.close()
    assert cut == 5
    for _, writer in lines[: 1 + OUTSIDE]:
        writer.transport.abort()
    for _ in range(200):
        if house.parlour.health()["sockets"] == 0:
            break
        await asyncio.sleep(0.01)
    assert (await ask(house, "/")).status == 200


async def test_a_request_that_does_not_come_is_not_waited_for(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(hello_seconds=1), tables=Tables()))
    reader, writer = await asyncio.open_connection("127.0.0.1", house.parlour.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127")

    async with asyncio.timeout(10):
        try:
            said = await reader.read()
        except ConnectionResetError:
            said = b""
    writer.close()
    assert said == b""


@pytest.mark.parametrize(
    "raw",
    [b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"GET /\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"A" * 20_000 + b"\r\n"],
)
async def test_what_is_no_request_is_refused_and_harms_nobody(open_house: Opening, raw: bytes) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(hello_seconds=1)))
    reader, writer = await asyncio.open_connection("127.0.0.1", house.parlour.port)
    writer.write(raw)
    writer.write_eof()
    async with asyncio.timeout(10):
        answered = await reader.read()
    writer.close()

    assert not answered.startswith(b"HTTP/1.1 2")
    assert (await ask(house, "/")).status == 200
