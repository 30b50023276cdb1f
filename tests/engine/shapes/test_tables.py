"""The packaged tables: what they count, that they are what the generator builds, and the keys that read them."""

import zlib
from collections import Counter, defaultdict
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.shapes import FINAL, HONOUR, KEY_STEP, MERGE, SUIT, SUIT_OF, suit_keys
from parlour_engine.shapes.generate import packed
from tests.engine.shapes.oracle import random_counts


def _sizes(ranks: int) -> list[int]:
    sizes = [0]
    for _ in range(ranks):
        sizes = [size + n for n in range(5) for size in sizes]
    return sizes


def _merged(one: Counter[tuple[int, int]], other: Counter[tuple[int, int]], most: int) -> Counter[tuple[int, int]]:
    merged: Counter[tuple[int, int]] = Counter()
    for (profile, size), ways in one.items():
        row = MERGE[profile]
        for (other_profile, other_size), other_ways in other.items():
            if size + other_size <= most:
                merged[row[other_profile], size + other_size] += ways * other_ways
    return merged


@pytest.mark.parametrize(("sets", "wins"), [(4, 11_498_658), (5, 118_856_487)])
def test_the_tables_know_the_number_of_all_complete_hands(sets: int, wins: int) -> None:
    tiles = 3 * sets + 2
    suit = Counter({key: n for key, n in Counter(zip(SUIT[: 5**9], _sizes(9), strict=True)).items() if key[1] <= tiles})
    honour = Counter(zip(HONOUR[: 5**7], _sizes(7), strict=True))
    left = _merged(suit, suit, tiles)
    right_by_size: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (merge, size), ways in _merged(suit, honour, tiles).items():
        right_by_size[size].append((merge, ways))
    total = 0
    for (merge, size), ways in left.items():
        row = FINAL[sets][merge]
        total += ways * sum(other_ways for other, other_ways in right_by_size[tiles - size] if row[other] == 0)
    assert total == wins


@pytest.mark.slow
def test_the_packaged_file_is_what_the_generator_builds() -> None:
    packaged = files("parlour_engine.shapes").joinpath("tables.bin").read_bytes()
    # Compressed bytes may differ between versions of zlib, the tables may not.
    assert zlib.decompress(packaged) == zlib.decompress(packed())


def test_merging_does_not_mind_the_order() -> None:
    assert all(MERGE[i][j] == MERGE[j][i] for i in range(198) for j in range(i))
    assert all(table[i][j] == table[j][i] for table in FINAL for i in range(328) for j in range(i))


@given(st.integers(0, 2**32), st.integers(0, 17))
def test_keys_follow_the_tiles_as_they_come_and_go(seed: int, size: int) -> None:
    counts = random_counts(Random(seed), size)
    keys = [0, 0, 0, 0]
    for kind, n in enumerate(counts):
        for _ in range(n):
            keys[SUIT_OF[kind]] += KEY_STEP[kind]
    assert suit_keys(counts) == tuple(keys)
