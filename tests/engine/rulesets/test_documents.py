"""The documents say what the ruleset's file may say."""

import ast
import re
from pathlib import Path

import pytest
from attrs import fields

from parlour_engine.rulesets import Ruleset, SheetRow, failing, parse
from parlour_engine.rulesets.declarations import INSTANTS, WORDS
from parlour_engine.rulesets.ruleset import SWITCHES_OF_PLAY, SWITCHES_OF_SCORING
from parlour_engine.scoring import patterns
from parlour_engine.scoring.patterns import HAND_QUESTIONS, READING_QUESTIONS, SPLIT_QUESTIONS, question_names
from parlour_engine.scoring.payment import PAYMENTS
from parlour_engine.scoring.tally import TALLIES
from parlour_engine.shapes import FORMS
from tests.engine.rulesets.files import SHIPPED, find_in, text_of
from tests.engine.scoring.hands import lrc

DOCS = Path(__file__).parents[3] / "docs"
RULESETS = (DOCS / "rulesets.md").read_text(encoding="utf-8")
CLUB = (DOCS / "club.toml").read_text(encoding="utf-8")


def docstrings() -> dict[str, str]:
    """What each question says of itself, in one line; read from the source, for a compiled function forgets it."""
    folder = Path(patterns.__file__).parent
    return {
        node.name: " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
        for file in folder.glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }


def test_every_question_is_listed_with_what_it_asks() -> None:
    said = docstrings()
    expected: list[str] = []
    for title, questions in (
        ("**Asked of the hand**", HAND_QUESTIONS),
        ("**Asked of each split into sets and eyes**", SPLIT_QUESTIONS),
        ("**Asked of each group that can hold the win tile**", READING_QUESTIONS),
    ):
        expected += [title, "", *(f"- `{name}`: {said[name]}" for name in questions), ""]
    assert RULESETS.partition("## Questions\n")[2].strip() == "\n".join(expected).strip()
    assert sum(line.startswith("- ") for line in expected) == len(question_names())


def table_keys(heading: str) -> set[str]:
    """The keys in the first column of the table that begins with this heading."""
    rows = RULESETS.partition(f"| {heading} |")[2].partition("\n\n")[0].split("\n")[2:]
    assert rows, heading
    return {key for row in rows for key in re.findall(r"`\[*(\w+)\]*`", row.split("|")[1])}


def test_every_key_is_listed() -> None:
    inside = {"rules": "rule"}
    assert table_keys("key of a row") == {inside.get(field.name, field.name) for field in fields(SheetRow)}
    assert table_keys("key of `[play]`") == set(lrc().play)
    assert table_keys("key of `[words]`") == set(WORDS)
    assert table_keys("option") == {*SWITCHES_OF_PLAY, *SWITCHES_OF_SCORING}
    tables = {"play", "words", "section", "group", "row", "option", "instant", "procedure"}
    own = {"format", "key", "version", "names", "source", "tally", "payment", "based_on", "removed"}
    assert table_keys("key or table") == tables | own
    for names in (INSTANTS, FORMS, TALLIES, PAYMENTS):
        assert [name for name in names if f"`{name}`" not in RULESETS] == []


def test_the_clubs_file_is_shown_as_it_is() -> None:
    shown = RULESETS.partition("```toml\n")[2].partition("```")[0]
    assert shown == CLUB


def test_the_clubs_file_is_right() -> None:
    club = parse(CLUB, "club.toml", find_in({}))
    assert list(failing(club)) == []
    points = {row.id: row.points for row in club.sheet}
    assert (points["all_pong"], points["two_winds"], points["base"]) == (30, 5, 10)
    assert "nico_nico_gongs_1" not in points
    # Two bases of ten from each other player.
    assert club.instant("concealed_gong") == 20
    assert not club.procedure.missed_win


def clauses_of(ruleset: Ruleset) -> list[str]:
    return [
        *(row.clause for row in ruleset.printed),
        *(group.clause for group in ruleset.groups),
        *(option.clause for option in ruleset.options.values()),
        *(payment.clause for payment in ruleset.instants.values()),
        *(paragraph.clause for paragraph in ruleset.procedures),
    ]


def test_every_clause_of_lrc_leads_to_a_paragraph() -> None:
    text = (DOCS / "rules-lrc.md").read_text(encoding="utf-8")
    paragraphs = set(re.findall(r"\b(?:P|M|[A-Z]{1,2}-)\d+b?\b", text))
    for clause in clauses_of(lrc()):
        ids = clause.removeprefix("lrc ").split(", ")
        assert set(ids) <= paragraphs, clause


@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "lrc"])
def test_every_clause_of_the_classical_games_is_a_page_or_a_decision(name: str) -> None:
    text = (DOCS / "rules-classical.md").read_text(encoding="utf-8")
    decisions = set(re.findall(r"^\| (A-\d+) ", text, re.MULTILINE))
    assert decisions == {f"A-{number}" for number in range(1, 36)}
    for clause in clauses_of(parse(text_of(name), f"{name}.toml")):
        book, _, decided = clause.partition("classical ")
        assert re.fullmatch(r"(Harr (p\. \d+(-\d+)?(, \d+(-\d+)?)*|errata)(, )?)?", book), clause
        assert set(decided.split(", ")) <= decisions | {""}, clause


def test_every_switch_is_in_the_rules() -> None:
    for name, document in (
        ("lrc", "rules-lrc.md"),
        *((name, "rules-classical.md") for name in SHIPPED if name != "lrc"),
    ):
        text = (DOCS / document).read_text(encoding="utf-8")
        options = parse(text_of(name), f"{name}.toml").options
        assert [option for option in options if f"`{option}`" not in text] == [], document


def test_every_ambiguity_is_decided() -> None:
    text = (DOCS / "rules-lrc.md").read_text(encoding="utf-8")
    decided = {int(number) for number in re.findall(r"^\| A-(\d+) ", text, re.MULTILINE)}
    assert decided == set(range(1, 96))


def test_no_ruleset_is_told_apart_by_its_key() -> None:
    # Rulesets are data: no module of the engine, the table or the bots names one of them.
    root = DOCS.parent
    folders = ("engine/parlour_engine", "server/parlour_server/table", "bots/parlour_bots")
    for file in (file for folder in folders for file in (root / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in SHIPPED:
                pytest.fail(f"{file.relative_to(root)}:{node.lineno} names {node.value!r}")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_rule_can_be_read_alone(name: str) -> None:
    # A derivation prints a row without the ones that stand before it in the book.
    pointing = re.compile(r"^The same|\bthe (one|two|three|rows?) above\b|\bsuch pairs\b|同上|以上[一二兩三]項")
    for row in parse(text_of(name), f"{name}.toml").sheet:
        for said in row.rules.values():
            assert not pointing.search(said), f"{name}: {row.id}: {said}"
