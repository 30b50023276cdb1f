"""What the book leaves open, as classical 7 decides it (classical A-1 to A-35)."""

from itertools import permutations
from typing import Any

import pytest

from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.classical import doubles, hand, limited, points, scored

# Harr p. 35, example 6: 2p made the pair into three, and 3p would have won too.
EXAMPLE_6 = hand("111444p2p", "2p", "(9999p) 777p")
OPEN = "123456m678p23s55s"
"""1s and 4s complete it, and nothing else scores."""


def test_a1_the_only_place_is_strict_unless_it_goes_by_shape() -> None:
    assert scored(EXAMPLE_6).total == 624
    by_shape = scored(EXAMPLE_6 | {"options": {"only_place": "shape"}})
    assert (by_shape.points, by_shape.total) == (80, 640)


@pytest.mark.parametrize(
    ("tiles", "tile", "counts"),
    [
        ("123456m678p13s55s", "2s", True),  # the middle
        ("123456m678p12s55s", "3s", True),  # A-4: the closed end
        ("123456m678p89s55s", "7s", True),
        ("123456m678p23s55s", "1s", False),
        ("123456m678p23s55s", "4s", False),
        ("123456m678p78s55s", "9s", False),
        ("123456m678p234s5s", "5s", True),  # the pair, though 2s would have won too
        ("123456m678p22s55s", "5s", False),  # a third tile
    ],
)
@pytest.mark.parametrize("claim", ["", "<W"])
def test_a1_a4_by_shape_it_is_the_pair_the_middle_or_a_closed_end(
    tiles: str, tile: str, counts: bool, claim: str
) -> None:
    record = hand(tiles, tile + claim, options={"only_place": "shape"})
    assert ("only_place" in points(record)) is counts


def test_a4_a_closed_end_is_an_only_place() -> None:
    assert points(hand("123456m678p12s55s", "3s<W"))["only_place"] == 2
    assert points(hand("123456m678p89s55s", "7s"))["only_place"] == 2


def test_a1_two_kinds_that_win_are_no_only_place_whatever_the_shape() -> None:
    assert "only_place" not in points(hand("123456m678p234s5s", "5s<W"))


def test_a5_a_kind_all_of_which_one_holds_does_not_widen_the_wait() -> None:
    assert points(hand("123456m23p44s", "1p<W", "(4444p)"))["only_place"] == 2
    assert "only_place" not in points(hand("123456m23p44s", "1p<W", "444p"))


@pytest.mark.parametrize("record", [hand(OPEN, "1s<W"), hand(OPEN, "1s<W", by="robbed_gong")])
def test_a6_nothing_else_scores(record: dict[str, Any]) -> None:
    assert points(record) == {"mah_jongg": 20, "no_other_score": 10}


@pytest.mark.parametrize(
    "record",
    [
        hand(OPEN, "1s"),  # drawn
        hand("123456m678p13s55s", "2s<W"),  # the only place
        hand("123456m678p23s77z", "1s<W"),  # a pair that scores
        hand("123456m23s55s", "1s<W", "777p"),  # a set
    ],
)
def test_a6_any_other_points_forfeit_it(record: dict[str, Any]) -> None:
    assert "no_other_score" not in points(record)


def test_a6_doubles_do_not_forfeit_it() -> None:
    # Harr p. 38, example 9.
    record = hand("45m789m66m", "3m<E", "123m 234m")
    assert (points(record), doubles(record)) == ({"mah_jongg": 20, "no_other_score": 10}, {"one_suit": 3})


def test_a6_it_is_never_anothers_than_the_winners() -> None:
    assert scored(hand(OPEN)).awards == ()


def test_a6_the_ten_may_decide_between_two_readings() -> None:
    # 223344s are two runs, so nothing scores: 30. A reading with points would have to be worth more.
    record = hand("123m456p22334s55p", "4s<W")
    assert points(record) == {"mah_jongg": 20, "no_other_score": 10}


def test_a7_four_that_were_not_laid_down_count_as_three() -> None:
    assert points(hand("6666p", "", "444s 888p 1111p")) == {
        "pung_simple_concealed": 4,
        "pung_simple_exposed": 4,
        "kong_major_exposed": 16,
    }
    assert points(hand("7777z123m456m789m")) == {"pung_major_concealed": 8}


@pytest.mark.parametrize("kind", ["5", "6", "7"])
def test_each_dragon_doubles_once(kind: str) -> None:
    assert doubles(hand("123456m23p44s", "1p<W", f"{kind * 3}z")) == {"dragon_set": 1}
    assert doubles(hand("123456m23p44s", "1p<W", f"{kind * 4}z")) == {"dragon_set": 1}


def test_there_is_no_wind_of_the_round_in_part_one() -> None:
    assert doubles(hand("123456m23p44s", "1p<W", "111z", round="E")) == {}
    assert "pair_own_wind" not in points(hand("123456m234p23s11z", "1s<W", round="E"))


def test_a3_others_mandarins_are_silent() -> None:
    played: dict[str, Any] = {"options": {"mandarins": True}}
    assert doubles(hand(OPEN, "1s<W", flowers="2f6f", **played)) == {"own_mandarin": 2}
    assert points(hand(OPEN, "1s<W", flowers="1f3f4f5f7f8f", **played)) == {"mah_jongg": 20, "no_other_score": 10}
    assert doubles(hand(OPEN, "1s<W", flowers="1f3f4f5f7f8f", **played)) == {}
    assert doubles(hand("123456m678p23s55s", flowers="6f", **played)) == {"own_mandarin": 1}


def test_a8_robbing_is_a_claim_without_points_of_its_own() -> None:
    record = hand("123456m23p44s", "1p<W", "777z")
    assert scored(record | {"win": record["win"] | {"by": "robbed_gong"}}).awards == scored(record).awards


def test_a13_the_original_hand_has_neither_draw_nor_only_place() -> None:
    record = hand("123456m234p234s55z", "dealt", seat="E")
    assert points(record) == {"mah_jongg": 20, "pair_dragon": 2}
    assert doubles(record) == {"original_hand": 3}


def test_a14_any_loose_tile_adds_ten_to_the_draw() -> None:
    record = hand(OPEN, "1s", replacement=True, flowers="1f", options={"mandarins": True})
    assert points(record) == {"mah_jongg": 20, "loose_tile": 10, "drew_winning_piece": 2}


def test_a15_only_the_set_that_the_claim_finished_is_exposed() -> None:
    assert points(hand("555z44m66z", "6z<W", "444p 888p")) == {
        "mah_jongg": 20,
        "no_sequence": 10,
        "pung_major_concealed": 8,
        "pung_major_exposed": 4,
        "pung_simple_exposed": 4,
    }
    drawn = points(hand("555z44m66z", "6z", "444p 888p"))
    assert drawn["pung_major_concealed"] == 16
    assert "pung_major_exposed" not in drawn


def test_a15_where_two_sets_could_take_the_tile_the_better_reading_counts() -> None:
    # 111p stays concealed and 1p finishes the run.
    score = scored(hand("11123p456789m55s", "1p<W"))
    assert score.points == 28
    assert [other.total for other in score.considered] == [24]


def test_a20_a_pung_of_three_held_leaves_the_fourth_in_hand() -> None:
    assert points(hand("6p23456m1s55s1m", "", "666p")) == {"pung_simple_exposed": 2}


def test_a21_a_losers_suit_counts_strays_and_all_but_mandarins() -> None:
    assert doubles(hand("44m5678m8m", "", "333m 111m")) == {"one_suit": 3}
    assert doubles(hand("44m5678m1z", "", "333m 111m")) == {"one_suit_with_honours": 1}
    assert doubles(hand("44m5678m8p", "", "333m 111m")) == {}
    assert doubles(hand("44m5678m8m", "", "333m 111m", flowers="1f", options={"mandarins": True})) == {"one_suit": 3}


def test_a21_no_points_stay_none_however_often_they_are_doubled() -> None:
    score = scored(hand("1233445567889m"))
    assert (score.points, score.doubles, score.total) == (0, 3, 0)


def test_a22_every_pair_of_a_losers_counts() -> None:
    assert points(hand("22z55z66z77z135m29p")) == {"pair_dragon": 6, "pair_own_wind": 2}


def test_a23_the_first_layout_has_the_winning_piece_drawn() -> None:
    # Harr p. 47: 480 as drawn; claimed it would be 448.
    assert scored(hand("22m555m88m", "8m", "1111m 999m", seat="E")).total == 480
    assert scored(hand("22m555m88m", "8m<S", "1111m 999m", seat="E")).total == 448


def test_a24_the_second_layouts_west_has_twenty_doubled_seven_times() -> None:
    score = scored(hand("666z2z", "", "333z 555z 777z", seat="W"))
    assert (score.points, score.doubles, score.total) == (20, 7, 2560)


# Part II


def test_a11_the_fourth_tile_of_ones_own_three_doubles_drawn_or_claimed() -> None:
    for win in ("1p", "1p<W"):
        assert doubles(limited("123456m23p44s", win, "111p")) == {"fourth_tile": 1}
    # Not the fourth of a concealed three, nor of a kong.
    assert doubles(limited("123m11123p44s", "1p<W", "999s")) == {}
    assert doubles(limited("123456m23p44s", "4p", "111p")) == {}


def test_a11_the_robber_has_the_same_double() -> None:
    assert doubles(limited(OPEN, "1s<W", by="robbed_gong")) == {"fourth_tile": 1}


@pytest.mark.parametrize(
    ("tiles", "win", "facts", "award", "worth"),
    [
        ("123456m234p345s8s", "8s<W", {}, "pair_simple_claimed", 2),
        ("123456m234p345s8s", "8s", {}, "pair_simple_drawn", 4),
        ("123456m234p345s1s", "1s<W", {}, "pair_major_claimed", 4),
        ("123456m234p345s1s", "1s", {}, "pair_major_drawn", 6),
        ("123456m234p345s7z", "7z<W", {}, "pair_major_claimed", 4),
        ("123456m234p345s2z", "2z", {}, "pair_major_drawn", 6),
        ("123456m234p345s2z", "2z<W", {"round": "S"}, "pair_own_round_wind_claimed", 6),
        ("123456m234p345s2z", "2z", {"round": "S"}, "pair_own_round_wind_drawn", 8),
    ],
)
def test_a12_a_completed_pair_has_one_value(
    tiles: str, win: str, facts: dict[str, str], award: str, worth: int
) -> None:
    assert points(limited(tiles, win, **facts)) == {"mah_jongg": 10, award: worth}


def test_a12_a_pair_completed_where_another_kind_would_have_won_is_worth_what_it_is_at_rest() -> None:
    # Harr errata, Part II example 3: 5678m waits for 5m and 8m.
    assert points(limited("5678m", "8m<W", "777p 444z 123s")) == {
        "mah_jongg": 10,
        "pung_simple_exposed": 2,
        "pung_major_exposed": 4,
    }


def test_a12_a_pair_drawn_where_another_kind_would_have_won_leaves_nothing_but_mah_jongg() -> None:
    assert points(limited("123456m678p2345s", "5s")) == {"mah_jongg": 10, "no_other_score": 10}


@pytest.mark.parametrize(
    ("tiles", "win", "worth"),
    [
        ("123456m678p13s55s", "2s<W", 2),
        ("123456m678p12s55s", "3s<W", 2),
        ("123456m678p23s55s", "1s<W", 0),  # open at both ends
        ("123456m678p13s55s", "2s", 4),  # Harr p. 74, example 8
        ("123456m678p89s55s", "7s", 4),  # Harr p. 75, example 10
        ("123456m678p23s55s", "1s", 4),
        ("123456m678p23s55s", "4s", 4),
        ("123456m678p78s55s", "9s", 4),
        ("123456m678p22s55s", "5s", 0),  # no run
    ],
)
def test_a12_runs(tiles: str, win: str, worth: int) -> None:
    found = points(limited(tiles, win))
    assert found.get("sequence_claimed", 0) + found.get("sequence_drawn", 0) == worth


def test_a12_a_closed_end_that_was_not_the_only_place_is_worth_nothing() -> None:
    # 1111223s waits for 2s and 3s; with 3s it is 123s twice and the pair of 1s.
    assert points(limited("1111223s", "3s", "444z 777p")) == {
        "mah_jongg": 10,
        "pung_simple_exposed": 2,
        "pung_major_exposed": 4,
    }


def test_part_two_counts_the_wind_of_the_round_for_pairs_only() -> None:
    assert points(limited("123456m234p23s11z", "1s<W"))["pair_round_wind"] == 2
    assert doubles(limited("123456m23p44s", "1p<W", "111z")) == {}
    assert doubles(limited("123456m23p44s", "1p<W", "222z", round="S")) == {"own_round_wind_set": 2}


def test_suit_doubles_of_part_two_are_the_winners_only() -> None:
    assert doubles(limited("44m5678m8m", "", "333m 111m")) == {}
    assert doubles(limited("123456m23m99m", "1m<W", "777m")) == {"one_suit": 3}


def test_single_heads_win_in_part_two_only() -> None:
    for tile in ("1m", "9s", "7z"):
        assert scored(limited("19m19p19s1234567z", tile + "<W")).total == 300
    with pytest.raises(NotWinning):
        scored(hand("19m19p19s1234567z", "1m<W"))


def test_half_a_limit_is_the_least_and_a_limit_the_most() -> None:
    small = limited(OPEN, "1s<E", first_discard=True)
    assert (scored(small).points, scored(small).total, scored(small).limited) == (20, 150, True)
    great = limited("444z222s333s88s77z", "7z<E", seat="N", round="N", first_discard=True)
    assert (scored(great).total, scored(great).limited) == (300, True)
    assert scored(small | {"options": {"limit": 601}}).total == 300
    assert not scored(limited(OPEN, "1s<E")).limited


def test_without_a_limit_nothing_is_capped_and_limit_hands_are_their_sums() -> None:
    record = limited("777z9p", "9p", "555z 666z 456s", options={"limit": 0})
    score = scored(record)
    # 10, two exposed and one concealed set of dragons, the pair of nines drawn; three dragons.
    assert (score.points, score.doubles, score.total, score.limited) == (34, 3, 272, False)


def test_a28_losers_are_capped_too() -> None:
    assert scored(limited("777z3z", "", "(5555z) (6666z) 123m")).total == 300


def test_own_wind_in_its_round_takes_the_place_of_own_wind() -> None:
    score = scored(limited("123456m23p44s", "1p<W", "222z", round="S"))
    assert [(one.award, one.by, one.doubles) for one in score.replaced] == [("own_wind_set", "own_round_wind_set", 1)]


@pytest.mark.parametrize("places", list(permutations("mps")))
def test_suits_may_change_places(places: tuple[str, ...]) -> None:
    for record in (EXAMPLE_6, hand(OPEN, "1s<W"), hand("44m5678m8m", "", "333m 111m"), limited(OPEN, "4s")):
        swap = str.maketrans("mps", "".join(places))
        win = record["win"] and record["win"] | {"tile": record["win"]["tile"].translate(swap)}
        other = record | {
            "hand": record["hand"].translate(swap),
            "melds": [meld.translate(swap) for meld in record["melds"]],
            "win": win,
        }
        assert scored(other).awards == scored(record).awards
