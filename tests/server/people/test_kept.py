"""People in a real database: what was told survives the process."""

import asyncio
from pathlib import Path

import pytest

from parlour_server.people import passwords as costs
from parlour_server.people.house import OpenHouse
from parlour_server.people.people import People
from parlour_server.refused import Refused
from parlour_server.storage.opening import open_store
from parlour_server.storage.store import Store

HERE = "127.0.0.1"
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost nothing; what they cost in a house is another test's."""
    monkeypatch.setattr(costs, "MEMORY_KIB", 8)
    monkeypatch.setattr(costs, "PASSES", 1)


def opened(folder: Path) -> Store:
    return open_store(str(folder / "people.db"), asyncio.get_running_loop().call_soon_threadsafe)


async def test_people_their_accounts_and_what_they_gave_back_outlive_the_process(tmp_path: Path) -> None:
    store = opened(tmp_path)
    people = People(store, 100)
    ada = await people.welcome("Ada", HERE)
    bob = await people.welcome("Bob", HERE)
    gone = await people.welcome("Gone", HERE)
    await people.register(ada.identity, HERE, "Ada", PASSWORD)
    await people.rename(ada.identity, "Ada Lovelace")
    phone = await people.log_in(OpenHouse(), HERE, "ADA", PASSWORD)
    await people.log_out(gone.identity, gone.session, everywhere=False)
    people.close()
    # No word to the store that this is the end: all of it was durable when it was told.
    await store.close()

    store = opened(tmp_path)
    again = People(store, 100)
    for came, name, account in ((ada, "Ada Lovelace", "Ada"), (phone, "Ada Lovelace", "Ada"), (bob, "Bob", None)):
        back = await again.come_back(str(came.token))
        assert back is not None
        assert (back.identity.id, back.identity.name, back.identity.account) == (came.identity.id, name, account)
    assert await again.come_back(str(gone.token)) is None
    with pytest.raises(Refused) as taken:
        await again.register(again.held(bob.identity.id, "Bob"), HERE, "ada", PASSWORD)
    assert taken.value.code == "name_taken"
    await again.log_out(ada.identity, ada.session, everywhere=True)
    for came in (ada, phone):
        assert await again.come_back(str(came.token)) is None
    assert (await again.log_in(OpenHouse(), HERE, "Ada", PASSWORD)).identity.id == ada.identity.id
    again.close()
    await store.close()


async def test_a_crowd_of_guests_is_written_together(tmp_path: Path) -> None:
    store = opened(tmp_path)
    people = People(store, 1000)
    crowd = await asyncio.gather(*[people.welcome(f"Guest of many {number}", HERE) for number in range(300)])
    assert len({came.token for came in crowd}) == len({came.identity.id for came in crowd}) == 300
    await store.close()

    store = opened(tmp_path)
    back = await asyncio.gather(*[People(store, 10).come_back(str(came.token)) for came in crowd])
    assert [one.identity.id for one in back if one is not None] == [came.identity.id for came in crowd]
    await store.close()
