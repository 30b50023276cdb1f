"""The measurements can be made: a small load, and everybody coming back after a kill. What they say of speed is for
`make load` and `make storm`, on a machine that does nothing else."""

import argparse

import pytest

from bench.server.load import judged, load
from bench.server.storm import storm


@pytest.mark.slow
def test_a_small_load_is_measured() -> None:
    options = argparse.Namespace(
        tables=6,
        idle=20,
        rate=20.0,
        windows=1,
        seconds=2.0,
        settle=0.5,
        bare=True,
        apart=0.1,
        burst=False,
        profile=None,
    )
    found = load(options)
    assert not found["errors_logged"]
    assert found["server"]["actions_measured"] > 0
    assert found["server"]["messages_per_s"] > found["server"]["plays_per_s"] > 5
    assert found["bare"]["ratio"] > 0
    assert found["cut"]["log_lines"] <= 50
    assert len(judged(found)) == 6


@pytest.mark.slow
def test_everybody_comes_back_after_a_kill() -> None:
    """C08: spread over eight seconds, nobody is lost."""
    found = storm(argparse.Namespace(tables=6, rate=20.0, seconds=1.0))
    assert found["never_back"] == 0
    assert not found["errors"]
