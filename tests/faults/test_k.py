"""Faults K: gongs and robbing. The TW half of each case that is not told elsewhere."""

from itertools import permutations

import pytest

from parlour_engine.events import BY_ROBBED_GONG, GONG_REPLACEMENT, Drew, Melded, Won
from parlour_engine.melds import EXPOSED_GONG, PROMOTED_GONG
from parlour_engine.notation import parse_tiles
from parlour_engine.outcome import scoring_records
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.seats import SEATS
from parlour_engine.views import view
from tests.engine.scoring.hands import lines, lrc
from tests.kit.script import Script
from tests.kit.walls import kind, position

ROBBER = "46p123m789m222s11z666s"
"""K03: sixteen tiles that wait for 5p alone."""


def settled(script: Script) -> Settlement:
    return settle(lrc(), scoring_records(script.deal))


def test_k01_two_may_rob_and_neither_sees_more_than_win_and_pass() -> None:
    """K01: P2 adds the fourth 2m; P0 and P3 wait for it and may win or pass, P1 and P2 may do nothing."""
    hands = ("13m123p456p789s222s11z", "2233z", "2m", "13m789p456s666s777s44z")
    script = Script(position(hands, melds=("", "", "222m", ""), turn=2, drawn="9s"))
    script.do(2, "promoted_gong 2m")
    assert [script.legal(seat) for seat in SEATS] == [["win", "pass"], [], [], ["win", "pass"]]
    assert [len(view(script.deal, seat).moves) for seat in SEATS] == [2, 0, 0, 2]
    for seat, move in ((0, "discard 1m"), (0, "chow 123m"), (3, "pong 2m"), (2, "discard 9s"), (1, "pass")):
        script.refuses(seat, move)


def test_k03_a_robbed_gong_is_paid_by_its_declarer_with_the_bonus_once() -> None:
    """K03, K04 and Y-6: P0 adds 5p and P1 robs it. 456p 123m 789m 222s 666s and East as eyes, without flowers: No
    Flowers 1, Two Concealed Pongs 5, Terminal Sheungs 3, Concealed Hand 5 (A-81), True Single Wait 2, East's tile 1,
    Robbing 10, base 5. Nothing is drawn, P0 keeps a pong of three, and the gong itself pays nothing."""
    script = Script(position(("5p", ROBBER, "", ""), melds=("555p", "", "", ""), drawn="9s"))
    left = script.deal.wall.left()
    script.do(0, "promoted_gong 5p")
    script.do(1, "win")
    script.close()
    settlement = settled(script)
    (entry,) = settlement.entries
    expected = {
        "no_flowers": 1,
        "concealed_pongs_2": 5,
        "terminal_sheungs_1": 3,
        "concealed_hand": 5,
        "true_single_wait": 2,
        "east_tile": 1,
        "robbing_gong": 10,
        "base": 5,
    }
    assert lines(entry.score) == expected
    assert [award.count for award in entry.score.awards if award.award == "robbing_gong"] == [1]
    assert settlement.net == (-32, 32, 0, 0)
    assert script.deal.paid == [0, 0, 0, 0]
    assert script.deal.wall.left() == left
    assert [meld.tiles() for meld in script.deal.hands[0].melds] == [(kind("5p"),) * 3]
    # K09, by kinds: three in the pong, the fourth is the tile that P1 won with.
    held = [hand.counts[kind("5p")] + hand.declared[kind("5p")] for hand in script.deal.hands]
    won = script.deal.wins[0]
    assert (held, won.kind, won.concealed.count(kind("5p"))) == ([3, 0, 0, 0], kind("5p"), 0)


TWO_ROBBERS = ("5p", ROBBER, "", "34p111m999m333z77z444s")


def test_two_who_rob_one_gong_are_both_paid_by_its_declarer() -> None:
    """P15, P16: each gets its own total with its own bonus; the others pay nothing."""
    nets = set()
    for order in permutations((1, 3)):
        script = Script(position(TWO_ROBBERS, melds=("555p", "", "", ""), drawn="9s"))
        script.do(0, "promoted_gong 5p")
        for seat in order:
            script.do(seat, "win")
        events = script.close()
        assert [(won.seat, won.by, won.source) for won in events if isinstance(won, Won)] == [
            (1, BY_ROBBED_GONG, 0),
            (3, BY_ROBBED_GONG, 0),
        ]
        settlement = settled(script)
        totals = [entry.score.total for entry in settlement.entries]
        assert settlement.net == (-sum(totals), totals[0], 0, totals[1])
        assert [lines(entry.score)["robbing_gong"] for entry in settlement.entries] == [10, 10]
        nets.add(settlement.net)
    assert len(nets) == 1


def test_of_two_who_could_rob_one_passes_and_is_barred_alone() -> None:
    """P17: the deal is over with the other's win; had both passed, both were barred from 5p."""
    script = Script(position(TWO_ROBBERS, melds=("555p", "", "", ""), drawn="9s", tail="9p"))
    script.do(0, "promoted_gong 5p")
    script.do(1, "pass")
    (drew,) = script.close()
    assert drew == Drew(0, kind("9p"), GONG_REPLACEMENT)
    assert [view(script.deal, seat).missed for seat in SEATS] == [(), (kind("5p"),), (), (kind("5p"),)]


@pytest.mark.parametrize("live", [0, 1])
def test_k06_a_claimed_gong_needs_a_live_tile(live: int) -> None:
    """K06 a and b, P10: with none left no gong of any form is offered; with one left the claimed gong takes it, and
    after its replacement there is no other."""
    hands = ("", "", "555m1111z", "")
    script = Script(position(hands, drawn="5m", live=live, tail="7z"))
    script.discard(0, "5m")
    if not live:
        assert script.legal(2) == []
        for move in ("gong 5m", "pong 5m"):
            script.refuses(2, move)
        return
    assert "gong 5m" in script.legal(2)
    script.do(2, "gong 5m")
    events = script.close()
    assert isinstance(events[0], Melded)
    assert events[0].meld.form == EXPOSED_GONG
    assert events[1] == Drew(2, kind("7z"), GONG_REPLACEMENT)
    assert script.deal.wall.live() == 0
    assert not [move for move in script.legal(2) if "gong" in move]
    script.refuses(2, "concealed_gong 1z")


@pytest.mark.parametrize("live", [0, 1, 2])
def test_k06_an_added_gong_needs_a_live_tile(live: int) -> None:
    """K06, P10: its replacement is the last live tile's due, so after it the rest follows the wall."""
    script = Script(position(("6m1111z", "", "", ""), melds=("666m", "", "", ""), drawn="9s", live=live, tail="7z"))
    assert ("promoted_gong 6m" in script.legal(0)) is (live > 0)
    if live:
        script.do(0, "promoted_gong 6m")
        script.close()
        assert script.deal.hands[0].melds[0].form == PROMOTED_GONG
        assert script.deal.wall.live() == live - 1
        assert ("concealed_gong 1z" in script.legal(0)) is (live == 2)


def test_k06_an_added_gong_with_the_last_live_tile_may_be_robbed() -> None:
    """P10, P15: the window is the gong's, not a discard's; robbed, the live tile stays in the wall."""
    script = Script(position(("5p", ROBBER, "", ""), melds=("555p", "", "", ""), drawn="9s", live=1))
    script.do(0, "promoted_gong 5p")
    assert script.legal(1) == ["win", "pass"]
    script.do(1, "win")
    script.close()
    assert script.deal.wall.live() == 1


def test_k06_flowers_after_the_last_gong_never_empty_the_wall() -> None:
    """P8: with one live tile a gong and five flowers in a row; six replacements are taken, none is counted below 0."""
    tail = "1f2f5f6f3f7z"
    script = Script(position(("1111z", "", "", ""), drawn="9s", live=1, tail=tail))
    script.do(0, "concealed_gong 1z")
    assert [event.kind for event in script.events if isinstance(event, Drew)] == parse_tiles(tail)
    assert (script.deal.wall.live(), script.deal.wall.left()) == (0, 17 - 6)
    assert {view(script.deal, viewer).live for viewer in (None, *SEATS)} == {0}
    assert [move for move in script.legal(0) if "gong" in move] == []


def test_k10_an_added_gong_may_wait() -> None:
    """K10: a pong of 3s, the fourth is drawn later: offered at that draw, and kept, at the next turn again."""
    script = Script(position(("", "", "", "9m"), melds=("", "", "", "333s"), turn=2, drawn="1z", draws="3s1m1m1m1p"))
    script.pass_by(2, "1z")
    assert "promoted_gong 3s" in script.legal(3)
    script.pass_by(3, "9m")
    for seat in (0, 1, 2):
        assert "promoted_gong 3s" not in script.legal(seat)
        script.pass_by(seat, "1m")
    assert "promoted_gong 3s" in script.legal(3)
    script.do(3, "promoted_gong 3s")


@pytest.mark.parametrize(
    ("hand", "melds", "moves", "tail", "counts"),
    [
        ("1m222m345p678s78p9s", "111m", ["promoted_gong 1m", "concealed_gong 2m"], "1f2m2f9p", True),
        ("1111m345p678s78p9s", "222m", ["concealed_gong 1m", "promoted_gong 2m"], "1f2f2m9p", True),
        (
            "1111m222m333m345p78p9s",
            "",
            ["concealed_gong 1m", "concealed_gong 2m", "concealed_gong 3m"],
            "2m1f3m9p",
            True,
        ),
        (
            "1111m222m3333m345p78p",
            "",
            ["concealed_gong 1m", "concealed_gong 2m", "concealed_gong 3m"],
            "2m1f9s9p",
            False,
        ),
    ],
    ids=["added first", "added second", "three linked", "three, the last from the hand"],
)
def test_flowers_between_gongs_neither_break_nor_make_a_chain(
    hand: str, melds: str, moves: list[str], tail: str, counts: bool
) -> None:
    """Y-7, A-82, P28: 99s are the eyes and 9p the winning tile in all of them."""
    script = Script(position((hand, "", "", ""), melds=(melds, "", "", ""), drawn="9s", tail=tail))
    for move in moves:
        script.do(0, move)
        if move.startswith("promoted"):
            script.close()
    script.do(0, "win")
    (record,) = scoring_records(script.deal)
    assert (record.replacement, record.last_tile) == (True, False)
    assert record.gong_on_gong is counts
    won = lines(settled(script).entries[0].score)
    assert (won["self_draw_flower_wall"], won.get("gong_on_gong")) == (5, 30 if counts else None)
