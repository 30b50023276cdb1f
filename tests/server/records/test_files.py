"""The record of each match that is over, as a file of its own."""

import os
import stat
from pathlib import Path

import pytest

from parlour_server.records.folder import RecordFiles
from parlour_server.storage.changes import StoredMatch
from parlour_server.table.journal import Closed
from tests.server.storage.test_matches import over, replayed
from tests.server.table.sitting import FAST, Sitting, people, steady

LINK = "the-link-that-opens-the-table"


def match() -> StoredMatch:
    sitting = Sitting(people(0), FAST, seed=4, bots=steady)
    sitting.join("ann")
    sitting.start()
    return over([*sitting.rows, Closed(sitting.now)], LINK, began="2026-01-31T19:30:00Z")


def test_the_file_is_the_record_and_says_when_and_what_was_played(tmp_path: Path) -> None:
    stored = match()
    file = RecordFiles(tmp_path / "new" / "records").keep(stored)
    assert file.name == f"20260131T193000Z-lrc-{stored.match[:12]}.jsonl"
    assert file.read_text(encoding="utf-8") == stored.text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert LINK not in file.name
    replayed(stored, tmp_path)


def test_the_same_match_again_is_the_same_file(tmp_path: Path) -> None:
    files = RecordFiles(tmp_path)
    assert files.keep(match()) == files.keep(match())
    assert len(list(tmp_path.iterdir())) == 1


def test_a_record_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = RecordFiles(tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.keep(match())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        RecordFiles(tmp_path / "file" / "below")
