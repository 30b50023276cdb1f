"""Deals in sequence."""

import pytest

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import BY_DISCARD, CONCEALED_GONG_PAID, Discarded, Exhausted, Paid, Won
from parlour_engine.evolve import evolve
from parlour_engine.match import Match, NextDeal, Standing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from tests.kit.walls import LRC, scripted_wall

NOTHING = (0, 0, 0, 0)


def finished(match: Match, *winners: Seat) -> Deal:
    """The due deal, dealt and ended at once: won by `winners` or, without any, exhausted."""
    due = match.next_deal()
    wall = scripted_wall(("", "", "", ""), dealer=due.dealer)
    deal, _ = play.start(match.procedure, wall, (), due.dealer, due.round_wind, due.streak)
    tile = deal.hands[due.dealer].tiles()[0]
    evolve(deal, Discarded(due.dealer, tile, False))
    for winner in winners:
        evolve(deal, Won(winner, BY_DISCARD, tile, due.dealer, ()))
    if not winners:
        evolve(deal, Exhausted())
    return deal


def test_a_match_begins_with_east_and_nothing() -> None:
    match = Match(LRC, 4, first_dealer=2)
    assert match.next_deal() == NextDeal(2, 0, 0, 0)
    assert match.scores == [0, 0, 0, 0]


def test_the_dealer_stays_after_winning() -> None:
    """P19, A-86: also as one of several winners; the streak counts his wins in a row."""
    match = Match(LRC)
    match.finish(finished(match, 0), NOTHING)
    assert match.next_deal() == NextDeal(0, 0, 1, 1)
    match.finish(finished(match, 3, 0), NOTHING)
    assert match.next_deal() == NextDeal(0, 0, 2, 2)


def test_the_dealer_stays_after_a_drawn_deal_and_keeps_the_streak() -> None:
    """P19, A-85: a drawn deal neither adds to the streak nor breaks it."""
    match = Match(LRC)
    match.finish(finished(match, 0), NOTHING)
    match.finish(finished(match), NOTHING)
    assert match.next_deal() == NextDeal(0, 0, 1, 2)


def test_the_deal_passes_on_a_draw_where_the_switch_says_so() -> None:
    """A-85, `dealer_stays_on_draw` off."""
    match = Match(Procedure(dealer_stays_on_draw=False))
    match.finish(finished(match, 0), NOTHING)
    match.finish(finished(match), NOTHING)
    assert match.next_deal() == NextDeal(1, 0, 0, 2)


def test_the_deal_passes_to_the_next_seat_when_others_win() -> None:
    """P3, P19: anticlockwise, and the streak begins anew."""
    match = Match(LRC, first_dealer=3)
    match.finish(finished(match, 3), NOTHING)
    match.finish(finished(match, 1, 2), NOTHING)
    assert match.next_deal() == NextDeal(0, 0, 0, 2)


def test_the_round_wind_changes_when_all_four_have_passed() -> None:
    """P20: E until all four have been dealer once and passed, then S; a repeat does not count."""
    match = Match(LRC, first_dealer=1)
    winds = []
    for _ in range(8):
        winds.append((match.dealer, match.round_wind))
        match.finish(finished(match, match.dealer), NOTHING)
        match.finish(finished(match, (match.dealer + 1) % 4), NOTHING)
    assert winds == [(1, 0), (2, 0), (3, 0), (0, 0), (1, 1), (2, 1), (3, 1), (0, 1)]


@pytest.mark.parametrize(("rounds", "deals"), [(1, 4), (4, 16)])
def test_the_length_of_a_match(rounds: int, deals: int) -> None:
    """P21: four rounds are 16 dealerships, one round four, plus repeats."""
    match = Match(LRC, rounds)
    played = 0
    while not match.over:
        match.finish(finished(match, (match.dealer + 2) % 4), NOTHING)
        played += 1
    assert played == deals
    assert match.round_wind == rounds - 1
    with pytest.raises(ValueError, match="over"):
        match.next_deal()


def test_a_repeat_of_the_last_dealer_goes_on() -> None:
    match = Match(LRC, 1)
    for _ in range(3):
        match.finish(finished(match, (match.dealer + 2) % 4), NOTHING)
    match.finish(finished(match), NOTHING)
    match.finish(finished(match, 3), NOTHING)
    assert not match.over
    match.finish(finished(match, 0), NOTHING)
    assert match.over


def test_scores_start_at_zero_and_may_go_below() -> None:
    """P07: a loss of 47 is -47; instant payments count when they happen, A-94 whatever comes later."""
    match = Match(LRC)
    deal = finished(match, 1)
    match.pay([Exhausted(), Paid(2, CONCEALED_GONG_PAID, (-5, -5, 15, -5))])
    assert match.scores == [-5, -5, 15, -5]
    match.finish(deal, (-47, 47, 0, 0))
    assert match.scores == [-52, 42, 15, -5]
    assert sum(match.scores) == 0


def test_the_final_standing() -> None:
    """Ranked by score; equal scores in seat order from the first dealer."""
    match = Match(LRC, 1, first_dealer=2)
    match.scores[:] = [10, -20, 0, 10]
    assert match.standing() == (Standing(1, 3, 10), Standing(2, 0, 10), Standing(3, 2, 0), Standing(4, 1, -20))


def test_what_does_not_fit_is_refused_and_changes_nothing() -> None:
    match = Match(LRC)
    deal = finished(match, 1)
    fresh, _ = play.start(LRC, scripted_wall(("", "", "", "")))
    other, _ = play.start(LRC, scripted_wall(("", "", "", ""), dealer=1), (), 1)
    evolve(other, Exhausted())
    for wrong, changes in ((deal, (1, 0, 0, 0)), (deal, (0, 0)), (fresh, NOTHING), (other, NOTHING)):
        with pytest.raises(ValueError, match=r"deal|payments"):
            match.finish(wrong, changes)
    assert match.next_deal() == NextDeal(0, 0, 0, 0)
    assert match.scores == [0, 0, 0, 0]


@pytest.mark.parametrize(("rounds", "first"), [(0, 0), (5, 0), (4, 4), (4, -1)])
def test_a_match_that_cannot_be(rounds: int, first: int) -> None:
    with pytest.raises(ValueError, match=r"rounds|seat"):
        Match(LRC, rounds, first)


def test_copies_are_independent() -> None:
    match = Match(LRC, 1, first_dealer=1)
    match.finish(finished(match, 1), (-3, 9, -3, -3))
    copy = match.copy()
    assert (copy.next_deal(), copy.scores, copy.rounds, copy.first_dealer) == (match.next_deal(), match.scores, 1, 1)
    copy.finish(finished(copy, 2), (-1, -1, 3, -1))
    assert match.next_deal() == NextDeal(1, 0, 1, 1)
    assert match.scores == [-3, 9, -3, -3]


def test_a_match_is_put_back_as_it_was() -> None:
    """Every deal of a match: the one put back tells the same next deal, scores and end as the one that went on."""
    match = Match(LRC, 2, first_dealer=1)
    for turn in range(30):
        if match.over:
            break
        back = Match.at(LRC, 2, match.next_deal(), match.scores, first_dealer=1)
        deal = finished(match, match.dealer) if turn % 3 == 0 else finished(match, (match.dealer + 1) % 4)
        changes = (turn, -turn, 0, 0)
        match.finish(deal, changes)
        back.finish(deal, changes)
        assert (back.over, back.scores, back.standing()) == (match.over, match.scores, match.standing())
        if not match.over:
            assert back.next_deal() == match.next_deal()
    assert match.over


@pytest.mark.parametrize(
    ("due", "scores"),
    [
        (NextDeal(4, 0, 0, 9), NOTHING),
        (NextDeal(0, 1, 0, 9), NOTHING),
        (NextDeal(0, 0, -1, 9), NOTHING),
        (NextDeal(0, 0, 2, 1), NOTHING),
        (NextDeal(3, 0, 0, 2), NOTHING),
        (NextDeal(0, 0, 0, 0), (1, 0, 0, 0)),
        (NextDeal(0, 0, 0, 0), (0, 0, 0)),
    ],
)
def test_no_match_is_put_back_to_what_cannot_be(due: NextDeal, scores: tuple[int, ...]) -> None:
    """P19-P21: four dealers a round, one round here, a deal for each pass and each win in a row; points sum to zero."""
    with pytest.raises(ValueError, match=r"."):
        Match.at(LRC, 1, due, scores)
