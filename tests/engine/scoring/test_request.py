"""Requests that cannot be scored, and with which code; `bad_record` is found before `bad_tiles`."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, parse_request
from parlour_engine.tiles import KINDS
from tests.engine.scoring.hands import choose, record

R = record
GOOD = R("123456m23499p789s11z", "1z")
CLAIMED = R("123456m23499p789s11z", "1z<W")
DEALT = R("123456m23499p789s111z", by="dealt", seat="E")
FLOWERS = R("123456m23499p789s111z", by="flowers", flowers="1234567f")


def without(base: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in base.items() if name != key}


def won(base: dict[str, Any], **win: Any) -> dict[str, Any]:
    return base | {"win": base["win"] | win}


BAD_RECORDS: list[Any] = [
    *(without(GOOD, key) for key in ("id", "ruleset", "hand", "melds", "flowers", "seat", "round", "win")),
    GOOD | {"colour": "red"},
    GOOD | {"mandarins": False},
    GOOD | {"hands": {}},
    GOOD | {"id": 7},
    GOOD | {"id": None},
    GOOD | {"ruleset": "riichi"},
    GOOD | {"ruleset": "classical"},
    GOOD | {"ruleset": ["lrc"]},
    GOOD | {"hand": ["1m"]},
    GOOD | {"hand": None},
    GOOD | {"melds": "123m"},
    GOOD | {"melds": [123]},
    GOOD | {"flowers": None},
    GOOD | {"seat": "e"},
    GOOD | {"seat": ""},
    GOOD | {"seat": "ES"},
    GOOD | {"round": 0},
    GOOD | {"tiles_on_table": -1},
    GOOD | {"tiles_on_table": 4.0},
    GOOD | {"tiles_on_table": True},
    GOOD | {"tiles_on_table": "4"},
    GOOD | {"tiles_on_table": 10_000},
    GOOD | {"streak": None},
    GOOD | {"streak": -1},
    GOOD | {"streak": 10_000},
    GOOD | {"streak": 2**53 - 1},
    GOOD | {"called": 1},
    GOOD | {"options": []},
    GOOD | {"options": {"nothing": 1}},
    GOOD | {"options": {"base": "5"}},
    GOOD | {"win": None},
    GOOD | {"win": "1z"},
    GOOD | {"win": {}},
    won(GOOD, by="luck"),
    won(GOOD, by=None),
    won(GOOD, how="well"),
    won(GOOD, replacement=1),
    won(GOOD, tile=5),
    GOOD | {"win": {"by": "self_draw"}},
    # Who gave the tile.
    GOOD | {"win": {"by": "discard", "tile": "1z"}},
    GOOD | {"win": {"by": "robbed_gong", "tile": "1z"}},
    won(CLAIMED, **{"from": "S"}),
    won(CLAIMED, **{"from": "X"}),
    won(GOOD, **{"from": "W"}),
    won(GOOD, **{"from": None}),
    won(DEALT, **{"from": "W"}),
    won(FLOWERS, **{"from": "W"}),
    # Facts that exclude each other.
    won(CLAIMED, replacement=True),
    won(CLAIMED, last_tile=True),
    won(CLAIMED, gong_on_gong=True),
    won(CLAIMED, first_discard=True),
    won(GOOD, first_discard=True),
    won(CLAIMED, by="robbed_gong", first_discard=True, **{"from": "E"}),
    won(DEALT, replacement=True),
    won(DEALT, last_tile=True),
    won(FLOWERS, replacement=True),
    won(GOOD, gong_on_gong=True),
    won(GOOD, gong_on_gong=True, replacement=True),
    won(R("123m99p789s234p11z", "1z", "(5555s)", replacement=True), gong_on_gong=True),
    won(R("123m99p789s11z", "1z", "(5555s) 6666p"), gong_on_gong=True),
    won(DEALT, tile="1z"),
    DEALT | {"seat": "S"},
    DEALT | {"melds": ["(5555p)"]},
    won(FLOWERS, tile="1z"),
    # Seven flowers win by themselves.
    GOOD | {"flowers": "1234567f"},
    GOOD | {"flowers": "1f2f3f4f5f6f7f8f"},
    CLAIMED | {"flowers": "1234567f"},
    DEALT | {"flowers": "1234567f"},
    # The wrong record comes before the wrong tiles.
    GOOD | {"hand": "nonsense", "seat": "X"},
    GOOD | {"hand": "11111m", "called": 0},
]
BAD_TILE_RECORDS: list[Any] = [
    GOOD | {"hand": ""},
    GOOD | {"hand": "m123"},
    GOOD | {"hand": "123456m23499p789s11"},
    GOOD | {"hand": "123456m23499p789s1 1z"},
    GOOD | {"hand": "123456m23499p789s18z"},
    GOOD | {"hand": "023456m23499p789s11z"},
    GOOD | {"hand": "123456m23499p789s1z1f"},
    GOOD | {"hand": "123456m23499p789s1z"},
    GOOD | {"hand": "123456m23499p789s111z"},
    GOOD | {"hand": "１23456m23499p789s11z"},
    GOOD | {"hand": "144m"},
    GOOD | {"hand": "-1m"},
    GOOD | {"hand": "2147483648m"},
    GOOD | {"hand": "111112m23499p789s11z"},
    won(GOOD, tile=""),
    won(GOOD, tile="1f"),
    won(GOOD, tile="8z"),
    won(GOOD, tile="11z"),
    won(GOOD, tile="z1"),
    R("123456m23499p789s11z", "1z", "123m"),
    R("123456m99p789s11z", "1z", "234"),
    R("123456m99p789s11z", "1z", "123z"),
    R("123456m99p789s11z", "1z", "124m"),
    R("123456m99p789s11z", "1z", "891m"),
    R("123456m99p789s11z", "1z", "8m9m1p"),
    R("123456m99p789s11z", "1z", "55p"),
    R("123456m99p789s11z", "1z", "55555p"),
    R("123456m99p789s11z", "1z", "(555p)"),
    R("123456m99p789s11z", "1z", "(123p)"),
    R("123456m99p789s11z", "1z", "123f"),
    GOOD | {"melds": [""], "hand": "123456m99p789s11z"},
    GOOD | {"melds": ["111s", "222s", "333s", "444s", "555s", "666s"], "hand": ""},
    # Five of a kind, across hand, melds and win tile.
    R("111234m99p789s11z", "1m", "111m"),
    R("123456m99p789s11z", "1z", "1111z"),
    R("1111m23499p789s567s", "1m"),
    GOOD | {"flowers": "11f"},
    GOOD | {"flowers": "1f1f"},
    GOOD | {"flowers": "9f"},
    GOOD | {"flowers": "1z"},
    GOOD | {"flowers": "123456f1m"},
    GOOD | {"flowers": "f"},
    DEALT | {"hand": "123456m23499p789s11z"},
    FLOWERS | {"hand": "123456m23499p789s1z"},
    FLOWERS | {"hand": "123456m23499p789s1111z"},
]


def code_of(asked: dict[str, Any]) -> str:
    """The code of the refusal, `good` where there is none."""
    try:
        parse_request(asked, choose)
    except RequestError as error:
        return error.code
    return "good"


@pytest.mark.parametrize("bad", BAD_RECORDS)
def test_bad_record(bad: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(bad, choose)
    assert caught.value.code == BAD_RECORD
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "bad", [bad for bad in BAD_RECORDS if isinstance(bad, dict) and isinstance(bad.get("hand"), str)]
)
def test_a_bad_record_is_found_before_its_bad_tiles(bad: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(bad | {"hand": "11111m"}, choose)
    assert caught.value.code == BAD_RECORD


@pytest.mark.parametrize("bad", BAD_TILE_RECORDS)
def test_bad_tiles(bad: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as caught:
        parse_request(bad, choose)
    assert caught.value.code == BAD_TILES
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "good",
    [
        GOOD,
        CLAIMED,
        DEALT,
        FLOWERS,
        won(GOOD, first_discard=False, replacement=False, last_tile=False, gong_on_gong=False),
        won(CLAIMED, replacement=False, last_tile=False),
        won(CLAIMED, first_discard=True, **{"from": "E"}),
        won(GOOD, replacement=True, last_tile=True),
        won(R("123m99p789s11z", "1z", "(5555s) 6666p", replacement=True), gong_on_gong=True),
        GOOD | {"hand": "1z1z9p9p" + "1m2m3m4m5m6m2p3p4p7s8s9s"},
        GOOD | {"options": {}},
        GOOD | {"flowers": "123456f"},
        R("123456m99p789s11z", "1z", "432p"),
        FLOWERS | {"hand": "123456m23499p789s11z"},
    ],
)
def test_good_record(good: dict[str, Any]) -> None:
    assert parse_request(good, choose).id == "test"


def test_the_record_holds_what_was_written() -> None:
    asked = won(CLAIMED, first_discard=True, **{"from": "E"})
    made = parse_request(asked | {"flowers": "81f", "streak": 3, "called": True, "tiles_on_table": 1}, choose).record
    assert sum(made.counts) == 16
    assert (made.counts[27], made.win_tile, made.from_wind, made.seat_wind, made.round_wind) == (2, 27, 0, 1, 2)
    assert made.flowers == (34, 41)
    assert (made.first_discard, made.streak, made.called, made.tiles_on_table) == (True, 3, True, 1)


@given(st.lists(st.integers(0, KINDS - 1), max_size=20))
def test_any_tiles_are_scored_or_refused(kinds: list[int]) -> None:
    # S11: no multiset of tiles does more than that.
    text = "".join(f"{kind % 9 + 1}{'mpsz'[kind // 9]}" for kind in kinds)
    lawful = len(kinds) == 16 and max(map(kinds.count, kinds), default=0) <= 4 and kinds.count(27) < 4
    assert code_of(GOOD | {"hand": text}) == ("good" if lawful else BAD_TILES)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(GOOD)), json_values)
def test_any_value_at_any_key_is_scored_or_refused(key: str, value: Any) -> None:
    assert code_of(GOOD | {key: value}) in ("good", BAD_RECORD, BAD_TILES)


@given(
    st.sampled_from(["tile", "by", "from", "replacement", "last_tile", "first_discard", "gong_on_gong"]), json_values
)
def test_any_fact_of_the_win_is_scored_or_refused(key: str, value: Any) -> None:
    assert code_of(won(CLAIMED, **{key: value})) in ("good", BAD_RECORD, BAD_TILES)
