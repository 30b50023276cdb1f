"""Whoever has no right to do something does not do it, whatever is said and by which way one came (N09, L06, G18)."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import get_args

import pytest
from attrs import evolve
from websockets.exceptions import ConnectionClosed

from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import CreateTable, LogOut, Ping, Pong, Welcome
from parlour_server.protocol.messages import (
    Accepted,
    AskHistory,
    AtTable,
    EndMatch,
    Entropy,
    Error,
    Events,
    FromClient,
    Hello,
    Join,
    Leave,
    Pause,
    Play,
    Ready,
    Say,
    Start,
    Table,
    TakeSeat,
    Why,
)
from parlour_server.settings import Bots, Listen, Settings
from tests.kit.clients import Client
from tests.server.conftest import OPEN, House, Opening
from tests.server.test_conversation import raw_line, tell


@pytest.fixture
def calm() -> Settings:
    """Bots that think for longer than a test takes."""
    return Settings(listen=Listen(port=0), limits=OPEN, bots=Bots(9_000, 9_000))


async def on_turn(house: House, name: str = "Ada") -> Client:
    """Somebody at a table who is on turn and takes all the time there is: nothing goes on by itself."""
    client = await house.client(name)
    await client.say(CreateTable(clocks="off"))
    while client.asked is None or client.asked.kind != "turn":
        if client.asked is not None:
            await client.answer(lambda ask: "pass")
        await client.next()
    return client


def commands(victim: Client) -> Iterator[AtTable]:
    """Everything that can be said at a table, with what is right for the victim and wrong for everybody else."""
    assert victim.table is not None
    assert victim.table.you is not None
    assert victim.asked is not None
    version = victim.asked.version
    for move in victim.asked.moves:
        yield Play(version, move, 5)
    yield Play(version, "pass", 5)
    yield Play(version, "win", 5)
    yield Play(0, victim.asked.moves[0], 5)
    yield TakeSeat(victim.table.you)
    for deal in (0, 1, 2):
        yield Ready(deal)
        yield Entropy(deal, "00" * 16)
        yield AskHistory(deal)
    yield AskHistory()
    yield Start()
    yield Pause(wanted=True)
    yield EndMatch(wanted=True)
    yield Why(5)
    yield Say("hello")


async def settled(client: Client) -> Table:
    """The table as it stands, read anew; who watches and what was said is left out."""
    assert client.table is not None
    before = len(client.heard)
    await client.say(Join(client.table.table))
    table = await client.hear(Table)
    await client.say(Ping(len(client.heard)))
    await client.hear(Pong)
    assert not any(isinstance(message, Events) for message in client.heard[before:])
    return evolve(table, watchers=0, talk=[])


async def says_all(client: Client, messages: Iterator[AtTable]) -> list[Error]:
    """Say everything, at a pace that is no flood, and hear out the answers."""
    start = len(client.heard)
    for number, message in enumerate(messages):
        await client.say(message)
        if number % 10 == 9:
            await client.say(Ping(number))
            await client.until(lambda one: one.heard[-1] == Pong(number))  # noqa: B023 # awaited before the next
    await client.say(Ping(9999))
    await client.until(lambda one: one.heard[-1] == Pong(9999))
    assert not any(isinstance(message, Accepted) for message in client.heard[start:])
    return [message for message in client.heard[start:] if isinstance(message, Error)]


async def test_every_command_is_tried(open_house: Opening, calm: Settings) -> None:
    ada = await on_turn(await open_house(calm))
    assert {type(message) for message in [*commands(ada), Leave()]} == {*get_args(AtTable)}


async def test_a_watcher_changes_nothing(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada = await on_turn(house)
    before = await settled(ada)
    watcher = await house.client("Watcher")
    await watcher.say(Join(before.table))
    await watcher.hear(Table)
    errors = await says_all(watcher, commands(ada))
    await watcher.say(Leave())

    assert {error.code for error in errors} <= {"not_seated", "seat_taken", "not_yours", "not_watched", "stale"}
    assert len([error for error in errors if error.id == 5]) >= 3
    assert await settled(ada) == before


async def test_who_has_another_seat_changes_nothing_of_it(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada = await on_turn(house)
    assert ada.table is not None
    assert ada.table.you is not None
    bob = await house.client("Bob")
    await bob.say(Join(ada.table.table))
    await bob.hear(Table)
    await bob.say(TakeSeat((ada.table.you + 1) % 4))
    await bob.until(lambda one: one.table is not None and one.table.you is not None)
    before = await settled(ada)
    wishes = [message for message in commands(ada) if not isinstance(message, Pause | Say | Ready)]
    errors = await says_all(bob, iter(wishes))

    assert len([error for error in errors if error.id == 5 and error.code == "not_your_turn"]) >= 1
    assert {error.code for error in errors} <= {
        "not_your_turn",
        "illegal_move",
        "stale",
        "seat_taken",
        "not_yours",
        "not_watched",
    }
    assert await settled(ada) == before


async def test_who_is_at_another_table_changes_nothing_here(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada = await on_turn(house)
    before = await settled(ada)
    stranger = await house.client("Stranger")
    await stranger.say(CreateTable(clocks="off"))
    await stranger.hear(Table)
    for message in [*commands(ada), Leave()]:
        await stranger.say(message)
        await stranger.say(Ping(1))
        await stranger.hear(Pong)
    for message in commands(ada):
        await stranger.say(message)
        assert (await stranger.hear(Error)).code == "not_at_table"
    assert await settled(ada) == before


async def test_who_has_not_said_hello_changes_nothing(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada = await on_turn(house)
    before = await settled(ada)
    line = await raw_line(house)
    messages: list[FromClient] = [Join(before.table), *commands(ada), Leave(), CreateTable(), LogOut(everywhere=True)]
    for message in messages:
        error = await tell(line, message)
        assert isinstance(error, Error)
        assert error.code == "say_hello"
    assert await settled(ada) == before
    assert len(house.hall) == 1
    await line.close()


async def test_a_token_that_was_given_back_has_no_seat(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada = await on_turn(house)
    assert ada.table is not None
    assert ada.asked is not None
    table, said = ada.table, list(commands(ada))
    watcher = await house.client("Watcher")
    await watcher.say(Join(table.table))
    await watcher.hear(Table)
    elsewhere = await house.client("Ada", token=ada.token)
    await elsewhere.say(LogOut(everywhere=True))
    with suppress(ConnectionClosed):
        while True:
            await elsewhere.next()
    await watcher.until(lambda one: one.table is not None and not one.table.seats[table.you or 0].present)
    before = await settled(watcher)

    line = await raw_line(house)
    answer = await tell(line, Hello(1, token=ada.token))
    assert isinstance(answer, Error)
    assert answer.code == "bad_token"
    welcome = decode_reply(await line.recv())
    assert isinstance(welcome, Welcome)
    assert welcome.token != ada.token
    again = await house.client("Ada", token=welcome.token)
    await again.say(Join(table.table))
    assert (await again.hear(Table)).you is None
    errors = await says_all(again, iter(said))
    assert {error.code for error in errors} <= {"not_seated", "seat_taken", "not_yours", "not_watched", "stale"}
    await again.say(Leave())
    assert await settled(watcher) == before
    await line.close()


async def test_what_a_line_says_after_its_person_is_gone_is_not_heard(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada = await on_turn(house)
    assert ada.table is not None
    assert ada.asked is not None
    table = ada.table
    watcher = await house.client("Watcher")
    await watcher.say(Join(table.table))
    await watcher.hear(Table)
    # The goodbye is not read, so that the client's library does not stop it from going on.
    ada.line.transport.pause_reading()
    tab = await house.client("Ada", token=ada.token)
    await tab.say(LogOut())
    with suppress(ConnectionClosed):
        while True:
            await tab.next()
    await watcher.until(lambda one: one.table is not None and not one.table.seats[table.you or 0].present)
    before = await settled(watcher)
    for message in commands(ada):
        ada.line.transport.write(b"")
        await ada.line.send(encode(message, MSGPACK_SUBPROTOCOL))
    await asyncio.sleep(0.05)
    assert await settled(watcher) == before
