"""The kinds that win (lrc 1 "Waits", A-74), in every reading and with the special forms."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.shapes import FORMS, suit_keys, waits
from tests.engine.shapes.oracle import (
    NONE,
    changed,
    counts_of,
    kinds_in,
    mask_of,
    random_counts,
    random_win,
    wins,
    with_tile,
)
from tests.engine.shapes.special_hands import special_hand


def _waits(hand: str, sets: int, declared: str = "", melds: int = 0, forms: tuple[str, ...] = FORMS) -> int:
    counts = counts_of(hand)
    return waits(counts, suit_keys(counts), sets, melds, 0, counts_of(declared), forms)


@pytest.mark.parametrize(
    ("hand", "sets", "waited"),
    [
        ("4555m123p789s111z", 4, "346m"),  # fault R07
        ("4555m123p789s111z666p", 5, "346m"),  # fault R07
        ("12334m777p999s11z", 4, "25m"),  # fault S03
        ("13m777p999s11z111s", 4, "2m"),  # fault S03
        ("77789m11888p", 3, "7m1p"),  # fault S03, beside an open set of winds
        ("1112223334444z", 4, ""),  # fault S12: the only wait is a fifth North
        ("111m1112223334444z", 5, ""),  # fault S12
        ("6p", 0, "6p"),  # fault R08
        ("123456789m1122z", 4, "12z"),
        ("1112345678999m", 4, "123456789m"),
        ("147m258p369s1234567z", 5, "147m258p369s1234567z"),  # lrc A-63
        ("114477m225588p3999s", 5, "3s"),
        ("19m19p1239s12345677z", 5, "14s"),
        ("1119m19p19s12345677z", 5, "1m"),  # lrc A-61: four copies may be single and pong
    ],
)
def test_known_waits(hand: str, sets: int, waited: str) -> None:
    assert _waits(hand, sets) == mask_of(waited)


def test_special_hands_wait_only_where_they_are_played() -> None:
    assert _waits("147m258p369s1234567z", 5, forms=()) == 0
    assert _waits("147m258p369s1234567z", 5, forms=("nico_nico", "thirteen_orphans")) == 0


@pytest.mark.parametrize(("declared", "waited"), [("", "69m"), ("6666m", "9m"), ("999m", "6m9m"), ("6666m999m", "9m")])
def test_copies_in_declared_sets_count(declared: str, waited: str) -> None:
    melds = {"": 0, "6666m": 1, "999m": 1, "6666m999m": 2}[declared]
    assert _waits("78m22z", 1, declared, melds, ()) == mask_of(waited)


@given(
    st.integers(0, 2**32),
    st.integers(0, 5),
    st.integers(0, 3),
    st.sampled_from(["mpsz", "m", "pz", "s"]),
    st.sampled_from([FORMS, ()]),
)
def test_waits_are_the_kinds_that_win(seed: int, sets: int, swaps: int, suits: str, forms: tuple[str, ...]) -> None:
    random = Random(seed)
    melds = 5 - sets
    counts = changed(random, random_win(random, sets, suits), swaps)
    counts[random.choice([kind for kind in range(34) if counts[kind]])] -= 1
    declared = list(NONE)
    for kind in random.sample(range(34), melds):
        declared[kind] = 4 - counts[kind]
    _check(counts, sets, melds, random.randint(0, melds), declared, forms)


@given(st.integers(0, 2**32), st.sampled_from(FORMS), st.integers(0, 1), st.booleans(), st.sets(st.sampled_from(FORMS)))
def test_waits_of_special_hands_are_the_kinds_that_win(
    seed: int, form: str, swaps: int, gong: bool, forms: set[str]
) -> None:
    random = Random(seed)
    gong = gong and form == "thirteen_orphans"
    counts = changed(random, special_hand(random, form, gong), swaps)
    counts[random.choice([kind for kind in range(34) if counts[kind]])] -= 1
    declared = list(NONE)
    if gong:
        declared[random.choice([kind for kind in range(34) if not counts[kind]])] = 4
    _check(counts, 4 if gong else 5, int(gong), int(gong), declared, tuple(sorted(forms)))
    # The same tiles beside one exposed set are no special hand.
    if gong:
        _check(counts, 4, 1, 0, declared, FORMS)


@pytest.mark.parametrize(
    ("hand", "melds", "waited"),
    [
        ("19m19p19s1234567z", 0, "19m19p19s1234567z"),
        ("19m19p19s1234566z", 0, "7z"),
        ("199m19p19s123456z", 0, "7z"),
        ("19m19p19s12345666z", 0, ""),  # a tile too many, and none of the red dragons
        ("19m19p19s123456z2m", 0, ""),
        ("19m19p19s1234z", 1, ""),
    ],
)
def test_single_heads_wait(hand: str, melds: int, waited: str) -> None:
    """Classical 7: thirteen tiles, no set declared, four sets to a hand."""
    counts = counts_of(hand)
    for forms in (FORMS, ("thirteen_orphans",)):
        assert waits(counts, suit_keys(counts), 4 - melds, melds, melds, NONE, forms) == mask_of(waited)
    assert waits(counts, suit_keys(counts), 4 - melds, melds, melds, NONE, ()) == 0


@given(st.integers(0, 2**32))
def test_a_hand_of_another_size_waits_for_nothing(seed: int) -> None:
    random = Random(seed)
    for size in (14, 15, 17):
        counts = random_counts(random, size)
        assert waits(counts, suit_keys(counts), 5, 0, 0, NONE, FORMS) == 0
    counts = random_win(random, 5)
    assert waits(counts, suit_keys(counts), 4, 1, 0, NONE, FORMS) == 0


def _check(
    counts: list[int], sets: int, melds: int, concealed_gongs: int, declared: list[int], forms: tuple[str, ...]
) -> None:
    mask = waits(counts, suit_keys(counts), sets, melds, concealed_gongs, declared, forms)
    assert kinds_in(mask) == [
        kind
        for kind in range(34)
        if counts[kind] + declared[kind] < 4 and wins(with_tile(counts, kind), sets, melds, concealed_gongs, forms)
    ]
