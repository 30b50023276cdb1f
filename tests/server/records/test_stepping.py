"""`parlour replay --step`: a match read in a terminal."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

from parlour_engine.notation import TILE_TEXT
from parlour_engine.tiles import ALL_KINDS
from parlour_server.records.telling import Telling, letters, pictures
from parlour_server.rulesets import load_ruleset
from tests.server.records.played import RULESETS, record, replay, rows, written

PROGRAM = (sys.executable, "-c", "from parlour_server.cli import main; main()", "replay")
AWARD: dict[str, object] = {"award": "mah_jongg", "points": 2, "doubles": 0, "count": 1, "limit": "", "clause": "x"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_event_is_told_with_all_hands_open_and_the_points_at_the_end(tmp_path: Path, ruleset: str) -> None:
    text = record(ruleset)
    result = replay(tmp_path, text, "--step")
    assert result.exit_code == 0, result.output
    shown = result.stdout
    events = [row["event"] for row in rows(text) if row.get("row") == "event"]
    for tag, words in (("discard", " discards .*"), ("draw", " draws .*"), ("won", " wins ")):
        expected = sum(event["e"] == tag for event in events)
        # Lines at the margin are events; what lies before a seat is set in.
        assert len(re.findall(rf"^\S+ \d{words}", shown, re.MULTILINE)) == expected, tag
    settled = [event for event in events if event["e"] == "settled"]
    for event in settled:
        for hand in (*event["wins"], *event["hands"]):
            for award in hand["awards"]:
                assert f"[{award['clause']}]" in shown
        for seat, score in enumerate(event["scores"]):
            assert re.search(rf"^Scores: .*\b{seat} {re.escape(f'{score:+d}')}", shown, re.MULTILINE)
    assert shown.count("Changes: ") == len(settled)
    assert "The match is over." in shown
    first = next(event for event in events if event["e"] == "deal_started")
    hand = letters(sorted(TILE_TEXT.index(tile) for tile in first["hands"][first["dealer"]] if tile[1] != "f"))
    assert hand[:6] in shown or "flower" in shown


def hand_of(points: int, doubles: int, total: int, awards: list[dict[str, object]]) -> dict[str, object]:
    return {"seat": 1, "points": points, "doubles": doubles, "total": total, "awards": awards}


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        (hand_of(12, 1, 24, []), "Bo holds 12 points, 1 double, 24 in all"),
        (hand_of(1, 2, 4, []), "Bo holds 1 point, 2 doubles, 4 in all"),
        (hand_of(0, 0, 0, []), "Bo holds 0"),
        (hand_of(2, 0, 2, [AWARD]), "Bo holds 2:"),
        (hand_of(2, 1, 4, [AWARD | {"doubles": 1}]), "Bo holds 2 points, 1 double, 4 in all:"),
    ],
)
def test_one_is_no_plural_and_a_hand_of_nothing_announces_nothing(hand: dict[str, object], told: str) -> None:
    telling = Telling(["Al", "Bo", "Cy", "Di"], load_ruleset("classical"))
    nobody = {"changes": [0, 0, 0, 0], "scores": [0, 0, 0, 0]}
    lines = telling.event({"e": "settled", "wins": [], "hands": [hand], **nobody})
    assert lines[0] == told
    assert lines[0].endswith(":") == lines[1].startswith(" ")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_hand_of_a_match_announces_what_does_not_come(tmp_path: Path, ruleset: str) -> None:
    shown = replay(tmp_path, record(ruleset), "--step").stdout
    assert re.search(r" (scores|holds) .*:$", shown, re.MULTILINE)
    assert not re.search(r" (scores|holds) .*:\n(?! )", shown)
    assert not re.search(r"\b1 (points|doubles|rounds|deals)\b", shown)


def test_tiles_may_be_pictures() -> None:
    every = [pictures([kind]) for kind in range(ALL_KINDS)]
    assert len(set(every)) == ALL_KINDS
    assert all(0x1F000 <= ord(picture) <= 0x1F029 for picture in every)
    # The names that Unicode gives them.
    assert pictures([0, 8, 9, 18, 27, 31, 32, 33]) == "🀇 🀏 🀙 🀐 🀀 🀆 🀅 🀄"
    assert pictures([]) == letters([]) == "-"


def test_pictures_are_shown_where_they_are_asked_for(tmp_path: Path) -> None:
    result = replay(tmp_path, record("lrc"), "--step", "--tiles", "unicode")
    assert result.exit_code == 0
    assert re.search(r" draws [\U0001f000-\U0001f029]", result.stdout)
    assert not re.search(r" draws \d[mpsz]", result.stdout)


def test_a_difference_is_told_after_what_came_before_it(tmp_path: Path) -> None:
    told = rows(record("lrc"))
    place = [at for at, row in enumerate(told) if row.get("event", {}).get("e") == "discard"][3]
    told[place]["event"]["drawn"] = not told[place]["event"]["drawn"]
    result = replay(tmp_path, written(told), "--step")
    assert result.exit_code == 1
    assert len(re.findall(r"^\S+ \d discards", result.stdout, re.MULTILINE)) == 3
    assert f"line {place + 1}: event.drawn" in result.stderr


def test_a_name_cannot_move_the_cursor(tmp_path: Path) -> None:
    told = rows(record("lrc"))
    for row in told[:8]:
        if "seats" in row:
            row["seats"][0]["name"] = "\x1b[2JEve"
        elif row["row"] == "seat" and row["seat"] == 0:
            row["name"] = "\x1b[2JEve"
    result = replay(tmp_path, written(told), "--step")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert r"\x1b[2JEve" in result.stdout


def at_a_terminal(file: Path, keys: bytes | list[bytes]) -> tuple[int, str]:
    """What somebody sees who presses these keys, or pastes these texts, each when asked, and the exit status."""
    leader, follower = pty.openpty()
    run = subprocess.Popen(
        [*PROGRAM, str(file), "--step"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(follower)
    shown = b""
    while b"q: quit" not in shown:
        shown += os.read(leader, 65536)
    for key in keys if isinstance(keys, list) else [bytes([key]) for key in keys]:
        asked = shown.count(b"q: quit")
        while shown.count(b"q: quit") == asked and run.poll() is None:
            # A key that comes before the terminal listens for one is lost, so it is pressed until something happens.
            os.write(leader, key)
            while select([leader], [], [], 0.3)[0]:
                try:
                    shown += os.read(leader, 65536)
                except OSError:  # the other end is closed
                    break
    while True:
        try:
            more = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        shown += more
    status = run.wait(timeout=60)
    os.close(leader)
    return status, shown.decode(errors="replace")


def test_at_a_terminal_enter_goes_on_d_goes_to_the_next_deal_and_q_leaves(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(record("lrc"), encoding="utf-8")
    status, shown = at_a_terminal(file, b"\r\rdq")
    assert status == 0
    assert "Deal 1: " in shown
    assert "Deal 2: " in shown
    assert "Deal 3: " not in shown
    assert "left after 2 deals" in shown


@pytest.mark.parametrize(
    ("pasted", "deals"),
    [(b"q\n", 0), (b"q\r\n", 0), (b"dq", 1), (b"ddq", 2), (b"d\rdq", 2), (b"\x1b[A\x1b[Aq", 1), (b"dd\x03", 2)],
)
def test_keys_that_come_together_count_one_by_one(tmp_path: Path, pasted: bytes, deals: int) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(record("lrc"), encoding="utf-8")
    status, shown = at_a_terminal(file, [pasted])
    assert status == 0
    assert f"left after {deals} deal" in shown
    # A key goes on to the next event, and not further.
    asked = {b"q\n": 1, b"q\r\n": 1, b"\x1b[A\x1b[Aq": 3}
    if pasted in asked:
        assert f"{asked[pasted]} event" in shown
