"""The worked and generated LRC hands of tests/cases: every one must come out exactly."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from parlour_engine.scoring.request import NOT_WINNING, RequestError
from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.hands import settled

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "lrc.jsonl").read_text(encoding="utf-8").splitlines()
]


def answer(record: dict[str, Any]) -> dict[str, Any]:
    try:
        settlement = settled(record)
    except RequestError as error:
        return {"error": {"code": error.code}}
    except NotWinning:
        return {"error": {"code": NOT_WINNING}}
    score = settlement.entries[0].score
    return {
        "points": score.points,
        "total": score.total,
        "awards": Counter((award.award, award.points, award.count) for award in score.awards),
        "payments": dict(zip("ESWN", settlement.net, strict=True)),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["record"]["id"])
def test_case(case: dict[str, Any]) -> None:
    expected = case["expected"]
    if "awards" in expected:
        expected = expected | {
            "awards": Counter((line["award"], line["points"], line["count"]) for line in expected["awards"])
        }
    assert answer(case["record"]) == expected


def test_there_are_cases() -> None:
    assert len(CASES) == 391
