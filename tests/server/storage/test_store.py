"""What goes into a store comes out of it, after it was closed and opened again, too."""

import asyncio
from functools import partial

from structlog.testing import capture_logs

from parlour_server.storage.changes import (
    AccountMade,
    Banned,
    Change,
    IdentityMade,
    IdentityRenamed,
    Muted,
    PasswordChanged,
    Pruned,
    RulesetKept,
    SessionEnded,
    SessionMade,
    SessionsEnded,
    SessionUsed,
    TableBegan,
    TableGone,
    Together,
    Unbanned,
    Unmuted,
)
from parlour_server.storage.store import LiveRows, Store, StoredAccount, StoredIdentity
from parlour_server.storage.threads import ThreadedStore
from tests.server.storage.conftest import Place
from tests.server.storage.telling import NOON, made, meta, numbers, rows, written

ANN = IdentityMade("ann", "Ann", NOON)
KEY, OTHER = b"k" * 32, b"o" * 32


async def live(store: Store) -> list[LiveRows]:
    return [found async for found in store.live_tables()]


async def test_rows_of_tables_come_back_in_order_after_the_store_was_opened_again(place: Place) -> None:
    store = place.open()
    await written(store, made("one"), made("two", made_at="2026-01-31T12:00:01Z"))
    await written(store, rows("one", 1, 2, 3), rows("two", 4), rows("one", 5), rows("two", 6, 7))
    assert await store.close() == 0
    store = place.open()
    await written(store, rows("one", 8))
    one, two = await live(store)
    await store.close()
    assert (one.table, one.meta, numbers(one.rows)) == ("one", meta("one"), [1, 2, 3, 5, 8])
    assert (two.table, numbers(two.rows)) == ("two", [4, 6, 7])


async def test_a_table_that_is_gone_leaves_nothing(store: ThreadedStore) -> None:
    await written(store, made("one"), made("two"), rows("one", 1), rows("two", 2), TableGone("one"))
    assert [found.table for found in await live(store)] == ["two"]
    assert await store.all_rows("one") == []
    await written(store, made("one"), rows("one", 3))
    assert numbers(await store.all_rows("one")) == [3]


async def test_the_time_at_which_a_match_began_belongs_to_what_its_table_was_made_of(store: ThreadedStore) -> None:
    await written(store, made("one"), TableBegan("one", "2026-01-31T12:30:00Z"))
    (found,) = await live(store)
    assert found.meta == meta("one", began="2026-01-31T12:30:00Z")


async def test_done_is_called_in_the_order_of_the_writes_and_after_all_is_readable(store: ThreadedStore) -> None:
    store.write(made("one"))
    called: list[int] = []
    last = asyncio.Event()
    for number in range(500):
        store.write(rows("one", number), partial(called.append, number))
    store.write(rows("one", 500), last.set)
    await asyncio.wait_for(last.wait(), 20)
    assert called == list(range(500))
    assert numbers(await store.all_rows("one")) == list(range(501))


async def test_nothing_is_called_before_the_loop_turns(store: ThreadedStore) -> None:
    called: list[str] = []
    store.write(ANN, lambda: called.append("done"))
    assert called == []
    await written(store, IdentityRenamed("ann", "Anna"))
    assert called == ["done"]


async def test_people_are_found_by_token_and_by_account(store: ThreadedStore) -> None:
    await written(store, ANN, SessionMade(KEY, "ann", NOON), SessionMade(OTHER, "ann", NOON))
    assert await store.identity_of_key(KEY) == StoredIdentity("ann", "Ann", None, NOON)
    assert await store.identity_of_key(b"x" * 32) is None
    await written(store, IdentityRenamed("ann", "Änne"), AccountMade("ann", "Ann the First", "ann the first", "$hash"))
    assert await store.identity("ann") == StoredIdentity("ann", "Änne", "Ann the First", NOON)
    assert await store.account("ann the first") == StoredAccount("ann", "Ann the First", "$hash", "Änne")
    assert await store.account("ann") is None
    await written(store, PasswordChanged("ann", "$better"))
    assert await store.account("ann the first") == StoredAccount("ann", "Ann the First", "$better", "Änne")


async def test_tokens_end_one_by_one_or_all_at_once(store: ThreadedStore) -> None:
    more = b"m" * 32
    await written(store, ANN, *[SessionMade(key, "ann", NOON) for key in (KEY, OTHER, more)], SessionEnded(KEY))
    assert await store.identity_of_key(KEY) is None
    assert await store.identity_of_key(OTHER) is not None
    await written(store, SessionsEnded("ann"))
    assert await store.identity_of_key(OTHER) is None
    assert await store.identity_of_key(more) is None
    assert await store.identity("ann") is not None


async def test_guests_who_were_not_seen_for_long_are_forgotten_and_people_with_accounts_are_not(
    store: ThreadedStore,
) -> None:
    def people() -> list[Change]:
        made: list[Change] = []
        for name in ("ann", "bob", "cat"):
            made += [IdentityMade(name, name, NOON), SessionMade(name.encode(), name, NOON)]
        return made

    await written(store, *people(), AccountMade("cat", "Cat", "cat", "$hash"))
    await written(store, SessionUsed(b"bob", "2026-03-01T12:00:00Z"), Pruned(sessions_before="2026-02-01T00:00:00Z"))
    assert await store.identity("ann") is None
    assert await store.identity_of_key(b"ann") is None
    assert await store.identity_of_key(b"bob") is not None
    assert await store.identity("cat") is not None
    assert await store.identity_of_key(b"cat") is None


async def test_bans_and_mutes_are_kept_until_they_are_lifted(store: ThreadedStore) -> None:
    first = Banned("address", "192.0.2.7", None, "flood", NOON)
    second = Banned("identity", "ann", "2026-02-01T00:00:00Z", "abuse", "2026-01-31T12:00:01Z")
    mute = Muted("ann", None, "shouting", NOON)
    await written(store, first, second, mute)
    assert await store.bans() == [first, second]
    assert await store.mutes() == [mute]
    again = Banned("address", "192.0.2.7", "2026-02-02T00:00:00Z", "flood again", "2026-01-31T12:00:02Z")
    await written(store, again, Unbanned("identity", "ann"), Unmuted("ann"))
    assert await store.bans() == [again]
    assert await store.mutes() == []


async def test_a_ruleset_is_kept_once_with_the_files_it_is_based_on(store: ThreadedStore) -> None:
    kept = RulesetKept("d" * 64, "house", "2", 'key = "house"\n' * 100, {"lrc": "text 文"})
    await written(store, kept, RulesetKept("d" * 64, "house", "2", "the same with another comment"))
    assert await store.ruleset("d" * 64) == kept
    assert await store.ruleset("e" * 64) is None


async def test_changes_together_are_all_refused_where_one_is(store: ThreadedStore) -> None:
    refused: list[Change] = []
    store.on_refused(lambda change, error: refused.append(change))
    both = Together((IdentityMade("bob", "Bob", NOON), SessionMade(KEY, "nobody", NOON)))
    await written(store, ANN, both, IdentityMade("cat", "Cat", NOON))
    assert refused == [both]
    assert await store.identity("bob") is None
    assert await store.identity("ann") is not None
    assert await store.identity("cat") is not None


async def test_a_sound_database_has_no_problems(store: ThreadedStore) -> None:
    await written(store, ANN, made("one"), rows("one", 1))
    assert await store.integrity() == []


async def test_what_is_queued_is_written_when_the_store_closes(place: Place) -> None:
    store = place.open()
    store.write(made("one"))
    for number in range(2500):
        store.write(rows("one", number))
    assert await store.close() == 0
    store = place.open()
    (found,) = await live(store)
    await store.close()
    assert numbers(found.rows) == list(range(2500))


async def test_no_link_is_in_the_log_where_a_change_is_refused(store: ThreadedStore) -> None:
    link = "the-link-that-opens-the-table"
    with capture_logs() as said:
        await written(store, made(link), made(link), rows("another-" + link, 1), ANN)
    assert [one["event"] for one in said] == ["change refused", "change refused"]
    assert link not in str(said)
