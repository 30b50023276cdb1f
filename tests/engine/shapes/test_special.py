"""Nico Nico, Thirteen and Sixteen Orphans (lrc SH-1 to SH-3, A-57 to A-63) against literal predicates."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.notation import hand_text, tile_text
from parlour_engine.shapes import (
    FORMS,
    NICO_NICO,
    OUT_OF_REACH,
    SIXTEEN_ORPHANS,
    THIRTEEN_ORPHANS,
    group_tiles,
    special_distance,
    special_forms,
    special_partitions,
)
from tests.engine.shapes.oracle import (
    ORPHANS,
    changed,
    counts_of,
    holds_nico_nico,
    holds_sixteen_orphans,
    missing_thirteen_orphans,
    random_counts,
    with_tile,
)
from tests.engine.shapes.special_hands import special_hand

SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize(
    ("hand", "melds", "gongs", "forms"),
    [
        ("1122334455668999m", 0, 0, ()),  # 16 tiles
        ("11223344556688999m", 0, 0, (NICO_NICO,)),
        ("11117777m5588p33999s", 0, 0, (NICO_NICO,)),
        ("11117777m5555p33999s", 0, 0, (NICO_NICO,)),  # three fours, A-60
        ("111122223333m44455p", 0, 0, (NICO_NICO,)),
        ("1122334455667777m1m", 0, 0, (NICO_NICO,)),
        ("1111222233334444m1p", 0, 0, ()),  # a single
        ("111222333m11223344p", 0, 0, ()),  # three pongs and four pairs
        ("19m19p12349s12345677z", 0, 0, (THIRTEEN_ORPHANS,)),
        ("11119m19p19s12345677z", 0, 0, (THIRTEEN_ORPHANS,)),
        ("19m19p19s11223456777z", 0, 0, ()),
        ("199m19p19s1234567z", 1, 1, (THIRTEEN_ORPHANS,)),  # the extra set is a concealed gong
        ("199m19p19s1234567z", 1, 0, ()),  # an exposed set
        ("199m19p19s1234567z", 2, 1, ()),
        ("147m258p369s12345677z", 0, 0, (SIXTEEN_ORPHANS,)),
        ("159m159p2599s1234567z", 0, 0, (SIXTEEN_ORPHANS,)),
        ("146m258p369s12345677z", 0, 0, ()),  # 4 and 6 are two ranks apart
        ("147m258p369s12345677z", 1, 1, ()),
        ("147m258p369s12345666z", 0, 0, ()),  # red dragon missing
    ],
)
def test_known_hands(hand: str, melds: int, gongs: int, forms: tuple[str, ...]) -> None:
    assert special_forms(counts_of(hand), melds, gongs) == forms


def _holds(form: str, counts: list[int], extra_set: bool = True) -> bool:
    if form == NICO_NICO:
        return holds_nico_nico(counts)
    if form == SIXTEEN_ORPHANS:
        return holds_sixteen_orphans(counts)
    return missing_thirteen_orphans(counts, extra_set) == 0


@given(SEEDS, st.sampled_from(FORMS), st.integers(0, 2))
def test_forms_are_what_the_table_says(seed: int, form: str, swaps: int) -> None:
    random = Random(seed)
    counts = changed(random, special_hand(random, form), swaps)
    assert special_forms(counts, 0, 0) == tuple(name for name in FORMS if _holds(name, counts))
    for melds, gongs in ((1, 0), (1, 1), (2, 2)):
        assert special_forms(counts, melds, gongs) == ()


@given(SEEDS, st.integers(0, 2))
def test_thirteen_orphans_beside_a_concealed_gong(seed: int, swaps: int) -> None:
    random = Random(seed)
    counts = changed(random, special_hand(random, THIRTEEN_ORPHANS, gong=True), swaps)
    holds = missing_thirteen_orphans(counts, False) == 0
    assert special_forms(counts, 1, 1) == ((THIRTEEN_ORPHANS,) if holds else ())
    assert special_forms(counts, 1, 0) == special_forms(counts, 0, 0) == ()


@given(SEEDS, st.sampled_from(FORMS), st.integers(0, 17), st.booleans(), st.booleans())
def test_special_distance_is_exact(seed: int, form: str, some: int, near: bool, gong: bool) -> None:
    # By induction on the distance: it is 0 exactly for hands that hold the form, no tile lowers it by more than one
    # and, while it is above 0, some tile does lower it.
    random = Random(seed)
    melds = int(gong and form == THIRTEEN_ORPHANS)
    if near:
        counts = changed(random, special_hand(random, form, melds == 1), some // 3)
    else:
        counts = random_counts(random, some)
    now = special_distance(form, counts, melds, melds)
    after = [special_distance(form, with_tile(counts, k), melds, melds) for k in range(34) if counts[k] < 4]
    assert (now == 0) == _holds(form, counts, melds == 0)
    assert set(after) <= {now - 1, now}
    assert (min(after) == now - 1) == (now > 0)


@given(SEEDS, st.integers(0, 17), st.booleans())
def test_distance_to_thirteen_orphans_is_the_nearest_target(seed: int, size: int, gong: bool) -> None:
    counts = random_counts(Random(seed), size)
    assert special_distance(THIRTEEN_ORPHANS, counts, int(gong), int(gong)) == missing_thirteen_orphans(
        counts, not gong
    )


@pytest.mark.parametrize("form", FORMS)
def test_declared_sets_rule_the_forms_out(form: str) -> None:
    counts = counts_of("19m19p19s1234567z")
    assert special_distance(form, counts, 1, 0) == OUT_OF_REACH
    assert special_distance(form, counts, 2, 2) == OUT_OF_REACH
    assert (special_distance(form, counts, 1, 1) < OUT_OF_REACH) == (form == THIRTEEN_ORPHANS)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="seven_pairs"):
        special_distance("seven_pairs", counts_of("11m"), 0, 0)


@pytest.mark.parametrize(
    ("hand", "melds", "readings"),
    [
        ("11223344556688999m", 0, {"nico_nico - 999m"}),
        ("147m2588p369s1234567z", 0, {"sixteen_orphans 8p -"}),
        ("19m19p12349s12345677z", 0, {"thirteen_orphans 7z 234s"}),
        ("11119m19p19s12345677z", 0, {"thirteen_orphans 7z 111m"}),
        ("19m19p11239s12345677z", 0, {"thirteen_orphans 7z 123s"}),
        # Of three 1s one is the orphan, one doubles it and one is in the chow.
        ("19m19p111239s1234567z", 0, {"thirteen_orphans 1s 123s"}),
        ("199m19p19s1234567z", 1, {"thirteen_orphans 9m -"}),
        ("19m19p19s11123456677z", 0, set()),
    ],
)
def test_known_readings(hand: str, melds: int, readings: set[str]) -> None:
    assert {
        f"{form} {tile_text(eyes) if eyes >= 0 else '-'} {hand_text(group_tiles(group)) if group >= 0 else '-'}"
        for form, eyes, group in special_partitions(counts_of(hand), melds, melds)
    } == readings


@given(SEEDS, st.sampled_from(FORMS), st.booleans())
def test_readings_account_for_every_tile(seed: int, form: str, gong: bool) -> None:
    random = Random(seed)
    melds = int(gong and form == THIRTEEN_ORPHANS)
    counts = special_hand(random, form, melds == 1)
    found = special_partitions(counts, melds, melds)
    assert len(set(found)) == len(found)
    assert form in {name for name, _, _ in found}
    for name, eyes, group in found:
        rest = list(counts)
        if group >= 0:
            for kind in group_tiles(group):
                rest[kind] -= 1
        if name == NICO_NICO:
            assert eyes == -1
            assert set(rest) <= {0, 2, 4}
        else:
            rest[eyes] -= 1
            assert set(rest) == {0, 1}
            if name == THIRTEEN_ORPHANS:
                assert [kind for kind in range(34) if rest[kind]] == ORPHANS


@given(SEEDS, st.integers(0, 2))
def test_single_heads_are_thirteen_orphans_of_fourteen_tiles(seed: int, swaps: int) -> None:
    """Classical 7: one of each head and one doubled, with four sets to a hand; nothing is declared."""
    random = Random(seed)
    counts = changed(random, special_hand(random, THIRTEEN_ORPHANS, gong=True), swaps)
    missing = missing_thirteen_orphans(counts, False)
    assert special_distance(THIRTEEN_ORPHANS, counts, 0, 0, 4) == missing
    assert special_forms(counts, 0, 0, 4) == ((THIRTEEN_ORPHANS,) if missing == 0 else ())
    assert special_partitions(counts, 0, 0, 4) == ([(THIRTEEN_ORPHANS, counts.index(2), -1)] if missing == 0 else [])
    for melds, gongs in ((1, 0), (1, 1), (2, 2)):
        assert special_forms(counts, melds, gongs, 4) == ()
        assert special_distance(THIRTEEN_ORPHANS, counts, melds, gongs, 4) == OUT_OF_REACH


@pytest.mark.parametrize("sets", [3, 4, 6])
def test_forms_of_seventeen_tiles_are_out_of_reach_of_other_hands(sets: int) -> None:
    for form in FORMS:
        for hand in ("19m19p19s12345677z", "11223344556688m", "147m258p369s12345z"):
            reached = form == THIRTEEN_ORPHANS and sets == 4
            assert (special_distance(form, counts_of(hand), 0, 0, sets) < OUT_OF_REACH) is reached
