"""One line: what it may say, what it is told, and when it is closed. Nobody else notices (N01, N03, N05, N09)."""

import asyncio
from contextlib import suppress

import attrs
import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from parlour_server.conversation import COMINGS
from parlour_server.fairness.seal import Signer
from parlour_server.people import identity
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import CreateTable, Ping, Pong, Rename, Renamed, Welcome
from parlour_server.protocol.messages import (
    Accepted,
    Ask,
    Error,
    Events,
    FromClient,
    Hello,
    Join,
    Leave,
    Left,
    Play,
    Ready,
    Seats,
    Table,
    TakeSeat,
    ToClient,
    Why,
    WhyNot,
)
from parlour_server.settings import Bots, Limits, Listen, Settings, Tables
from tests.kit.clients import Client, eager
from tests.kit.deals import seeded
from tests.server.conftest import OPEN, House, Opening


async def raw_line(house: House, subprotocol: str = MSGPACK_SUBPROTOCOL) -> ClientConnection:
    url = house.parlour.url.replace("http", "ws", 1) + "/ws"
    return await connect(
        url, subprotocols=[Subprotocol(subprotocol)], compression=None, proxy=None, close_timeout=1, max_size=None
    )


async def tell(line: ClientConnection, message: FromClient, subprotocol: str = MSGPACK_SUBPROTOCOL) -> ToClient:
    """Say something and hear the answer."""
    await line.send(encode(message, subprotocol))
    async with asyncio.timeout(10):
        return decode_reply(await line.recv())


async def closing(line: ClientConnection) -> tuple[int, str]:
    """How the server closes the line; what it still says before is dropped."""
    async with asyncio.timeout(10):
        with suppress(ConnectionClosed):
            while True:
                await line.recv()
    assert line.close_code is not None
    assert line.close_reason is not None
    return line.close_code, line.close_reason


# --- hello -------------------------------------------------------------------------------------------------------


async def test_a_token_brings_its_guest_back(open_house: Opening) -> None:
    house = await open_house()
    line = await raw_line(house)

    first = await tell(line, Hello(1, name=" Ada\u202e "))
    assert isinstance(first, Welcome)
    assert first.name == "Ada"
    assert first.token is not None
    assert {"lrc", "classical", "classical-limit"} <= {ruleset.key for ruleset in first.rulesets}
    again = await tell(await raw_line(house), Hello(1, token=first.token))

    assert isinstance(again, Welcome)
    assert (again.name, again.token) == ("Ada", None)
    assert len(house.hall.people) == 1
    await line.close()


async def test_a_token_that_nobody_has_is_said_so_and_the_client_plays_on(open_house: Opening) -> None:
    house = await open_house()
    line = await raw_line(house)

    error = await tell(line, Hello(1, token="x" * 32, name="Ada"))
    assert isinstance(error, Error)
    assert error.code == "bad_token"
    welcome = decode_reply(await line.recv())
    assert isinstance(welcome, Welcome)
    assert welcome.token not in {None, "x" * 32}
    assert isinstance(await tell(line, CreateTable()), Table)


async def test_whoever_comes_is_told_the_key_that_records_are_sealed_with(open_house: Opening) -> None:
    # RFC 8032, 7.1, test 1.
    secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    sealing = await open_house(signer=Signer(secret))
    told = await tell(await raw_line(sealing), Hello(1))

    assert isinstance(told, Welcome)
    assert told.house_key == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

    told = await tell(await raw_line(await open_house()), Hello(1))
    assert isinstance(told, Welcome)
    assert told.house_key is None


async def test_another_protocol_is_refused(open_house: Opening) -> None:
    line = await raw_line(await open_house())

    error = await tell(line, Hello(2))

    assert isinstance(error, Error)
    assert error.code == "unsupported_protocol"
    assert await closing(line) == (1008, "unsupported protocol")


async def test_hello_comes_first_and_soon(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(hello_seconds=1)))
    line = await raw_line(house)

    for message in (Ping(), CreateTable(), Join("x"), Play(1, "pass", 3), Leave()):
        error = await tell(line, message)
        assert isinstance(error, Error)
        assert (error.code, error.id) == ("say_hello", 3 if isinstance(message, Play) else None)
    assert await closing(line) == (1008, "no hello came")
    assert len(house.hall) == 0


async def test_hello_is_said_once(open_house: Opening) -> None:
    client = await (await open_house()).client()

    await client.say(Hello(1))

    assert (await client.hear(Error)).code == "bad_message"


async def test_a_guest_has_so_many_lines_and_a_newer_one_takes_the_place_of_an_idle_one(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(sockets_per_guest=2)))
    seated = await house.client("Ada")
    await seated.say(CreateTable(clocks="off"))
    await seated.hear(Table)
    idle = await raw_line(house)
    await tell(idle, Hello(1, token=seated.token))
    newer = await raw_line(house)

    assert isinstance(await tell(newer, Hello(1, token=seated.token)), Welcome)
    assert await closing(idle) == (1008, "too many lines of one guest")
    await seated.say(Ping(1))
    await seated.hear(Pong)


async def test_where_all_lines_of_a_guest_are_at_tables_another_is_refused(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(sockets_per_guest=2)))
    first = await house.client("Ada")
    second = await house.client("Ada", token=first.token)
    for client in (first, second):
        await client.say(CreateTable(clocks="off"))
        await client.hear(Table)
    line = await raw_line(house)

    error = await tell(line, Hello(1, token=first.token))
    assert isinstance(error, Error)
    assert error.code == "too_many"
    assert await closing(line) == (1008, "too many lines of one guest")
    for client in (first, second):
        await client.say(Ping(1))
        await client.hear(Pong)


async def test_a_phone_that_changed_networks_is_not_locked_out(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its old lines are dead, nobody has noticed yet, and all of them are at tables."""
    monkeypatch.setattr(identity, "PONG_SECONDS", 0.2)
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(sockets_per_guest=2)))
    dead = await house.client("Ada")
    alive = await house.client("Ada", token=dead.token)
    for client in (dead, alive):
        await client.say(CreateTable(clocks="off"))
        await client.hear(Table)
    dead.line.transport.pause_reading()
    line = await raw_line(house)

    assert isinstance(await tell(line, Hello(1, token=dead.token)), Welcome)
    assert dead.table is not None
    await line.send(encode(Join(dead.table.table), MSGPACK_SUBPROTOCOL))
    async with asyncio.timeout(10):
        table = decode_reply(await line.recv())
    assert isinstance(table, Table)
    assert table.you == dead.table.you
    await alive.say(Ping(1))
    await alive.hear(Pong)
    await line.close()


async def test_a_name_is_cleaned_and_told_to_the_table(open_house: Opening) -> None:
    house = await open_house()
    ada, bo = await house.client("Ada"), await house.client("Bo")
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    await bo.say(Join(table.table))
    await bo.hear(Seats)

    await ada.say(Rename("  Ada \u202eLovelace\n"))
    assert (await ada.hear(Renamed)).name == "Ada Lovelace"
    seats = await bo.hear(Seats)
    assert table.you is not None
    assert seats.seats[table.you].name == "Ada Lovelace"

    await ada.say(Rename("\u200b"))
    assert (await ada.hear(Error)).code == "bad_name"


# --- what is not our language ------------------------------------------------------------------------------------

BAD_BINARY = {
    "nil": b"\xc0",
    "one": b"\x01",
    "text": b"\xa3abc",
    "list": b"\x90",
    "empty map": b"\x80",
    "type nil": b"\x81\xa4type\xc0",
    "empty": b"",
    "array bomb": b"\xdd\x7f\xff\xff\xff",
    "map bomb": b"\xdf\x7f\xff\xff\xff",
    "bin bomb": b"\xc6\x7f\xff\xff\xff",
    "deep": b"\x91" * 600 + b"\xc0",
    "deeper": b"\x91" * 4000 + b"\xc0",
    "nan": b"\x82\xa4type\xa4ping\xa1n\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    "huge number": b"\x82\xa4type\xa4ping\xa1n\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
    "extension": b"\xd4\x01\x00",
    "double key": b"\x83\xa4type\xa4ping\xa1n\x01\xa1n\x02",
    "extra key": b"\x83\xa4type\xa4ping\xa1n\x01\xa1x\x02",
    "trailing": b"\x82\xa4type\xa4ping\xa1n\x01\xc0",
    "bad text": b"\x81\xa4type\xa4\xff\xff\xff\xff",
    "a server's message": b"\x82\xa4type\xa4pong\xa1n\x01",
    "a move for another's seat": msgpack.packb({"type": "play", "version": 1, "move": "pass", "seat": 1}),
}


@pytest.mark.parametrize("greeted", [False, True], ids=["before hello", "after hello"])
async def test_a_malformed_frame_is_an_error_to_its_sender_alone(open_house: Opening, greeted: bool) -> None:
    house = await open_house()
    other = await house.client("Other")
    await other.say(CreateTable(clocks="off"))
    await other.hear(Ask)
    line = await raw_line(house)
    if greeted:
        await tell(line, Hello(1))
        await tell(line, CreateTable(clocks="off"))

    frames: list[bytes | str] = [*BAD_BINARY.values(), "text where binary is spoken", ""]
    for frame in frames:
        await line.send(frame)
    async with asyncio.timeout(10):
        errors: list[ToClient] = []
        while len(errors) < len(frames):
            message = decode_reply(await line.recv())
            if isinstance(message, Error):
                errors.append(message)
    assert {error.code for error in errors if isinstance(error, Error)} == {"bad_message"}
    assert all(len(error.message.encode()) <= 200 for error in errors if isinstance(error, Error))

    message = await tell(line, Hello(1))
    async with asyncio.timeout(10):
        # Its own table goes on beside that.
        while not isinstance(message, Welcome | Error):
            message = decode_reply(await line.recv())
    before = list(other.heard)
    await other.say(Ping(7))
    assert (await other.hear(Pong)).n == 7
    assert [message for message in other.heard[len(before) :] if not isinstance(message, Pong)] == []


async def test_json_speaks_text_and_messagepack_binary(open_house: Opening) -> None:
    line = await raw_line(await open_house(), JSON_SUBPROTOCOL)

    await line.send(encode(Hello(1), MSGPACK_SUBPROTOCOL))
    error = decode_reply(await line.recv())
    assert isinstance(error, Error)
    assert error.code == "bad_message"
    await line.send(encode(Hello(1), JSON_SUBPROTOCOL))
    welcome = await line.recv()
    assert isinstance(welcome, str)
    assert isinstance(decode_reply(welcome), Welcome)


async def test_an_oversized_frame_closes_its_line(open_house: Opening) -> None:
    house = await open_house()
    other = await house.client()
    line = await raw_line(house)
    await tell(line, Hello(1))

    await line.send(b"\x00" * 4097)

    assert (await closing(line))[0] == 1009
    await other.say(Ping(1))
    await other.hear(Pong)


async def test_a_frame_in_pieces_counts_as_one(open_house: Opening) -> None:
    house = await open_house()
    line = await raw_line(house)

    await line.send([b"\x00" * 1000] * 3)
    error = decode_reply(await line.recv())
    assert isinstance(error, Error)
    await line.send([b"\x00" * 1000] * 5)
    assert (await closing(line))[0] == 1009


# --- too much ----------------------------------------------------------------------------------------------------


async def test_a_flood_closes_its_line(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0)))
    line = await raw_line(house)
    await tell(line, Hello(1))

    frame = encode(Ping(), MSGPACK_SUBPROTOCOL)
    for _ in range(200):
        await line.send(frame)

    assert await closing(line) == (1008, "too many messages")


@pytest.mark.parametrize(
    ("opcode", "data"),
    [(Opcode.PING, b"x" * 125), (Opcode.PONG, b"x" * 125), (Opcode.CONT, b""), (Opcode.TEXT, b"{}")],
    ids=["pings", "pongs", "fragments", "messages"],
)
async def test_a_flood_of_frames_is_not_read_to_its_end(open_house: Opening, opcode: Opcode, data: bytes) -> None:
    # The library answers a ping whether or not the answer is read, and shows pings and pongs to nobody.
    house = await open_house(Settings(listen=Listen(port=0)))
    line = await raw_line(house, JSON_SUBPROTOCOL)
    await tell(line, Hello(1), JSON_SUBPROTOCOL)
    line.transport.pause_reading()

    if opcode is Opcode.CONT:
        line.transport.write(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
    flood = Frame(opcode, data, fin=opcode is not Opcode.CONT).serialize(mask=True) * 1000
    for _ in range(200):
        if house.parlour.health()["sockets"] == 0:
            break
        line.transport.write(flood)
        await asyncio.sleep(0.01)
    left = house.parlour.health()["sockets"]
    line.transport.abort()
    await line.wait_closed()
    assert left == 0, "long before the line is closed for other reasons"


async def test_pings_and_fragments_in_measure_are_heard(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0)))
    line = await raw_line(house)
    await tell(line, Hello(1))
    for _ in range(20):
        await asyncio.wait_for(await line.ping(), 10)
    frame = encode(Ping(7), MSGPACK_SUBPROTOCOL)
    assert isinstance(frame, bytes)
    await line.send([frame[:5], frame[5:]])
    assert decode_reply(await line.recv()) == Pong(7)
    await line.close()


async def test_a_reader_that_does_not_read_is_dropped_and_nobody_waits(open_house: Opening) -> None:
    """N05: the seat plays on against bots while a watcher has stopped reading."""
    limits = Limits(
        messages_per_second=100_000, messages_burst=100_000, outbox_messages=16, outbox_bytes=16384, stall_seconds=600
    )
    settings = Settings(listen=Listen(port=0), limits=limits, tables=Tables(floor_ms=0), bots=Bots(0, 0))
    house = await open_house(settings, deals_of=seeded(8))
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    slow = await raw_line(house)
    await tell(slow, Hello(1))
    await tell(slow, Join(table.table))
    await ada.until(lambda one: one.table is not None and one.table.watchers == 1)
    slow.transport.pause_reading()

    def watchers() -> int:
        assert ada.table is not None
        return ada.table.watchers

    rounds = 0
    while watchers() == 1:
        # Every snapshot goes to Ada alone; what is played goes to both. Kernel buffers take megabytes, so a slow
        # reader is also made to ask.
        if rounds < 20_000:
            await slow.send(encode(Join(table.table), MSGPACK_SUBPROTOCOL))
        rounds += 1
        if ada.asked is not None:
            await ada.answer(eager)
        elif ada.table is not None and ada.table.settled is not None:
            await ada.agree()
        await ada.say(Ping(rounds))
        await ada.hear(Pong)
    assert rounds > 16
    await ada.say(Ping(0))
    await ada.hear(Pong)
    slow.transport.abort()


async def test_a_fault_of_the_servers_own_is_said_and_closes_one_line(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house()
    other = await house.client()
    line = await raw_line(house)
    await tell(line, Hello(1))

    def failing(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(house.hall, "rename", failing)
    await line.send(encode(Rename("Ada"), MSGPACK_SUBPROTOCOL))
    assert isinstance(decode_reply(await line.recv()), Renamed)
    error = decode_reply(await line.recv())
    assert isinstance(error, Error)
    assert error.code == "internal"
    assert await closing(line) == (1011, "internal error")
    await other.say(Ping(1))
    await other.hear(Pong)


# --- at a table --------------------------------------------------------------------------------------------------


async def test_who_finds_the_next_table_full_stays_at_its_own(open_house: Opening) -> None:
    house = await open_house()
    ada, bo = await house.client("Ada"), await house.client("Bo")
    await bo.say(CreateTable(clocks="off"))
    full = (await bo.hear(Table)).table
    table = house.hall.find(full)._table
    table._settings = attrs.evolve(table._settings, watchers=0)  # type: ignore[misc]  # sooner than with 200 watchers
    await ada.say(CreateTable(clocks="off"))
    await ada.hear(Ask)

    await ada.say(Join(full))
    assert (await ada.hear(Error)).code == "table_full"
    await ada.answer(eager)
    assert isinstance(await ada.hear(Accepted), Accepted)
    assert ada.table is not None
    assert ada.table.you is not None
    assert ada.table.seats[ada.table.you].present


async def test_whoever_is_at_no_table_is_told_so(open_house: Opening) -> None:
    client = await (await open_house()).client()

    for message in (Play(1, "pass", 9), Why(9), Ready(1), TakeSeat(0), Leave()):
        await client.say(message)
        error = await client.hear(Error)
        assert (error.code, error.id) == ("not_at_table", 9 if isinstance(message, Play | Why) else None)
    await client.say(Join("nowhere"))
    assert (await client.hear(Error)).code == "no_such_table"


async def test_nobody_goes_to_and_fro_between_tables_for_ever(open_house: Opening) -> None:
    """Each coming and going is kept and told; the line goes on, where it is."""
    house = await open_house()
    ada = await house.client("Ada")
    links = []
    for _ in range(2):
        await ada.say(CreateTable(clocks="off"))
        links.append((await ada.hear(Table)).table)
    for turn in range(2 * COMINGS):
        await ada.say(Join(links[turn % 2]))
    error = await ada.hear(Error)
    assert (error.code, error.message) == ("too_many", "you come and go too fast; wait a second")
    await ada.say(Ping(1))
    await ada.hear(Pong)


async def test_who_asks_why_is_answered_alone_and_nobody_hears_of_it(open_house: Opening) -> None:
    house = await open_house(deals_of=seeded(8))
    ada, eve = await house.client("Ada"), await house.client("Eve")
    await ada.say(CreateTable(ruleset="classical", clocks="off"))
    table = await ada.hear(Table)
    await eve.say(Join(table.table))
    await eve.hear(Table)
    heard = len(eve.heard)

    await ada.say(Why(4))
    why = await ada.hear(WhyNot)
    await eve.say(Why(5))
    other = await eve.hear(WhyNot)

    assert ada.table is not None
    assert (why.id, why.version) == (4, ada.table.version)
    assert why.reason in {"incomplete", "no_tile", "can_win"}
    assert (other.id, other.reason) == (5, "not_seated")
    assert (other.completing, other.helping, other.barred) == ([], [], [])
    assert not any(isinstance(message, WhyNot) for message in eve.heard[heard:-1])


async def test_a_watcher_plays_nothing(open_house: Opening) -> None:
    """L06: whatever a watcher says changes nothing."""
    house = await open_house()
    ada, watcher = await house.client("Ada"), await house.client("Watcher")
    await ada.say(CreateTable(clocks="off"))
    await ada.hear(Ask)
    assert ada.table is not None
    assert ada.asked is not None
    await watcher.say(Join(ada.table.table))
    await watcher.hear(Table)

    for move in ada.asked.moves:
        await watcher.say(Play(ada.asked.version, move))
        assert (await watcher.hear(Error)).code == "not_seated"
    await watcher.say(Ready(1))
    assert (await watcher.hear(Error)).code == "not_seated"
    assert ada.table.you is not None
    await watcher.say(TakeSeat(ada.table.you))
    assert (await watcher.hear(Error)).code == "seat_taken"
    await ada.say(Ping(1))
    await ada.hear(Pong)
    assert not any(isinstance(message, Events) for message in ada.heard[-2:])


async def test_fifty_discards_in_one_segment_are_one(open_house: Opening) -> None:
    """T05, with one id and with fifty."""
    for ids in ([7] * 50, list(range(1, 51))):
        house = await open_house()
        ada = await house.client("Ada")
        await ada.say(CreateTable(clocks="off"))
        while ada.asked is None or ada.asked.kind != "turn":
            if ada.asked is not None:
                await ada.answer(lambda ask: "pass")
            await ada.next()
        ask = ada.asked
        assert ada.table is not None
        assert ada.table.deal is not None
        assert ada.table.you is not None
        you, lying = ada.table.you, len(ada.table.deal.seats[ada.table.you].discards)
        heard = len(ada.heard)
        move = next(move for move in ask.moves if move.startswith("discard "))

        # The transport joins what is written in one turn of the loop into one segment.
        for number in ids:
            ada.line.protocol.send_binary(encode(Play(ask.version, move, number), MSGPACK_SUBPROTOCOL))  # type: ignore[arg-type]  # bytes for this subprotocol
        ada.line.transport.write(b"".join(ada.line.protocol.data_to_send()))

        def answered(one: Client, heard: int = heard) -> list[ToClient]:
            return [message for message in one.heard[heard:] if isinstance(message, Accepted | Error)]

        # They are told when what was done is written; a pong does not wait for that.
        await ada.until(lambda one: len(answered(one)) >= 50)
        await ada.say(Ping(99))
        await ada.hear(Pong)
        answers = answered(ada)
        assert [type(message).__name__ for message in answers] == ["Accepted"] + ["Error"] * 49
        assert {message.code for message in answers if isinstance(message, Error)} <= {"stale", "not_your_turn"}
        discards = [
            event
            for message in ada.heard[heard:]
            if isinstance(message, Events)
            for event in message.events
            if event.e == "discard" and event.seat == you
        ]
        assert len(discards) == 1
        assert len(ada.table.deal.seats[you].discards) == lying + 1 or ada.table.deal.seats[you].discards[-1].claimed


async def test_leaving_gives_the_seat_to_a_bot_for_good(open_house: Opening) -> None:
    house = await open_house()
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)

    await ada.say(Leave())
    assert (await ada.hear(Left)).reason == "left"
    await ada.say(Leave())
    assert (await ada.hear(Error)).code == "not_at_table"
    await ada.say(Join(table.table))
    again = await ada.hear(Table)
    assert again.you is None
    assert [seat.player for seat in again.seats] == ["bot"] * 4


async def test_a_newer_tab_takes_the_place_of_an_older_one(open_house: Opening) -> None:
    """C07: the older one is told, and not kicked out of the house."""
    house = await open_house()
    older = await house.client("Ada")
    await older.say(CreateTable(clocks="off"))
    table = await older.hear(Table)
    newer = await house.client("Ada", token=older.token)

    await newer.say(Join(table.table))
    assert (await newer.hear(Table)).you == table.you
    assert (await older.hear(Left)).reason == "replaced"
    await older.line.close()
    await newer.say(Ping(1))
    await newer.hear(Pong)
    assert newer.table is not None
    assert table.you is not None
    assert newer.table.seats[table.you].present


# --- coming back -------------------------------------------------------------------------------------------------


async def comes_back(house: House, gone: Client, *, empty_handed: bool = False) -> Client:
    """The same guest on a new line, from the version it had folded or from nothing."""
    assert gone.table is not None
    client = await house.client("Ada", token=gone.token)
    client.table = None if empty_handed else gone.table
    await client.say(Join(gone.table.table, None if empty_handed else gone.table.version))
    return client


async def test_a_dropped_line_comes_back_to_its_seat_and_the_events_it_missed(open_house: Opening) -> None:
    house = await open_house(deals_of=seeded(8))
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    for step in range(60):
        while ada.asked is None:
            if ada.table is not None and ada.table.settled is not None:
                await ada.agree()
            await ada.next()
        # The line is lost right after an answer, before its consequences are heard, and now and then while asked.
        if step % 3:
            await ada.answer(eager)
        ada.cut()
        ada = await comes_back(house, ada, empty_handed=step % 7 == 0)
    await ada.until(lambda one: one.asked is not None or (one.table is not None and one.table.settled is not None))
    assert ada.table is not None
    folded = ada.table
    await ada.say(Join(folded.table))
    assert await ada.hear(Table) == folded
    assert folded.you is not None
    assert folded.seats[folded.you].present


async def test_coming_back_fifty_times_changes_nothing(open_house: Opening) -> None:
    """C03."""
    house = await open_house(Settings(listen=Listen(port=0), limits=OPEN, bots=Bots(9_000, 9_000)))
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    await ada.hear(Seats)
    first = ada.table
    assert first is not None
    for _ in range(50):
        ada.cut()
        ada = await comes_back(house, ada)
        await ada.hear(Seats)
    assert ada.table is not None
    await ada.say(Join(ada.table.table))
    last = await ada.hear(Table)
    assert last == ada.table
    assert (last.deal, last.scores) == (ada.table.deal, first.scores)


async def test_wrong_tokens_do_not_lock_the_owner_out(open_house: Opening) -> None:
    """C02: a hundred strangers ask for the seat, and its owner has it all the same."""
    house = await open_house()
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    ada.cut()
    for number in range(100):
        line = await raw_line(house)
        await line.send(encode(Hello(1, token=f"guess {number}"), MSGPACK_SUBPROTOCOL))
        await line.send(encode(Join(table.table, 0), MSGPACK_SUBPROTOCOL))
        line.transport.abort()
    back = await comes_back(house, ada, empty_handed=True)

    assert (await back.hear(Table)).you == table.you
    assert len(house.hall) == 1
