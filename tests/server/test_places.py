from pathlib import Path

import pytest

from parlour_server.places import admin_socket, data_folder
from parlour_server.settings import Admin, Settings, SettingsError, Storage


def test_without_settings_everything_lies_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")

    assert data_folder() == Path("/somewhere/mahjong-parlour")
    assert admin_socket(Settings()) == Path("/somewhere/mahjong-parlour/admin.sock")


def test_the_socket_lies_beside_the_database() -> None:
    settings = Settings(storage=Storage(url="/var/lib/parlour/house.db"))

    assert admin_socket(settings) == Path("/var/lib/parlour/admin.sock")


def test_the_socket_of_a_house_with_a_database_server_lies_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    settings = Settings(storage=Storage(url="postgresql://parlour@db/parlour"))

    assert admin_socket(settings) == Path("/somewhere/mahjong-parlour/admin.sock")


def test_the_socket_may_be_elsewhere() -> None:
    assert admin_socket(Settings(admin=Admin(socket="/run/parlour.sock"))) == Path("/run/parlour.sock")


def test_a_place_too_long_for_a_socket_is_said_at_the_start() -> None:
    with pytest.raises(SettingsError, match=r"too long for a socket; name a shorter one as admin\.socket"):
        admin_socket(Settings(storage=Storage(url="/" + "x" * 120 + "/house.db")))
