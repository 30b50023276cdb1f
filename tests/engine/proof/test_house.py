"""House games that double, and ties: corners of the sum that shipped rulesets do not reach, found by changing it."""

from typing import Any

import pytest

from parlour_engine.scoring.patterns import HAND_QUESTIONS
from parlour_engine.scoring.sheet import Worth
from parlour_engine.scoring.tally import Score, score
from tests.engine.proof.classical_hands import Hand, engine_record, hand, ruleset, scored, winning
from tests.engine.scoring.hands import record, winning_hand
from tests.engine.scoring.hands import scored as lrc_scored
from tests.engine.scoring.test_house_games import house, row
from tests.engine.scoring.test_properties import facts_of

GROUP = """
[[group]]
id = "tie"
clause = "Harr p. 29"
equal = "{equal}"
"""
TIED = 'question = "always"\npoints = 5\ngroups = ["tie"]'
PLAIN = hand("123456m678p23s55s", "1s<W")
"""Four runs and a worthless pair, claimed with two tiles to wait for: 20."""


def under(one: Hand, *rows: str, base: str = "classical", changes: tuple[tuple[str, str], ...] = ()) -> Score:
    return score(house(base, *changes, rows="".join(rows)), engine_record(one))


def points(found: Score) -> dict[str, tuple[int, int]]:
    return {line.award: (line.points, line.doubles) for line in found.awards}


@pytest.mark.parametrize(("equal", "counts"), [("earlier", "first"), ("later", "second")])
def test_of_equal_rows_the_one_that_the_group_names_counts(equal: str, counts: str) -> None:
    found = under(PLAIN, row("first", TIED), row("second", TIED), GROUP.format(equal=equal))
    assert points(found) == {"mah_jongg": (20, 0), counts: (5, 0)}
    assert [(line.by, line.points) for line in found.replaced] == [(counts, 5)]


def test_every_closing_row_is_asked_though_one_does_not_apply() -> None:
    never = 'stage = "closing"\npoints = 64\nleast = 999'
    extra = 'stage = "closing"\npoints = 3\ndoubles = 2\nonly = ["mah_jongg", "no_other_score"]'
    found = under(PLAIN, row("never", never), row("extra", extra))
    assert points(found) == {"mah_jongg": (20, 0), "no_other_score": (10, 0), "extra": (3, 2)}
    assert (found.points, found.doubles, found.total) == (33, 2, 132)


def test_what_stands_beside_the_hand_may_ask_of_the_hand() -> None:
    gift = row("gift", 'question = "east_wins_or_pays"\npoints = 7\nstage = "beside"\nreadings = ["standard"]')
    east = PLAIN | {"win": PLAIN["win"] | {"from": "E"}}
    assert [under(one, gift).total for one in (PLAIN, east)] == [30, 37]
    two = hand("11123p456789m55s", "1p<E")
    assert [other.total - other.points for other in under(two, gift).considered] == [7]


def test_four_declared_sets_leave_nothing_concealed() -> None:
    shown = row("shown", 'question = "exposed_claimed"\npoints = 6')
    closed = row("closed", 'question = "concealed_claimed"\npoints = 9')
    bare = hand("5s", "5s<W", "123m 456m 678p 111z")
    assert points(under(bare, shown, closed)).get("shown") == (6, 0)
    assert points(under(PLAIN, shown, closed)).get("closed") == (9, 0)
    assert "closed" not in points(under(bare, shown, closed))
    assert "shown" not in points(under(PLAIN, shown, closed))


def test_flowers_win_as_the_house_has_it_up_to_the_limit() -> None:
    keys = 'question = "flowers"\npoints = 500\nleast = 7\nreadings = ["flowers"]'
    gift = row("gift", 'question = "east_wins_or_pays"\npoints = 7\nstage = "beside"\nreadings = ["flowers"]')
    game = house(
        "classical-limit",
        ("flowers = false\n", "flowers = false\nflower_win = 7\n"),
        rows=row("bloom", keys) + gift,
    )
    one = hand("123456m678p2359s", "", "", "E", flowers="1234567f") | {"win": {"by": "flowers"}}
    found = score(game, engine_record(one))
    assert (found.points, found.limited, found.total, found.waits) == (500, True, 307, 0)


def test_half_of_the_limit_gives_way_to_the_whole() -> None:
    half = row("half", 'question = "always"\nlimit = "half"\ngroups = ["tie"]')
    whole = row("whole", 'question = "always"\nlimit = "whole"\ngroups = ["tie"]')
    for rows in ((half, whole), (whole, half)):
        found = under(PLAIN, *rows, GROUP.format(equal="earlier"), base="classical-limit")
        assert found.total == 300
        assert [(line.award, line.limit, line.by) for line in found.replaced] == [("half", "half", "whole")]


def test_a_double_is_worth_more_than_points_and_a_limit_more_than_doubles() -> None:
    points_ = row("points", 'question = "always"\npoints = 900\ngroups = ["tie"]')
    double = row("double", 'question = "always"\ndoubles = 1\ngroups = ["tie"]')
    half = row("half", 'question = "always"\nlimit = "half"\ngroups = ["tie"]')
    group = GROUP.format(equal="earlier")
    assert "double" in points(under(PLAIN, points_, double, group))
    assert "half" in points(under(PLAIN, double, points_, half, group, base="classical-limit"))
    assert (Worth().points, Worth().doubles, Worth().halves) == (0, 0, 0)


def test_what_else_a_hand_of_lrc_was_comes_with_its_base() -> None:
    """M5: base and calling stand beside every reading."""
    others = 0
    for seed in range(100):
        one = winning_hand(seed)
        found = lrc_scored(one)
        beside = found.total - found.points
        others += len(found.considered)
        assert all(other.total == other.points + beside for other in found.considered), seed
    assert others > 8


# Ties


def told_by_its_key(found: Score) -> bool:
    """Of readings worth the same the one with the smallest key is told; whether there were any."""
    ties = [other.reading.key() for other in found.considered if other.total == found.total]
    assert all(found.reading.key() < key for key in ties)
    return bool(ties)


def test_of_readings_worth_the_same_the_first_by_its_key_is_told() -> None:
    # 1m claimed for the run or for the pair, and 1p for either of two runs: it comes to the same.
    ties = [
        told_by_its_key(scored(hand("1123m456p789s222z", "1m<W"))),
        told_by_its_key(scored(hand("1123m456p789s222z", "1m<W"), "classical-limit")),
        told_by_its_key(lrc_scored(record("1123m456p678s222z345p", "1m<W"))),
    ]
    assert all(ties)
    for seed in range(150):
        told_by_its_key(scored(winning(seed)))
        told_by_its_key(scored(winning(seed), "classical-limit"))
        told_by_its_key(lrc_scored(winning_hand(seed)))


def test_a_hand_that_did_not_win_has_no_eyes() -> None:
    for one in (hand("1122m33p444s555z6z"), hand("147m258p369s1234z")):
        found = score(ruleset(), engine_record(one))
        assert (found.reading.form, found.reading.eyes, found.reading.chows) == ("unfinished", -1, ())


def test_the_fourth_of_an_exposed_pong_is_so_once() -> None:
    """Classical A-11."""

    def asked(one: Hand) -> int:
        return HAND_QUESTIONS["fourth_of_exposed_pong"](facts_of(engine_record(one))[0].split.hand)

    def lrc_hand(**win: Any) -> Hand:
        return hand("23m456p789s12355s", "1m<W", "111m", **win)

    assert asked(lrc_hand()) == 1
    assert asked(lrc_hand(by="robbed_gong")) == 1
    assert asked(hand("23m456p789s12355s", "1m<W", "111p")) == 0
