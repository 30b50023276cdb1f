"""A real server on a real disk, killed while people play; `make kill-loop` does it three hundred times."""

import argparse
from pathlib import Path

import pytest

from tools.kill_loop import run


@pytest.mark.slow
async def test_five_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    """G01, C10: no event that was told is lost or told twice, no payment is wrong, no prompt is another, and SQLite
    finds nothing amiss."""
    found = await run(argparse.Namespace(rounds=5, tables=50, seconds=1.0, seed=11), tmp_path)
    assert found["good"], found
    assert found["kills"] == 5
    assert found["events_told"] > 500
