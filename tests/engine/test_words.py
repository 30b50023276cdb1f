"""Kinds, seats, moves and melds as values, and their texts."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine import seats, tiles
from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG, PROMOTED_GONG, Meld
from parlour_engine.moves import (
    CALLS,
    CHOWS,
    DISCARDS,
    MOVES,
    PASS_MOVE,
    WASH_MOVE,
    WIN_MOVE,
    move_of_id,
    move_text,
    parse_move,
)
from parlour_engine.notation import NotationError, hand_text, meld_text, parse_meld, parse_tile, parse_tiles, tile_text


def test_moves_are_interned_with_stable_ids() -> None:
    """The ids are an action space: they may never change meaning."""
    assert [move.id for move in MOVES] == list(range(len(MOVES)))
    assert len(MOVES) == 34 + 34 + 21 + 4 * 34 + 3
    landmarks = {0: "discard 1m", 33: "discard 7z", 34: "call 1m", 68: "chow 123m", 88: "chow 789s", 89: "pong 1m"}
    landmarks |= {
        123: "gong 1m",
        157: "concealed_gong 1m",
        191: "promoted_gong 1m",
        225: "win",
        226: "pass",
        227: "wash",
    }
    assert {id_: move_text(MOVES[id_]) for id_ in landmarks} == landmarks


@pytest.mark.parametrize("move", [DISCARDS[4], CALLS[33], CHOWS[24], WIN_MOVE, PASS_MOVE, WASH_MOVE])
def test_a_move_stays_the_same_instance(move: object) -> None:
    assert copy.copy(move) is move
    assert copy.deepcopy(move) is move
    assert pickle.loads(pickle.dumps(move)) is move


def test_every_move_has_a_text_of_its_own() -> None:
    assert len({move_text(move) for move in MOVES}) == len(MOVES)
    for move in MOVES:
        assert parse_move(move_text(move)) is move
        assert move_of_id(move.id) is move


@pytest.mark.parametrize("text", ["", "chow 891m", "chow 5p", "discard", "discard 1f", "win 5p", "kong 5p", "pong 55p"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


@pytest.mark.parametrize("id_", [-1, len(MOVES)])
def test_what_is_no_id_is_refused(id_: int) -> None:
    with pytest.raises(IndexError):
        move_of_id(id_)


def test_every_kind_has_a_text_of_its_own() -> None:
    assert [parse_tile(tile_text(kind)) for kind in range(tiles.ALL_KINDS)] == list(range(tiles.ALL_KINDS))
    assert tile_text(tiles.WHITE) + tile_text(tiles.GREEN) + tile_text(tiles.RED) == "5z6z7z"


@given(st.lists(st.integers(0, tiles.ALL_KINDS - 1), max_size=20))
def test_a_hands_text_reads_back(kinds: list[int]) -> None:
    assert parse_tiles(hand_text(kinds)) == sorted(kinds)


@pytest.mark.parametrize("text", ["m", "1", "12", "0m", "8z", "9f", "1x", "1m2", "1m m", "٣m"])
def test_what_is_no_hand_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_tiles(text)


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("123m", Meld(CHOW, 0)),
        ("789s", Meld(CHOW, 24)),
        ("777z", Meld(PONG, 33, 33)),
        ("5555p", Meld(EXPOSED_GONG, 13, 13)),
        ("(9999s)", Meld(CONCEALED_GONG, 26)),
    ],
)
def test_a_melds_text(text: str, meld: Meld) -> None:
    assert parse_meld(text) == meld
    assert meld_text(meld) == text


@pytest.mark.parametrize(
    "text", ["891m", "12m", "1112m", "(111m)", "(1234m)", "567z", "1111f", "", "()", "11m1p", "13m5m"]
)
def test_what_is_no_meld_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_meld(text)


def test_a_pong_becomes_a_gong_of_the_same_tile() -> None:
    pong = Meld(PONG, 4, 4, 2)
    assert pong.promoted() == Meld(PROMOTED_GONG, 4, 4, 2)
    assert (pong.tiles(), pong.promoted().tiles(), Meld(CHOW, 4).tiles()) == ((4,) * 3, (4,) * 4, (4, 5, 6))
    assert [Meld(form, 4).is_gong() for form in range(5)] == [False, False, True, True, True]
    assert pong != pong.promoted()
    assert hash(pong) == hash(Meld(PONG, 4, 4, 2))


def test_the_dealer_is_always_east() -> None:
    """P20: the winds go round from the dealer in the order of play."""
    for dealer in seats.SEATS:
        assert [seats.seat_wind(seat, dealer) for seat in (dealer, *seats.in_turn_from(dealer))] == [0, 1, 2, 3]
        assert seats.after(dealer) == seats.in_turn_from(dealer)[0]


def test_flower_numbers_belong_to_seats() -> None:
    """F-4: both colours are numbered 1-4."""
    assert [tiles.flower_number(kind) for kind in range(34, 42)] == [1, 2, 3, 4, 1, 2, 3, 4]


def test_what_kinds_are() -> None:
    orphans = [kind for kind in range(tiles.ALL_KINDS) if tiles.is_orphan(kind)]
    assert hand_text(orphans) == "19m19p19s1234567z"
    assert [kind for kind in range(tiles.ALL_KINDS) if tiles.is_honour(kind)] == list(range(27, 34))
    assert [kind for kind in range(tiles.ALL_KINDS) if tiles.is_flower(kind)] == list(range(34, 42))
    assert (tiles.suit(26), tiles.rank(26), tiles.suit(33), tiles.rank(33)) == (2, 9, 3, 7)
