"""What must hold for every hand and table of the classical game with a limit, and agreement with the plain scorer."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.seats import WINDS
from tests.engine.proof import plain_limit as plain
from tests.engine.proof.classical_hands import Hand, alike, hand, lines, losing, moved, scored, settled, table, winning
from tests.engine.scoring.plain import tiles_of

LIMIT = "classical-limit"
seeds = st.integers(0, 2**32)


def first_discard(one: Hand, seed: int) -> Hand:
    """Now and then a claim is of East's first discard."""
    if seed % 7 == 0 and one["win"]["by"] == "discard" and one["win"]["from"] == "E":
        return one | {"win": one["win"] | {"first_discard": True}}
    return one


@given(seeds)
def test_a_winners_total_is_the_best_of_all_readings_as_the_plain_scorer_finds_it(seed: int) -> None:
    one = first_discard(winning(seed), seed)
    assert scored(one, LIMIT).total == plain.total(one)


@given(seeds)
def test_a_losers_total_is_what_the_plain_scorer_finds(seed: int) -> None:
    one = losing(seed)
    assert scored(one, LIMIT).total == plain.total(one)


@given(seeds, st.booleans())
def test_no_hand_is_worth_more_than_the_limit(seed: int, lost: bool) -> None:
    found = scored(losing(seed) if lost else first_discard(winning(seed), seed), LIMIT)
    assert 0 <= found.total <= plain.LIMIT
    if not found.limited:
        assert found.total == found.points * 2**found.doubles


@given(seeds, st.booleans(), st.permutations("mps"))
def test_suits_may_change_places(seed: int, lost: bool, order: list[str]) -> None:
    one = losing(seed) if lost else winning(seed)
    places = str.maketrans("mps", "".join(order))
    assert alike(scored(moved(one, lambda text: text.translate(places)), LIMIT), scored(one, LIMIT))


@given(seeds, st.booleans())
def test_ranks_may_be_mirrored(seed: int, lost: bool) -> None:
    def mirrored(text: str) -> str:
        return "".join(sorted(tile if tile[1] == "z" else f"{10 - int(tile[0])}{tile[1]}" for tile in tiles_of(text)))

    one = losing(seed) if lost else winning(seed)
    assert alike(scored(moved(one, mirrored), LIMIT), scored(one, LIMIT))


@given(seeds)
def test_payments_sum_to_zero_and_none_is_above_twice_the_limit(seed: int) -> None:
    """Section 7: each hand and each difference is capped, and East pays and is paid double."""
    hands, winner = table(seed)
    settlement = settled(hands, winner, LIMIT)
    assert sum(settlement.net) == 0
    place = WINDS.index(winner)
    total = {entry.seat_wind: entry.score.total for entry in settlement.entries}
    penalised = any(one.reason == "penalty" for one in settlement.transfers)
    collected = {one.reason for one in settlement.transfers if one.target == place}
    assert collected <= {"hand", "penalty"}
    # Whoever bears the loss, the winner is paid what each of the others owes.
    assert settlement.net[place] == sum(
        total[place] * (2 if 0 in (seat, place) else 1) for seat in range(4) if seat != place
    )
    if penalised:
        giver = WINDS.index(hands[winner]["win"]["from"])
        assert {one.source for one in settlement.transfers} == {giver}
        return
    for seat in range(4):
        if seat != place:
            assert total[seat] == plain.total(hands[WINDS[seat]])
    for one, other in combinations([seat for seat in range(4) if seat != place], 2):
        paid = [move for move in settlement.transfers if {move.source, move.target} == {one, other}]
        difference = abs(total[one] - total[other]) * (2 if 0 in (one, other) else 1)
        assert [move.amount for move in paid] == ([difference] if difference else [])
        assert all(total[move.target] > total[move.source] for move in paid)
    assert all(move.amount <= 2 * plain.LIMIT for move in settlement.transfers)


LIMIT_HANDS = {
    "single_heads": hand("19m19p19s1234567z", "3z<W"),
    "all_heads": hand("444777222z6z", "6z<W", "333z"),
    "four_wind_sets": hand("444222z3s", "3s<W", "333z 111z"),
    "three_wind_sets_and_pair": hand("222z3z", "3z<W", "111z 444z 456p"),
    "four_kongs": hand("1p", "1p<W", "1111s 4444p 5555z (9999p)"),
    "original_hand": hand("123m444p777z567s11p", "dealt", "", "E"),
    "three_dragon_sets": hand("777z9p", "9p<W", "555z 666z 456s"),
}
"""The limit hands as the book draws them (classical 5)."""


@pytest.mark.parametrize("award", LIMIT_HANDS)
def test_a_limit_hand_pays_the_limit(award: str) -> None:
    found = scored(LIMIT_HANDS[award], LIMIT)
    assert found.total == plain.LIMIT
    assert found.limited
    assert award in lines(found)


def test_the_generators_reach_both_caps() -> None:
    """Some hands are worth more than the limit by their points, some by being limit hands, most neither."""
    found = [scored(winning(seed), LIMIT) for seed in range(300)]
    assert any(one.limited for one in found)
    assert any(not one.limited for one in found)
    assert {award for one in found for award in lines(one)} & set(LIMIT_HANDS)
