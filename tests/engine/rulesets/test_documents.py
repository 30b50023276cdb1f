"""The documents say what the ruleset's file may say."""

import re
from pathlib import Path

from parlour_engine.scoring.patterns import question_names
from tests.engine.scoring.hands import lrc

DOCS = Path(__file__).parents[3] / "docs"


def test_every_question_is_listed() -> None:
    text = (DOCS / "scoring-record.md").read_text(encoding="utf-8").partition("### Questions")[2]
    listed = re.findall(r"^- `(\w+)`:", text, re.MULTILINE)
    assert sorted(listed) == question_names()


def test_every_clause_leads_to_a_paragraph() -> None:
    text = (DOCS / "rules-lrc.md").read_text(encoding="utf-8")
    paragraphs = set(re.findall(r"\b(?:P|M|[A-Z]{1,2}-)\d+b?\b", text))
    ruleset = lrc()
    clauses = [
        *(row.clause for row in ruleset.sheet),
        *(group.clause for group in ruleset.groups),
        *(option.clause for option in ruleset.options.values()),
        *(payment.clause for payment in ruleset.instants.values()),
    ]
    for clause in clauses:
        ids = clause.removeprefix("lrc ").split(", ")
        assert set(ids) <= paragraphs, clause


def test_every_switch_is_in_the_rules() -> None:
    text = (DOCS / "rules-lrc.md").read_text(encoding="utf-8")
    assert [name for name in lrc().options if f"`{name}`" not in text] == []


def test_every_ambiguity_is_decided() -> None:
    text = (DOCS / "rules-lrc.md").read_text(encoding="utf-8")
    decided = {int(number) for number in re.findall(r"^\| A-(\d+) ", text, re.MULTILINE)}
    assert decided == set(range(1, 96))
