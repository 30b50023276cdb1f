"""A house file says what it is based on and what it changes, and nothing else."""

import pytest

from parlour_engine.rulesets import OptionError, Ruleset, RulesetError, differences, failing, parse
from tests.engine.rulesets.files import OPENING, find_in, house, text_of
from tests.engine.scoring.hands import lrc


def points(ruleset: Ruleset) -> dict[str, int]:
    return {row.id: row.points for row in ruleset.sheet}


LRC = parse(text_of("lrc"), "lrc.toml")


def test_a_file_that_changes_nothing_plays_like_its_base() -> None:
    club = house("")
    assert (club.key, club.version, club.names["en"], club.based_on) == ("club", "1", "Our club", "lrc")
    assert (club.source, LRC.based_on) == (LRC.source, None)
    assert [difference.part for difference in differences(LRC, club)] == ["ruleset"]
    assert club.digest == LRC.digest
    assert list(failing(club)) == []


def test_rows_switches_play_and_payments_are_overridden_by_name() -> None:
    club = house(
        """
tally = "points"

[play]
reserve = 14

[[row]]
id = "good_eyes"
points = 3

[[row]]
id = "base"
points = 4

[[row]]
id = "all_pong"
points_from = "bonus"

[[option]]
id = "bonus"
names = { en = "All Pong", zh-Hant = "對對" }
type = "integer"
default = 20
clause = "club minutes, 3 May"

[[option]]
id = "missed_win"
default = false

[[instant]]
id = "concealed_gong"
bases = 3
"""
    )
    assert points(club) == {**points(LRC), "good_eyes": 3, "base": 4, "all_pong": 20}
    assert (club.procedure.reserve, club.procedure.missed_win, club.procedure.concealed_gong_bases) == (14, False, 3)
    assert club.procedure.hand_size == 16
    assert points(club.with_options({"bonus": 7}))["all_pong"] == 7
    assert [row.id for row in club.printed] == [row.id for row in LRC.printed]
    assert club.digest != LRC.digest
    told = {
        (difference.part, difference.id, change.key): (change.before, change.after)
        for difference in differences(LRC, club)
        for change in difference.changes
    }
    assert told["row", "good_eyes", "points"] == (2, 3)
    assert told["option", "missed_win", "default"] == (True, False)
    assert told["play", "play", "reserve"] == (16, 14)
    assert told["instant", "concealed_gong", "bases"] == (1, 3)
    assert ("option", "bonus", "added") in {
        (difference.part, difference.id, difference.what) for difference in differences(LRC, club)
    }


NEW_ROW = """
[[row]]
id = "no_honour_eyes"
section = "eyes"
names = { en = "Plain Eyes", zh-Hant = "數字眼" }
rule = { en = "No wind and no dragon.", zh-Hant = "沒有字牌。" }
question = "no_honours"
points = 1
clause = "club minutes, 3 May"
"""


def test_a_new_row_stands_at_the_end_of_its_heading() -> None:
    club = house(NEW_ROW)
    ids = [row.id for row in club.printed]
    assert ids.index("no_honour_eyes") == ids.index("good_eyes") + 1
    assert len(ids) == len(LRC.printed) + 1


def test_a_new_heading_stands_at_the_end() -> None:
    heading = '[[section]]\nid = "club"\nnames = { en = "The club\'s own", zh-Hant = "本會" }\n'
    club = house(heading + NEW_ROW.replace('section = "eyes"', 'section = "club"'))
    assert club.sections[-1].id == "club"
    assert club.printed[-1].id == "no_honour_eyes"


def test_removed_rows_are_gone_with_what_only_they_needed() -> None:
    removed = ["all_pong", "within_7", "within_10", "human_hand", "jade_hand", "ruby_hand", "diamond_hand", "good_eyes"]
    club = house(f"removed = {removed}\n")
    assert [row.id for row in club.printed] == [row.id for row in LRC.printed if row.id not in removed]
    assert {"eyes"} == {section.id for section in LRC.sections} - {section.id for section in club.sections}
    # lrc are about those rows only; A-76 about others too.
    assert set(LRC.options) - set(club.options) == {"all_pong_allows_gongs", "jewel_needs_pong"}
    assert list(failing(club)) == []


def test_a_base_may_have_a_base() -> None:
    middle = (
        OPENING.replace("club", "middle")
        + '[[row]]\nid = "good_eyes"\npoints = 7\n\n[[row]]\nid = "flower"\npoints = 8\n'
    )
    club = house('[[row]]\nid = "flower"\npoints = 9\n', OPENING.replace('"lrc"', '"middle"'), middle=middle)
    assert (points(club)["good_eyes"], points(club)["flower"], club.based_on) == (7, 9, "middle")


def test_the_digest_knows_rules_from_wording() -> None:
    worded = house('[[row]]\nid = "good_eyes"\nnames = { en = "Nice Eyes", zh-Hant = "靚眼" }\nclause = "club"\n')
    assert worded.digest == LRC.digest
    assert len({LRC.digest, *(house(f'[[row]]\nid = "good_eyes"\n{key}\n').digest for key in CHANGES)}) == 1 + len(
        CHANGES
    )
    assert len(LRC.digest) == 64


CHANGES = (
    "points = 3",
    "most = 1",
    "each = true",
    "groups = ['waits']",
    "question = 'flowers'",
    "readings = ['standard']",
)


CLASSICAL = OPENING.replace('"lrc"', '"classical"')


def test_words_are_inherited_one_by_one_and_are_no_rules() -> None:
    club = house('[words]\nchow = { en = "chi", zh-Hant = "吃" }\n')
    assert {word: said["en"] for word, said in club.words.items()} == {
        "chow": "chi",
        "pong": "pong",
        "gong": "gong",
        "win": "win",
        "wins": "wins",
        "flower": "flower",
    }
    assert club.digest == LRC.digest
    (told,) = [difference for difference in differences(LRC, club) if difference.part != "ruleset"]
    assert (told.part, [change.key for change in told.changes]) == ("words", ["chow"])
    assert house("", CLASSICAL).words["win"] == {"en": "Mah-Jongg", "zh-Hant": "和"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[[option]]\nid = "dead_wall"\nvalues = [0, 100000]\n', 3),
        # 136 tiles less four hands of 13 and East's one more leave 83.
        ('[[option]]\nid = "dead_wall"\nvalues = [0, 84]\n', 3),
    ],
)
def test_no_table_may_choose_a_dead_wall_beyond_the_wall(text: str, line: int) -> None:
    with pytest.raises(RulesetError) as caught:
        house(text, CLASSICAL)
    assert caught.value.line == line + CLASSICAL.count("\n")
    assert "more tiles than the wall has" in caught.value.problem
    assert "write values = [0, 14, 16]" in caught.value.cure


@pytest.mark.parametrize("name", ["classical", "classical-limit"])
def test_the_dead_walls_of_the_shipped_games(name: str) -> None:
    ruleset = house("", OPENING.replace('"lrc"', f'"{name}"'))
    assert [ruleset.with_options({"dead_wall": tiles}).procedure.reserve for tiles in (0, 14, 16)] == [0, 14, 16]
    for tiles in (-1, 1, 13, 100_000, True):
        with pytest.raises(OptionError):
            ruleset.with_options({"dead_wall": tiles})


@pytest.mark.parametrize(
    ("opening", "key", "said", "option"),
    [
        (CLASSICAL, "reserve", "14", "dead_wall"),
        (CLASSICAL, "flowers", "true", "mandarins"),
        (OPENING, "missed_win", "false", "missed_win"),
        (OPENING, "nearest_winner_only", "true", "winners"),
    ],
)
def test_play_may_not_say_what_an_option_decides(opening: str, key: str, said: str, option: str) -> None:
    with pytest.raises(RulesetError) as caught:
        house(f"[play]\n{key} = {said}\n", opening)
    assert caught.value.line == opening.count("\n") + 2
    assert f"option {option!r} decides it" in caught.value.problem
    assert f"give option {option!r} another default" in caught.value.cure


def test_an_option_may_decide_otherwise_than_the_play_of_its_base() -> None:
    club = house('[[option]]\nid = "dead_wall"\ndefault = 14\n\n[play]\ndice = 3\n', CLASSICAL)
    assert club.procedure.reserve == 14
    assert house('[[option]]\nid = "winners"\ndefault = "nearest"\n').procedure.nearest_winner_only


def test_a_house_may_count_the_dealers_wins_or_not() -> None:
    assert LRC.counts_streak
    assert LRC.with_options({"streak_from": 1, "streak_paid_by_dealer": True}).counts_streak
    assert not house('removed = ["dealer_streak"]\n').counts_streak
    assert not house('[[row]]\nid = "dealer_streak"\npoints = 0\nstep = 0\n').counts_streak
    assert not house("", CLASSICAL).counts_streak


# What is refused: text below the opening lines, line there (0: of the opening line with that word), problem, cure.
WRONG = [
    ('[[row]]\nid = "good_eyez"\npoints = 3\n', 1, "has no 'section'", "did you mean 'good_eyes'?"),
    (
        '[[row]]\nid = "zzz"\npoints = 3\n',
        1,
        "has no 'section'",
        "'lrc' has no such row, and a new one has to be whole",
    ),
    ("[[row]]\npoints = 3\n", 1, "has no 'id'", "a new one has to be whole"),
    ("[[row]]\nid = 5\n", 2, "not a text", "write id"),
    (
        '[[row]]\nid = "flower"\n\n[[row]]\nid = "flower"\npoints = 2\n',
        5,
        "row 'flower' is there twice",
        "in one of them",
    ),
    ('[[option]]\nid = "bases"\ndefault = 3\n', 1, "has no 'type'", "did you mean 'base'?"),
    ('[[option]]\nid = "base"\ndefault = -3\n', 3, "no value it allows", "a whole number from 0"),
    ('[[option]]\nid = "winners"\ndefault = "none"\n', 3, "no value it allows", "write all or nearest"),
    ('[[row]]\nid = "flower"\npoints = -1\n', 3, "is -1, not a whole number", "whole number from 0 to"),
    ('[[row]]\nid = "flower"\npoints = 2000000\n', 3, "is 2000000, not", "whole number from 0 to 1000000"),
    (f'[[row]]\nid = "flower"\npoints = {"9" * 60}\n', 3, "a number of many digits", "whole number"),
    ('[[row]]\nid = "flower"\nclause = ""\n', 3, "'clause'", "write clause"),
    ('[[row]]\nid = "flower"\nquestion = "flower"\n', 3, "'flower', which does not exist", "did you mean 'flowers'?"),
    ('[[row]]\nid = "flower"\nnames = { en = "F" }\n', 3, "no name in zh-Hant", "write names"),
    ('[[row]]\nid = "flower"\nrule = { en = "F" }\n', 3, "no rule in zh-Hant", "write rule"),
    ('[[row]]\nid = "flower"\nrule = "F"\n', 3, "not a rule for each language", "write rule"),
    (f'[[row]]\nid = "flower"\nclause = "{"x" * 3000}"\n', 3, "longer than", "shorten it"),
    (f'[[row]]\nid = "flower"\nrule = {{ en = "{"x" * 3000}", zh-Hant = "x" }}\n', 3, "longer than", "shorten it"),
    ('[[row]]\nid = "flower"\nleast = 9\nmost = 8\n', 4, "can never apply", "raise most"),
    ('[[row]]\nid = "human_hand"\nleast = 9\n', 1, "can never apply", "raise most"),
    ('[[row]]\nid = "flower"\nexample = 5\n', 3, "is not a hand", "write example"),
    ('[[row]]\nid = "flower"\nworth = 5\n', 3, "unknown key 'worth'", "use one of"),
    ('[[row]]\nid = "chicken_hand"\nonly = ["zzz"]\n', 3, "'zzz', which does not exist", "write one of"),
    ('[[row]]\nid = "base"\npoints_from = "winners"\n', 3, "option 'winners' is no number", "type integer"),
    ('[[row]]\nid = "base"\npoints_from = "base"\npoints = 2\n', 4, "both 'points' and 'points_from'", "keep one"),
    ("row = 5\n", 1, "'row' is not a list of tables", "[[row]]"),
    ('[row]\nid = "flower"\n', 1, "'row' is not a list of tables", "[[row]]"),
    ("[[play]]\nreserve = 5\n", 1, "'play' is not a table", "[play]"),
    ("[play]\nreserve = 64\n", 2, "the wall has not so many tiles", "write reserve = 16"),
    ("[play]\nhand_size = 13\n", 2, "never one tile short", "3 * sets + 1"),
    ("[play]\nsets = 6\nhand_size = 19\n", 2, "1 to 5 sets", "write sets"),
    ("[play]\ndice = 0\n", 2, "1 to 4 dice", "write dice"),
    ("[play]\nflower_win = 9\n", 2, "eight flowers", "write flower_win"),
    ("[play]\nloose_tiles = 3\n", 2, "in pairs", "loose_tiles = 2"),
    ("[play]\nluck = 1\n", 2, "unknown key 'luck'", "use one of"),
    ('[[group]]\nid = "club"\nclause = "club"\n', 2, "no row is in group 'club'", "two rows or more"),
    (
        '[[group]]\nid = "club"\nclause = "club"\n[[row]]\nid = "flower"\ngroups = ["club"]\n',
        2,
        "only one row is in group 'club'",
        "two rows or more",
    ),
    ('[[group]]\nid = "club"\n', 1, "has no 'clause'", "add clause"),
    ('[[section]]\nid = "club"\nnames = { en = "a", zh-Hant = "b" }\n', 2, "has no row", "remove it"),
    (
        '[[option]]\nid = "idle"\nnames = { en = "a", zh-Hant = "b" }\ntype = "boolean"\n'
        'default = true\nclause = "x"\n',
        2,
        "nothing in the file reads option 'idle'",
        "remove it",
    ),
    ('[[instant]]\nid = "luck"\n', 2, "'luck', which does not exist", "write one of"),
    ('[[instant]]\nid = "washing"\nbases = 1\n', 1, "has no", "a new one has to be whole"),
    ('[[procedure]]\nid = "turn"\nrule = 5\n', 3, "not a rule", "write rule"),
    ('removed = ["flowers"]\n', 1, "'flowers', which does not exist", "did you mean 'flower'?"),
    ('removed = "flower"\n', 1, "not a list of texts", "write removed"),
    ('removed = ["flower", "flower"]\n', 1, "twice", "once"),
    ('removed = ["flower"]\n[[row]]\nid = "flower"\npoints = 3\n', 1, "removed and changed", "keep one"),
    (
        'removed = ["all_pong"]\n[[option]]\nid = "all_pong_allows_gongs"\ndefault = false\n',
        3,
        "nothing in the file",
        "remove it",
    ),
    ('tally = "sum"\n', 1, "'sum', which does not exist", "write one of"),
    ("format = 2\n", 1, "another format", "write format = 1"),
    ("row = []\n", 1, "there is no [[row]]", "add at least one [[row]]"),
    ('[[row]]\nid = "flower"\nswitches = 5\n', 3, "'switches' of row 'flower' is not a list", "write switches"),
    ('[[row]]\nid = "base"\nquestion = "good_eyes"\n', 3, "depends on how the tiles are read", "about the whole hand"),
    (
        '[[option]]\nid = "washing"\nnames = { en = "a", zh-Hant = "b" }\ntype = "boolean"\n'
        'default = true\nclause = "x"\n',
        2,
        "option 'washing' has no payments",
        "add an [[instant]] with id = 'washing'",
    ),
    (
        '[[instant]]\nid = "washing"\nnames = { en = "a", zh-Hant = "b" }\nrule = { en = "a", zh-Hant = "b" }\n'
        'clause = "x"\npoints = [5, -7]\n',
        6,
        "not a list of whole numbers",
        "write points",
    ),
    ('source = """a \\"""\nb"""\nluck = 5\n', 3, "unknown key 'luck'", "use one of"),
    ("source = '''a \\\nb'''\nluck = 5\n", 3, "unknown key 'luck'", "use one of"),
    ("luck = 5\n", 1, "unknown key 'luck'", "use one of"),
    ("[luck]\n", 1, "unknown key 'luck'", "use one of"),
    ("source = 5\n", 1, "'source'", "write source"),
]


@pytest.mark.parametrize(("text", "line", "problem", "cure"), WRONG)
def test_what_is_wrong_in_a_house_file_is_told_at_its_own_line(text: str, line: int, problem: str, cure: str) -> None:
    with pytest.raises(RulesetError) as caught:
        house(text)
    error = caught.value
    assert problem in error.problem, str(error)
    assert cure in error.cure, str(error)
    assert (error.origin, error.line) == ("house.toml", line + OPENING.count("\n")), str(error)
    assert len(str(error)) < 4000


@pytest.mark.parametrize(
    ("old", "new", "line", "problem", "cure"),
    [
        ('"lrc"', '"lcr"', 1, "there is no ruleset 'lcr' to be based on", "write one of classical"),
        ('"lrc"', "5", 1, "'based_on'", "write based_on"),
        ('"lrc"', '""', 1, "'based_on'", "write based_on"),
        ('key = "club"\n', "", 1, "has no 'key'", 'add key = "..."'),
        ('version = "1"\n', "", 1, "has no 'version'", 'add version = "..."'),
        ('names = { en = "Our club", zh-Hant = "本會" }\n', "", 1, "has no 'names'", "add names"),
        ('"club"', '"lrc"', 2, "'lrc' is the key of its base", "key of its own"),
        ('"club"', '"Our club"', 2, "no name for a program", "small letters"),
        ('"club"', f'"{"x" * 41}"', 2, "no name for a program", "at most 40"),
        ('"club"', '"../club"', 2, "no name for a program", "small letters"),
        ('based_on = "lrc"', 'removed = ["flower"]', 1, "takes rows from a base", "add based_on"),
        ('based_on = "lrc"', "format = 1", 1, "has no 'play'", "[play]"),
    ],
)
def test_what_is_wrong_in_the_opening_lines(old: str, new: str, line: int, problem: str, cure: str) -> None:
    with pytest.raises(RulesetError) as caught:
        house("", OPENING.replace(old, new))
    assert problem in caught.value.problem
    assert cure in caught.value.cure
    assert (caught.value.origin, caught.value.line) == ("house.toml", line)


def test_a_row_that_looks_at_a_removed_one_is_told() -> None:
    opening = OPENING.replace('"lrc"', '"classical"')
    with pytest.raises(
        RulesetError, match=r"^house\.toml:5: row 'no_other_score' of the base looks at row 'mah_jongg'"
    ):
        house('removed = ["mah_jongg"]\n', opening)
    assert points(house('removed = ["mah_jongg", "no_other_score"]\n', opening))


def test_files_that_are_based_on_each_other_are_refused() -> None:
    one, two = OPENING.replace('"lrc"', '"two"'), OPENING.replace('"lrc"', '"one"').replace("club", "club-2")
    with pytest.raises(RulesetError, match=r"^two\.toml:1: 'one' is based on this file itself; .* stands alone"):
        parse(one, "one.toml", find_in({"one": one, "two": two}))
    with pytest.raises(RulesetError, match=r"^self\.toml:1: 'self' is based on this file itself"):
        parse(one.replace("two", "self"), "self.toml", find_in({"self": one.replace("two", "self")}))


def test_bases_below_bases_have_an_end() -> None:
    files = {f"n{at}": OPENING.replace('"lrc"', f'"n{at + 1}"').replace("club", f"club{at}") for at in range(100)}
    with pytest.raises(RulesetError, match=r"^n8\.toml:1: .* 8 deep; .* stands alone"):
        parse(files["n0"], "n0.toml", find_in(files))


def test_what_is_wrong_in_the_base_is_told_there() -> None:
    middle = OPENING.replace("club", "middle") + '[[row]]\nid = "good_eyes"\npoints = -7\n'
    with pytest.raises(RulesetError, match=r"^middle\.toml:7: "):
        house("", OPENING.replace('"lrc"', '"middle"'), middle=middle)


def test_without_a_place_to_look_there_is_no_base() -> None:
    with pytest.raises(RulesetError, match=r"^house\.toml:1: there is no ruleset 'lrc' to be based on; "):
        parse(OPENING, "house.toml")

    def silent(_: str) -> tuple[str, str]:
        raise KeyError

    with pytest.raises(RulesetError, match=r"^house\.toml:1: .*; name a ruleset that there is"):
        parse(OPENING, "house.toml", silent)


def test_what_a_house_pays_otherwise_is_cited_as_its_own() -> None:
    text = (
        '[[row]]\nid = "all_pong"\npoints = 30\n'
        '[[row]]\nid = "good_eyes"\nnames = { en = "Fine Eyes", zh-Hant = "好眼" }\n'
        '[[row]]\nid = "all_five_suits"\npoints = 12\nclause = "minutes of May"\n'
        '[[instant]]\nid = "concealed_gong"\nbases = 2\n'
        '[[procedure]]\nid = "missed_win"\nrule = { en = "There is no bar.", zh-Hant = "不設過水。" }\n'
    )
    club = house(text)
    rows = {row.id: row.clause for row in club.sheet}
    assert rows["all_pong"] == "club (changes lrc H-9)"
    # Another name is no other rule, and a house may name the place itself.
    assert (rows["good_eyes"], rows["all_five_suits"]) == ("lrc E-1, A-59", "minutes of May")
    assert club.instants["concealed_gong"].clause.startswith("club (changes lrc ")
    assert {step.id: step.clause for step in club.procedures}["missed_win"] == "club (changes lrc P17, P25)"
    # A house based on a house.
    further = house(
        '[[row]]\nid = "all_pong"\npoints = 31\n',
        OPENING.replace('"lrc"', '"club"').replace('key = "club"', 'key = "tues"'),
        club=OPENING + text,
    )
    assert {row.id: row.clause for row in further.sheet}["all_pong"] == "tues (changes club (changes lrc H-9))"


def test_a_house_may_play_short_matches() -> None:
    assert lrc().rounds == 4
    assert house("[play]\nrounds = 1\n").rounds == 1
