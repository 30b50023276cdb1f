"""Who pays whom in games that score all hands: classical 3 and the penalties of classical 5."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from parlour_engine.scoring.dangerous import Danger, warnings
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.scoring.request import parse_request
from tests.engine.scoring.classical import (
    FREE,
    LIMIT,
    cases,
    choose,
    hand,
    limited,
    net,
    paid,
    ruleset,
    scored,
    settled,
    table,
    totals,
)

# Nothing scores in these, in either game.
ODD = ("258m147s1234567z", "147m258s1234567z", "369m369s1234567z")


def record(request: dict[str, Any]) -> ScoringRecord:
    return parse_request(request, choose).record


def layout(number: int) -> tuple[ScoringRecord, list[ScoringRecord]]:
    """The winner and the others of one of the book's layouts."""
    request = next(case["record"] for case in cases(FREE) if case["record"]["id"] == f"H-L{number}")
    hands = {seat: record({"id": "", **one}) for seat, one in request["hands"].items()}
    return hands.pop(request["winner"]), list(hands.values())


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_the_others_changes_nothing(number: int, order: Sequence[int]) -> None:
    winner, others = layout(number)
    settlement = settle(ruleset(FREE), [winner], [others[place] for place in order])
    assert settlement == settle(ruleset(FREE), [winner], others)
    assert sum(settlement.net) == 0


def test_the_winner_comes_first_and_the_others_from_his_right() -> None:
    winner, others = layout(4)
    entries = settle(ruleset(FREE), [winner], others).entries
    assert [(entry.seat_wind, entry.won) for entry in entries] == [(3, True), (0, False), (1, False), (2, False)]


def test_what_each_hand_collects_adds_up_to_the_net() -> None:
    # Harr p. 53, layout 4: N 184, E 80, W 64, S 48.
    winner, others = layout(4)
    settlement = settle(ruleset(FREE), [winner], others)
    assert [entry.payments for entry in settlement.entries] == [
        (-368, -184, -184, 736),
        (96, -64, -32, 0),
        (0, 0, 0, 0),
        (0, -16, 16, 0),
    ]
    assert net(settlement) == {"E": -272, "S": -264, "W": -200, "N": 736}


def test_a_transfer_says_why_and_whether_east_doubled_it() -> None:
    winner, others = layout(4)
    transfers = settle(ruleset(FREE), [winner], others).transfers
    assert [(one.source, one.target, one.amount, one.reason, one.doubled) for one in transfers] == [
        (0, 3, 368, "hand", True),
        (1, 3, 184, "hand", False),
        (2, 3, 184, "hand", False),
        (1, 0, 64, "difference", True),
        (2, 0, 32, "difference", True),
        (1, 2, 16, "difference", False),
    ]


def test_the_winner_pays_nobody_however_high_another_hand_is() -> None:
    # Harr p. 49: West's 2,560 against the winner's 22.
    winner, others = layout(2)
    settlement = settle(ruleset(FREE), [winner], others)
    assert totals(settlement) == {"N": 22, "E": 4, "S": 8, "W": 2560}
    assert not any(one.source == 3 for one in settlement.transfers)


def test_east_collects_double_from_each_and_equal_scores_pay_nothing() -> None:
    south, west, north = (hand(tiles) for tiles in ODD)
    settlement = settled(table("E", E=hand("123456m678p23s55s", "1s<W"), S=south, W=west, N=north))
    assert paid(settlement) == {"SE": 60, "WE": 60, "NE": 60}


def test_one_winner_alone_is_settled_where_the_others_are_not_known() -> None:
    settlement = settle(ruleset(FREE), [record(hand("789m678m22z22p", "2p<E", "567m", seat="W"))])
    assert paid(settlement) == {"EW": 44, "SW": 22, "NW": 22}
    assert len(settlement.entries) == 1


def test_hands_that_cannot_have_been_together_are_refused() -> None:
    winner, others = layout(1)
    free = ruleset(FREE)
    with pytest.raises(ValueError, match="no winner"):
        settle(free, [], others)
    for wrong in (others[:2], [*others, others[0]], [others[0], others[1], others[1]], [*others[:2], winner]):
        with pytest.raises(ValueError, match="three other seats"):
            settle(free, [winner], wrong)
    with pytest.raises(ValueError, match="one winner"):
        settle(free, [record(hand("123456m678p23s55s", "1s<W", seat=seat)) for seat in "SN"])


# Dangerous discards (Harr p. 67-70)

SHOWN = limited("1144p", "4p<W", "666p 333p 999p")
"""South shows nine circles and wins all of one suit with West's 4p: 20 doubled four times, so the limit."""
PENALTY = {"WS": 1200}
"""East's 600 and 300 for each of the others."""
EACH = {"ES": 600, "WS": 300, "NS": 300}


def discarded_by(west: dict[str, Any], south: dict[str, Any] = SHOWN, **facts: Any) -> Settlement:
    others = {"E": limited("1235689m245689s"), "N": limited("1235689m135789s")}
    return settled(table("S", LIMIT, S=south, W=west, **others, **facts))


def to_winner(settlement: Settlement) -> dict[str, int]:
    return {pair: amount for pair, amount in paid(settlement).items() if pair[1] == "S"}


def test_the_discarder_pays_for_all_and_other_scores_are_void() -> None:
    settlement = discarded_by(limited("1247m369s", "", "555z 777m"))
    assert paid(settlement) == PENALTY
    assert totals(settlement) == {"S": 300, "W": 0, "N": 0, "E": 0}
    assert [(one.source, one.amount, one.reason, one.doubled) for one in settlement.transfers] == [
        (2, 300, "hand", False),
        (2, 300, "penalty", False),
        (2, 600, "penalty", True),
    ]


@pytest.mark.parametrize(
    ("west", "excuse"),
    [
        # Two sets of dragons and ready for 5m; ready for nothing; one set and ready.
        (limited("123m46m99s", "", "555z 666z"), "two_doubles"),
        (limited("1247m369s", "", "555z 666z"), ""),
        (limited("123m46m99s", "", "555z 777m"), ""),
        # One set, and ready for 6z or 7z: a second set is not more than two, one suit and honours makes three.
        (limited("66z77z123m456s", "", "555z"), ""),
        (limited("66z77z123m456m", "", "555z"), "more_doubles"),
        # Nothing but circles left, which all were dangerous; one other tile, which was not.
        (limited("2578p", "", "444m 777m 222s"), "no_other_tile"),
        (limited("258p7s", "", "444m 777m 222s"), ""),
    ],
)
def test_who_had_reason_is_free_and_is_told_which(west: dict[str, Any], excuse: str) -> None:
    settlement = discarded_by(west)
    assert to_winner(settlement) == (EACH if excuse else PENALTY)
    assert any(one.reason == "penalty" for one in settlement.transfers) is not bool(excuse)
    assert settlement.danger == Danger(2, ("suit",), judged=True, excuse=excuse)


@pytest.mark.parametrize(
    ("south", "warnings"),
    [
        (limited("1144p", "4p<W", "666p 333p 999p"), ("suit",)),
        (limited("222z7z", "7z<W", "111p 444z 999p"), ("heads",)),
        (limited("55z11p", "5z<W", "777z 666z 123p"), ("dragons",)),
        (limited("11z33s", "1z<W", "444z 222z 333z"), ("winds",)),
        # Nine heads, two sets of dragons among them, and the third with the last discard.
        (limited("55z11p", "5z<W", "777z 666z 999p"), ("heads", "dragons")),
    ],
)
def test_what_the_winner_had_shown_is_told(south: dict[str, Any], warnings: tuple[str, ...]) -> None:
    west = limited("1235679m245689s")
    assert discarded_by(west, south).danger == Danger(2, warnings, judged=True)
    # Without the other hands nobody can be excused or charged.
    alone = settle(ruleset(LIMIT), [record(south)])
    assert alone.danger == Danger(2, warnings, judged=False)
    assert not any(one.reason == "penalty" for one in alone.transfers)


def test_where_nothing_was_dangerous_nothing_is_told() -> None:
    west = limited("1247m369s", "", "555z 777m")
    assert discarded_by(west, options={"dangerous_discard": False}).danger is None
    assert discarded_by(west, SHOWN | {"win": {"tile": "4p", "by": "self_draw"}}).danger is None
    assert discarded_by(west, SHOWN | {"win": {"tile": "4p", "by": "robbed_gong", "from": "W"}}).danger is None
    assert discarded_by(west, limited("44p88s", "4p<W", "666p 333p 999p")).danger is None
    free = settle(ruleset(FREE), [record(hand("1144p", "4p<W", "666p 333p 999p"))])
    assert free.danger is None


def test_a_hand_worth_two_doubles_of_ones_own_wind_may_wait() -> None:
    west = limited("123m46m99s", "", "333z 777m", round="W")
    south = SHOWN | {"round": "W"}
    assert to_winner(discarded_by(west, south, round="W")) == EACH
    assert to_winner(discarded_by(west)) == PENALTY


def test_there_is_no_penalty_where_it_is_not_played_or_nothing_was_discarded() -> None:
    west = limited("1247m369s", "", "555z 777m")
    assert to_winner(discarded_by(west, options={"dangerous_discard": False})) == EACH
    assert to_winner(discarded_by(west, SHOWN | {"win": {"tile": "4p", "by": "self_draw"}})) == EACH
    robbed = SHOWN | {"win": {"tile": "4p", "by": "robbed_gong", "from": "W"}}
    assert to_winner(discarded_by(west, robbed)) == EACH


FEARED = [
    # One suit: nine tiles of it shown, runs and kongs too; the hand all of it.
    (limited("1144p", "4p<W", "666p 333p 999p"), set("123456789")),
    (limited("1144p", "4p<W", "123p 456p (8888p)"), set("123456789")),
    (limited("1444999p", "1p<W", "666p 333p"), set()),
    (limited("44p55z", "4p<W", "666p 333p 999p"), set()),
]


@pytest.mark.parametrize(("winner", "ranks"), FEARED)
def test_nine_of_one_suit(winner: dict[str, Any], ranks: set[str]) -> None:
    assert set().union(*warnings(record(winner)).values()) == {9 + int(rank) - 1 for rank in ranks}


HEADS = {0, 8, 9, 17, 18, 26, *range(27, 34)}


@pytest.mark.parametrize(
    ("winner", "kinds"),
    [
        # Nine heads shown, and all of the hand heads.
        (limited("222z7z", "7z<W", "111m 444z 999s"), HEADS),
        (limited("222z7z", "7z<W", "111m (4444z) 999s"), HEADS),
        (limited("999s222z7z", "7z<W", "111m 444z"), set()),
        (limited("234s7z", "7z<W", "111m 444z 999s"), set()),
        # Two sets of dragons shown, and the third made by the discard.
        (limited("55z11p", "5z<W", "777z 666z 123p"), {31}),
        (limited("55z11p", "1p<W", "777z 666z 123p"), set()),
        (limited("55566z11p", "6z<W", "777z 123p"), set()),
        (limited("5z234p", "5z<W", "777z 666z 123p"), set()),
        # Three sets of winds shown, and the fourth made by the discard.
        (limited("11z33s", "1z<S", "444z 222z 333z", seat="W"), {27}),
        (limited("11z33s", "3s<S", "444z 222z 333z", seat="W"), set()),
        (limited("1z345s", "1z<S", "444z 222z 333z", seat="W"), set()),
        (limited("11z44433s", "1z<S", "222z 333z", seat="W"), set()),
    ],
)
def test_heads_dragons_and_winds(winner: dict[str, Any], kinds: set[int]) -> None:
    scored(winner)
    assert set().union(*warnings(record(winner)).values()) == kinds
