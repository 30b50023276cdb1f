"""`parlour rules`: what a club's secretary reads."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from parlour_server.cli import main
from parlour_server.rulesets import load_ruleset, ruleset_names

CLUB = str(Path(__file__).parents[2] / "docs" / "club.toml")


def rules(*words: str, status: int = 0) -> str:
    result: Result = CliRunner().invoke(main, ["rules", *words])
    assert result.exit_code == status, result.output
    return result.output


def test_the_list_names_every_packaged_ruleset() -> None:
    lines = rules("list").splitlines()
    assert [line.split()[0] for line in lines[::2]] == ruleset_names()
    assert "LRC table, December 2024" in rules("list")
    assert "LRC 台灣牌" in rules("list", "--lang", "zh-Hant")


@pytest.mark.parametrize("lang", ["en", "zh-Hant"])
@pytest.mark.parametrize("name", [*ruleset_names(), CLUB])
def test_a_sheet_is_shown_whole_in_eighty_columns(name: str, lang: str) -> None:
    output = rules("show", name, "--lang", lang)
    assert max(cell_len(line) for line in output.splitlines()) < 80
    assert not any(line != line.rstrip() for line in output.splitlines())
    text = "".join(output.split())
    ruleset = load_ruleset(name)
    names = [
        *(section.names[lang] for section in ruleset.sections),
        *(option.names[lang] for option in ruleset.options.values()),
        *(name for row in ruleset.printed for name in (row.names[lang], row.rules[lang], row.clause)),
        *(name for told in ruleset.procedures for name in (told.names[lang], told.rules[lang], told.clause)),
        *(name for paid in ruleset.instants.values() for name in (paid.names[lang], paid.rules[lang], paid.clause)),
    ]
    assert [name for name in names if "".join(name.split()) not in text] == []
    for option in ruleset.options.values():
        assert option.id in text


@pytest.mark.parametrize("lang", ["en", "zh-Hant"])
@pytest.mark.parametrize("name", [*ruleset_names(), CLUB])
def test_every_piece_is_shown_with_what_a_file_calls_it(name: str, lang: str) -> None:
    output = rules("show", name, "--lang", lang)
    text = "".join(output.split())
    ruleset = load_ruleset(name)
    pieces = [
        *((section.names, section.id) for section in ruleset.sections),
        *((row.names, row.id) for row in ruleset.printed),
        *((paid.names, paid.id) for paid in ruleset.instants.values()),
        *((told.names, told.id) for told in ruleset.procedures),
    ]
    for names, own in pieces:
        assert f"{names[lang]}({own})".replace(" ", "") in text
    lines = output.splitlines()
    for group in ruleset.groups:
        assert any(line.split()[:1] == [group.id] and line.endswith("]") for line in lines), group.id
    for row in ruleset.printed:
        assert not row.question or f'question="{row.question}"' in text
        assert not row.groups or f'groups=["{row.groups[0]}"' in text


def test_a_row_says_when_it_counts_in_the_keys_of_its_file() -> None:
    lines = rules("show", "lrc").splitlines()
    at = lines.index('    question = "flowers", least = 7, groups = ["flower_wins"]')
    assert [line for line in lines[at - 2 : at] if line.startswith("  Seven Flowers (seven_flowers) ")]
    assert '    only = ["mah_jongg"]' in rules("show", "classical-limit").splitlines()


def test_a_row_says_what_it_gives_and_what_gives_way() -> None:
    lines = rules("show", "lrc").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  Big Three Winds"))
    assert lines[at].split("  ")[-2:] == ["30 points", "[lrc W-5]"]
    assert lines[at + 1 : at + 3] == [
        "    Three pongs of winds, and other eyes.",
        "    takes the place of: Pong of Winds, Little Three Winds",
    ]
    joined = "\n".join(lines)
    assert "2 points each  [lrc DR-1]" in joined
    assert "and 2 more for each further one" in joined
    assert "as many as the switch “Points of the base” says" in joined
    assert "streak_from: 1 or 2 (default 2)" in joined
    assert "base: a whole number from 0 to 1000000 (default 5)" in joined
    assert "winners: all “all of them” or nearest “only the nearest in turn” (default" in joined


def test_a_game_that_doubles_says_so() -> None:
    output = rules("show", "classical-limit")
    for words in ("1 double", "the limit", "half the limit", "also for hands that did not win", "different heads"):
        assert words in output, words
    assert "番" in rules("show", "classical-limit", "--lang", "zh-Hant")
    # The book of 1922 says 和 where LRC says 糊.
    chinese = rules("show", "classical-limit", "--lang", "zh-Hant")
    assert "沒有和的牌亦計" in chinese
    assert "糊" not in chinese


def test_a_file_that_is_right_is_told_with_what_it_changes() -> None:
    output = rules("check", CLUB)
    assert f"{CLUB} is fine" in output.replace("\n", " ")
    assert "It is based on LRC Taiwanese (lrc, version 2024-12), and changes:" in output
    for line in (
        "  removed nico_nico_gongs_1 (Nico Nico with a Four)",
        "  added two_winds (Two Winds)",
        "    points 25 -> 30",
        "  base (Points of the base): default 5 -> 10",
        "  concealed_gong (Concealed Gong):",
        "    bases 1 -> 2",
        "    clause lrc G-2, A-32 -> club (changes lrc G-2, A-32)",
    ):
        assert line in output.splitlines(), line
    assert "changes" not in rules("check", "lrc")
    assert max(cell_len(line) for line in output.splitlines()) < 80


def test_a_file_that_is_wrong_is_told_with_line_and_cure(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    text = Path(CLUB).read_text(encoding="utf-8")
    file.write_text(text.replace("points = 30", "points = -30"), encoding="utf-8")
    line = 1 + text[: text.index("points = 30")].count("\n")
    assert rules("check", str(file), status=2) == (
        f"parlour: {file}:{line}: 'points' of row 'all_pong' is -30, not a whole number from 0 to 1000000; "
        "write points = and a whole number from 0 to 1000000\n"
    )


def test_every_hand_that_shows_the_wrong_thing_is_told(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    text = Path(CLUB).read_text(encoding="utf-8")
    file.write_text(text.replace("least = 2", "least = 3"), encoding="utf-8")
    line = 1 + text[: text.index("example = ")].count("\n")
    output = rules("check", str(file), status=2)
    assert output.startswith(f"parlour: {file}:{line}: 'example' of row 'two_winds' does not get the row; it gets ")
    assert output.endswith("; show a hand that has the row\n")
    assert output.count("\n") == 1


@pytest.mark.parametrize("words", [("show", "riichi"), ("check", "no/such.toml"), ("diff", "lrc", "riichi")])
def test_a_ruleset_that_is_not_there_is_told(words: tuple[str, ...]) -> None:
    output = rules(*words, status=2)
    assert output.startswith("parlour: ")
    assert output.count("\n") == 1


def test_two_rulesets_are_compared() -> None:
    assert rules("diff", "lrc", "lrc").splitlines()[-1] == "nothing"
    output = rules("diff", "classical", "classical-limit")
    assert max(cell_len(line) for line in output.splitlines()) < 80
    assert "  reserve 0 -> 14" in output.splitlines()
    # Harr p. 60-67 against p. 29-31: with a limit no sequence is a double, and a switch says what Mah-Jongg is worth.
    assert "    points 10 -> 0" in output.splitlines()
    assert "    points 20 -> none" in output.splitlines()
    assert "    points_from none -> mah_jongg" in output.splitlines()
    backwards = rules("diff", CLUB, "lrc")
    assert "  removed two_winds (Two Winds)" in backwards.splitlines()
    assert "  added nico_nico_gongs_1 (Nico Nico with a Four)" in backwards.splitlines()
    everything = rules("diff", "lrc", "classical", "--lang", "zh-Hant")
    assert max(cell_len(line) for line in everything.splitlines()) < 80
    assert "  sets 5 -> 4" in everything.splitlines()


def test_what_a_file_adds_in_switches_and_long_words_is_told(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    house = Path(CLUB).read_text(encoding="utf-8").partition("\n[[row]]")[0]
    switch = "{ when = { base = 7 }, set = { points = 4, groups = [] } }"
    file.write_text(
        f'{house}\n[[row]]\nid = "good_eyes"\nswitches = [{switch}]\nclause = "{"x" * 200}"\n', encoding="utf-8"
    )
    output = rules("check", str(file))
    assert "    switches none -> (base = 7: points = 4, groups = none)" in output.splitlines()
    assert max(cell_len(line) for line in output.splitlines()) < 80
    assert "x" * 200 in "".join(output.split())
    shown = rules("show", str(file)).splitlines()
    told = " ".join(line.strip() for line in shown)
    assert "Where “Points of the base” is 7: 4 points. Added to every winning hand;" in told
    assert "based on LRC Taiwanese (lrc)" in shown
    assert max(cell_len(line) for line in shown if "x" * 20 not in line) < 80


def test_a_name_that_is_not_there_has_no_line() -> None:
    assert rules("show", "riichi", status=2).startswith("parlour: riichi: no ruleset has this name; there are ")


def checked(folder: Path, text: str, key: str = "club", name: str = "club") -> str:
    file = folder / f"{name}.toml"
    opening = f'key = "{key}"\nversion = "1"\nnames = {{ en = "Small", zh-Hant = "小" }}\n'
    file.write_text(opening + text, encoding="utf-8")
    output = rules("check", str(file))
    assert max(cell_len(line) for line in output.splitlines() if str(folder) not in line) < 80
    return " ".join(output.split())


def test_a_play_that_does_not_fit_the_rows_is_told_in_the_headline(tmp_path: Path) -> None:
    output = checked(tmp_path, 'based_on = "lrc"\n[play]\nhand_size = 13\nsets = 4\n')
    # 90 rows of LRC show two hands of 17 tiles each.
    assert "can be used, but 180 hands of its base do not fit its own play and 8 rows can never apply. -" in output
    assert "Five Concealed Pongs (concealed_pongs_5)" in output
    assert "Big Three Winds (big_three_winds) and 78 more." in output
    assert "is fine" not in output


def test_one_row_and_one_hand_are_told_as_one(tmp_path: Path) -> None:
    five = '[[row]]\nid = "kong_simple_exposed"\nquestion = "gongs"\nleast = 5\n'
    output = checked(tmp_path, f'based_on = "classical"\n{five}')
    assert "can be used, but 1 row can never apply. - Can never apply: Four of 2 to 8, on the table (kong_" in output


def test_a_file_with_another_name_than_its_key_is_told(tmp_path: Path) -> None:
    output = checked(tmp_path, 'based_on = "lrc"\n', name="zz")
    assert "zz.toml can be used, but its name is not its key. - A server takes a file only by its key: " in output
    assert "call it club.toml, or change the key. It is Small (club, version 1)." in output
    assert "is fine: Small (club, version 1)." in checked(tmp_path, 'based_on = "lrc"\n')


def test_an_empty_list_of_a_hand_is_none(tmp_path: Path) -> None:
    output = checked(tmp_path, 'based_on = "lrc"\n[[row]]\nid = "good_eyes"\nquestion = "uncles"\n')
    assert "example { melds = none, flowers = " in output
    assert "= ," not in output


RECORD = (
    '{"id":"a","ruleset":"tues","hand":"55m12456p123789s","melds":["123m"],"flowers":"","seat":"S","round":"E",'
    '"win":{"tile":"3p","by":"discard","from":"W"}}'
)


@pytest.mark.parametrize("command", ["score", "explain"])
def test_a_record_under_a_file_of_ones_own_asks_for_the_file(command: str, tmp_path: Path) -> None:
    file = tmp_path / "tues.toml"
    file.write_text(Path(CLUB).read_text(encoding="utf-8").replace('"club"', '"tues"'), encoding="utf-8")
    missing = CliRunner().invoke(main, [command], input=RECORD)
    assert missing.exit_code in (1, 2)
    assert "give a file of your own with --ruleset FILE.toml" in missing.output
    assert CliRunner().invoke(main, [command, "--ruleset", str(file)], input=RECORD).exit_code == 0
    named = CliRunner().invoke(main, [command, "--ruleset", "lrc"], input=RECORD)
    assert named.exit_code == 2
    assert named.output == (
        "parlour: --ruleset lrc: is no file that ends in .toml; leave the option out for a packaged ruleset, "
        "whose key is all that a record has to say\n"
    )


@pytest.mark.parametrize("command", [("rules", "check"), ("simulate", "--deals", "1", "--ruleset")])
def test_the_key_of_a_packaged_game_is_refused_before_a_server_does(command: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "lrc.toml"
    opening = Path(CLUB).read_text(encoding="utf-8").partition("\n# Rows that")[0]
    file.write_text(
        opening.replace('based_on = "lrc"', 'based_on = "classical"').replace('"club"', '"lrc"'), encoding="utf-8"
    )
    refused = CliRunner().invoke(main, [*command, str(file)])
    assert refused.exit_code == 2
    assert "lrc.toml:5: there is another ruleset with the key 'lrc'; give this one a key" in refused.output
    # An older text of a packaged game may be read and compared.
    assert "(lrc, version 2025-03)" in rules("show", str(file))
    assert "  version 2024-12 -> 2025-03" in rules("diff", "lrc", str(file)).splitlines()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a file that is always full")
@pytest.mark.parametrize("target", ["/dev/full", "&-"])
@pytest.mark.parametrize("words", ["show lrc", f"check {CLUB}", "list"])
def test_an_output_that_takes_nothing_is_told(words: str, target: str) -> None:
    command = f"exec '{Path(sys.executable).with_name('parlour')}' rules {words} >{target}"
    done = subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr.decode()
    assert done.stderr.startswith(b"parlour: standard output: ")


def test_a_default_that_is_changed_is_told_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    opening = Path(CLUB).read_text(encoding="utf-8").partition("\n# Rows")[0]
    names = 'value_names = { nearest = { en = "head bump", zh-Hant = "截糊" } }'
    file.write_text(f'{opening}\n[[option]]\nid = "winners"\ndefault = "nearest"\n{names}\n', encoding="utf-8")
    output = rules("diff", "lrc", str(file)).splitlines()
    assert "    default all “all of them” -> nearest “head bump”" in output
    assert "截糊" in rules("diff", "lrc", str(file), "--lang", "zh-Hant")
    assert "winners: all 「全部計」" in rules("show", str(file), "--lang", "zh-Hant").replace("all「", "all 「")
