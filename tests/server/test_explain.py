"""`parlour explain`: what a referee reads, in both languages, and what programs read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour_server.cli import main
from parlour_server.cli.explain import command
from parlour_server.cli.score import answer_of
from parlour_server.derivation.text import WIDTH
from parlour_server.record_text import columns
from parlour_server.rulesets import Shelf
from tools.explain_samples import DOCUMENT, SAMPLE, renewed

ROOT = Path(__file__).parents[2]


def cases(name: str) -> list[dict[str, Any]]:
    """Those that are scored."""
    lines = (ROOT / "tests" / "cases" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for line in lines if "error" not in (case := json.loads(line))["expected"]]


CLASSICAL = cases("classical")
SCORED = cases("lrc")
GOOD: dict[str, Any] = SCORED[0]["record"]
READY: dict[str, Any] = {
    "id": "ready",
    "ruleset": "lrc",
    "hand": "123456789m45p11s",
    "melds": ["777z"],
    "flowers": "",
    "seat": "S",
    "round": "E",
    "win": {"tile": "3p", "by": "discard", "from": "W"},
}
FRAGMENT: dict[str, Any] = READY | {
    "id": "fragment",
    "ruleset": "classical",
    "hand": "6z",
    "melds": ["222z", "333z", "444z", "555z"],
    "win": {"tile": "6z", "by": "discard", "from": "W"},
}


def explain(record: object, *options: str) -> Result:
    octets = record if isinstance(record, bytes) else json.dumps(record).encode()
    return CliRunner().invoke(command, list(options), input=octets)


def plain(record: object) -> dict[str, Any]:
    result = explain(record, "--json")
    assert result.exit_code == 0, result.stderr
    value = json.loads(result.stdout)
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("lang", ["en", "zh-Hant"])
@pytest.mark.parametrize("case", SCORED[::9], ids=lambda case: case["record"]["id"])
def test_every_case_fits_the_page_and_ends_at_its_total(case: dict[str, Any], lang: str) -> None:
    result = explain(case["record"], "--lang", lang)
    assert result.exit_code == 0, result.stderr
    assert all(columns(line) <= WIDTH for line in result.stdout.splitlines()), result.stdout
    assert all(line == line.rstrip() for line in result.stdout.splitlines())
    total = {"en": "Total", "zh-Hant": "總計"}[lang]
    assert f"{case['expected']['total']:>9,}  {total}" in result.stdout.splitlines()


@pytest.mark.parametrize("case", SCORED[::5], ids=lambda case: case["record"]["id"])
def test_json_says_what_score_says_and_why(case: dict[str, Any]) -> None:
    told, expected = plain(case["record"]), case["expected"]
    assert (told["id"], told["wins"]) == (case["record"]["id"], True)
    (hand,) = told["hands"]
    assert (hand["points"], hand["total"]) == (expected["points"], expected["total"])
    lines = [{key: row[key] for key in ("award", "points", "count")} for row in hand["awards"]]
    assert sorted(lines, key=str) == sorted(expected["awards"], key=str)
    assert told["net"] == expected["payments"]
    assert all(row["clause"] and row["name"]["en"] and row["rule"]["zh-Hant"] for row in hand["awards"])


def test_doubles_are_told_step_by_step() -> None:
    """The score card's example: 50 doubled five times is 1,600 (Harr p. 31)."""
    (hand,) = plain(FRAGMENT)["hands"]
    assert [step["value"] for step in hand["steps"]] == [50, 100, 200, 400, 800, 1600]
    told = explain(FRAGMENT).stdout
    assert re.findall(r"^ +([\d,]+)  doubled by", told, re.MULTILINE) == ["100", "200", "400", "800", "1,600"]
    assert "East pays South 3,200" in told
    assert "The other hands were not given" in told


@pytest.mark.parametrize("case", CLASSICAL[::3], ids=lambda case: case["record"]["id"])
def test_classical_hands_and_tables_are_told_as_they_are_scored(case: dict[str, Any]) -> None:
    told, expected = plain(case["record"]), case["expected"]
    if "scores" in expected:
        assert {hand["seat"]: hand["total"] for hand in told["hands"]} == expected["scores"]
        assert told["net"] == expected["net"]
    else:
        (hand,) = told["hands"]
        assert (hand["points"], hand["doubles"], hand["total"]) == (
            expected["basic"],
            expected["doubles"],
            expected["total"],
        )
        lines = [{key: row[key] for key in ("award", "points", "doubles", "count")} for row in hand["awards"]]
        assert sorted(lines, key=str) == sorted([_ordered(line) for line in expected["awards"]], key=str)
        assert [step["value"] for step in hand["steps"]] == [
            expected["basic"] * 2**times for times in range(expected["doubles"] + 1)
        ]


def _ordered(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line[key] for key in ("award", "points", "doubles", "count")}


LAYOUT: dict[str, Any] = {
    "id": "layout 1",
    "ruleset": "classical",
    "winner": "E",
    "flowers": "",
    "round": "E",
    "hands": {
        "E": {"hand": "22m555m88m", "melds": ["1111m", "999m"], "win": {"tile": "8m", "by": "self_draw"}},
        "S": {"hand": "777p11p66p55p3p", "melds": ["999p"], "win": None},
        "W": {"hand": "555z333z7s", "melds": ["9999s", "888s"], "win": None},
        "N": {"hand": "11p22p66p55p44p", "melds": ["888p"], "win": None},
    },
}
"""Harr p. 47 with the errata."""


@pytest.mark.parametrize("lang", ["en", "zh-Hant"])
def test_a_whole_table_is_told_with_all_payments(lang: str) -> None:
    told = plain(LAYOUT)
    assert [(hand["seat"], hand["won"], hand["total"]) for hand in told["hands"]] == [
        ("E", True, 480),
        ("S", False, 64),
        ("W", False, 272),
        ("N", False, 16),
    ]
    assert told["net"] == {"E": 2880, "S": -1120, "W": -496, "N": -1264}
    result = explain(LAYOUT, "--lang", lang)
    assert all(columns(line) <= WIDTH for line in result.stdout.splitlines())
    said = {"en": "South pays West 208: the difference of 272 and 64.", "zh-Hant": "南付西 208：272 與 64 之差。"}
    assert f"  {said[lang]}" in result.stdout.splitlines()


SUIT: dict[str, Any] = {"hand": "1144p", "melds": ["666p", "333p", "999p"]}
DANGEROUS: dict[str, Any] = {
    "id": "danger",
    "ruleset": "classical-limit",
    "winner": "S",
    "flowers": "",
    "round": "E",
    "hands": {
        "E": {"hand": "1235689m245689s", "melds": [], "win": None},
        "S": SUIT | {"win": {"tile": "4p", "by": "discard", "from": "W"}},
        "W": {"hand": "1247m369s", "melds": ["555z", "777m"], "win": None},
        "N": {"hand": "1235689m135789s", "melds": [], "win": None},
    },
}
"""South shows nine circles and wins with circles alone by a discard of West's (Harr p. 68)."""


def with_hand(seat: str, **changed: object) -> dict[str, Any]:
    return DANGEROUS | {"hands": DANGEROUS["hands"] | {seat: DANGEROUS["hands"][seat] | changed}}


def payments(record: object, *options: str) -> str:
    """What stands below the heading of the payments, in one line."""
    result = explain(record, *options)
    assert result.exit_code == 0, result.stderr
    assert all(columns(line) <= WIDTH for line in result.stdout.splitlines())
    return " ".join(re.split(r"\n(?:PAYMENTS|收付)\n", result.stdout)[1].split())


def chinese_payments(record: object) -> str:
    return payments(record, "--lang", "zh-Hant").replace(" ", "")


@pytest.mark.parametrize(
    ("winner", "shown"),
    [
        (SUIT | {"tile": "4p"}, "nine tiles of one suit or more and won with that suit alone"),
        (
            {"hand": "222z7z", "melds": ["111p", "444z", "999p"], "tile": "7z"},
            "nine heads or more and won with heads alone",
        ),
        ({"hand": "55z11p", "melds": ["777z", "666z", "123p"], "tile": "5z"}, "two sets of dragons and got the third"),
        ({"hand": "11z33s", "melds": ["444z", "222z", "333z"], "tile": "1z"}, "three sets of winds and got the fourth"),
    ],
)
def test_what_made_a_discard_dangerous_is_told(winner: dict[str, Any], shown: str) -> None:
    south = {"hand": winner["hand"], "melds": winner["melds"]}
    win = {"tile": winner["tile"], "by": "discard", "from": "W"}
    table = with_hand("S", **south, win=win)
    table["hands"]["W"] = {"hand": "1235679m245689s", "melds": [], "win": None}
    said = payments(table)
    assert f"West's discard was dangerous: South had shown {shown}. West pays for all three" in said
    assert "each of the three" not in said
    alone = {key: DANGEROUS[key] for key in ("ruleset", "flowers", "round")} | south
    said = payments(alone | {"id": "alone", "seat": "S", "win": win})
    assert f"West's discard was dangerous: South had shown {shown}. Whether West pays for all" in said
    assert "judged only at a whole table" in said


@pytest.mark.parametrize(
    ("west", "code", "reason"),
    [
        ({"hand": "2578p", "melds": ["444m", "777m", "222s"]}, "no_other_tile", "had no other tile to discard"),
        ({"hand": "123m46m99s", "melds": ["555z", "666z"]}, "two_doubles", "was waiting with two doubles or more"),
        (
            {"hand": "66z77z123m456m", "melds": ["555z"]},
            "more_doubles",
            "was waiting for a tile that would have given more than two doubles",
        ),
    ],
)
def test_what_excused_a_discarder_is_told(west: dict[str, Any], code: str, reason: str) -> None:
    table = with_hand("W", **west)
    said = payments(table)
    assert "West's discard was dangerous: South had shown nine tiles of one suit" in said
    assert f"West {reason} and is excused." in said
    assert "each of the three pays the winner's hand" in said
    assert plain(table)["dangerous_discard"] == {"from": "W", "shown": ["suit"], "pays": False, "excused": code}
    assert "免包。" in chinese_payments(table)


def test_a_dangerous_discard_is_told_to_programs() -> None:
    paid = {"from": "W", "shown": ["suit"], "pays": True, "excused": None}
    assert plain(DANGEROUS)["dangerous_discard"] == paid
    assert plain(LAYOUT)["dangerous_discard"] is None
    alone = {key: DANGEROUS[key] for key in ("ruleset", "flowers", "round")} | DANGEROUS["hands"]["S"]
    assert plain(alone | {"id": "alone", "seat": "S"})["dangerous_discard"] == paid | {"pays": None}
    assert "西家打出險牌：南家枱面已示同門九隻以上" in chinese_payments(DANGEROUS)
    assert "西家包賠三家" in chinese_payments(DANGEROUS)


def test_one_hand_won_on_a_discard_is_told_that_danger_is_judged_at_a_table() -> None:
    alone = {key: DANGEROUS[key] for key in ("ruleset", "flowers", "round")} | {"id": "alone", "seat": "S"}
    harmless = alone | {"hand": "123456m678p23s55s", "melds": []}
    judged = "dangerous discard is judged only at a whole table"
    claimed = harmless | {"win": {"tile": "1s", "by": "discard", "from": "W"}}
    assert judged in payments(claimed)
    assert "was dangerous" not in payments(claimed)
    for other in (
        harmless | {"win": {"tile": "1s", "by": "self_draw"}},
        harmless | {"win": {"tile": "1s", "by": "robbed_gong", "from": "W"}},
        claimed | {"options": {"dangerous_discard": False}},
        claimed | {"ruleset": "classical"},
    ):
        assert "dangerous" not in payments(other)


def test_a_losing_hand_alone_is_told_its_worth_and_what_it_lacks() -> None:
    """West of the first layout: 34 doubled three times; its three sets, a pong and 7s lack only the other 7s."""
    record = {key: LAYOUT[key] for key in ("ruleset", "flowers", "round")}
    told = plain(record | LAYOUT["hands"]["W"] | {"id": "W", "seat": "W"})
    assert told["wins"] is False
    assert told["problem"] is None
    assert [hand["total"] for hand in told["hands"]] == [272]
    assert (told["lacks"]["missing"], told["lacks"]["completing"]) == (1, ["7s"])


def test_a_winner_of_a_table_who_does_not_win_is_told_what_he_lacks() -> None:
    hands = LAYOUT["hands"] | {"E": LAYOUT["hands"]["E"] | {"win": {"tile": "3m", "by": "self_draw"}}}
    told = plain(LAYOUT | {"hands": hands})
    assert told["wins"] is False
    assert told["lacks"]["completing"] == ["2m", "8m"]
    assert "hands" not in told


def test_a_hand_that_does_not_win_is_told_what_it_lacks() -> None:
    """Three sets and the dragons' pong and a pair: 4-5 circles wait for 3 and 6."""
    record = READY | {"win": {"tile": "9p", "by": "discard", "from": "W"}}
    result = explain(record)
    assert result.exit_code == 0
    assert "South does not win." in result.stdout
    assert "  These complete it: 3p 6p" in result.stdout.splitlines()
    told = plain(record)
    assert (told["wins"], told["lacks"]["missing"], told["lacks"]["completing"]) == (False, 1, ["3p", "6p"])
    assert {"form": "set", "there": "45p", "lacking": 1, "waits": ["3p", "6p"]} in told["lacks"]["parts"]
    chinese = explain(record, "--lang", "zh-Hant").stdout
    assert "得此即成：3p 6p" in chinese


def test_a_hand_far_from_a_win_is_told_what_brings_it_nearer() -> None:
    record = READY | {"hand": "1259m1378p46s1234z", "melds": [], "win": {"tile": "9p", "by": "self_draw"}}
    record["hand"] = "1259m13788p46s1234z5z"
    told = plain(record)
    assert told["lacks"]["missing"] > 2
    assert told["lacks"]["completing"] == []
    result = explain(record)
    assert "These bring it nearer: " in result.stdout
    assert all(columns(line) <= WIDTH for line in result.stdout.splitlines())


@pytest.mark.parametrize(
    "record",
    [
        b"nonsense",
        b"[]",
        json.dumps(GOOD).encode().replace(b"{", b'{"id": "twice", ', 1),
        json.dumps(GOOD | {"seat": "X"}).encode(),
        json.dumps(GOOD | {"hand": "1m"}).encode(),
        json.dumps(GOOD | {"ruleset": "none"}).encode(),
        json.dumps(GOOD | {"surplus": 1}).encode(),
    ],
)
def test_a_bad_record_ends_with_the_message_of_score(record: bytes) -> None:
    result = explain(record)
    assert (result.exit_code, result.stdout) == (2, "")
    answer = answer_of(record, Shelf(files=()))
    assert len(result.stderr.splitlines()) == 1
    if answer is not None:
        error = answer["error"]
        assert isinstance(error, dict)
        assert result.stderr == f"parlour: {error['code']}: {error['message']}\n"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (b"", "there is no record here, only an empty file: docs/scoring-record.md shows one"),
        (b"\xef\xbb\xbf \n\n", "there is no record here, only an empty file: docs/scoring-record.md shows one"),
        (
            b"{} {}",
            "there is more after the JSON object (character 4): explain takes one record; parlour score takes many, "
            "one a line",
        ),
        (
            b"\n{\n}\n{}\n",
            "there is more after the JSON object (line 4, character 1): explain takes one record; parlour score takes "
            "many, one a line",
        ),
        (b'{\n "id": 1,\n "hand" 2\n}\n', "this is not JSON: Expecting ':' delimiter at line 3, character 9"),
        (b'{"id": "\xff"}', "this is not UTF-8 (byte 9): save it as UTF-8"),
        ('{"id": 1}'.encode("utf-16"), "this is not UTF-8 (byte 1): save it as UTF-8"),
    ],
    ids=range(7),
)
def test_what_is_not_one_record_is_told(record: bytes, told: str) -> None:
    result = explain(record)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"parlour: bad_record: {told}\n"


def test_a_missing_file_is_named() -> None:
    result = CliRunner().invoke(main, ["explain", "no-such-file.json"])
    assert result.exit_code == 2
    assert "no-such-file.json" in result.stderr


# --- the document


def test_the_samples_of_the_document_are_true() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert len(SAMPLE.findall(text)) >= 4
    assert renewed(text) == text, "run python tools/explain_samples.py"


@pytest.mark.parametrize(
    ("ruleset", "lang", "expected"),
    [
        ("lrc", "en", ["sheung 123m", "pong [777z]", "( ) concealed gong"]),
        ("lrc", "zh-Hant", ["上 123m", "南家糊西家打出的牌。"]),
        ("classical", "en", ["chow 123m", "pung [777z]", "( ) concealed kong"]),
        ("classical", "zh-Hant", ["吃 123m", "南家和西家打出的牌。"]),
    ],
)
def test_sets_are_called_what_the_game_calls_them(ruleset: str, lang: str, expected: list[str]) -> None:
    hand = {"lrc": "123456789m45p11s", "classical": "123456m45p11s"}[ruleset]
    output = explain(READY | {"ruleset": ruleset, "hand": hand}, "--lang", lang).stdout
    assert [words for words in expected if words not in output] == [], output


# --- ids that are not what they seem ---


@pytest.mark.parametrize("lang", ["en", "zh-Hant"])
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("\ud800", r"\ud800"),
        ("a\n\nPAYMENTS\n  South pays you 9", r"a\n\nPAYMENTS\n  South pays you 9"),
        ("a\x1b[2J\r\x00\x85", r"a\x1b[2J\r\x00\x85"),
        ("a\u202eb\u2066c\u200d", r"a\u202eb\u2066c\u200d"),
        ("a\u2028b\xa0c", r"a\u2028b\xa0c"),
        ("牌" * 20, "牌" * 20),
        ("牌" * 21, "牌" * 19 + "…"),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 39 + "…"),
        ("\n" * 1000, r"\n" * 19 + "…"),
        ("\ud800" * 1000, r"\ud800" * 6 + "…"),
    ],
    ids=ascii,
)
def test_an_id_is_told_in_its_line(name: str, told: str, lang: str) -> None:
    plainly = explain(READY | {"id": "x"}, "--lang", lang).stdout.splitlines()
    result = explain(READY | {"id": name}, "--lang", lang)
    assert result.exit_code == 0, result.output
    title, rule, *rest = result.stdout.split("\n")[:-1]
    assert title == plainly[0].removesuffix("x") + told
    assert columns(title) <= WIDTH
    assert set(rule) == {"="}
    assert rest == plainly[2:]


@pytest.mark.parametrize("name", ["\ud800", "\udfff\ud800", "a\nb\u202ec", "\\ud800", "𝕏 牌"], ids=ascii)
def test_an_id_is_told_whole_in_json(name: str) -> None:
    assert plain(READY | {"id": name})["id"] == name


def test_a_hand_that_does_not_win_has_the_same_heading() -> None:
    result = explain(READY | {"id": "\ud800\n", "win": {"tile": "9p", "by": "discard", "from": "W"}})
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0].endswith(r", record \ud800\n")
