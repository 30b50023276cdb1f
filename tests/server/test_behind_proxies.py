"""The proxies' settings that the operations document prints, given to the real programs where they are installed."""

import asyncio
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from parlour_server.admin.calling import call
from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import CreateTable, Welcome
from parlour_server.protocol.messages import PROTOCOL, Ask, FromClient, Hello, Play, ToClient
from tests.kit.clients import eager
from tools.served import Served

ROOT: Final = Path(__file__).resolve().parents[2]
NAME: Final = "mahjong.example.org"
UPSTREAM: Final = "127.0.0.1:8000"
GUEST: Final = "127.0.0.9"
"""Another address of this machine's than the proxy's own."""
PATIENCE: Final = 30.0

_NGINX: Final = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    {snippet}
}}
"""
_CADDY: Final = """
{{
    admin off
    auto_https disable_redirects
    http_port {spare}
    https_port {port}
    storage file_system {folder}/caddy
}}
{snippet}
"""


def found(proxy: str) -> str | None:
    """Where its program is; a user's own path often lacks the place."""
    return shutil.which(proxy, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def printed(proxy: str) -> str:
    """The block that the document prints for a proxy."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    block = re.search(rf"^{proxy}\b[^\n]*:\n\n```\n([^`]*)```", text, re.MULTILINE)
    assert block is not None
    return block[1]


def replaced(text: str, pairs: dict[str, str]) -> str:
    for old, new in pairs.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def certificate(folder: Path) -> tuple[Path, Path]:
    """One for NAME that nobody but this test trusts, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "cert.pem", folder / "key.pem"


def nginx(folder: Path, port: int, upstream: str) -> list[str]:
    cert, key = certificate(folder)
    snippet = replaced(
        printed("nginx"),
        {
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "listen [::]:443 ssl;": "",  # not every machine that tests has IPv6
            "# ssl_certificate, ssl_certificate_key": f"ssl_certificate {cert}; ssl_certificate_key {key};",
            UPSTREAM: upstream,
        },
    )
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder, snippet=snippet), encoding="utf-8")
    return [found("nginx") or "", "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, upstream: str) -> list[str]:
    program = found("caddy") or ""
    cert, key = certificate(folder)
    snippet = replaced(printed("Caddy"), {f"{NAME} {{": f"{NAME} {{\n    tls {cert} {key}", UPSTREAM: upstream})
    version = subprocess.run([program, "version"], capture_output=True, text=True, timeout=20, check=True).stdout
    if re.match(r"v?2\.[0-6]\.", version):
        snippet = replaced(snippet, {"stream_close_delay 5m": ""})  # as the document says
    config = _CADDY.format(folder=folder, port=port, spare=free_port(), snippet=snippet)
    (folder / "Caddyfile").write_text(config, encoding="utf-8")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@frozen
class House:
    port: int
    """Of the proxy."""
    tls: ssl.SSLContext
    served: Served

    @property
    def origin(self) -> str:
        return f"https://{NAME}:{self.port}"

    def line(self, origin: str | None) -> connect:
        return connect(
            f"wss://{NAME}:{self.port}/ws",
            host="127.0.0.1",
            port=self.port,
            ssl=self.tls,
            origin=None if origin is None else Origin(origin),
            subprotocols=[Subprotocol(MSGPACK_SUBPROTOCOL)],
            additional_headers={"X-Forwarded-For": "203.0.113.7"},
            compression=None,
            proxy=None,
            local_addr=(GUEST, 0),
            close_timeout=1,
        )


@contextmanager
def house(proxy: str, folder: Path) -> Iterator[House]:
    port = free_port()
    config = f'[listen]\npublic_origins = ["https://{NAME}:{port}"]\ntrusted_proxies = ["127.0.0.1", "::1"]\n'
    with ExitStack() as stack:
        served = stack.enter_context(Served(folder, config))
        served.start()
        command = {"nginx": nginx, "caddy": caddy}[proxy](folder, port, served.url.removeprefix("http://"))
        log = stack.enter_context((folder / "proxy.log").open("w"))
        running = stack.enter_context(subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": str(folder)}))
        stack.callback(running.terminate)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert running.poll() is None, (folder / "proxy.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield House(port, ssl.create_default_context(cafile=folder / "cert.pem"), served)


@pytest.fixture(params=["nginx", "caddy"])
def behind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    proxy: str = request.param
    if found(proxy) is None:
        pytest.skip(f"{proxy} is not installed here")
    with house(proxy, tmp_path) as made:
        yield made


async def say(line: ClientConnection, message: FromClient) -> None:
    await line.send(encode(message, MSGPACK_SUBPROTOCOL))


async def next_of(line: ClientConnection, kind: type[ToClient]) -> ToClient:
    async with asyncio.timeout(PATIENCE):
        while True:
            message = decode_reply(await line.recv())
            if isinstance(message, kind):
                return message


async def end_of(line: ClientConnection) -> int | None:
    """The code with which a line is closed."""
    async with asyncio.timeout(PATIENCE):
        try:
            while True:
                await line.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


async def status(behind: House, path: str) -> tuple[int, str]:
    """The status of a plain request through the proxy, and all its headers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", behind.port, ssl=behind.tls, server_hostname=NAME)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {NAME}:{behind.port}\r\nConnection: close\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return int(head.split()[1]), head.lower()


@pytest.mark.slow
async def test_a_game_is_played_through_what_the_document_prints(behind: House) -> None:
    async with behind.line(behind.origin) as line:
        await say(line, Hello(PROTOCOL, None, "Ann"))
        await next_of(line, Welcome)
        assert line.subprotocol == MSGPACK_SUBPROTOCOL

        (told,) = call(behind.served.folder / "admin.sock", {"do": "sockets"})
        # The proxy's word counts, neither its own address nor what the guest made up.
        assert [visitor["address"] for visitor in told["sockets"]] == [GUEST]

        await say(line, CreateTable(start="now"))
        for number in (1, 2):
            ask = await next_of(line, Ask)
            assert isinstance(ask, Ask)
            await say(line, Play(ask.version, eager(ask), number))

        async with behind.line(behind.origin) as other:
            await say(other, Hello(PROTOCOL, None, "Ben"))
            await other.send(b"\xc0" * 5000)
            assert await end_of(other) == 1009

        call_it_a_day = asyncio.create_task(end_of(line))
        list(call(behind.served.folder / "admin.sock", {"do": "drain", "within_s": 0}))
        assert await call_it_a_day == 1012


@pytest.mark.slow
async def test_strangers_to_the_house_stay_outside(behind: House) -> None:
    for origin in ("https://evil.example", f"http://{NAME}:{behind.port}", "null"):
        with pytest.raises(InvalidStatus) as refused:
            async with behind.line(origin):
                pass
        assert refused.value.response.status_code == 403
    for path in ("/metrics", "/healthz", "/readyz"):
        assert (await status(behind, path))[0] == 404
    code, headers = await status(behind, "/")
    assert code == 200
    for header in ("strict-transport-security: max-age=", "content-security-policy: ", "x-content-type-options: "):
        assert headers.count(header) == 1
