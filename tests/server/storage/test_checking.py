"""`parlour serve --check` beside a real PostgreSQL server."""

import asyncio

import psycopg
import pytest

from parlour_server.checking import storage_state
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.opening import open_store
from parlour_server.storage.store import StoreError


async def test_a_servers_database_says_its_schema_and_is_left_alone(postgres_url: str) -> None:
    newest = len(STEPS)
    assert storage_state(postgres_url).endswith(", to be made")
    assert storage_state(postgres_url).endswith(", to be made"), "looking makes nothing"
    store = open_store(postgres_url, asyncio.get_running_loop().call_soon_threadsafe)
    assert storage_state(postgres_url).endswith(f", schema {newest}"), "also while a server has it"
    await store.close()
    with psycopg.connect(postgres_url) as database:
        database.execute("UPDATE schema_version SET version = version + 1")
    with pytest.raises(StoreError, match="run the newer program"):
        storage_state(postgres_url)
