"""`parlour serve --check`: what it says of a house that could start, and of one that could not."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from parlour_server.checking import checked, storage_state
from parlour_server.cli import main
from parlour_server.fairness.seal import KEY_FILE, house_signer
from parlour_server.settings import Metrics, Records, Rulesets, Settings, SettingsError, Storage
from parlour_server.storage.migrations import STEPS
from parlour_server.storage.opening import open_store
from parlour_server.storage.store import StoreError


@pytest.fixture
def client(tmp_path: Path) -> Path:
    (tmp_path / "client").mkdir()
    (tmp_path / "client" / "index.html").write_text("<!doctype html>")
    return tmp_path / "client"


def said(settings: Settings, client: Path) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in checked(settings, client))


def test_a_house_that_could_start_says_what_with(tmp_path: Path, client: Path) -> None:
    settings = Settings(
        storage=Storage(url=str(tmp_path / "new" / "house.db")), records=Records(folder=str(tmp_path / "records"))
    )
    told = said(settings, client)

    assert told["listen"] == "127.0.0.1 port 8000, for this machine alone"
    assert told["storage"] == f"{tmp_path / 'new' / 'house.db'}, to be made"
    assert told["admin"] == str(tmp_path / "new" / "admin.sock")
    assert told["seal"] == "a key to be made"
    assert told["metrics"] == "on this machine"
    assert told["page"] == "1 file"
    assert "lrc" in told["rulesets"].split(", ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["client"], "looking makes nothing"


def test_the_key_that_players_compare_seals_with_is_told(tmp_path: Path, client: Path) -> None:
    settings = Settings(storage=Storage(url=str(tmp_path / "a.db")))
    signer = house_signer(tmp_path)
    assert said(settings, client)["seal"] == f"public key {signer.key}"
    (tmp_path / KEY_FILE).chmod(0o644)
    with pytest.raises(SettingsError, match="chmod 600"):
        said(settings, client)


def test_a_token_is_mentioned_and_not_shown(tmp_path: Path, client: Path) -> None:
    settings = Settings(storage=Storage(url=str(tmp_path / "a.db")), metrics=Metrics(token="x" * 20))
    assert said(settings, client)["metrics"] == "with a token"


async def test_a_database_says_its_schema_and_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    store = open_store(str(path), asyncio.get_running_loop().call_soon_threadsafe)
    # Also while a server has it: that is who is to be restarted.
    assert storage_state(str(path)) == f"{path}, schema {len(STEPS)}"
    await store.close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version={len(STEPS) + 1}")
    with pytest.raises(StoreError, match="run the newer program"):
        storage_state(str(path))
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version=0")
    assert storage_state(str(path)) == f"{path}, schema 0, to be brought to {len(STEPS)}"


def test_what_is_no_database_of_ours_is_named(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    path.write_text("no database at all, and long enough to be read as the head of one, which it is not" * 20)
    with pytest.raises(StoreError, match=r"cannot be used .*parlour restore"):
        storage_state(str(path))
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE cats (name TEXT)")
    with pytest.raises(StoreError, match="another program"):
        storage_state(str(path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, client: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(SettingsError, match=r"records\.folder"):
        said(Settings(records=Records(folder=str(locked / "r")), storage=Storage(url=str(tmp_path / "a.db"))), client)
    with pytest.raises(SettingsError, match=r"storage\.url"):
        said(Settings(storage=Storage(url=str(locked / "a.db"))), client)


def test_a_folder_that_is_a_file_is_named(tmp_path: Path, client: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match=r"records\.folder"):
        said(Settings(records=Records(folder=str(tmp_path / "file")), storage=Storage(url=str(tmp_path / "a"))), client)


def test_a_server_of_a_database_that_does_not_answer_is_named_without_its_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError) as caught:
        storage_state("postgresql://me:hunter2hunter2@127.0.0.1:1/parlour")
    assert "database parlour on 127.0.0.1 cannot be used" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_ruleset_that_is_wrong_is_named(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "house.toml").write_text("nonsense")
    result = CliRunner().invoke(
        main,
        ["serve", "--check"],
        env={"PARLOUR_RULESETS_FOLDER": str(tmp_path / "rules"), "PARLOUR_STORAGE_URL": str(tmp_path / "a.db")},
    )
    assert (result.exit_code, result.stdout) == (2, ""), "half a check would read as if the rest were well"
    assert "house.toml" in result.stderr


def test_the_command_checks_the_rulesets_folder_too(tmp_path: Path, client: Path) -> None:
    settings = Settings(rulesets=Rulesets(folder=str(tmp_path / "none")), storage=Storage(url=str(tmp_path / "a.db")))
    with pytest.raises(ValueError, match="none"):
        said(settings, client)


def test_the_command_says_so_and_serves_nothing(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--check"], env={"PARLOUR_STORAGE_URL": str(tmp_path / "a.db")})

    assert (result.exit_code, result.stderr) == (0, "")
    assert f"storage: {tmp_path / 'a.db'}, to be made" in result.stdout.splitlines()
