"""A ruleset's file is read whole or refused, with the line that is wrong and how to mend it."""

import tomllib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.rulesets import RulesetError, parse
from tests.engine.scoring.hands import LRC_TOML, lrc

ABOVE = "above: "
TEXT = LRC_TOML.read_text(encoding="utf-8")


def line_of(text: str, *landmarks: str) -> int:
    """The number of the first line with the last landmark, after the first lines with the others in turn.

    Behind ABOVE it is the line before that: the header of a table whose first key is the landmark.
    """
    lines = text.split("\n")
    at = -1
    for landmark in landmarks:
        wanted = landmark.removeprefix(ABOVE)
        at = next(number for number in range(at + 1, len(lines)) if wanted in lines[number])
    return at if landmarks[-1].startswith(ABOVE) else at + 1


def changed(old: str, new: str, after: str = "") -> Callable[[], str]:
    """The shipped text with the first `old` behind `after` replaced."""

    def text() -> str:
        start = TEXT.index(after)
        assert old in TEXT[start:]
        return TEXT[:start] + TEXT[start:].replace(old, new, 1)

    return text


def test_the_shipped_file_is_whole() -> None:
    ruleset = lrc()
    assert (ruleset.key, len(ruleset.options), len(ruleset.sheet)) == ("lrc", 23, 90)
    assert ruleset.procedure.hand_size == 16
    assert ruleset.names["zh-Hant"]
    for row in ruleset.sheet:
        assert row.clause.startswith("lrc ")
        assert {"en", "zh-Hant"} <= set(row.names)


def test_names_are_read_as_written() -> None:
    names = {row.id: row.names["zh-Hant"] for row in lrc().sheet}
    assert names["nico_nico"] == "嚦咕嚦咕"
    assert names["all_sheung"] == "平糊"
    assert names["true_single_wait"] == "獨聽"


ROW = 'id = "good_eyes"'
OPTION = 'id = "streak_from"'

WRONG: list[tuple[Callable[[], str], tuple[str, ...], str, str]] = [
    # text, landmarks of the line, problem, cure
    (changed("points = 2", "points = two", ROW), ("points = two",), "not TOML", "mend this line"),
    (changed("points = 2", "points = -2", ROW), ("points = -2",), "-2, not a whole number", "whole number from 0"),
    (changed("points = 2", "points = 2.5", ROW), ("points = 2.5",), "2.5, not a whole number", "whole number from 0"),
    (changed("points = 2", "points = true", ROW), ("points = true",), "is true, not a whole", "whole number from 0"),
    (changed("points = 2", 'points = "2"', ROW), ('points = "2"',), "'2', not a whole", "whole number from 0"),
    (changed("points = 2", "pionts = 2", ROW), (ABOVE + ROW,), "has no 'points'", "add points = 1"),
    (
        changed("points = 2", "points = 2\nponits = 3", ROW),
        ("ponits = 3",),
        "unknown key 'ponits'",
        "did you mean 'points'",
    ),
    (changed("points = 2", "points = 2\nzzz = 3", ROW), ("zzz = 3",), "unknown key 'zzz'", "remove it"),
    (
        changed('question = "good_eyes"', 'question = "god_eyes"'),
        ("god_eyes",),
        "'god_eyes'",
        "did you mean 'good_eyes'",
    ),
    (changed('question = "good_eyes"', 'question = "???"'), ("???",), "does not exist", "write one of"),
    (changed('clause = "lrc E-1, A-59"\n', "", ROW), (ABOVE + ROW,), "has no 'clause'", "add clause"),
    (changed('clause = "lrc E-1, A-59"', 'clause = " "', ROW), ('clause = " "',), "not a text", "write clause"),
    (
        changed(ROW, 'id = "true_single_wait"'),
        ('id = "calling_by_pairs"', 'id = "true_single_wait"'),
        "earlier table",
        "its own id",
    ),
    (changed(ROW, "id = 7"), ("id = 7",), "not a text", "write id"),
    (changed('section = "eyes"', 'section = "eye"'), ('section = "eye"',), "'eye'", "did you mean 'eyes'"),
    (changed('zh-Hant = "將眼"', 'zh = "將眼"'), ('zh = "將眼"',), "no name in zh-Hant", "names = {"),
    (changed('zh-Hant = "將眼"', "zh-Hant = 5"), ("zh-Hant = 5",), "not a name", "names = {"),
    (changed('groups = ["waits"]', 'groups = ["wait"]'), ('groups = ["wait"]',), "'wait'", "did you mean 'waits'"),
    (changed('groups = ["waits"]', "groups = 5"), ("groups = 5",), "not a list", "write groups"),
    (changed('groups = ["waits"]', 'groups = ["waits", "waits"]'), ('["waits", "waits"]',), "twice", "once"),
    (changed('groups = ["waits"]\n', ""), ('id = "waits"',), "only one row", "two rows or more"),
    (changed('readings = ["nico_nico"]', 'readings = ["nico"]'), ('["nico"]',), "'nico'", "did you mean 'nico_nico'"),
    (changed("each = true", "each = 1"), ("each = 1",), "1, not true or false", "write each = true"),
    (changed("least = 2\n", "least = 9\nmost = 3\n"), ("most = 3",), "can never apply", "raise most"),
    (changed('stage = "closing"', 'stage = "close"'), ('stage = "close"',), "'close'", "did you mean 'closing'"),
    # Switches and options.
    (
        changed("opening_replaces_early = true", "opening_replaces = true", 'id = "earthly_hand"'),
        ("opening_replaces = true",),
        "'opening_replaces'",
        "did you mean 'opening_replaces_early'",
    ),
    (
        changed("opening_replaces_early = true", "opening_replaces_early = 1", 'id = "earthly_hand"'),
        ("opening_replaces_early = 1 ",),
        "never has",
        "true or false",
    ),
    (
        changed('set = { question = "jade_pong" }', 'set = { question = "jade_pung" }'),
        ("jade_pung",),
        "'jade_pung'",
        "did you mean 'jade_pong'",
    ),
    (changed('set = { question = "jade_pong" }', "set = {}"), ("set = {}",), "says nothing", "write switches"),
    (
        changed('set = { question = "jade_pong" }', "set = { question = 3 }"),
        ("question = 3",),
        "wrong type",
        "write switches",
    ),
    (
        changed('set = { question = "jade_pong" }', "set = { points = -5 }"),
        ("points = -5",),
        "no whole number",
        "whole number from 0",
    ),
    (changed('set = { question = "jade_pong" }', "set = { worth = 3 }"), ("worth = 3",), "'worth'", "write one of"),
    (
        changed(', set = { question = "jade_pong" }', ""),
        ("jewel_needs_pong = true } }",),
        "needs exactly",
        "write switches",
    ),
    (changed("default = 2", "default = 3", OPTION), ("default = 3",), "no value it allows", "1 or 2"),
    (changed("default = 2", 'default = "2"', OPTION), ('default = "2"',), "no value it allows", "1 or 2"),
    (changed("default = 2\n", "", OPTION), (ABOVE + OPTION,), "has no 'default'", "add default"),
    (changed('type = "integer"', 'type = "number"', OPTION), ('type = "number"',), "'number'", "write one of"),
    (
        changed("values = [1, 2]", 'values = [1, "2"]', OPTION),
        ('values = [1, "2"]',),
        "not all of its type",
        "list values",
    ),
    (
        changed("values = [1, 2]", "values = [1, 2, -1]", OPTION),
        ("values = [1, 2, -1]",),
        "-1, not a whole number",
        "from 0",
    ),
    (
        changed("values = [1, 2]", "values = [1, 2, 1000001]", OPTION),
        ("values = [1, 2, 1000001]",),
        "1000001, not a whole number",
        "from 0",
    ),
    (
        changed('id = "streak_from"', 'id = "streak_form"'),
        ("[[row]]", 'id = "dealer_streak"', "switches"),
        "'streak_from'",
        "did you mean 'streak_form'",
    ),
    (
        changed(
            "[[option]]",
            '[[option]]\nid = "idle"\nnames = { en = "a", zh-Hant = "b" }\ntype = "boolean"\n'
            'default = true\nclause = "x"\n\n[[option]]',
        ),
        ('id = "idle"',),
        "nothing in the file reads",
        "remove it",
    ),
    (
        changed('type = "text"', 'type = "boolean"', 'id = "winners"'),
        ('values = ["all"',),
        "not all of its type",
        "list values",
    ),
    (changed("rounds = 4", "rounds = 2"), ("[play]", "rounds = 2"), "one round or all four", "rounds = 4, or 1"),
    (changed('"nearest"]', '"last"]', 'id = "winners"'), ('id = "winners"', "type"), "play of a deal", "nearest"),
    (
        changed('points_from = "base"', 'points_from = "winners"'),
        ('points_from = "winners"',),
        "no number",
        "type integer",
    ),
    (
        changed('points_from = "base"', 'points = 5\npoints_from = "base"'),
        ('id = "base"', 'id = "base"', 'id = "base"', "points = 5"),
        "both",
        "keep one",
    ),
    # The whole.
    (changed('key = "lrc"\n', ""), (), "has no 'key'", "add key"),
    (changed("format = 1", "format = 2"), ("format = 2",), "another format", "write format = 1"),
    (changed('tally = "points"', 'tally = "fan"'), ('tally = "fan"',), "'fan'", "write one of doubles, points"),
    (changed('payment = "payer_or_all"', 'payment = "all"'), ('payment = "all"',), "'all'", "write one of"),
    (changed("hand_size = 16", "hand_size = 15"), ("hand_size = 15",), "never one tile short", "3 * sets + 1"),
    (changed('"sixteen_orphans"]', '"fifteen_orphans"]'), ("fifteen_orphans",), "'fifteen_orphans'", "did you mean"),
    (changed("[play]", "[player]"), (), "has no 'play'", "[play]"),
    (changed("[words]", "[wrods]"), (), "has no 'words'", "add a table [words]"),
    (changed("chow = {", "sheung = {", "[words]"), ("[words]",), "[words] has no 'chow'", "add chow = {"),
    (changed('zh-Hant = "糊"', 'zh = "糊"', "[words]"), ("win = {",), "no word in zh-Hant", "write win = {"),
    (changed('"sheung"', '"sheung or chow or chi"', "[words]"), ("chow = {",), "longer than 20", "shorten it"),
    (changed("[words]", '[words]\nkan = "x"'), ("kan =",), "[words] has an unknown key 'kan'", "use one of chow, pong"),
    (changed('id = "mixed_flower_set"', 'id = "mixed_set"'), ('id = "mixed_set"',), "'mixed_set'", "mixed_flower_set"),
    (changed("bases = 1", "bases = -1"), ("bases = -1",), "-1, not a whole number", "whole number from 0"),
    (
        changed("[[section]]", '[[section]]\nid = "empty"\nnames = { en = "a", zh-Hant = "b" }\n\n[[section]]'),
        ('id = "empty"',),
        "has no row",
        "remove it",
    ),
    (changed("[[row]]", "row = 5\n[[row]]"), (), "", ""),
    (lambda: "", (), "has no 'format'", "add format"),
    (lambda: "a = " + "[" * 5000, (), "not TOML", ""),
    (lambda: "format = 1\n[[row]\n", (), "not TOML", ""),
]


@pytest.mark.parametrize(("text", "landmarks", "problem", "cure"), WRONG)
def test_wrong_file(text: Callable[[], str], landmarks: tuple[str, ...], problem: str, cure: str) -> None:
    wrong = text()
    with pytest.raises(RulesetError) as caught:
        parse(wrong, "house.toml")
    error = caught.value
    assert problem in error.problem
    assert cure in error.cure
    if landmarks:
        assert error.line == line_of(wrong, *landmarks), str(error)
    assert str(error) == f"house.toml:{error.line}: {error.problem}; {error.cure}"


def test_a_house_table_is_an_edited_copy() -> None:
    house = parse(TEXT.replace('points = 20\ngroups = ["special"]', 'points = 25\ngroups = ["special"]'), "house.toml")
    assert {row.id: row.points for row in house.sheet}["all_step_up"] == 25


def test_comments_strings_and_long_lists_do_not_shift_the_lines() -> None:
    noise = 'clause = """\n[[row]]\nid = "not a row"\n"""\n'
    wrong = TEXT.replace('clause = "lrc X-1"\n', noise).replace('id = "true_single_wait"', "id = 3 # [[row]]")
    tomllib.loads(wrong)
    with pytest.raises(RulesetError) as caught:
        parse(wrong, "house.toml")
    assert caught.value.line == line_of(wrong, "id = 3")


def refused_at(text: str) -> int:
    """The line for which a text is refused, 0 if it is read."""
    try:
        parse(text, "house.toml")
    except RulesetError as error:
        return error.line
    return 0


@given(st.integers(0, len(TEXT)), st.integers(0, 200), st.text(max_size=5))
def test_any_change_of_the_text_is_read_or_refused(start: int, length: int, new: str) -> None:
    changed_text = TEXT[:start] + new + TEXT[start + length :]
    assert 0 <= refused_at(changed_text) <= changed_text.count("\n") + 1
