"""The worked hands and tables of tests/cases: the book's with its corrected totals, and generated ones."""

from collections import Counter
from typing import Any

import pytest

from parlour_engine.scoring.request import NOT_WINNING, RequestError, is_table
from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.classical import FREE, LIMIT, cases, net, paid, scored, settled, totals

CASES = [*cases(FREE), *cases(LIMIT)]


def answer(record: dict[str, Any]) -> dict[str, Any]:
    try:
        if is_table(record):
            settlement = settled(record)
            return {"scores": totals(settlement), "payments": paid(settlement), "net": net(settlement)}
        score = scored(record)
    except RequestError as error:
        return {"error": {"code": error.code}}
    except NotWinning:
        return {"error": {"code": NOT_WINNING}}
    return {
        "basic": score.points,
        "doubles": score.doubles,
        "total": score.total,
        "awards": Counter(
            (award.award, award.points, award.doubles, award.count, award.limit) for award in score.awards
        ),
    }


def expected(case: dict[str, Any]) -> dict[str, Any]:
    wanted: dict[str, Any] = dict(case["expected"])
    if "awards" in wanted:
        wanted["awards"] = Counter(
            (line["award"], line["points"], line["doubles"], line["count"], line.get("limit", ""))
            for line in wanted["awards"]
        )
    if "payments" in wanted:
        wanted["payments"] = {source + target: amount for source, target, amount in wanted["payments"]}
    return wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["record"]["id"])
def test_case(case: dict[str, Any]) -> None:
    assert answer(case["record"]) == expected(case)


def test_there_are_cases() -> None:
    assert (len(cases(FREE)), len(cases(LIMIT))) == (93, 41)
