"""Classical records and tables that cannot be scored, and with which code; what a table may state once."""

from typing import Any

import pytest

from parlour_engine.scoring.record import FAR, LOST
from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, is_table, parse_request, parse_table
from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.classical import FREE, LIMIT, choose, hand, limited, scored, settled, table, totals
from tests.engine.scoring.hands import choose as choose_lrc

GOOD = hand("123456m678p23s55s", "1s<W")
DRAWN = hand("123456m678p23s55s", "1s")
LOSING = hand("123456m678p23s55s")
DEALT = hand("123456m234p234s55z", "dealt", seat="E")
ODD: dict[str, Any] = {"E": hand("258m147s1234567z"), "W": hand("147m258s1234567z"), "N": hand("369m369s1234567z")}
TABLE = table("S", S=GOOD, **ODD)


def without(base: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in base.items() if name != key}


def won(base: dict[str, Any], **win: Any) -> dict[str, Any]:
    return base | {"win": base["win"] | win}


def with_hand(whose: str, **changed: Any) -> dict[str, Any]:
    return TABLE | {"hands": TABLE["hands"] | {whose: TABLE["hands"][whose] | changed}}


def again(table: dict[str, Any], whose: str, **said: Any) -> dict[str, Any]:
    """The table with `table` stated once, and one hand that says it, or something like it, again."""
    return with_hand(whose, **said) | table


def alike(key: str, once: object, said: object) -> dict[str, Any]:
    """The table with `key` stated once, and again by South alone."""
    hands = {seat: without(one, key) for seat, one in TABLE["hands"].items()}
    return TABLE | {key: once, "hands": hands | {"S": hands["S"] | {key: said}}}


def with_win(seat: str, **changed: Any) -> dict[str, Any]:
    return with_hand(seat, win=TABLE["hands"][seat]["win"] | changed)


BAD_RECORDS: list[Any] = [
    *(without(GOOD, key) for key in ("id", "ruleset", "hand", "melds", "flowers", "seat", "round", "win")),
    GOOD | {"hands": {}},
    GOOD | {"winner": "S"},
    GOOD | {"win": []},
    GOOD | {"win": "lost"},
    GOOD | {"mandarins": 1},
    GOOD | {"mandarins": None},
    GOOD | {"mandarins": True, "options": {"mandarins": False}},
    GOOD | {"mandarins": False, "options": {"mandarins": True}},
    GOOD | {"options": {"limit": 300}},
    limited("123456m678p23s55s", options={"only_place": "shape"}),
    won(GOOD, by="luck"),
    won(GOOD, by="flowers"),
    GOOD | {"win": {"by": "flowers"}},
    GOOD | {"win": {"by": "lost"}},
    won(GOOD, by="robbed_gong") | {"options": {"robbing": False}},
    won(GOOD, **{"from": "S"}),
    won(GOOD, replacement=True),
    won(GOOD, last_tile=True),
    won(GOOD, first_discard=True),
    won(DRAWN, first_discard=True),
    won(DRAWN, gong_on_gong=True),
    # A dealt hand is East's, whole and without a win tile.
    DEALT | {"seat": "S"},
    DEALT | {"melds": ["123m"]},
    won(DEALT, tile="5z"),
    # Ignored, but not whatever they are.
    GOOD | {"tiles_on_table": -1},
    GOOD | {"called": 0},
    GOOD | {"streak": "2"},
    # What is wrong with keys and facts is found before what is wrong with tiles.
    GOOD | {"hand": "0m", "colour": "red"},
]

BAD_TILE_RECORDS: list[dict[str, Any]] = [
    GOOD | {"hand": "123456m678p23s5s"},
    GOOD | {"hand": "123456m678p23s555s"},
    GOOD | {"melds": ["123m"]},
    GOOD | {"melds": ["124m"]},
    GOOD | {"hand": "11111m678p23s55s6z"},
    GOOD | {"flowers": "1f"},
    GOOD | {"flowers": "1f", "mandarins": False},
    GOOD | {"flowers": "1f1f", "mandarins": True},
    GOOD | {"flowers": "1m", "mandarins": True},
    LOSING | {"hand": "123456m678p23s555s"},
    LOSING | {"hand": "123456m678p23s5s"},
    DEALT | {"hand": "123456m234p234s5z"},
    won(GOOD, tile="1f"),
    won(GOOD, tile="5s") | {"hand": "1234m678p2s5555s9s"},
]


@pytest.mark.parametrize("record", BAD_RECORDS)
def test_bad_record(record: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as found:
        parse_request(record, choose)
    assert found.value.code == BAD_RECORD
    assert str(found.value)


@pytest.mark.parametrize("record", BAD_TILE_RECORDS)
def test_bad_tiles(record: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as found:
        parse_request(record, choose)
    assert found.value.code == BAD_TILES


def test_right_tiles_that_do_not_win() -> None:
    for record in (won(GOOD, tile="2s"), DEALT | {"hand": "123456m234p234s56z"}):
        request = parse_request(record, choose)
        assert request.record.by != LOST
        with pytest.raises(NotWinning):
            scored(record)


def test_a_hand_that_did_not_win_is_read_as_it_lies() -> None:
    record = parse_request(LOSING, choose).record
    assert (record.by, record.win_tile, record.from_wind) == (LOST, -1, -1)
    assert sum(record.counts) == 13


def test_lrc_scores_winners_only() -> None:
    lrc = LOSING | {"ruleset": "lrc", "hand": "123456m678p23s55s111z"}
    for record in (lrc, lrc | {"mandarins": False}):
        with pytest.raises(RequestError) as found:
            parse_request(record, choose_lrc)
        assert found.value.code == BAD_RECORD
    for one in (TABLE | {"ruleset": "lrc"}, TABLE | {"ruleset": "lrc", "mandarins": False}):
        with pytest.raises(RequestError) as found:
            parse_table(one, choose_lrc)
        assert found.value.code == BAD_RECORD


def test_what_other_games_ask_is_ignored() -> None:
    record = parse_request(GOOD | {"called": True, "streak": 3, "tiles_on_table": 4}, choose)
    assert (record.record.called, record.record.streak, record.record.tiles_on_table) == (True, 3, 4)
    assert scored(GOOD | {"called": True, "streak": 3, "tiles_on_table": 4}) == scored(GOOD)
    assert parse_request(GOOD, choose).record.tiles_on_table == FAR


def test_mandarins_are_the_option_of_that_name() -> None:
    for own in ({"mandarins": True}, {"options": {"mandarins": True}}, {"mandarins": True, "options": {}}):
        request = parse_request(GOOD | {"flowers": "2f"} | own, choose)
        assert request.ruleset.values["mandarins"] is True
    both = GOOD | {"flowers": "2f", "mandarins": True, "options": {"mandarins": True}}
    assert parse_request(both, choose).ruleset.values["mandarins"] is True
    assert parse_request(GOOD | {"mandarins": False}, choose).ruleset.values["mandarins"] is False


# Tables


def test_a_table_is_told_by_its_hands() -> None:
    assert is_table(TABLE)
    assert not is_table(GOOD)


def test_what_the_table_states_once_holds_for_every_hand() -> None:
    apart = {
        "id": "test",
        "winner": "S",
        "hands": {
            seat: one | {"ruleset": FREE, "round": "W", "flowers": "", "seat": seat, "id": "x"}
            for seat, one in TABLE["hands"].items()
        },
    }
    assert settled(apart) == settled(TABLE | {"round": "W"})
    said_twice = TABLE | {"hands": {seat: one | {"round": "E"} for seat, one in TABLE["hands"].items()}}
    assert settled(said_twice) == settled(TABLE)
    request = parse_table(TABLE | {"mandarins": True, "tiles_on_table": 5, "melds": []}, choose)
    assert request.ruleset.values["mandarins"] is True
    assert [one.tiles_on_table for one in (request.winner, *request.others)] == [5] * 4
    assert [one.seat_wind for one in request.others] == [0, 2, 3]


def test_each_hand_may_show_its_own_mandarins() -> None:
    shown = {seat: one | {"flowers": f"{place}f"} for place, (seat, one) in enumerate(TABLE["hands"].items(), 1)}
    settlement = settled(without(TABLE, "flowers") | {"hands": shown, "mandarins": True})
    # Nothing but Mah-Jongg, doubled by the player's own mandarin; the others have nothing to double.
    assert totals(settlement) == {"S": 60, "E": 0, "W": 0, "N": 0}


BAD_TABLES: list[Any] = [
    without(TABLE, "id"),
    without(TABLE, "winner"),
    without(TABLE, "ruleset"),
    without(TABLE, "round"),
    without(TABLE, "flowers"),
    TABLE | {"id": 7},
    TABLE | {"winner": "X"},
    TABLE | {"winner": None},
    TABLE | {"winner": "W"},
    TABLE | {"seat": "S"},
    TABLE | {"hand": "123m"},
    TABLE | {"win": None},
    TABLE | {"colour": "red"},
    TABLE | {"hands": []},
    TABLE | {"hands": without(TABLE["hands"], "N")},
    TABLE | {"hands": TABLE["hands"] | {"X": {}}},
    TABLE | {"hands": TABLE["hands"] | {"N": "258m147s1234567z"}},
    TABLE | {"hands": TABLE["hands"] | {"N": without(TABLE["hands"]["N"], "win")}},
    TABLE | {"hands": TABLE["hands"] | {"N": without(TABLE["hands"]["N"], "hand")}},
    TABLE | {"options": {"only_place": "loose"}},
    TABLE | {"mandarins": "yes"},
    with_hand("N", win=GOOD["win"]),
    with_hand("S", win=None),
    with_hand("N", seat="W"),
    with_hand("N", round="S"),
    with_hand("N", ruleset=LIMIT),
    with_hand("N", colour="red"),
    with_hand("N", mandarins=True),
    with_hand("N", options={"mandarins": True}),
    with_hand("N", id=7),
    with_win("S", by="luck"),
    # Wrong types, in a hand that says again what the table says, and in one that says what the others leave out.
    again({"mandarins": True}, "N", mandarins=1),
    again({"mandarins": False}, "N", mandarins=0),
    again({"options": {"dead_wall": 0}}, "N", options={"dead_wall": False}),
    again({"options": {"dead_wall": 0}}, "N", options={"dead_wall": 0.0}),
    again({"options": {"robbing": True}}, "N", options={"robbing": 1}),
    again({"tiles_on_table": 1}, "N", tiles_on_table=True),
    again({"tiles_on_table": 5}, "N", tiles_on_table=5.0),
    again({"called": True}, "N", called=1),
    again({"streak": 0}, "N", streak=False),
    again({"melds": []}, "N", melds=()),
    *(with_hand(seat, options=None) for seat in "ESWN"),
    *(with_hand(seat, mandarins=None) for seat in "ESWN"),
    with_hand("N", options={"robbing": 1}),
    with_hand("N", options={"colour": True}),
    with_hand("N", ruleset=None),
    with_hand("N", seat=None),
    with_hand("N", round=1),
    with_hand("N", round="EE"),
    # Wrong types at the table, though every hand says better.
    TABLE | {"called": 0, "hands": {seat: one | {"called": False} for seat, one in TABLE["hands"].items()}},
    TABLE | {"mandarins": 0, "hands": {seat: one | {"mandarins": False} for seat, one in TABLE["hands"].items()}},
    TABLE | {"options": None, "hands": {seat: one | {"options": {}} for seat, one in TABLE["hands"].items()}},
    # Hands that mean something else than the table does, though they agree among themselves.
    TABLE
    | {"options": {}, "hands": {seat: one | {"options": {"robbing": False}} for seat, one in TABLE["hands"].items()}},
    again({"options": {"robbing": False}}, "N", options={}),
    again({"mandarins": True}, "N", mandarins=False),
    again({"mandarins": True}, "N", options={"mandarins": False}),
    again({"options": {"mandarins": True}}, "N", mandarins=False),
    again({"tiles_on_table": 5}, "N", tiles_on_table=6),
    again({"melds": ["123m"]}, "N", melds=[]),
    again({"flowers": "1f", "mandarins": True}, "N", flowers=""),
    with_hand("N", options={"only_place": "shape"}),
    # A bad fact in the last hand is found before a bad tile in the first.
    *(
        one | {"hands": one["hands"] | {"E": one["hands"]["E"] | {"hand": "0m"}}}
        for one in (
            again({"mandarins": True}, "N", mandarins=1),
            again({"options": {"robbing": True}}, "N", options={"robbing": 1}),
            with_hand("N", options=None),
            with_hand("N", round=None),
        )
    ),
    with_hand("N", called=1) | {"hands": with_hand("N", called=1)["hands"] | {"E": ODD["E"] | {"hand": "0m"}}},
]


@pytest.mark.parametrize(
    "request_",
    [
        *(with_hand(seat, mandarins=False) for seat in "ESWN"),
        *(with_hand(seat, options={}) for seat in "ESWN"),
        with_hand("N", options={"mandarins": False, "robbing": True, "dead_wall": 0}),
        with_hand("N", options={"only_place": "strict"}, mandarins=False),
        again({"options": {"robbing": True}}, "N", options={}),
        again({"options": {}}, "N", options={"robbing": True}),
        again({"mandarins": False}, "N", options={"mandarins": False}),
        again({"called": False}, "N", called=False, tiles_on_table=FAR, streak=0),
        again({"melds": []}, "N", melds=[], flowers="", round="E", ruleset=FREE, seat="N", id=""),
    ],
)
def test_a_default_that_one_hand_states_is_no_difference(request_: dict[str, Any]) -> None:
    read = parse_table(request_, choose)
    assert dict(read.ruleset.values) == dict(choose(FREE, {}).values)
    assert settled(request_) == settled(TABLE)


def test_mandarins_may_be_said_in_either_way_by_every_hand() -> None:
    ways: list[dict[str, Any]] = [{"mandarins": True}, {"options": {"mandarins": True}}]
    for first in ways:
        for second in ways:
            hands = {seat: one | (second if seat == "N" else first) for seat, one in TABLE["hands"].items()}
            assert parse_table(TABLE | {"hands": hands}, choose).ruleset.values["mandarins"] is True
            assert parse_table(again(first, "N", **second), choose).ruleset.values["mandarins"] is True


@pytest.mark.parametrize("request_", BAD_TABLES)
def test_bad_table(request_: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as found:
        parse_table(request_, choose)
    assert found.value.code == BAD_RECORD
    assert str(found.value)


@pytest.mark.parametrize(
    "request_",
    [
        with_hand("N", hand="369m369s123456z"),
        with_hand("N", hand="369m369s12345677z"),
        # Each hand is lawful; together they hold five 1s, or one mandarin twice.
        with_hand("N", hand="369m369s1111567z"),
        with_hand("N", hand="369m111s4567z123p"),
        without(TABLE, "flowers")
        | {"mandarins": True, "hands": {seat: one | {"flowers": "1f"} for seat, one in TABLE["hands"].items()}},
        TABLE | {"mandarins": True, "flowers": "1f"},
        # What the table says, in another order.
        again({"mandarins": True, "flowers": "15f"}, "N", flowers="5f1f"),
        alike("melds", ["123m", "777z"], ["777z", "123m"]),
        alike("melds", ["0m"], ["0m"]),
    ],
)
def test_bad_tiles_on_a_table(request_: dict[str, Any]) -> None:
    with pytest.raises(RequestError) as found:
        parse_table(request_, choose)
    assert found.value.code == BAD_TILES


def test_the_winning_tile_is_one_of_the_four() -> None:
    four = with_hand("N", hand="369m11s34567z123p")
    assert parse_table(four, choose).winner.win_tile == 18
    with pytest.raises(RequestError, match="on the table"):
        parse_table(with_hand("N", hand="369m111s4567z123p"), choose)
