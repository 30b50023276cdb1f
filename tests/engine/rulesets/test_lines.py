"""What a file says twice is named, with both its lines; `tomllib` names neither."""

import pytest

from parlour_engine.rulesets import RulesetError, parse


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("a = 1\nb = 2\na = 3\nc = 1\n", 3, "'a' is written twice, on lines 1 and 3"),
        ("a = 1\na = 2", 2, "'a' is written twice, on lines 1 and 2"),
        # A key of another table, or of another table of the list, is another key.
        ('[x]\na = 1\n[y]\na = 1\n"a" = [\n1,\n2]\n', 5, "'a' is written twice, on lines 4 and 5"),
        ("[[r]]\nb = 1\n[[r]]\na = 1\nb = 1\nb = 2\n[[r]]\na = 3", 6, "'b' is written twice, on lines 5 and 6"),
        ("a.b = 1\na.b = 2\n", 2, "'a.b' is written twice, on lines 1 and 2"),
        ('[[r]]\nnames = { en = "x" }\nnames.en = "y"\n', 3, "'names.en' is written twice, on lines 2 and 3"),
        ('a = """\nx\n"""\na = """\ny\n"""\n', 4, "'a' is written twice, on lines 1 and 4"),
        ("[x]\na = 1\n[x]\nb = 1\n", 3, "'x' is written twice, on lines 1 and 3"),
        ("[x]\na = 1\n[[x]]\n", 3, "'x' is written twice, on lines 1 and 3"),
        ("[[x]]\na = 1\n[x]\nb = 1\n", 3, "'x' is written twice, on lines 1 and 3"),
        ("x = 1\n[x]\na = 1\n", 2, "'x' is written twice, on lines 1 and 2"),
        ("# 1\na = { b = 1, b = 2 }\n", 2, "'b' is written twice in one table"),
        ("a = { b = { c = 1 }, b.c = 2 }\n", 1, "a key or a table that is there already is written again"),
    ],
)
def test_what_is_written_twice_is_named(text: str, line: int, told: str) -> None:
    with pytest.raises(RulesetError) as error:
        parse(text, "club.toml")
    assert str(error.value) == f"club.toml:{line}: {told}; keep one of them"


def test_a_name_that_would_garble_a_terminal_is_spelt() -> None:
    for text in (
        '"\\u001b[31m" = 1\n"\\u001b[31m" = 2\n',
        '"\u202e" = 1\n"\u202e" = 2\n',
        'a = { "\u202e" = 1, "\u202e" = 2 }',
    ):
        with pytest.raises(RulesetError, match="is written twice") as error:
            parse(text, "club.toml")
        assert str(error.value).isprintable()
