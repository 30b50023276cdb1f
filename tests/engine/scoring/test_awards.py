"""Every award fires on a hand worked from its row of docs/rules-lrc.md, and not on a hand that just misses it.

A near miss of None is one that does not win at all. Hands are South's in the West round unless they say otherwise.
"""

from typing import Any

import pytest

from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.hands import lines, lrc, record, scored

R = record
FIVE_MELDS = "123m 456m 234p 789s 555z"

# award, its points, a hand that has it, a hand that just misses it
AWARDS: list[tuple[str, int, dict[str, Any], dict[str, Any] | None]] = [
    # 111z is finished, 99p are the eyes.
    ("no_flowers", 1, R("123456m23499p789s11z", "1z"), R("123456m23499p789s11z", "1z", flowers="1f")),
    ("no_honours", 1, R("123456m23499p11789s", "1s", flowers="1f"), R("123456m23499p789s11z", "1z", flowers="1f")),
    ("no_flowers_or_honours", 5, R("123456m23499p11789s", "1s"), R("123456m23499p11789s", "1s", flowers="1f")),
    ("flower", 3, R("123456m23499p789s11z", "1z", flowers="138f"), R("123456m23499p789s11z", "1z")),
    ("seat_flower", 2, R("123456m23499p789s11z", "1z", flowers="26f"), R("123456m23499p789s11z", "1z", flowers="17f")),
    (
        "seven_flowers",
        20,
        R("123456m23499p11789s", by="flowers", flowers="1234567f"),
        R("123456m23499p11789s", by="flowers", flowers="123456f"),
    ),
    (
        "eight_flowers",
        40,
        R("123456m23499p11789s", by="flowers", flowers="12345678f"),
        R("123456m23499p11789s", by="flowers", flowers="1234567f"),
    ),
    # Winds and dragons.
    ("pong_of_winds", 2, R("123m23499p789s11444z", "1z"), R("123456m234999p789s1z", "1z")),
    ("seat_wind_pong", 1, R("123456m23499p789s22z", "2z"), R("123456m234999p789s2z", "2z")),
    ("round_wind_pong", 1, R("123456m23499p789s33z", "3z"), R("123456m234999p789s3z", "3z")),
    ("little_three_winds", 15, R("123m456p789s1112224z", "4z"), R("123m456p789s1112225z", "5z")),
    ("big_three_winds", 30, R("123m456p9s111222333z", "9s"), R("123m456p9s111222555z", "9s")),
    ("little_four_winds", 50, R("123m456p1112223334z", "4z"), R("123m456p1112223335z", "5z")),
    ("big_four_winds", 60, R("123m9p111222333444z", "9p"), R("123m456p1112223334z", "4z")),
    ("pong_of_dragons", 4, R("123m23499p789s55666z", "5z"), R("123456m234999p789s5z", "5z")),
    ("little_dragons", 20, R("123m456p789s5556667z", "7z"), R("123m456p789s5556661z", "1z")),
    ("big_dragons", 40, R("123m456p9s555666777z", "9s"), R("123m456p789s5556667z", "7z")),
    ("open_gong", 1, R("123456m99p789s11z", "1z", "5555p"), R("123456m99p789s11z", "1z", "(5555p)")),
    # Dragon sequences: 555z is finished, so no sheung is.
    ("mixed_dragon_exposed", 5, R("444m456p78999s55z", "5z", "123m"), R("444m456p78999s55z", "5z", "234m")),
    ("mixed_dragon_concealed", 10, R("123444m456p78999s55z", "5z"), R("12444m456p78999s555z", "3m<W")),
    ("pure_dragon_exposed", 10, R("456789m444p99s55z", "5z", "123m"), R("456789m444p99s55z", "5z", "123p")),
    ("pure_dragon_concealed", 20, R("123456789m444p99s55z", "5z"), R("12456789m444p99s555z", "3m<W")),
    # Families of sets.
    ("neighbour_pongs_2", 5, R("111222m456p78999s55z", "5z"), R("111333m456p78999s55z", "5z")),
    ("neighbour_pongs_3", 15, R("222333444m456p99s55z", "5z"), R("222333555m456p99s55z", "5z")),
    ("neighbour_pongs_4", 30, R("111222333444m99s55z", "5z"), R("111222333555m99s55z", "5z")),
    ("neighbour_pongs_5", 60, R("111222333444555m9s", "9s"), R("111222333444666m9s", "9s")),
    ("brother_sheungs_2", 5, R("112233m456p78999s55z", "5z"), R("123456m456p78999s55z", "5z")),
    ("brother_sheungs_3", 15, R("456m99s55z", "5z", "234p 234p 234p"), R("456m99s55z", "5z", "234p 234p 345p")),
    ("brother_sheungs_4", 30, R("99s55z", "5z", "234p 234p 234p 234p"), R("99s55z", "5z", "234p 234p 234p 345p")),
    ("sister_sheungs_2", 3, R("345m345p78999s11155z", "5z"), R("345m456p78999s11155z", "5z")),
    ("sister_sheungs_3", 10, R("345m345p34599s11155z", "5z"), R("345m345p45699s11155z", "5z")),
    ("sister_pongs_2", 3, R("333m333p45678999s55z", "5z"), R("333m444p45678999s55z", "5z")),
    ("sister_pongs_3", 10, R("333m333p33378999s55z", "5z"), R("333m333p44478999s55z", "5z")),
    ("concealed_pongs_2", 5, R("333m666p45678999s55z", "5z<W"), R("333m45678999s55z", "5z<W", "666p")),
    ("concealed_pongs_3", 10, R("333m666p45678999s55z", "5z"), R("333m666p45678999s55z", "5z<W")),
    ("concealed_pongs_4", 15, R("33399m456666p888s55z", "5z"), R("33399m456666p888s55z", "5z<W")),
    ("concealed_pongs_5", 80, R("33399m666p888s22255z", "5z"), R("33399m666p888s22255z", "5z<W")),
    # Terminals, steps, fours.
    ("no_terminals", 5, R("234567m34544p33678s", "3s"), R("123567m34544p33678s", "3s")),
    ("terminal_pongs_1", 3, R("111999m456p78999s55z", "5z"), R("111m456999p78999s55z", "5z")),
    ("terminal_pongs_2", 15, R("111999m111999p55s77z", "7z"), R("111999m111888p55s77z", "7z")),
    ("terminal_sheungs_1", 3, R("123789m444p66699s55z", "5z"), R("123m444789p66699s55z", "5z")),
    ("terminal_sheungs_2_mixed", 15, R("123789m123789p99s55z", "5z"), R("123789m123678p99s55z", "5z")),
    ("terminal_sheungs_2_pure", 20, R("112233778899m99s55z", "5z"), R("123789m123789p99s55z", "5z")),
    ("step_up_sheungs", 5, R("123777m234p34599s55z", "5z"), R("123345m234p77799s55z", "5z")),
    ("four_in_2_ways", 5, R("555567m234p78999s55z", "5z"), R("555678m234p78999s55z", "5z")),
    ("four_in_3_ways", 10, R("45555667m234p789s55z", "5z"), R("45556678m234p789s55z", "5z")),
    ("four_in_4_ways", 20, R("344555566677m99s55z", "5z"), R("334445556678m99s55z", "5z")),
    # Hand patterns.
    (
        "all_sheung_no_flowers_or_honours",
        15,
        R("123456m234456p7999s", "8s"),
        R("123456m234456p7999s", "8s", flowers="1f"),
    ),
    ("all_sheung", 5, R("123456m234456p7999s", "8s", flowers="1f"), R("123456m234444p7999s", "8s", flowers="1f")),
    ("concealed_hand", 5, R("123456m23499p789s11z", "1z<W"), R("123456m99p789s11z", "1z<W", "234p")),
    ("fully_exposed", 15, R("9s", "9s<W", FIVE_MELDS), R("9s", "9s<W", "123m 456m 234p 789s (5555z)")),
    ("semi_pure", 30, R("12345678999m11155z", "5z"), R("12345678999p111s55z", "5z")),
    ("pure_suit", 90, R("1222345556789999m", "5m"), R("12345678999m11155z", "5z")),
    ("two_suits", 5, R("123456m23499p11789p", "1p"), R("123456m23499p11789s", "1s")),
    ("all_five_suits", 10, R("123m456p78999s11155z", "5z"), R("123m456p78999s55566z", "6z")),
    ("all_pong", 25, R("33399m666p888s22255z", "5z"), R("33399m456p888s22255z", "5z")),
    ("uncles_hand", 80, R("2223334445556667m", "7m"), R("1222333444555666m", "1m")),
    ("pure_honours", 140, R("1112223335556667z", "7z"), R("9m111222333555666z", "9m")),
    ("terminals_with_honours", 20, R("111999m123789p1155z", "5z"), R("111999m123789p22s55z", "5z")),
    ("terminals_only", 40, R("111999m123789p1199s", "9s"), R("111999m123789p2299s", "9s")),
    # Special hands.
    ("nico_nico", 40, R("1155m2288p3366s4455z", "5z"), None),
    ("nico_nico_gongs_1", 10, R("1111m2288p3366s4455z", "5z"), R("1155m2288p3366s4455z", "5z")),
    ("nico_nico_gongs_2", 25, R("1111m2222p3366s4455z", "5z"), R("1111m2288p3366s4455z", "5z")),
    ("thirteen_orphans", 90, R("11239m19p19s1234567z", "4m"), None),
    ("sixteen_orphans", 50, R("147m258p369s1234567z", "1m"), None),
    (
        "chicken_hand",
        20,
        R("56m234p678999s11z", "4m<W", "123m", round="E"),
        R("56m234p678999s11z", "4m<W", "123m", round="E", flowers="13f"),
    ),
    ("jade_hand", 20, R("123456789s22288s66z", "6z"), R("123456789s22288s77z", "7z")),
    ("ruby_hand", 20, R("123456789m22288m77z", "7z"), R("123456789m22288m66z", "6z")),
    ("diamond_hand", 20, R("123456789p22288p55z", "5z"), R("123456789p22288p11z", "1z")),
    ("all_step_up", 20, R("122334m34599p45566s", "7s"), R("122334m34599p45667s", "8s")),
    # Eyes and waits.
    ("good_eyes", 2, R("123456m23455p789s11z", "1z"), R("123456m23444p789s11z", "1z")),
    ("calling_by_pairs", 2, R("123456m23499p789s11z", "1z"), R("123456m2399p789s111z", "4p")),
    ("true_single_wait", 2, R("123456m234999p789s1z", "1z"), R("123456m23499p789s11z", "1z")),
    # How the hand is won.
    (
        "east_tile",
        1,
        R("123456m23499p789s11z", "1z<E"),
        R("123456m23499p789s11z", "1z<W"),
    ),
    ("self_draw_wall", 1, R("123456m23499p789s11z", "1z"), R("123456m23499p789s11z", "1z<W")),
    (
        "self_draw_flower_wall",
        5,
        R("123456m23499p789s11z", "1z", replacement=True, flowers="1f"),
        R("123456m23499p789s11z", "1z", flowers="1f"),
    ),
    ("self_draw_concealed", 10, R("123456m23499p789s11z", "1z"), R("123456m99p789s11z", "1z", "234p")),
    ("self_draw_exposed", 10, R("9s", "9s", FIVE_MELDS), R("9s", "9s", "123m 456m 234p 789s (5555z)")),
    (
        "robbing_gong",
        10,
        R("123456m2399p789s111z", "4p<W", by="robbed_gong"),
        R("123456m2399p789s111z", "4p<W"),
    ),
    (
        "gong_on_gong",
        30,
        R("123m99p789s11z", "1z", "(5555s) 6666p", replacement=True, gong_on_gong=True),
        R("123m99p789s11z", "1z", "(5555s) 6666p", replacement=True),
    ),
    (
        "human_hand",
        80,
        R("123456m23499p789s11z", "1z", tiles_on_table=4),
        R("123456m23499p789s11z", "1z", tiles_on_table=5),
    ),
    (
        "within_7",
        20,
        R("123456m23499p789s11z", "1z", tiles_on_table=7),
        R("123456m23499p789s11z", "1z", tiles_on_table=8),
    ),
    (
        "within_10",
        10,
        R("123456m23499p789s11z", "1z", tiles_on_table=10),
        R("123456m23499p789s11z", "1z", tiles_on_table=11),
    ),
    (
        "seabed",
        10,
        R("123456m23499p789s11z", "1z", last_tile=True),
        R("123456m23499p789s11z", "1z", last_tile=True, replacement=True),
    ),
    (
        "earthly_hand",
        90,
        R("123456m23499p789s11z", "1z<E", first_discard=True),
        R("123456m23499p789s11z", "1z<E"),
    ),
    (
        "heavenly_hand",
        100,
        R("123456m23499p789s111z", by="dealt", seat="E"),
        R("123456m23499p789s11z", "1z", seat="E"),
    ),
    # Beside the hand.
    ("calling", 5, R("123456m23499p789s11z", "1z", called=True), R("123456m23499p789s11z", "1z")),
    (
        "dealer_streak",
        7,
        R("123456m23499p789s11z", "1z", seat="E", streak=3),
        R("123456m23499p789s11z", "1z", streak=3),
    ),
]
ONLY_UNDER_A_SWITCH = {"concealed_gong"}
ALWAYS = {"base"}


@pytest.mark.parametrize(("award", "points", "hit", "miss"), AWARDS, ids=[award[0] for award in AWARDS])
def test_award(award: str, points: int, hit: dict[str, Any], miss: dict[str, Any] | None) -> None:
    assert lines(scored(hit))[award] == points
    if miss is None:
        return
    if award == "seven_flowers":
        with pytest.raises(NotWinning):
            scored(miss)
    else:
        assert award not in lines(scored(miss))


def test_every_row_of_the_sheet_is_tested() -> None:
    assert {row.id for row in lrc().sheet} | ONLY_UNDER_A_SWITCH == {award[0] for award in AWARDS} | (
        ONLY_UNDER_A_SWITCH | ALWAYS
    )


@pytest.mark.parametrize(
    "miss",
    [
        # Eight pairs and a lone tile; a pair with one exposed pong; two different threes.
        R("1155m2288p3366s4455z", "6z"),
        R("1155m2288p33s44z5z", "5z", "777z"),
        R("11155m2288p33366s44z", "5z"),
        # One orphan short; an exposed set; a set with a gap.
        R("11234m19p19s1234567z", "4m"),
        R("19m19p19s1234567z", "1m", "234m"),
        R("11239m19p19s1234567z", "5m"),
        # Ranks two apart; a seventh honour missing; no pair.
        R("146m258p369s1234567z", "1m"),
        R("147m258p369s1123456z", "1m"),
        R("147m258p369s1234567z", "2m"),
    ],
)
def test_special_hands_that_just_fail_do_not_win(miss: dict[str, Any]) -> None:
    with pytest.raises(NotWinning):
        scored(miss)


def test_the_base_is_always_there() -> None:
    for _, _, hit, _ in AWARDS:
        assert lines(scored(hit))["base"] == 5
