"""`parlour serve` as a process: it says where it is, stops when asked, and names what keeps it from starting."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from parlour_server.cli import main
from parlour_server.resources import ResourceMissing

PARLOUR = Path(sys.executable).with_name("parlour")


@pytest.fixture(autouse=True)
def client_built() -> None:
    """These tests start the real thing, which needs the built client as `make setup` leaves it."""
    from parlour_server.resources import client_root  # noqa: PLC0415 # raises where the client is not built

    client_root()


@contextmanager
def serving(*arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on a free port and its address."""
    process = subprocess.Popen(
        [PARLOUR, "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[^ ]+", line)
        assert found is not None, line + process.communicate(timeout=10)[1]
        yield process, found[0]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=10)


def refused(*arguments: str, **environment: str) -> str:
    """What a server that cannot start says."""
    finished = subprocess.run(
        [PARLOUR, "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
        env={**os.environ, **environment},
    )
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert "Traceback" not in finished.stderr
    assert len(finished.stderr.splitlines()) == 1
    return finished.stderr


def said_here(*arguments: str, **environment: str) -> str:
    """The same of a command within this process."""
    finished = CliRunner().invoke(main, ["serve", *arguments], env=environment)
    assert finished.exit_code == 2
    assert finished.stdout == ""
    assert len(finished.stderr.splitlines()) == 1
    return finished.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_serves_until_a_signal_stops_it(number: signal.Signals) -> None:
    with serving("--port", "0") as (process, url):
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as health:
            assert health.status == 200
        with urllib.request.urlopen(url, timeout=10) as page:
            assert b"Mahjong Parlour" in page.read()
        process.send_signal(number)
        out, log = process.communicate(timeout=10)
    assert process.returncode == 0
    assert out == ""
    assert "Traceback" not in log
    assert [line for line in log.splitlines() if not line.startswith("{")] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a file that is always full")
def test_it_serves_where_its_greeting_cannot_be_written() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = subprocess.Popen(
            [PARLOUR, "serve", "--port", "0"], stdout=full, stderr=subprocess.PIPE, text=True, cwd="/"
        )
    try:
        assert process.stderr is not None
        port = json.loads(process.stderr.readline())["port"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as health:
            assert health.status == 200
        process.terminate()
        assert "Traceback" not in process.communicate(timeout=10)[1]
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait(timeout=10)


def test_a_second_server_on_the_port_or_the_database_gives_up_at_once_and_the_first_goes_on(tmp_path: Path) -> None:
    """N17."""
    with serving("--port", "0") as (_, url):
        began = time.monotonic()
        said = refused("--port", url.rpartition(":")[2], PARLOUR_STORAGE_URL=str(tmp_path / "other.db"))
        assert time.monotonic() - began < 10, "half a second on a machine that has nothing else to do"
        assert "in use" in said
        assert "--port" in said
        said = refused("--port", "0")
        assert "parlour.db is in use by another server" in said
        assert "storage.url" in said
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as health:
            assert health.status == 200


def test_a_broken_setting_is_named_with_its_place(tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text("[listen]\nport = 'many'\n")

    assert f"{config}, line 2: listen.port must be a whole number" in refused("--config", str(config))
    # The same command without a process of its own each time.
    assert f"{config}, line 2" in said_here(PARLOUR_CONFIG=str(config))
    assert "environment variable PARLOUR_LISTEN_PORT" in said_here(PARLOUR_LISTEN_PORT="-3")
    assert "cannot be read" in said_here("--config", str(tmp_path / "none.toml"))
    assert "cannot be read" in said_here("--config", str(tmp_path))
    assert "no file is named" in said_here("--config", "")
    assert "listen.host" in said_here("--host", "no.such.host.invalid")
    assert "192.0.2.1 is no address of this machine" in said_here("--host", "192.0.2.1", "--port", "0")


@pytest.mark.parametrize("missing", ["serve.client_root", "configured.config_root"])
def test_what_was_not_installed_is_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Path:
        raise ResourceMissing("there is none: run `make setup`")

    monkeypatch.setattr(f"parlour_server.cli.{missing}", absent)
    assert said_here("--port", "0") == "parlour: there is none: run `make setup`\n"


def test_a_client_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Locked(type(tmp_path)):  # type: ignore[misc]  # pathlib picks the class of the system
        def iterdir(self) -> Iterator[Path]:
            raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("parlour_server.cli.serve.client_root", lambda: Locked(tmp_path))
    said = said_here("--port", "0")
    assert "the built client cannot be read" in said
    assert str(tmp_path) in said


def test_the_settings_are_heeded(tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text("[listen]\nport = 1\n[log]\nlevel = 'error'\n")

    with serving("--config", str(config), "--host", "localhost", PARLOUR_LISTEN_PORT="0") as (process, url):
        assert re.fullmatch(r"http://localhost:[0-9]{2,5}", url)
        process.terminate()
        assert process.communicate(timeout=10)[1] == ""
