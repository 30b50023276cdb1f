"""Distance, completeness, accepting tiles and discards against slow and literal answers."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.notation import hand_text
from parlour_engine.shapes import (
    accepting,
    discard_distances,
    discards_by_distance,
    distance,
    distance_of,
    is_complete,
    least_discards,
    suit_keys,
)
from tests.engine.shapes.oracle import (
    changed,
    complete,
    counts_of,
    kinds_in,
    mask_of,
    missing,
    random_counts,
    random_win,
    with_tile,
)

SEEDS = st.integers(0, 2**32)
SETS = st.integers(0, 5)


@pytest.mark.parametrize(
    ("hand", "sets", "tiles_missing"),
    [
        ("11m", 0, 0),
        ("46p", 0, 1),
        ("123m11z", 1, 0),
        ("123m12z", 1, 1),
        ("1m5p9s1z5z", 1, 3),  # two to a sequence or triplet, one to a pair
        ("111222333m44455z66p", 5, 1),  # the pair 66p waits to be a triplet, or 55z
        ("19m19p19s1234567z", 4, 9),  # one tile for each of four sets and one for the eyes: 14 - 5
        ("1111z", 1, 2),  # a fifth East does not exist: 111z and eyes from nothing
        ("11112222z", 2, 2),
    ],
)
def test_known_hands(hand: str, sets: int, tiles_missing: int) -> None:
    assert distance_of(counts_of(hand), sets) == tiles_missing


@given(SEEDS, SETS, st.integers(0, 3))
def test_distance_near_a_win_is_the_least_number_of_missing_tiles(seed: int, sets: int, swaps: int) -> None:
    random = Random(seed)
    counts = changed(random, random_win(random, sets), swaps)
    assert distance_of(counts, sets) == missing(counts, sets)


@given(SEEDS, st.integers(0, 2), st.integers(0, 17))
def test_distance_of_any_tiles_is_the_least_number_of_missing_tiles(seed: int, sets: int, size: int) -> None:
    counts = random_counts(Random(seed), size)
    assert distance_of(counts, sets) == missing(counts, sets)


@given(SEEDS, SETS, st.integers(0, 17))
def test_a_tile_more_lowers_the_distance_by_one_at_most_and_some_tile_does(seed: int, sets: int, size: int) -> None:
    counts = random_counts(Random(seed), size)
    now = distance_of(counts, sets)
    after = [distance_of(with_tile(counts, kind), sets) for kind in range(34) if counts[kind] < 4]
    assert set(after) <= {now - 1, now}
    assert (min(after) == now - 1) == (now > 0)


@given(SEEDS, SETS, st.integers(0, 2), st.sampled_from(["mpsz", "m", "pz", "s"]))
def test_a_hand_is_complete_exactly_when_it_can_be_split(seed: int, sets: int, swaps: int, suits: str) -> None:
    random = Random(seed)
    counts = changed(random, random_win(random, sets, suits), swaps)
    keys = suit_keys(counts)
    assert is_complete(*keys, sets) == complete(counts, sets) == (distance(*keys, sets) == 0)


def test_open_sets_alone_are_no_win_without_eyes() -> None:
    # Fault R08: four or five declared sets, one tile left.
    assert not is_complete(*suit_keys(counts_of("6p4s")), 0)
    assert is_complete(*suit_keys(counts_of("66p")), 0)


@given(SEEDS, SETS, st.integers(0, 4))
def test_accepting_tiles_are_those_that_lower_the_distance(seed: int, sets: int, swaps: int) -> None:
    random = Random(seed)
    counts = changed(random, random_win(random, sets), swaps)
    counts[random.choice([kind for kind in range(34) if counts[kind]])] -= 1
    now = distance_of(counts, sets)
    mask = accepting(counts, suit_keys(counts), sets)
    expected = [k for k in range(34) if counts[k] < 4 and distance_of(with_tile(counts, k), sets) < now]
    assert kinds_in(mask) == expected


def test_a_complete_hand_accepts_nothing() -> None:
    counts = counts_of("123m11z")
    assert accepting(counts, suit_keys(counts), 1) == 0


@given(SEEDS, SETS, st.integers(0, 6))
def test_discards_are_all_kinds_in_hand_with_what_they_leave(seed: int, sets: int, swaps: int) -> None:
    random = Random(seed)
    counts = changed(random, random_win(random, sets), swaps)
    keys = suit_keys(counts)
    expected = []
    for kind in range(34):
        if counts[kind]:
            rest = [n - (k == kind) for k, n in enumerate(counts)]
            expected.append((distance_of(rest, sets), kind, accepting(rest, suit_keys(rest), sets)))
    assert discard_distances(counts, keys, sets) == [(missing, kind) for missing, kind, _ in expected]
    assert discards_by_distance(counts, keys, sets) == sorted(expected)
    least = min(expected)[0]
    assert least_discards(counts, keys, sets) == [item for item in expected if item[0] == least]


def test_discards_of_a_hand_two_tiles_from_complete() -> None:
    # Three chows, eyes 11z; of 445p and 778s one tile is too many. 1z helps too: then 44p or 77s are the eyes.
    counts = counts_of("123456789m445p778s11z")
    left = least_discards(counts, suit_keys(counts), 5)
    assert [(missing, hand_text([kind]), mask) for missing, kind, mask in left] == [
        (2, "4p", mask_of("36p679s1z")),
        (2, "5p", mask_of("4p679s1z")),
        (2, "7s", mask_of("346p69s1z")),
        (2, "8s", mask_of("346p7s1z")),
    ]


@given(SEEDS, SETS)
def test_suits_may_change_places(seed: int, sets: int) -> None:
    counts = random_counts(Random(seed), 3 * sets + 2)
    k0, k1, k2, k3 = suit_keys(counts)
    assert len({distance(*order, k3, sets) for order in ((k0, k1, k2), (k1, k2, k0), (k2, k0, k1), (k1, k0, k2))}) == 1
