"""People over sockets: accounts in two browsers, coming and going, what takes a while, and what is refused."""

import asyncio
import io
from collections.abc import Callable
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from parlour_server.admin.desk import Desk, Wrong
from parlour_server.admin.rulings import Rulings
from parlour_server.log import start_log
from parlour_server.people import passwords as costs
from parlour_server.people.house import OpenHouse
from parlour_server.people.people import Came
from parlour_server.premises import Premises
from parlour_server.protocol.codec import MSGPACK_SUBPROTOCOL, decode_reply, encode
from parlour_server.protocol.lobby import (
    AskStatistics,
    CreateTable,
    ListMatches,
    ListTables,
    LogIn,
    LogOut,
    Matches,
    Ping,
    Pong,
    QuickMatch,
    Register,
    Rename,
    Renamed,
    SignedIn,
    SignedOut,
    Statistics,
    Tables,
    Welcome,
)
from parlour_server.protocol.messages import Error, FromClient, Hello, Join, Left, Said, Say, Seats, Table, ToClient
from parlour_server.refused import Refused
from parlour_server.settings import Bots, Limits, Listen, Settings
from tests.kit.clients import Client
from tests.kit.stores import MemoryStore
from tests.server.conftest import House, Opening
from tests.server.test_conversation import closing, raw_line, tell
from tests.server.test_names import PAYLOADS

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost nothing; what they cost in a house is another test's."""
    monkeypatch.setattr(costs, "MEMORY_KIB", 8)
    monkeypatch.setattr(costs, "PASSES", 1)


@pytest.fixture
def calm() -> Settings:
    """Bots that think for longer than a test takes."""
    return Settings(listen=Listen(port=0), bots=Bots(9_000, 9_000))


async def registered(house: House, account: str = "Ada") -> Client:
    client = await house.client(account)
    await client.say(Register(account, PASSWORD))
    signed = await client.hear(SignedIn)
    assert (signed.token, signed.account, signed.name) == (None, account, account)
    return client


async def logged_in(house: House, account: str = "Ada", name: str = "Somebody") -> Client:
    client = await house.client(name)
    await client.say(LogIn(account, PASSWORD))
    signed = await client.hear(SignedIn)
    assert signed.token not in {None, client.token}
    client.token = signed.token
    return client


def keeper(house: House) -> Desk:
    """Who may be asked for another password."""
    return Desk(Premises(house.parlour, lambda: None, lambda: 0), Rulings(lambda _: None))


async def test_whoever_forgets_a_password_gets_another_from_the_keeper(open_house: Opening, calm: Settings) -> None:
    written = io.StringIO()
    start_log("debug", written)
    store = MemoryStore()
    house = await open_house(calm, store=store)
    ada = await registered(house)
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    second = await logged_in(house)

    desk = keeper(house)
    for unknown in ("Nobody", "", "\u202e"):
        with pytest.raises(Wrong, match="nobody has the account"):
            await desk.attend({"do": "password", "account": unknown})
    # As in logging in, names that look alike are one.
    given = await desk.attend({"do": "password", "account": "ADA"})

    assert given["ended"] == 2
    assert len(given["password"]) == 16
    for client in (ada, second):
        await client.hear(SignedOut)
        line = await raw_line(house)
        error = await tell(line, Hello(1, token=client.token))
        assert isinstance(error, Error)
        assert error.code == "bad_token"
        await line.close()
    stranger = await house.client("Stranger")
    await stranger.say(LogIn("Ada", PASSWORD))
    assert await refusal(stranger) == "bad_login"
    await stranger.say(LogIn("Ada", given["password"]))
    await stranger.hear(SignedIn)
    await stranger.say(Join(table.table))
    assert (await stranger.hear(Table)).you == table.you
    assert given["password"] not in written.getvalue()
    again = await desk.attend({"do": "password", "account": "Ada"})
    assert again["password"] != given["password"]


async def test_who_logs_in_with_the_old_password_at_the_moment_of_the_new_one_stays_outside(
    open_house: Opening, calm: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is the old one hashed anew, because hashes cost more today, and put in the place of the new one."""
    house = await open_house(calm)
    ada = await registered(house)
    people = house.hall.people
    real = people._passwords.fits
    given: list[dict[str, object]] = []

    async def fits(password_hash: str | None, password: str) -> bool:
        found = await real(password_hash, password)
        if not given:
            given.append(await keeper(house).attend({"do": "password", "account": "Ada"}))
        return found

    monkeypatch.setattr(people._passwords, "fits", fits)
    monkeypatch.setattr(people._passwords, "outdated", lambda _: True)
    late = await house.client("Late")
    await late.say(LogIn("Ada", PASSWORD))
    assert await refusal(late) == "bad_login"
    assert len(given) == 1
    await ada.hear(SignedOut)
    await late.say(LogIn("Ada", str(given[0]["password"])))
    await late.hear(SignedIn)


async def refusal(client: Client) -> str:
    return (await client.hear(Error)).code


async def goodbye(client: Client) -> tuple[list[ToClient], int, str]:
    """What a client is told until the server closes its line, and how it is closed."""
    told: list[ToClient] = []
    async with asyncio.timeout(10):
        with suppress(ConnectionClosed):
            while True:
                told.append(decode_reply(await client.line.recv()))
    return told, client.line.close_code or 0, client.line.close_reason or ""


async def soon(done: Callable[[], bool]) -> None:
    """Wait until something is so that no message tells."""
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")


# --- accounts ----------------------------------------------------------------------------------------------------


async def test_an_account_brings_its_person_into_another_browser_and_the_newest_has_the_seat(
    open_house: Opening, calm: Settings
) -> None:
    """C07, for accounts."""
    house = await open_house(calm)
    home = await registered(house)
    await home.say(CreateTable(clocks="off"))
    table = await home.hear(Table)

    phone = await logged_in(house)
    await phone.say(Join(table.table))
    assert (await phone.hear(Table)).you == table.you
    assert (await home.hear(Left)).reason == "replaced"
    await home.say(Ping(1))
    await home.hear(Pong)
    again = await house.client("Whoever", token=phone.token)
    assert again.welcome is not None
    assert (again.welcome.account, again.welcome.token) == ("Ada", None)
    await home.say(Join(table.table))
    assert (await home.hear(Table)).you == table.you
    assert (await phone.hear(Left)).reason == "replaced"


async def test_who_logs_in_at_a_table_leaves_the_guests_seat_to_the_guest(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    await registered(house)
    guest, friend = await house.client("Guest"), await house.client("Friend")
    await guest.say(CreateTable(clocks="off"))
    table = await guest.hear(Table)
    assert table.you is not None
    await friend.say(Join(table.table))
    await friend.hear(Seats)
    await guest.say(LogIn("Ada", PASSWORD))
    signed = await guest.hear(SignedIn)
    assert signed.account == "Ada"

    seat = table.you
    await friend.until(lambda one: one.table is not None and not one.table.seats[seat].present)
    assert friend.table is not None
    assert friend.table.seats[table.you].name == "Guest"
    await guest.say(Join(table.table))
    assert (await guest.hear(Table)).you is None, "the account's person has no seat here"
    back = await house.client("Guest", token=guest.token)
    await back.say(Join(table.table))
    assert (await back.hear(Table)).you == table.you


async def test_who_logs_in_where_all_lines_of_the_person_are_at_tables_stays_a_guest(open_house: Opening) -> None:
    store = MemoryStore()
    limits = Limits(sockets_per_guest=1)
    house = await open_house(Settings(listen=Listen(port=0), limits=limits, bots=Bots(9_000, 9_000)), store=store)
    home = await registered(house)
    await home.say(CreateTable(clocks="off"))
    await home.hear(Table)
    sessions = len(store.sessions)
    guest = await house.client("Guest")
    await guest.say(LogIn("Ada", PASSWORD))
    assert await refusal(guest) == "too_many"
    await guest.say(Rename("Still a guest"))
    assert (await guest.hear(Renamed)).name == "Still a guest"
    assert len(store.sessions) == sessions + 1, "the guest's own; the token that nobody was told is void"


async def test_what_is_wrong_with_an_account_is_said(open_house: Opening) -> None:
    house = await open_house()
    await registered(house)
    client = await house.client("Bob")
    wrong: list[tuple[FromClient, str]] = [
        (Register("ADA", PASSWORD), "name_taken"),
        (Register("Bob", "short"), "weak_password"),
        (Register("\u202e", PASSWORD), "bad_name"),
        (Register("admin", PASSWORD), "name_taken"),
        (LogIn("Ada", "something else"), "bad_login"),
        (LogIn("Nobody", PASSWORD), "bad_login"),
    ]
    for message, code in wrong:
        await client.say(message)
        assert await refusal(client) == code
    assert client.welcome is not None
    assert client.welcome.account is None


async def test_what_a_browser_was_called_as_a_guest_is_no_wish(open_house: Opening) -> None:
    """It logs in elsewhere, or has another token by now: its person keeps the name it has."""
    house = await open_house()
    ada = await house.client("Ada")
    assert ada.welcome is not None
    again = await house.client("Guest 321", token=ada.welcome.token)
    assert again.welcome is not None
    await again.say(Ping(1))
    await again.hear(Pong)
    assert again.welcome.name == "Ada"
    assert not [message for message in again.heard if isinstance(message, Renamed | Error)]


async def test_no_text_field_lets_a_payload_through(open_house: Opening) -> None:
    """G27: names at hello, by rename and of accounts."""
    house = await open_house()
    for number, (text, shown) in enumerate(PAYLOADS.values()):
        client = await house.client(text)
        assert client.welcome is not None
        assert client.welcome.name == shown or client.welcome.name.startswith("Guest ")
        await client.say(Rename(f"{text} {number}"))
        renamed = await client.hear(Renamed)
        assert renamed.name == f"{shown} {number}"
        await client.say(Register(f"{number} {text}", PASSWORD))
        assert (await client.hear(SignedIn)).account == f"{number} {shown}"
        await logged_in(house, f"{number} {text}")
        await logged_in(house, f"{number} {shown}")


async def test_what_is_said_at_a_table_is_one_visible_line(open_house: Opening, calm: Settings) -> None:
    """G27, in talk."""
    house = await open_house(calm)
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    listener = await house.client("Listener")
    await listener.say(Join(table.table))
    await listener.hear(Table)
    lines = list(PAYLOADS.values())
    for first in range(0, len(lines), 4):
        # Nobody may say more than some lines at once.
        speaker = await house.client("Speaker")
        await speaker.say(Join(table.table))
        await speaker.hear(Table)
        for text, shown in lines[first : first + 4]:
            await speaker.say(Say(text))
            assert (await listener.hear(Said)).line.text == shown
        await speaker.say(Say("\u200b\u202e"))
        assert await refusal(speaker) == "bad_message"
    await ada.say(Ping(1))
    await ada.hear(Pong)
    assert not any(isinstance(message, Said) for message in ada.heard), "players do not hear watchers"


# --- going -------------------------------------------------------------------------------------------------------


async def test_logging_out_closes_every_line_of_this_browser_and_no_other(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    home = await registered(house)
    tab = await house.client("Ada", token=home.token)
    phone = await logged_in(house)
    await tab.say(CreateTable(clocks="off"))
    await tab.hear(Table)

    async with asyncio.timeout(1):
        await home.say(LogOut())
        for client in (home, tab):
            told, code, reason = await goodbye(client)
            assert isinstance(told[-1], SignedOut)
            assert (code, reason) == (1008, "signed out")
    await phone.say(Ping(1))
    await phone.hear(Pong)
    error = await tell(await raw_line(house), Hello(1, token=home.token))
    assert isinstance(error, Error)
    assert error.code == "bad_token"
    assert isinstance(await tell(await raw_line(house), Hello(1, token=phone.token)), Welcome)


async def test_logging_out_everywhere_closes_all_lines_of_a_person(open_house: Opening) -> None:
    house = await open_house()
    home, phone, other = await registered(house), await logged_in(house), await house.client("Bob")
    async with asyncio.timeout(1):
        await phone.say(LogOut(everywhere=True))
        for client in (home, phone):
            told, code, reason = await goodbye(client)
            assert isinstance(told[-1], SignedOut)
            assert (code, reason) == (1008, "signed out")
    await other.say(Ping(1))
    await other.hear(Pong)
    for token in (home.token, phone.token):
        assert isinstance(await tell(await raw_line(house), Hello(1, token=token)), Error)
    assert isinstance(await logged_in(house), Client)


async def test_where_nothing_can_be_written_the_lines_are_closed_all_the_same(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(store=store)
    client = await house.client("Ada")
    store.commits = False
    async with asyncio.timeout(1):
        await client.say(LogOut())
        told, code, reason = await goodbye(client)
    assert (code, reason) == (1008, "signed out")
    assert not any(isinstance(message, SignedOut) for message in told), "that it is void for good cannot be promised"
    error = asyncio.ensure_future(tell(await raw_line(house), Hello(1, token=client.token)))
    await asyncio.sleep(0.05)
    store.resume()
    answer = await error
    assert isinstance(answer, Error)
    assert answer.code == "bad_token"


# --- what takes a while ------------------------------------------------------------------------------------------


async def test_what_follows_hello_waits_for_its_answer_and_keeps_its_order(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(store=store)
    store.commits = False
    line = await raw_line(house)
    for message in (Hello(1, name="Ada"), Ping(1), CreateTable(clocks="off"), Ping(2)):
        await line.send(encode(message, MSGPACK_SUBPROTOCOL))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await line.recv()
    assert store.waiting == 1

    store.resume()
    kinds: list[str] = []
    async with asyncio.timeout(10):
        while "Welcome" not in kinds or kinds.count("Pong") < 2 or "Table" not in kinds:
            kinds.append(type(decode_reply(await line.recv())).__name__)
    assert kinds[:2] == ["Welcome", "Pong"]
    await line.close()


async def test_a_hello_that_cannot_be_written_ends_in_time_and_leaves_nothing(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(hello_seconds=1)), store=store)
    store.commits = False
    lines = [await raw_line(house) for _ in range(3)]
    for line in lines:
        await line.send(encode(Hello(1, name="Ada"), MSGPACK_SUBPROTOCOL))
    lines[0].transport.abort()
    for line in lines[1:]:
        assert await closing(line) == (1011, "nothing can be written")
    await soon(lambda: not house.parlour.health()["sockets"])
    assert house.hall.people.here() == 0
    store.resume()
    assert len(house.hall.people) == 0


async def test_who_was_refused_at_hello_may_say_it_again(open_house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=Limits(hello_seconds=1)))
    line = await raw_line(house)

    async def full(name: str | None, address: str) -> Came:
        raise Refused("too_many", "too many new guests")

    with monkeypatch.context() as patch:
        patch.setattr(house.hall.people, "welcome", full)
        error = await tell(line, Hello(1))
        assert isinstance(error, Error)
        assert error.code == "too_many"
        error = await tell(line, CreateTable())
        assert isinstance(error, Error)
        assert error.code == "say_hello"
        other = await raw_line(house)
        await tell(other, Hello(1))
        assert await closing(other) == (1008, "no hello came")
    assert isinstance(await tell(await raw_line(house), Hello(1)), Welcome)


async def test_one_request_that_takes_a_while_is_under_way_and_others_are_answered_meanwhile(
    open_house: Opening,
) -> None:
    store = MemoryStore()
    house = await open_house(store=store)
    client = await house.client("Ada")
    store.hold = asyncio.Event()
    await client.say(ListMatches())
    for message in (AskStatistics(), Register("Ada", PASSWORD), LogOut(), Rename("Bob")):
        await client.say(message)
        assert await refusal(client) == "too_many"
    await client.say(Ping(5))
    assert (await client.hear(Pong)).n == 5
    await client.say(ListTables())
    await client.hear(Tables)

    store.hold.set()
    assert (await client.hear(Matches)).mine
    await client.say(AskStatistics())
    await client.hear(Statistics)


async def test_a_request_dies_with_its_line(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(store=store)
    client = await house.client("Ada")
    store.hold = asyncio.Event()
    await client.say(Register("Ada", PASSWORD))
    await soon(lambda: store.reads > 0)
    client.cut()
    await soon(lambda: not house.parlour.health()["sockets"])
    store.hold.set()
    await asyncio.sleep(0.05)
    assert store.accounts == {}
    assert house.hall.people._founding == set()


# --- the lobby ---------------------------------------------------------------------------------------------------


async def test_the_list_has_public_tables_alone(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada, bob, eve = [await house.client(name) for name in ("Ada", "Bob", "Eve")]
    await ada.say(CreateTable(clocks="off", public=True))
    public = await ada.hear(Table)
    await bob.say(CreateTable(clocks="off"))
    private = await bob.hear(Table)

    await eve.say(ListTables())
    listed = await eve.hear(Tables)
    assert (listed.count, [line.table for line in listed.tables]) == (1, [public.table])
    assert [seat.name for seat in listed.tables[0].seats if seat.player == "person"] == ["Ada"]
    heard = b"".join([frame for frame in eve.frames if isinstance(frame, bytes)])
    secrets = [private.table, str(ada.token), str(bob.token), *house.hall.people._by_id]
    assert [secret for secret in secrets if secret.encode() in heard] == []


async def test_a_quick_match_sits_down_with_people_and_makes_a_table_where_there_is_none(
    open_house: Opening, calm: Settings
) -> None:
    house = await open_house(calm)
    ada, bob = await house.client("Ada"), await house.client("Bob")
    await ada.say(QuickMatch("classical"))
    made = await ada.hear(Table)
    assert made.settings.ruleset == "classical"
    assert made.you is not None
    assert made.settings.public
    assert len(house.hall) == 1

    await bob.say(QuickMatch())
    await bob.until(lambda one: one.table is not None and one.table.you is not None)
    assert bob.table is not None
    assert bob.table.table == made.table
    assert bob.table.you != made.you
    await bob.say(QuickMatch("no such game"))
    assert await refusal(bob) == "bad_settings"
    await bob.say(QuickMatch())
    other = await bob.hear(Table)
    assert other.table != made.table, "one is at that one already"
    assert len(house.hall) == 2


# --- the house's own mind ----------------------------------------------------------------------------------------


async def test_a_house_that_closes_makes_no_new_tables(open_house: Opening, calm: Settings) -> None:
    house = await open_house(calm)
    ada, bob = await house.client("Ada"), await house.client("Bob")
    await ada.say(CreateTable(clocks="off", public=True))
    table = await ada.hear(Table)
    house.hall.closing = True
    for message in (CreateTable(), QuickMatch()):
        await bob.say(message)
        assert await refusal(bob) == "closing"
    await bob.say(Join(table.table))
    await bob.hear(Table)
    assert len(house.hall) == 1


class Strict(OpenHouse):
    """A house that has had enough of somebody."""

    def __init__(self) -> None:
        self.out: set[str] = set()
        self.silent: set[str] = set()

    def banned(self, identity: str | None, address: str) -> bool:
        return identity in self.out or address in self.out

    def muted(self, identity: str) -> bool:
        return identity in self.silent


async def test_who_is_banned_does_not_come_in_and_who_is_muted_does_not_talk(
    open_house: Opening, calm: Settings
) -> None:
    house = await open_house(calm)
    ada, bob = await house.client("Ada"), await registered(house, "Bob")
    rules = Strict()
    house.hall.house = rules  # type: ignore[misc]  # the keeper changes his mind
    who = {identity.name: identity for identity in house.hall.people._by_id.values()}
    await ada.say(CreateTable(clocks="off"))
    await ada.hear(Table)
    rules.silent.add(who["Ada"].id)
    await ada.say(Say("hello"))
    assert await refusal(ada) == "muted"

    rules.out.add(who["Bob"].id)
    line = await raw_line(house)
    error = await tell(line, Hello(1, token=bob.token))
    assert isinstance(error, Error)
    assert error.code == "banned"
    assert await closing(line) == (1008, "banned")
    await ada.say(LogIn("Bob", PASSWORD))
    assert await refusal(ada) == "banned"
    for other in list(who["Bob"].lines):
        other.dismiss("banned")
    assert (await goodbye(bob))[1:] == (1008, "banned")
    rules.out.add("127.0.0.1")
    assert isinstance(await tell(await raw_line(house), Hello(1, name="Carol")), Error)


# --- secrets -----------------------------------------------------------------------------------------------------


async def test_no_token_and_no_password_is_in_the_log_or_in_anybody_elses_stream(
    open_house: Opening, calm: Settings
) -> None:
    """G19, over a session with everything that goes wrong in it."""
    stream = io.StringIO()
    start_log("debug", stream)
    house = await open_house(calm)
    eve = await house.client("Eve")
    home = await registered(house)
    phone = await logged_in(house)
    await home.say(CreateTable(clocks="off", public=True))
    table = await home.hear(Table)
    await eve.say(Join(table.table))
    await eve.hear(Table)
    await eve.say(LogIn("Ada", "wrong password of Eve"))
    assert await refusal(eve) == "bad_login"
    await eve.say(Register("Eve", "short pw"))
    assert await refusal(eve) == "weak_password"
    bad = await raw_line(house)
    for frame in (b"\x81\xa5token\xa9not a map", encode(Hello(1, token="a token of nobody"), MSGPACK_SUBPROTOCOL)):
        await bad.send(frame)
    await phone.say(LogOut(everywhere=True))
    await goodbye(home)
    await goodbye(phone)
    await eve.say(Ping(9))
    await eve.hear(Pong)

    secrets = [str(client.token) for client in (eve, home, phone)]
    secrets += [PASSWORD, "wrong password of Eve", "short pw", "a token of nobody"]
    log = stream.getvalue()
    assert log
    assert [secret for secret in secrets if secret in log] == []
    heard = b"".join([frame for frame in eve.frames[1:] if isinstance(frame, bytes)])
    assert [secret for secret in secrets if secret.encode() in heard] == []
    assert all(secret not in repr([house.hall.people._by_id, eve.heard]) for secret in secrets)
