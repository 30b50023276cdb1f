"""Where a server keeps what outlives it, when the settings do not say."""

from pathlib import Path
from typing import Final

from platformdirs import user_data_dir

from parlour_server.settings import LONGEST_SOCKET_PATH, Settings, SettingsError

DATABASE: Final = "parlour.db"
SOCKET: Final = "admin.sock"


def data_folder() -> Path:
    """The folder of this user for what this program keeps. It need not be there yet."""
    return Path(user_data_dir("mahjong-parlour", appauthor=False))


def is_server(url: str) -> bool:
    """Whether a storage's url names a database server, and not a file."""
    return "://" in url


def storage_url(settings: Settings) -> str:
    """The path of the database's file, or the URL of a server."""
    return settings.storage.url or str(data_folder() / DATABASE)


def admin_socket(settings: Settings) -> Path:
    """The path of the socket of `parlour admin`, beside the database; raises SettingsError where it is too long."""
    if settings.admin.socket:
        return Path(settings.admin.socket)
    url = storage_url(settings)
    path = (data_folder() if is_server(url) else Path(url).absolute().parent) / SOCKET
    if len(bytes(path)) > LONGEST_SOCKET_PATH:
        raise SettingsError(f"{path} is too long for a socket; name a shorter one as admin.socket")
    return path
