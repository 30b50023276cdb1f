"""The shuffle is the one that docs/fairness.md writes down, and it prefers no order."""

import hashlib
import os
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.tiles import full_wall
from parlour_server.fairness.shuffle import (
    NO_NONCE,
    below,
    commitment,
    context,
    dealt,
    die,
    hexed,
    kind_of,
    nonces_of,
    octets_of,
    shuffled,
    stream_key,
    with_length,
)

CONTEXT = b"table:T1|hand:1"
NONCES = [bytes([seat]) * 16 for seat in range(4)]
# Two programs by other people have come to these: a seed, the ends of its commitment, the wall's hash, its first tiles.
GOLDEN = [
    (
        bytes(32),
        ("971164c6", "7dfbda"),
        "5d7ab60307c03954bc9a43c29d5d867bbad6868b33b9ab102f07bddcc1c9ae2b",
        [27, 117, 104, 67, 35, 106],
    ),
    (
        bytes(range(32)),
        ("3db1de16", "ec359"),
        "bba15219cc53af73b23c12840f32bc726186c65503fe7ef11dda599c41ed1d74",
        [96, 76, 122, 31, 14, 72],
    ),
]
SEEDS = st.binary(min_size=32, max_size=32)


@pytest.mark.parametrize(("seed", "ends", "digest", "first"), GOLDEN)
def test_the_golden_vectors(seed: bytes, ends: tuple[str, str], digest: str, first: list[int]) -> None:
    commit = commitment(CONTEXT, seed).hex()
    assert (commit.startswith(ends[0]), commit.endswith(ends[1])) == (True, True)
    wall, _ = dealt(CONTEXT, seed, NONCES, 144, 3)
    assert wall[:6] == first
    assert hashlib.sha256(bytes(wall)).hexdigest() == digest


def test_what_is_hashed_octet_by_octet() -> None:
    # Written out by hand: a label, then each part with its length in two octets, the greater first.
    seed = bytes(range(32))
    told = b"mj-commit-v1\x00\x0ftable:T1|hand:1\x00\x20" + seed
    assert commitment(CONTEXT, seed) == hashlib.sha256(told).digest()
    assert with_length(b"x" * 300) == b"\x01\x2c" + b"x" * 300
    with pytest.raises(ValueError, match="65536"):
        with_length(bytes(65536))
    assert context("ab" * 16, 12, "cd" * 32) == ("match:" + "ab" * 16 + "|deal:12|rules:" + "cd" * 32).encode()


@given(SEEDS, st.sampled_from([136, 144]))
def test_a_wall_is_every_tile_once(seed: bytes, tiles: int) -> None:
    wall, dice = dealt(CONTEXT, seed, NONCES, tiles, 3)
    assert sorted(wall) == list(range(tiles))
    assert len(dice) == 3
    assert set(dice) <= set(range(1, 7))


def test_the_kinds_are_those_of_a_full_set() -> None:
    assert sorted(kind_of(tile) for tile in range(144)) == full_wall()
    assert sorted(kind_of(tile) for tile in range(136)) == full_wall(flowers=False)
    assert [kind_of(tile) for tile in (0, 3, 4, 135, 136, 143)] == [0, 0, 1, 33, 34, 41]


def script(*octets: int) -> Iterator[int]:
    return iter(octets)


def test_a_number_that_would_prefer_some_is_drawn_again() -> None:
    # 65,536 = 455 * 144 + 16: what lies in the last 16 would make 0 to 15 likelier.
    assert below(144, script(0xFF, 0xEF)) == 65519 % 144 == 143
    for last in range(0xF0, 0x100):
        rest = script(0xFF, last, 0, 7)
        assert below(144, rest) == 7
        assert list(rest) == []
    # 65,536 is a multiple of 128: nothing is rejected.
    assert below(128, script(0xFF, 0xFF)) == 127


def test_each_number_comes_from_as_many_draws() -> None:
    for bound in range(2, 145):
        kept = 65536 // bound * bound
        counts = [0] * bound
        for drawn in range(65536 - bound, 65536):
            if drawn < kept:
                counts[below(bound, script(drawn >> 8, drawn & 0xFF))] += 1
            else:
                assert below(bound, script(drawn >> 8, drawn & 0xFF, 0, 1)) == 1
        # What is kept is whole turns of the bound, so that its end decides whether all are alike.
        assert sum(counts) == kept - (65536 - bound)
        assert kept % bound == 0
        assert counts[bound - 1] == 1


def test_a_die_takes_no_octet_above_the_last_multiple_of_six() -> None:
    assert [die(script(octet)) for octet in (0, 5, 6, 251)] == [1, 6, 1, 6]
    for octet in range(252, 256):
        assert die(script(octet, 4)) == 5


def test_the_dice_come_after_the_wall() -> None:
    seed = bytes(range(32))
    octets = octets_of(stream_key(CONTEXT, seed, NONCES))
    assert shuffled(144, octets) == dealt(CONTEXT, seed, NONCES, 144, 0)[0]
    rest = [next(octets) for _ in range(20)]
    expected = [1 + octet % 6 for octet in rest if octet < 252][:3]
    assert dealt(CONTEXT, seed, NONCES, 144, 3)[1] == expected


@given(SEEDS, st.integers(0, 3), st.integers(0, 127))
def test_every_seat_changes_the_wall_and_so_does_its_place(seed: bytes, seat: int, bit: int) -> None:
    nonces = list(NONCES)
    nonces[seat] = (int.from_bytes(nonces[seat]) ^ 1 << bit).to_bytes(16)
    wall = dealt(CONTEXT, seed, NONCES, 144, 0)[0]
    assert dealt(CONTEXT, seed, nonces, 144, 0)[0] != wall
    assert dealt(CONTEXT, seed, NONCES[1:] + NONCES[:1], 144, 0)[0] != wall
    assert dealt(CONTEXT + b"1", seed, NONCES, 144, 0)[0] != wall


def test_lengths_and_texts_that_are_refused() -> None:
    with pytest.raises(ValueError, match="seed has 32"):
        commitment(CONTEXT, bytes(31))
    with pytest.raises(ValueError, match="nonce has 16"):
        stream_key(CONTEXT, bytes(32), [*NONCES[:3], bytes(15)])
    with pytest.raises(ValueError, match="four seats"):
        stream_key(CONTEXT, bytes(32), NONCES[:3])
    assert nonces_of([None, "ab" * 16]) == [NO_NONCE, b"\xab" * 16]
    for text in ("AB" * 16, "ab" * 15, "ab" * 17, " " + "ab" * 16, "g" * 32):
        with pytest.raises(ValueError, match=r"hex|16 octets"):
            hexed(text, 16)


def square_sum(counts: list[list[int]], expected: float) -> float:
    return sum([(count - expected) ** 2 / expected for row in counts for count in row])


def preferences(walls: int, seed: int) -> tuple[float, float]:
    """How far places and neighbours are from chance, in standard deviations of chi-square."""
    chance = random.Random(seed)
    tiles = 144
    places = [[0] * tiles for _ in range(tiles)]
    pairs = [[0] * tiles for _ in range(tiles)]
    for _ in range(walls):
        wall, _ = dealt(CONTEXT, chance.randbytes(32), NONCES, tiles, 0)
        for place, tile in enumerate(wall):
            places[place][tile] += 1
        for one, other in pairwise(wall):
            pairs[one][other] += 1
    free = (tiles - 1) ** 2
    place = (square_sum(places, walls / tiles) - free) / (2 * free) ** 0.5
    # A tile never follows itself; a wall has 143 pairs among 144 * 143 that may be.
    neighbours = square_sum(
        [[n for at, n in enumerate(row) if at != own] for own, row in enumerate(pairs)], walls / 144
    )
    return place, (neighbours - free) / (2 * free) ** 0.5


def test_no_place_and_no_neighbour_is_preferred() -> None:
    # |z| < 4: an honest shuffle fails once in ten thousand seeds, and this seed is always the same. The classic wrong
    # swap, any place with any, stands at z = 20 and more with so few walls.
    place, neighbours = preferences(10_000, 144)
    assert abs(place) < 4, place
    assert abs(neighbours) < 4, neighbours


@pytest.mark.slow
def test_no_place_and_no_neighbour_is_preferred_in_many_walls() -> None:
    seed = random.SystemRandom().randrange(2**32)
    walls = 1_000_000 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 50_000
    place, neighbours = preferences(walls, seed)
    assert abs(place) < 5, (seed, place)
    assert abs(neighbours) < 5, (seed, neighbours)


def test_the_measure_finds_a_wrong_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(number: int, octets: Iterator[int]) -> list[int]:
        tiles = list(range(number))
        for place in range(number):
            other = below(number, octets)
            tiles[place], tiles[other] = tiles[other], tiles[place]
        return tiles

    monkeypatch.setattr("parlour_server.fairness.shuffle.shuffled", wrong)
    assert preferences(2_000, 144)[0] > 10
