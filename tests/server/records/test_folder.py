"""Records of tables that people play at, written while they play."""

import json
import os
import stat
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from parlour_server.cli import main
from parlour_server.cli.replay import command as replay_command
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Leave
from parlour_server.records import folder as folder_module
from parlour_server.records.folder import RecordFolder
from parlour_server.table.journal import Closed, Row
from tests.kit.clients import eager
from tests.server.conftest import Opening
from tests.server.table.sitting import FAST, Sitting, by_chance, people, silent, steady, timed

TABLE = "the-link-that-opens-the-table"


def now() -> datetime:
    return datetime(2026, 1, 31, 19, 30, tzinfo=UTC)


def kept(where: Path, *bundles: Sequence[Row], table: str = TABLE) -> Path:
    """The one file that these rows leave."""
    folder = RecordFolder(where, "a test", now)
    for rows in bundles:
        folder(table, list(rows))
    folder.close()
    (file,) = where.iterdir()
    return file


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_match_with_comings_and_goings_replays(tmp_path: Path) -> None:
    sitting = Sitting(people(0, 2), FAST, seed=4, bots=steady)
    ann, cat = sitting.join("ann"), sitting.join("cat")
    sitting.start()
    sitting.leave(cat)
    sitting.drop(ann)
    sitting.wait(200)
    assert sitting.table.over
    rows = sitting.rows
    file = kept(tmp_path, rows[:10], rows[10:11], rows[11:], [Closed(sitting.now + 900)])
    assert CliRunner().invoke(replay_command, [str(file)]).exit_code == 0
    header, *told = rows_of(file)
    assert header["began"] == "2026-01-31T19:30:00Z"
    assert [(seat["name"], seat["player"]) for seat in header["seats"]] == [
        ("Ann", "person"),
        ("Bot", "bot"),
        ("Cat", "person"),
        ("Bot", "bot"),
    ]
    assert told[-1]["row"] == "end"
    assert told[-1]["reason"] == "finished"
    times = [row["at"] for row in told]
    assert times[0] == 0
    assert times == sorted(times)
    changes = [(row["seat"], row["player"], row["level"], row["stand_in"]) for row in told if row["row"] == "seat"]
    assert (2, "bot", "steady", False) in changes
    assert (0, "person", "steady", True) in changes


def test_what_the_clock_answers_is_written_so_and_replays(tmp_path: Path) -> None:
    sitting = Sitting(people(0), timed(), seed=1, bots=silent)
    sitting.start()
    sitting.wait(400)
    file = kept(tmp_path, sitting.rows)
    result = CliRunner().invoke(replay_command, [str(file)])
    assert result.exit_code == 0
    assert "the record stops before the match is over" in result.stdout
    assert {row["by"] for row in rows_of(file)[1:] if row["row"] == "answered"} == {"clock"}


def test_no_link_and_no_identity_is_in_a_record_or_its_name(tmp_path: Path) -> None:
    sitting = Sitting(people(0, 1, 2, 3), FAST, seed=1)
    sitting.start()
    file = kept(tmp_path, sitting.rows)
    text = file.read_text(encoding="utf-8")
    assert '"Ann"' in text
    for secret in (TABLE, '"ann"', '"bob"'):
        assert secret not in text
    assert TABLE not in file.name
    assert file.name.startswith("20260131T193000Z-lrc-")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_table_that_is_closed_early_says_so(tmp_path: Path) -> None:
    sitting = Sitting(people(0), FAST, seed=1, bots=by_chance(1))
    sitting.join("ann")
    sitting.start()
    folder = RecordFolder(tmp_path, "a test", now)
    folder(TABLE, sitting.rows)
    folder(TABLE, [Closed(sitting.now + 1.5)])
    folder(TABLE, sitting.rows[-1:])
    folder.close()
    assert len(folder) == 0
    (file,) = tmp_path.iterdir()
    end = rows_of(file)[-1]
    assert (end["row"], end["reason"], end["at"]) == ("end", "closed", 1500)
    result = CliRunner().invoke(replay_command, [str(file)])
    assert result.exit_code == 0
    assert "the table was closed before the end" in result.stdout


def test_a_table_that_never_began_leaves_no_file(tmp_path: Path) -> None:
    folder = RecordFolder(tmp_path, "a test", now)
    folder(TABLE, [])
    folder(TABLE, [Closed(0.0)])
    folder.close()
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fails_ends_that_record_alone_and_leaves_whole_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (Sitting(people(0), FAST, seed=seed, bots=silent).start() for seed in (1, 2))
    folder = RecordFolder(tmp_path, "a test", now)
    folder("one", one.rows[:8])
    folder("other", other.rows[:8])
    folder.close()
    write = os.write
    written = 0

    def full(number: int, data: bytes) -> int:
        nonlocal written
        written += 1
        if written == 1:
            return write(number, data[:7])
        if written == 2:
            raise OSError(28, "No space left on device")
        return write(number, data)

    monkeypatch.setattr(os, "write", full)
    for table, sitting in (("one", one), ("other", other), ("one", one)):
        folder._queue.put((table, sitting.rows[8:]))
    folder._queue.put(None)
    folder._write_all()
    assert len(folder) == 1
    lines = sorted(len(rows_of(file)) for file in tmp_path.iterdir())
    # The header stands for the first row of the journal.
    assert lines == [8, len(other.rows)]


def test_the_disk_falls_behind_and_the_record_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MOST_WAITING", 2)
    sitting = Sitting(people(0), FAST, seed=1, bots=silent).start()
    folder = RecordFolder(tmp_path, "a test", now)
    folder.close()
    for first in range(0, 8, 2):
        folder(TABLE, sitting.rows[first : first + 2])
    folder._queue.put(None)
    folder._write_all()
    (file,) = tmp_path.iterdir()
    assert rows_of(file)[-1]["reason"] == "closed"
    assert CliRunner().invoke(replay_command, [str(file)]).exit_code == 0


async def test_a_house_keeps_the_record_of_a_match_played_at_it(open_house: Opening, tmp_path: Path) -> None:
    where = tmp_path / "records"
    folder = RecordFolder(where, "a test")
    house = await open_house(record=folder)
    client = await house.client("Zaphod")
    await client.say(CreateTable(clocks="off"))
    for _ in range(60):
        if client.asked is not None:
            await client.answer(eager)
        await client.next()
    await client.say(Leave())
    house.hall.close()
    folder.close()
    (file,) = where.iterdir()
    told = rows_of(file)
    assert {row["by"] for row in told[1:] if row["row"] == "answered"} == {"person", "bot"}
    assert told[-1] == told[-1] | {"row": "end", "reason": "closed"}
    assert client.token is not None
    assert client.token not in file.read_text(encoding="utf-8")
    assert CliRunner().invoke(replay_command, [str(file)]).exit_code == 0


def test_a_folder_that_cannot_be_written_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    config = tmp_path / "server.toml"
    config.write_text(f'[listen]\nport = 0\n[records]\nfolder = "{tmp_path / "file" / "below"}"\n')
    result = CliRunner().invoke(main, ["serve", "--config", str(config)])
    assert result.exit_code == 2
    assert "records.folder" in result.stderr
    assert "cannot be written" in result.stderr
