"""`parlour score`: one answer a line, whatever the line is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.cli.score import answer_of, command
from parlour_server.rulesets import Shelf

CASES = (Path(__file__).parents[1] / "cases" / "lrc.jsonl").read_text(encoding="utf-8").splitlines()
GOOD: dict[str, Any] = json.loads(CASES[0])["record"]
SHELF = Shelf()


def score(lines: bytes) -> Result:
    return CliRunner().invoke(command, [], input=lines)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def code_of(line: bytes) -> str | None:
    answer = answer_of(line, SHELF)
    assert answer is not None
    error = answer.get("error")
    assert error is None or isinstance(error, dict)
    return error["code"] if error else None


def test_every_case_is_answered_as_expected(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    cases = [json.loads(case) for case in CASES]
    file.write_text("".join(json.dumps(case["record"]) + "\n" for case in cases), encoding="utf-8")
    result = CliRunner().invoke(command, [str(file)])
    assert result.exit_code == 1  # some of the cases are refusals
    for case, answer in zip(cases, answers(result), strict=True):
        expected = case["expected"]
        assert answer["id"] == case["record"]["id"]
        if "error" in expected:
            assert answer["error"]["code"] == expected["error"]["code"]
            assert answer["error"]["message"]
        else:
            assert sorted(answer["awards"], key=str) == sorted(expected["awards"], key=str)
            assert {key: answer[key] for key in ("points", "total", "payments")} == {
                key: expected[key] for key in ("points", "total", "payments")
            }


def test_good_lines_end_well() -> None:
    result = score((json.dumps(GOOD) + "\n\n  \n" + json.dumps(GOOD)).encode())
    assert result.exit_code == 0
    assert len(answers(result)) == 2


def test_nothing_in_is_nothing_out() -> None:
    result = score(b"")
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_bad_line_does_not_stop_the_rest() -> None:
    result = score(b"nonsense\n" + json.dumps(GOOD).encode() + b"\n[]\n")
    assert result.exit_code == 1
    assert [answer["id"] for answer in answers(result)] == [None, "H1", None]


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b"7",
        b"null",
        b'"text"',
        b"{",
        b'{"id": "x"} {}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"id": NaN}',
        b'{"id": "x", "streak": Infinity}',
        b'{"streak": ' + b"9" * 5000 + b"}",
        b"\xff\xfe{}",
        b'{"id": "\xc3\x28"}',
        b"\x00",
        b'{"id": "\\ud800"}',
    ],
    ids=range(16),
)
def test_what_is_no_record_is_a_bad_record(line: bytes) -> None:
    assert code_of(line) == "bad_record"
    assert answers(score(line))[0]["error"]["code"] == "bad_record"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"id": "1", "id": "2"}', 'the key "id" appears twice'),
        (b'{"id": "1", "win": {"tile": "1m", "by": "discard", "\\u0074ile": "2m"}}', 'the key "tile" appears twice'),
        (b'{"\\u001b[2J": 1, "\\u001b[2J": 2}', r'the key "\x1b[2J" appears twice'),
        (b'{"id": "1"} {"id": "2"}', "there is more after the JSON object (character 13): write one record a line"),
        (b'{"streak": 1e999}', "a number is too large"),
        (b'{"streak": -Infinity}', "this is not JSON: -Infinity is no number"),
        (b'{"streak": ' + b"9" * 5000 + b"}", "this is not JSON: a number has too many digits"),
        (b'{"id": "\xe7\x89', "this is not UTF-8 (byte 9): save it as UTF-8"),
        ('{"id": 1}'.encode("utf-16-be"), "this is not UTF-8 (byte 1 is 0): save it as UTF-8"),
    ],
    ids=range(9),
)
def test_what_is_no_json_object_says_what_is_wrong(line: bytes, told: str) -> None:
    (answer,) = answers(score(line))
    assert answer == {"id": None, "error": {"code": "bad_record", "message": told}}


@pytest.mark.parametrize(
    "change",
    [
        {"streak": 10**30},
        {"tiles_on_table": 10**400},
        {"options": {"base": 10**30}},
        {"options": {"base": [1]}},
        {"options": {"base": {}}},
        {"options": {"\ud800": 1}},
        {"ruleset": "\ud800"},
        {"ruleset": "../lrc"},
        {"ruleset": ""},
        {"\udfff" * 1000: 1},
        {"win": {"by": "\ud800"}},
    ],
    ids=range(11),
)
def test_odd_values_are_bad_records(change: dict[str, Any]) -> None:
    line = json.dumps(GOOD | change).encode()
    assert code_of(line) == "bad_record"
    assert score(line).exit_code == 1


def test_the_id_of_a_refused_record_is_echoed() -> None:
    assert answers(score(json.dumps(GOOD | {"id": "\ud800", "seat": 1}).encode()))[0]["id"] == "\ud800"
    assert answers(score(json.dumps(GOOD | {"id": {}}).encode()))[0]["id"] is None


def test_a_ruleset_there_is_none_of_is_named_with_those_there_are() -> None:
    answer = answers(score(json.dumps(GOOD | {"ruleset": "mah-jongg"}).encode()))[0]
    assert "'mah-jongg' is not available" in answer["error"]["message"]
    assert "lrc" in answer["error"]["message"]


def test_options_are_heard_and_true_is_not_one() -> None:
    plain = answer_of(json.dumps(GOOD).encode(), SHELF)
    ten = answer_of(json.dumps(GOOD | {"options": {"base": 10}}).encode(), SHELF)
    assert plain is not None
    assert ten is not None
    assert (plain["total"], ten["total"]) == (47, 52)
    # The base 1 is remembered under a key that equals true's.
    assert code_of(json.dumps(GOOD | {"options": {"base": 1}}).encode()) is None
    assert code_of(json.dumps(GOOD | {"options": {"base": True}}).encode()) == "bad_record"


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_matter() -> None:
    result = score(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n")
    assert result.exit_code == 0


def test_a_missing_file_is_told() -> None:
    result = CliRunner().invoke(command, ["no/such/file"])
    assert result.exit_code == 2
    assert "no/such/file" in result.output


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)


def test_answers_come_line_by_line() -> None:
    """The first answer is there before the second record is written."""
    program = "from parlour_server.cli import main; main(['score'])"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(json.dumps(GOOD) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["total"] == 47
        process.stdin.close()
        assert process.wait(timeout=30) == 0


@given(st.binary(max_size=60))
def test_any_bytes_are_answered_or_blank(line: bytes) -> None:
    answer = answer_of(line, SHELF)
    assert answer is None or "error" in answer


@given(st.sampled_from(CASES), st.data())
def test_any_cut_and_patched_record_is_answered(case: str, data: st.DataObject) -> None:
    text = json.dumps(json.loads(case)["record"])
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 8))
    patch = data.draw(st.text(max_size=6))
    line = (text[:start] + patch + text[start + length :]).encode("utf-8", "surrogatepass")
    answer = answer_of(line, SHELF)
    if answer is not None:
        json.loads(json.dumps(answer))
        assert ("error" in answer) != ("total" in answer)
