"""Faults R, K, W, P and S as the classical game meets them: thirteen tiles, all hands scored (the CL half of each)."""

from itertools import permutations

import pytest

from parlour_engine import play
from parlour_engine.events import (
    BY_DISCARD,
    FLOWER_REPLACEMENT,
    GONG_REPLACEMENT,
    Drew,
    Exhausted,
    FlowersExposed,
    HandShown,
    Melded,
    Won,
)
from parlour_engine.legal import late_move, legal_moves
from parlour_engine.melds import PONG
from parlour_engine.notation import hand_text, parse_tiles, tile_text
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.phases import Discarding
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.seats import SEATS
from parlour_engine.views import view
from tests.faults.test_r import count_along
from tests.kit.classical import classical, ruleset
from tests.kit.script import Script
from tests.kit.walks import Walk, eager
from tests.kit.walls import kind, position, scripted_wall, started

GAME = classical()
MANDARINS = classical(flowers=True)
STRAYS = "147m369p369s"
"""Nine tiles that make nothing."""


def settled(script: Script) -> Settlement:
    deal = script.deal
    chosen = ruleset("classical").with_options({"mandarins": True})
    return settle(chosen, scoring_records(deal), losing_records(deal))


# --- R ---


def test_r01_a_lower_claim_swallows_no_higher_one() -> None:
    """R01: P1 waits for 5m and East and takes the pung, P2 waits for 5m and wins: he does in all orders."""
    hands = ("", "55m123p456p789s11z", "46m111s222s789p33z", "")
    for order in permutations(((1, "pong 5m"), (2, "win"))):
        script = Script(position(hands, drawn="5m", procedure=GAME))
        script.discard(0, "5m")
        assert [script.legal(1), script.legal(2)] == [["win", "pong 5m", "pass"], ["win", "pass"]]
        for seat, move in order:
            script.do(seat, move)
        (won, *_) = script.close()
        assert isinstance(won, Won)
        assert won.seat == 2


@pytest.mark.parametrize(("one", "winner"), [("chow 456m", None), ("win", 1)])
def test_r01_the_second_half(one: str, winner: int | None) -> None:
    """R01, test 2: P1 can win or chow, P2 can only pung."""
    hands = ("", "46m123p456p789s11z", "55m147p258s12345z", "")
    for order in permutations(((1, one), (2, "pong 5m"))):
        script = Script(position(hands, drawn="5m", procedure=GAME))
        script.discard(0, "5m")
        for seat, move in order:
            script.do(seat, move)
        event = script.close()[0]
        if winner is None:
            assert isinstance(event, Melded)
            assert (event.seat, event.meld.form) == (2, PONG)
        else:
            assert isinstance(event, Won)
            assert event.seat == winner


@pytest.mark.parametrize(("held", "chows"), [("46p", 1), ("3467p", 3)])
def test_r03_a_chow_needs_no_pung_beside_it(held: str, chows: int) -> None:
    """R03: three seats hold 4p6p, only the next one is offered chows, all that there are."""
    script = Script(position(("", held, "46p", "46p"), drawn="5p", procedure=GAME))
    script.discard(0, "5p")
    assert len([move for move in script.legal(1) if move.startswith("chow")]) == chows
    assert script.legal(2) == script.legal(3) == []


def test_r06_a_chow_into_four_sets_leaves_a_discard() -> None:
    """R06: three sets down and 2344m; P3 on the left discards 1m. 1-2-3 is offered, and 4m is the only discard then."""
    melds = ("456p 789p 123s", "", "", "")
    script = Script(position(("2344m", "", "", ""), melds=melds, turn=3, drawn="1m", procedure=GAME))
    script.discard(3, "1m")
    assert script.legal(0) == ["win", "chow 123m", "pass"]
    script.do(0, "chow 123m")
    script.close()
    assert script.legal(0) == ["discard 4m"]


@pytest.mark.parametrize("tile", [tile_text(number) for number in range(34)])
def test_r07_the_eyes_inside_a_pung_are_found(tile: str) -> None:
    """R07: 4555m123p789sEEE waits for exactly 3m, 4m and 6m."""
    wins = tile in {"3m", "4m", "6m"}
    hands = ("4555m123p789s111z", "", "", "")
    assert ("win" in Script(position(hands, drawn=tile, procedure=GAME)).legal(0)) is wins
    script = Script(position(hands, turn=2, drawn=tile, procedure=GAME))
    script.discard(2, tile)
    assert ("win" in script.legal(0)) is wins


@pytest.mark.parametrize(("tile", "wins"), [("4s", False), ("6p", True)])
def test_r08_four_sets_without_eyes_do_not_win(tile: str, wins: bool) -> None:
    """R08: four sets down, the last tile in hand is 6p; drawn or claimed."""
    melds = ("123m 456m 789m 777z", "", "", "")
    drew = Script(position(("6p", "", "", ""), melds=melds, drawn=tile, procedure=GAME))
    assert ("win" in drew.legal(0)) is wins
    if not wins:
        drew.refuses(0, "win")
    script = Script(position(("6p", "", "", ""), melds=melds, turn=1, drawn=tile, procedure=GAME))
    script.discard(1, tile)
    assert ("win" in script.legal(0)) is wins


def test_r09_every_hand_has_its_tiles_at_every_event() -> None:
    """R09, a thousandth of a million deals: thirteen, fourteen on turn; the winner is shown with fourteen, and then the
    others with thirteen, each gong counted as three."""
    for seed in range(1000):
        walk = Walk(seed, MANDARINS if seed % 2 else GAME, eager)
        walk.to_the_end()
        count_along(seed, walk)
        for event in walk.events:
            if isinstance(event, HandShown):
                assert len(event.concealed) + 3 * len(walk.deal.hands[event.seat].melds) == 13, (seed, event)


# --- K ---

ROBBER = "46p123m789m222s11z"


def test_k01_a_robber_may_win_or_pass_and_nobody_else_anything() -> None:
    """K01: P2 adds the fourth 2m, P0 waits for it."""
    hands = ("13m123p456p789s11z", "", "2m", "")
    script = Script(position(hands, melds=("", "", "222m", ""), turn=2, drawn="9s", procedure=GAME))
    script.do(2, "promoted_gong 2m")
    assert [script.legal(seat) for seat in SEATS] == [["win", "pass"], [], [], []]
    for seat, move in ((0, "discard 1m"), (0, "chow 123m"), (2, "discard 9s"), (1, "pass")):
        script.refuses(seat, move)


def test_k03_k04_a_robbed_kong_is_an_exposed_pung_when_all_hands_are_scored() -> None:
    """K03, K04: P0 (East) adds 5p, P1 (South) robs it. 20 for Mah-Jongg; 222s concealed 4; the eyes are another's wind;
    5p between 4 and 6 is the only place, 2: 26, from East double. East's own score is the 2 of an exposed pung, not 8
    of a kong, and nothing is paid for robbing."""
    hands = ("5p147m28p36s27z", ROBBER, STRAYS + "2345z", STRAYS + "3456z")
    script = Script(position(hands, melds=("555p", "", "", ""), drawn="9s", procedure=GAME))
    left = script.deal.wall.left()
    script.do(0, "promoted_gong 5p")
    script.do(1, "win")
    script.close()
    settlement = settled(script)
    scores = {entry.seat_wind: entry.score.total for entry in settlement.entries}
    assert scores == {1: 26, 0: 2, 2: 0, 3: 0}
    # East pays 52 to South and gets 2 doubled from each of the other two.
    assert settlement.net == (-52 + 4 + 4, 52 + 26 + 26, -26 - 4, -26 - 4)
    assert script.deal.wall.left() == left
    held = [hand.counts[kind("5p")] + hand.declared[kind("5p")] for hand in script.deal.hands]
    assert (held, script.deal.wins[0].kind) == ([3, 0, 0, 0], kind("5p"))


def test_k07_six_kongs_and_eight_mandarins_take_fourteen_loose_tiles() -> None:
    """K07: each replacement is the loose tile that is due, and the deal ends by the rules with an empty wall."""
    hands = ("1111z2222z3333z56z", "1111m2222m3333m6m", "", "")
    tail = "1f2f9p3f9p4f9p" + "5f6f9s7f9s8f9s"
    wall = scripted_wall(hands, draws="7z", tail=tail, procedure=MANDARINS)
    deal, _ = play.start(MANDARINS, wall)
    script = Script(deal)
    for tile in "123":
        script.do(0, f"concealed_gong {tile}z")
    script.pass_by(0, "5z")
    for tile in "123":
        script.do(1, f"concealed_gong {tile}m")
    drawn = [event for event in script.events if isinstance(event, Drew) and event.source != 0]
    assert [event.kind for event in drawn] == parse_tiles(tail)
    assert [event.source for event in drawn].count(GONG_REPLACEMENT) == 6
    assert (deal.wall.left(), deal.paid) == (144 - 53 - 1 - 14, [0] * 4)
    while not deal.is_over():
        phase = deal.phase
        if isinstance(phase, Discarding):
            script.do(phase.seat, f"discard {tile_text(late_move(deal, phase.seat).kind)}")
        else:
            script.close()
    assert script.events[-1] == Exhausted()
    assert deal.wall.left() == 0


def test_k09_a_tile_in_another_set_is_not_added_to_a_pung() -> None:
    """K09: the fourth 5p lies in P0's own chow."""
    script = Script(position(("", "", "", ""), melds=("555p 456p", "", "", ""), drawn="9s", procedure=GAME))
    assert "promoted_gong 5p" not in script.legal(0)
    script.refuses(0, "promoted_gong 5p")


def test_k10_the_fourth_tile_may_be_added_at_a_later_turn() -> None:
    """K10: a pung of 3s; the fourth is drawn and kept, offered at that draw and at the next own one."""
    script = Script(
        position(("9m", "", "", ""), melds=("333s", "", "", ""), drawn="3s", draws="2z2z2z9p", procedure=GAME)
    )
    assert "promoted_gong 3s" in script.legal(0)
    script.pass_by(0, "9m")
    for seat in (1, 2, 3):
        script.pass_by(seat, "2z")
    assert "promoted_gong 3s" in script.legal(0)


# --- W ---


def test_w02_easts_first_turn_after_a_mandarin_offers_the_win_and_the_kong() -> None:
    """W02."""
    for hand, move in (("123456789m12p99s1f", "win"), ("1111m258p258s99m5z1f", "concealed_gong 1m")):
        script = Script(started((hand, "", "", ""), tail="3p", procedure=MANDARINS))
        assert move in script.legal(0)


def test_w05_eight_mandarins_in_a_row() -> None:
    """W05 a and b: eight replacements, then a full hand and a turn; seven win nothing, and an eighth takes none."""
    wall = scripted_wall(("1f", "", "", ""), tail="2f3f4f5f6f7f8f9p", procedure=MANDARINS)
    deal, events = play.start(MANDARINS, wall)
    assert hand_text([event.kind for event in events if isinstance(event, Drew)]) == hand_text(
        parse_tiles("2f3f4f5f6f7f8f9p")
    )
    assert len(deal.hands[0].flowers) == 8
    assert deal.hands[0].size == 14
    assert legal_moves(deal, 0)
    dealt = ("", "1f2f3f4f5f6f7f", "", "")
    wall = scripted_wall(dealt, draws="9p8f", tail="1p2p3p4p5p6p7p9s", procedure=MANDARINS)
    deal, _ = play.start(MANDARINS, wall)
    script = Script(deal)
    script.pass_by(0, script.legal(0)[-1].split()[1])
    events = script.pass_by(1, "9p")
    assert events[-3:] == [
        Drew(2, kind("8f"), 0),
        FlowersExposed(2, (kind("8f"),)),
        Drew(2, kind("9s"), FLOWER_REPLACEMENT),
    ]
    assert [hand.flowers for hand in deal.hands] == [[], parse_tiles("1234567f"), parse_tiles("8f"), []]


def test_w05_a_mandarin_between_the_kong_and_the_win() -> None:
    """W05 e, A-14: the kong draws a mandarin, its replacement completes the hand: a win on a loose tile."""
    hands = ("1111z456789m22p78s", "", "", "")
    script = Script(started(hands, tail="4f9s", procedure=MANDARINS))
    script.do(0, "concealed_gong 1z")
    script.do(0, "win")
    (record,) = scoring_records(script.deal)
    assert (record.replacement, record.gong_on_gong, record.flowers) == (True, False, (kind("4f"),))
    # 20, 10 for the loose tile, 2 for drawing, 32 for the concealed kong, which is of his own wind and doubles.
    assert settled(script).entries[0].score.total == 2 * (20 + 10 + 2 + 32)


# --- P ---

P01 = ("258m178p489s2356z", "46p123m456m789m11z", "34p222s333s666s22z", "5p111m999m777m333z")


def test_p01_one_of_three_is_paid_by_everybody() -> None:
    """P01, `nearest`: P1 (South) has three runs in hand, and 5p between 4 and 6: 20 and 2 for the only place. The three
    others settle with each other: West has three concealed pungs of simples 12, and his eyes are South's wind, not his;
    North has one of simples 4, two of heads 8 each, and three Wests 8: 28. East has nothing."""
    nets = set()
    for order in permutations((1, 2, 3)):
        script = Script(position(P01, drawn="5p", procedure=GAME))
        script.discard(0, "5p")
        for seat in order:
            script.do(seat, "win")
        (won, *_) = script.close()
        assert isinstance(won, Won)
        assert (won.seat, won.by) == (1, BY_DISCARD)
        settlement = settled(script)
        assert {entry.seat_wind: entry.score.total for entry in settlement.entries} == {1: 22, 0: 0, 2: 12, 3: 28}
        nets.add(settlement.net)
    # East pays all three double; South gets 22 from the others, North gets 16 from West.
    assert nets == {(-44 - 24 - 56, 44 + 22 + 22, -22 - 16 + 24, -22 + 56 + 16)}


# --- S ---


def test_s09_mandarins_count_for_winners_and_losers() -> None:
    """S09: East keeps 1f and 5f through a claim, a kong and a robbed kong; both are his own and double: an exposed pung
    2, one of heads 4, an exposed kong of heads 16 make 22 and 88. South's own 2f doubles his 26."""
    hands = ("5p99m2z", ROBBER, STRAYS + "2345z", STRAYS + "3456z")
    deal = position(
        hands,
        melds=("555p 111s 1111p", "", "", ""),
        flowers=("1f5f", "2f", "", ""),
        drawn="7m",
        procedure=MANDARINS,
    )
    script = Script(deal)
    script.do(0, "promoted_gong 5p")
    script.do(1, "win")
    script.close()
    records = {record.seat_wind: record for record in scoring_records(deal) + losing_records(deal)}
    assert records[0].flowers == tuple(parse_tiles("1f5f"))
    assert records[1].flowers == (kind("2f"),)
    settlement = settled(script)
    assert {entry.seat_wind: entry.score.total for entry in settlement.entries} == {1: 52, 0: 88, 2: 0, 3: 0}


def test_s12_a_wait_for_a_fifth_tile_is_none() -> None:
    """S12: EEESSSWWWNNNN waits for nothing: no win is offered, whatever is thrown or drawn."""
    hand = "111222333z4444z"
    for tile in range(34):
        if tile == kind("4z"):
            continue
        text = tile_text(tile)
        drew = Script(position((hand, "", "", ""), drawn=text, procedure=GAME))
        assert "win" not in drew.legal(0)
        script = Script(position((hand, "", "", ""), turn=3, drawn=text, procedure=GAME))
        script.discard(3, text)
        assert [move for move in view(script.deal, 0).moves if move.verb == 7] == []
