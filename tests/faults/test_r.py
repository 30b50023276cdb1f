"""Faults R: who may claim what, and which claim counts. The TW half of each case that is not told elsewhere."""

from itertools import permutations, product

import pytest

from parlour_engine.events import (
    BY_FLOWERS,
    FLOWER_REPLACEMENT,
    WALL,
    DealStarted,
    Discarded,
    Drew,
    FlowersExposed,
    Melded,
    Promoted,
    Won,
)
from parlour_engine.legal import legal_moves
from parlour_engine.moves import IllegalMove, move_text, parse_move
from parlour_engine.notation import NotationError, tile_text
from parlour_engine.play import apply
from parlour_engine.seats import SEATS
from parlour_server.protocol import events
from tests.faults.thousand import played
from tests.kit.script import Script
from tests.kit.walks import Walk, eager
from tests.kit.walls import kind, position, scripted_wall, started
from tests.server.table.sitting import FAST, Sitting, people, silent, timed

WAITS_5M = ("", "55m123p456p789s333z11z", "46m111s222s78p9p22z444z", "46m345s678s456p666z77z")
"""P1 waits for 5m and East, P2 and P3 for 5m."""


def test_r01_a_lower_claim_swallows_no_higher_one() -> None:
    """R01: P1 can win and takes the pong, P3 can win and passes, P2 wins: the win counts in all six orders."""
    answers = {1: "pong 5m", 2: "win", 3: "pass"}
    ends = set()
    for order in permutations(answers):
        script = Script(position(WAITS_5M, drawn="5m"))
        script.discard(0, "5m")
        assert [script.legal(seat)[0] for seat in (1, 2, 3)] == ["win"] * 3
        for seat in order:
            assert script.do(seat, answers[seat]) == []
        (won,) = script.close()
        assert isinstance(won, Won)
        assert (won.seat, won.source) == (2, 0)
        ends.add(repr(script.deal.state()))
    assert len(ends) == 1


def test_r01_the_second_half_win_pong_and_chow() -> None:
    """R01, test 2: P1 can win or chow, P2 can only pong. Pong beats chow; P1's win stands whatever P2 says."""
    hands = ("", "46m123p456p789s333z11z", "55m147p258s1234567z9p", "")
    for order in permutations((1, 2)):
        for one, two in product(("chow 456m", "win"), ("pong 5m", "pass", "")):
            script = Script(position(hands, drawn="5m"))
            script.discard(0, "5m")
            assert script.legal(1) == ["win", "chow 456m", "pass"]
            assert script.legal(2) == ["pong 5m", "pass"]
            for seat in order:
                answer = one if seat == 1 else two
                if answer:
                    script.do(seat, answer)
            (event,) = script.close()
            assert isinstance(event, (Won, Melded))
            expected = (Won, 1) if one == "win" else (Melded, 2 if two == "pong 5m" else 1)
            assert (type(event), event.seat) == expected


def test_r02_no_client_hears_of_a_bots_chow_before_the_pong() -> None:
    """R02: the bot at P1 answers at once, P3 50 ms before the end; 200 of 200 times the pong is what happens."""
    wall = scripted_wall(["5p", "46p", "", "55p"])
    for run in range(200):
        sitting = Sitting(people(0, 3), timed(), walls=[wall], bots=lambda _, __, ask: ask.moves[0])
        clients = [sitting.join(person) for person in ("ann", "dan", "eve")]
        sitting.start()
        sitting.play(clients[0], "discard 5p")
        sitting.wait(7.95)
        sitting.play(clients[1], "pong 5p")
        for client in clients:
            melds = [event for event in client.events() if isinstance(event, events.Melded)]
            assert [(meld.seat, meld.meld.form) for meld in melds] == [(3, "pong")], run


NO_RUNS = [
    ("1p", "8m9m", "chow 89m1p"),
    ("1s", "9p2s", "chow 9p12s"),
    ("1z", "2z3z", "chow 123z"),
    ("3z", "1z2z", "chow 123z"),
    ("5z", "6z7z", "chow 567z"),
    ("7z", "5z6z", "chow 567z"),
]


@pytest.mark.parametrize(("discard", "held", "move"), NO_RUNS)
def test_r04_no_run_goes_over_the_edge_of_a_suit(discard: str, held: str, move: str) -> None:
    """R04, the named rows: such a chow is refused with an error code, and nothing changes."""
    script = Script(position(("", held, "", ""), drawn=discard))
    script.discard(0, discard)
    assert not [text for text in script.legal(1) if text.startswith("chow")]
    with pytest.raises(NotationError):
        parse_move(move)
    wall = scripted_wall([discard, held, "", ""])
    sitting = Sitting(people(0, 1), FAST, walls=[wall], bots=silent)
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    sitting.play(ann, f"discard {discard}")
    before = sitting.state()
    sitting.play(bob, move, version=sitting.table.version)
    assert bob.errors() in (["illegal_move"], ["not_your_turn"])
    assert sitting.state() == before


def test_r04_flowers_are_in_no_run() -> None:
    """R04: f1 to f3; a flower is never discarded, and no move names one."""
    for text in ("chow 123f", "discard 1f", "pong 1f", "gong 1f"):
        with pytest.raises(NotationError):
            parse_move(text)
    sitting = Sitting(people(0), FAST, walls=[scripted_wall(["1f2f3f", "", "", ""])], bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    before = sitting.state()
    for text in ("discard 1f", "chow 123f"):
        sitting.play(ann, text)
    assert ann.errors() == ["illegal_move"] * 2
    assert sitting.state() == before


def test_r06_a_chow_into_five_sets_leaves_a_discard() -> None:
    """R06, the default half: four sets down and 2344m; 1-2-3 is offered on 1m, and 4m is the only discard then."""
    melds = ("", "456p 789p 123s 456s", "", "")
    script = Script(position(("", "2344m", "", ""), melds=melds, drawn="1m"))
    script.discard(0, "1m")
    # 123m and the eyes 44m: it wins, too.
    assert script.legal(1) == ["win", "chow 123m", "pass"]
    script.do(1, "chow 123m")
    script.close()
    assert script.legal(1) == ["discard 4m"]
    script.do(1, "discard 4m")


def test_r06_somebody_can_act_after_every_accepted_move() -> None:
    """R06, the property: a turn always offers something, and a window in which nobody can act closes into a turn."""
    for seed in range(100):
        walk = Walk(seed, strategy=eager)
        idle = 0
        for step in walk.steps():
            idle = 0 if any(legal_moves(walk.deal, seat) for seat in SEATS) else idle + 1
            assert idle <= 1 or walk.deal.is_over(), (seed, step)


R07_HAND = "4555m123p789s111z666p"


@pytest.mark.parametrize("tile", [tile_text(number) for number in range(34)])
def test_r07_the_eyes_inside_a_pong_are_found(tile: str) -> None:
    """R07: the waits are 3m, 4m and 6m; each is offered, drawn or claimed, and no other tile is, 5m neither."""
    wins = tile in {"3m", "4m", "6m"}
    drew = Script(position((R07_HAND, "", "", ""), drawn=tile))
    assert ("win" in drew.legal(0)) is wins
    if not wins:
        drew.refuses(0, "win")
    claimed = Script(position((R07_HAND, "", "", ""), turn=3, drawn=tile))
    claimed.discard(3, tile)
    assert ("win" in claimed.legal(0)) is wins
    if not wins:
        claimed.refuses(0, "win")


def test_r08_five_sets_without_eyes_do_not_win_on_a_discard_either() -> None:
    """R08: the last tile in hand is 6p; 4s does not win, 6p does, whoever throws it."""
    melds = ("123m 456m 789m 123s 777z", "", "", "")
    for tile, wins in (("4s", False), ("6p", True)):
        script = Script(position(("6p", "", "", ""), melds=melds, turn=3, drawn=tile))
        script.discard(3, tile)
        assert ("win" in script.legal(0)) is wins
        if not wins:
            script.refuses(0, "win")


def test_r09_every_hand_has_its_tiles_at_every_event() -> None:
    """R09, a thousandth of a million deals, counted from the events alone: 16 tiles in hand and declared sets, a gong
    counted as three, 17 while a tile more is held, flowers apart; the winner is shown with 17."""
    for seed, walk in enumerate(played()):
        count_along(seed, walk)


def count_along(seed: int, walk: Walk) -> None:
    """A full hand to each seat, one more to the seat on turn; tiles owed for flowers and gongs are counted in."""
    full = walk.procedure.hand_size
    held, sets, owed = [0] * 4, [0] * 4, [0] * 4
    on_turn = -1
    for event in walk.events:
        match event:
            case DealStarted():
                held = [len(hand) for hand in event.hands]
                on_turn = event.dealer
            case FlowersExposed():
                held[event.seat] -= len(event.kinds)
                owed[event.seat] += len(event.kinds)
            case Drew():
                held[event.seat] += 1
                owed[event.seat] -= event.source != WALL and owed[event.seat] > 0
                # A flower that non-dealers are dealt is replaced while it is the dealer's turn.
                on_turn = event.seat if event.source != FLOWER_REPLACEMENT else on_turn
            case Discarded():
                held[event.seat] -= 1
                on_turn = -1
            case Melded():
                gong = event.meld.is_gong()
                held[event.seat] -= (4 if gong else 3) - (event.meld.claimed >= 0)
                sets[event.seat] += 1
                owed[event.seat] += gong
                on_turn = event.seat
            case Promoted():
                held[event.seat] -= 1
                on_turn = -1
            case Won():
                own = len(event.concealed) + 3 * sets[event.seat] + (event.kind >= 0)
                assert own == full + 1 or (event.by == BY_FLOWERS and own == full), (seed, event)
            case _:
                pass
        for seat in SEATS:
            total = held[seat] + 3 * sets[seat] + owed[seat]
            assert total == full + (seat == on_turn), (seed, seat, event)


def test_a_move_made_up_by_hand_is_no_move() -> None:
    """R04, R08: only the moves that a seat is offered are moves; the rest is refused with the reason."""
    deal = started(("", "", "", ""))
    assert deal.hands[0].counts[kind("1m")] < 4
    for text in ("chow 123m", "pong 1m", "gong 1m", "concealed_gong 1m", "promoted_gong 1m", "call 1m", "win", "pass"):
        move = parse_move(text)
        with pytest.raises(IllegalMove) as refusal:
            apply(deal, 0, move)
        assert refusal.value.reason
        assert move_text(move) == text
