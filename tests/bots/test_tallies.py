from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_bots.tallies import Tally

Changes = tuple[int, int, int, int]
POINTS = st.integers(-300, 300)
CHANGES = st.tuples(POINTS, POINTS, POINTS, POINTS)
DEALS = st.lists(CHANGES, min_size=2, max_size=30)


def tally_of(deals: list[Changes]) -> Tally:
    """A tally of deals in which the seat with the most won that much, where it is any."""
    tally = Tally()
    for changes in deals:
        most = max(changes)
        wins = [(changes.index(most), 1, most)] if most > 0 else []
        tally.add(3, wins, changes, doubles=most & 3, limited=most & 1, washed=most < -100)
    return tally


@given(DEALS)
def test_mean_and_margin_are_those_of_the_textbook(deals: list[Changes]) -> None:
    tally = tally_of(deals)
    for seat in range(4):
        points = [changes[seat] for changes in deals]
        margin = tally.margin(seat)
        assert tally.mean(seat) == pytest.approx(mean(points))
        assert margin == pytest.approx(1.96 * stdev(points) / len(points) ** 0.5, abs=1e-6)


@given(DEALS, DEALS)
def test_two_tallies_merged_are_one_tally_of_both(one: list[Changes], two: list[Changes]) -> None:
    merged = tally_of(one)
    merged.merge(tally_of(two))
    both = tally_of(one + two)
    assert [getattr(merged, name) for name in Tally.__slots__] == [getattr(both, name) for name in Tally.__slots__]


def test_winners_are_counted_by_way_and_by_seat() -> None:
    tally = Tally()
    tally.add(80, [(1, 0, 12), (2, 0, 20)], (-32, 12, 20, 0))
    tally.add(70, [(3, 1, 9)], (-9, -9, -9, 27))
    tally.add(90, [], (0, 0, 0, 0))
    assert tally.deals == 3
    assert tally.decisions == 240
    assert tally.wins == [2, 1, 0, 0, 0]
    assert tally.wins_by_seat == [0, 1, 1, 1]
    assert tally.exhausted == 1
    assert tally.totals == 41
    assert (tally.least, tally.most) == (9, 20)
    assert [tally.mean(seat) for seat in range(4)] == [-41 / 3, 1, 11 / 3, 9]


def test_doubles_limits_and_washings_are_counted() -> None:
    tally = Tally()
    tally.add(1, [], (150, -50, -50, -50), washed=True)
    assert (tally.washed, tally.exhausted, tally.least, tally.most) == (1, 0, None, None)
    other = Tally()
    other.add(80, [(1, 0, 88)], (-176, 352, -88, -88), doubles=3, limited=1)
    other.add(80, [], (0, 0, 0, 0))
    tally.merge(other)
    assert (tally.washed, tally.exhausted, tally.doubles, tally.limited) == (1, 1, 3, 1)
    assert (tally.least, tally.most) == (88, 88)


def test_too_few_deals_have_no_interval() -> None:
    tally = Tally()
    assert tally.mean(0) == 0
    assert tally.margin(0) is None
    tally.add(1, [], (0, 0, 0, 0))
    assert tally.margin(0) is None
