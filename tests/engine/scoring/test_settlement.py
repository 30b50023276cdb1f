"""Who pays whom: one winner, several, and payments made at once (docs/rules-lrc.md section 5, P16)."""

from itertools import permutations
from typing import Any

import pytest

from parlour_engine.scoring.payment import Settlement, from_each, instant_payment, settle
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.scoring.request import parse_request
from parlour_engine.scoring.tally import NotWinning
from tests.engine.scoring.hands import choose, lines, lrc, record, settled

# P01: three hands of 16 that all wait for 5p.
WAITING = {
    "S": "46p123m456m789m777s11z",
    "W": "34p222s333s666s123s22z",
    "N": "5p111m999m777m333z555s",
}


def claimed(seat: str, giver: str = "E", **facts: Any) -> ScoringRecord:
    return parse_request(record(WAITING[seat], f"5p<{giver}", seat=seat, round="E", **facts), choose).record


def net(settlement: Settlement) -> dict[str, int]:
    return dict(zip("ESWN", settlement.net, strict=True))


@pytest.mark.parametrize("order", list(permutations("SWN")))
def test_three_winners_are_settled_separately_in_turn_order(order: tuple[str, ...]) -> None:
    settlement = settle(lrc(), [claimed(seat) for seat in order])
    totals = {"ESWN"[entry.seat_wind]: entry.score.total for entry in settlement.entries}
    assert list(totals) == ["S", "W", "N"]
    assert net(settlement) == totals | {"E": -sum(totals.values())}
    for entry in settlement.entries:
        alone = settle(lrc(), [claimed("ESWN"[entry.seat_wind])])
        assert alone.entries == (entry,)


def test_turn_order_begins_on_the_payers_right() -> None:
    north = parse_request(record(WAITING["N"], "5p<W", seat="N"), choose).record
    south = parse_request(record(WAITING["S"], "5p<W", seat="S"), choose).record
    east = parse_request(record(WAITING["W"], "5p<W", seat="E"), choose).record
    assert [entry.seat_wind for entry in settle(lrc(), [south, east, north]).entries] == [3, 0, 1]


def test_only_the_dealers_own_win_holds_the_streak() -> None:
    # P02: the dealer and another win on West's tile; then the dealer pays two winners.
    dealer = parse_request(record(WAITING["N"], "5p<W", seat="E", streak=2), choose).record
    other = parse_request(record(WAITING["S"], "5p<W", seat="S", streak=2), choose).record
    first, second = settle(lrc(), [dealer, other]).entries
    assert lines(first.score)["dealer_streak"] == 5
    assert "dealer_streak" not in lines(second.score)
    for entry in settle(lrc(), [claimed("S", streak=2), claimed("W", streak=2)]).entries:
        assert lines(entry.score)["east_tile"] == 1
        assert "dealer_streak" not in lines(entry.score)


def test_a_dealer_who_pays_the_streak_pays_it_to_every_winner() -> None:
    ruleset = lrc().with_options({"streak_paid_by_dealer": True})
    for entry in settle(ruleset, [claimed("S", streak=2), claimed("W", streak=2)]).entries:
        assert lines(entry.score)["dealer_streak"] == 5


def test_a_robbed_gong_is_paid_by_its_declarer_alone() -> None:
    settlement = settled(record("123456m2399p789s111z", "4p<W", by="robbed_gong"))
    total = settlement.entries[0].score.total
    assert net(settlement) == {"E": 0, "S": total, "W": -total, "N": 0}


def test_a_flower_win_and_a_dealt_hand_are_paid_by_all() -> None:
    flowers = settled(record("123456m23499p789s111z", by="flowers", flowers="1345678f", seat="N"))
    assert net(flowers) == {"E": -34, "S": -34, "W": -34, "N": 102}
    dealt = settled(record("123456m23499p789s111z", by="dealt", seat="E"))
    total = dealt.entries[0].score.total
    assert net(dealt) == {"E": 3 * total, "S": -total, "W": -total, "N": -total}


def test_instant_payments_come_from_each_of_the_others() -> None:
    assert instant_payment(lrc(), "concealed_gong", 2) == (-5, -5, 15, -5)
    assert instant_payment(lrc(), "full_flower_set", 0) == (30, -10, -10, -10)
    assert instant_payment(lrc(), "mixed_flower_set", 3) == (-5, -5, -5, 15)
    assert from_each(7, 1) == (-7, 21, -7, -7)
    with pytest.raises(KeyError):
        instant_payment(lrc(), "open_gong", 0)


@pytest.mark.parametrize(
    "winners",
    [
        [],
        [claimed("S"), claimed("S")],
        [claimed("S"), claimed("W", "N")],
        [claimed("S", "W"), claimed("W", "S")],
    ],
)
def test_winners_who_cannot_have_won_together_are_refused(winners: list[ScoringRecord]) -> None:
    with pytest.raises(ValueError, match="winner"):
        settle(lrc(), winners)


def test_a_hand_that_does_not_win_is_not_settled() -> None:
    with pytest.raises(NotWinning):
        settled(record("46p123m456m789m777s11z", "6p<E"))
