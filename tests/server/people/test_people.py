"""Identities, tokens and accounts: who comes back as whom, and what is kept of it (G19)."""

import asyncio
import base64
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

import pytest
from argon2 import PasswordHasher

from parlour_server.budgets import Budgets
from parlour_server.chance import Chance
from parlour_server.people import passwords as costs
from parlour_server.people import people as everybody
from parlour_server.people.attempts import FAILURES, Attempts
from parlour_server.people.house import OpenHouse
from parlour_server.people.passwords import Passwords
from parlour_server.people.people import Came, People
from parlour_server.people.tokens import key_of
from parlour_server.refused import Refused
from parlour_server.storage.changes import PasswordChanged, SessionUsed
from parlour_server.storage.store import Store
from tests.kit.stores import MemoryStore

HERE = "127.0.0.1"
AWAY = "203.0.113.7"
PASSWORD = "correct horse battery"
OPEN = OpenHouse()


class InPlace:
    """A pool that works at once."""

    def submit(self, work: Callable[[], Any]) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(work())
        return future


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost nothing; what they cost in a house is another test's."""
    monkeypatch.setattr(costs, "MEMORY_KIB", 8)
    monkeypatch.setattr(costs, "PASSES", 1)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def people_of(store: Store, most: int = 100, **options: Any) -> People:
    chance = Chance()
    return People(store, most, chance=chance, passwords=Passwords(chance, InPlace()), **options)


async def refused(answer: Any) -> str:
    with pytest.raises(Refused) as error:
        await answer
    return error.value.code


async def guest(people: People, name: str = "Ada") -> Came:
    came = await people.welcome(name, HERE)
    assert came.token is not None
    return came


# --- tokens ------------------------------------------------------------------------------------------------------


async def test_a_token_leads_back_to_its_guest_even_after_a_restart(store: MemoryStore) -> None:
    people = people_of(store)
    ada, bob = await guest(people, "Ada"), await guest(people, "Bob")
    assert ada.token is not None
    assert bob.token is not None
    again = people_of(store)

    for one in (people, again):
        for came, name in ((ada, "Ada"), (bob, "Bob")):
            back = await one.come_back(str(came.token))
            assert back is not None
            assert (back.identity.id, back.identity.name, back.session) == (came.identity.id, name, came.session)
            assert back.token is None
    for wrong in (ada.token + "x", "", "\ud800", ada.token[:-1]):
        assert await again.come_back(wrong) is None


async def test_a_token_is_long_and_only_its_hash_is_kept_or_shown(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    token = str(came.token)

    assert len(base64.urlsafe_b64decode(token + "==")) >= 16
    shown = repr([came, came.identity, people.__dict__, store.told, store.__dict__])
    assert token not in shown
    assert store.sessions == {key_of(token): came.identity.id}


async def test_a_guest_is_told_its_token_when_it_is_written(store: MemoryStore) -> None:
    people = people_of(store)
    store.commits = False
    coming = asyncio.ensure_future(people.welcome("Ada", HERE))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not coming.done()
    assert store.waiting == 1

    store.resume()
    assert (await coming).identity.name == "Ada"


async def test_who_gives_up_waiting_leaves_nothing_that_counts(store: MemoryStore) -> None:
    people = people_of(store)
    store.commits = False
    for _ in range(20):
        coming = asyncio.ensure_future(people.welcome("Ada", HERE))
        await asyncio.sleep(0)
        coming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await coming
    assert len(people) == 0
    store.resume()
    assert people._unwritten == 0


async def test_many_lines_at_once_are_one_person(store: MemoryStore) -> None:
    came = await guest(people_of(store))
    people = people_of(store)
    found = await asyncio.gather(*[people.come_back(str(came.token)) for _ in range(20)])
    assert len({id(one.identity) for one in found if one is not None}) == 1
    assert None not in found


async def test_those_longest_away_are_forgotten_and_looked_up_again(store: MemoryStore) -> None:
    people = people_of(store, most=3)
    here = await guest(people, "here")
    here.identity.lines.append(object())  # type: ignore[arg-type]  # any line counts
    away = [await guest(people, f"away {number}") for number in range(10)]

    assert len(people) == 3
    assert people.known(here.identity.id) is here.identity
    reads = store.reads
    back = await people.come_back(str(away[0].token))
    assert back is not None
    assert back.identity.name == "away 0"
    assert store.reads == reads + 1
    await people.come_back(str(away[0].token))
    assert store.reads == reads + 1


async def test_a_session_in_use_is_said_to_be_once_a_day(store: MemoryStore) -> None:
    now = [datetime(2026, 1, 31, 23, 0, tzinfo=UTC)]
    people = people_of(store, utc_now=lambda: now[0])
    came = await guest(people)
    for _ in range(3):
        await people.come_back(str(came.token))
    assert not any(isinstance(change, SessionUsed) for change in store.told)

    now[0] = datetime(2026, 2, 1, 1, 0, tzinfo=UTC)
    for _ in range(3):
        await people.come_back(str(came.token))
    await asyncio.sleep(0)
    uses = [change for change in store.told if isinstance(change, SessionUsed)]
    assert uses == [SessionUsed(came.session, "2026-02-01T01:00:00Z")]


async def test_an_address_makes_so_many_guests(store: MemoryStore) -> None:
    people = people_of(store)
    for _ in range(100):
        await people.welcome("Ada", AWAY)
    assert await refused(people.welcome("Ada", AWAY)) == "too_many"
    await people.welcome("Ada", "203.0.113.8")


# --- names -------------------------------------------------------------------------------------------------------


async def test_who_gives_no_proper_name_is_a_numbered_guest(store: MemoryStore) -> None:
    people = people_of(store, names=["Steady"])
    for name in (None, "", "\u202e", "Steady", "Admin", "A\u0434a"):
        came = await people.welcome(name, HERE)
        assert came.identity.name.startswith("Guest ")
        assert 100 <= int(came.identity.name.removeprefix("Guest ")) <= 999


async def test_a_guest_keeps_its_own_name_and_nobody_takes_anothers(store: MemoryStore) -> None:
    """In whatever language a client words them: `Guest 123` may be read as 訪客 123."""
    people = people_of(store)
    first, second = [(await people.welcome(name, HERE)).identity for name in (None, "訪客 123")]
    assert second.name.startswith("Guest ")
    assert await people.rename(first, f" {first.name} ") == first.name
    for name in ("Guest 99", second.name.replace("Guest", "訪客"), "訪客 5", "guest I00"):
        assert await refused(people.rename(first, name)) == "bad_name"
    assert await people.rename(first, "Gus") == "Gus"
    assert await refused(people.rename(first, "Guest 500")) == "bad_name", "not even a name it had"


async def test_another_name_is_kept(store: MemoryStore) -> None:
    people = people_of(store, names=["Steady"])
    came = await guest(people)

    assert await people.rename(came.identity, " Ada  Lovelace ") == "Ada Lovelace"
    for bad in ("\u200b", "St\u0435ady", "moderator"):
        assert await refused(people.rename(came.identity, bad)) == "bad_name"
    back = await people_of(store).come_back(str(came.token))
    assert back is not None
    assert back.identity.name == came.identity.name == "Ada Lovelace"


# --- accounts ----------------------------------------------------------------------------------------------------


async def test_an_account_keeps_the_guest_and_is_found_from_elsewhere(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    assert await people.register(came.identity, HERE, "  Ada ", PASSWORD) == "Ada"
    assert came.identity.account == "Ada"

    for spelling in ("Ada", "ADA", "\uff41da", "\u0410d\u0430"):
        again = people_of(store)
        found = await again.log_in(OPEN, HERE, spelling, PASSWORD)
        assert (found.identity.id, found.identity.name, found.identity.account) == (came.identity.id, "Ada", "Ada")
        assert found.token != came.token
        back = await again.come_back(str(found.token))
        assert back is not None
        assert back.identity is found.identity
    assert PASSWORD not in repr([store.told, people.__dict__])


async def test_a_name_is_one_persons_in_every_spelling_that_looks_like_it(store: MemoryStore) -> None:
    people = people_of(store, names=["Steady"])
    ada, bob = await guest(people), await guest(people, "Bob")
    await people.register(ada.identity, HERE, "Bill", PASSWORD)

    # Another case, full width, Cyrillic throughout, digits and capitals that look like the letters.
    for name in ("bill", "\uff22\uff29\uff2c\uff2c", "BI11", "Bi ll", "B\u0406II"):
        assert await refused(people.register(bob.identity, HERE, name, PASSWORD)) in {"name_taken", "bad_name"}
    for name in ("Steady", "admin", "Mahjong Parlour"):
        assert await refused(people.register(bob.identity, HERE, name, PASSWORD)) == "name_taken"
    for name in ("\u200b", "  ", "x" * 25, "B\u0456ll"):
        assert await refused(people.register(bob.identity, HERE, name, PASSWORD)) == "bad_name"
    assert await refused(people.register(ada.identity, HERE, "Another", PASSWORD)) == "name_taken"
    assert len(store.accounts) == 1


async def test_two_who_want_one_name_at_once_do_not_both_have_it(store: MemoryStore) -> None:
    people = people_of(store)
    both = [await guest(people, "Ada"), await guest(people, "Bob")]
    answers = await asyncio.gather(
        *[people.register(came.identity, HERE, "Carol", PASSWORD) for came in both],
        people.register(both[0].identity, HERE, "Dora", PASSWORD),
        return_exceptions=True,
    )
    assert [str(answer) for answer in answers if not isinstance(answer, BaseException)] == ["Carol"]
    assert len(store.accounts) == 1


async def test_an_address_makes_so_many_accounts(store: MemoryStore) -> None:
    people = people_of(store)
    for number in range(10):
        await people.register((await guest(people)).identity, AWAY, f"Account {number}", PASSWORD)
    late = await guest(people)
    assert await refused(people.register(late.identity, AWAY, "Another", PASSWORD)) == "too_many"
    assert await people.register(late.identity, "203.0.113.8", "Another", PASSWORD) == "Another"


async def test_a_disk_that_is_too_slow_is_no_reason_to_remember_everybody_who_came(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(everybody, "UNWRITTEN", 3)
    people = people_of(store)
    store.commits = False
    waiting = [asyncio.ensure_future(people.welcome("Ada", HERE)) for _ in range(3)]
    await asyncio.sleep(0)
    assert await refused(people.welcome("Ada", HERE)) == "too_many"
    store.resume()
    await asyncio.gather(*waiting)
    await people.welcome("Ada", HERE)


async def test_what_is_written_for_one_person_is_bounded(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    for number in range(10):
        await people.rename(came.identity, f"Ada {number}")
    assert await refused(people.rename(came.identity, "Ada")) == "too_many"
    await people.register(came.identity, HERE, "Ada", PASSWORD)
    for _ in range(30):
        await people.log_in(OPEN, HERE, "Ada", PASSWORD)
    assert await refused(people.log_in(OPEN, HERE, "Ada", PASSWORD)) == "too_many"
    assert await people.come_back(str(came.token)) is not None


async def test_a_registration_that_is_given_up_holds_no_name(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    store.hold = asyncio.Event()
    asking = asyncio.ensure_future(people.register(came.identity, HERE, "Ada", PASSWORD))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    store.hold = None
    assert await people.register(came.identity, HERE, "Ada", PASSWORD) == "Ada"


@pytest.mark.parametrize("password", ["", "short", "123456789", "ada-lovelace", "ADA-LOVELACE"])
async def test_a_password_is_long_and_not_the_name(store: MemoryStore, password: str) -> None:
    people = people_of(store)
    came = await guest(people)
    assert await refused(people.register(came.identity, HERE, "Ada-Lovelace", password)) == "weak_password"
    assert store.accounts == {}


async def test_a_wrong_password_and_an_unknown_name_are_answered_alike(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = people_of(store)
    await people.register((await guest(people)).identity, HERE, "Ada", PASSWORD)
    hashes: list[bytes] = []
    verify = PasswordHasher.verify

    def counted(hasher: PasswordHasher, password_hash: str, password: bytes) -> bool:
        hashes.append(password)
        return bool(verify(hasher, password_hash, password))

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    said = []
    for account in ("Ada", "Nobody"):
        with pytest.raises(Refused) as error:
            await people.log_in(OPEN, HERE, account, "something else")
        said.append((error.value.code, str(error.value)))
    assert said[0] == said[1]
    assert said[0][0] == "bad_login"
    # What takes the time is done once for each.
    assert hashes == [b"something else"] * 2


async def test_failures_slow_down_an_account_and_an_address(store: MemoryStore) -> None:
    people = people_of(store)
    await people.register((await guest(people)).identity, HERE, "Ada", PASSWORD)
    for _ in range(FAILURES):
        assert await refused(people.log_in(OPEN, HERE, "Ada", "something else")) == "bad_login"
    assert await refused(people.log_in(OPEN, HERE, "Ada", PASSWORD)) == "too_many"
    # A name that nobody has is slowed down as well, so that this shows nothing.
    for name in ("Nobody",):
        for _ in range(FAILURES):
            assert await refused(people.log_in(OPEN, HERE, name, PASSWORD)) == "bad_login"
        assert await refused(people.log_in(OPEN, HERE, name, PASSWORD)) == "too_many"
    for number in range(FAILURES):
        assert await refused(people.log_in(OPEN, AWAY, f"Name {number}", PASSWORD)) == "bad_login"
    assert await refused(people.log_in(OPEN, AWAY, "Another", PASSWORD)) == "too_many"


def test_a_try_is_had_again_after_twelve_seconds_and_success_clears_an_account() -> None:
    attempts = Attempts()
    for _ in range(FAILURES):
        attempts.begin(AWAY, "ada", 0.0)
    with pytest.raises(Refused):
        attempts.begin(AWAY, "ada", 11.0)
    attempts.begin(AWAY, "ada", 12.5)
    with pytest.raises(Refused):
        attempts.begin(AWAY, "ada", 13.0)
    attempts.succeeded(AWAY, "ada")
    # The address has one back, not all: an account of one's own is no licence to try others.
    attempts.begin(AWAY, "ada", 13.0)
    with pytest.raises(Refused):
        attempts.begin(AWAY, "bob", 13.0)
    attempts.begin("2001:db8::1", "ada", 13.0)


def test_what_is_kept_of_failures_is_bounded() -> None:
    budgets = Budgets(most=10)
    for number in range(1000):
        budgets.take(f"name {number}", 5, 60.0, 0.0)
    assert len(budgets._left) == 10


async def test_whom_the_house_has_banned_does_not_log_in(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    await people.register(came.identity, HERE, "Ada", PASSWORD)

    class Strict(OpenHouse):
        def banned(self, identity: str | None, address: str) -> bool:
            return identity == came.identity.id

    sessions = len(store.sessions)
    assert await refused(people.log_in(Strict(), HERE, "Ada", PASSWORD)) == "banned"
    assert await refused(people.log_in(Strict(), HERE, "Ada", "something else")) == "bad_login"
    assert len(store.sessions) == sessions


async def test_a_hash_at_other_costs_is_made_anew(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    people = people_of(store)
    came = await guest(people)
    await people.register(came.identity, HERE, "Ada", PASSWORD)
    before = store.accounts["ada"].password_hash
    await people.log_in(OPEN, HERE, "Ada", PASSWORD)
    assert store.accounts["ada"].password_hash == before

    monkeypatch.setattr(costs, "PASSES", 2)
    await people_of(store).log_in(OPEN, HERE, "Ada", PASSWORD)
    assert store.accounts["ada"].password_hash != before
    assert "t=2," in store.accounts["ada"].password_hash
    await people_of(store).log_in(OPEN, HERE, "Ada", PASSWORD)
    assert len([change for change in store.told if isinstance(change, PasswordChanged)]) == 1


async def test_a_password_composed_otherwise_is_the_same(store: MemoryStore) -> None:
    people = people_of(store)
    await people.register((await guest(people)).identity, HERE, "Ada", "caf\u00e9 caf\u00e9 caf\u00e9")
    await people.log_in(OPEN, HERE, "Ada", "cafe\u0301 cafe\u0301 cafe\u0301")


# --- going -------------------------------------------------------------------------------------------------------


async def test_a_token_that_was_given_back_is_void_before_that_is_written(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    await people.register(came.identity, HERE, "Ada", PASSWORD)
    other = await people.log_in(OPEN, HERE, "Ada", PASSWORD)
    store.commits = False
    leaving = asyncio.ensure_future(people.log_out(came.identity, came.session, everywhere=False))
    await asyncio.sleep(0)

    assert not leaving.done()
    assert await people.come_back(str(came.token)) is None
    assert await people.come_back(str(other.token)) is not None
    store.resume()
    await leaving
    assert await people.come_back(str(came.token)) is None
    assert await people_of(store).come_back(str(came.token)) is None
    assert await people_of(store).come_back(str(other.token)) is not None
    assert people._ending == set()


async def test_all_tokens_of_a_person_are_void_everywhere(store: MemoryStore) -> None:
    people = people_of(store)
    came = await guest(people)
    stranger = await guest(people, "Bob")
    await people.register(came.identity, HERE, "Ada", PASSWORD)
    other = await people.log_in(OPEN, HERE, "Ada", PASSWORD)
    store.commits = False
    leaving = asyncio.ensure_future(people.log_out(came.identity, came.session, everywhere=True))
    await asyncio.sleep(0)
    for one in (came, other):
        assert await people.come_back(str(one.token)) is None
    store.resume()
    await leaving
    for one in (came, other):
        assert await people.come_back(str(one.token)) is None
        assert await people_of(store).come_back(str(one.token)) is None
    assert await people.come_back(str(stranger.token)) is not None
    back = await people.log_in(OPEN, HERE, "Ada", PASSWORD)
    assert await people.come_back(str(back.token)) is not None


async def test_a_look_that_began_before_a_token_was_void_does_not_revive_it(store: MemoryStore) -> None:
    came = await guest(people_of(store))
    people = people_of(store)
    store.hold = asyncio.Event()
    looking = asyncio.ensure_future(people.come_back(str(came.token)))
    await asyncio.sleep(0)
    await people.log_out(people.held(came.identity.id, "Ada"), came.session, everywhere=False)
    store.hold.set()

    assert await looking is None
    assert store.sessions == {}


# --- hashing -----------------------------------------------------------------------------------------------------


async def test_two_hashes_at_once_and_a_bounded_queue() -> None:
    working: list[Future[Any]] = []

    class Held:
        def submit(self, work: Callable[[], Any]) -> "Future[Any]":
            future: Future[Any] = Future()
            working.append(future)
            return future

    passwords = Passwords(Chance(), Held())
    most = costs.AT_ONCE + costs.WAITING
    asked = [asyncio.ensure_future(passwords.hash("x")) for _ in range(most)]
    await asyncio.sleep(0)
    assert await refused(passwords.hash("x")) == "too_many"
    # Who gives up does not free a thread that is at work.
    asked[0].cancel()
    await asyncio.sleep(0)
    for future in working[1:]:
        future.set_result("hash")
    for one in asked[1:]:
        assert await one == "hash"
    await asyncio.sleep(0)
    assert passwords._busy <= 1
    late = asyncio.ensure_future(passwords.hash("x"))
    await asyncio.sleep(0)
    working[-1].set_result("hash")
    assert await late == "hash"


async def test_the_house_hashes_with_argon2id_in_threads_of_its_own() -> None:
    passwords = Passwords(Chance())
    try:
        hashed = await passwords.hash(PASSWORD)
        assert hashed.startswith("$argon2id$")
        assert await passwords.fits(hashed, PASSWORD)
        assert not await passwords.fits(hashed, PASSWORD + "x")
        assert not await passwords.fits(None, PASSWORD)
        assert not await passwords.fits("no hash", PASSWORD)
        assert await passwords.hash(PASSWORD) != hashed
    finally:
        passwords.close()
