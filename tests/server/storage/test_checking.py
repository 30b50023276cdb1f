"""`parlour serve --check` beside a real PostgreSQL server."""

import asyncio

import psycopg
import pytest

from parlour_server.checking import storage_state
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.opening import open_store
from parlour_server.storage.postgres import Postgres
from parlour_server.storage.store import StoreError


def test_a_user_who_may_make_no_tables_is_told_before_the_start(postgres_url: str) -> None:
    """A database of somebody else's: from version 15 on its public schema is the owner's alone."""
    with psycopg.connect(postgres_url, autocommit=True) as database:
        database.execute("CREATE ROLE nobody_here LOGIN")
        schema = database.execute("SELECT current_schema()").fetchone()
        assert schema is not None
        database.execute(f"GRANT USAGE ON SCHEMA {schema[0]} TO nobody_here".encode())
    theirs = postgres_url.replace("//parlour@", "//nobody_here@")
    for refused in (storage_state, Postgres):
        with pytest.raises(StoreError, match=r"cannot be used \(permission denied for schema"):
            refused(theirs)
    missing = postgres_url.replace("search_path%3Dtest", "search_path%3Dnowhere")
    for refused in (storage_state, Postgres):
        with pytest.raises(StoreError, match="no schema has been selected"):
            refused(missing)


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
