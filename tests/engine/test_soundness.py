"""What `soundness` finds wrong with a deal that was tampered with: a check that cannot fail believes everybody."""

from collections.abc import Callable

import pytest

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import Event, HandShown, Won
from parlour_engine.evolve import evolve
from parlour_engine.hand import Hand
from parlour_engine.moves import WASH_MOVE
from parlour_engine.phases import Discarding, Over
from parlour_engine.soundness import problems
from tests.kit.classical import classical, with_limit
from tests.kit.script import Script
from tests.kit.walls import LRC, position, scripted_wall, started

GAME = classical(flowers=True)


def turn() -> Deal:
    deal = position(("", "", "", ""), melds=("(1111z)", "555p", "", ""), drawn="9s", procedure=GAME)
    deal.hands[2].waits(GAME)
    return deal


def end() -> Deal:
    script = Script(position(("123m456m789m12p99s", "", "", ""), drawn="3p", procedure=GAME))
    script.do(0, "win")
    return script.deal


def washed() -> Deal:
    game = with_limit()
    hands = ("", "19m19p19s1234567z", "", "")
    deal, _ = play.start(game, scripted_wall(hands, procedure=game))
    play.apply(deal, 1, WASH_MOVE)
    play.close(deal)
    return deal


def lost_from_the_wall(deal: Deal) -> None:
    deal.wall.head += 1


def drawn_too_often(deal: Deal) -> None:
    deal.wall.head = deal.wall.tail + 1


def loose_tile_gone(deal: Deal) -> None:
    deal.wall.loose.pop()


def unpaid(deal: Deal) -> None:
    deal.paid[2] += 1


def discard_without_source(deal: Deal) -> None:
    deal.drawn_discards[1].append(True)


def miscounted(deal: Deal) -> None:
    deal.hands[2].size += 1


def wrong_keys(deal: Deal) -> None:
    deal.hands[2].keys[1] += 1


def undeclared(deal: Deal) -> None:
    deal.hands[0].declared[27] -= 1


def no_concealed_gong(deal: Deal) -> None:
    deal.hands[0].concealed_gongs = 0


def stale_waits(deal: Deal) -> None:
    deal.hands[2].mask ^= 1


def flower_kept(deal: Deal) -> None:
    deal.hands[2].unshown.append(34)


def turn_of_another(deal: Deal) -> None:
    deal.phase = Discarding(2, 0)


def empty_handed(deal: Deal) -> None:
    deal.legal = None
    deal.hands[0].counts[:] = [0] * 34
    deal.phase = Discarding(0)


def shown_early(deal: Deal) -> None:
    deal.shown = 4


def other_winners(deal: Deal) -> None:
    deal.phase = Over((2,))


def hidden_after_all(deal: Deal) -> None:
    deal.shown = 2


def two_washers(deal: Deal) -> None:
    deal.shown = 3


TAMPERED: list[tuple[Callable[[], Deal], Callable[[Deal], None], str]] = [
    (turn, lost_from_the_wall, "instead of"),
    (turn, drawn_too_often, "more tiles were drawn"),
    (turn, loose_tile_gone, "tiles lie loose"),
    (turn, unpaid, "payments sum to 1"),
    (turn, discard_without_source, "whether they were drawn"),
    (turn, miscounted, "counted as"),
    (turn, wrong_keys, "suit keys"),
    (turn, undeclared, "declared tiles"),
    (turn, no_concealed_gong, "concealed gongs"),
    (turn, stale_waits, "keeps the waits"),
    (turn, flower_kept, "has not shown"),
    (turn, turn_of_another, "tiles instead of"),
    (turn, empty_handed, "can do nothing"),
    (turn, shown_early, "hands that are shown"),
    (end, other_winners, "not those who won"),
    (end, hidden_after_all, "hands that are shown"),
    (washed, two_washers, "hands that are shown"),
]


@pytest.mark.parametrize(("made", "tamper", "found"), TAMPERED, ids=[tamper.__name__ for _, tamper, _ in TAMPERED])
def test_a_deal_that_was_tampered_with_is_found_out(
    made: Callable[[], Deal], tamper: Callable[[Deal], None], found: str
) -> None:
    deal = made()
    assert problems(deal) == []
    tamper(deal)
    assert any(found in problem for problem in problems(deal)), problems(deal)


def test_losers_stay_hidden_where_only_winners_are_scored() -> None:
    script = Script(position(("123m456m789m123p123s9s", "", "", ""), drawn="9s", procedure=LRC))
    script.do(0, "win")
    evolve(script.deal, HandShown(1, script.deal.hands[1].tiles()))
    assert problems(script.deal) != []


def test_what_is_no_event_of_a_deal_is_refused() -> None:
    class Sneezed(Event):
        """Not among the rules."""

    with pytest.raises(TypeError, match="Sneezed"):
        evolve(started(("", "", "", "")), Sneezed())


def test_an_empty_hand_is_not_complete() -> None:
    assert not Hand().is_complete(GAME)


def test_no_window_to_close_is_an_error() -> None:
    with pytest.raises(ValueError, match="no window"):
        play.close(turn())
    assert isinstance(end().wins[0], Won)
