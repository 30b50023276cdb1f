"""Every switch of the ruleset changes what it says, and the default is the other way round."""

from typing import Any

import pytest

from parlour_engine.rulesets import OptionError
from parlour_engine.scoring.facts import HandFacts
from parlour_engine.scoring.patterns import HAND_QUESTIONS, STREAK_QUESTIONS
from parlour_engine.scoring.request import parse_request
from tests.engine.scoring.hands import choose, lines, lrc, record, scored

R = record
Lines = dict[str, int | None]

# switch, value, hand, lines by default, lines when switched (None: the line is missing)
SCORING: list[tuple[str, Any, dict[str, Any], Lines, Lines]] = [
    (
        "all_sheung_replaces_no_flowers_or_honours",
        True,
        R("123456m234456p7999s", "8s"),
        {"all_sheung_no_flowers_or_honours": 15, "no_flowers_or_honours": 5},
        {"all_sheung_no_flowers_or_honours": 15, "no_flowers_or_honours": None, "no_flowers": None, "no_honours": None},
    ),
    (
        "uncles_replaces_neighbours",
        True,
        R("2223334445556667m", "7m"),
        {"uncles_hand": 80, "neighbour_pongs_5": 60},
        {"uncles_hand": 80, "neighbour_pongs_5": None, "neighbour_pongs_4": None},
    ),
    (
        "opening_replaces_early",
        True,
        R("123456m23499p789s111z", by="dealt", seat="E", tiles_on_table=0),
        {"heavenly_hand": 100, "human_hand": 80},
        {"heavenly_hand": 100, "human_hand": None},
    ),
    (
        "opening_replaces_early",
        True,
        R("123456m23499p789s11z", "1z<E", first_discard=True, tiles_on_table=5),
        {"earthly_hand": 90, "within_7": 20},
        {"earthly_hand": 90, "within_7": None, "within_10": None},
    ),
    (
        "concealed_gong_in_hand",
        2,
        R("12399s77788p", "8p", "(6666m) (8888m)"),
        {"concealed_gong": None},
        {"concealed_gong": 4},
    ),
    (
        "flower_win_flat",
        True,
        R("123456m23499p789s111z", by="flowers", flowers="1234567f", seat="E", streak=1, called=True),
        {"seven_flowers": 20, "flower": 7, "seat_flower": 2, "east_tile": 1, "dealer_streak": 3, "calling": 5},
        {
            "seven_flowers": 20,
            "flower": None,
            "seat_flower": None,
            "east_tile": None,
            "dealer_streak": None,
            "calling": None,
            "base": 5,
        },
    ),
    ("jewel_needs_pong", True, R("123456789222888s6z", "6z"), {"jade_hand": 20}, {"jade_hand": None}),
    ("jewel_needs_pong", True, R("123456789s22288s66z", "6z"), {"jade_hand": 20}, {"jade_hand": 20}),
    ("jewel_needs_pong", True, R("123456789222888m7z", "7z"), {"ruby_hand": 20}, {"ruby_hand": None}),
    ("jewel_needs_pong", True, R("123456789222888p5z", "5z"), {"diamond_hand": 20}, {"diamond_hand": None}),
    (
        "sister_excludes_terminal",
        True,
        R("123789m123789p99s55z", "5z"),
        {"sister_sheungs_2": 6, "terminal_sheungs_2_mixed": 15},
        {"sister_sheungs_2": None, "terminal_sheungs_2_mixed": 15},
    ),
    (
        # 123m and 789m are a terminal set; 123p and 123s are sisters all the same, no longer three.
        "sister_excludes_terminal",
        True,
        R("123p123s99s55z", "5z", "123m 789m"),
        {"sister_sheungs_3": 10, "sister_sheungs_2": None},
        {"sister_sheungs_3": None, "sister_sheungs_2": 3},
    ),
    (
        "claimed_tile_exposes_sheung",
        False,
        R("12444m456p78999s555z", "3m<W"),
        {"mixed_dragon_exposed": 5, "mixed_dragon_concealed": None},
        {"mixed_dragon_exposed": None, "mixed_dragon_concealed": 10},
    ),
    (
        "claimed_tile_exposes_sheung",
        False,
        R("12456789m444p99s555z", "3m<W"),
        {"pure_dragon_exposed": 10, "pure_dragon_concealed": None},
        {"pure_dragon_exposed": None, "pure_dragon_concealed": 20},
    ),
    (
        "robbed_tile_is_discard",
        False,
        R("123456m2399p789s111z", "4p<W", by="robbed_gong"),
        {"concealed_hand": 5, "robbing_gong": 10},
        {"concealed_hand": None, "robbing_gong": 10},
    ),
    (
        "robbed_tile_is_discard",
        False,
        R("9s", "9s<W", "123m 456m 234p 789s 555z", by="robbed_gong"),
        {"fully_exposed": 15},
        {"fully_exposed": None},
    ),
    (
        "robbed_tile_is_discard",
        False,
        R("123456m2399p789s111z", "4p<W"),
        {"concealed_hand": 5},
        {"concealed_hand": 5},
    ),
    (
        "all_pong_allows_gongs",
        False,
        R("99s55z", "5z", "2222m 3333m (4444m) 222p"),
        {"all_pong": 25},
        {"all_pong": None},
    ),
    ("all_pong_allows_gongs", False, R("99s55z", "5z", "222m 333m 444m 222p"), {"all_pong": 25}, {"all_pong": 25}),
    (
        "streak_from",
        1,
        R("123456m23499p789s11z", "1z", seat="E", streak=0),
        {"dealer_streak": None},
        {"dealer_streak": 3},
    ),
    ("streak_from", 1, R("123456m23499p789s11z", "1z", seat="E", streak=1), {"dealer_streak": 3}, {"dealer_streak": 5}),
    ("streak_from", 1, R("123456m23499p789s11z", "1z<E", streak=1), {"dealer_streak": None}, {"dealer_streak": None}),
    (
        "streak_paid_by_dealer",
        True,
        R("123456m23499p789s11z", "1z<E", streak=2),
        {"dealer_streak": None},
        {"dealer_streak": 5},
    ),
    (
        "streak_paid_by_dealer",
        True,
        R("123456m23499p789s11z", "1z<W", streak=2),
        {"dealer_streak": None},
        {"dealer_streak": None},
    ),
    (
        "streak_paid_by_dealer",
        True,
        R("123456m23499p789s11z", "1z", streak=2),
        {"dealer_streak": None},
        {"dealer_streak": None},
    ),
    ("base", 7, R("123456m23499p789s11z", "1z"), {"base": 5}, {"base": 7}),
]


@pytest.mark.parametrize(("switch", "value", "hand", "before", "after"), SCORING)
def test_scoring_switch(switch: str, value: Any, hand: dict[str, Any], before: Lines, after: Lines) -> None:
    plain = lines(scored(hand))
    switched = lines(scored(hand | {"options": {switch: value}}))
    assert {award: plain.get(award) for award in before} == before
    assert {award: switched.get(award) for award in after} == after


def test_both_streak_switches_together() -> None:
    hand = R("123456m23499p789s11z", "1z<E", streak=1)
    both = {"streak_from": 1, "streak_paid_by_dealer": True}
    assert lines(scored(hand | {"options": both}))["dealer_streak"] == 5


@pytest.mark.parametrize(
    ("switch", "value", "attribute", "default", "changed"),
    [
        ("mixed_then_full", "both", "mixed_then_full", "difference", "both"),
        ("early_counts_melds", False, "early_counts_melds", True, False),
        ("early_counts_winning_discard", False, "early_counts_winning_discard", True, False),
        ("early_counts_flowers", True, "early_counts_flowers", False, True),
        ("dealer_stays_on_draw", False, "dealer_stays_on_draw", True, False),
        ("winners", "nearest", "nearest_winner_only", False, True),
        ("missed_win", False, "missed_win", True, False),
        ("calling", True, "calling", False, True),
        ("base", 3, "base", 5, 3),
        ("gong_in_claim_turn", True, "gong_in_claim_turn", False, True),
        ("swap_claim", False, "swap_claim", True, False),
    ],
)
def test_switch_of_play(switch: str, value: Any, attribute: str, default: Any, changed: Any) -> None:
    assert getattr(lrc().procedure, attribute) == default
    assert getattr(lrc().with_options({switch: value}).procedure, attribute) == changed


def test_every_switch_is_tested() -> None:
    tested = {row[0] for row in SCORING}
    of_play = {
        "mixed_then_full",
        "early_counts_melds",
        "early_counts_winning_discard",
        "early_counts_flowers",
        "dealer_stays_on_draw",
        "winners",
        "missed_win",
        "calling",
        "gong_in_claim_turn",
        "swap_claim",
    }
    assert tested | of_play == set(lrc().options)


def test_switches_that_change_what_the_table_counts_change_no_score() -> None:
    hand = R("123456m23499p789s11z", "1z", tiles_on_table=7, flowers="1f")
    for switch in ("early_counts_melds", "early_counts_winning_discard", "early_counts_flowers"):
        default = lrc().options[switch].default
        assert scored(hand | {"options": {switch: not default}}).awards == scored(hand).awards


def test_instant_payments_are_counted_in_bases() -> None:
    # Section 5, A-91.
    assert [lrc().instant(name) for name in ("mixed_flower_set", "full_flower_set", "concealed_gong")] == [5, 10, 5]
    tall = lrc().with_options({"base": 8})
    assert [tall.instant(name) for name in ("mixed_flower_set", "full_flower_set", "concealed_gong")] == [8, 16, 8]


def test_an_option_that_is_set_back_is_as_if_never_set() -> None:
    once = lrc().with_options({"base": 9}).with_options({"base": 5})
    assert once.sheet == lrc().sheet
    assert once.values == lrc().values


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"bases": 5}, "has no option 'bases'"),
        ({"base": True}, "whole number"),
        ({"base": -1}, "whole number"),
        ({"base": 10**12}, "whole number"),
        ({"base": "5"}, "whole number"),
        ({"base": None}, "whole number"),
        ({"calling": 1}, "true or false"),
        ({"winners": "some"}, "all or nearest"),
        ({"winners": ["all"]}, "all or nearest"),
        ({"concealed_gong_in_hand": 1}, "0 or 2"),
        ({"streak_from": 1.0}, "1 or 2"),
    ],
)
def test_an_option_there_is_none_of_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        lrc().with_options(options)


def test_the_questions_about_the_dealers_wins_are_known() -> None:
    # East wins, and pays: with more wins before, exactly those questions answer otherwise.
    differing = set()
    for seat, win in (("E", "4s<W"), ("S", "4s<E")):
        before, after = (
            parse_request(R("123789m456p23s11555z", win, seat=seat, streak=streak), choose).record for streak in (0, 3)
        )
        facts = [HandFacts(one, one.all_counts(), 1, 5) for one in (before, after)]
        differing |= {name for name, ask in HAND_QUESTIONS.items() if ask(facts[0]) != ask(facts[1])}
    assert differing == STREAK_QUESTIONS
