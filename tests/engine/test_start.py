"""The deal up to East's opening turn: wall, hands, initial flowers."""

import pytest

from parlour_engine import play
from parlour_engine.events import (
    BY_DEALT,
    BY_FLOWERS,
    FLOWER_REPLACEMENT,
    FULL_SET,
    MIXED_SET,
    DealStarted,
    Drew,
    FlowersExposed,
    Paid,
    Won,
)
from parlour_engine.notation import parse_tiles
from parlour_engine.phases import Discarding, Over
from parlour_engine.procedure import Procedure
from parlour_engine.soundness import problems
from parlour_engine.tiles import full_wall
from tests.kit.script import Script
from tests.kit.walls import LRC, kind, scripted_wall, started

BLANK = ("", "", "", "")
READY_FOR_6P = "123456789m12345p99s"


def test_a_set_has_144_tiles() -> None:
    """P1: three suits of nine kinds and seven honours, four of each, and eight flowers."""
    wall = full_wall()
    assert len(wall) == 3 * 9 * 4 + 4 * 4 + 3 * 4 + 8
    assert all(wall.count(tile) == (4 if tile < 34 else 1) for tile in wall)


def test_dealt_by_fours_from_the_dealer_on() -> None:
    """P2, P4, P5: of the wall in drawing order four tiles to each seat in turn, four times; one more to the dealer."""
    wall = scripted_wall(BLANK, dealer=2)
    _, events = play.start(LRC, wall, (3, 4, 5), 2, 1, 0)
    told = events[0]
    assert isinstance(told, DealStarted)
    assert (told.dealer, told.round_wind, told.streak, told.dice) == (2, 1, 0, (3, 4, 5))
    assert told.wall == tuple(wall)
    for turn, seat in enumerate((2, 3, 0, 1)):
        dealt = [tile for block in range(4) for tile in wall[16 * block + 4 * turn : 16 * block + 4 * turn + 4]]
        if seat == 2:
            dealt.append(wall[64])
        assert told.hands[seat] == tuple(sorted(dealt))


def test_a_hand_of_thirteen_is_dealt_the_same_way() -> None:
    classical = Procedure(hand_size=13, sets=4, forms=(), flowers=False)
    wall = full_wall(flowers=False)
    deal, events = play.start(classical, wall, (), 0)
    assert isinstance(events[0], DealStarted)
    assert events[0].hands[0] == tuple(sorted([*wall[0:4], *wall[16:20], *wall[32:36], wall[48], wall[52]]))
    assert events[0].hands[3] == tuple(sorted([*wall[12:16], *wall[28:32], *wall[44:48], wall[51]]))
    assert problems(deal) == []


def test_63_live_tiles_after_a_deal_without_flowers() -> None:
    """P9: 144 less 65 dealt less the flower wall of 16."""
    deal = started(BLANK)
    assert deal.wall.left() == 144 - 65
    assert deal.wall.live() == 63
    assert isinstance(deal.phase, Discarding)
    assert deal.phase.opening
    assert deal.phase.seat == 0


@pytest.mark.parametrize(
    "wall",
    [full_wall()[1:], [*full_wall()[1:], 5], [*full_wall()[1:], 42], full_wall(flowers=False), []],
    ids=["one short", "five of a kind", "no such kind", "no flowers", "empty"],
)
def test_a_wall_of_other_tiles_is_refused(wall: list[int]) -> None:
    with pytest.raises(ValueError, match="wall"):
        play.start(LRC, wall)


@pytest.mark.parametrize(("dealer", "wind", "streak"), [(4, 0, 0), (-1, 0, 0), (0, 4, 0), (0, 0, -1)])
def test_a_deal_that_cannot_be_is_refused(dealer: int, wind: int, streak: int) -> None:
    with pytest.raises(ValueError, match="no deal"):
        play.start(LRC, full_wall(), (), dealer, wind, streak)


def test_each_player_replaces_all_before_the_next() -> None:
    """P6, W05c: East first, until he holds none, then South, West, North; from the tail."""
    hands = ("1f", "2f5f", "", "6f")
    wall = scripted_wall(hands, tail="3m7f9s1p2p5z", dealer=1)
    deal, events = play.start(LRC, wall, (), 1)
    assert events[1:] == [
        FlowersExposed(1, (kind("2f"), kind("5f"))),
        Drew(1, kind("3m"), FLOWER_REPLACEMENT),
        Drew(1, kind("7f"), FLOWER_REPLACEMENT),
        FlowersExposed(1, (kind("7f"),)),
        Drew(1, kind("9s"), FLOWER_REPLACEMENT),
        FlowersExposed(3, (kind("6f"),)),
        Drew(3, kind("1p"), FLOWER_REPLACEMENT),
        FlowersExposed(0, (kind("1f"),)),
        Drew(0, kind("2p"), FLOWER_REPLACEMENT),
    ]
    assert deal.wall.live() == 63 - 5
    assert problems(deal) == []


def test_a_set_is_paid_when_its_batch_is_shown() -> None:
    """A-16, A-19: red 1, blue 2 are one batch, the replacements red 3 and blue 4 a batch each; with the last the mixed
    set is whole and each opponent pays one base, before anything else is drawn."""
    wall = scripted_wall(("", "1f6f", "", ""), tail="3f8f1p2p")
    _, events = play.start(LRC, wall)
    paid = [event for event in events if isinstance(event, Paid)]
    assert paid == [Paid(1, MIXED_SET, (-5, 15, -5, -5))]
    assert events[events.index(paid[0]) - 1] == FlowersExposed(1, (kind("8f"),))


def test_a_full_set_after_a_mixed_one_pays_the_difference() -> None:
    """A-17, A-18: 5 from each for the mixed set, 5 more when it becomes a full set."""
    wall = scripted_wall(("", "", "1f2f3f8f", ""), tail="4f1p2p3p9p")
    deal, events = play.start(LRC, wall)
    assert [event for event in events if isinstance(event, Paid)] == [
        Paid(2, MIXED_SET, (-5, -5, 15, -5)),
        Paid(2, FULL_SET, (-5, -5, 15, -5)),
    ]
    assert deal.paid == [-10, -10, 30, -10]


def test_both_sets_are_paid_in_full_where_the_switch_says_so() -> None:
    """A-18, `mixed_then_full` = "both": 5 and then 10 from each."""
    both = Procedure(mixed_then_full="both")
    wall = scripted_wall(("", "", "1f2f3f8f", ""), tail="4f1p2p3p9p")
    deal, _ = play.start(both, wall)
    assert deal.paid == [-15, -15, 45, -15]


@pytest.mark.parametrize("mixed_then_full", ["difference", "both"])
def test_one_batch_with_both_sets_pays_ten_and_nothing_more_later(mixed_then_full: str) -> None:
    """A-18: a full and a mixed set that lie there together are worth the full one's 10, a later flower nothing more."""
    procedure = Procedure(mixed_then_full=mixed_then_full)
    wall = scripted_wall(("1f2f3f4f5f", "", "", ""), tail="6f1p2p3p4p9p")
    _, events = play.start(procedure, wall)
    assert [event for event in events if isinstance(event, Paid)] == [Paid(0, FULL_SET, (30, -10, -10, -10))]


def test_payments_scale_with_the_base() -> None:
    """A-91: flower sets pay one or two bases."""
    wall = scripted_wall(("", "", "1f2f3f8f", ""), tail="4f1p2p3p9p")
    deal, _ = play.start(Procedure(base=2), wall)
    assert deal.paid == [-4, -4, 12, -4]


def test_seven_flowers_win_with_sixteen_tiles_before_the_first_turn() -> None:
    """A-20, A-23, P24, P27: all replacements come first, the set is not paid, later seats show nothing."""
    wall = scripted_wall(("", "1f2f3f4f5f6f7f", "8f", ""), tail="1p2p3p4p6p7p9p")
    deal, events = play.start(LRC, wall)
    assert not any(isinstance(event, Paid) for event in events)
    assert [event.seat for event in events if isinstance(event, Drew)] == [1] * 7
    won = events[-1]
    assert isinstance(won, Won)
    assert (won.seat, won.by, won.kind, won.source) == (1, BY_FLOWERS, -1, -1)
    assert len(won.concealed) == 16
    assert isinstance(deal.phase, Over)
    assert deal.hands[2].flowers == []
    assert problems(deal) == []


def test_eight_flowers_in_a_row() -> None:
    """W05a, A-20, A-22: eight replacements, the full hand of 17, and the win comes after the last of them. The full set
    was paid when its fourth flower was shown, nothing after that."""
    wall = scripted_wall(("1f", "", "", ""), tail="2f3f4f5f6f7f8f9p")
    deal, events = play.start(LRC, wall)
    assert [event.kind for event in events if isinstance(event, Drew)] == parse_tiles("2f3f4f5f6f7f8f9p")
    assert [event for event in events if isinstance(event, Paid)] == [Paid(0, FULL_SET, (30, -10, -10, -10))]
    won = events[-1]
    assert isinstance(won, Won)
    assert (won.by, len(won.concealed)) == (BY_FLOWERS, 17)
    assert deal.hands[0].flowers == parse_tiles("1f2f3f4f5f6f7f8f")


def test_seven_flowers_do_not_win_where_they_are_not_played_for() -> None:
    wall = scripted_wall(("", "1f2f3f4f5f6f7f", "8f", ""), tail="1p2p3p4p6p7p9p9s")
    deal, events = play.start(Procedure(flower_win=0), wall)
    assert isinstance(deal.phase, Discarding)
    assert Paid(1, FULL_SET, (-10, 30, -10, -10)) in events


def test_the_replacement_may_complete_the_dealt_hand() -> None:
    """W02, A-78: after the initial replacement East's 17 tiles are complete, so he may win before any discard."""
    script = Script(started((READY_FOR_6P + "1f", "", "", ""), tail="6p"))
    assert script.legal(0)[0] == "win"
    events = script.do(0, "win")
    assert events == [Won(0, BY_DEALT, -1, -1, tuple(parse_tiles("123456789m123456p99s")))]


def test_an_incomplete_dealt_hand_cannot_win() -> None:
    script = Script(started((READY_FOR_6P + "1f", "", "", ""), tail="7p"))
    assert "win" not in script.legal(0)
    script.refuses(0, "win")


def test_a_gong_is_offered_on_the_opening_turn() -> None:
    """W02, P14: right after the initial replacement East may declare four in hand."""
    script = Script(started(("1111m1f", "", "", ""), tail="6p"))
    assert "concealed_gong 1m" in script.legal(0)


def test_heavenly_is_over_with_the_first_gong() -> None:
    """P30: East declares a gong before his first discard, and the tile that replaces it completes his hand."""
    script = Script(started(("1111m234567m234p88s5z5z", "", "", ""), tail="5z"))
    assert "win" not in script.legal(0)
    script.do(0, "concealed_gong 1m")
    events = script.do(0, "win")
    assert isinstance(events[0], Won)
    assert (events[0].by, events[0].kind) == (1, kind("5z"))


def test_no_discard_of_the_opening_turn_counts_as_drawn() -> None:
    """P26: on East's opening turn no tile is the one just drawn, replacement or not."""
    script = Script(started(("1f", "", "", ""), tail="6p"))
    script.discard(0, "6p")
    assert script.events[-1].fields() == (0, kind("6p"), False)
    assert script.deal.drawn_discards[0] == [False]
