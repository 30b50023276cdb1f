"""A turn in play: draws, flowers, gongs of one's own, the end of the wall."""

import pytest

from parlour_engine.events import (
    BY_FLOWERS,
    BY_SELF_DRAW,
    CONCEALED_GONG_PAID,
    FLOWER_REPLACEMENT,
    GONG_REPLACEMENT,
    WALL,
    Discarded,
    Drew,
    Exhausted,
    FlowersExposed,
    Melded,
    Paid,
    Promoted,
    Won,
)
from parlour_engine.legal import late_move
from parlour_engine.melds import CONCEALED_GONG, PROMOTED_GONG, Meld
from parlour_engine.moves import DISCARDS, PASS_MOVE
from parlour_engine.notation import hand_text, parse_tiles
from parlour_engine.outcome import scoring_records
from parlour_engine.phases import Claiming, Discarding, Over
from parlour_engine.procedure import Procedure
from parlour_engine.views import view
from tests.kit.script import Script
from tests.kit.walls import kind, position, started

BLANK = ("", "", "", "")


def test_turns_go_round_in_the_order_of_seats() -> None:
    """P11: draw, discard; East, South, West, North."""
    script = Script(started(BLANK, draws="1m1m1m2p3s"))
    script.pass_by(0, "7z")
    for seat in (1, 2, 3, 0):
        phase = script.deal.phase
        assert isinstance(phase, Discarding)
        assert phase.seat == seat
        assert script.waiting() == (seat,)
        assert script.legal((seat + 1) % 4) == []
        script.do(seat, f"discard {hand_text([phase.drawn])}")
        script.close()


def test_every_kind_in_hand_may_be_discarded_and_no_other() -> None:
    script = Script(position(("123456789m1234p567z", "", "", ""), drawn="7z"))
    discards = [move for move in script.legal(0) if move.startswith("discard")]
    assert discards == [f"discard {hand_text([tile])}" for tile in sorted(set(parse_tiles("123456789m1234p567z")))]
    script.refuses(0, "discard 9p")
    script.refuses(1, "discard 1m")


def test_a_discard_says_whether_it_was_drawn_by_kind() -> None:
    """P26: a discard of the kind just drawn counts as the drawn tile; after a claim none does."""
    script = Script(position(("5m", "44p", "", ""), drawn="5m"))
    assert script.discard(0, "5m") == [Discarded(0, kind("5m"), True)]
    script = Script(position(("5m", "44p", "", ""), drawn="4p"))
    assert script.discard(0, "5m") == [Discarded(0, kind("5m"), False)]
    script = Script(position(("", "44p9s", "", ""), drawn="4p"))
    script.discard(0, "4p")
    script.do(1, "pong 4p")
    script.close()
    assert script.discard(1, "9s") == [Discarded(1, kind("9s"), False)]


def test_a_flower_is_replaced_at_once_and_repeatedly() -> None:
    """P7, W03: no move and no choice; one replacement for each flower."""
    script = Script(position(BLANK, turn=3, drawn="9s", draws="1f", tail="6f2p"))
    events = script.pass_by(3, "9s")
    assert events[1:] == [
        Drew(0, kind("1f"), WALL),
        FlowersExposed(0, (kind("1f"),)),
        Drew(0, kind("6f"), FLOWER_REPLACEMENT),
        FlowersExposed(0, (kind("6f"),)),
        Drew(0, kind("2p"), FLOWER_REPLACEMENT),
    ]
    assert script.legal(0)


def test_the_seventh_flower_wins_in_play() -> None:
    """P24, A-20: it is shown, replaced, and wins with 17 tiles; nobody is asked."""
    flowers = ("1f2f3f4f5f6f", "", "", "")
    script = Script(position(BLANK, flowers=flowers, turn=3, drawn="9s", draws="7f", tail="2p"))
    events = script.pass_by(3, "9s")
    won = events[-1]
    assert isinstance(won, Won)
    assert (won.seat, won.by, won.kind, len(won.concealed)) == (0, BY_FLOWERS, -1, 17)


def test_the_eighth_flower_as_replacement_of_the_seventh() -> None:
    """A-20: it is shown and replaced again; the win has eight flowers."""
    flowers = ("1f2f3f4f5f6f", "", "", "")
    script = Script(position(BLANK, flowers=flowers, turn=3, drawn="9s", draws="7f", tail="8f2p"))
    script.pass_by(3, "9s")
    (record,) = scoring_records(script.deal)
    assert len(record.flowers) == 8
    assert sum(record.counts) == 17


def test_a_flower_drawn_last_is_replaced_out_of_the_sixteen() -> None:
    """P8, W05d, A-80: no live tile is left, the hand goes on, and its win is one from the flower wall."""
    script = Script(position(("11m", "", "", ""), turn=3, drawn="9s", draws="1f", tail="2p", live=1))
    script.pass_by(3, "9s")
    phase = script.deal.phase
    assert isinstance(phase, Discarding)
    assert (phase.drawn, phase.source, phase.last_live) == (kind("2p"), FLOWER_REPLACEMENT, False)
    assert script.deal.wall.left() == 15
    assert script.deal.wall.live() == 0
    assert script.pass_by(0, "2p")[-1] == Exhausted()


def test_the_wall_runs_out_when_no_live_tile_is_left_for_a_draw() -> None:
    """P9: 16 tiles remain and nobody wins."""
    script = Script(position(BLANK, turn=3, drawn="9s", draws="1p", live=1))
    script.pass_by(3, "9s")
    last = script.deal.phase
    assert isinstance(last, Discarding)
    assert last.last_live
    assert script.pass_by(0, "1p")[-1] == Exhausted()
    assert script.deal.wall.left() == 16
    end = script.deal.phase
    assert isinstance(end, Over)
    assert end.winners == ()
    assert scoring_records(script.deal) == []


def test_without_a_reserve_the_last_tile_is_drawn() -> None:
    """A-84, the other reading: no flower wall is kept back; a last flower that cannot be replaced ends the deal."""
    none = Procedure(reserve=0)
    deal = position(
        BLANK, procedure=none, turn=3, drawn="9s", draws="8f", live=1, flowers=("1f2f5f", "3f4f6f7f", "", "")
    )
    script = Script(deal)
    events = script.pass_by(3, "9s")
    assert events[-2:] == [FlowersExposed(0, (kind("8f"),)), Exhausted()]


def test_a_concealed_gong_pays_at_once_and_is_replaced_from_the_tail() -> None:
    """P14, lrc 5: one base from each opponent; the kind is public; the tile comes from the flower wall."""
    script = Script(position(("5555s", "", "", ""), drawn="9s", tail="2p"))
    assert script.do(0, "concealed_gong 5s") == [
        Melded(0, Meld(CONCEALED_GONG, kind("5s"))),
        Paid(0, CONCEALED_GONG_PAID, (15, -5, -5, -5)),
        Drew(0, kind("2p"), GONG_REPLACEMENT),
    ]
    assert script.deal.paid == [15, -5, -5, -5]


def test_an_old_gong_may_be_declared_on_a_later_turn() -> None:
    """P14, K10: any four in hand and any fourth tile to a pong, not only the tile just drawn, at every draw."""
    script = Script(position(("3s5555p", "", "", ""), melds=("333s", "", "", ""), drawn="9s", draws="1m1m1m2m"))
    assert {"concealed_gong 5p", "promoted_gong 3s"} <= set(script.legal(0))
    script.pass_by(0, "9s")
    for seat in (1, 2, 3):
        script.pass_by(seat, "1m")
    assert {"concealed_gong 5p", "promoted_gong 3s"} <= set(script.legal(0))


def test_no_gong_of_a_tile_that_lies_in_a_chow() -> None:
    """K09: the fourth 5p is in an own chow, so the pong of 5p can never become a gong."""
    script = Script(position(BLANK, melds=("555p 456p", "", "", ""), drawn="9s"))
    assert not [move for move in script.legal(0) if "gong" in move]
    script.refuses(0, "promoted_gong 5p")
    script.refuses(0, "concealed_gong 5p")


def test_no_gong_in_the_turn_of_a_claim() -> None:
    """P13, A-89: who claimed a chow or a pong must discard."""
    hands = ("", "44p5555s6m", "", "")
    script = Script(position(hands, melds=("", "666m", "", ""), drawn="4p"))
    script.discard(0, "4p")
    script.do(1, "pong 4p")
    script.close()
    assert all(move.startswith("discard") for move in script.legal(1))
    for move in ("concealed_gong 5s", "promoted_gong 6m", "win"):
        script.refuses(1, move)


def test_gongs_in_the_turn_of_a_claim_where_the_switch_allows_them() -> None:
    """P13, switch `gong_in_claim_turn`."""
    hands = ("", "44p5555s6m", "", "")
    allowed = Procedure(gong_in_claim_turn=True)
    script = Script(position(hands, melds=("", "666m", "", ""), drawn="4p", tail="2p", procedure=allowed))
    script.discard(0, "4p")
    script.do(1, "pong 4p")
    script.close()
    assert script.legal(1)[:2] == ["concealed_gong 5s", "promoted_gong 6m"]
    assert script.do(1, "concealed_gong 5s")[-1] == Drew(1, kind("2p"), GONG_REPLACEMENT)


def test_no_gong_without_a_live_tile() -> None:
    """P10, K06a: the last live tile has been drawn, so no gong of any form may be declared."""
    script = Script(position(("1111z6m", "", "", ""), melds=("666m", "", "", ""), drawn="9s", live=0))
    assert not [move for move in script.legal(0) if "gong" in move]
    script.refuses(0, "concealed_gong 1z")
    script.refuses(0, "promoted_gong 6m")


def test_one_live_tile_allows_one_gong() -> None:
    """K06b: with one left the first gong takes it, the second is not offered any more."""
    script = Script(position(("1111z222z", "", "", ""), drawn="9s", tail="2z", live=1))
    script.do(0, "concealed_gong 1z")
    assert script.deal.wall.live() == 0
    assert script.deal.hands[0].counts[kind("2z")] == 4
    assert not [move for move in script.legal(0) if "gong" in move]
    script.refuses(0, "concealed_gong 2z")


def test_two_live_tiles_allow_two_gongs() -> None:
    """K06c."""
    script = Script(position(("1111z222z", "", "", ""), drawn="9s", tail="2z", live=2))
    script.do(0, "concealed_gong 1z")
    script.do(0, "concealed_gong 2z")
    assert script.deal.wall.live() == 0


def test_six_gongs_and_eight_flowers_take_fourteen_tiles_from_the_tail() -> None:
    """K07, W01: each replacement is the next tile of the flower wall; the deal then ends by the rules."""
    tail = "1f2f3f6f9s5s6s4f5f7f8f7s8s2s"
    deal = position(("111m2222m3333m", "1111p2222p333p", "", ""), drawn="1m", draws="3p", tail=tail)
    script = Script(deal)
    for gong in ("1m", "2m", "3m"):
        script.do(0, f"concealed_gong {gong}")
    script.pass_by(0, "9s")
    for gong in ("1p", "2p", "3p"):
        script.do(1, f"concealed_gong {gong}")
    replaced = [event for event in script.events if isinstance(event, Drew) and event.source != WALL]
    assert [event.kind for event in replaced] == parse_tiles(tail)
    assert len(replaced) == 14
    while not deal.is_over():
        phase = deal.phase
        if isinstance(phase, Discarding):
            script.do(phase.seat, f"discard {hand_text([late_move(deal, phase.seat).kind])}")
        else:
            script.close()
    assert script.events[-1] == Exhausted()
    assert deal.wall.left() == 16


def test_five_gongs_of_one_seat() -> None:
    """K07: the fifth gong leaves a single tile in hand, and the eyes still win."""
    melds = ("(1111m) (2222m) (3333m) (4444m)", "", "", "")
    script = Script(position(("555p7z", "", "", ""), melds=melds, drawn="5p", tail="7z"))
    script.do(0, "concealed_gong 5p")
    assert script.legal(0) == ["win", "discard 7z"]
    script.do(0, "win")
    assert script.deal.is_over()


def test_a_gong_replaced_by_a_flower_is_replaced_again() -> None:
    """W05e, A-80: the replacement of the flower completes the hand; it counts as one from the flower wall."""
    hands = ("1111m234567m23p88s5z5z", "", "", "")
    script = Script(position(hands, drawn="5z", tail="1f4p"))
    script.do(0, "concealed_gong 1m")
    script.do(0, "win")
    (record,) = scoring_records(script.deal)
    assert (record.by, record.replacement, record.gong_on_gong, record.last_tile) == (BY_SELF_DRAW, True, False, False)


def test_self_draw_is_offered_exactly_when_the_drawn_tile_completes() -> None:
    """R07, P22: the waits of 4555m... are 3m, 4m, 6m; any complete hand wins, however small."""
    hand = "4555m123p789s111z666p"
    for drawn, wins in (("3m", True), ("4m", True), ("6m", True), ("2m", False), ("7m", False)):
        script = Script(position((hand, "", "", ""), drawn=drawn))
        assert (script.legal(0)[0] == "win") is wins, drawn
        if not wins:
            script.refuses(0, "win")


def test_five_declared_sets_without_a_pair_do_not_win() -> None:
    """R08: the last tile is 6p; 4s does not win, 6p does."""
    melds = ("123m 456m 789m 123s 777z", "", "", "")
    script = Script(position(("6p", "", "", ""), melds=melds, drawn="4s"))
    assert script.legal(0) == ["discard 6p", "discard 4s"]
    script.refuses(0, "win")
    assert Script(position(("6p", "", "", ""), melds=melds, drawn="6p")).legal(0)[0] == "win"


def test_a_tile_of_which_one_holds_all_is_no_wait() -> None:
    """S12: 111m and the winds wait only for a fifth north wind, so the hand is not ready and may not call."""
    calling = Procedure(calling=True)
    hand = "111m111222333444z"
    script = Script(position((hand + "4z", "", "", ""), drawn="9p", procedure=calling))
    assert not [move for move in script.legal(0) if move == "call 9p"]
    script.refuses(0, "call 9p")


def test_late_discards_and_answers() -> None:
    """Clocks: the tile just drawn; without one the highest in the order m, p, s, z; in a window a pass."""
    script = Script(position(("9m9p9s1z", "", "", ""), drawn="3p"))
    assert late_move(script.deal, 0) is DISCARDS[kind("3p")]
    opening = started(("123m456p78s11122233z", "", "", ""))
    highest = max(tile for tile in range(34) if opening.hands[0].counts[tile])
    assert late_move(opening, 0) is DISCARDS[highest]
    script = Script(position(("", "44p9s7z", "", ""), drawn="4p"))
    script.discard(0, "4p")
    assert late_move(script.deal, 1) is PASS_MOVE
    with pytest.raises(ValueError, match="nothing to choose"):
        late_move(script.deal, 0)
    script.do(1, "pong 4p")
    script.close()
    assert late_move(script.deal, 1) is DISCARDS[kind("7z")]


def test_a_late_discard_is_one_that_is_legal() -> None:
    """P18 with the switch off: the tile just claimed is the highest in hand, yet it may not go."""
    script = Script(position(("", "777z", "", ""), drawn="7z", procedure=Procedure(swap_claim=False)))
    script.discard(0, "7z")
    script.do(1, "pong 7z")
    script.close()
    move = late_move(script.deal, 1)
    assert move.kind == max(tile for tile in range(33) if script.deal.hands[1].counts[tile])


def test_an_added_gong_is_announced_first_and_replaced_when_nobody_robs() -> None:
    """P15, P11: a window opens for the announcement even where nobody can rob."""
    script = Script(position(("3s", "", "", ""), melds=("333s", "", "", ""), drawn="9s", tail="2p"))
    assert script.do(0, "promoted_gong 3s") == [Promoted(0, kind("3s"))]
    assert script.waiting() == ()
    assert [script.legal(seat) for seat in range(4)] == [[], [], [], []]
    assert script.close() == [Drew(0, kind("2p"), GONG_REPLACEMENT)]
    assert script.deal.hands[0].melds == [Meld(PROMOTED_GONG, kind("3s"), kind("3s"), 3)]
    assert script.deal.paid == [0, 0, 0, 0]


def test_a_window_opens_after_every_discard() -> None:
    """Claim windows tell nothing: one opens whether or not anybody could claim."""
    script = Script(position(("", "147m147p147s1234567z", "258m258p258s1234567z", "369m369p3456s123456z"), drawn="9s"))
    script.discard(0, "9s")
    assert isinstance(script.deal.phase, Claiming)
    assert script.waiting() == ()


def test_the_lowest_kind_is_a_drawn_tile_like_any_other() -> None:
    """P11: 1m, whose number is 0, completes the hand and is told apart from the tiles in it."""
    script = Script(position(("23m456p789p123s777s55z", "", "", ""), drawn="1m"))
    assert script.do(0, "win") == [Won(0, BY_SELF_DRAW, kind("1m"), -1, tuple(parse_tiles("23m456p789p123s777s55z")))]


def test_a_claimed_discard_is_nobodys_last_discard() -> None:
    """P12: it lies in a set now, so no discard on the table is the most recent one until the claimant's own."""
    script = Script(position(("", "44p9s", "", ""), drawn="4p"))
    script.discard(0, "4p")
    script.do(1, "pong 4p")
    script.close()
    assert [view(script.deal, viewer).last_discarder for viewer in (None, 0, 1)] == [-1] * 3
    script.pass_by(1, "9s")
    assert view(script.deal, None).last_discarder == 1
