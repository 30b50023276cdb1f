"""What the door tells the house's keeper, what it lets anybody download, and whom it counts and turns away."""

import asyncio
import base64
import gzip
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import Server, serve
from websockets.typing import Subprotocol

from parlour_server.door import MOST_READING, SUBPROTOCOLS, Door, Line
from parlour_server.heartbeat import Heartbeat
from parlour_server.limits import Doorkeeper
from parlour_server.metrics import CONTENT_TYPE, Metrics
from parlour_server.origins import Origins
from parlour_server.page import Page
from parlour_server.proxies import Proxies
from parlour_server.readiness import Readiness
from parlour_server.settings import Limits

UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "parlour.v1.json",
}
TOKEN = "a-token-of-the-keeper"
MATCH = "0123456789abcdef" * 2
RECORD = '{"row":"match"}\n' * 200


class Answered:
    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        self.status = int(status.split(" ")[1]) if status else 0
        self.headers = dict(line.split(": ", 1) for line in lines)
        self.names = [line.split(":")[0] for line in lines]


class Entrance:
    """A door with nothing behind it: whoever comes in may stay."""

    def __init__(self, server: Server, doorkeeper: Doorkeeper, metrics: Metrics, lines: dict[Line, None]) -> None:
        self.port: int = server.sockets[0].getsockname()[1]
        self.doorkeeper = doorkeeper
        self.metrics = metrics
        self.lines = lines

    async def emptied(self) -> None:
        """Wait until every line has been counted out."""
        for _ in range(500):
            if self.doorkeeper.inside == 0:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("somebody is still counted")

    async def ask(self, path: str, method: str = "GET", **headers: str) -> Answered:
        raw, writer = await self.come(path, method, **headers)
        writer.transport.abort()
        return Answered(raw)

    async def come(self, path: str, method: str = "GET", **headers: str) -> tuple[bytes, asyncio.StreamWriter]:
        """Ask, and hold the line."""
        sent = {"Host": f"127.0.0.1:{self.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"{method} {path} HTTP/1.1\r\n".encode())
        writer.write("".join(f"{name}: {value}\r\n" for name, value in sent.items()).encode() + b"\r\n")
        raw = b""
        async with asyncio.timeout(10):
            while not raw.startswith(b"HTTP/1.1 101") and (more := await reader.read(65536)):
                raw += more
        return raw, writer


Opening = Callable[..., Awaitable[Entrance]]
PROGRAM = b"import sys\r\nprint(sys.argv)\n" * 10
SCRIPT, STYLE = "\nlet a = '<b>';\n", "b{color:red}"
PAGE = f"<!doctype html><style>{STYLE}</style><b>x</b><script type=module>{SCRIPT}</script>".encode()


@pytest.fixture
async def open_door(tmp_path: Path) -> AsyncIterator[Opening]:
    (tmp_path / "index.html").write_bytes(b"<!doctype html><title>Parlour</title>")
    async with AsyncExitStack() as stack:

        async def opening(limits: Limits | None = None, **options: Any) -> Entrance:
            doorkeeper = Doorkeeper(limits or Limits())
            metrics = Metrics()
            lines: dict[Line, None] = {}
            made = {"/verify.html": PAGE, "/verify.py": PROGRAM}
            door = Door(Page(tmp_path, made), Origins(()), lambda: {"status": "ok"}, metrics=metrics, **options)

            async def stay(line: Any) -> None:
                await line.wait_closed()

            connection = partial(
                Line,
                lines=lines,
                doorkeeper=doorkeeper,
                heartbeat=Heartbeat(),
                limits=limits or Limits(),
                metrics=metrics,
            )
            server = await stack.enter_async_context(
                serve(
                    stay,
                    "127.0.0.1",
                    0,
                    subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS],
                    process_request=door.answer,
                    create_connection=connection,  # type: ignore[arg-type]  # a partial makes one as the class does
                    close_timeout=0.2,
                )
            )
            return Entrance(server, doorkeeper, metrics, lines)

        yield opening


async def test_readiness_is_told_with_what_is_lacking(open_door: Opening) -> None:
    readiness = Readiness()
    entrance = await open_door(readiness=readiness)

    starting = await entrance.ask("/readyz")
    assert (starting.status, starting.headers["Cache-Control"]) == (503, "no-store")
    assert b"it does not listen yet" in starting.body
    assert (await entrance.ask("/healthz")).status == 200, "it is alive all the same"
    readiness.listening = readiness.resumed = True
    ready = await entrance.ask("/readyz")
    assert (ready.status, ready.body) == (200, b'{"status": "ready"}\n')
    readiness.writable = False
    assert b"cannot be written" in (await entrance.ask("/readyz")).body
    head = await entrance.ask("/readyz", "HEAD")
    assert (head.status, head.body) == (503, b"")
    assert (await entrance.ask("/readyz", "POST")).status == 405


async def test_metrics_are_for_this_machine_alone_where_there_is_no_token(open_door: Opening) -> None:
    entrance = await open_door()

    told = await entrance.ask("/metrics")
    assert (told.status, told.headers["Content-Type"]) == (200, CONTENT_TYPE)
    assert b"parlour_lines 0.0\n" in told.body
    assert (await entrance.ask("/metrics", "HEAD")).body == b""
    assert (await entrance.ask("/metrics", "DELETE")).status == 405


@pytest.mark.parametrize("mark", ["X_Forwarded_For", "Forwarded", "Via", "X_Real_IP"])
async def test_metrics_are_not_for_the_guests_of_a_proxy_on_this_machine(open_door: Opening, mark: str) -> None:
    entrance = await open_door()
    refused = await entrance.ask("/metrics", **{mark: "127.0.0.1"})

    assert refused.status == 403
    assert b"parlour_" not in refused.body
    assert b"metrics.token" in refused.body


@pytest.mark.parametrize(
    "given", ["", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer ", f"bearer{TOKEN}", "Bearer é"]
)
async def test_metrics_are_for_those_who_show_the_token(open_door: Opening, given: str) -> None:
    entrance = await open_door(metrics_token=TOKEN)

    refused = await entrance.ask("/metrics", **({"Authorization": given} if given else {}))
    assert (refused.status, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert TOKEN.encode() not in refused.body
    allowed = await entrance.ask("/metrics", Authorization=f"Bearer {TOKEN}", X_Forwarded_For="203.0.113.5")
    assert allowed.status == 200


async def one_record(match: str) -> str | None:
    return RECORD if match == MATCH else None


async def test_a_record_can_be_downloaded(open_door: Opening) -> None:
    entrance = await open_door(records=one_record)

    whole = await entrance.ask(f"/records/{MATCH}.jsonl")
    assert (whole.status, whole.body) == (200, RECORD.encode())
    assert whole.headers["Content-Type"] == "application/x-ndjson; charset=utf-8"
    assert whole.headers["Content-Disposition"] == f'attachment; filename="{MATCH}.jsonl"'
    packed = await entrance.ask(f"/records/{MATCH}.jsonl", Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == RECORD.encode()
    assert len(packed.body) < len(RECORD) / 4
    again = await entrance.ask(f"/records/{MATCH}.jsonl", If_None_Match=whole.headers["ETag"])
    assert (again.status, again.body) == (304, b"")
    head = await entrance.ask(f"/records/{MATCH}.jsonl", "HEAD")
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", str(len(RECORD)))
    assert (await entrance.ask(f"/records/{MATCH}.jsonl", "PUT")).status == 405


@pytest.mark.parametrize(
    "path",
    [
        f"/records/{'0' * 32}.jsonl",
        f"/records/{MATCH}",
        f"/records/{MATCH.upper()}.jsonl",
        "/records/../parlour.db",
        "/records/",
        f"/records/{MATCH}.jsonl/x",
    ],
)
async def test_no_other_path_is_a_record(open_door: Opening, path: str) -> None:
    assert (await (await open_door(records=one_record)).ask(path)).status == 404
    assert (await (await open_door()).ask(f"/records/{MATCH}.jsonl")).status == 404, "no storage, no records"


async def test_a_record_that_cannot_be_read_is_said(open_door: Opening) -> None:
    async def failing(_: str) -> str | None:
        raise OSError("/var/lib/parlour/parlour.db: disk I/O error")

    refused = await (await open_door(records=failing)).ask(f"/records/{MATCH}.jsonl")
    assert refused.status == 503
    assert b"parlour.db" not in refused.body


async def test_only_so_many_records_are_read_at_once(open_door: Opening) -> None:
    ready = asyncio.Event()

    async def slow(_: str) -> str | None:
        await ready.wait()
        return RECORD

    entrance = await open_door(records=slow)
    path = f"/records/{MATCH}.jsonl"
    asking = [asyncio.create_task(entrance.ask(path)) for _ in range(MOST_READING + 1)]
    done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
    (refused,) = done
    assert (await refused).status == 503
    ready.set()
    statuses = [answered.status for answered in await asyncio.gather(*asking)]
    assert sorted(statuses) == [200] * MOST_READING + [503]
    assert (await entrance.ask(path)).status == 200


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


async def test_the_page_that_verifies_may_run_what_stands_in_it_and_nothing_else(open_door: Opening) -> None:
    page = await (await open_door()).ask("/verify.html")

    assert page.body == PAGE
    assert page.names.count("Content-Security-Policy") == 1, "two would both hold"
    policy = dict(rule.strip().split(" ", 1) for rule in page.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == digest(SCRIPT)
    assert policy["style-src"] == digest(STYLE)
    assert "connect-src" not in policy, "it needs no network, so it gets none"
    assert "unsafe" not in page.headers["Content-Security-Policy"]


async def test_the_program_that_verifies_is_saved_byte_for_byte(open_door: Opening) -> None:
    program = await (await open_door()).ask("/verify.py")

    assert program.body == PROGRAM
    assert program.headers["Content-Type"] == "text/x-python; charset=utf-8"
    assert program.headers["Content-Disposition"] == 'attachment; filename="verify.py"'


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/metrics", f"/records/{MATCH}.jsonl", "/nothing"])
async def test_every_answer_carries_the_headers_that_keep_a_browser_safe(open_door: Opening, path: str) -> None:
    """N14: a text that became markup could not run anything."""
    answered = await (await open_door(records=one_record)).ask(path)

    assert len(answered.names) == len(set(answered.names))
    policy = answered.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "microphone=()" in answered.headers["Permissions-Policy"]
    assert {
        name: answered.headers[name]
        for name in (
            "X-Content-Type-Options",
            "Referrer-Policy",
            "Cross-Origin-Opener-Policy",
            "Cross-Origin-Resource-Policy",
            "X-Frame-Options",
        )
    } == {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Frame-Options": "DENY",
    }
    assert "Strict-Transport-Security" not in answered.headers, "only the proxy knows whether there is TLS"


async def test_lines_are_counted_by_whom_a_trusted_proxy_names(open_door: Opening) -> None:
    limits = Limits(sockets_per_address=2, strangers_per_address=2)
    entrance = await open_door(limits, proxies=Proxies(["127.0.0.1"]))
    held = [await entrance.come("/ws", X_Forwarded_For="203.0.113.5", **UPGRADE) for _ in range(3)]

    assert [raw.split(b" ")[1] for raw, _ in held] == [b"101", b"101", b"503"]
    other, writer = await entrance.come("/ws", X_Forwarded_For="203.0.113.6", **UPGRADE)
    assert other.startswith(b"HTTP/1.1 101")
    assert {line.address for line in entrance.lines if line.is_open} == {"203.0.113.5", "203.0.113.6"}
    for each in (*[one for _, one in held], writer):
        each.transport.abort()
    await entrance.emptied()
    assert entrance.doorkeeper.strangers == 0


async def test_what_somebody_else_writes_about_himself_is_not_believed(open_door: Opening) -> None:
    entrance = await open_door(Limits(strangers_per_address_loopback=2))
    held = [await entrance.come("/ws", X_Forwarded_For=f"203.0.113.{n}", **UPGRADE) for n in range(3)]

    assert [raw.split(b" ")[1] if raw else b"503" for raw, _ in held] == [b"101", b"101", b"503"]
    for _, writer in held:
        writer.transport.abort()


async def test_strangers_are_few_until_they_say_hello(open_door: Opening) -> None:
    """G17: sockets of an address that have not said who they are."""
    entrance = await open_door(Limits(strangers_per_address_loopback=2))
    held = [await entrance.come("/ws", **UPGRADE) for _ in range(2)]
    assert (await entrance.ask("/")).status == 503
    for line in list(entrance.lines):
        line.introduce()
        line.introduce()

    assert entrance.doorkeeper.strangers == 0
    assert (await entrance.ask("/")).status == 200
    for _, writer in held:
        writer.transport.abort()


async def test_a_request_that_is_answered_is_no_stranger_while_it_is_read(open_door: Opening) -> None:
    entrance = await open_door(Limits(strangers_per_address_loopback=1), records=one_record)

    for _ in range(3):
        assert (await entrance.ask("/")).status == 200
        assert (await entrance.ask(f"/records/{MATCH}.jsonl")).status == 200
    await entrance.emptied()
    assert entrance.doorkeeper.strangers == 0


async def test_a_banned_address_gets_neither_page_nor_table(open_door: Opening) -> None:
    banned = {"203.0.113.5"}
    entrance = await open_door(proxies=Proxies(["127.0.0.1"]), banned=banned.__contains__)

    for path, headers in (("/", {}), ("/ws", UPGRADE)):
        assert (await entrance.ask(path, X_Forwarded_For="203.0.113.5", **headers)).status == 403
        assert (await entrance.ask(path, X_Forwarded_For="203.0.113.6", **headers)).status in {200, 101}
    assert (await entrance.ask("/healthz")).status == 200


async def test_a_slow_request_is_cut_and_counted(open_door: Opening) -> None:
    """G17: a slow handshake."""
    entrance = await open_door(Limits(hello_seconds=1))
    reader, writer = await asyncio.open_connection("127.0.0.1", entrance.port)
    for byte in b"GET / HTTP/1.1\r\nHost: 127":
        writer.write(bytes([byte]))
        await asyncio.sleep(0.02)
    async with asyncio.timeout(5):
        try:
            said = await reader.read()
        except ConnectionResetError:
            said = b""
    writer.close()

    assert said == b""
    assert 'parlour_lines_ended_total{reason="slow_request"} 1.0' in entrance.metrics.text(0.0).decode()
