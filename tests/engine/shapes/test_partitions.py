"""Every split of a complete hand, once each."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.melds import CHOW, PONG
from parlour_engine.notation import hand_text
from parlour_engine.shapes import group_form, group_kind, group_tiles, partitions
from tests.engine.shapes.oracle import changed, counts_of, random_win, splits


def _texts(hand: str, sets: int) -> set[str]:
    return {
        " ".join([hand_text((eyes, eyes)), *(hand_text(group_tiles(code)) for code in groups)])
        for eyes, groups in partitions(counts_of(hand), sets)
    }


@given(
    st.integers(0, 2**32), st.integers(0, 5), st.integers(0, 1), st.sampled_from(["mpsz", "m", "pz", "s", "mp", "z"])
)
def test_partitions_are_exactly_the_splits(seed: int, sets: int, swaps: int, suits: str) -> None:
    random = Random(seed)
    counts = changed(random, random_win(random, sets, suits), swaps)
    found = partitions(counts, sets)
    assert all(list(groups) == sorted(groups) for _, groups in found)
    as_splits = [(eyes, tuple(sorted(tuple(group_tiles(code)) for code in groups))) for eyes, groups in found]
    assert len(set(as_splits)) == len(as_splits)
    assert set(as_splits) == splits(counts, sets)


@pytest.mark.parametrize(
    ("hand", "sets", "number"),
    [
        ("11122233344s222z678p", 5, 3),  # fault S01: 1122233344s SSS 678p and 1s
        ("111222333444555s66s", 5, 5),  # fault S01
        ("222333444s678p99m", 4, 2),  # fault S01
        ("11223344556677m", 4, 3),  # the eyes may be 1, 4 or 7
        ("123m11z", 1, 1),
        ("11z", 0, 1),
        ("12z", 0, 0),
        ("111z", 0, 0),
        ("123m11z", 2, 0),
        ("", 0, 0),
        ("123m1122z", 1, 0),
        ("11m22p", 0, 0),
        ("112223344m11z", 3, 0),  # two chows from 1 and one from 2 want three of the two 3s
        ("888899m11z", 2, 0),  # no chow begins at 8
    ],
)
def test_number_of_splits(hand: str, sets: int, number: int) -> None:
    assert len(partitions(counts_of(hand), sets)) == number


def test_the_tile_that_won_may_stand_in_different_sets() -> None:
    # Fault S02: 123m declared, 1123444m 555p in hand, 1m wins.
    assert _texts("11123444m555p", 3) == {"44m 234m 111m 555p", "11m 123m 444m 555p"}


def test_a_group_code_tells_form_kind_and_tiles() -> None:
    [(eyes, groups)] = partitions(counts_of("789s222p55z"), 2)
    assert eyes == 31
    assert [(group_form(code), group_kind(code), group_tiles(code)) for code in groups] == [
        (CHOW, 24, (24, 25, 26)),
        (PONG, 10, (10, 10, 10)),
    ]
