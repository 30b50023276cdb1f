"""What switches say of themselves: the names of their values, how large a number may be, and what they change."""

import re

import pytest

from parlour_engine.rulesets import RulesetError, differences, parse
from tests.engine.rulesets.files import FOLDER, OPENING, SHIPPED, find_in, house, text_of

LRC = parse(text_of("lrc"), "lrc.toml")

SAID = '{ en = "a", zh-Hant = "b" }'
TEMPO = (
    f'[[option]]\nid = "tempo"\nnames = {SAID}\nrule = {SAID}\ntype = "text"\ndefault = "slow"\n'
    'values = ["slow", "at once"]\nclause = "x"\n'
)
"""A switch of the house's own, whose values have no names yet."""
READ = '[[row]]\nid = "flower"\nswitches = [{ when = { tempo = "at once" }, set = { points = 2 } }]\n'


def test_each_value_of_a_text_switch_has_a_name_in_both_languages() -> None:
    for name in SHIPPED:
        for option in parse(text_of(name), name).options.values():
            assert set(option.value_names) == (set(option.values) if option.type == "text" else set())
            assert all(set(said) == {"en", "zh-Hant"} for said in option.value_names.values())
    names = f'value_names = {{ slow = {SAID}, "at once" = {{ en = "at once", zh-Hant = "即時" }} }}\n'
    club = house(TEMPO + names + READ)
    assert club.options["tempo"].value_names["at once"] == {"en": "at once", "zh-Hant": "即時"}


def test_a_house_keeps_the_names_of_values_or_gives_others() -> None:
    usual = LRC.options["winners"].value_names
    assert house('[[option]]\nid = "winners"\ndefault = "nearest"\n').options["winners"].value_names == usual
    fewer = house('[[option]]\nid = "winners"\ndefault = "nearest"\nvalues = ["nearest"]\n').options["winners"]
    assert fewer.value_names == {"nearest": usual["nearest"]}
    renamed = house(f'[[option]]\nid = "winners"\nvalue_names = {{ nearest = {SAID} }}\n')
    assert renamed.options["winners"].value_names == {"all": usual["all"], "nearest": {"en": "a", "zh-Hant": "b"}}
    told = [change for found in differences(LRC, renamed) for change in found.changes if found.part == "option"]
    assert [change.key for change in told] == ["value_names"]
    # What nobody computes with is no part of the rules that a record was played by.
    assert renamed.digest == house("").digest
    rows = (
        '[[row]]\nid = "only_place"\nswitches = []\n\n[[row]]\nid = "mah_jongg"\n'
        "switches = [{ when = { only_place = 2 }, set = { points = 10 } }]\n"
    )
    numbers = '[[option]]\nid = "only_place"\ntype = "integer"\nvalues = [1, 2]\ndefault = 1\n'
    number = house(numbers + rows, OPENING.replace('"lrc"', '"classical"'))
    assert number.options["only_place"].value_names == {}


# Text below the opening lines, line there, problem, cure.
NAMELESS = [
    (TEMPO + READ, 7, "the value 'slow' of option 'tempo' has no name", 'add value_names = { slow = { en = "...'),
    (f'{TEMPO}value_names = {{ slow = {SAID} }}\n{READ}', 9, "the value 'at once' of option 'tempo' has no name",
     'add "at once" = { en = "...", zh-Hant = "..." } to value_names'),
    (f'{TEMPO}value_names = 5\n{READ}', 9, "does not give values their names", "write value_names = { value = {"),
    (f'{TEMPO}value_names = {{ slow = {SAID}, "at once" = 5 }}\n{READ}', 9,
     "the name of value 'at once' of option 'tempo' is not a name for each language", 'write "at once" = { en = "...'),
    (f'{TEMPO}value_names = {{ slow = {{ en = "a" }}, "at once" = {SAID} }}\n{READ}', 9,
     "option 'tempo' has no name in zh-Hant for 'slow'", 'write slow = { en = "...'),
    (f'{TEMPO}value_names = {{ slow = {{ en = "{"x" * 41}", zh-Hant = "b" }}, "at once" = {SAID} }}\n{READ}', 9,
     "the name of value 'slow' of option 'tempo' is longer than 40 characters", "shorten it"),
    (f'{TEMPO}value_names = {{ slow = {SAID}, "at once" = {SAID}, slwo = {SAID} }}\n{READ}', 9,
     "'value_names' of option 'tempo' names 'slwo', which does not exist", "did you mean 'slow'?"),
    (f'[[option]]\nid = "winners"\nvalue_names = {{ everybody = {SAID} }}\n', 3, "names 'everybody'",
     "write one of all, nearest"),
    ('[[option]]\nid = "winners"\nvalue_names = 5\n', 3, "does not give values their names", "write value_names"),
    ('[[option]]\nid = "winners"\nvalues = 5\n', 3, "not all of its type", "list values"),
    (f'[[option]]\nid = "calling"\nvalue_names = {{ on = {SAID} }}\n', 3, "option 'calling' is no text",
     "remove 'value_names'"),
    (TEMPO.replace('values = ["slow", "at once"]\n', "") + READ, 5, "is a text and lists no 'values'",
     'add values = ["...", "..."]'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "problem", "cure"), NAMELESS)
def test_a_value_without_a_name_is_told(text: str, line: int, problem: str, cure: str) -> None:
    with pytest.raises(RulesetError) as caught:
        house(text)
    error = caught.value
    assert (problem in error.problem, cure in error.cure) == (True, True), str(error)
    assert (error.origin, error.line) == ("house.toml", line + OPENING.count("\n")), str(error)


ASKING = '[[row]]\nid = "flower"\nswitches = [{ when = { luck = true }, set = { question = "seat_flowers" } }]\n'
LUCK = f'[[option]]\nid = "luck"\nnames = {SAID}\ntype = "boolean"\ndefault = false\nclause = "x"\n'


def test_a_switch_that_changes_more_than_points_says_how_in_words() -> None:
    with pytest.raises(RulesetError) as caught:
        house(LUCK + ASKING)
    error = caught.value
    assert error.problem == "option 'luck' changes how row 'flower' counts, and no 'rule' of it says how"
    assert error.cure == 'give option \'luck\' a rule = { en = "...", zh-Hant = "..." }'
    assert error.line == 1 + OPENING.count("\n")
    assert house(f"{LUCK}rule = {SAID}\n{ASKING}").options["luck"].rules == {"en": "a", "zh-Hant": "b"}
    # Points speak for themselves, and of two switches one may speak for both.
    assert house(LUCK + ASKING.replace('question = "seat_flowers"', "points = 3")).printed
    assert house(LUCK + ASKING.replace("luck = true", "calling = true, luck = true")).printed


def test_a_row_that_a_silent_switch_of_the_base_changes_is_told_at_the_row() -> None:
    silent = OPENING.replace('"club"', '"below"') + LUCK + ASKING.replace('question = "seat_flowers"', "points = 3")
    text = OPENING.replace('"lrc"', '"below"') + ASKING
    with pytest.raises(RulesetError) as caught:
        parse(text, "house.toml", find_in({"below": silent}))
    assert caught.value.line == 3 + OPENING.count("\n")
    assert "give option 'luck' a rule" in caught.value.cure


def test_a_house_ruleset_knows_what_its_base_is_called() -> None:
    assert house("").base_names == {"en": "LRC Taiwanese", "zh-Hant": "LRC 台灣牌"}
    assert LRC.base_names == {}


def test_a_number_says_how_large_it_may_be() -> None:
    assert LRC.options["base"].span == (0, 1_000_000)
    assert [LRC.options[name].span for name in ("calling", "winners", "streak_from")] == [None] * 3
    assert [LRC.options["base"].allows(value) for value in (0, 1_000_000, -1, 1_000_001, True, "5")] == [
        True, True, False, False, False, False,
    ]  # fmt: skip


def test_the_text_switch_in_the_document_is_one_that_may_be_written() -> None:
    document = (FOLDER.parents[1] / "docs" / "rulesets.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"^```toml\n(\[\[option\]\]\n.*?)^```$", document, re.DOTALL | re.MULTILINE)
    read = '[[row]]\nid = "flower"\nswitches = [{ when = { robbed_tile_paid = "drawn" }, set = { points = 2 } }]\n'
    assert set(house(shown + read).options["robbed_tile_paid"].value_names) == {"discard", "drawn"}
