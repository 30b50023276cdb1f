"""No file and no record makes a number that a JSON reader may lose: every total and payment stays within 2**53."""

from typing import Any

import pytest

from parlour_engine.rulesets import Ruleset, RulesetError
from parlour_engine.scoring import fields
from parlour_engine.scoring.payment import instant_payment, settle
from parlour_engine.scoring.request import parse_request
from tests.engine.rulesets.files import OPENING, house

EXACT = 2**53 - 1
LARGE = 1_000_000
"""The largest number that a file may give."""
DEALER: dict[str, Any] = {
    "id": "dealer",
    "ruleset": "club",
    "hand": "123789m456p23s11555z",
    "melds": [],
    "flowers": "",
    "seat": "E",
    "round": "E",
    "win": {"tile": "4s", "by": "self_draw"},
}
"""A dealer who is paid by all three."""


def total_and_net(game: Ruleset, streak: int) -> tuple[int, tuple[int, ...]]:
    request = parse_request(DEALER | {"streak": streak}, lambda _, options: game.with_options(options))
    settlement = settle(game, [request.record])
    return settlement.entries[0].score.total, settlement.net


def test_the_longest_streak_is_added_as_the_sheet_says() -> None:
    """lrc M5: 2N + 1 for a streak of N."""
    game = house("")
    without, _ = total_and_net(game, 0)
    assert total_and_net(game, fields.MOST)[0] == without + 2 * 9_999 + 1


@pytest.mark.parametrize("keys", [f"points = {LARGE}\nstep = {LARGE}", f"points = {LARGE}\nstep = 0\neach = true"])
def test_a_house_may_pay_as_much_as_a_file_can_say_for_a_streak(keys: str) -> None:
    game = house(f'[[row]]\nid = "dealer_streak"\n{keys}\n')
    total, net = total_and_net(game, fields.MOST)
    assert LARGE * 9_999 <= total < LARGE * 10_000
    assert net == (3 * total, -total, -total, -total)
    assert max(net) <= EXACT


def refused(text: str, opening: str = OPENING) -> tuple[str, str]:
    with pytest.raises(RulesetError) as caught:
        house(text, opening)
    return caught.value.problem, caught.value.cure


@pytest.mark.parametrize("key", ["each = true", "step = 1"])
def test_a_row_that_takes_the_sum_times_itself_has_an_end_in_every_game(key: str) -> None:
    closing = (
        '[[row]]\nid = "more"\nsection = "base"\nnames = { en = "More", zh-Hant = "多" }\n'
        f'rule = {{ en = "a", zh-Hant = "b" }}\nclause = "club"\npoints = 1\nstage = "closing"\n{key}\n'
    )
    assert refused(closing) == ("row 'more' grows without an end", "add most = 10")
    assert house(closing + "most = 10\n").printed


def test_a_sum_of_points_alone_is_bounded_too() -> None:
    row = (
        '[[row]]\nid = "r{0}"\nsection = "base"\nnames = {{ en = "R{0}", zh-Hant = "例{0}" }}\n'
        'rule = {{ en = "a", zh-Hant = "b" }}\nclause = "club"\nquestion = "dealer_wins_before"\n'
        f'points = {LARGE}\neach = true\nstage = "beside"\n'
    )
    # 10 000 wins in a row at a million each are 10 ** 10, and 2 ** 41 is 219 of these.
    assert house("".join([row.format(number) for number in range(200)])).printed
    problem, cure = refused("".join([row.format(number) for number in range(230)]))
    assert "all rows together could come to 23" in problem
    assert "doubled" not in problem
    assert "lower points" in cure


def test_instant_payments_are_bounded() -> None:
    instant = '[[instant]]\nid = "concealed_gong"\nbases = {}\n'
    assert refused(instant.format(1001)) == (
        "instant payment 'concealed_gong' is 1001 bases",
        "write at most bases = 1000",
    )
    game = house(instant.format(1000)).with_options({"base": LARGE})
    assert instant_payment(game, "concealed_gong", 0) == (3 * 10**9, -(10**9), -(10**9), -(10**9))
