"""How a classical deal ends and what comes after it: the end of the wall, hands laid down, washing, the next deal."""

from itertools import product

import pytest

from parlour_engine import play
from parlour_engine.claims import resolve_washing
from parlour_engine.deal import Deal
from parlour_engine.events import (
    BY_DEALT,
    GONG_REPLACEMENT,
    WALL,
    WASHED,
    Drew,
    Event,
    Exhausted,
    FlowersExposed,
    HandShown,
    Melded,
    Paid,
    Washed,
    WashingClosed,
    WashingOpened,
    Won,
)
from parlour_engine.legal import late_move
from parlour_engine.match import Match
from parlour_engine.melds import CHOW, EXPOSED_GONG, PONG
from parlour_engine.moves import PASS_MOVE, WASH_MOVE, WIN_MOVE
from parlour_engine.notation import parse_tiles
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.phases import Discarding, Over, Washing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS
from parlour_engine.soundness import problems
from parlour_engine.views import OVER, WASHING, redact, view
from tests.kit.classical import classical, with_limit
from tests.kit.script import Script
from tests.kit.walls import kind, position, scripted_wall, started

BLANK = ("", "", "", "")
GAME = classical()
LIMIT = with_limit(washing=())
both_parts = pytest.mark.parametrize("game", [GAME, LIMIT], ids=["part I", "part II"])


# --- the end of the wall ---


def passed(script: Script, seats: str) -> None:
    """Each seat throws what it drew, and nobody wants it."""
    for seat in seats:
        move = late_move(script.deal, int(seat))
        play.apply(script.deal, int(seat), move)
        script.close()


def test_without_a_dead_wall_the_loose_tiles_are_drawn_last() -> None:
    """A-9, A-29: two tiles besides the loose ones; all four are drawn in turn, then the hand is a draw."""
    script = Script(position(BLANK, turn=3, drawn="1z", draws="2z", tail="3z4z", live=4, procedure=GAME))
    last_but_two = script.deal.wall.rest()[1]
    passed(script, "3012")
    draws = [event.kind for event in script.events if isinstance(event, Drew)]
    assert draws == [kind("2z"), last_but_two, kind("3z"), kind("4z")]
    passed(script, "3")
    assert script.events[-1] == Exhausted()
    assert script.deal.wall.left() == 0


def test_with_a_dead_wall_fourteen_tiles_are_never_drawn() -> None:
    """Harr p. 60: the last fourteen, loose tiles included."""
    script = Script(position(BLANK, turn=3, drawn="1z", live=2, procedure=LIMIT))
    passed(script, "30")
    assert not script.deal.is_over()
    passed(script, "1")
    assert script.events[-1] == Exhausted()
    assert (script.deal.wall.left(), script.deal.wall.live()) == (14, 0)


def test_kongs_shorten_the_wall_that_may_be_drawn() -> None:
    """Harr p. 60: the fourteen are made up from the rest of the wall."""
    script = Script(position(("1111z", *BLANK[1:]), turn=0, drawn="9s", live=3, procedure=LIMIT))
    script.do(0, "concealed_gong 1z")
    assert (script.deal.wall.left(), script.deal.wall.live()) == (16, 2)
    passed(script, "012")
    assert script.events[-1] == Exhausted()


@both_parts
@pytest.mark.parametrize("live", [0, 1, 2])
def test_k06_no_kong_of_any_kind_without_a_tile_to_replace_it(live: int, game: Procedure) -> None:
    """K06, A-32: 0 left, none; 1 left, one, and its replacement 2z makes no second; 2 left, a second."""
    hands = ("1111z222z6m", "", "", "")
    deal = position(hands, melds=("666m", "", "", ""), drawn="9s", live=live, tail="2z1s"[: 2 * live], procedure=game)
    script = Script(deal)
    kongs = ["concealed_gong 1z", "promoted_gong 6m"]
    assert [move for move in script.legal(0) if "gong" in move] == (kongs if live else [])
    if not live:
        for move in kongs:
            script.refuses(0, move)
        return
    script.do(0, "concealed_gong 1z")
    assert script.events[-1] == Drew(0, kind("2z"), GONG_REPLACEMENT)
    assert ("concealed_gong 2z" in script.legal(0)) is ("promoted_gong 6m" in script.legal(0)) is (live == 2)
    assert script.deal.wall.live() == live - 1


@both_parts
def test_the_last_discard_may_be_claimed_for_a_set_once_then_to_win_only(game: Procedure) -> None:
    """A-10: East throws the last tile 5p. South may chow it or West pung it, not kong (A-32); what the claimant throws
    then, North may win on and nobody may take into a set."""
    hands = ("", "46p7s", "555p77s9s", "9s123m456m789m111z")
    for seat, move, form in ((1, "chow 456p", CHOW), (2, "pong 5p", PONG)):
        script = Script(position(hands, drawn="5p", live=0, procedure=game))
        script.discard(0, "5p")
        assert script.legal(1) == ["chow 456p", "pass"]
        assert script.legal(2) == ["pong 5p", "pass"]
        script.refuses(2, "gong 5p")
        script.do(seat, move)
        (melded,) = script.close()
        assert isinstance(melded, Melded)
        assert melded.meld.form == form
        assert [text for text in script.legal(seat) if "gong" in text or text == "win"] == []
        thrown = "7s" if seat == 1 else "9s"
        script.discard(seat, thrown)
        assert [script.legal(other) for other in SEATS if other != 3] == [[], [], []]
        assert script.legal(3) == (["win", "pass"] if thrown == "9s" else [])
        if thrown == "9s":
            script.do(3, "win")
            assert isinstance(script.close()[0], Won)
        else:
            assert script.close() == [Exhausted()]


def test_a_set_of_the_claimants_discard_is_offered_while_tiles_are_left() -> None:
    """A-10 is of the end of the wall alone: with a tile left the chain of claims goes on."""
    script = Script(position(("", "46p7s", "", "77s"), drawn="5p", live=1, procedure=GAME))
    script.discard(0, "5p")
    script.do(1, "chow 456p")
    script.close()
    script.discard(1, "7s")
    assert script.legal(3) == ["pong 7s", "pass"]


def test_a_kong_with_the_last_tile_is_followed_by_a_last_discard() -> None:
    """A-10, A-32: the claimed kong takes the last tile; what is thrown then may go into a set once."""
    script = Script(position(("", "", "555p", "99s"), drawn="5p", live=1, tail="9s", procedure=GAME))
    script.discard(0, "5p")
    script.do(2, "gong 5p")
    melded, drew = script.close()
    assert isinstance(melded, Melded)
    assert melded.meld.form == EXPOSED_GONG
    assert drew == Drew(2, kind("9s"), GONG_REPLACEMENT)
    script.discard(2, "9s")
    assert script.legal(3) == ["pong 9s", "pass"]
    script.do(3, "pass")
    assert script.close() == [Exhausted()]


@pytest.mark.parametrize(
    ("game", "left"), [(classical(flowers=True), 0), (with_limit(flowers=True, washing=()), 14)], ids=["I", "II"]
)
def test_w05_a_mandarin_as_the_last_tile_draws_the_hand(game: Procedure, left: int) -> None:
    """W05 d, A-30: it is shown, nothing can replace it, nobody is paid; in Part II once only the dead wall is left."""
    others = ("", "", "1f2f3f5f6f7f8f", "")
    script = Script(position(BLANK, flowers=others, turn=3, drawn="1z", draws="4f", live=1, procedure=game))
    script.discard(3, "1z")
    assert script.close() == [Drew(0, kind("4f"), WALL), FlowersExposed(0, (kind("4f"),)), Exhausted()]
    assert (script.deal.wall.left(), script.deal.hands[0].flowers) == (left, [kind("4f")])
    assert (script.deal.paid, scoring_records(script.deal), losing_records(script.deal)) == ([0] * 4, [], [])


def test_a_mandarin_after_a_kong_with_the_last_tile_draws_the_hand() -> None:
    """A-30."""
    game = classical(flowers=True)
    hands, others = ("1111z", "", "", ""), ("", "", "1f2f3f5f6f7f8f", "")
    script = Script(position(hands, flowers=others, drawn="9s", live=1, tail="4f", procedure=game))
    events = script.do(0, "concealed_gong 1z")
    assert events[1:] == [Drew(0, kind("4f"), GONG_REPLACEMENT), FlowersExposed(0, (kind("4f"),)), Exhausted()]


@both_parts
def test_the_last_tile_that_may_be_drawn_is_known_to_be_it(game: Procedure) -> None:
    """Harr p. 62: a win on it doubles in Part II; a win on its discard is an ordinary one."""
    hands = ("123m456m789m12p99s", "", "", "")
    script = Script(position(hands, turn=3, drawn="1z", draws="3p", live=1, procedure=game))
    script.pass_by(3, "1z")
    script.do(0, "win")
    (record,) = scoring_records(script.deal)
    assert (record.last_tile, record.replacement) == (True, False)


# --- hands laid down ---


def test_all_hands_are_shown_after_a_win_from_east_on() -> None:
    """All four are scored; the views of everybody show them, and the winner's."""
    script = Script(position(("123m456m789m12p99s", "", "", ""), dealer=2, drawn="3p", procedure=GAME))
    won, *shown = script.do(0, "win")
    assert isinstance(won, Won)
    assert [(event.seat, event.concealed) for event in shown if isinstance(event, HandShown)] == [
        (seat, script.deal.hands[seat].tiles()) for seat in (2, 3, 1)
    ]
    for viewer in (None, *SEATS):
        seen = view(script.deal, viewer)
        assert seen.phase == OVER
        assert [seat.concealed for seat in seen.seats] == [hand.tiles() for hand in script.deal.hands]
        assert [redact(event, viewer) for event in shown] == shown


def test_losing_records_tell_what_a_hand_is_scored_by() -> None:
    """From East on, without the winner: tiles at rest, sets, mandarins, winds."""
    game = classical(flowers=True)
    deal = position(
        ("123m456m789m12p99s", "", "", ""),
        melds=("", "222z (3333z)", "", ""),
        flowers=("", "", "2f5f", ""),
        turn=3,
        drawn="3p",
        dealer=3,
        procedure=game,
    )
    script = Script(deal)
    script.discard(3, "3p")
    script.do(0, "win")
    script.close()
    east, west, north = losing_records(deal)
    assert [record.seat_wind for record in (east, west, north)] == [0, 2, 3]
    assert [meld.kind for meld in west.melds] == [kind("2z"), kind("3z")]
    assert north.flowers == (kind("2f"), kind("5f"))
    assert [sum(record.counts) for record in (east, west, north)] == [13, 7, 13]
    (winner,) = scoring_records(deal)
    assert (winner.seat_wind, winner.from_wind) == (1, 0)


def test_a_drawn_hand_shows_and_scores_nothing() -> None:
    """A-35."""
    script = Script(position(BLANK, turn=3, drawn="1z", live=0, procedure=GAME))
    passed(script, "3")
    assert script.events[-1:] == [Exhausted()]
    assert script.deal.shown == 0
    assert losing_records(script.deal) == []


def test_records_wait_for_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        losing_records(started(BLANK, procedure=GAME))


def test_only_winners_are_scored_where_hands_stay_hidden() -> None:
    script = Script(position(("123m456m789m12p99s", "", "", ""), drawn="3p", procedure=classical(show_hands=False)))
    assert len(script.do(0, "win")) == 1
    assert losing_records(script.deal) == []


# --- washing ---

NINE = "19m19p19s123z2288s"
QUIET = ("23456m23456p234s", "34567m34567p345s", "45678m45678p567s", "45678m45678p678s")
"""Hands without heads."""
TWO_WASH = (QUIET[0], "19m19p19s1235z288s", QUIET[2], "19m19p19s1267z288s")
WASH = with_limit()


def opened(
    hands: tuple[str, ...], dealer: int = 0, game: Procedure = WASH, tail: str = ""
) -> tuple[Script, list[Event]]:
    deal, events = play.start(game, scripted_wall(hands, tail=tail, dealer=dealer, procedure=game), (), dealer)
    return Script(deal), events


def test_the_window_opens_in_every_deal_and_tells_nothing() -> None:
    """Whoever could wash or nobody: the events and views of everybody else are the same, and then East is on turn."""
    for hands in (QUIET, (QUIET[0], NINE, *QUIET[2:])):
        script, events = opened(hands)
        assert events[-1] == WashingOpened()
        seen = view(script.deal, None)
        assert (seen.phase, seen.turn, seen.moves) == (WASHING, 0, ())
        assert script.close() == [WashingClosed()]
        assert isinstance(script.deal.phase, Discarding)
        assert (script.deal.phase.seat, script.deal.phase.opening) == (0, True)


def test_no_window_where_nobody_washes() -> None:
    for game in (GAME, LIMIT):
        script, events = opened((NINE, *QUIET[1:]), game=game)
        assert WashingOpened() not in events
        assert "wash" not in script.legal(0)


@pytest.mark.parametrize(
    ("heads", "hand", "each"),
    [
        (8, "19m19p19s12z22288s", 0),
        (8, "1199m1199p19s12z2s", 0),
        (9, NINE, 50),
        (10, "19m19p19s1234z288s", 70),
        (11, "19m19p19s12345z28s", 100),
        (12, "19m19p19s123456z2s", 150),
        (13, "19m19p19s1234567z", 200),
    ],
)
@pytest.mark.parametrize("seat", SEATS)
def test_different_heads_are_counted_and_paid_for(seat: int, heads: int, hand: str, each: int) -> None:
    """Harr p. 61: 9 to 13 different heads; from each player 50, 70, 100, 150 or 200, no more for or from East; no
    winner, and the hand is shown."""
    hands = list(QUIET)
    hands[seat] = hand
    # East's fourteenth tile is no head here.
    hands[0] += "8s"
    script, _ = opened(tuple(hands))
    dealt = script.deal.hands[seat].tiles()
    if not each:
        assert script.legal(seat) == []
        return
    assert script.legal(seat)[-2:] == ["wash", "pass"]
    script.do(seat, "wash")
    shown, washed, paid = script.close()
    assert (shown, washed) == (HandShown(seat, dealt), Washed(seat, heads))
    assert isinstance(paid, Paid)
    assert (paid.seat, paid.reason) == (seat, WASHED)
    assert paid.changes == tuple(3 * each if other == seat else -each for other in SEATS)
    assert script.deal.paid == list(paid.changes)
    assert isinstance(script.deal.phase, Over)
    assert script.deal.phase.winners == ()
    assert (scoring_records(script.deal), losing_records(script.deal)) == ([], [])
    assert view(script.deal, None).seats[seat].concealed == dealt
    assert set(view(script.deal, None).seats[(seat + 1) % 4].concealed) == {-1}


def test_heads_are_counted_after_mandarins_are_replaced() -> None:
    """A-30: eight heads and a mandarin; its replacement is the ninth."""
    game = with_limit(flowers=True)
    for tile, moves in (("3z", ["wash", "pass"]), ("1m", [])):
        script, events = opened((QUIET[0], "19m19p19s12z2288s3f", *QUIET[2:]), game=game, tail=tile)
        assert events[-2:] == [Drew(1, kind(tile), 1), WashingOpened()]
        assert script.legal(1) == moves


def test_one_of_easts_fourteen_may_be_the_ninth_head() -> None:
    """Harr p. 61: original 13, East 14."""
    script, _ = opened(("19m19p19s12z22288s3z", *QUIET[1:]))
    assert script.deal.hands[0].size == 14
    assert script.legal(0) == ["wash", "pass"]


def test_the_nearest_washer_from_east_on_washes() -> None:
    for dealer, first in ((0, 1), (1, 1), (2, 3), (3, 3)):
        script, _ = opened(TWO_WASH, dealer=dealer)
        for seat in (3, 1):
            script.do(seat, "wash")
        washed = script.close()[1]
        assert isinstance(washed, Washed)
        assert washed.seat == first


def test_easts_complete_hand_goes_before_a_washer() -> None:
    """East's original hand, whether or not South washes; South's hand is scored like any other."""
    script, _ = opened(("123456789m123p99s", "19m19p19s1235z288s", "", ""))
    assert script.legal(0) == ["win", "pass"]
    assert script.legal(1) == ["wash", "pass"]
    script.do(1, "wash")
    script.do(0, "win")
    won, *shown = script.close()
    assert won == Won(0, BY_DEALT, -1, -1, tuple(parse_tiles("123456789m123p99s")))
    assert [event.seat for event in shown if isinstance(event, HandShown)] == [1, 2, 3]
    assert problems(script.deal) == []


def test_east_may_win_or_wash_with_single_heads() -> None:
    """One of each head and a pair: complete, and thirteen different heads. He may also wait for his turn."""
    hands = ("19m19p19s12345677z", "", "", "")
    script, _ = opened(hands)
    assert script.legal(0) == ["win", "wash", "pass"]
    script.do(0, "pass")
    assert script.close() == [WashingClosed()]
    assert script.legal(0)[0] == "win"
    assert "wash" not in script.legal(0)


def test_nobody_washes_later() -> None:
    script, _ = opened((QUIET[0], NINE, *QUIET[2:]))
    script.close()
    script.pass_by(0, "2m")
    script.refuses(1, "wash")


def test_answers_to_the_window_are_answers_like_others() -> None:
    """One answer a seat, in any order, secret until it closes; late is a pass; the rest may do nothing."""
    for first, second in product(("wash", "pass"), repeat=2):
        script, _ = opened(TWO_WASH)
        assert script.waiting() == (1, 3)
        assert late_move(script.deal, 1) is PASS_MOVE
        before = view(script.deal, 0)
        assert script.do(3, second) == []
        assert script.do(1, first) == []
        assert view(script.deal, 0) == before
        for seat in SEATS:
            assert script.refuses(seat, "wash")
        copy = script.deal.copy()
        events = script.close()
        assert play.close(copy) == events
        assert isinstance(
            events[1] if len(events) > 1 else events[0], Washed if "wash" in (first, second) else WashingClosed
        )


def test_what_the_answers_come_to_does_not_depend_on_their_order() -> None:
    """`resolve_washing` sees answers only: the dealer's win, then the first washer in turn."""
    for dealer in SEATS:
        for answers in product((None, PASS_MOVE, WASH_MOVE), repeat=4):
            washers = [seat for seat in [(dealer + turn) % 4 for turn in range(4)] if answers[seat] is WASH_MOVE]
            assert resolve_washing(dealer, answers) == ((washers[0], WASH_MOVE) if washers else None)
            winning = list(answers)
            winning[dealer] = WIN_MOVE
            assert resolve_washing(dealer, winning) == (dealer, WIN_MOVE)


def test_folding_the_events_gives_the_window_back() -> None:
    """Open, closed and washed."""
    for close in (False, True):
        deal, events = play.start(WASH, scripted_wall(TWO_WASH, procedure=WASH))
        assert isinstance(play.fold(WASH, events).phase, Washing)
        assert play.same_state(play.fold(WASH, events), deal)
        if not close:
            play.apply(deal, 3, WASH_MOVE)
        events += play.close(deal)
        assert play.same_state(play.fold(WASH, events), deal)
        assert deal.is_over() is not close


def test_a_shorter_list_of_payments_ends_with_its_last() -> None:
    """A house may pay ten heads and more alike."""
    script, _ = opened(("", "19m19p19s1234567z", "", ""), game=with_limit(washing=(50, 80)))
    script.do(1, "wash")
    assert script.close()[-1] == Paid(1, WASHED, (-80, 240, -80, -80))


# --- the next deal ---


def finished(match: Match, deal: Deal) -> None:
    match.pay([])
    match.finish(deal, (0, 0, 0, 0))


def dealt(match: Match, hands: tuple[str, ...], game: Procedure) -> Script:
    due = match.next_deal()
    deal, _ = play.start(
        game, scripted_wall(hands, dealer=due.dealer, procedure=game), (), due.dealer, due.round_wind, due.streak
    )
    return Script(deal)


def test_east_stays_after_washing_and_the_payment_counts() -> None:
    """Harr p. 61: no doubling, East stays; also where a drawn hand passes the deal on."""
    for stays in (True, False):
        game = with_limit(dealer_stays_on_draw=stays)
        match = Match(game)
        script = dealt(match, TWO_WASH, game)
        script.do(3, "wash")
        match.pay(script.close())
        match.finish(script.deal, (0, 0, 0, 0))
        assert (match.dealer, match.round_wind, match.streak, match.index) == (0, 0, 0, 1)
        assert match.scores == [-70, -70, -70, 210]


def test_east_stays_as_often_as_he_wins() -> None:
    """Harr p. 13, A-26: no cap on wins in a row; anybody else's win passes the deal to his right."""
    match = Match(GAME)
    for turn in range(12):
        script = dealt(match, ("123456789m123p99s", "", "", ""), GAME)
        script.do(0, "win")
        finished(match, script.deal)
        assert (match.dealer, match.streak) == (0, turn + 1)
    script = dealt(match, ("3p", "123456789m12p99s", "", ""), GAME)
    script.discard(0, "3p")
    script.do(1, "win")
    script.close()
    finished(match, script.deal)
    assert (match.dealer, match.streak) == (1, 0)


def test_east_stays_after_a_drawn_hand() -> None:
    """Harr p. 13, A-10, A-35: no payments."""
    match = Match(GAME)
    script = dealt(match, BLANK, GAME)
    while not script.deal.is_over():
        phase = script.deal.phase
        if isinstance(phase, Discarding):
            play.apply(script.deal, phase.seat, late_move(script.deal, phase.seat))
        else:
            play.close(script.deal)
    assert script.deal.wall.left() == 0
    finished(match, script.deal)
    assert (match.dealer, match.scores) == (0, [0] * 4)


def test_the_round_wind_moves_on_after_four_lost_deals() -> None:
    """Harr p. 59-60, A-35: E, S, W, N; four rounds are a match."""
    match = Match(GAME)
    winds = []
    while not match.over:
        due = match.next_deal()
        winds.append(due.round_wind)
        winner = (due.dealer + 1) % 4
        hands = list(BLANK)
        hands[due.dealer], hands[winner] = "3p", "123456789m12p99s"
        script = dealt(match, tuple(hands), GAME)
        script.discard(due.dealer, "3p")
        script.do(winner, "win")
        script.close()
        finished(match, script.deal)
    assert winds == [wind for wind in range(4) for _ in range(4)]
