"""Faults that scorers of other servers had: only one split tried, a claimed set called concealed, a wait paid twice."""

from typing import Any

import pytest

from parlour_engine.scoring.reading import Reading
from tests.engine.scoring.hands import lines, record, scored

R = record


def readings(hand: dict[str, Any]) -> list[tuple[Reading, int]]:
    score = scored(hand)
    return [(score.reading, score.points), *((other.reading, other.points) for other in score.considered)]


def splits(hand: dict[str, Any]) -> set[tuple[Any, ...]]:
    return {(reading.form, reading.chows, reading.pongs, reading.eyes) for reading, _ in readings(hand)}


def test_s01_every_split_is_tried() -> None:
    drawn = R("1122233344s678p222z", "1s")
    claimed = R("1122233344s678p222z", "1s<W")
    assert len(splits(drawn)) == len(splits(claimed)) == 3
    assert lines(scored(drawn))["concealed_pongs_4"] == 15
    assert lines(scored(claimed))["concealed_pongs_3"] == 10


def test_s01_five_concealed_pongs_even_when_a_discard_makes_the_eyes() -> None:
    hand = R("111222333444555s6s", "6s<W")
    assert len(splits(hand)) == 5
    assert lines(scored(hand))["concealed_pongs_5"] == 80


def test_s02_a_pong_that_a_discard_finished_is_not_concealed() -> None:
    points = {}
    for name, win in (("claimed", "1m<W"), ("drawn", "1m")):
        hand = R("1123444m555p", win, "123m 789s")
        # {111m 234m 44m} and {123m 444m 11m}
        assert len(splits(hand)) == 2
        points[name] = next(worth for reading, worth in readings(hand) if 0 in reading.pongs)
    # Drawn: Two Concealed Pongs 5 and Self Draw 1 more.
    assert points["drawn"] == points["claimed"] + 6


@pytest.mark.parametrize(
    ("hand", "single"),
    [
        (R("12334m777p111999s11z", "2m"), False),
        (R("12334m777p111999s11z", "5m"), False),
        (R("13m456777p111999s11z", "2m"), True),
        (R("77789m11888p", "7m", "444z 123s"), False),
        (R("77789m11888p", "1p", "444z 123s"), False),
        (R("12m456777p111999s11z", "3m"), True),
        (R("24m456777p111999s11z", "3m"), True),
        (R("123m333456p9p111999s", "9p"), True),
    ],
)
def test_s03_a_single_wait_pays_once_and_a_double_wait_never(hand: dict[str, Any], single: bool) -> None:
    found = lines(scored(hand))
    assert found.get("true_single_wait") == (2 if single else None)
    assert not (single and "calling_by_pairs" in found)


def test_s08_nothing_is_remembered_from_the_last_hand() -> None:
    tiles = "123456m2399p789s111z"
    ways = [
        (R(tiles, "4p<W"), {"concealed_hand": 5}),
        (R(tiles, "4p"), {"self_draw_concealed": 10, "self_draw_wall": 1}),
        (R(tiles, "4p", replacement=True), {"self_draw_concealed": 10, "self_draw_flower_wall": 5}),
        (R(tiles, "4p<W", by="robbed_gong"), {"concealed_hand": 5, "robbing_gong": 10}),
        (R(tiles, "4p", last_tile=True), {"self_draw_concealed": 10, "seabed": 10}),
        (R(tiles, "4p<W"), {"concealed_hand": 5}),
    ]
    # Common to all: no flowers 1, a wind pong 1, base 5.
    for hand, own in ways:
        assert lines(scored(hand)) == {"no_flowers": 1, "pong_of_winds": 1, "base": 5} | own
