"""Hands drawn to break the scorer, worked out from the text of the rules by a program of its own (lrc-adversary.jsonl).

Each `source` names what the record was drawn for and the row of docs/rules-lrc.md that decides it.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.engine.scoring.test_cases import answer

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "lrc-adversary.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["record"].get("id")))
def test_case(case: dict[str, Any]) -> None:
    expected = case["expected"]
    if "awards" in expected:
        expected = expected | {
            "awards": Counter((line["award"], line["points"], line["count"]) for line in expected["awards"])
        }
    assert answer(case["record"]) == expected, case["source"]


def test_there_are_cases() -> None:
    assert len(CASES) == 377
    assert len({json.dumps(case["record"], sort_keys=True) for case in CASES}) == 377
