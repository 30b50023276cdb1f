"""Claims on a discard: who may claim what, which claim comes true, several winners, the swap."""

from itertools import combinations_with_replacement, permutations, product

import pytest

from parlour_engine import claims
from parlour_engine.events import BY_DISCARD, GONG_REPLACEMENT, Drew, Exhausted, Melded, Won
from parlour_engine.hand import Hand
from parlour_engine.legal import legal_moves
from parlour_engine.melds import CHOW, EXPOSED_GONG, PONG, Meld
from parlour_engine.moves import CHOWS, GONGS, PASS_MOVE, PONGS, WIN_MOVE, IllegalMove, Move
from parlour_engine.notation import hand_text, parse_tiles
from parlour_engine.phases import Claiming, Discarding, Over
from parlour_engine.play import apply, close
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from tests.kit.script import Script
from tests.kit.walls import kind, position

THREE_WAIT_5P = ("", "46p123m456m789m11z777s", "34p222s333s666s22z123s", "5p111m999m777m333z555s")
"""P01: three hands that wait for 5p, five and a half sets each."""


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([None, WIN_MOVE, PONGS[3], None], [(1, WIN_MOVE)]),
        ([None, CHOWS[3], PONGS[3], None], [(2, PONGS[3])]),
        ([None, CHOWS[3], None, GONGS[3]], [(3, GONGS[3])]),
        ([None, CHOWS[3], PASS_MOVE, PASS_MOVE], [(1, CHOWS[3])]),
        ([None, PASS_MOVE, PASS_MOVE, WIN_MOVE], [(3, WIN_MOVE)]),
        ([None, WIN_MOVE, WIN_MOVE, WIN_MOVE], [(1, WIN_MOVE), (2, WIN_MOVE), (3, WIN_MOVE)]),
        ([None, PASS_MOVE, None, PASS_MOVE], []),
    ],
)
def test_the_order_of_claims(answers: list[Move | None], expected: list[tuple[Seat, Move]]) -> None:
    """P12: Mahjong before gong before pong before chow; P16: all winners, in turn order."""
    assert list(claims.resolve(0, answers, nearest_winner_only=False)) == expected


def test_winners_are_settled_from_the_payers_right() -> None:
    """P16: the seat that plays next after the payer comes first."""
    answers: list[Move | None] = [WIN_MOVE, WIN_MOVE, None, WIN_MOVE]
    assert [seat for seat, _ in claims.resolve(2, answers, nearest_winner_only=False)] == [3, 0, 1]
    assert [seat for seat, _ in claims.resolve(2, answers, nearest_winner_only=True)] == [3]


def test_a_chow_is_offered_to_the_next_player_alone() -> None:
    """P12, R03: P1, P2, P3 hold 4p6p; only P1 may chow, in one way; with 3467p in three."""
    safe = "1z1m9s"
    script = Script(position(("", "46p" + safe, "46p2z2m8s", "46p3z3m7s"), drawn="5p"))
    script.discard(0, "5p")
    assert [move for move in script.legal(1) if "chow" in move] == ["chow 456p"]
    assert not [move for seat in (2, 3) for move in script.legal(seat) if "chow" in move]
    script = Script(position(("", "3467p" + safe, "", ""), drawn="5p"))
    script.discard(0, "5p")
    assert [move for move in script.legal(1) if "chow" in move] == ["chow 345p", "chow 456p", "chow 567p"]


def _is_run(tiles: tuple[int, int, int]) -> bool:
    low, middle, high = sorted(tiles)
    return high < 27 and low // 9 == high // 9 and middle == low + 1 and high == low + 2


def test_a_chow_is_three_consecutive_ranks_of_one_suit() -> None:
    """R04: 34 discards by 595 pairs of kinds: 20,230 chow commands, legal exactly for a run."""
    deal = position(("", "", "", ""), turn=0, drawn="9s")
    asked = 0
    for one, other in combinations_with_replacement(range(34), 2):
        hand = Hand()
        for tile in (one, other):
            hand.add(tile)
        # Stand-ins: fourteen further tiles that cannot be in any chow with these, so that the pair alone decides.
        hand.size += 14
        hand.mask = 0
        deal.hands[1] = hand
        for discard in range(34):
            asked += 1
            deal.phase = Discarding(0, discard)
            deal.hands[0] = Hand()
            deal.hands[0].add(discard)
            deal.hands[0].fresh, deal.hands[0].mask = discard, 0
            deal.legal = None
            apply(deal, 0, next(move for move in legal_moves(deal, 0) if move.kind == discard and move.verb == 0))
            chows = [move for move in legal_moves(deal, 1) if move in CHOWS.values()]
            expected = [CHOWS[min(one, other, discard)]] if _is_run((one, other, discard)) else []
            assert chows == expected, (one, other, discard)
            lows = [low for low in (discard - 2, discard - 1, discard) if low in CHOWS and CHOWS[low] not in expected]
            for low in lows:
                with pytest.raises(IllegalMove):
                    apply(deal, 1, CHOWS[low])
    assert asked == 34 * 595


def test_a_chow_takes_two_tiles_and_the_discard() -> None:
    script = Script(position(("", "46p", "", ""), drawn="5p"))
    script.discard(0, "5p")
    before = list(script.deal.hands[1].counts)
    script.do(1, "chow 456p")
    assert script.close() == [Melded(1, Meld(CHOW, kind("4p"), kind("5p"), 0))]
    after = script.deal.hands[1].counts
    assert [was - now for was, now in zip(before, after, strict=True)] == [
        1 if tile in parse_tiles("46p") else 0 for tile in range(34)
    ]
    assert kind("5p") not in script.deal.discards[0][-1:]
    phase = script.deal.phase
    assert isinstance(phase, Discarding)
    assert (phase.seat, phase.drawn, phase.claimed) == (1, -1, kind("5p"))


def test_a_pong_may_come_from_any_seat_and_skips_the_turn() -> None:
    """P12: P3 pongs P0's discard and plays on; the next draw is P0's."""
    script = Script(position(("", "", "", "44p9s"), drawn="4p", draws="1m"))
    script.discard(0, "4p")
    script.do(3, "pong 4p")
    assert script.close() == [Melded(3, Meld(PONG, kind("4p"), kind("4p"), 0))]
    assert isinstance(script.pass_by(3, "9s")[-1], Drew)
    assert isinstance(script.deal.phase, Discarding)
    assert script.deal.phase.seat == 0


@pytest.mark.parametrize("claimant", [1, 2, 3])
def test_an_open_gong_may_be_claimed_from_any_seat(claimant: Seat) -> None:
    """P14: three in hand, the left neighbour's discard included; replaced from the flower wall; nobody pays."""
    hands = ["", "", "", ""]
    hands[claimant] = "444p"
    script = Script(position(hands, drawn="4p", tail="2s"))
    script.discard(0, "4p")
    assert {"gong 4p", "pong 4p"} <= set(script.legal(claimant))
    script.do(claimant, "gong 4p")
    assert script.close() == [
        Melded(claimant, Meld(EXPOSED_GONG, kind("4p"), kind("4p"), 0)),
        Drew(claimant, kind("2s"), GONG_REPLACEMENT),
    ]
    assert script.deal.paid == [0, 0, 0, 0]


R01_HANDS = ("", "55m123p456p789s333z11z", "46m111s222s78p9p22z444z", "")


def test_a_win_beats_a_pong_in_every_order_of_answers() -> None:
    """R01: P1 can win or pong and pongs, P2 wins; the third answer is P3's pass where it has any."""
    for order in permutations((1, 2)):
        script = Script(position(R01_HANDS, drawn="5m"))
        script.discard(0, "5m")
        assert {"win", "pong 5m"} <= set(script.legal(1))
        assert "win" in script.legal(2)
        for seat in order:
            script.do(seat, "pong 5m" if seat == 1 else "win")
        (won,) = script.close()
        assert isinstance(won, Won)
        assert (won.seat, won.by, won.source, won.kind) == (2, BY_DISCARD, 0, kind("5m"))


def test_a_pong_beats_a_chow_and_a_win_beats_both() -> None:
    """R01, second half; R02: the answer that came first does not count more."""
    hands = ("", "46m123p456p789s333z11z", "55m147p258s1234567z9p", "")
    for order in permutations((1, 2)):
        for first, expected in (("chow 456m", 2), ("win", 1)):
            script = Script(position(hands, drawn="5m"))
            script.discard(0, "5m")
            for seat in order:
                script.do(seat, first if seat == 1 else "pong 5m")
            event = script.close()[0]
            assert isinstance(event, (Melded, Won))
            assert event.seat == expected


def test_everybody_who_calls_the_tile_wins() -> None:
    """P16, P01: three winners on one discard, in turn order, whatever order they called in; one silent is no winner."""
    for order in permutations((1, 2, 3)):
        script = Script(position(THREE_WAIT_5P, drawn="5p"))
        script.discard(0, "5p")
        for seat in order:
            script.do(seat, "win")
        events = script.close()
        assert [won.fields()[0] for won in events] == [1, 2, 3]
        assert script.deal.phase.winners == (1, 2, 3) if isinstance(script.deal.phase, Over) else False
        for won in events:
            assert isinstance(won, Won)
            assert won.concealed == tuple(sorted(parse_tiles(THREE_WAIT_5P[won.seat])))
    for silent in (1, 2, 3):
        script = Script(position(THREE_WAIT_5P, drawn="5p"))
        script.discard(0, "5p")
        for seat in {1, 2, 3} - {silent}:
            script.do(seat, "win")
        assert len(script.close()) == 2


def test_only_the_nearest_wins_where_the_switch_says_so() -> None:
    """P16, A-87, switch `winners` = nearest."""
    for order in permutations((1, 2, 3)):
        script = Script(position(THREE_WAIT_5P, drawn="5p", procedure=Procedure(nearest_winner_only=True)))
        script.discard(0, "5p")
        for seat in order:
            script.do(seat, "win")
        (won,) = script.close()
        assert isinstance(won, Won)
        assert won.seat == 1


def test_resolution_does_not_depend_on_the_order_of_answers() -> None:
    """House rule: every combination of answers, in all six orders, gives one result."""
    hands = ("", "46p777p123m456m11z789s", "55p22z123s345s678s999s", "34p222s111m333z44z678m")
    fresh = position(hands, drawn="5p")
    apply(fresh, 0, next(move for move in legal_moves(fresh, 0) if move.kind == kind("5p")))
    assert isinstance(fresh.phase, Claiming)
    options = [[None, *legal_moves(fresh, seat)] for seat in (1, 2, 3)]
    assert [len(choice) for choice in options] == [
        5,
        4,
        3,
    ]  # silence and: win, two chows, pass; win, pong, pass; win, pass
    for answers in product(*options):
        results = set()
        for order in permutations(range(3)):
            deal = fresh.copy()
            for index in order:
                answer = answers[index]
                if answer is not None:
                    apply(deal, index + 1, answer)
            results.add((tuple(close(deal)), deal.state()))
        assert len(results) == 1


def test_answers_are_noted_and_nothing_happens_until_the_window_closes() -> None:
    script = Script(position(R01_HANDS, drawn="5m"))
    script.discard(0, "5m")
    state = script.deal.state()
    assert script.do(2, "win") == []
    assert script.deal.state() == state
    assert script.legal(2) == []
    assert 2 not in script.waiting()
    assert "answered" in script.refuses(2, "pass")


def test_seats_that_cannot_claim_are_not_asked() -> None:
    script = Script(position(R01_HANDS, drawn="5m"))
    script.discard(0, "5m")
    assert script.legal(0) == []
    script.refuses(0, "pass")
    script.refuses(4, "pass")
    script.refuses(-1, "pass")


def test_no_window_to_close() -> None:
    script = Script(position(("", "", "", ""), drawn="9s"))
    with pytest.raises(ValueError, match="window"):
        script.close()


def test_the_last_discard_may_only_be_won() -> None:
    """P10, P29: with no live tile left no chow, pong or gong; who waits for the tile may win."""
    hands = ("", "46m111p222p789p11z55s8s", "555m", "")
    script = Script(position(hands, drawn="5m", live=0))
    script.discard(0, "5m")
    assert script.legal(1) == script.legal(2) == []
    script = Script(position(THREE_WAIT_5P, drawn="5p", live=0))
    script.discard(0, "5p")
    assert script.legal(1) == ["win", "pass"]
    assert script.close() == [Exhausted()]


def test_every_discard_after_the_last_live_tile_may_only_be_won() -> None:
    """P29: not just the discard after the last draw; here the last live tile went to replace a gong."""
    script = Script(position(("1111z", "55m", "", ""), drawn="9s", tail="5m", live=1))
    script.do(0, "concealed_gong 1z")
    script.discard(0, "5m")
    assert script.legal(1) == []


def test_the_last_discard_may_be_melded_where_the_switch_says_so() -> None:
    """P10 with `last_discard_only_wins` off: chow and pong, but no gong, which needs a live tile."""
    hands = ("", "46m111p222p789p11z55s8s", "555m", "")
    allowed = Procedure(last_discard_only_wins=False)
    script = Script(position(hands, drawn="5m", live=0, procedure=allowed))
    script.discard(0, "5m")
    assert "chow 456m" in script.legal(1)
    assert script.legal(2) == ["pong 5m", "pass"]


def test_the_claimed_tile_may_be_discarded_at_once() -> None:
    """P18: no restriction by default."""
    script = Script(position(("", "444p", "", ""), drawn="4p"))
    script.discard(0, "4p")
    script.do(1, "pong 4p")
    script.close()
    assert "discard 4p" in script.legal(1)


def test_the_claimed_tile_may_not_be_discarded_where_swapping_is_forbidden() -> None:
    """P18 with `swap_claim` off."""
    script = Script(position(("", "444p", "", ""), drawn="4p", procedure=Procedure(swap_claim=False)))
    script.discard(0, "4p")
    script.do(1, "pong 4p")
    script.close()
    assert "discard 4p" not in script.legal(1)
    script.refuses(1, "discard 4p")


@pytest.mark.parametrize(("hand", "offered"), [("1123m", False), ("1234m", True), ("2344m", True)])
def test_no_claim_that_leaves_no_discard(hand: str, offered: bool) -> None:
    """R06: with four sets down, 1-2-3 of the claimed 1m would leave 1m1m, neither of which may go."""
    melds = ("", "456p 789p 123s 456s", "", "")
    for swap_claim in (True, False):
        script = Script(
            position(("", hand, "", ""), melds=melds, drawn="1m", procedure=Procedure(swap_claim=swap_claim))
        )
        script.discard(0, "1m")
        assert ("chow 123m" in script.legal(1)) is (offered or swap_claim)
        if "chow 123m" in script.legal(1):
            script.do(1, "chow 123m")
            script.close()
            assert script.legal(1)


def test_the_winner_is_shown_with_all_tiles() -> None:
    """R09: 16 concealed and declared tiles and the one claimed: 17 and one more for each gong."""
    melds = ("", "", "444z (9999s)", "")
    script = Script(position(("", "", "46m11z78p9p222s", ""), melds=melds, drawn="5m"))
    script.discard(0, "5m")
    script.do(2, "win")
    (won,) = script.close()
    assert isinstance(won, Won)
    declared = sum(len(meld.tiles()) for meld in script.deal.hands[2].melds)
    assert len(won.concealed) + 1 + declared == 17 + 1
    assert hand_text(won.concealed) == "46m789p222s11z"
