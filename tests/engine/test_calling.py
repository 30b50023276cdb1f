"""Calling, where a table plays it (P23)."""

from parlour_engine.events import BY_DISCARD, Called, Discarded, Drew, Won
from parlour_engine.outcome import scoring_records
from parlour_engine.procedure import Procedure
from parlour_engine.views import view
from tests.kit.script import Script
from tests.kit.walls import kind, position, started

CALLING = Procedure(calling=True)
READY = "46m123p456p789s222s11z"


def called(draws: str = "", tail: str = "", hand: str = READY) -> Script:
    """P0 has called with a hand that waits for 5m."""
    script = Script(position((hand, "", "", ""), drawn="9p", draws=draws, tail=tail, procedure=CALLING))
    assert script.do(0, "call 9p") == [Called(0), Discarded(0, kind("9p"), True)]
    script.close()
    return script


def test_no_call_by_default() -> None:
    """P23: off unless the ruleset switches it on."""
    script = Script(position((READY, "", "", ""), drawn="9p"))
    assert not [move for move in script.legal(0) if "call" in move]
    script.refuses(0, "call 9p")


def test_a_call_needs_a_hand_that_is_ready_after_the_discard() -> None:
    script = Script(position((READY, "", "", ""), drawn="9p", procedure=CALLING))
    # 4m leaves 6m single, 6m leaves 4m single, 1z leaves 46m and two singles; only these discards leave a wait.
    assert [move for move in script.legal(0) if "call" in move] == ["call 9p"]
    script.refuses(0, "call 4m")


def test_a_call_needs_a_draw() -> None:
    """P23: on the own turn after drawing; East's opening turn follows a draw, the turn of a claim does not."""
    script = Script(position(("", "446m123p456p789s222s9p", "", ""), drawn="4m", procedure=CALLING))
    script.discard(0, "4m")
    script.do(1, "pong 4m")
    script.close()
    assert not [move for move in script.legal(1) if "call" in move]
    opening = Script(started((READY + "9p", "", "", ""), procedure=CALLING))
    assert "call 9p" in opening.legal(0)


def test_a_called_hand_is_frozen() -> None:
    """P23: it discards what it draws, declares no gong and claims nothing but the win."""
    script = called(draws="1m1m1m2s")
    for seat in (1, 2, 3):
        script.pass_by(seat, "1m")
    assert script.legal(0) == ["discard 2s"]
    for move in ("discard 4m", "concealed_gong 2s", "call 2s"):
        script.refuses(0, move)


def test_a_called_hand_claims_only_the_win() -> None:
    script = called(draws="1z2s5m")
    script.discard(1, "1z")
    assert script.legal(0) == []
    script.close()
    script.discard(2, "2s")
    assert script.legal(0) == []
    script.close()
    script.discard(3, "5m")
    assert script.legal(0) == ["win", "pass"]
    script.do(0, "win")
    (won,) = script.close()
    assert isinstance(won, Won)
    assert won.by == BY_DISCARD
    (record,) = scoring_records(script.deal)
    assert record.called


def test_flowers_of_a_called_hand_are_replaced() -> None:
    """P23: and the tile that must go is the replacement."""
    script = called(draws="1m1m1m1f", tail="8p")
    for seat in (1, 2, 3):
        script.pass_by(seat, "1m")
    assert isinstance(script.events[-1], Drew)
    assert script.legal(0) == ["discard 8p"]


def test_everybody_sees_who_has_called() -> None:
    script = called()
    assert [seat.called for seat in view(script.deal, None).seats] == [True, False, False, False]


def test_no_call_for_a_fully_exposed_hand() -> None:
    """P23: five sets exposed; with a concealed gong among them the hand is not fully exposed (A-71)."""
    exposed = "123m 456m 789m 123s 777z"
    script = Script(position(("6p", "", "", ""), melds=(exposed, "", "", ""), drawn="4s", procedure=CALLING))
    assert not [move for move in script.legal(0) if "call" in move]
    hidden = "123m 456m 789m 123s (7777z)"
    script = Script(position(("6p", "", "", ""), melds=(hidden, "", "", ""), drawn="4s", procedure=CALLING))
    assert [move for move in script.legal(0) if "call" in move] == ["call 6p", "call 4s"]


def test_no_call_for_a_special_hand() -> None:
    """P23: sixteen orphans and Nico Nico that wait in no other way may not be called."""
    for hand in ("147m258p369s1234567z", "1133m2244p6688s55z77z"):
        script = Script(position((hand, "", "", ""), drawn="9p", procedure=CALLING))
        assert not [move for move in script.legal(0) if "call" in move], hand
