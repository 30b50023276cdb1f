"""Robbing a gong, missed wins, the chain of gongs."""

import pytest

from parlour_engine.events import BY_ROBBED_GONG, Discarded, Drew, Melded, Promoted, Won
from parlour_engine.melds import PONG, Meld
from parlour_engine.notation import parse_tiles
from parlour_engine.outcome import scoring_records
from parlour_engine.phases import Discarding
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from parlour_engine.views import view
from tests.kit.script import Script
from tests.kit.walls import LRC, kind, position

NO_BAR = Procedure(missed_win=False)


def rob_script(tail: str = "") -> Script:
    """K03: P0 holds the fourth 5p for its pong, P1 waits for 5p alone."""
    hands = ("5p", "46p123m789m222s11z666s", "", "")
    return Script(position(hands, melds=("555p", "", "", ""), drawn="9s", tail=tail))


def test_a_gong_is_robbed() -> None:
    """P15, K03: the pong stays a pong of three, nothing is drawn, the tile is in the winner's hand once."""
    script = rob_script()
    left = script.deal.wall.left()
    script.do(0, "promoted_gong 5p")
    assert script.do(1, "win") == []
    (won,) = script.close()
    assert won == Won(1, BY_ROBBED_GONG, kind("5p"), 0, tuple(sorted(parse_tiles("46p123m789m222s11z666s"))))
    assert script.deal.hands[0].melds == [Meld(PONG, kind("5p"), kind("5p"), 3)]
    assert script.deal.hands[0].counts[kind("5p")] == 0
    assert script.deal.wall.left() == left
    assert script.deal.paid == [0, 0, 0, 0]
    (record,) = scoring_records(script.deal)
    assert (record.by, record.win_tile, record.replacement, record.first_discard) == (2, kind("5p"), False, False)


def test_the_robbing_window_offers_the_win_and_nothing_else() -> None:
    """K01: P0 may win or pass, the others and the declarer nothing, and no move of another turn is taken."""
    hands = ("13m123p456p789s222s11z", "", "2m", "")
    script = Script(position(hands, melds=("", "", "222m", ""), turn=2, drawn="9s"))
    assert script.do(2, "promoted_gong 2m") == [Promoted(2, kind("2m"))]
    assert [script.legal(seat) for seat in range(4)] == [["win", "pass"], [], [], []]
    assert script.waiting() == (0,)
    for move in ("discard 1m", "chow 123m", "pong 2m"):
        script.refuses(0, move)
    script.refuses(2, "discard 9s")
    script.refuses(1, "pass")


def test_a_concealed_gong_cannot_be_robbed() -> None:
    """P15: no window opens, not even for 13 Orphans."""
    orphans = "199m19p19s1234567z234p"
    script = Script(position(("1111m", "", orphans[1:], ""), drawn="9m", tail="5p"))
    assert isinstance(script.do(0, "concealed_gong 1m")[-1], Drew)
    assert isinstance(script.deal.phase, Discarding)


def test_an_open_gong_cannot_be_robbed() -> None:
    """P15: only an added gong; a claimed one is replaced at once although P1 waits for the tile and let it pass."""
    hands = ("", "46p123m789m222s11z666s", "555p", "")
    script = Script(position(hands, drawn="5p"))
    script.discard(0, "5p")
    script.do(1, "pass")
    script.do(2, "gong 5p")
    events = script.close()
    assert isinstance(events[0], Melded)
    assert isinstance(events[1], Drew)


@pytest.mark.parametrize(("nearest", "winners"), [(False, [1, 3]), (True, [1])])
def test_several_may_rob(nearest: bool, winners: list[Seat]) -> None:
    """P16 holds for robbing: every robber wins, in turn order from the declarer's right, or the nearest only."""
    hands = ("5p", "46p123m789m222s11z666s", "", "34p111m999m333z77z444s")
    procedure = Procedure(nearest_winner_only=nearest)
    script = Script(position(hands, melds=("555p", "", "", ""), drawn="9s", procedure=procedure))
    script.do(0, "promoted_gong 5p")
    script.do(3, "win")
    script.do(1, "win")
    assert [event.seat for event in script.close() if isinstance(event, Won)] == winners


def test_nobody_robs() -> None:
    """P15: after a pass the gong is complete and replaced."""
    script = rob_script(tail="7z")
    script.do(0, "promoted_gong 5p")
    script.do(1, "pass")
    (drew,) = script.close()
    assert isinstance(drew, Drew)
    assert drew.kind == kind("7z")
    assert script.deal.hands[0].melds[0].is_gong()


WAITS_5M = "46m123p456p789s222s11z"


def missed(hand: str = WAITS_5M, answer: str = "pass", procedure: Procedure = LRC, draws: str = "5m3z") -> Script:
    """P2 waits for 5m and lets P0's go by."""
    script = Script(position(("", "", hand, ""), drawn="5m", draws=draws, procedure=procedure))
    script.discard(0, "5m")
    assert script.legal(2)[0] == "win"
    if answer:
        script.do(2, answer)
    script.close()
    return script


@pytest.mark.parametrize("answer", ["pass", ""])
def test_a_missed_kind_is_barred_until_the_own_draw(answer: str) -> None:
    """P17, A-88: declined or missed, 5m may not be won from P1 either; after P2's own draw it may again."""
    script = missed(answer=answer, draws="5m3z5m")
    assert view(script.deal, 2).missed == (kind("5m"),)
    script.discard(1, "5m")
    assert script.legal(2) == ["chow 456m", "pass"]
    script.refuses(2, "win")
    script.close()
    assert view(script.deal, 2).missed == ()
    script.pass_by(2, "3z")
    script.discard(3, "5m")
    assert script.legal(2)[0] == "win"


def test_without_the_rule_every_discard_may_be_won() -> None:
    """P17 with `missed_win` off."""
    script = missed(procedure=NO_BAR)
    script.discard(1, "5m")
    assert script.legal(2)[0] == "win"


def test_self_draw_is_always_allowed() -> None:
    """P17: P2 draws the kind it missed."""
    script = missed(draws="9m5m")
    script.pass_by(1, "9m")
    assert script.legal(2)[0] == "win"


def test_another_kind_is_not_barred() -> None:
    """P17: the bar is by kind; the hand waits for 5m and 1z."""
    script = missed("55m123p456p789s222s11z", draws="1z3z")
    script.discard(1, "1z")
    assert script.legal(2)[0] == "win"


def test_taking_a_pong_instead_is_missing_too_and_does_not_lift_the_bar() -> None:
    """P17, P25: P2 pongs the 5m it could win on; it stays barred through its claim and the change of its hand."""
    script = missed("55m123p456p789s222s11z", answer="pong 5m", draws="9m3z")
    assert view(script.deal, 2).missed == (kind("5m"),)
    script.pass_by(2, "1z")
    assert view(script.deal, 2).missed == (kind("5m"),)


def test_a_replacement_lifts_the_bar() -> None:
    """P25: the gong taken instead of the win draws a replacement, which is an own draw."""
    script = missed("555m67m11z123p456p789s", answer="gong 5m", draws="9m3z")
    assert view(script.deal, 2).missed == ()


def script_to_the_fourth(procedure: Procedure) -> Script:
    """P3 misses P0's 5p, which P1 pongs; P0 pongs P1's 7s, and P1 adds the fourth 5p before P3 has drawn."""
    hands = ("77s", "55p7s", "", "46p123m789m222s11z666m")
    script = Script(position(hands, drawn="5p", draws="5p", procedure=procedure))
    script.discard(0, "5p")
    script.do(1, "pong 5p")
    script.close()
    script.discard(1, "7s")
    script.do(0, "pong 7s")
    script.close()
    discard = next(move for move in script.legal(0) if move.endswith("z"))
    script.do(0, discard)
    script.close()
    script.do(1, "promoted_gong 5p")
    return script


def test_a_missed_kind_may_not_be_robbed() -> None:
    """P25: the bar covers robbing."""
    script = script_to_the_fourth(LRC)
    assert script.legal(3) == []
    script.refuses(3, "win")


def test_a_missed_kind_may_be_robbed_without_the_rule() -> None:
    """The same walk with `missed_win` off: the win is offered, so it is the bar that withheld it."""
    assert script_to_the_fourth(NO_BAR).legal(3) == ["win", "pass"]


def test_a_missed_robbing_bars_the_kind() -> None:
    """P17, P25: letting the announced tile pass counts as declining."""
    script = rob_script(tail="9m")
    script.do(0, "promoted_gong 5p")
    script.close()
    assert view(script.deal, 1).missed == (kind("5p"),)
    script.pass_by(0, "9m")
    assert view(script.deal, 1).missed == ()


def chain(hand: str, gongs: list[str], tail: str) -> bool:
    """Whether the win after these concealed gongs counts as Self Drawing a Gong."""
    script = Script(position((hand, "", "", ""), drawn="9s", tail=tail))
    for gong in gongs:
        script.do(0, f"concealed_gong {gong}")
    script.do(0, "win")
    (record,) = scoring_records(script.deal)
    assert record.replacement
    return record.gong_on_gong


def test_two_gongs_the_second_by_the_replacement() -> None:
    """Y-7, A-82: the replacement of the first makes the second, whose replacement wins."""
    assert chain("1111m222m345p678s78p9s", ["1m", "2m"], "2m9p") is True


def test_two_gongs_that_were_both_in_hand() -> None:
    """A-82: the second must use the tile drawn as replacement."""
    assert chain("1111m2222m345p678s78p", ["1m", "2m"], "9s9p") is False


def test_a_flower_does_not_break_the_chain() -> None:
    """Y-7: flowers in between do not break it."""
    assert chain("1111m222m345p678s78p9s", ["1m", "2m"], "1f2m2f9p") is True


@pytest.mark.parametrize(
    ("hand", "gongs", "tail", "counts"),
    [
        ("1111m222m3333m345p78p", ["1m", "2m", "3m"], "2m9s9p", False),
        ("1111m2222m333m345p78p", ["1m", "2m", "3m"], "9s3m9p", True),
        ("1111m222m333m345p78p9s", ["1m", "2m", "3m"], "2m3m9p", True),
    ],
    ids=["last not linked", "last two linked", "all linked"],
)
def test_the_last_two_of_three_gongs_decide(hand: str, gongs: list[str], tail: str, counts: bool) -> None:
    """P28."""
    assert chain(hand, gongs, tail) is counts


def test_a_claimed_gong_never_counts() -> None:
    """A-82, P28: a gong claimed from a discard begins no chain."""
    script = Script(position(("", "444p222m345s99s78p1z11z", "", ""), drawn="4p", tail="2m9p"))
    script.discard(0, "4p")
    script.do(1, "gong 4p")
    script.close()
    script.do(1, "concealed_gong 2m")
    assert script.deal.hands[1].counts[kind("9p")]
    phase = script.deal.phase
    assert isinstance(phase, Discarding)
    assert phase.own_gongs == 1


def test_an_added_gong_is_a_link_of_the_chain() -> None:
    """Y-7: self-drawn gongs are concealed or added ones."""
    melds = ("222m", "", "", "")
    script = Script(position(("1111m345p678s78p9s", "", "", ""), melds=melds, drawn="9s", tail="2m9p"))
    script.do(0, "concealed_gong 1m")
    script.do(0, "promoted_gong 2m")
    script.close()
    script.do(0, "win")
    assert scoring_records(script.deal)[0].gong_on_gong


def test_a_discard_ends_the_chain() -> None:
    """A-82: the two gongs belong to one turn."""
    script = Script(position(("1111m222m", "", "", ""), drawn="9s", tail="5z", draws="1p1p1p2m"))
    script.do(0, "concealed_gong 1m")
    script.discard(0, "9s")
    script.close()
    for seat in (1, 2, 3):
        script.pass_by(seat, "1p")
    script.do(0, "concealed_gong 2m")
    phase = script.deal.phase
    assert isinstance(phase, Discarding)
    assert phase.own_gongs == 1
    assert isinstance(script.discard(0, "5z")[0], Discarded)


def test_several_kinds_may_be_barred_at_once() -> None:
    """P17: P2 misses 5m and then 8m before its own draw, as P0 takes the 8m."""
    script = Script(position(("88m", "", "67m123p456p789s222s11z", ""), drawn="5m", draws="8m"))
    script.pass_by(0, "5m")
    script.discard(1, "8m")
    script.do(0, "pong 8m")
    script.close()
    assert view(script.deal, 2).missed == (kind("5m"), kind("8m"))


def test_waits_asked_for_while_a_gong_is_announced_are_forgotten() -> None:
    """A-74: until the gong is complete the declarer holds three 5p, afterwards four, so 5p is no wait any more."""
    script = Script(position(("5p46p123m789m222s1z", "", "", ""), melds=("555p", "", "", ""), drawn="1z", tail="9s"))
    script.do(0, "promoted_gong 5p")
    hand = script.deal.hands[0]
    assert hand.waits(script.deal.procedure) == 1 << kind("5p")
    script.close()
    assert hand.waits(script.deal.procedure) == 0


def test_a_copy_keeps_the_answers_of_a_robbing_window() -> None:
    script = rob_script()
    script.do(0, "promoted_gong 5p")
    script.do(1, "win")
    copy = Script(script.deal.copy())
    assert copy.legal(1) == []
    assert isinstance(copy.close()[0], Won)
    assert not script.deal.is_over()
