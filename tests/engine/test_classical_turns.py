"""The classical game turn by turn: the deal, mandarins, kongs, robbing, claims (docs/rules-classical.md)."""

from itertools import permutations

import pytest

from parlour_engine import play
from parlour_engine.events import (
    BY_DEALT,
    BY_DISCARD,
    BY_ROBBED_GONG,
    BY_SELF_DRAW,
    FLOWER_REPLACEMENT,
    GONG_REPLACEMENT,
    WALL,
    DealStarted,
    Discarded,
    Drew,
    FlowersExposed,
    HandShown,
    Melded,
    Paid,
    Promoted,
    Won,
)
from parlour_engine.melds import CONCEALED_GONG, EXPOSED_GONG, PONG, PROMOTED_GONG, Meld
from parlour_engine.notation import parse_tiles
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.phases import Discarding
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import full_wall
from tests.kit.classical import classical, with_limit
from tests.kit.script import Script
from tests.kit.walls import kind, position, scripted_wall, started

BLANK = ("", "", "", "")
GAME = classical()
MANDARINS = classical(flowers=True)
both_parts = pytest.mark.parametrize("game", [classical(), with_limit(washing=())], ids=["part I", "part II"])


# --- the deal ---


def test_136_tiles_and_144_with_mandarins() -> None:
    """Harr p. 11, 29: three suits, winds and dragons four times each; eight mandarins more where they are played."""
    assert (len(full_wall(flowers=False)), len(full_wall())) == (136, 144)
    deal, _ = play.start(GAME, full_wall(flowers=False), (3, 4, 5, 6))
    assert (deal.wall.left(), deal.wall.live(), deal.dice) == (136 - 53, 136 - 53, (3, 4, 5, 6))
    deal, _ = play.start(with_limit(), full_wall(flowers=False))
    assert (deal.wall.left(), deal.wall.live()) == (83, 83 - 14)
    with pytest.raises(ValueError, match="wall"):
        play.start(GAME, full_wall())


def test_three_times_four_tiles_then_one_and_one_more_for_east() -> None:
    """Harr p. 16-17."""
    wall = scripted_wall(BLANK, dealer=2, procedure=GAME)
    _, events = play.start(GAME, wall, (), 2)
    told = events[0]
    assert isinstance(told, DealStarted)
    for turn, seat in enumerate((2, 3, 0, 1)):
        dealt = [tile for block in range(3) for tile in wall[16 * block + 4 * turn : 16 * block + 4 * turn + 4]]
        dealt.append(wall[48 + turn])
        assert told.hands[seat] == tuple(sorted(dealt + wall[52:53] * (seat == 2)))


def test_dealt_mandarins_are_replaced_by_loose_tiles_east_first() -> None:
    """A-30, A-29: East fully, then South, West and North; whoever they belong to, nobody is paid for them (A-3)."""
    hands = ("5f", "1f2f", "", "3f6f")
    deal, events = play.start(MANDARINS, scripted_wall(hands, tail="7f9p1p3p5p7p", procedure=MANDARINS))
    assert events[1:] == [
        FlowersExposed(0, (kind("5f"),)),
        Drew(0, kind("7f"), FLOWER_REPLACEMENT),
        FlowersExposed(0, (kind("7f"),)),
        Drew(0, kind("9p"), FLOWER_REPLACEMENT),
        FlowersExposed(1, (kind("1f"), kind("2f"))),
        Drew(1, kind("1p"), FLOWER_REPLACEMENT),
        Drew(1, kind("3p"), FLOWER_REPLACEMENT),
        FlowersExposed(3, (kind("3f"), kind("6f"))),
        Drew(3, kind("5p"), FLOWER_REPLACEMENT),
        Drew(3, kind("7p"), FLOWER_REPLACEMENT),
    ]
    assert isinstance(deal.phase, Discarding)
    assert (deal.phase.seat, deal.phase.opening) == (0, True)


def test_eight_mandarins_neither_win_nor_are_paid() -> None:
    """Harr p. 29: each own one doubles; they are worth no points and win nothing by themselves."""
    hands = ("", "1f2f3f4f5f6f7f8f", "", "")
    deal, events = play.start(MANDARINS, scripted_wall(hands, tail="1p2p3p4p6p7p8p9p", procedure=MANDARINS))
    assert not any(isinstance(event, (Paid, Won)) for event in events)
    assert not deal.is_over()


@both_parts
def test_a_mandarin_drawn_later_is_replaced_at_once(game: Procedure) -> None:
    """A-3, A-30, A-14: another's mandarin too; the win on its replacement is one on a loose tile."""
    game = MANDARINS if not game.reserve else with_limit(washing=(), flowers=True)
    hands = ("123m456m789m12p99s", "", "", "")
    script = Script(position(hands, turn=3, drawn="1z", draws="4f", tail="3p", procedure=game))
    script.pass_by(3, "1z")
    assert script.events[-3:] == [
        Drew(0, kind("4f"), WALL),
        FlowersExposed(0, (kind("4f"),)),
        Drew(0, kind("3p"), FLOWER_REPLACEMENT),
    ]
    script.do(0, "win")
    (record,) = scoring_records(script.deal)
    assert (record.replacement, record.flowers, record.by) == (True, (kind("4f"),), BY_SELF_DRAW)


# --- the original hand ---

COMPLETE = "123456789m123p99s"


def test_only_east_wins_with_the_tiles_he_was_dealt() -> None:
    """A-13: South, one short of complete, wins like anybody else on his first draw or East's discard."""
    script = Script(started((COMPLETE, "", "", ""), procedure=GAME))
    assert script.legal(0)[0] == "win"
    (won, *shown) = script.do(0, "win")
    assert won == Won(0, BY_DEALT, -1, -1, tuple(parse_tiles(COMPLETE)))
    assert len(shown) == 3
    script = Script(started(("3p", COMPLETE.replace("123p", "12p"), "", ""), procedure=GAME))
    script.discard(0, "3p")
    script.do(1, "win")
    script.close()
    (record,) = scoring_records(script.deal)
    assert (record.by, record.first_discard) == (BY_DISCARD, True)


def test_a_mandarin_replaced_before_play_leaves_the_hand_original() -> None:
    """A-13."""
    hands = (COMPLETE.replace("123p", "12p") + "1f", "", "", "")
    script = Script(started(hands, tail="3p", procedure=MANDARINS))
    assert script.do(0, "win")[0] == Won(0, BY_DEALT, -1, -1, tuple(parse_tiles(COMPLETE)))


def test_after_a_kong_east_wins_on_a_loose_tile() -> None:
    """A-34: fourteen tiles that are complete with the loose tile."""
    script = Script(started(("1111m456789m22p78s", "", "", ""), tail="9s", procedure=GAME))
    assert "win" not in script.legal(0)
    script.do(0, "concealed_gong 1m")
    (won, *_) = script.do(0, "win")
    assert isinstance(won, Won)
    assert (won.by, won.kind) == (BY_SELF_DRAW, kind("9s"))
    assert scoring_records(script.deal)[0].replacement


# --- kongs ---


@both_parts
def test_a_drawn_four_is_concealed_and_takes_a_loose_tile(game: Procedure) -> None:
    """Harr p. 22-24: the fourth drawn, three in hand; nobody pays anything at once."""
    script = Script(position(("222p", *BLANK[1:]), drawn="2p", tail="9s1s", procedure=game))
    events = script.do(0, "concealed_gong 2p")
    assert events == [Melded(0, Meld(CONCEALED_GONG, kind("2p"))), Drew(0, kind("9s"), GONG_REPLACEMENT)]
    assert script.deal.wall.next_replacement() == kind("1s")


def test_three_in_hand_and_a_discard_are_an_exposed_kong_or_a_pung_as_the_player_likes() -> None:
    """A-20: both are offered; a pung leaves the fourth tile in hand, which he may add on a later turn (A-33)."""
    for move, form in (("gong 5p", EXPOSED_GONG), ("pong 5p", PONG)):
        script = Script(position(("", "", "555p", ""), drawn="5p", tail="1s", draws="1z2z3z4z", procedure=GAME))
        script.discard(0, "5p")
        assert script.legal(2) == ["gong 5p", "pong 5p", "pass"]
        script.do(2, move)
        events = script.close()
        assert isinstance(events[0], Melded)
        assert events[0].meld == Meld(form, kind("5p"), kind("5p"), 0)
        if form == EXPOSED_GONG:
            assert events[1:] == [Drew(2, kind("1s"), GONG_REPLACEMENT)]
        else:
            # not in the turn of the claim.
            assert "promoted_gong 5p" not in script.legal(2)


def test_a_discard_is_never_added_to_an_exposed_pung() -> None:
    """Harr p. 23: no exposed set holds more than one punged tile."""
    script = Script(position(BLANK, melds=("", "555p", "", ""), drawn="5p", procedure=GAME))
    script.discard(0, "5p")
    assert [move for move in script.legal(1) if "gong" in move or "pong" in move] == []
    for move in ("gong 5p", "promoted_gong 5p", "pong 5p"):
        script.refuses(1, move)


def test_a_kong_may_wait_for_a_later_turn() -> None:
    """A-33: the fourth of an exposed pung is kept, and offered again after every draw, not after a claim (A-19)."""
    hands = ("9m", "22p", "", "")
    script = Script(
        position(hands, melds=("333s", "", "", ""), drawn="3s", draws="1z1z1z5z", tail="6z", procedure=GAME)
    )
    assert "promoted_gong 3s" in script.legal(0)
    script.pass_by(0, "9m")
    for seat in (1, 2, 3):
        script.pass_by(seat, "1z")
    assert "promoted_gong 3s" in script.legal(0)
    script.do(0, "promoted_gong 3s")
    assert script.close() == [Drew(0, kind("6z"), GONG_REPLACEMENT)]
    assert script.deal.hands[0].melds[0].form == PROMOTED_GONG


def test_no_kong_in_the_turn_of_a_claim() -> None:
    """A-19: four in hand, but the turn began with a chow."""
    script = Script(position(("", "46p1111z", "", ""), drawn="5p", procedure=GAME))
    script.discard(0, "5p")
    script.do(1, "chow 456p")
    script.close()
    assert [move for move in script.legal(1) if "gong" in move] == []


def test_a_claim_that_completes_the_hand_had_to_be_a_win() -> None:
    """A-31: 123m 456m 789m down or in hand, 46p 99s, and 5p claimed for the chow: no Mah-Jongg now."""
    script = Script(position(("", "123456789m46p99s", "", ""), drawn="5p", procedure=GAME))
    script.discard(0, "5p")
    assert script.legal(1) == ["win", "chow 456p", "pass"]
    script.do(1, "chow 456p")
    script.close()
    assert "win" not in script.legal(1)
    script.refuses(1, "win")


# --- robbing ---

WAITS_5P = "46p123m789m222s11z"


def robbed(game: Procedure) -> Script:
    script = Script(
        position(("5p", WAITS_5P, "", ""), melds=("555p", "", "", ""), drawn="9s", tail="8s", procedure=game)
    )
    script.do(0, "promoted_gong 5p")
    return script


@both_parts
def test_a_tile_added_to_an_exposed_pung_may_be_robbed(game: Procedure) -> None:
    """A-8, K03, K04: Mah-Jongg only. The kong is undone, no loose tile is drawn, and the set scores as a pung."""
    script = robbed(game)
    left = script.deal.wall.left()
    assert [script.legal(seat) for seat in range(4)] == [[], ["win", "pass"], [], []]
    script.do(1, "win")
    (won, *shown) = script.close()
    assert won == Won(1, BY_ROBBED_GONG, kind("5p"), 0, tuple(sorted(parse_tiles(WAITS_5P))))
    assert [event.seat for event in shown if isinstance(event, HandShown)] == [0, 2, 3]
    assert script.deal.wall.left() == left
    east = losing_records(script.deal)[0]
    assert (east.melds[0].form, sum(east.counts), east.counts[kind("5p")]) == (PONG, 10, 0)
    (record,) = scoring_records(script.deal)
    assert (record.replacement, record.last_tile, record.from_wind) == (False, False, 0)


@both_parts
def test_who_does_not_rob_lets_the_kong_stand(game: Procedure) -> None:
    script = robbed(game)
    script.do(1, "pass")
    assert script.close() == [Drew(0, kind("8s"), GONG_REPLACEMENT)]
    # There is no bar for a missed win.
    assert script.deal.missed == [0, 0, 0, 0]


def test_by_the_strict_book_a_kong_is_not_robbed() -> None:
    """A-8, `robbing` off: no window; the loose tile follows at once and the turn goes on."""
    game = classical(robbing=False)
    deal = position(("5p", WAITS_5P, "", ""), melds=("555p", "", "", ""), drawn="9s", tail="8s", procedure=game)
    script = Script(deal)
    assert script.do(0, "promoted_gong 5p") == [Promoted(0, kind("5p")), Drew(0, kind("8s"), GONG_REPLACEMENT)]
    assert script.deal.hands[0].melds[0].form == PROMOTED_GONG
    assert isinstance(script.deal.phase, Discarding)
    assert (script.deal.phase.seat, script.deal.phase.drawn) == (0, kind("8s"))


def test_a_concealed_kong_is_never_robbed() -> None:
    """A-8."""
    script = Script(position(("555p", WAITS_5P, "", ""), drawn="5p", tail="8s", procedure=GAME))
    assert len(script.do(0, "concealed_gong 5p")) == 2
    assert script.waiting() == (0,)


# --- claims ---


def test_any_player_may_win_by_a_run_but_only_the_next_may_take_one() -> None:
    """A-25: West, across the table, completes 456p; South and North hold 4p6p as well, and only South may chow."""
    hands = ("", "46p", "46p123m789m222s11z", "46p")
    script = Script(position(hands, drawn="5p", procedure=GAME))
    script.discard(0, "5p")
    assert [script.legal(seat) for seat in (1, 2, 3)] == [["chow 456p", "pass"], ["win", "pass"], []]
    script.do(1, "chow 456p")
    script.do(2, "win")
    (won, *_) = script.close()
    assert won == Won(2, BY_DISCARD, kind("5p"), 0, tuple(sorted(parse_tiles(hands[2]))))


P01 = ("", "46p123m456m789m11z", "34p222s333s666s22z", "5p111m999m777m333z")


@both_parts
def test_of_three_who_win_the_nearest_wins_alone(game: Procedure) -> None:
    """P01, Harr p. 21: the claimant nearest the discarder on his right, whatever order the answers come in."""
    for order in permutations((1, 2, 3)):
        script = Script(position(P01, drawn="5p", procedure=game))
        script.discard(0, "5p")
        assert [script.legal(seat)[0] for seat in (1, 2, 3)] == ["win"] * 3
        for seat in order:
            script.do(seat, "win")
        (won, *shown) = script.close()
        assert isinstance(won, Won)
        assert (won.seat, won.source) == (1, 0)
        assert [event.seat for event in shown if isinstance(event, HandShown)] == [0, 2, 3]
        assert [len(scoring_records(script.deal)), len(losing_records(script.deal))] == [1, 3]


@pytest.mark.parametrize("winner", [2, 3])
def test_if_the_nearest_passes_the_next_one_wins(winner: int) -> None:
    script = Script(position(P01, drawn="5p", procedure=GAME))
    script.discard(0, "5p")
    script.do(1, "pass")
    script.do(winner, "win")
    (won, *_) = script.close()
    assert isinstance(won, Won)
    assert won.seat == winner


def test_a_missed_win_bars_nobody() -> None:
    """There is no rule of missed wins: South lets 5p pass from East and takes it from West in the same round."""
    hands = ("", WAITS_5P, "5p", "")
    script = Script(position(hands, drawn="5p", draws="9s", procedure=GAME))
    script.discard(0, "5p")
    script.do(1, "pass")
    script.close()
    script.pass_by(1, "9s")
    script.discard(2, "5p")
    assert script.legal(1) == ["win", "pass"]


def test_a_discard_is_dead_with_the_next_draw() -> None:
    """A-18: until the draw it may be claimed, then never again."""
    script = Script(position(("", "", "55p", ""), drawn="5p", draws="9s", procedure=GAME))
    script.discard(0, "5p")
    assert script.legal(2) == ["pong 5p", "pass"]
    assert script.close() == [Drew(1, kind("9s"), WALL)]
    script.refuses(2, "pong 5p")
    script.discard(1, "9s")
    assert [move for seat in range(4) for move in script.legal(seat) if "5p" in move] == []


def test_a_pung_skips_the_players_between() -> None:
    """Harr p. 19-20."""
    script = Script(position(("", "46p", "", "55p"), drawn="5p", draws="9s", procedure=GAME))
    script.discard(0, "5p")
    script.do(1, "chow 456p")
    script.do(3, "pong 5p")
    assert script.close() == [Melded(3, Meld(PONG, kind("5p"), kind("5p"), 0))]
    assert script.waiting() == (3,)
    script.discard(3, script.legal(3)[0].split()[1])
    script.close()
    assert script.waiting() == (0,)


def test_the_claimed_kind_may_be_thrown_back() -> None:
    """Harr says nothing against it."""
    script = Script(position(("", "456p", "", ""), drawn="4p", procedure=GAME))
    script.discard(0, "4p")
    script.do(1, "chow 456p")
    script.close()
    assert "discard 4p" in script.legal(1)
    assert script.do(1, "discard 4p") == [Discarded(1, kind("4p"), False)]
