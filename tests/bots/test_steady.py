"""steady on worked hands: each says in words what is missing, so the expected move can be checked by eye."""

import pytest

from tests.bots.seen import answer, seen

PONGS = "111444777m111444p"
"""Five sets that no other tile can be joined to, so only the eyes are open."""
READY = "123456789m55p34s"
"""Three sets, the eyes and a two-sided chow: one set more is wanted; ready once that is there."""


def test_it_wins_whenever_it_may() -> None:
    assert answer(seen(f"{PONGS}33z"), "win, discards") == "win"
    assert answer(seen(f"{READY}123p", claim="2s"), "win, chow 234s, pass") == "win"


def test_it_washes_whenever_it_may_not_win() -> None:
    assert answer(seen("19m19p19s1234567m1z"), "wash, pass") == "wash"
    assert answer(seen(f"{PONGS}33z"), "win, wash, pass") == "win"


def test_it_discards_for_the_smallest_distance() -> None:
    # Without 9p only 5s is missing; every other discard costs a set, the eyes or the chow.
    assert answer(seen("123456m789p123s55z46s9p"), "discards") == "discard 9p"


def test_a_hand_of_thirteen_tiles_needs_no_other_rules() -> None:
    assert answer(seen("123m456p789s22z46s9m"), "discards") == "discard 9m"


@pytest.mark.parametrize(
    ("melds", "discards"),
    [
        (("", "", "", ""), ("", "4z", "", "")),
        (("", "", "", ""), ("4z", "", "", "")),
        (("", "", "444z", ""), ("", "", "", "")),
        (("", "(9999s)", "444z", ""), ("", "", "9p", "")),
    ],
)
def test_of_equal_distances_it_keeps_the_tile_with_more_live_copies(
    melds: tuple[str, ...], discards: tuple[str, ...]
) -> None:
    # Either honour may become the eyes. With nothing seen the lower kind goes; copies of 4z on the table turn that.
    assert answer(seen(f"{PONGS}34z"), "discards") == "discard 3z"
    assert answer(seen(f"{PONGS}34z", melds=melds, discards=discards), "discards") == "discard 4z"


def test_copies_in_ones_own_sets_are_seen_too() -> None:
    assert answer(seen("111444777m111p34z", melds=("444z", "", "", "")), "discards") == "discard 4z"


def test_a_wait_of_two_kinds_is_worth_more_than_one() -> None:
    # 34p waits for 2p and 5p, 46p for 5p alone.
    assert answer(seen("123456789m11177z346p"), "discards") == "discard 6p"
    # With the 2p gone and a fifth of nothing left, both wait for 5p: then the order decides.
    assert answer(seen("123456789m11177z346p", discards=("2222p", "", "", "")), "discards") == "discard 3p"


@pytest.mark.parametrize(
    ("pair", "thrown"), [("19s", "1s"), ("1z9s", "1z"), ("5s1z", "1z"), ("59s", "9s"), ("58s", "8s"), ("25z", "2z")]
)
def test_equal_discards_go_honours_first_then_from_the_edge_inwards(pair: str, thrown: str) -> None:
    assert answer(seen(PONGS + pair), "discards") == f"discard {thrown}"


def test_it_discards_only_what_it_may() -> None:
    # The best discard, 9p, is not in the list. Either of these costs one tile: without 1m, 1m 4m and 5s help; without
    # 4s any tile beside 6s or 9p does.
    assert answer(seen("123456m789p123s55z46s9p"), "discard 1m, discard 4s") == "discard 4s"


def test_it_calls_when_ready_where_calling_is_played() -> None:
    assert answer(seen("123456m789p123s55z46s9p"), "discards, calls") == "call 9p"
    # The engine offers no call for this discard.
    assert answer(seen("123456m789p123s55z46s9p"), "discards, call 1m") == "discard 9p"
    # Two tiles missing: not ready, whatever is offered.
    assert answer(seen("123456m789p123s5z46s27z"), "discards, calls").startswith("discard ")


def test_it_claims_a_pong_that_brings_it_nearer() -> None:
    # Three sets, two pairs, three singles: 3 missing; with the pong 2.
    assert answer(seen("123456789m55p22s135z", claim="5p"), "pong 5p, pass") == "pong 5p"


def test_it_leaves_a_pong_that_brings_nothing() -> None:
    # Ready before, and ready after: the pong takes the eyes.
    assert answer(seen(f"{READY}123p", claim="5p"), "pong 5p, pass") == "pass"


def test_it_claims_a_chow_that_brings_it_nearer_and_no_other() -> None:
    assert answer(seen("123456789m55p34s135z", claim="2s"), "chow 234s, pass") == "chow 234s"
    assert answer(seen(f"{READY}123p", claim="4m"), "chow 456m, pass") == "pass"


def test_of_claims_it_takes_the_one_that_leaves_more_live_tiles() -> None:
    hand, legal = "123456789m55p3467s1z", "chow 345s, chow 456s, chow 567s, pass"
    # 345s leaves 67s for 5s and 8s, 567s leaves 34s for 2s and 5s: as many, so the lower chow. 456s brings nothing.
    assert answer(seen(hand, claim="5s"), legal) == "chow 345s"
    assert answer(seen(hand, claim="5s", discards=("8s", "", "", "")), legal) == "chow 567s"
    assert answer(seen(hand, claim="5s", discards=("22s", "8s", "", "")), legal) == "chow 345s"


def test_it_claims_a_gong_that_costs_nothing() -> None:
    # The three dragons are a set already; the gong draws one more tile. The pong would bring nothing.
    assert answer(seen(f"{READY}777z", claim="7z"), "gong 7z, pong 7z, pass") == "gong 7z"


def test_it_leaves_a_gong_that_breaks_a_chow() -> None:
    # 77789p is a chow and the eyes; without its 7p two tiles are missing instead of one.
    assert answer(seen("123456789m77789p34s", claim="7p"), "gong 7p, pong 7p, pass") == "pass"


def test_it_declares_a_concealed_gong_that_costs_nothing() -> None:
    assert answer(seen(f"{READY}1111z"), "concealed_gong 1z, discards") == "concealed_gong 1z"


def test_it_keeps_four_tiles_that_stand_in_two_sets() -> None:
    # 555p and 567p are two sets; a gong would leave 67p.
    assert answer(seen("123456m555567p11z34s9s"), "concealed_gong 5p, discards") == "discard 9s"


def test_it_promotes_a_pong_with_a_tile_that_stands_in_no_set() -> None:
    view = seen(f"{READY}7z", melds=("777z", "", "", ""))
    assert answer(view, "promoted_gong 7z, discards") == "promoted_gong 7z"
    view = seen("123456m567p11z34s9s", melds=("555p", "", "", ""))
    assert answer(view, "promoted_gong 5p, discards") == "discard 9s"


def test_of_two_gongs_it_makes_the_one_that_leaves_the_hand_nearer() -> None:
    # 1111z is free; 5555p stands in 555p and 567p.
    view = seen("123m555567p1111z34s99s")
    assert answer(view, "concealed_gong 5p, concealed_gong 1z, discards") == "concealed_gong 1z"


def test_robbing_is_a_win_and_nothing_else_is_asked() -> None:
    assert answer(seen(f"{READY}123p", claim="2s"), "win, pass") == "win"
