"""What a house may not bring together: each piece alone is right, the game could not be settled or added up."""

import pytest

from parlour_engine.rulesets import RulesetError, parse
from parlour_engine.rulesets.bounds import LARGEST
from tests.engine.rulesets.files import OPENING, house, text_of

CLASSICAL = OPENING.replace('"lrc"', '"classical"')
TOP = OPENING.count("\n")
NEAREST = '[[option]]\nid = "winners"\nvalues = ["nearest"]\ndefault = "nearest"\n'
WINNERS = (
    '[[option]]\nid = "winners"\nnames = { en = "a", zh-Hant = "b" }\ntype = "text"\ndefault = "nearest"\n'
    'values = ["all", "nearest"]\nclause = "club"\n'
    'value_names = { all = { en = "a", zh-Hant = "b" }, nearest = { en = "a", zh-Hant = "b" } }\n'
)


def refused(text: str, opening: str = OPENING) -> tuple[int, str, str]:
    """The line below the opening ones, the problem and the cure."""
    with pytest.raises(RulesetError) as caught:
        house(text, opening)
    assert caught.value.origin == "house.toml"
    return caught.value.line - TOP, caught.value.problem, caught.value.cure


@pytest.mark.parametrize(
    ("opening", "text", "line", "problem", "cure"),
    [
        # classical 3: the winner is paid by all, so there is one; the others' hands are scored, so all are shown.
        (CLASSICAL, "[play]\nnearest_winner_only = false\n", 2, "one winner", "nearest_winner_only = true"),
        (CLASSICAL, "[play]\nshow_hands = false\n", 2, "nobody shows his", "show_hands = true"),
        (CLASSICAL, WINNERS, 6, "settles with one winner", 'values = ["nearest"]'),
        (CLASSICAL, 'tally = "points"\n', 1, "cannot add up", "write tally = 'doubles'"),
        (OPENING, 'payment = "everyone"\n', 1, "cannot add up", "write tally = 'doubles'"),
        (OPENING, 'tally = "doubles"\npayment = "everyone"\n', 2, "settles with one winner", 'values = ["nearest"]'),
        (OPENING, 'tally = "doubles"\npayment = "everyone"\n' + NEAREST, 2, "nobody shows his", "show_hands = true"),
        # Units.
        (OPENING, '[[row]]\nid = "flower"\ndoubles = 1\n', 3, "adds up points only", "write tally = 'doubles'"),
        (OPENING, '[[row]]\nid = "flower"\nlimit = "half"\n', 3, "adds up points only", "write tally = 'doubles'"),
        (CLASSICAL, 'tally = "points"\npayment = "payer_or_all"\n', 1, "adds up points only", "remove the row"),
        # Sums.
        (CLASSICAL, '[[row]]\nid = "one_suit"\ndoubles = 1000000\n', 3, "doubles 1000000 times", "doubles = 10"),
        (CLASSICAL, '[[row]]\nid = "mah_jongg"\npoints = 1000000\n[[row]]\nid = "dragon_set"\ndoubles = 10\n', 6,
         "all rows together", f"that is {LARGEST} at the most"),
        (CLASSICAL, '[[row]]\nid = "own_mandarin"\nquestion = "tiles_on_table"\n', 1, "without an end", "most = 10"),
        (CLASSICAL, '[[row]]\nid = "mah_jongg"\nquestion = "dealer_wins_before"\nstep = 1\n', 4, "without an end",
         "most = 10"),
        # Special hands.
        (OPENING, "[play]\nforms = []\n", 2, "nico_nico", "to 'removed'"),
        (OPENING, "[play]\nforms = ['nico_nico']\n", 2, "special hands of these rows of the base", "to 'removed'"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(opening: str, text: str, line: int, problem: str, cure: str) -> None:
    found = refused(text, opening)
    assert (found[0], problem in found[1], cure in found[2]) == (line, True, True), found


def test_a_house_may_ask_other_readings_where_it_drops_special_hands() -> None:
    opening = OPENING.replace('"lrc"', '"classical-limit"')
    text = "[play]\nforms = []\n"
    line, problem, _ = refused(text, opening)
    assert (line, problem) == (2, "'forms' leaves out special hands of these rows of the base: single_heads")
    assert house(text + '[[row]]\nid = "single_heads"\nreadings = ["standard"]\n', opening).procedure.forms == ()
    assert "lists none" in refused(text + '[[row]]\nid = "single_heads"\nreadings = ["special"]\n', opening)[1]


def test_what_goes_together_is_read() -> None:
    assert house(NEAREST).procedure.nearest_winner_only
    assert not house('payment = "payer_or_all"\n[play]\nnearest_winner_only = false\n', CLASSICAL).scores_all
    everyone = 'tally = "doubles"\npayment = "everyone"\n' + NEAREST + "[play]\nshow_hands = true\n"
    # LRC's streak grows without an end, and its sum would be doubled.
    line, problem, cure = refused(everyone)
    assert (line, "without an end" in problem, "id = 'dealer_streak'" in cure) == (1, True, True)
    assert house('removed = ["dealer_streak"]\n' + everyone).scores_all
    # Harr's rows may double far more than in the book before a sum is too large.
    assert house('[[row]]\nid = "one_suit"\ndoubles = 10\n', CLASSICAL).printed
    assert house('[[row]]\nid = "own_mandarin"\nquestion = "tiles_on_table"\nmost = 3\n', CLASSICAL).printed


STANDING = text_of("classical")


@pytest.mark.parametrize(
    ("old", "new", "landmark", "problem"),
    [
        ("nearest_winner_only = true\n", "", "payment =", "settles with one winner"),
        ("show_hands = true\n", "", "payment =", "nobody shows his"),
        ("values = [0, 14, 16]\n", "", 'id = "dead_wall"', "more tiles than the wall has"),
    ],
)
def test_a_file_that_stands_alone(old: str, new: str, landmark: str, problem: str) -> None:
    text = STANDING.replace(old, new, 1)
    with pytest.raises(RulesetError) as caught:
        parse(text, "alone.toml")
    assert problem in caught.value.problem
    before = text.split("\n")[: caught.value.line + 1]
    assert landmark in "\n".join(before[-2:])


def test_everything_that_counts_is_counted() -> None:
    # A closing row is asked of the sum, and a switch may give more points than the row.
    option = (
        '[[option]]\nid = "big"\nnames = { en = "a", zh-Hant = "b" }\ntype = "integer"\ndefault = 1\nclause = "x"\n'
    )
    row = '[[row]]\nid = "mah_jongg"\npoints_from = "big"\n'
    heavy = '[[row]]\nid = "dragon_set"\ndoubles = 5\n'
    assert "all rows together could come to 10" in refused(heavy + row + option, CLASSICAL)[1]
    assert house(heavy + row + option + "values = [1, 2]\n", CLASSICAL).printed
    switch = 'switches = [{ when = { robbing = true }, set = { points = 1000000, question = "always" } }]\n'
    assert "all rows together" in refused(heavy + '[[row]]\nid = "mah_jongg"\n' + switch, CLASSICAL)[1]
    closing = '[[row]]\nid = "no_other_score"\neach = true\n'
    assert "without an end" in refused(closing, CLASSICAL)[1]
    # Where no row of the house is to blame for doubles, one that gives points is.
    points = "".join(f'[[row]]\nid = "{name}"\npoints = 1000000\neach = true\n' for name in ("pung_simple_exposed",))
    assert house(points, CLASSICAL).printed


@pytest.mark.parametrize(
    ("text", "line", "problem", "cure"),
    [
        ('[[option]]\nid = "dead_wall"\nvalues = []\n', 3, "lists nothing", "leave it out"),
        ('[[option]]\nid = "dead_wall"\nvalues = [0, 14, 14]\n', 3, "a value twice", "once"),
        ('[[option]]\nid = "only_place"\nvalues = ["strict", "sh\\u202eape"]\n', 3, "U+202E", "without it"),
        ('[[row]]\nid = "one_suit_with_honours"\nquestion = "dragon_pongs"\nleast = 0\n', 4, "'least'", "least = 1"),
        ('[[row]]\nid = "dragon_set"\nstep = 1\n', 3, "both 'each' and 'step'", "keep one"),
        ('[[row]]\nid = "mah_jongg"\nstep = 1\neach = true\n', 3, "both 'each' and 'step'", "keep one"),
        ('[[row]]\nid = "mah_jongg"\nstage = "closing"\n', 3, "asks no question", "remove 'question'"),
        ('[[row]]\nid = "no_other_score"\nquestion = "always"\n', 3, "asks no question", "remove 'question'"),
        ('[[row]]\nid = "mah_jongg"\nnames = { en = "a\\nb", zh-Hant = "b" }\n', 3, "a new line in it", "without it"),
        ('[[row]]\nid = "mah_jongg"\nclause = "a\\u001b[2J"\n', 3, "the character U+001B", "without it"),
        ('[[row]]\nid = "mah_jongg"\nrule = { en = "a\\u2067b", zh-Hant = "b" }\n', 3, "U+2067", "without it"),
        ('source = "a\\u200fb"\n', 1, "U+200F", "without it"),
        ('[words]\nwin = { en = "a\\tb", zh-Hant = "b" }\n', 2, "U+0009", "without it"),
        ("source = 2020-01-01\n", 1, "not a text", "write source"),
        ("format = 2020-01-01\n", 1, "is a date or a time", "write format"),
        (f"\nformat = 1{'0' * 5000}\n", 2, "a number of too many digits", "smaller"),
        ("luck = 1\n", 1, "unknown key", "based_on, removed"),
        ('[[option]]\nid = "robbing"\nvalues = [true]\ndefault = false\n', 4, "no value it allows", "write true"),
    ],
)
def test_small_slips_are_told_where_they_are(text: str, line: int, problem: str, cure: str) -> None:
    found = refused(text, CLASSICAL)
    assert (found[0], problem in found[1], cure in found[2]) == (line, True, True), found


def test_an_impossible_date_has_no_digits_to_look_for() -> None:
    assert refused("source = 9999-99-99\n")[1].startswith("not TOML")
