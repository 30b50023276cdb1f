"""Whether a server could start with some settings, found out without changing anything: `parlour serve --check`."""

import os
import sqlite3
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from parlour_server.fairness.seal import KeyUnusable, house_key
from parlour_server.places import admin_socket, key_folder
from parlour_server.record_text import counted
from parlour_server.rulesets import Shelf
from parlour_server.settings import Settings, SettingsError
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.opening import file_of, is_postgres
from parlour_server.storage.sqlite import SqliteDatabase, check_ours
from parlour_server.storage.store import StoreError


def checked(settings: Settings, client: Traversable) -> Iterator[str]:
    """Lines about what was looked at; raises SettingsError, StoreError, RulesetError or ResourceMissing.

    The port is not tried: the server that is to be restarted has it.
    """
    listen = settings.listen
    yield f"listen: {listen.host} port {listen.port}, for {', '.join(listen.public_origins) or 'this machine alone'}"
    yield f"page: {counted(_page(client), 'file')}"
    yield f"rulesets: {', '.join(_rulesets(settings))}"
    yield f"storage: {storage_state(settings.storage.url)}"
    yield f"seal: {_seal(key_folder(settings))}"
    yield f"admin: {admin_socket(settings)}"
    if settings.records.folder:
        yield f"records: {_writable(Path(settings.records.folder), 'records.folder')}"
    yield "metrics: with a token" if settings.metrics.token else "metrics: on this machine"


def _page(client: Traversable) -> int:
    try:
        return sum(1 for _ in client.iterdir())
    except OSError as error:
        cure = "check its permissions, or build it anew"
        raise SettingsError(f"the built client cannot be read ({error}); {cure}") from None


def _seal(folder: Path) -> str:
    """What players compare the seal of a record with."""
    try:
        key = house_key(folder)
    except KeyUnusable as error:
        raise SettingsError(str(error)) from None
    return "a key to be made" if key is None else f"public key {key}"


def _rulesets(settings: Settings) -> list[str]:
    shelf = Shelf(settings.rulesets.folder)
    return [shelf.choose(name, {}).key for name in shelf.names]


def _writable(folder: Path, name: str) -> Path:
    """The folder, there or to be made; raises SettingsError where it cannot be written."""
    there = folder.absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise SettingsError(f"{name} {folder} cannot be written; name a folder that can")
    return folder


def storage_state(url: str) -> str:
    """How the storage is; raises StoreError or SettingsError where it cannot be used."""
    return _server_state(url) if is_postgres(url) else _file_state(file_of(url))


def _file_state(path: Path) -> str:
    if not path.exists():
        _writable(path.parent, "the folder of storage.url")
        return f"{path}, to be made"
    if not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"the database {path} cannot be read and written by this user")
    try:
        database = SqliteDatabase(path, "full")
        try:
            ((version,),) = database.rows("PRAGMA user_version")
            check_ours(database, path)
        finally:
            database.close()
    except sqlite3.Error as error:
        raise StoreError(f"the database {path} cannot be used ({error}); put a backup back: parlour restore") from None
    return f"{path}, {_schema(version)}"


def _schema(version: int) -> str:
    newest = len(STEPS)
    if version > newest:
        raise StoreError(f"the database has schema {version}, this program knows {newest}: run the newer program")
    return f"schema {version}" if version == newest else f"schema {version}, to be brought to {newest}"


def _server_state(url: str) -> str:
    try:
        import psycopg  # noqa: PLC0415 # not everybody has installed it
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 # as above

        from parlour_server.storage.postgres import TRIED  # noqa: PLC0415 # as above
    except ImportError:
        raise StoreError("the driver is not installed: pip install mahjong-parlour[postgres]") from None
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:  # whose text would repeat the password
        raise StoreError("storage.url is no URL that PostgreSQL understands") from None
    where = f"PostgreSQL's database {parts.get('dbname', '')} on {parts.get('host', '')}"
    try:
        with psycopg.connect(url, connect_timeout=5) as database:
            found = database.execute("SELECT to_regclass('schema_version') IS NOT NULL").fetchone()
            # Only trying tells whether this user may make tables there; the trial is taken back.
            with database.transaction(force_rollback=True):
                for statement in TRIED:
                    database.execute(statement)
                version = database.execute("SELECT version FROM schema_version").fetchone()
            if found != (True,):
                return f"{where}, to be made"
    except psycopg.Error as error:
        said = " ".join(str(error).split())
        raise StoreError(f"{where} cannot be used ({said}): check storage.url and the server") from None
    return f"{where}, {_schema(version[0] if version else 0)}"
