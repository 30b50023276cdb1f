import hashlib
import hmac
import subprocess
import sys
from collections import Counter

import pytest

from parlour_bots.chance import Stream, stream


def golden_wall(seed: bytes) -> list[int]:
    """The shuffle of the commit-and-reveal scheme, whose vectors two other programs reproduced."""

    def sized(part: bytes) -> bytes:
        return len(part).to_bytes(2, "big") + part

    message = b"mj-key-v1" + sized(b"table:T1|hand:1") + b"".join(sized(bytes([n]) * 16) for n in range(4))
    return Stream(hmac.digest(seed, message, "sha256")).shuffled(range(144))


@pytest.mark.parametrize(
    ("seed", "first", "digest"),
    [
        (
            bytes(32),
            [27, 117, 104, 67, 35, 106],
            "5d7ab60307c03954bc9a43c29d5d867bbad6868b33b9ab102f07bddcc1c9ae2b",
        ),
        (
            bytes(range(32)),
            [96, 76, 122, 31, 14, 72],
            "bba15219cc53af73b23c12840f32bc726186c65503fe7ef11dda599c41ed1d74",
        ),
    ],
)
def test_the_shuffle_agrees_with_the_published_vectors(seed: bytes, first: list[int], digest: str) -> None:
    wall = golden_wall(seed)
    assert wall[:6] == first
    assert hashlib.sha256(bytes(wall)).hexdigest() == digest


def test_every_place_is_reached_evenly() -> None:
    chance = stream("evenness")
    # 24 orders of four tiles, 500 each expected; the standard deviation of a count is 22.
    orders = Counter(tuple(chance.shuffled(range(4))) for _ in range(12_000))
    assert len(orders) == 24
    assert min(orders.values()) > 390
    assert max(orders.values()) < 610


def test_parts_name_unrelated_streams_and_do_not_run_together() -> None:
    names = [("7", "1"), ("71",), ("7", "1", ""), ("", "71"), ("7", "2")]
    assert len({tuple(stream(*name).shuffled(range(144))) for name in names}) == len(names)


def test_a_number_and_its_text_name_the_same_stream() -> None:
    assert stream(7, 1).shuffled(range(20)) == stream("7", "1").shuffled(range(20))


@pytest.mark.parametrize("stop", [0, -1, 65537])
def test_an_impossible_range_is_refused(stop: int) -> None:
    with pytest.raises(ValueError, match="was asked for"):
        stream("x").randrange(stop)


def test_numbers_stay_below_stop() -> None:
    chance = stream("bounds")
    for stop in (1, 2, 3, 17, 65535, 65536):
        assert all(0 <= chance.randrange(stop) < stop for _ in range(200))


def test_the_hash_seed_changes_nothing() -> None:
    program = "from parlour_bots.chance import stream; print(stream(7, 0, 'wall').shuffled(range(144)))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(seen) == 1
