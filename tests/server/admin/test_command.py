"""`parlour admin` and the server's socket, both ends of it."""

import asyncio
import json
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour_server.admin.desk import Desk
from parlour_server.admin.listening import LONGEST_ORDER, MOST_CALLERS, AdminBusy, AdminSocket
from parlour_server.admin.rulings import Rulings
from parlour_server.cli import main
from tests.server.admin.house import ADA, FIRST, SECOND, FakeRooms, unkept


class Keeper:
    """A house with a socket, and the command that speaks to it."""

    def __init__(self, path: Path, rooms: FakeRooms, rulings: Rulings) -> None:
        self.path = path
        self.rooms = rooms
        self.rulings = rulings

    async def run(self, *words: str, options: tuple[str, ...] = ()) -> Result:
        arguments = ["admin", "--socket", str(self.path), *options, *words]
        return await asyncio.to_thread(CliRunner().invoke, main, arguments)

    async def says(self, *words: str, options: tuple[str, ...] = ()) -> str:
        result = await self.run(*words, options=options)
        assert result.exit_code == 0, result.output
        return result.stdout

    async def refuses(self, *words: str) -> str:
        result = await self.run(*words)
        assert (result.exit_code, result.stdout) == (1, "")
        return result.stderr


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    rooms = FakeRooms()
    rulings = Rulings(unkept)
    async with AdminSocket(tmp_path / "admin.sock", Desk(rooms, rulings), rooms):
        yield Keeper(tmp_path / "admin.sock", rooms, rulings)


async def test_the_socket_is_its_users_alone_and_goes_with_the_server(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "admin.sock"
    rooms = FakeRooms()
    async with AdminSocket(path, Desk(rooms, Rulings(unkept)), rooms):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.exists()


async def test_a_socket_that_a_killed_server_left_is_replaced_and_a_living_ones_is_not(keeper: Keeper) -> None:
    left = keeper.path.with_name("left.sock")
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(left))
    async with AdminSocket(left, Desk(keeper.rooms, keeper.rulings), keeper.rooms):
        assert "version" in await Keeper(left, keeper.rooms, keeper.rulings).says("status")
    with pytest.raises(AdminBusy):
        await AdminSocket(keeper.path, Desk(keeper.rooms, keeper.rulings), keeper.rooms).__aenter__()
    assert "version" in await keeper.says("status"), "the first one goes on"


async def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "admin.sock"
    path.write_text("mine")
    rooms = FakeRooms()
    with pytest.raises(OSError, match="in use"):
        await AdminSocket(path, Desk(rooms, Rulings(unkept)), rooms).__aenter__()
    assert path.read_text() == "mine"


async def test_the_house_is_told(keeper: Keeper) -> None:
    said = await keeper.says("status")
    assert "up for 2 h" in said
    assert "lines: 3, people: 2, deals under way: 2" in said
    assert "tables: 3 playing\n" in said
    assert "not ready: the storage cannot be written" in said


async def test_tables_and_people_are_shown_shortly_and_safely(keeper: Keeper) -> None:
    """N14: a name must not steer the keeper's terminal."""
    tables = await keeper.says("tables")
    assert [line.split()[0] for line in tables.splitlines()] == ["table", FIRST[:8], SECOND[:8], "bbbb3333"]
    assert FIRST not in tables
    sockets = await keeper.says("sockets")
    assert ADA[:8] in sockets
    assert ADA not in sockets
    for said in (tables, sockets):
        assert all(letter.isprintable() for letter in said.replace("\n", ""))
        assert "\\u202e" in said


async def test_columns_stand_below_one_another(keeper: Keeper) -> None:
    lines = (await keeper.says("sockets")).splitlines()
    column = lines[0].index("address")
    assert [line[column:].split()[0] for line in lines[1:]] == ["203.0.113.5", "203.0.113.6", "2001:db8:1:2::7"]


async def test_answers_can_be_had_as_they_are(keeper: Keeper) -> None:
    told = json.loads(await keeper.says("tables", options=("--json",)))
    assert told["ok"] is True
    assert [table["match"] for table in told["tables"]][:2] == [FIRST, SECOND]


async def test_orders_are_obeyed(keeper: Keeper) -> None:
    assert await keeper.says("freeze", "AAAA1") == "aaaa1111 stands still until it is thawed\n"
    assert await keeper.says("thaw", "aaaa1") == "aaaa1111 goes on\n"
    assert await keeper.says("close", "aaaa2") == "aaaa2222 is closed\n"
    assert "0a0a1111 is banned until 20" in await keeper.says("ban", "0a0a", "--hours", "3", "--reason", "rude")
    assert "203.0.113.9 is banned for good; 1 lines" in await keeper.says("ban", "203.0.113.9")
    assert await keeper.says("mute", "0b0b") == "0b0b2222 is mute for good\n"
    bans = await keeper.says("bans")
    assert [line.split()[0] for line in bans.splitlines()[1:]] == ["banned", "banned", "mute"]
    assert "rude" in bans
    assert await keeper.says("unban", "0a0a") == "0a0a1111 may come in again\n"
    assert await keeper.says("unban", "203.0.113.9") == "203.0.113.9 may come in again\n"
    assert await keeper.says("unmute", "0b0b") == "0b0b2222 may talk again\n"
    assert not keeper.rulings.bans()
    assert not keeper.rulings.mutes()


async def test_an_account_gets_another_password_which_is_printed(keeper: Keeper) -> None:
    said = await keeper.says("password", "Ada")
    assert said.splitlines() == [
        "the password of Ada is now sixteen-letters!",
        "2 lines were ended; whoever has an old token is a stranger",
    ]
    assert keeper.rooms.told == [("new_password", "Ada")]
    assert await keeper.refuses("password", "Nobody\x1b[31m") == "parlour: nobody has the account Nobody?[31m\n"
    assert "too many people" in await keeper.refuses("password", "crowd")


async def test_a_refusal_says_why(keeper: Keeper) -> None:
    assert await keeper.refuses("freeze", "aaaa") == (
        f"parlour: there is more than one table aaaa: {FIRST}, {SECOND}\n"
    )
    assert await keeper.refuses("ban", "dead\x1b[31m") == (
        "parlour: nobody is here or was lately who is called dead?[31m or whose id begins so\n"
    )


async def test_a_drain_can_be_taken_back(keeper: Keeper) -> None:
    assert await keeper.says("drain") == "no new table, no further deal\ndeals under way: 2\n"
    assert "begin again" in await keeper.says("drain", "--off")
    assert keeper.rooms.told == [("drain", True), ("drain", False)]


async def test_a_drain_that_is_waited_for_stops_the_server_when_the_deals_are_over(keeper: Keeper) -> None:
    waiting = asyncio.create_task(keeper.says("drain", "--wait"))
    while not keeper.rooms.told:  # noqa: ASYNC110 # the command is another program
        await asyncio.sleep(0.02)
    assert ("stop",) not in keeper.rooms.told
    keeper.rooms.playing = 0
    said = await waiting
    await asyncio.sleep(0.5)

    assert said.splitlines()[0] == "deals under way: 2"
    assert said.splitlines()[-1] == "the server stops"
    assert keeper.rooms.told == [("drain", True), ("stop",)]


async def test_a_deal_that_does_not_end_stops_nobody_from_stopping(keeper: Keeper) -> None:
    assert (await keeper.says("drain", "--wait", "--within", "0.01")).endswith("the server stops\n")
    await asyncio.sleep(0.5)
    assert keeper.rooms.told[-1] == ("stop",)


async def test_a_drain_that_is_waited_for_can_be_taken_back_by_another_keeper(keeper: Keeper) -> None:
    waiting = asyncio.create_task(keeper.says("drain", "--wait"))
    while not keeper.rooms.told:  # noqa: ASYNC110 # the command is another program
        await asyncio.sleep(0.02)
    # Two runs of the command in one process would share its output.
    assert (await ask(keeper.path, b'{"do":"drain","on":false}\n'))[0]["ok"] is True

    assert (await waiting).endswith("the drain was taken back\n")
    keeper.rooms.playing = 0
    await asyncio.sleep(1.0)
    assert ("stop",) not in keeper.rooms.told


async def test_a_drain_that_is_taken_back_stops_no_server(keeper: Keeper) -> None:
    keeper.rooms.playing = 0
    (answer,) = await ask(keeper.path, b'{"do":"drain","on":false,"within_s":0}\n')
    assert "nothing to wait for" in answer["error"]
    await asyncio.sleep(0.5)
    assert keeper.rooms.told == []


async def ask(path: Path, raw: bytes) -> list[dict[str, Any]]:
    """Send bytes as they are, and read until the server ends it or has answered."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    writer.write(raw)
    writer.write_eof()
    said = await reader.read()
    writer.close()
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.parametrize(
    "raw", [b"\n", b"{\n", b"[" * 4000 + b"\n", b"\xff\n", b'"status"\n', b'{"do":"x"}\n', b"status"]
)
async def test_what_is_no_order_is_refused_and_the_socket_goes_on(keeper: Keeper, raw: bytes) -> None:
    (answer,) = await ask(keeper.path, raw)
    assert answer["ok"] is False
    assert (await ask(keeper.path, b'{"do":"status"}\n'))[0]["ok"] is True


async def test_an_order_is_bounded(keeper: Keeper) -> None:
    (answer,) = await ask(keeper.path, b'{"do":"' + b"x" * (2 * LONGEST_ORDER) + b'"}\n')
    assert "at most 4096 bytes" in answer["error"]


async def test_keepers_are_few(keeper: Keeper) -> None:
    held = [await asyncio.open_unix_connection(str(keeper.path)) for _ in range(MOST_CALLERS)]
    for reader, writer in held:
        # Whoever has been answered is counted.
        writer.write(b'{"do":"status"}\n')
        await reader.readline()
    assert "too many keepers" in await keeper.refuses("status")
    held[0][1].close()
    for _ in range(100):
        if (await keeper.run("status")).exit_code == 0:
            break
        await asyncio.sleep(0.02)
    assert "version" in await keeper.says("status")
    for _, writer in held:
        writer.close()


async def test_a_fault_at_an_order_is_said_and_the_socket_goes_on(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("with a secret in it")

    with monkeypatch.context() as patched:
        patched.setattr(keeper.rooms, "rooms", broken)
        said = await keeper.refuses("tables")
    assert said == "parlour: the server failed at this; its log says why\n"
    await keeper.says("tables")


def here(*words: str, **environment: str) -> str:
    result = CliRunner().invoke(main, ["admin", *words], env=environment)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_without_a_server_it_says_so(tmp_path: Path) -> None:
    assert "there is no" in here("status", XDG_DATA_HOME=str(tmp_path))
    assert str(tmp_path) in here("status", XDG_DATA_HOME=str(tmp_path))
    path = tmp_path / "left.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert "has gone" in here("--socket", str(path), "status")
    assert "PARLOUR_ADMIN_SOCKET" in here("status", PARLOUR_ADMIN_SOCKET="x" * 200)


@contextmanager
def odd_server(path: Path, answer: bytes | None) -> Iterator[None]:
    """A server that gives this answer and breaks off; or says nothing at all while it is open."""
    with socket.socket(socket.AF_UNIX) as odd:
        odd.bind(str(path))
        odd.listen()
        done = Event()

        def serve() -> None:
            line, _ = odd.accept()
            line.recv(100)
            if answer is None:
                done.wait(10)
            else:
                line.sendall(answer)
            line.close()

        other = Thread(target=serve)
        other.start()
        yield
        done.set()
        other.join()


def test_a_server_that_breaks_off_is_said(tmp_path: Path) -> None:
    for number, (answer, words) in enumerate([(b"", "has stopped before it had answered"), (b"what?\n", "broke off")]):
        path = tmp_path / f"{number}.sock"
        with odd_server(path, answer):
            assert words in here("--socket", str(path), "status")


def test_a_server_that_does_not_answer_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_server.admin.calling.PATIENCE", 0.1)
    with odd_server(tmp_path / "odd.sock", None):
        assert "does not answer" in here("--socket", str(tmp_path / "odd.sock"), "status")


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (PermissionError(13, "Permission denied"), "another user's"),
        (OSError(22, "Invalid argument"), "Invalid argument"),
    ],
)
def test_a_socket_that_cannot_be_used_says_why(trouble: OSError, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(socket.socket):
        def connect(self, address: object) -> None:
            raise trouble

    monkeypatch.setattr("parlour_server.admin.calling.socket.socket", Closed)
    assert words in here("--socket", "admin.sock", "status")


async def test_a_long_list_says_that_there_are_more(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_server.admin.desk.MOST_ROWS", 2)
    assert (await keeper.says("tables")).splitlines()[-1] == "and 1 more"


async def test_a_drain_is_not_waited_for_and_taken_back_at_once(keeper: Keeper) -> None:
    result = await keeper.run("drain", "--wait", "--off")
    assert result.exit_code == 2
    assert "nothing to --wait for" in result.stderr
    assert keeper.rooms.told == []
