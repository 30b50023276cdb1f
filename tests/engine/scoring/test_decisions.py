"""What was decided where the table can be read two ways: one worked hand or more for each id of docs/rules-lrc.md.

`has` lists lines with their points, `lacks` awards that must be missing. Hands are South's in the West round.
"""

from typing import Any

import pytest

from parlour_engine.melds import CHOW, PONG
from parlour_engine.scoring.facts import EYES, NO_GROUP
from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.hands import lines, record, scored

R = record

DECISIONS: list[tuple[str, dict[str, Any], dict[str, int], set[str]]] = [
    # A-1: a pure dragon keeps its terminal sheungs, All Pong its concealed pongs, uncles their neighbours.
    ("A-1, A-31", R("123456789m444p99s55z", "5z"), {"pure_dragon_concealed": 20, "terminal_sheungs_1": 3}, set()),
    (
        "A-1, A-42, A-52",
        R("2223334445556667m", "7m"),
        {"uncles_hand": 80, "neighbour_pongs_5": 60, "all_pong": 25, "concealed_pongs_5": 80, "pure_suit": 90},
        set(),
    ),
    # A-3: 1m may have finished 123m, so that 111m stays concealed.
    (
        "A-3",
        R("11123m444777p66699s", "1m<W"),
        {"concealed_pongs_4": 15},
        {"calling_by_pairs"},
    ),
    # A-4: gongs are pongs for winds, neighbours, concealed pongs, All Pong and honours only.
    (
        "A-4",
        R("2z", "2z", "(1111z) 3333z 4444z 555z 666z"),
        {"little_four_winds": 50, "pure_honours": 140, "all_pong": 25, "open_gong": 2, "concealed_pongs_3": 10},
        {"big_three_winds", "pong_of_winds"},
    ),
    ("A-4, sets", R("99s55z", "5z", "2222m 3333m (4444m) 222p"), {"neighbour_pongs_3": 15, "sister_pongs_2": 3}, set()),
    # A-5, A-34: an open gong counts even beside an exposed pong, which does not.
    ("A-5, A-34", R("12399s55z", "5z<W", "6666m 777p (8888m)"), {"concealed_pongs_2": 5}, {"concealed_pongs_3"}),
    # A-7: gongs of any kind leave a hand concealed; five gongs are Fully Exposed unless one is concealed.
    ("A-7", R("12399s77788p", "8p<W", "6666m (8888m)"), {"concealed_hand": 5}, set()),
    ("A-7, added", R("9s", "9s<W", "6666m 7777m 8888m 1111p 3333p"), {"fully_exposed": 15}, {"concealed_hand"}),
    ("A-7, concealed", R("9s", "9s<W", "6666m 7777m 8888m 1111p (3333p)"), {"concealed_hand": 5}, {"fully_exposed"}),
    (
        "A-7, drawn",
        R("9s", "9s", "6666m 7777m 8888m 1111p (3333p)"),
        {"self_draw_concealed": 10},
        {"self_draw_exposed"},
    ),
    # A-8, A-53: jewels with Semi Pure; Nico Nico takes the jewel in; a jewel and All Step Up give 20 once.
    ("A-53", R("123456789s22288s66z", "6z"), {"jade_hand": 20, "semi_pure": 30, "pong_of_dragons": 2}, set()),
    ("A-8", R("11224455667788s66z", "8s"), {"nico_nico": 40, "semi_pure": 30}, {"jade_hand"}),
    ("A-8, steps", R("122333444555667s6z", "6z"), {"jade_hand": 20, "semi_pure": 30}, {"all_step_up"}),
    # A-10, A-43: flowers break no suit and no terminals.
    ("A-10", R("1222345556789999m", "5m", flowers="15f"), {"pure_suit": 90, "flower": 2, "no_honours": 1}, set()),
    ("A-43", R("234567m34544p33678s", "3s", flowers="1f"), {"no_terminals": 5}, set()),
    ("A-43, eyes", R("234567m34599p33678s", "3s"), {}, {"no_terminals"}),
    # A-12: the absence rows stack with suits and terminals.
    ("A-12", R("111999m123789p1199s", "9s"), {"no_flowers_or_honours": 5, "terminals_only": 40}, set()),
    # A-13: both.
    (
        "A-13",
        R("123456m234456p7999s", "8s"),
        {"no_flowers_or_honours": 5, "all_sheung_no_flowers_or_honours": 15},
        {"all_sheung"},
    ),
    # A-14: flowers of a set keep their points. A-15: both colours.
    ("A-14, A-15", R("123456m23499p789s11z", "1z", flowers="12346f"), {"flower": 5, "seat_flower": 2}, set()),
    # A-21: nothing else scores, even on a complete hand; 33 or 34, 55.
    (
        "A-21",
        R("123456m23499p789s111z", by="flowers", flowers="1345678f", called=True),
        {"seven_flowers": 20, "flower": 7, "seat_flower": 1, "base": 5, "calling": 5},
        {"self_draw_wall", "pong_of_winds", "true_single_wait"},
    ),
    # A-95: East's flower win is a dealer's win.
    (
        "A-95",
        R("123456m23499p789s111z", by="flowers", flowers="12345678f", seat="E", streak=2),
        {"eight_flowers": 40, "flower": 8, "seat_flower": 2, "east_tile": 1, "dealer_streak": 5},
        set(),
    ),
    # A-24, A-25: bonuses stay with Little Four Winds, the points of single pongs go.
    (
        "A-24, A-25",
        R("123m456p1112223334z", "4z"),
        {"little_four_winds": 50, "seat_wind_pong": 1, "round_wind_pong": 1},
        {"pong_of_winds", "big_three_winds"},
    ),
    ("A-24, both", R("123456m23499p789s22z", "2z", round="S"), {"seat_wind_pong": 1, "round_wind_pong": 1}, set()),
    # A-26.
    ("A-26", R("1112223335556667z", "7z"), {"little_dragons": 20, "pure_honours": 140}, {"pong_of_dragons"}),
    # A-27: two suits make no mixed dragon. A-28: both families share. A-29: once a family.
    ("A-27", R("123444m456p78999p55z", "5z"), {}, {"mixed_dragon_concealed", "mixed_dragon_exposed"}),
    (
        "A-28",
        R("123456789m45p78999s", "6p"),
        {"pure_dragon_concealed": 20, "mixed_dragon_concealed": 10},
        set(),
    ),
    ("A-29", R("123m456789p456789s9m", "9m"), {"mixed_dragon_concealed": 10}, set()),
    # A-30: the claimed tile may stand in another set to keep the value (6p in 678p, 456p stays concealed).
    ("A-30", R("12399m45678p789s555z", "6p<W"), {"mixed_dragon_concealed": 10}, {"mixed_dragon_exposed"}),
    ("A-30, no", R("12399m45p666789s555z", "6p<W"), {"mixed_dragon_exposed": 5}, {"mixed_dragon_concealed"}),
    # A-32: nothing in the hand.
    ("A-32", R("12399s77788p", "8p", "6666m (8888m)"), {"open_gong": 1}, {"concealed_gong"}),
    # A-35: two runs, the longer counts; no run from 9 to 1.
    ("A-35", R("111222m777888999p5s", "5s"), {"neighbour_pongs_3": 15}, {"neighbour_pongs_2"}),
    ("A-35, round", R("111999m111999p55s77z", "7z"), {}, {"neighbour_pongs_2"}),
    # A-36: two pairs of brothers pay once.
    ("A-36", R("445566p99s55z", "5z", "123m 123m"), {"brother_sheungs_2": 5}, set()),
    # A-37: sets are used once.
    ("A-37, 2-2-0", R("55z99s", "5z", "234m 234p 345m 345p"), {"sister_sheungs_2": 6}, set()),
    (
        "A-37, 2-2-1",
        R("345s9m", "9m", "345m 345p 345m 345p"),
        {"sister_sheungs_3": 10, "sister_sheungs_2": 3},
        set(),
    ),
    ("A-37, 2-1-1", R("55z99s", "5z", "345m 345p 345s 345m"), {"sister_sheungs_3": 10}, {"sister_sheungs_2"}),
    # A-38: terminal sets are sisters too.
    (
        "A-38",
        R("123789m123789p99s55z", "5z"),
        {"sister_sheungs_2": 6, "terminal_sheungs_2_mixed": 15},
        {"terminal_sheungs_1"},
    ),
    # A-39: brother and sister at once.
    ("A-39", R("112233m123p78999s55z", "5z"), {"brother_sheungs_2": 5, "sister_sheungs_2": 3}, set()),
    # A-40: two pairs of ranks pay once; honours have no rank.
    ("A-40", R("1m111z", "1m", "444m 444p 888m 888p"), {"sister_pongs_2": 3}, set()),
    # A-41: exposed sets beside them do not matter.
    ("A-41", R("333m666p99s55z", "5z", "456s 123s"), {"concealed_pongs_3": 10}, set()),
    # A-44: a gong counts; A-46: one set of each sort.
    ("A-44", R("99s55z", "5z", "1111p (9999p) 234m 456m"), {"terminal_pongs_1": 3}, set()),
    (
        "A-46",
        R("111999m123789p22s55z", "5z"),
        {"terminal_pongs_1": 3, "terminal_sheungs_1": 3},
        set(),
    ),
    # A-45: the fifth set is free.
    ("A-45", R("112233778899m99s55z", "5z"), {"terminal_sheungs_2_pure": 20}, {"terminal_sheungs_2_mixed"}),
    # A-47: any order of suits, but all three.
    ("A-47", R("123777s234m34599p55z", "5z"), {"step_up_sheungs": 5}, set()),
    ("A-47, one suit", R("122333445m777p99s55z", "5z"), {}, {"step_up_sheungs"}),
    # A-48: the two step rows and All Sheung stack.
    (
        "A-48",
        R("12356m23456799p345s", "4m"),
        {"all_step_up": 20, "step_up_sheungs": 5, "all_sheung_no_flowers_or_honours": 15},
        set(),
    ),
    # A-50: exposed sets count; a gong never does.
    ("A-50", R("123p99s55z", "5z", "555m 567m 234p"), {"four_in_2_ways": 5}, set()),
    ("A-50, gong", R("123p99s55z", "5z", "5555m 678m 234p"), {}, {"four_in_2_ways"}),
    # A-51.
    ("A-51", R("99s55z", "5z", "2222m 3333m (4444m) 222p"), {"all_pong": 25}, set()),
    # A-54.
    ("A-54", R("123456m23499p11789p", "1p", flowers="1f"), {"two_suits": 5}, set()),
    ("A-54, honours", R("123456m23455789p11z", "1z"), {}, {"two_suits"}),
    # A-55: both orphans have all five suits and a concealed hand.
    (
        "A-55",
        R("11239m19p19s1234567z", "4m<W"),
        {"thirteen_orphans": 90, "all_five_suits": 10, "concealed_hand": 5},
        set(),
    ),
    (
        "A-55, 16",
        R("147m258p369s1234567z", "1m"),
        {"sixteen_orphans": 50, "all_five_suits": 10, "self_draw_concealed": 10},
        set(),
    ),
    # A-56.
    (
        "A-56",
        R("1112223335556667z", "7z", flowers="1f"),
        {"pure_honours": 140, "big_three_winds": 30, "little_dragons": 20, "all_pong": 25, "concealed_pongs_5": 80},
        set(),
    ),
    # A-57, A-60: three fours pay as two; also where the claimed tile is the fourth (A-58b).
    ("A-60", R("1111m2222p3333s4455z", "5z"), {"nico_nico_gongs_2": 25}, {"nico_nico_gongs_1"}),
    ("A-60, pong", R("1111m2288p3366s4455z", "5z"), {"nico_nico_gongs_1": 10}, {"nico_nico_gongs_2"}),
    ("A-58b", R("111m2288p3366s44555z", "1m<W"), {"nico_nico_gongs_1": 10, "pong_of_dragons": 2}, set()),
    # A-59: a made pair of 2, 5 or 8 has Good Eyes, a made pong has not; never Calling by Pairs.
    ("A-59", R("1155m2288p336s44555z", "6s"), {}, {"good_eyes", "calling_by_pairs"}),
    ("A-59, pair", R("1155m228p3366s44555z", "8p"), {"good_eyes": 2, "true_single_wait": 2}, {"calling_by_pairs"}),
    ("A-59, four", R("1155m222p3366s44555z", "2p"), {"good_eyes": 2}, set()),
    ("A-59, pong", R("1155m2288p3366s4455z", "5m"), {"nico_nico": 40}, {"good_eyes", "calling_by_pairs"}),
    # A-58: no set families, but the tiles' rows.
    (
        "A-58",
        R("112233m445566p8899s", "9s"),
        {"nico_nico": 40, "no_flowers_or_honours": 5, "self_draw_concealed": 10},
        {"brother_sheungs_2", "concealed_pongs_2", "calling_by_pairs"},
    ),
    # A-61: four copies may be single and pong; a concealed gong may be the set.
    ("A-61", R("119m19p19s123456777z", "7z"), {"thirteen_orphans": 90, "pong_of_dragons": 2}, set()),
    ("A-61, gong", R("19m19p19s1234567z", "1m", "(5555p)"), {"thirteen_orphans": 90, "self_draw_concealed": 10}, set()),
    # A-62: the pong scores as wind or dragon.
    (
        "A-62",
        R("119m19p19s111234567z", "1z", round="E"),
        {"pong_of_winds": 1, "round_wind_pong": 1},
        {"concealed_pongs_2", "calling_by_pairs"},
    ),
    # A-63: any spacing of three or more; a pair of 2, 5 or 8 is Good Eyes.
    ("A-63", R("159m148p259s1234567z", "5m"), {"sixteen_orphans": 50, "good_eyes": 2}, {"true_single_wait"}),
    ("A-63, wide", R("149m169p369s1234567z", "7z"), {"sixteen_orphans": 50}, {"good_eyes"}),
    # A-64: pongs alone will do; honours alone will not.
    ("A-64", R("111999m111p999s1177z", "7z"), {"terminals_with_honours": 20, "all_pong": 25}, set()),
    ("A-64, honours", R("1112223335556667z", "7z"), {}, {"terminals_with_honours", "terminals_only"}),
    # A-65: eyes of the dragon suffice; bamboo alone does not.
    ("A-65", R("123456789222888s6z", "6z"), {"jade_hand": 20}, set()),
    ("A-65, none", R("1222345556789999s", "5s"), {}, {"jade_hand"}),
    # A-66: starts must be five in a row.
    ("A-66", R("122334m34599p45667s", "8s"), {}, {"all_step_up"}),
    # A-72.
    ("A-72", R("123456m23422p789s11z", "1z"), {"good_eyes": 2}, set()),
    # A-73: other waits do not cancel it; a claim counts too.
    ("A-73", R("123456m23499p789s11z", "1z<W"), {"calling_by_pairs": 2}, set()),
    # A-74: of the waits 1m and 4m the player holds every 4m.
    ("A-74", R("23m78999s555z", "1m", "444m 345m"), {"true_single_wait": 2}, set()),
    ("A-74, three", R("23m78999s555z", "1m", "444m 567m"), {}, {"true_single_wait"}),
    # A-76: opening and early stack.
    (
        "A-76",
        R("123456m23499p789s111z", by="dealt", seat="E", tiles_on_table=0),
        {"heavenly_hand": 100, "human_hand": 80},
        set(),
    ),
    (
        "A-76, earthly",
        R("123456m23499p789s11z", "1z<E", first_discard=True, tiles_on_table=1),
        {"earthly_hand": 90, "human_hand": 80, "east_tile": 1},
        set(),
    ),
    # A-78, A-93: Heavenly draws from the wall, has no wait, and all its pongs are concealed.
    (
        "A-78, A-93",
        R("123m456p99s555666777z", by="dealt", seat="E"),
        {"self_draw_wall": 1, "self_draw_concealed": 10, "east_tile": 1, "concealed_pongs_3": 10},
        {"true_single_wait", "calling_by_pairs"},
    ),
    # A-79: source and concealed stack.
    ("A-79", R("9s", "9s", "123m 456m 234p 789s 555z"), {"self_draw_exposed": 10, "self_draw_wall": 1}, set()),
    # A-80: any replacement; of the last tile's too.
    (
        "A-80",
        R("123456m23499p789s11z", "1z", replacement=True, last_tile=True),
        {"self_draw_flower_wall": 5},
        {"seabed", "self_draw_wall"},
    ),
    # A-81: a robbed tile is claimed.
    (
        "A-81",
        R("33399m666p888s22255z", "5z<W", by="robbed_gong"),
        {"concealed_hand": 5, "concealed_pongs_4": 15, "robbing_gong": 10},
        {"concealed_pongs_5"},
    ),
    ("A-81, exposed", R("9s", "9s<W", "123m 456m 234p 789s 555z", by="robbed_gong"), {"fully_exposed": 15}, set()),
    # A-82: with Flower Wall.
    (
        "A-82",
        R("123m99p789s11z", "1z", "(5555s) 6666p", replacement=True, gong_on_gong=True),
        {"gong_on_gong": 30, "self_draw_flower_wall": 5},
        set(),
    ),
    # A-83: East pays no more as one of three.
    ("A-83", R("123456m23499p789s11z", "1z"), {}, {"east_tile"}),
    # A-86: the second win in a row adds 3; only to the dealer's own wins.
    ("A-86", R("123456m23499p789s11z", "1z", seat="E", streak=1), {"dealer_streak": 3}, set()),
    ("A-86, first", R("123456m23499p789s11z", "1z", seat="E", streak=0), {}, {"dealer_streak"}),
    ("A-86, pays", R("123456m23499p789s11z", "1z<E", streak=4), {"east_tile": 1}, {"dealer_streak"}),
    # A-90: whatever the switch says.
    ("A-90", R("123456m23499p789s11z", "1z", called=True), {"calling": 5}, set()),
    # X-2: with both waits this is the one reported.
    ("X-2", R("11m55z", "5z", "123m 123m 456p 789s"), {"true_single_wait": 2}, {"calling_by_pairs"}),
]


@pytest.mark.parametrize(("decision", "hand", "has", "lacks"), DECISIONS, ids=[row[0] for row in DECISIONS])
def test_decision(decision: str, hand: dict[str, Any], has: dict[str, int], lacks: set[str]) -> None:
    found = lines(scored(hand))
    assert {award: found.get(award) for award in has} == has
    assert not lacks & set(found)


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        # A-21: 33 without and 34 with both seat flowers, 55 with all eight.
        (R("123456m23499p789s111z", by="flowers", flowers="1234578f"), 33),
        (R("123456m23499p789s111z", by="flowers", flowers="1234567f"), 34),
        (R("123456m23499p789s11z", by="flowers", flowers="12345678f"), 55),
        # A-67, A-69: chicken, called and not; one flower that is not the seat's; two flowers are no chicken.
        (R("56m234p678999s11z", "4m<W", "123m", round="E"), 25),
        (R("56m234p678999s11z", "4m<W", "123m", round="E", called=True), 30),
        (R("56m234p678999s11z", "4m<W", "123m", round="E", flowers="4f"), 25),
        (R("56m234p678999s11z", "4m<W", "123m", round="E", flowers="34f"), 7),
        (R("56m234p678999s11z", "4m<E", "123m", round="E"), 7),
        (R("56m234p678999s11z", "4m<E", "123m", round="E", seat="N", flowers="2f"), 7),
    ],
)
def test_total(hand: dict[str, Any], total: int) -> None:
    assert scored(hand).total == total


def test_seven_flowers_win_with_sixteen_tiles_too() -> None:
    # A-23.
    assert scored(R("123456m23499p789s11z", by="flowers", flowers="1234567f")).total == 34


def test_a_special_hand_is_never_opened() -> None:
    # A-61: an exposed or open set besides is no Thirteen Orphans; A-57, A-60: nothing is declared in Nico Nico.
    for hand in (
        R("19m19p19s1234567z", "1m", "5555p"),
        R("19m19p19s1234567z", "1m", "555p"),
        R("1155m2288p3366s4z", "4z", "(5555z)"),
        R("147m258p36s12345z", "9s", "(6666z)"),
    ):
        with pytest.raises(NotWinning):
            scored(hand)


def test_the_reading_says_which_group_took_the_win_tile() -> None:
    pong = scored(R("123456m23499p789s11z", "1z")).reading
    assert (pong.form, pong.holder, pong.holder_kind, pong.eyes) == ("standard", PONG, 27, 17)
    eyes = scored(R("123456m234999p789s1z", "1z")).reading
    assert (eyes.holder, eyes.holder_kind, eyes.pongs) == (EYES, 27, (17,))
    chow = scored(R("12399m45678p789s555z", "6p<W")).reading
    assert (chow.holder, chow.holder_kind) == (CHOW, 14)
    assert scored(R("123456m23499p789s111z", by="dealt", seat="E")).reading.holder == NO_GROUP


def test_clauses_travel_with_the_lines() -> None:
    clauses = {award.award: award.clause for award in scored(R("123456m23499p789s11z", "1z")).awards}
    assert clauses["calling_by_pairs"] == "lrc X-1"
    assert clauses["base"] == "lrc A-91, M5"


def test_what_gave_way_is_told() -> None:
    score = scored(R("33399m666p888s22255z", "5z"))
    told = {(line.award, line.by) for line in score.replaced}
    assert {("concealed_pongs_4", "concealed_pongs_5"), ("concealed_pongs_2", "concealed_pongs_5")} <= told
    chicken = scored(R("56m234p678999s11z", "4m<W", "123m", round="E"))
    assert ("no_flowers", "chicken_hand") in {(line.award, line.by) for line in chicken.replaced}
