"""Which store: a file of SQLite's, or a PostgreSQL server by URL."""

from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from parlour_server.storage.database import Dialect, Synchronous
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.store import StoreError
from parlour_server.storage.threads import OnLoop, ThreadedStore, at_once

_POSTGRES: Final = ("postgresql://", "postgres://")
DRIVER: Final = (
    "storage.url names a PostgreSQL server, and its driver is not installed: pip install mahjong-parlour[postgres]"
)
_SQLITE: Final = "sqlite:"


def is_postgres(url: str) -> bool:
    """True where a PostgreSQL server is meant."""
    return url.startswith(_POSTGRES)


def file_of(url: str) -> Path:
    """The file that `storage.url` names: a path, `sqlite:PATH`, or nothing for the user's own. Raises StoreError."""
    if not url:
        return user_data_path("mahjong-parlour", appauthor=False) / "parlour.db"
    path = url.removeprefix(_SQLITE).removeprefix("//") if url.startswith(_SQLITE) else url
    if "://" in path or not path or "\0" in path:
        raise StoreError("storage.url is a path, or begins with postgresql://; leave it empty for a file of this user")
    return Path(path).expanduser()


def open_store(url: str, on_loop: OnLoop, synchronous: Synchronous = "full", soon: OnLoop = at_once) -> ThreadedStore:
    """The store that `storage.url` names, held by this server alone and migrated. `on_loop` is
    `loop.call_soon_threadsafe`, `soon` is `loop.call_soon`. Raises StoreError: StoreBusy, StoreNewer, or it cannot be
    used."""
    return ThreadedStore(_dialect(url, synchronous), on_loop, soon=soon)


def _dialect(url: str, synchronous: Synchronous) -> Dialect:
    if not is_postgres(url):
        return Sqlite(file_of(url), synchronous)
    try:
        from parlour_server.storage.postgres import Postgres  # noqa: PLC0415 # not everybody has installed its driver
    except ImportError as error:
        raise StoreError(DRIVER) from error
    return Postgres(url, synchronous)
