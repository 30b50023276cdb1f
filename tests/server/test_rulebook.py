"""The rule book is the ruleset's file as plain data."""

import json
from pathlib import Path

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_server.rulebook import rulebook
from parlour_server.rulesets import load_ruleset, ruleset_names
from tests.engine.rulesets.files import OPENING

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
        {
            "when": {"jewel_needs_pong": True},
            "says": {
                "en": "Where “Jade, Ruby and Diamond need a pong of the dragon” is on: "
                "The dragon of a jewel hand must be a pong, not only the eyes.",
                "zh": "「翡翠紅寶石鑽石須有番刻」為開時：翡翠、紅寶石、鑽石的三元牌須成刻子，作眼不算。",
            },
            "set": {"question": "jade_pong"},
        }
    ]
    early = row_of(book_of_lrc(), "human_hand")["example"]
    assert isinstance(early, dict)
    assert early["facts"] == {"tiles_on_table": 4}


def said(book: dict[str, object], row: str) -> list[str | None]:
    switches = row_of(book, row)["switches"]
    assert isinstance(switches, list)
    return [switch["says"] and switch["says"]["en"] for switch in switches]


def test_a_switch_says_what_it_changes() -> None:
    book = book_of_lrc()
    # The rule of a switch says what it is to be on; off, it does not hold.
    assert said(book, "all_pong") == [
        "Where “All Pong allows gongs” is off: this does not hold: Gongs count as pongs in an All Pong Hand."
    ]
    first, second, both, flowers = said(book, "dealer_streak")
    assert first is not None
    assert first.startswith("Where “The win in a row that is the first to add” is 1: The dealer's second")
    assert second is not None
    assert second.endswith("is on: The dealer pays his streak too when his tile wins for another.")
    assert both is None, "each of them has been told"
    assert flowers is not None
    [shape] = said(rulebook(load_ruleset("classical")), "only_place")
    assert shape is not None
    assert shape.startswith(
        "Where “What counts as the only place to win” is “by the shape of the wait”: One tile only:"
    )


HOUSE = (
    OPENING
    + """
[[row]]
id = "flower"
switches = [
  { when = { base = 0 }, set = { points = 0 } },
  { when = { winners = "nearest", calling = true }, set = { points = 1, groups = ["suits"] } },
]
"""
)


def test_the_book_of_a_house_is_told_by_its_own_file(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(HOUSE, encoding="utf-8")
    book = rulebook(load_ruleset(str(file)))
    assert book["based_on"] == {"en": "LRC Taiwanese", "zh": "LRC 台灣牌"}
    switches = row_of(book, "flower")["switches"]
    assert isinstance(switches, list)
    assert [switch["says"]["en"] for switch in switches] == [
        "Where “Points of the base” is 0: 0 points.",
        "Where “Who wins when several claim the same tile” is “only the nearest in turn” and “Hands may be called” is "
        "on: 1 point. All who claim a tile to win are paid, or only the nearest in turn. A ready hand may be called "
        "for more points; it can then not be changed.",
    ]
    assert switches[0]["says"]["zh"] == "「底分」為 0 時：0 分。"
    assert switches[1]["says"]["zh"].startswith("「一炮多響」選「只計最近一家」，而「可叫糊」為開時：1 分。多家同糊")
    options = {option["id"]: option for option in book["options"]}
    assert options["winners"]["value_names"]["all"] == {"en": "all of them", "zh": "全部計"}
    assert options["base"]["value_names"] == {}
    assert row_of(book, "base")["points_from"] == "base"
    # lrc.
    assert {paid["id"]: paid["bases"] for paid in book["instants"]} == {
        "mixed_flower_set": 1, "full_flower_set": 2, "concealed_gong": 1,
    }  # fmt: skip
