"""Whatever a file holds, it is read whole or refused with a line, a problem and a cure; nothing else is raised."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.rulesets import Ruleset, RulesetError, failing, parse
from parlour_server.rulebook import rulebook
from tests.engine.rulesets.files import OPENING

SMALL = """\
format = 1
key = "small"
version = "1"
names = { en = "Small", zh-Hant = "小" }
source = "these tests"
tally = "points"
payment = "payer_or_all"

[play]
hand_size = 16
sets = 5
forms = ["nico_nico"]
flowers = true
flower_win = 7
reserve = 16
last_discard_only_wins = true

[words]
chow = { en = "a", zh-Hant = "b" }
pong = { en = "a", zh-Hant = "b" }
gong = { en = "a", zh-Hant = "b" }
win = { en = "a", zh-Hant = "b" }
wins = { en = "a", zh-Hant = "b" }
flower = { en = "a", zh-Hant = "b" }

[[procedure]]
id = "turn"
names = { en = "a", zh-Hant = "b" }
rule = { en = "a", zh-Hant = "b" }
clause = "x"

[[instant]]
id = "concealed_gong"
names = { en = "a", zh-Hant = "b" }
rule = { en = "a", zh-Hant = "b" }
bases = 1
clause = "x"

[[option]]
id = "base"
names = { en = "a", zh-Hant = "b" }
type = "integer"
default = 5
values = [5, 7]
clause = "x"

[[option]]
id = "winners"
names = { en = "a", zh-Hant = "b" }
rule = { en = "a", zh-Hant = "b" }
type = "text"
default = "all"
values = ["all", "nearest"]
value_names = { all = { en = "a", zh-Hant = "b" }, nearest = { en = "a", zh-Hant = "b" } }
clause = "x"

[[group]]
id = "suits"
equal = "later"
clause = "x"

[[section]]
id = "all"
names = { en = "a", zh-Hant = "b" }

[[row]]
id = "one_suit"
section = "all"
names = { en = "a", zh-Hant = "b" }
rule = { en = "a", zh-Hant = "b" }
question = "one_suit"
points = 7
groups = ["suits"]
readings = ["standard", "special"]
clause = "x"
example = { hand = "1234567822m", melds = ["333m", "567m"], win = { tile = "9m", by = "discard", from = "W" } }
near_miss = { hand = "1234567822m", melds = ["555z", "567m"], win = { tile = "9m", by = "discard", from = "W" } }

[[row]]
id = "one_suit_with_honours"
section = "all"
names = { en = "a", zh-Hant = "b" }
rule = { en = "a", zh-Hant = "b" }
question = "one_suit_with_honours"
points_from = "base"
least = 1
most = 1
step = 1
groups = ["suits"]
switches = [{ when = { winners = "nearest" }, set = { groups = [], points = 3 } }]
clause = "x"

[[row]]
id = "chicken"
section = "all"
names = { en = "a", zh-Hant = "b" }
rule = { en = "a", zh-Hant = "b" }
points = 20
stage = "closing"
most = 1
only = ["one_suit"]
clause = "x"
"""

LINES = SMALL.split("\n")
KEYS = sorted({line.split(" =")[0] for line in LINES if " =" in line} | {"luck", "doubles", "limit", "removed", "each"})
TABLES = sorted({line for line in LINES if line.startswith("[")} | {"[row]", "[[play]]", "[luck]", "[row.example]"})

NUMBERS = ("0", "1", "-1", "7", "99999999999999999999", "0x" + "f" * 5000, "1_000", "1.5", "nan", "inf", "-0.0")
WORDS = (
    "",
    " ",
    "all",
    "one_suit",
    "suits",
    "standard",
    "base",
    "flowers",
    "half",
    "closing",
    "beside",
    "integer",
    "small",
)
OTHERS = ("true", "false", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "[]", "{}", "'\\'", '"""\nlong\n"""')
STRANGE = ('"1234567822m"', '"\\u0000"', '"a\\nb"', '"' + "x" * 5000 + '"', "'🀄'", '"𠮷"')
LEAVES = st.sampled_from([*NUMBERS, *(f'"{word}"' for word in WORDS), *OTHERS, *STRANGE])


def tables(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    keys = st.sampled_from(
        [*KEYS, "when", "set", "hand", "win", "tile", "by", "from", "melds", "options", "en", "zh-Hant"]
    )
    return st.dictionaries(keys, values, max_size=4).map(
        lambda found: "{ " + ", ".join(f"{key} = {value}" for key, value in found.items()) + " }"
    )


VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]")
        | tables(inner.filter(lambda value: "\n" not in value))
    ),
    max_leaves=6,
)
EDITS = st.lists(st.tuples(st.integers(0, len(LINES) - 1), st.sampled_from(KEYS), VALUES), min_size=1, max_size=4)


def told(text: str, bases: dict[str, str]) -> None:
    """Read a text to the end, or have it refused as texts are."""

    def find(name: str) -> tuple[str, str]:
        if name not in bases:
            raise LookupError("write small")
        return bases[name], f"{name}.toml"

    found: Ruleset | RulesetError
    try:
        found = parse(text, "house.toml", find)
    except RulesetError as error:
        found = error
    if isinstance(found, Ruleset):
        # What is read can be used.
        for problem in failing(found):
            assert problem.line
        json.dumps(rulebook(found))
        return
    assert found.origin == "house.toml"
    assert 1 <= found.line <= text.count("\n") + 1
    assert found.problem
    assert found.cure
    assert len(str(found)) < 5000
    assert "\n" not in str(found)


def test_the_small_file_is_right() -> None:
    small = parse(SMALL, "small.toml")
    assert list(failing(small)) == []
    assert len(small.printed) == 3


@given(EDITS)
def test_a_file_with_other_values_is_read_or_refused(edits: list[tuple[int, str, str]]) -> None:
    lines = list(LINES)
    for place, _, value in edits:
        key, equals, _ = lines[place].partition(" =")
        if equals:
            lines[place] = f"{key} = {value}"
    told("\n".join(lines), {})


@given(
    st.lists(st.tuples(st.sampled_from(TABLES), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4)), max_size=4)
)
def test_a_house_file_of_anything_is_read_or_refused(parts: list[tuple[str, dict[str, str]]]) -> None:
    text = OPENING.replace('"lrc"', '"small"')
    for header, values in parts:
        text += header + "\n" + "".join(f"{key} = {value}\n" for key, value in values.items())
    told(text, {"small": SMALL})


@given(EDITS, st.lists(st.sampled_from(["one_suit", "one_suit_with_honours", "chicken"]), unique=True))
def test_a_house_file_with_some_other_values_is_read_or_refused(
    edits: list[tuple[int, str, str]], removed: list[str]
) -> None:
    text = OPENING.replace('"lrc"', '"small"') + f"removed = {removed}\n"
    for place, key, value in edits:
        header = next((line for line in reversed(LINES[: place + 1]) if line.startswith("[[")), "[[row]]")
        own = next((line for line in reversed(LINES[: place + 1]) if line.startswith("id =")), 'id = "one_suit"')
        text += f"{header}\n{own}\n{key} = {value}\n" if key != "id" else f"{header}\nid = {value}\n"
    told(text, {"small": SMALL})


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n" * 300_000,
        "[a." + "b." * 3000 + "c]\n",
        "a = " + "{ b = " * 3000 + "1" + " }" * 3000,
        "a = " + "[" * 100_000,
        "key = 0x" + "f" * 100_000,
        "key = " + "9" * 100_000,
        "key = 9999-99-99",
        "\ufeffkey = 1",
        "\x00",
        "\ud800",
        "key = '\ud800'",
        '"' * 100_000,
        "'''" + "'" * 99_999,
        "[[row]]\n" * 100_000,
        "# " + "x" * 2_000_000,
    ],
    ids=range(15),
)
def test_huge_and_deep_files_are_refused(text: str) -> None:
    told(text, {})
    told(OPENING.replace('"lrc"', '"small"') + text, {"small": SMALL})
    with pytest.raises(RulesetError):
        parse(text, "house.toml")
