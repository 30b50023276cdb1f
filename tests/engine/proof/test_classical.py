"""What must hold for every hand and every table of the classical game, and agreement with the plain scorer."""

from collections import Counter
from itertools import combinations, product
from os import environ
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.scoring.reading import splits
from parlour_engine.scoring.tally import NotWinning
from parlour_engine.seats import WINDS
from tests.engine.proof import plain_classical as plain
from tests.engine.proof.classical_hands import (
    Hand,
    alike,
    hand,
    lines,
    losing,
    moved,
    scored,
    settled,
    table,
    undecided,
    winning,
)
from tests.engine.scoring.plain import KINDS, tiles_of
from tests.engine.scoring.plain import splits as laid_out

LONG = environ.get("HYPOTHESIS_PROFILE") == "long"
seeds = st.integers(0, 2**32)

WINNERS_ONLY = {
    "mah_jongg", "no_sequence", "no_other_score", "loose_tile", "drew_winning_piece", "only_place", "original_hand",
}  # fmt: skip
SUIT_ROWS = {"one_suit_with_honours", "one_suit", "all_honours"}
BONUSES = WINNERS_ONLY - {"original_hand"}


@given(seeds)
def test_a_winners_score_is_the_best_of_all_readings_as_the_plain_scorer_finds_it(seed: int) -> None:
    one = winning(seed)
    found, expected = scored(one), plain.best(one)
    assert found.total == expected["total"]
    if not undecided(found):
        assert lines(found) == expected["lines"]


@given(seeds)
def test_a_losers_score_is_what_the_plain_scorer_finds_line_by_line(seed: int) -> None:
    one = losing(seed)
    found, expected = scored(one), plain.best(one)
    assert lines(found) == expected["lines"]
    assert (found.points, found.doubles, found.total) == (
        expected["basic"],
        expected["doubles"],
        expected["total"],
    )


@given(seeds, st.booleans())
def test_a_total_is_its_points_doubled_so_often(seed: int, lost: bool) -> None:
    found = scored(losing(seed) if lost else winning(seed))
    assert found.points == sum(points for points, _, _ in lines(found).values())
    assert found.doubles == sum(doubles for _, doubles, _ in lines(found).values())
    assert found.total == found.points * 2**found.doubles
    assert not found.limited


@given(seeds, st.booleans())
def test_the_three_suit_rows_exclude_each_other(seed: int, lost: bool) -> None:
    found = scored(losing(seed) if lost else winning(seed))
    assert len(SUIT_ROWS & set(lines(found))) <= 1


@given(seeds)
def test_losers_have_no_bonus_of_the_winners(seed: int) -> None:
    found = scored(losing(seed))
    assert not WINNERS_ONLY & set(lines(found))
    # Four concealed kongs of heads are the most that a hand holds, and beside them a pair's two points.
    assert 0 <= found.points <= 4 * 32 + 2


@given(seeds)
def test_a_winners_score_lies_in_the_books_range(seed: int) -> None:
    """Harr p. 9: from 22; 63,488 is what its highest sum, 380,928, comes from."""
    assert 22 <= scored(winning(seed) | {"flowers": ""}).total <= 63_488


def test_the_books_range_is_reached_at_both_ends() -> None:
    lowest = hand("789m678m22z22p", "2p<E", "567m", "W")
    highest = hand("111z555z666z777z44z", "dealt", "", "E")
    assert scored(lowest).total == 22
    assert scored(highest).total == 63_488


def ways_to_win(seat: str, melded: bool) -> list[dict[str, Any]]:
    ways: list[dict[str, Any]] = [
        {"by": "discard", "from": "N" if seat != "N" else "W"},
        {"by": "self_draw"},
        {"by": "self_draw", "replacement": True},
    ]
    return [*ways, {"by": "dealt"}] if seat == "E" and not melded else ways


def test_no_hand_of_honours_is_worth_more_than_the_books_highest() -> None:
    """Every choice of four honour sets in hand or as concealed kongs and every pair, however East wins."""
    highest = Counter[int]()
    for sets in combinations([f"{number}z" for number in range(1, 8)], 4):
        for kongs in product((False, True), repeat=4):
            melds = [f"({tile[0] * 4}z)" for tile, kong in zip(sets, kongs, strict=True) if kong]
            concealed = [tile for tile, kong in zip(sets, kongs, strict=True) if not kong for _ in range(3)]
            for eyes in {f"{number}z" for number in range(1, 8)} - set(sets):
                for win in ways_to_win("E", bool(melds)):
                    held = [*concealed, eyes] if win["by"] != "dealt" else [*concealed, eyes, eyes]
                    tile = {} if win["by"] == "dealt" else {"tile": eyes}
                    one = hand("".join(held), "", " ".join(melds), "E") | {"win": win | tile}
                    highest[scored(one).total] += 1
    assert max(highest) == 63_488
    # Own wind, three dragons and a pair of any of the three other winds, as it is dealt.
    assert highest[63_488] == 3


@given(seeds, st.booleans(), st.permutations("mps"))
def test_suits_may_change_places(seed: int, lost: bool, order: list[str]) -> None:
    one = losing(seed) if lost else winning(seed)
    places = str.maketrans("mps", "".join(order))
    assert alike(scored(moved(one, lambda text: text.translate(places))), scored(one))


@given(seeds, st.booleans())
def test_ranks_may_be_mirrored(seed: int, lost: bool) -> None:
    """A 1 counts as a 9 does, so no row changes."""

    def mirrored(text: str) -> str:
        return "".join(sorted(tile if tile[1] == "z" else f"{10 - int(tile[0])}{tile[1]}" for tile in tiles_of(text)))

    one = losing(seed) if lost else winning(seed)
    assert alike(scored(moved(one, mirrored)), scored(one))


@given(seeds, st.booleans(), st.permutations("SWN"), st.permutations("567"))
def test_winds_and_dragons_may_change_places(seed: int, lost: bool, winds: list[str], dragons: list[str]) -> None:
    """Where the seats change places with their winds and mandarins; East stays, who alone has an original hand."""
    one = losing(seed) if lost else winning(seed)
    seat_of = dict(zip("ESWN", ["E", *winds], strict=True))
    number_of = {str(WINDS.index(old) + 1): str(WINDS.index(new) + 1) for old, new in seat_of.items()}
    number_of |= dict(zip("567", dragons, strict=True))

    def other(text: str) -> str:
        return "".join(f"{number_of[tile[0]]}z" if tile[1] == "z" else tile for tile in tiles_of(text))

    flowers = "".join(
        f"{int(number_of[str((int(tile[0]) - 1) % 4 + 1)]) + (4 if int(tile[0]) > 4 else 0)}f"
        for tile in tiles_of(one["flowers"])
    )
    changed = moved(one, other) | {"seat": seat_of[one["seat"]], "flowers": flowers}
    assert alike(scored(changed), scored(one))


@given(seeds)
def test_a_draw_is_worth_no_less_than_a_claim_but_where_it_forfeits_no_other_score(seed: int) -> None:
    one = winning(seed)
    if one["win"]["by"] in ("self_draw", "dealt"):
        return
    claimed = scored(one)
    drawn = scored(one | {"win": {"by": "self_draw", "tile": one["win"]["tile"]}})
    if "no_other_score" in lines(claimed):
        # The 10 are lost and 2 won; as sets that are worth something when drawn, the same tiles may come to more.
        assert drawn.points >= claimed.points - 8
    else:
        assert drawn.points >= claimed.points + 2
        assert drawn.doubles == claimed.doubles


@given(seeds)
def test_a_robbed_kong_is_a_claim_like_any_other(seed: int) -> None:
    """Classical A-8: no points for robbing, none for drawing."""
    one = winning(seed)
    if one["win"]["by"] == "robbed_gong":
        assert lines(scored(one)) == lines(scored(one | {"win": one["win"] | {"by": "discard"}}))


@given(seeds, st.randoms(use_true_random=False))
def test_the_order_in_which_readings_are_found_changes_nothing(seed: int, random: Random) -> None:
    one = winning(seed)
    before = scored(one)
    with pytest.MonkeyPatch.context() as patch:

        def shuffled(*args: Any) -> list[Any]:
            found = splits(*args)
            random.shuffle(found)
            return found

        patch.setattr("parlour_engine.scoring.doubling.splits", shuffled)
        assert scored(one) == before


@given(seeds)
def test_every_reading_is_told_and_none_is_better(seed: int) -> None:
    one = winning(seed)
    found = scored(one)
    tile = one["win"].get("tile")
    held = Counter(tiles_of(one["hand"]) + ([tile] if tile else []))
    groups = laid_out(held, 4 - len(one["melds"]), True)
    readings = sum(len({group for group in reading if tile in group[1]}) if tile else 1 for reading in groups)
    assert len(found.considered) == readings - 1
    assert all(other.total <= found.total for other in found.considered)
    assert len({other.reading for other in found.considered} | {found.reading}) == readings


# Settlement (classical 3)


@given(seeds)
def test_a_table_settles_as_the_book_says(seed: int) -> None:
    hands, winner = table(seed)
    settlement = settled(hands, winner)
    totals = {WINDS[entry.seat_wind]: entry.score.total for entry in settlement.entries}
    assert totals == {seat: plain.best(one)["total"] for seat, one in hands.items()}
    paid = {(WINDS[one.source], WINDS[one.target]): one.amount for one in settlement.transfers}
    assert len(paid) == len(settlement.transfers)
    assert paid == plain.paid(totals, winner)


@given(seeds)
def test_payments_sum_to_zero_and_the_winner_collects_from_each(seed: int) -> None:
    hands, winner = table(seed)
    settlement = settled(hands, winner)
    assert sum(settlement.net) == 0
    place = WINDS.index(winner)
    total = settlement.entries[0].score.total
    assert settlement.entries[0].seat_wind == place
    assert [entry.won for entry in settlement.entries] == [True, False, False, False]
    from_each = [total * (2 if 0 in (seat, place) else 1) for seat in range(4) if seat != place]
    assert settlement.net[place] == sum(from_each)
    assert sorted(one.amount for one in settlement.transfers if one.target == place) == sorted(from_each)
    assert not any(one.source == place for one in settlement.transfers)
    for entry in settlement.entries:
        assert sum(entry.payments) == 0
    moved_ = [sum(entry.payments[seat] for entry in settlement.entries) for seat in range(4)]
    assert moved_ == list(settlement.net)


@given(seeds)
def test_losers_settle_differences_that_change_sign_with_who_looks(seed: int) -> None:
    hands, winner = table(seed)
    settlement = settled(hands, winner)
    total = {entry.seat_wind: entry.score.total for entry in settlement.entries}
    owed = Counter[tuple[int, int]]()
    for one in settlement.transfers:
        if one.reason == "difference":
            owed[one.source, one.target] += one.amount
            owed[one.target, one.source] -= one.amount
            assert one.amount > 0
            assert one.doubled == (0 in (one.source, one.target))
    for one_seat, other in combinations([seat for seat in range(4) if seat != WINDS.index(winner)], 2):
        assert owed[one_seat, other] == (total[other] - total[one_seat]) * (2 if 0 in (one_seat, other) else 1)


@given(seeds)
def test_the_order_in_which_the_losers_are_told_changes_nothing(seed: int) -> None:
    hands, winner = table(seed)
    turned = dict(reversed(list(hands.items())))
    assert settled(turned, winner) == settled(hands, winner)


# Exhaustive, and a part of it every day


def one_suit_hands() -> list[str]:
    """Every way to hold fourteen tiles of one suit as four sets and a pair, by its digits."""
    groups = [str(rank) * 3 for rank in range(1, 10)] + [f"{rank}{rank + 1}{rank + 2}" for rank in range(1, 8)]
    found = {""}
    for _ in range(4):
        found = {"".join(sorted(held + group)) for held in found for group in groups}
    hands = {"".join(sorted(held + str(rank) * 2)) for held in found for rank in range(1, 10)}
    return sorted(held for held in hands if max(Counter(held).values()) <= 4)


ONE_SUIT = one_suit_hands()


def scored_alike(held: str, tile: str) -> None:
    rest = held.replace(tile, "", 1)
    for win in (f"{tile}s", f"{tile}s<W"):
        one = hand(f"{rest}s", win)
        assert scored(one).total == plain.best(one)["total"], one


@pytest.mark.parametrize("part", range(5))
def test_hands_of_one_suit_are_scored_as_the_plain_scorer_does(part: int) -> None:
    """A fifth of all of them with one of their tiles each in a long run, a few of these every day."""
    chance = Random(part)
    for held in ONE_SUIT[part::5] if LONG else chance.sample(ONE_SUIT, 20):
        scored_alike(held, chance.choice(held))


def test_what_is_no_four_sets_and_a_pair_does_not_win() -> None:
    """Every tile at every waiting hand of a few: it wins exactly where the plain scorer can lay it out."""
    for seed in range(40):
        one = winning(seed)
        if one["win"]["by"] == "dealt":
            continue
        for tile in KINDS:
            other: Hand = one | {"win": {"by": "self_draw", "tile": tile}}
            held = tiles_of(one["hand"]) + [tile] + [t for meld in one["melds"] for t in tiles_of(meld.strip("()"))]
            if max(Counter(held).values()) > 4:
                continue
            expected = plain.best(other)
            if "error" in expected:
                with pytest.raises(NotWinning):
                    scored(other)
            else:
                assert scored(other).total == expected["total"]


def test_the_generators_reach_every_row_and_every_way_to_win() -> None:
    found = set()
    ways = set()
    for seed in range(400):
        one = winning(seed)
        ways.add(one["win"]["by"])
        found |= set(lines(scored(one))) | set(lines(scored(losing(seed))))
    assert ways == {"discard", "self_draw", "robbed_gong", "dealt"}
    card = BONUSES | SUIT_ROWS | {"original_hand", "dragon_set", "own_wind_set", "own_mandarin"}
    card |= {"pair_dragon", "pair_own_wind"} | {"_".join(name) for name in plain.SETS}
    assert found == card
