"""kill -9 at any moment: what was called done is there, once, and the database is sound."""

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from parlour_server.storage import reading
from parlour_server.storage.sqlite import SqliteDatabase
from tests.server.storage.killed import TABLES
from tests.server.storage.telling import numbers

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_what_was_called_done_is_there_once_after_every_kill(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "parlour.db"
    kills_in_work = 0
    durable: set[int] = set()
    following = 0
    for _ in range(20):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.server.storage.killed", str(path), str(following)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        ) as server:
            assert server.stdout is not None
            first = server.stdout.readline()
            assert first, "the server did not start"
            time.sleep(chance.random() * 0.08)
            server.kill()
            # The last line is whole: each is written at once.
            heard = [int(line) for line in (first + server.stdout.read()).splitlines()]
        assert heard == list(range(heard[0], heard[0] + len(heard)))
        durable |= set(heard)
        kills_in_work += len(heard) > 1
        there: list[int] = []
        with closing(SqliteDatabase(path, "full")) as database:
            assert database.problems() == []
            for table in range(TABLES):
                found = numbers(reading.all_rows(database, str(table)))
                assert found == sorted(found)
                there += found
        lost = durable - set(there)
        assert not lost, f"seed {seed}: done and not there: {sorted(lost)[:5]}"
        assert all(there.count(number) == 2 for number in there[-50:])
        assert len(there) == 2 * len(set(there)), f"seed {seed}: a row is there more or less often than it was told"
        following = max(there) + 1
    assert kills_in_work > 10
