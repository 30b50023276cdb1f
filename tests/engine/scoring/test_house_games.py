"""What no shipped ruleset does and a house may: other forms, flower wins and closing rows in games that double."""

from collections.abc import Callable

import pytest

from parlour_engine.rulesets import Ruleset, parse
from parlour_engine.scoring.request import parse_request
from parlour_engine.scoring.score import Score
from parlour_engine.scoring.tally import NotWinning, score
from tests.engine.scoring.classical import ROOT, hand, limited

ROW = """
[[row]]
id = "{id}"
section = "bonus"
names = {{ en = "House", zh-Hant = "例" }}
rule = {{ en = "A rule of the house.", zh-Hant = "例。" }}
clause = "Harr p. 29"
{keys}
"""


def house(name: str, *changes: tuple[str, str], rows: str = "") -> Ruleset:
    text = (ROOT / "config" / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return parse(text + rows, "house.toml")


def row(name: str, keys: str) -> str:
    return ROW.format(id=name, keys=keys)


def under(game: Ruleset) -> Callable[[dict[str, object]], Score]:
    def scored(record: dict[str, object]) -> Score:
        request = parse_request(record, lambda _, options: game.with_options(options))
        return score(request.ruleset, request.record)

    return scored


def test_a_form_that_is_not_played_does_not_win() -> None:
    heads = hand("19m19p19s1234567z", "1m")
    # 20, 10 for no sequence and 2 for the draw.
    assert under(house("classical", ("forms = []", 'forms = ["thirteen_orphans"]')))(heads).points == 32
    with pytest.raises(NotWinning):
        under(house("classical", ("forms = []", 'forms = ["nico_nico"]')))(heads)


def test_flowers_may_win_in_a_game_that_doubles() -> None:
    game = house(
        "classical",
        ("flowers = false\n", "flowers = false\nflower_win = 7\n"),
        rows=row("flower_win", 'question = "flowers"\npoints = 50\ndoubles = 1\nleast = 7\nreadings = ["flowers"]'),
    ).with_options({"mandarins": True})
    record = hand("123456m678p2359s", flowers="1234567f")
    won = under(game)(record | {"win": {"by": "flowers"}, "options": {"mandarins": True}})
    assert [(one.award, one.points, one.doubles) for one in won.awards] == [("flower_win", 50, 1)]
    assert won.total == 100
    with pytest.raises(NotWinning):
        under(game)(record | {"win": {"by": "flowers"}, "flowers": "123456f", "options": {"mandarins": True}})


def test_a_closing_row_may_take_the_place_of_the_sum() -> None:
    keys = 'stage = "closing"\npoints = 64\nleast = 24\nmost = 24\nreadings = ["standard"]'
    scored = under(house("classical", rows=row("twenty_four", keys)))
    # 20, the draw and the only place: 24.
    record = hand("123456m678p13s55s", "2s")
    found = scored(record)
    assert [(one.award, one.points) for one in found.awards] == [("twenty_four", 64)]
    assert [(one.award, one.by) for one in found.replaced] == [
        ("mah_jongg", "twenty_four"),
        ("drew_winning_piece", "twenty_four"),
        ("only_place", "twenty_four"),
    ]
    assert (found.points, found.total) == (64, 64)
    # Two points less and it does not apply; nor to a hand that did not win.
    assert scored(hand("123456m678p23s55s", "1s")).total == 22
    lost = scored(hand("999m1234569p", "", "(6666s)"))
    assert {one.award: one.points for one in lost.awards} == {"pung_major_concealed": 8, "kong_simple_concealed": 16}


def test_a_closing_row_that_takes_the_place_of_the_sum_sees_groups_settled() -> None:
    keys = 'stage = "closing"\npoints = 64\ndoubles = 1\nleast = 1\nmost = 15\nreadings = ["standard"]'
    scored = under(house("classical-limit", rows=row("small", keys)))
    found = scored(limited("123456m23p44s", "1p<W", "222z", round="S"))
    # 10 and 4 for the set of winds, whose one double gives way to its two.
    assert [(one.award, one.points, one.doubles) for one in found.awards] == [("small", 64, 1)]
    assert {(one.award, one.by) for one in found.replaced} == {
        ("mah_jongg", "small"),
        ("pung_major_exposed", "small"),
        ("own_wind_set", "own_round_wind_set"),
        ("own_round_wind_set", "small"),
    }
    assert found.total == 128


def test_a_closing_row_that_must_stand_alone_adds_to_a_sum_of_points_too() -> None:
    keys = 'stage = "closing"\npoints = 7\nonly = ["no_flowers", "chicken_hand"]'
    scored = under(house("lrc", rows=row("poor", keys).replace('"bonus"', '"special_hands"')))
    poor: dict[str, object] = {
        "id": "poor",
        "ruleset": "lrc",
        "hand": "678p45789s33z",
        "melds": ["234m", "999p"],
        "flowers": "",
        "seat": "S",
        "round": "E",
    }
    # Without flowers, and with nothing else: the chicken's 20 stand for that point.
    found = scored(poor | {"win": {"tile": "6s", "by": "discard", "from": "W"}})
    assert [(one.award, one.points) for one in found.awards] == [("chicken_hand", 20), ("poor", 7), ("base", 5)]
    assert (found.points, found.total) == (27, 32)
    # East's tile is worth a point, so the hand does not stand alone; and it is no chicken.
    found = scored(poor | {"win": {"tile": "6s", "by": "discard", "from": "E"}})
    assert {one.award: one.points for one in found.awards} == {"no_flowers": 1, "east_tile": 1, "base": 5}
    assert [one.by for one in found.replaced if one.by == "poor"] == []
    # A row that does not hold does not keep the next one from being asked.
    keys = 'stage = "closing"\npoints = 7\nonly = ["no_flowers", "east_tile"]'
    scored = under(house("lrc", rows=row("poor", keys).replace('"bonus"', '"special_hands"')))
    found = scored(poor | {"win": {"tile": "6s", "by": "discard", "from": "E"}})
    assert {one.award: one.points for one in found.awards} == {"no_flowers": 1, "east_tile": 1, "poor": 7, "base": 5}


def test_a_row_beside_the_hand_is_not_doubled() -> None:
    keys = 'question = "always"\npoints = 7\nstage = "beside"\nreadings = ["standard"]'
    scored = under(house("classical", rows=row("gift", keys)))
    found = scored(hand("11123p456789m55s", "1p<W"))
    assert found.awards[-1].award == "gift"
    assert (found.points, found.total) == (28, 35)
    assert [(other.points, other.total) for other in found.considered] == [(24, 31)]
    doubled = scored(hand("123456m23p44s", "1p<W", "777z"))
    assert (doubled.points, doubled.doubles, doubled.total) == (24, 1, 55)


def test_a_reading_says_what_it_is() -> None:
    found = under(house("classical"))
    reading = found(hand("11123p456789m55s", "1p<W")).reading
    assert "standard" in repr(reading)
    assert "chow 9" in repr(reading)
    lost = found(hand("11123p456789m55s")).reading
    assert "unfinished" in repr(lost)
    assert "none" in repr(lost)
    assert {reading, reading, lost} == {lost, reading}
