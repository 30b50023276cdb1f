"""The rule book is the ruleset's file as plain data."""

import json

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_server.rulebook import rulebook
from parlour_server.rulesets import load_ruleset, ruleset_names

LANGUAGES = {"en", "zh"}


def row_of(book: dict[str, object], wanted: str) -> dict[str, object]:
    sections = book["sections"]
    assert isinstance(sections, list)
    return next(row for section in sections for row in section["rows"] if row["id"] == wanted)


@pytest.mark.parametrize("name", ruleset_names())
def test_the_book_of_every_shipped_ruleset_is_whole(name: str) -> None:
    ruleset = load_ruleset(name)
    book = json.loads(json.dumps(rulebook(ruleset)))
    assert (book["key"], book["version"], book["based_on"]) == (name, ruleset.version, None)
    rows = [row for section in book["sections"] for row in section["rows"]]
    assert {row["id"] for row in rows} == {row.id for row in ruleset.printed}
    for part in (*rows, *book["instants"], *book["procedure"]):
        assert set(part["name"]) == set(part["rule"]) == LANGUAGES
        assert all(part["name"].values()), part
        assert all(part["rule"].values()), part
        assert part["clause"]
    for row in rows:
        for hand in (row["example"], row["near_miss"]):
            tiles = len(hand["concealed"]) + 3 * len(hand["melds"])
            size = ruleset.procedure.hand_size
            assert tiles == size or (tiles == size + 1 and hand["win"]["by"] in ("dealt", "flowers"))
    assert [option["id"] for option in book["options"]] == list(ruleset.options)
    assert book["procedure"], "how a deal is played is told"


def book_of_lrc(**options: object) -> dict[str, object]:
    ruleset: Ruleset = load_ruleset("lrc").with_options(options)
    return rulebook(ruleset)


def test_a_row_names_those_that_give_way_to_it() -> None:
    # lrc M2: winds are a group, worth 1 each, 15, 30, 50 and 60; of the two waits the single one is reported.
    book = book_of_lrc()
    assert row_of(book, "little_four_winds")["replaces"] == ["pong_of_winds", "little_three_winds", "big_three_winds"]
    assert row_of(book, "pong_of_winds")["replaces"] == []
    assert row_of(book, "true_single_wait")["replaces"] == ["calling_by_pairs"]
    assert row_of(book, "calling_by_pairs")["replaces"] == []
    assert row_of(book, "flower")["replaces"] == []


def test_switches_show_in_the_points() -> None:
    assert row_of(book_of_lrc(), "base")["points"] == 5
    book = book_of_lrc(base=2)
    assert row_of(book, "base")["points"] == 2
    instants = book["instants"]
    assert isinstance(instants, list)
    # lrc: one base, two, one.
    assert [(payment["id"], payment["points"]) for payment in instants] == [
        ("mixed_flower_set", [2]),
        ("full_flower_set", [4]),
        ("concealed_gong", [2]),
    ]


def test_an_example_is_told_tile_by_tile() -> None:
    row = row_of(book_of_lrc(), "gong_on_gong")
    example = row["example"]
    assert isinstance(example, dict)
    assert example["melds"] == [
        {"form": "concealed_gong", "tiles": ["9m"] * 4},
        {"form": "concealed_gong", "tiles": ["4p"] * 4},
    ]
    assert example["win"] == {"tile": "4s", "by": "self_draw", "from": None}
    assert example["facts"] == {"replacement": True, "gong_on_gong": True}
    assert row["switches"] == []
    assert row_of(book_of_lrc(), "jade_hand")["switches"] == [
        {"when": {"jewel_needs_pong": True}, "set": {"question": "jade_pong"}}
    ]
    early = row_of(book_of_lrc(), "human_hand")["example"]
    assert isinstance(early, dict)
    assert early["facts"] == {"tiles_on_table": 4}
