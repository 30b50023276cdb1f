"""Every row of a shipped ruleset shows a hand that has it and one that just misses it, and both are what they say."""

import pytest

from parlour_engine.rulesets import Ruleset, RulesetError, failing, parse
from tests.engine.rulesets.files import OPENING, SHIPPED, house, text_of


def shipped(name: str) -> Ruleset:
    return parse(text_of(name), f"{name}.toml")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_row_is_shown_and_missed(name: str) -> None:
    ruleset = shipped(name)
    assert [str(problem) for problem in failing(ruleset)] == []
    assert [row.id for row in ruleset.printed if row.example is None or row.near_miss is None] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_an_example_and_its_near_miss_are_told_apart(name: str) -> None:
    text = text_of(name)
    swapped = text.replace("\nexample =", "\nhand_that_misses =").replace("\nnear_miss =", "\nexample =")
    ruleset = parse(swapped.replace("\nhand_that_misses =", "\nnear_miss ="), "swapped.toml")
    problems = list(failing(ruleset))
    assert len(problems) == 2 * len(ruleset.printed)
    lines = swapped.split("\n")
    for problem in problems:
        key = "example" if problem.problem.startswith("'example'") else "hand_that_misses"
        assert lines[problem.line - 1].startswith(f"{key} ="), str(problem)


@pytest.mark.parametrize("name", SHIPPED)
def test_how_a_deal_is_played_is_told_in_both_languages(name: str) -> None:
    ruleset = shipped(name)
    assert 10 <= len(ruleset.procedures) <= 20
    for paragraph in ruleset.procedures:
        assert paragraph.clause
        assert paragraph.rules["en"]
        assert paragraph.rules["zh-Hant"] != paragraph.rules["en"]


def test_lrc_examples_hold_under_every_switch() -> None:
    # So a club that turns a switch need not write new ones.
    lrc = shipped("lrc")
    for option in lrc.options.values():
        for value in (True, False) if option.type == "boolean" else option.values:
            if value != option.default:
                problems = [str(problem) for problem in failing(lrc.with_options({option.id: value}))]
                assert problems == [], f"{option.id} = {value}"


SHOWN = """
[[row]]
id = "good_eyes"
{key} = {{ {hand} }}
"""
# Eyes of 2, 5 or 8 (lrc E-1): 55m; the hand is complete with 4s.
GOOD = 'hand = "12378955m456p23s555z", win = { tile = "4s", by = "discard", from = "W" }'


def test_a_house_file_shows_its_own_hand() -> None:
    assert list(failing(house(SHOWN.format(key="example", hand=GOOD)))) == []
    wrong = list(failing(house(SHOWN.format(key="near_miss", hand=GOOD))))
    assert [(problem.origin, problem.line) for problem in wrong] == [("house.toml", 8)]
    assert "'near_miss' of row 'good_eyes' gets the row" in wrong[0].problem
    # No set of five and eyes: nothing is scored.
    torn = GOOD.replace("4s", "9s")
    lost = list(failing(house(SHOWN.format(key="example", hand=torn))))
    assert [(problem.line, "not scored" in problem.problem) for problem in lost] == [(8, True)]


@pytest.mark.parametrize(
    ("hand", "problem"),
    [
        (GOOD.replace("12378955m", "123789555m"), "has 17 tiles"),
        (GOOD.replace("12378955m", "1117895m"), "has 15 tiles"),
        (GOOD.replace('"discard"', '"gift"'), "'gift'"),
        (GOOD + ", round = 5", '"round"'),
        (GOOD + ", luck = 5", "'luck'"),
        (GOOD + ", options = { luck = 5 }", "no option 'luck'"),
        (GOOD + ', id = "x"', "gives 'id' itself"),
        (GOOD + ', ruleset = "lrc"', "gives 'ruleset' itself"),
        ('win = { tile = "4s", by = "self_draw" }', "hand"),
        ("hand = 7", "hand"),
        ('hand = "12378955m456p23s555z"', "win"),
    ],
)
def test_a_hand_that_is_no_record_is_refused(hand: str, problem: str) -> None:
    with pytest.raises(RulesetError) as caught:
        house(SHOWN.format(key="example", hand=hand))
    assert (caught.value.origin, caught.value.line) == ("house.toml", 8)
    assert problem in caught.value.problem


def test_hands_of_the_base_that_the_house_makes_wrong_are_not_shown() -> None:
    # Eyes of 2, 5 or 8 are no honours only: the base's example misses the row, its near miss still does.
    changed = house('[[row]]\nid = "good_eyes"\nquestion = "honours_only"\n')
    row = next(row for row in changed.printed if row.id == "good_eyes")
    assert (row.example, row.near_miss is None) == (None, False)
    # Every hand has the row: now the near miss has it too.
    changed = house('[[row]]\nid = "good_eyes"\nquestion = "always"\n')
    row = next(row for row in changed.printed if row.id == "good_eyes")
    assert (row.example is None, row.near_miss) == (False, None)


GONE = {"nico_nico", "sixteen_orphans"}


@pytest.mark.parametrize(
    ("base", "text"),
    [
        # Hands of 17 tiles are no hands of 14, and without flowers or robbing none can be won with them.
        ("lrc", "[play]\nhand_size = 13\nsets = 4\nforms = ['thirteen_orphans']\n"),
        ("lrc", "[play]\nflowers = false\nflower_win = 0\n"),
        ("lrc", '[[option]]\nid = "base"\ndefault = 0\n'),
        ("classical", '[[option]]\nid = "robbing"\ndefault = false\n'),
        ("classical", '[[option]]\nid = "mandarins"\ndefault = true\n'),
    ],
)
def test_what_a_house_decides_makes_no_hand_of_the_base_wrong(base: str, text: str) -> None:
    opening = OPENING.replace('"lrc"', f'"{base}"')
    if "forms" in text:
        opening += f"removed = {[row.id for row in shipped(base).printed if {*row.readings} & GONE]}\n"
    assert [str(problem) for problem in failing(house(text, opening))] == []
