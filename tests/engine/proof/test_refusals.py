"""Every way in which a record is refused tells its asker what is wrong, in a sentence that a message can show."""

from typing import Any

import pytest

from parlour_engine.rulesets import OptionError, Ruleset
from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, parse_request
from tests.engine.proof.classical_hands import hand, ruleset
from tests.engine.scoring.hands import record

LRC = record("123456m23499p789s11z", "1z")
CLAIMED = record("123456m23499p789s11z", "1z<E", seat="S")
CLASSICAL = {"id": "c", "ruleset": "classical"} | hand("123456m789p23s55s", "1s<W")
GONGS = record("9p", "9p", "1111z 2222z 333m 444m 555m", replacement=True, gong_on_gong=True)
MOST = 9_999
"""The largest number of a record (docs/scoring-record.md)."""
EXACT = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""


def choose(name: str, options: Any) -> Ruleset:
    if name == "nowhere":
        raise OptionError("there is no ruleset 'nowhere'")
    return ruleset(name).with_options(options)


def without(one: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name != key}


def won(one: dict[str, Any], **facts: Any) -> dict[str, Any]:
    return one | {"win": one["win"] | facts}


KEYS = "id, ruleset, hand, melds, flowers, seat, round, win, tiles_on_table, called, streak, options"
WIN_KEYS = "tile, by, from, replacement, last_tile, first_discard, gong_on_gong"
WAYS = "discard, self_draw, robbed_gong, dealt, flowers"

RECORDS = [
    (LRC | {"colour": 1}, f"'colour' is no key of a record; there are {KEYS}"),
    (without(LRC, "hand"), 'the record has no "hand"'),
    (without(LRC, "ruleset"), 'the record has no "ruleset"'),
    (without(LRC, "id"), 'the record has no "id"'),
    (LRC | {"id": 7}, '"id" is no text'),
    (LRC | {"melds": "123m"}, '"melds" is no list of texts'),
    (LRC | {"melds": ["123m", 4]}, '"melds" is no list of texts'),
    (LRC | {"streak": -1}, f'"streak" is no whole number from 0 to {MOST}'),
    (LRC | {"streak": MOST + 1}, f'"streak" is no whole number from 0 to {MOST}'),
    (LRC | {"streak": EXACT}, f'"streak" is no whole number from 0 to {MOST}'),
    (LRC | {"tiles_on_table": MOST + 1}, f'"tiles_on_table" is no whole number from 0 to {MOST}'),
    (LRC | {"streak": True}, f'"streak" is no whole number from 0 to {MOST}'),
    (LRC | {"called": 1}, '"called" is neither true nor false'),
    (LRC | {"seat": "X" * 60}, f"\"seat\" is '{'X' * 40}', not one of E S W N"),
    (LRC | {"seat": "ES"}, "\"seat\" is 'ES', not one of E S W N"),
    (LRC | {"options": []}, '"options" is no object'),
    (LRC | {"ruleset": "nowhere"}, "there is no ruleset 'nowhere'"),
    (LRC | {"win": None}, '"win" is no object: this ruleset scores only hands that won'),
    (CLASSICAL | {"win": 3}, '"win" is no object'),
    (won(LRC, colour=1), f"'colour' is no key of \"win\"; there are {WIN_KEYS}"),
    (won(LRC, by="luck"), f"\"by\" is 'luck', not one of {WAYS}"),
    (
        won(CLAIMED, **{"from": "W"}, first_discard=True),
        'the first discard is East\'s: "first_discard" needs "from": "E"',
    ),
    (won(GONGS, replacement=False), '"gong_on_gong" needs "replacement" and two gongs'),
    (GONGS | {"melds": ["1111z", "222z", "333m", "444m", "555m"]}, '"gong_on_gong" needs "replacement" and two gongs'),
    (
        record("123456m23499p789s111z", by="dealt", seat="S"),
        'a "dealt" hand is East\'s and has no melds',
    ),
    (record("123456m23499p78s", "", "111z", by="dealt", seat="E"), 'a "dealt" hand is East\'s and has no melds'),
    (
        CLASSICAL | {"win": {"by": "flowers"}},
        '"by" is "flowers", which win nothing in this ruleset',
    ),
    (
        won(CLASSICAL, by="robbed_gong") | {"options": {"robbing": False}},
        '"by" is "robbed_gong", and no gong is robbed at this table',
    ),
    (won(CLAIMED, **{"from": "S"}), '"from" is the winner\'s own seat'),
    (won(LRC, **{"from": "E"}), '"from" is not given where "by" is "self_draw"'),
    (won(CLAIMED, replacement=True), '"replacement" needs "by": "self_draw"'),
    (won(LRC, first_discard=True), '"first_discard" needs "by": "discard"'),
    (record("123456m23499p789s111z", "1z", by="dealt", seat="E"), '"tile" is not given where "by" is "dealt"'),
    (LRC | {"flowers": "1234567f"}, '7 flowers win by themselves: "by" must be "flowers"'),
    (
        CLASSICAL | {"mandarins": True, "options": {"mandarins": False}},
        '"mandarins" and the option of that name differ',
    ),
]

TILES = [
    (
        LRC | {"hand": "123456m23499p789s1f1z"},
        'a flower stands in "hand" or as the win tile; flowers belong to "flowers"',
    ),
    (won(LRC, tile="1f"), 'a flower stands in "hand" or as the win tile; flowers belong to "flowers"'),
    (LRC | {"flowers": "1f2m"}, 'a tile in "flowers" is no flower'),
    (CLASSICAL | {"flowers": "1f"}, "this table plays without flowers"),
    (LRC | {"flowers": "1f1f"}, "a flower is there twice"),
    (LRC | {"melds": ["111m", "222m", "333m", "444m", "555m", "666m"]}, "6 melds are more than a hand has"),
    (LRC | {"hand": "123456m23499p789s1z"}, '"hand" has 15 tiles; with 0 melds it must be 16'),
    (
        record("123456m234p", "", "", "1234567f", by="flowers"),
        '"hand" has 9 tiles; with 0 melds it must be 16 or 17',
    ),
    (record("1111m23499p789s1122z", "1m"), "more than four of a kind"),
    (record("2344m99p5789s", "1m", "1111m 111z"), "more than four of a kind"),
]


def refused(one: dict[str, Any]) -> RequestError:
    with pytest.raises(RequestError) as caught:
        parse_request(one, choose)
    return caught.value


@pytest.mark.parametrize(("one", "told"), RECORDS, ids=lambda value: str(value)[:50])
def test_what_a_bad_record_says(one: dict[str, Any], told: str) -> None:
    error = refused(one)
    assert (error.code, str(error)) == (BAD_RECORD, told)


@pytest.mark.parametrize(("one", "told"), TILES, ids=lambda value: str(value)[:50])
def test_what_bad_tiles_say(one: dict[str, Any], told: str) -> None:
    error = refused(one)
    assert (error.code, str(error)) == (BAD_TILES, told)


def test_a_tile_that_there_is_none_of_is_named() -> None:
    error = refused(LRC | {"hand": "123456m23499p789s19z"})
    assert error.code == BAD_TILES
    assert "9z" in str(error)


def test_the_largest_number_is_taken() -> None:
    found = parse_request(LRC | {"streak": MOST, "tiles_on_table": MOST}, choose).record
    assert (found.streak, found.tiles_on_table, found.from_wind) == (MOST, MOST, -1)


def test_flowers_that_cannot_be_read_do_not_win_by_themselves() -> None:
    """They are bad tiles, which are looked for later, whatever number of them would win."""
    assert refused(LRC | {"flowers": "?"}).code == BAD_TILES
