"""`parlour score` of games in which all four hands count: hands by themselves, and whole tables."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from parlour_server.cli.score import answer_of, command
from parlour_server.rulesets import Shelf

FOLDER = Path(__file__).parents[1] / "cases"
SHELF = Shelf()


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def counted(lists: list[Any]) -> Counter[str]:
    return Counter(json.dumps(one, sort_keys=True) for one in lists)


@pytest.mark.parametrize("name", ["classical", "classical-limit"])
def test_every_case_is_answered_as_expected(name: str, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(case["record"]) + "\n" for case in cases(name)), encoding="utf-8")
    result = CliRunner().invoke(command, [str(file)])
    assert result.exit_code == 1  # some of the cases are refusals
    for case, line in zip(cases(name), result.stdout.splitlines(), strict=True):
        answer, expected = json.loads(line), case["expected"]
        assert answer.pop("id") == case["record"]["id"]
        if "error" in expected:
            assert answer["error"].pop("message")
            assert answer == expected
            continue
        assert set(answer) == set(expected)
        for key, value in expected.items():
            if isinstance(value, list):
                assert counted(answer[key]) == counted(value)
            else:
                assert answer[key] == value


def test_a_bad_table_does_not_stop_the_rest() -> None:
    table = next(case["record"] for case in cases("classical") if "hands" in case["record"])
    lines = [json.dumps(table | {"winner": "X"}), json.dumps(table | {"id": 5}), json.dumps(table)]
    result = CliRunner().invoke(command, [], input="\n".join(lines))
    assert result.exit_code == 1
    first, second, third = [json.loads(line) for line in result.stdout.splitlines()]
    assert (first["id"], first["error"]["code"]) == (table["id"], "bad_record")
    assert (second["id"], second["error"]["code"]) == (None, "bad_record")
    assert third["id"] == table["id"]


def test_a_table_whose_winner_has_not_won() -> None:
    table = next(case["record"] for case in cases("classical") if case["record"]["id"] == "H-L4")
    hands = table["hands"] | {"N": table["hands"]["N"] | {"win": {"tile": "6z", "by": "self_draw"}}}
    answer = answer_of(json.dumps(table | {"hands": hands}).encode(), SHELF)
    assert answer is not None
    assert answer["error"] == {"code": "not_winning", "message": "the tiles are not a complete hand"}


def test_what_one_seat_pays_another_is_one_payment() -> None:
    # Harr p. 68: West pays for all three.
    table = next(case["record"] for case in cases("classical-limit") if case["record"]["id"] == "P2-danger-1")
    answer = answer_of(json.dumps(table).encode(), SHELF)
    assert answer is not None
    assert answer["payments"] == [["W", "S", 1200]]
