"""Where a server keeps what outlives it, when the settings do not say."""

from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from parlour_server.settings import LONGEST_SOCKET_PATH, Settings, SettingsError
from parlour_server.storage.opening import file_of, is_postgres

SOCKET: Final = "admin.sock"


def data_folder() -> Path:
    """The folder of this user for what this program keeps. It need not be there yet."""
    return user_data_path("mahjong-parlour", appauthor=False)


def admin_socket(settings: Settings) -> Path:
    """The path of the socket of `parlour admin`, beside the database; raises SettingsError where it is too long."""
    if settings.admin.socket:
        return Path(settings.admin.socket)
    url = settings.storage.url
    path = (data_folder() if is_postgres(url) else file_of(url).absolute().parent) / SOCKET
    if len(bytes(path)) > LONGEST_SOCKET_PATH:
        raise SettingsError(f"{path} is too long for a socket; name a shorter one as admin.socket")
    return path


def key_folder(settings: Settings) -> Path:
    """The folder of the key that seals records: the database's, or the user's own where the database is a server."""
    url = settings.storage.url
    return data_folder() if is_postgres(url) else file_of(url).absolute().parent
