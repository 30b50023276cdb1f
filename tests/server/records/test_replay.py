"""`parlour replay` finds whatever in a record is not as the engine plays it."""

import random
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from parlour_server.cli.out_folder import RECORDS
from parlour_server.cli.replay import command as replay_command
from parlour_server.cli.simulate import command as simulate_command
from parlour_server.records.bot_match import MatchPlan, run
from parlour_server.rulesets import load_ruleset
from tests.server.records.played import RULESETS, record, replay, rows, written

Rows = list[dict[str, Any]]
STEADY = ("--bots", "steady,steady,steady,steady")
"""Their matches are short."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_match_of_bots_replays(tmp_path: Path, ruleset: str) -> None:
    text = record(ruleset)
    result = replay(tmp_path, text)
    assert (result.exit_code, result.stderr) == (0, "")
    told = rows(text)
    for kind, noun in (("wall", "deals"), ("event", "events"), ("answered", "answers")):
        assert f"{sum(row.get('row') == kind for row in told)} {noun}" in result.stdout
    scores = next(row["event"]["scores"] for row in reversed(told) if row.get("event", {}).get("e") == "settled")
    assert f"the match is over, scores {' '.join(f'{score:+d}' for score in scores)}" in result.stdout


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_holds_what_a_record_has_to_hold(ruleset: str) -> None:
    header, *told = rows(record(ruleset))
    assert header["record"] == 2
    assert header["ruleset"].keys() == {"key", "version", "digest", "options"}
    assert header["ruleset"]["key"] == ruleset
    assert [seat["level"] for seat in header["seats"]] == ["steady", "steady", "random", "random"]
    assert header["arena"] == {"seed": 3, "match": 0}
    assert {row["row"] for row in told} == {"seat", "wall", "event", "offered", "answered", "end"}
    versions = [row["version"] for row in told if row["row"] == "event"]
    assert versions == list(range(1, len(versions) + 1))
    answers = [(row["version"], row["seat"], row["move"]) for row in told if row["row"] == "answered"]
    offers = {(row["version"], row["seat"]): row["moves"] for row in told if row["row"] == "offered"}
    assert len(answers) == len(offers)
    assert all(move in offers[version, seat] for version, seat, move in answers)
    dealt = [row["event"] for row in told if row["row"] == "event" and row["event"]["e"] == "deal_started"]
    assert all(len(hand) >= 13 for event in dealt for hand in event["hands"]), "nothing is hidden"


def at(told: Rows, kind: str, event: str | None = None) -> int:
    """The place of the fifth row of a kind, of the last where there are fewer."""
    places = [
        place
        for place, row in enumerate(told)
        if row.get("row") == kind and (event is None or row["event"]["e"] == event)
    ]
    return places[min(4, len(places) - 1)]


def other_tile(told: Rows) -> int:
    place = at(told, "event", "draw")
    event = told[place]["event"]
    event["tile"] = "1m" if event["tile"] != "1m" else "2m"
    return place


def other_wall(told: Rows) -> int:
    """The dealer's first tile and one of the next player's change places; the event of the dealing shows it."""
    place = at(told, "wall")
    wall = told[place]["wall"]
    tiles = [wall[cut : cut + 2] for cut in range(0, len(wall), 2)]
    other = next(cut for cut in range(4, 8) if tiles[cut] != tiles[0])
    tiles[0], tiles[other] = tiles[other], tiles[0]
    told[place]["wall"] = "".join(tiles)
    return place + 1


def fewer_offers(told: Rows) -> int:
    place = at(told, "offered")
    told[place]["moves"].pop()
    return place


def offers_in_another_order(told: Rows) -> int:
    place = at(told, "offered")
    told[place]["moves"].reverse()
    return place


def illegal_answer(told: Rows) -> int:
    place = at(told, "answered")
    told[place]["move"] = "promoted_gong 7z"
    return place


def another_answer(told: Rows) -> int:
    """A legal one, so that only what comes of it is different."""
    place = next(place for place, row in enumerate(told) if row.get("move", "").startswith("discard"))
    moves = told[place - 1]["moves"]
    told[place]["move"] = next(move for move in moves if move != told[place]["move"] and move.startswith("discard"))
    return place + 1


def an_answer_the_clock_would_not_give(told: Rows) -> int:
    for place, row in enumerate(told):
        if row.get("row") == "answered" and row["move"].startswith(("chow", "pong")):
            row["by"] = "clock"
            return place
    raise AssertionError("nobody claimed")


def another_version(told: Rows) -> int:
    place = at(told, "answered")
    told[place]["version"] += 1
    return place


def more_points(told: Rows) -> int:
    place = at(told, "event", "settled")
    wins = told[place]["event"]["wins"]
    wins[0]["awards"][0]["points"] += 1
    return place


def other_payments(told: Rows) -> int:
    place = at(told, "event", "settled")
    changes = told[place]["event"]["changes"]
    changes[0], changes[1] = changes[0] + 1, changes[1] - 1
    return place


def true_for_one(told: Rows) -> int:
    place = at(told, "event", "settled")
    told[place]["event"]["deal"] = True
    return place


def an_event_too_many(told: Rows) -> int:
    place = at(told, "event", "discard")
    told.insert(place + 1, {"row": "event", "at": 0, "version": 1, "event": {"e": "exhausted"}})
    return place + 1


def ends_early(told: Rows) -> int:
    place = at(told, "offered")
    told[place:] = [{"row": "end", "at": 0, "reason": "finished"}]
    return place


def closed_though_over(told: Rows) -> int:
    told[-1]["reason"] = "closed"
    return len(told) - 1


def goes_on(told: Rows) -> int:
    place = next(place for place, row in enumerate(told) if row.get("event", {}).get("e") == "settled")
    told[place + 1 : -1] = []
    return place + 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_tile, "event.tile: the record says"),
        (other_wall, "event.hands["),
        (fewer_offers, "moves"),
        (offers_in_another_order, "moves[0]"),
        (illegal_answer, "the legal moves are"),
        (another_answer, "the engine says"),
        (an_answer_the_clock_would_not_give, 'the engine says "pass"'),
        (another_version, "version"),
        (more_points, ".points: the record says"),
        (other_payments, "event.changes[0]"),
        (true_for_one, "event.deal: the record says true"),
        (an_event_too_many, "is to answer first"),
        (ends_early, "it goes on"),
        (closed_though_over, 'the engine says "finished"'),
        (goes_on, "it goes on"),
    ],
)
def test_the_first_difference_is_told_with_its_line(tmp_path: Path, change: Callable[[Rows], int], words: str) -> None:
    told = rows(record("lrc"))
    place = change(told)
    result = replay(tmp_path, written(told))
    assert result.exit_code == 1, result.output
    assert words in result.stderr
    assert f"line {place + 1}: " in result.stderr


def by_a_person(told: Rows) -> int:
    place = at(told, "answered")
    told[place]["by"] = "person"
    return place


def by_the_owner_while_a_bot_stands_in(told: Rows) -> int:
    place = at(told, "answered")
    seat = told[place]["seat"]
    row = {"row": "seat", "at": 0, "version": told[place - 1]["version"], "seat": seat, "name": "Eve"}
    told.insert(place, row | {"player": "person", "level": "steady", "stand_in": True})
    told[place + 1]["by"] = "person"
    return place + 1


def by_a_bot_for_a_person(told: Rows) -> int:
    place = at(told, "answered")
    seat = told[place]["seat"]
    row = {"row": "seat", "at": 0, "version": told[place - 1]["version"], "seat": seat, "name": "Eve"}
    told.insert(place, row | {"player": "person", "level": None, "stand_in": False})
    return place + 1


def before_the_beginning(told: Rows) -> int:
    place = at(told, "offered")
    told[place]["at"] = -1
    return place


def back_in_time(told: Rows) -> int:
    place = at(told, "offered")
    for row in told[place:]:
        row["at"] = 5
    told[place + 3]["at"] = 4
    return place + 3


def end_back_in_time(told: Rows) -> int:
    for row in told[1:-1]:
        row["at"] = 5
    return len(told) - 1


def another_name(told: Rows) -> int:
    told[0]["seats"][1]["name"] = "Eve"
    return 3


def another_player(told: Rows) -> int:
    told[0]["seats"][3] |= {"player": "person", "level": None}
    return 5


def another_level(told: Rows) -> int:
    told[0]["seats"][0]["level"] = "random"
    return 2


def stands_in_from_the_start(told: Rows) -> int:
    told[4]["stand_in"] = True
    return 4


def a_seat_twice(told: Rows) -> int:
    told[4] = told[3]
    return 4


def no_row_of_the_second_seat(told: Rows) -> int:
    del told[3]
    return 3


def no_row_of_the_last_seat(told: Rows) -> int:
    del told[5]
    return 5


def seats_after_the_wall(told: Rows) -> int:
    told[2:7] = [told[6], *told[2:6]]
    return 2


def a_seat_in_the_middle_of_a_step(told: Rows) -> int:
    place = at(told, "event", "deal_started")
    told.insert(place, told[2] | {"version": told[place - 2]["version"]})
    return place


def dice(told: Rows, change: Callable[[list[int]], None]) -> int:
    """In the wall's row and in the event, which agree."""
    place = at(told, "wall")
    change(told[place]["dice"])
    change(told[place + 1]["event"]["dice"])
    return place


def seven_on_a_die(told: Rows) -> int:
    return dice(told, lambda dice: dice.__setitem__(1, 7))


def nothing_on_a_die(told: Rows) -> int:
    return dice(told, lambda dice: dice.__setitem__(0, 0))


def a_die_too_many(told: Rows) -> int:
    return dice(told, lambda dice: dice.append(1))


def no_dice(told: Rows) -> int:
    return dice(told, lambda dice: dice.clear())


def seven_in_the_wall_row_alone(told: Rows) -> int:
    place = at(told, "wall")
    told[place]["dice"][2] = 7
    return place


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (by_a_person, 'by: the record says "person", the seat\'s own row says "bot"'),
        (by_the_owner_while_a_bot_stands_in, 'by: the record says "person", the seat\'s own row says "bot"'),
        (by_a_bot_for_a_person, 'by: the record says "bot", the seat\'s own row says "person"'),
        (before_the_beginning, "at: the record says -1, its beginning says 0 or later"),
        (back_in_time, "at: the record says 4, the row before says 5 or later"),
        (end_back_in_time, "at: the record says 0, the row before says 5 or later"),
        (another_name, 'name: the record says "steady 1", the header says "Eve"'),
        (another_player, 'player: the record says "bot", the header says "person"'),
        (another_level, 'level: the record says "steady", the header says "random"'),
        (stands_in_from_the_start, "stand_in: the record says true, the header says false"),
        (a_seat_twice, "seat: the record says 1, the header says 2"),
        (no_row_of_the_second_seat, "seat: the record says 2, the header says 1"),
        (no_row_of_the_last_seat, "who plays seat 3 comes first"),
        (seats_after_the_wall, "who plays seat 0 comes first"),
        (a_seat_in_the_middle_of_a_step, "who plays seat 0, the engine says the event"),
        (seven_on_a_die, "the engine says 3 dice of 1 to 6"),
        (nothing_on_a_die, "the engine says 3 dice of 1 to 6"),
        (a_die_too_many, "the engine says 3 dice of 1 to 6"),
        (no_dice, "the engine says 3 dice of 1 to 6"),
        (seven_in_the_wall_row_alone, "the engine says 3 dice of 1 to 6"),
    ],
)
def test_a_record_that_contradicts_itself_differs_at_its_line(
    tmp_path: Path, change: Callable[[Rows], int], words: str
) -> None:
    told = rows(record("lrc", "steady,steady,steady,random"))
    place = change(told)
    result = replay(tmp_path, written(told))
    assert result.exit_code == 1, result.output
    assert f"line {place + 1}: " in result.stderr
    assert words in result.stderr


def test_the_clock_may_decide_for_anybody(tmp_path: Path) -> None:
    told = rows(record("lrc"))
    place = next(place for place, row in enumerate(told) if row.get("move") == "pass")
    told[place]["by"] = "clock"
    assert replay(tmp_path, written(told)).exit_code == 0


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_row_can_be_left_out(tmp_path: Path, ruleset: str) -> None:
    told = rows(record(ruleset))
    places = [place for place, row in enumerate(told) if row.get("row") not in (None, "seat", "end")]
    for place in random.Random(1).sample(places, 25):
        result = replay(tmp_path, written(told[:place] + told[place + 1 :]))
        assert result.exit_code == 1, (place, told[place])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_number_or_tile_of_a_settlement_can_be_another(tmp_path: Path, ruleset: str) -> None:
    text = record(ruleset)
    told = rows(text)
    place = next(
        place for place, row in enumerate(told) if row.get("event", {}).get("e") == "settled" and row["event"]["wins"]
    )
    spots: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, dict | list):
                walk(item)
            else:
                spots.append((value, key))

    walk(told[place]["event"])
    assert len(spots) > 30
    for spot, key in random.Random(2).sample(spots, 20):
        before = spot[key]
        spot[key] = "something else"
        assert replay(tmp_path, written(told[: place + 1])).exit_code == 1, key
        spot[key] = before


def test_cut_anywhere_it_replays_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = record("lrc").encode()
    first = whole.index(b"\n") + 1
    chance = random.Random(3)
    for cut in [first, *(chance.randrange(first, len(whole)) for _ in range(12))]:
        result = replay(tmp_path, whole[:cut])
        if whole[cut - 1 : cut] == b"\n" or whole[cut : cut + 1] == b"\n":
            assert result.exit_code == 0
            assert "the record stops before the match is over" in result.stdout
        else:
            assert result.exit_code == 2
            last = len(whole[:cut].splitlines())
            assert f"line {last}: the record breaks off" in result.stderr
            assert "all as the engine plays them" in result.stderr


def header_with(**changes: object) -> str:
    told = rows(record("lrc"))
    told[0] |= changes
    return written(told)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the record is empty"),
        ("\n", "line 1: the line is blank: take it out"),
        (" \t", "line 1: the line is blank: take it out"),
        ("hello\n", "line 1: this is not JSON: Expecting value at character 1"),
        ("hello", "line 1: this is not JSON: Expecting value at character 1"),
        ("[]\n", "line 1: this is no JSON object"),
        ("{}\n", "line 1: a record begins with its header"),
        ('{"record":3}\n', "format 3"),
        ('{"record":true}\n', "line 1: record: expected a whole number, found true"),
        ('{"record":"1"}\n', "line 1: record: expected a whole number, found a text"),
        ('{"record":1}\n', "line 1: the key 'program' is missing"),
        ('{"record":1,"record":1}\n', 'line 1: the key "record" appears twice'),
        ('{"record":NaN}\n', "NaN is no number"),
        (b'{"record":1,"program":"\xff"}\n', "line 1: this is not UTF-8 (byte 24): save it as UTF-8"),
        (header_with().encode("utf-16"), "line 1: this is not UTF-8 (byte 1): save it as UTF-8"),
        (header_with().encode("utf-16-le"), "line 1: this is not UTF-8 (byte 2 is 0): save it as UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00", "line 1: this is not UTF-8 (byte 8 is 0)"),
        ('{"record":1} {"record":1}\n', "there is more after the JSON object (character 14): write one row a line"),
        ('{"record":1,"record":1}', 'line 1: the key "record" appears twice'),
        ('{"record":1e999}\n', "line 1: a number is too large"),
        ("[" * 100_000 + "\n", "line 1: this is nested too deeply"),
        ('{"record":' + "9" * 6000 + "}\n", "line 1: this is not JSON: a number has too many digits"),
        ("x" * 2_000_000, "line 1: the line is longer"),
        (header_with(rounds=9), "1 to 4 rounds"),
        (header_with(rounds="1"), "line 1: rounds: expected a whole number, found a text"),
        (header_with(program=None), "line 1: program: expected a text, found null"),
        (header_with(began=5), "line 1: began: expected a text, found a whole number"),
        (header_with(began="yesterday"), "line 1: began: 'yesterday' is no time in UTC"),
        (header_with(began="2026-01-31T19:30:00"), "is no time in UTC"),
        (header_with(began="2026-1-31T19:30:00Z"), "is no time in UTC"),
        (header_with(began="2026-01-31T19:30:00+01:00"), "is no time in UTC"),
        (header_with(arena={"seed": 1, "match": "x"}), "line 1: arena.match: expected a whole number, found a text"),
        (header_with(arena=[]), "line 1: arena: expected an object, found a list"),
        (header_with(ruleset=3), "line 1: ruleset: expected an object, found a whole number"),
        (
            header_with(ruleset={"key": "lrc", "version": None, "digest": "", "options": {}}),
            "line 1: ruleset.version: expected a text, found null",
        ),
        (header_with(seats=[{"name": None}]), "line 1: seats[0].name: expected a text, found null"),
        (
            header_with(seats=[{"name": "x", "player": "robot", "level": None}]),
            "line 1: seats[0].player: expected one of person, bot",
        ),
        (header_with(seats=[{"name": "x", "player": "bot"}]), "line 1: seats[0]: the key 'level' is missing"),
        (
            header_with(seats=[{"name": "x", "player": "bot", "level": "y", "id": 1}]),
            "line 1: seats[0]: unknown key 'id'",
        ),
        (header_with(seats=[{"name": "x", "player": "bot", "level": None}] * 4), "line 1: seats[0]: a bot has a level"),
        (header_with(seats="NESW"), "line 1: seats: expected a list, found a text"),
        (header_with(seats=[]), "4 seats"),
        (header_with(ruleset={"key": "\x1b[2J", "version": "1", "digest": "", "options": {}}), "printable"),
        (header_with(wall="x"), "unknown key 'wall'"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(tmp_path: Path, text: str | bytes, words: str) -> None:
    result = replay(tmp_path, text)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"row": "dance"}, "a row is one of"),
        ({"row": 1}, "a row is one of"),
        ({}, "a row is one of"),
        ({"row": "offered", "at": 0, "version": 1, "seat": 0}, "the key 'moves' is missing"),
        (
            {"row": "offered", "at": 0, "version": 1, "seat": 0, "moves": [1]},
            "moves[0]: expected a text, found a whole number",
        ),
        (
            {"row": "offered", "at": None, "version": 1, "seat": 0, "moves": []},
            "at: expected a whole number, found null",
        ),
        ({"row": "answered", "at": 0, "version": 1, "seat": 0, "move": "win", "by": "me"}, "expected one of person"),
        ({"row": "event", "at": 0, "version": 1, "event": 3}, "event: expected an object, found a whole number"),
        ({"row": "wall", "at": 0, "deal": 1, "dice": [], "wall": "9z9z"}, "the wall cannot be read"),
        (
            {
                "row": "seat",
                "at": 0,
                "version": 1,
                "seat": 4,
                "name": "x",
                "player": "bot",
                "level": "y",
                "stand_in": False,
            },
            "there is no seat 4",
        ),
        ({"row": "end", "at": 0, "reason": "closed", "why": "so"}, "unknown key 'why'"),
    ],
)
def test_a_row_that_is_none_is_refused_with_its_line(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    told = rows(record("lrc"))
    first = at(told, "seat")
    result = replay(tmp_path, written([*told[: first + 1], row, *told[first + 1 :]]))
    assert result.exit_code == 2
    assert f"line {first + 2}: " in result.stderr
    assert words in result.stderr


def test_a_mark_in_front_of_the_text_is_no_part_of_it(tmp_path: Path) -> None:
    text = record("lrc").encode()
    assert replay(tmp_path, b"\xef\xbb\xbf" + text).exit_code == 0
    first, _, rest = text.partition(b"\n")
    # Two files put together have one inside.
    assert replay(tmp_path, first + b"\n\xef\xbb\xbf" + rest).exit_code == 0


def test_nothing_comes_after_the_end(tmp_path: Path) -> None:
    told = rows(record("lrc"))
    result = replay(tmp_path, written([*told, told[-1]]))
    assert result.exit_code == 2
    assert f"line {len(told) + 1}: the record goes on after its end" in result.stderr


def doubled(wall: list[str]) -> str:
    """The first tile that is no 5p stands there as another 5p."""
    other = next(tile for tile in wall if tile != "5p")
    wall[wall.index(other)] = "5p"
    told = {"5p": "5 5p instead of 4", other: f"{wall.count(other)} {other} instead of {wall.count(other) + 1}"}
    order = sorted(told, key=lambda tile: ("mpszf".index(tile[1]), tile[0]))
    return f"144 tiles with {', '.join([told[tile] for tile in order])}, the engine"


def short(wall: list[str]) -> str:
    gone = wall.pop()
    return f"143 tiles with {wall.count(gone)} {gone} instead of {wall.count(gone) + 1}, the engine"


def all_alike(wall: list[str]) -> str:
    wall[:] = ["1m"] * 144
    alike = "144 1m instead of 4, 0 2m instead of 4, 0 3m instead of 4, 0 4m instead of 4, 0 5m instead of 4"
    return f"144 tiles with {alike}, and others, the engine"


WALLS = pytest.mark.parametrize("change", [doubled, short, all_alike])


@WALLS
def test_a_wall_is_a_full_set_and_the_wrong_tiles_are_named(tmp_path: Path, change: Callable[[list[str]], str]) -> None:
    told = rows(record("lrc"))
    place = next(place for place, row in enumerate(told) if row.get("row") == "wall")
    wall = [told[place]["wall"][at : at + 2] for at in range(0, 288, 2)]
    words = change(wall)
    told[place]["wall"] = "".join(wall)
    result = replay(tmp_path, written(told))
    assert result.exit_code == 1
    assert f"line {place + 1}: wall: the record says {words} says a wall holds each of the 144" in result.stderr


def test_a_difference_is_told_as_the_record_writes_it(tmp_path: Path) -> None:
    """As JSON, which is what stands in the file, and without what would move the cursor."""
    told = rows(record("lrc"))
    place = at(told, "event", "discard")
    event = told[place]["event"]
    written_event = f'the event {{"e": "discard", "seat": {event["seat"]}, "tile": "{event["tile"]}", "drawn": '
    result = replay(tmp_path, written([*told[:place], *told[place + 1 :]]))
    assert result.exit_code == 1
    assert written_event in result.stderr
    event["drawn"] = not event["drawn"]
    here, there = str(event["drawn"]).lower(), str(not event["drawn"]).lower()
    result = replay(tmp_path, written(told))
    assert f"event.drawn: the record says {here}, the engine says {there}\n" in result.stderr
    event["\x1b[2J"] = "\x1b[2J\u202e"
    event["drawn"] = not event["drawn"]
    result = replay(tmp_path, written(told))
    assert result.exit_code == 1
    assert r'event.\x1b[2J: the record says "\u001b[2J\u202e", the engine says nothing' in result.stderr
    assert "\x1b" not in result.stderr


# --- the ruleset it was made under ---


PACKAGED = Path(__file__).parents[3] / "config" / "rulesets" / "lrc.toml"


def own_ruleset(folder: Path, pattern: str, text: str) -> Path:
    """LRC's file as a club might have changed it, at one place."""
    changed, times = re.subn(pattern, text, PACKAGED.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)
    assert times == 1
    file = folder / "own.toml"
    file.write_text(changed, encoding="utf-8")
    return file


def made_under(ruleset: Path, out: Path) -> Path:
    """The record of a match played while this was the text of the packaged game."""
    plan = MatchPlan(partial(load_ruleset, str(ruleset), any_key=True), ("steady",) * 4, 7, 1, 1, program="a test")
    chunk = next(run(plan))
    assert chunk.failures == ()
    out.write_text(chunk.lines[0], encoding="utf-8")
    return out


def test_another_version_of_the_ruleset_is_named_with_the_cure_and_replays_under_its_own(tmp_path: Path) -> None:
    own = own_ruleset(tmp_path, r'^version = ".*"$', 'version = "2019-04"')
    file = made_under(own, tmp_path / "match.jsonl")
    result = CliRunner().invoke(replay_command, [str(file)])
    assert result.exit_code == 2
    assert "made under lrc 2019-04, and this is lrc" in result.stderr
    assert "--ruleset FILE.toml" in result.stderr
    assert CliRunner().invoke(replay_command, [str(file), "--ruleset", str(own)]).exit_code == 0


def test_another_text_of_the_same_version_is_refused_and_replays_under_its_own(tmp_path: Path) -> None:
    own = own_ruleset(tmp_path, r"^points = 5$", "points = 6")
    file = made_under(own, tmp_path / "match.jsonl")
    result = CliRunner().invoke(replay_command, [str(file)])
    assert result.exit_code == 2
    assert "another text of lrc" in result.stderr
    assert "--ruleset FILE.toml" in result.stderr
    assert CliRunner().invoke(replay_command, [str(file), "--ruleset", str(own)]).exit_code == 0


def test_wording_is_no_other_text(tmp_path: Path) -> None:
    own = own_ruleset(tmp_path, r"\A", "# A comment of the club's.\n")
    file = made_under(own, tmp_path / "match.jsonl")
    assert CliRunner().invoke(replay_command, [str(file)]).exit_code == 0


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ({"key": "gravity"}, "gravity is not among the packaged rulesets"),
        ({"key": "/etc/passwd.toml"}, "/etc/passwd.toml is not among the packaged rulesets"),
        ({"options": {"gravity": True}}, "no option 'gravity'"),
        ({"options": {"base": True}}, "option base"),
    ],
)
def test_a_ruleset_that_is_not_at_hand_is_told(tmp_path: Path, mark: dict[str, object], words: str) -> None:
    told = rows(record("lrc"))
    told[0]["ruleset"] |= mark
    result = replay(tmp_path, written(told))
    assert result.exit_code == 2
    assert "line 1: " in result.stderr
    assert words in result.stderr


def test_switches_of_the_ruleset_are_those_of_the_record(tmp_path: Path) -> None:
    options = ["--option", "calling=true", "--option", "base=10"]
    made = CliRunner().invoke(simulate_command, ["--matches", "1", *STEADY, *options, "--out", str(tmp_path)])
    assert made.exit_code == 0, made.output
    file = tmp_path / "match-00000.jsonl"
    assert rows(file.read_text(encoding="utf-8"))[0]["ruleset"]["options"] == {"base": 10, "calling": True}
    assert CliRunner().invoke(replay_command, [str(file)]).exit_code == 0


# --- the arena's deals ---


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_arenas_deals_replay_and_a_change_is_found(tmp_path: Path, ruleset: str) -> None:
    arguments = ["--ruleset", ruleset, "--deals", "12", "--seed", "5", "--bots", "steady,random,steady,random"]
    assert CliRunner().invoke(simulate_command, [*arguments, "--out", str(tmp_path)]).exit_code == 0
    text = (tmp_path / RECORDS).read_text(encoding="utf-8")
    result = replay(tmp_path, text)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("12 deals, ")

    told = rows(text)
    chance = random.Random(4)
    for _ in range(12):
        line = chance.randrange(12)
        events = told[line]["events"]
        gone = chance.randrange(1, len(events))
        kept = events.pop(gone)
        result = replay(tmp_path, written(told))
        assert result.exit_code == 1, (line, kept)
        assert f"line {line + 1}: events[" in result.stderr
        events.insert(gone, kept)
    thrown, first = told[7]["dice"], told[7]["events"][0]
    for wrong in ([7, *thrown[1:]], [*thrown, 1], [0, *thrown[1:]]):
        told[7]["dice"] = wrong
        told[7]["events"][0] = first.replace(f" {','.join(map(str, thrown))} ", f" {','.join(map(str, wrong))} ")
        result = replay(tmp_path, written(told))
        assert result.exit_code == 1
        assert f"line 8: dice: the record says {wrong}" in result.stderr
    told[7]["dice"], told[7]["events"][0] = thrown, first
    told[7]["settlement"]["changes"][2] += 1
    result = replay(tmp_path, written(told))
    assert result.exit_code == 1
    assert "line 8: record.settlement.changes[2]" in result.stderr


def streak_of(events: list[str], streak: int) -> list[str]:
    """The events of a deal, which begin with its dealer, round wind and streak, with another streak."""
    deal, dealer, wind, _, rest = events[0].split(" ", 4)
    return [f"{deal} {dealer} {wind} {streak} {rest}", *events[1:]]


@WALLS
def test_the_wrong_tiles_of_a_deals_wall_are_named(tmp_path: Path, change: Callable[[list[str]], str]) -> None:
    assert CliRunner().invoke(simulate_command, ["--deals", "1", "--out", str(tmp_path)]).exit_code == 0
    (told,) = rows((tmp_path / RECORDS).read_text(encoding="utf-8"))
    wall = [told["wall"][at : at + 2] for at in range(0, 288, 2)]
    words = change(wall)
    result = replay(tmp_path, written([told | {"wall": "".join(wall)}]))
    assert result.exit_code == 1
    assert f"line 1: wall: the record says {words}" in result.stderr


def test_a_deal_that_cannot_begin_so_differs_at_its_first_event(tmp_path: Path) -> None:
    assert CliRunner().invoke(simulate_command, ["--deals", "1", "--out", str(tmp_path)]).exit_code == 0
    (told,) = rows((tmp_path / RECORDS).read_text(encoding="utf-8"))
    told["events"][0] = told["events"][0].replace("deal 0 ", "deal 4 ", 1)
    result = replay(tmp_path, written([told]))
    assert result.exit_code == 1
    assert "line 1: events[0]: " in result.stderr
    assert "no deal has dealer 4" in result.stderr


def test_options_that_would_change_nothing_are_refused(tmp_path: Path) -> None:
    assert CliRunner().invoke(simulate_command, ["--deals", "1", "--out", str(tmp_path)]).exit_code == 0
    deals = (tmp_path / RECORDS).read_text(encoding="utf-8")
    for result, cure in (
        (replay(tmp_path, record("lrc"), "--tiles", "unicode"), "add --step"),
        (replay(tmp_path, record("lrc"), "--tiles", "text"), "add --step"),
        (replay(tmp_path, deals, "--step"), "leave --step out"),
    ):
        assert (result.exit_code, result.stdout) == (2, "")
        assert cure in result.stderr


def test_a_deal_of_another_ruleset_or_shape_is_refused(tmp_path: Path) -> None:
    assert CliRunner().invoke(simulate_command, ["--deals", "2", "--out", str(tmp_path)]).exit_code == 0
    told = rows((tmp_path / RECORDS).read_text(encoding="utf-8"))
    for change, words in (
        ({"ruleset": {"key": "lrc", "version": "1066", "options": {}}}, "line 2 was made under lrc 1066"),
        (
            {"ruleset": {"key": "lrc", "version": told[0]["ruleset"]["version"], "options": {"x": 1}}},
            "options of line 2",
        ),
        ({"ruleset": 3}, "line 2: the ruleset has no key"),
        ({"ruleset": {"key": "\x1b", "version": "1"}}, "line 2: the ruleset has no key"),
        ({"ruleset": {"key": "club", "version": "1"}}, "club is not among the packaged rulesets"),
        ({"events": ["sing"]}, "line 2: "),
        ({"events": []}, "line 2: "),
        ({"extra": 1}, "line 2: keys that are missing or unknown: extra"),
        ({"\x1b[2J": 1}, r"line 2: keys that are missing or unknown: \x1b[2J"),
        ({"deal": "1"}, "line 2: deal: expected a whole number, 0 or more"),
        ({"decisions": -1}, "line 2: decisions: expected a whole number, 0 or more"),
        ({"seed": 1.5}, "line 2: seed: expected a whole number"),
        ({"seats": 4}, "line 2: seats: expected a list of four texts"),
        ({"seats": ["a", "b", "c", 4]}, "line 2: seats: expected a list of four texts"),
        ({"streak": 10_000, "events": streak_of(told[1]["events"], 10_000)}, "line 2: no dealer has won 10000 times"),
    ):
        result = replay(tmp_path, written([told[0], told[1] | change]))
        assert result.exit_code == 2, change
        assert words in result.stderr
    failed = {"deal": 1, "seed": 7, "failed": "BrokenDeal: x"}
    assert "1 failed when it was played" in replay(tmp_path, written([told[0], failed])).stdout
    assert "2 failed when they were played" in replay(tmp_path, written([told[0], failed, failed])).stdout
