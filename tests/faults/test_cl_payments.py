"""Faults P as the classical games meet them: who is liable, and who is cut off (the CL half of each)."""

from itertools import permutations

import pytest

from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.dangerous import DRAGONS, HEADS
from parlour_engine.scoring.payment import DIFFERENCE, HAND, PENALTY, Settlement, settle
from parlour_server.protocol.events import Settled
from parlour_server.table.journal import Happened
from tests.faults.test_cl import P01
from tests.faults.test_p import fed_by_west
from tests.kit.script import Script
from tests.kit.walls import position, scripted_wall
from tests.server.table.sitting import CLASSICAL, LIMIT, all_call

BOTH = pytest.mark.parametrize("game", [CLASSICAL, LIMIT], ids=lambda game: game.key)

# --- P04 ---

RUN = "123m9s"
"""Beside three sets of dragons it waits for 9s, and is not of heads alone."""
FED_HEADS = "111m9s"
"""The same, and heads alone."""
STRAYS = ("222p47m58m36s1234z", "147m369p58s12347z", "258m147p36s12346z")
"""The three others: South has a concealed three of simples, which is 4 in either game, the others have nothing and wait
for nothing."""


def everybody_pays(total: int) -> tuple[int, int, int, int]:
    """East wins `total`, and the three pay him double; West and North pay South the 4 that they differ by."""
    return (6 * total, -2 * total + 4 + 4, -2 * total - 4, -2 * total - 4)


def everybody_paid(settlement: Settlement, total: int) -> None:
    """The usual settlement: nobody pays for another."""
    assert [(entry.seat_wind, entry.score.total) for entry in settlement.entries] == [
        (0, total),
        (1, 4),
        (2, 0),
        (3, 0),
    ]
    assert settlement.danger is None
    assert [one.reason for one in settlement.transfers] == [HAND] * 3 + [DIFFERENCE] * 2
    assert settlement.net == everybody_pays(total)


@pytest.mark.parametrize("self_drawn", [True, False])
@pytest.mark.parametrize("form", ["pong", "gong", "added"])
def test_p04_without_a_limit_whoever_fed_the_third_dragon_is_not_liable(form: str, self_drawn: bool) -> None:
    """P04: 20 for Mah-Jongg, 2 for the only place, 4 for each exposed pung of heads, and 16 for a kong of them however
    it came about; 2 more for drawing. Three sets of dragons double three times."""
    points = 20 + 2 + 4 + 4 + (4 if form == "pong" else 16) + (2 if self_drawn else 0)
    everybody_paid(fed_by_west(form, self_drawn, CLASSICAL, RUN, STRAYS), 8 * points)


@pytest.mark.parametrize("self_drawn", [True, False])
@pytest.mark.parametrize("form", ["pong", "gong", "added"])
def test_p04_with_a_limit_a_set_that_a_discard_made_is_no_penalty(form: str, self_drawn: bool) -> None:
    """P04, classical 5: three sets of dragons are a limit hand, 300. West fed the third and North, where it was so,
    the last tile, but West's discard did not win and North's 9s is none of what the hand had warned of."""
    settlement = fed_by_west(form, self_drawn, LIMIT, RUN, STRAYS)
    everybody_paid(settlement, 300)
    assert settlement.entries[0].score.limited


def test_p04_with_a_limit_the_winning_discard_may_be_penalised_though_another_fed_the_set() -> None:
    """P04, Harr p. 67-70: three sets of dragons on the table are nine heads, and the hand wins with heads alone. North,
    who discards the 9s, pays for all, 600 each since East wins; West, who fed the third set, pays nothing, and no
    other score counts."""
    settlement = fed_by_west("pong", False, LIMIT, FED_HEADS, STRAYS)
    assert settlement.danger is not None
    assert (settlement.danger.discarder, settlement.danger.shown, settlement.danger.penalised) == (3, (HEADS,), True)
    assert sorted(one.reason for one in settlement.transfers) == [HAND, PENALTY, PENALTY]
    assert settlement.net == (1800, 0, 0, -1800)


@pytest.mark.parametrize("self_drawn", [True, False])
def test_p04_that_danger_is_none_where_the_tile_was_drawn_or_no_limit_played(self_drawn: bool) -> None:
    """P04: the same hand. Drawn, the limit is paid as usual; without a limit 20, 10 without a sequence, 2 for the only
    place, three exposed pungs of heads 12 and a concealed one 8, 2 for drawing, double three times."""
    if self_drawn:
        everybody_paid(fed_by_west("pong", True, LIMIT, FED_HEADS, STRAYS), 300)
    points = 20 + 10 + 2 + 12 + 8 + (2 if self_drawn else 0)
    everybody_paid(fed_by_west("pong", self_drawn, CLASSICAL, FED_HEADS, STRAYS), 8 * points)


def won_on_the_third_dragon(game: Ruleset) -> Settlement:
    """Two sets of dragons are down, 55z and 99s in hand; West throws the white one, and P0 wins with it."""
    hands = ("123m99s55z", *STRAYS)
    script = Script(position(hands, melds=("777z 666z", "", "", ""), turn=2, drawn="5z", procedure=game.procedure))
    script.discard(2, "5z")
    script.do(0, "win")
    script.close()
    return settle(game, scoring_records(script.deal), losing_records(script.deal))


def test_p04_with_a_limit_the_third_dragon_that_wins_is_a_dangerous_discard() -> None:
    """P04, the other side of the boundary (Harr p. 67-70): West's tile makes the third set and wins, so he pays for
    all; no other score counts."""
    settlement = won_on_the_third_dragon(LIMIT)
    assert settlement.danger is not None
    assert (settlement.danger.discarder, settlement.danger.shown, settlement.danger.penalised) == (2, (DRAGONS,), True)
    assert settlement.net == (1800, 0, -1800, 0)


def test_p04_where_no_danger_is_played_the_third_dragon_that_wins_is_paid_as_usual() -> None:
    """P04, classical 5: the game without a limit knows no dangerous discard, and the other may switch it off. Without
    a limit: 20 and three exposed pungs of heads 12, doubled three times; two kinds win, so it is no only place."""
    everybody_paid(won_on_the_third_dragon(CLASSICAL), 8 * (20 + 12))
    everybody_paid(won_on_the_third_dragon(LIMIT.with_options({"dangerous_discard": False})), 300)


# --- P01 ---

THIRTEEN = {
    # The tale of test_cl: South 22, West 12, North 28, and East nothing.
    "classical": (22, [-44 - 24 - 56, 44 + 22 + 22, -22 - 16 + 24, -22 + 56 + 16]),
    # East's first discard is worth half the limit to South; the others as there.
    "classical-limit": (150, [-300 - 24 - 56, 300 + 150 + 150, -150 - 16 + 24, -150 + 56 + 16]),
}
"""By game: what South's hand is worth, and who is paid what."""


@pytest.mark.parametrize("gone", [1, 2, 3])
@BOTH
def test_p01_the_nearest_wins_alone_though_a_caller_is_cut_off(game: Ruleset, gone: int) -> None:
    """P01, `nearest`: all three call East's 5p, in any order, and one of them is gone at once. South is the nearest: he
    alone wins, once, and all that is paid is what would have been."""
    wall = scripted_wall(["5p" + P01[0], *P01[1:]], procedure=game.procedure)
    total, changes = THIRTEEN[game.key]
    for order in permutations((1, 2, 3)):
        sitting, clients = all_call(wall, game, order, gone)
        sitting.wait(5)
        told = [row.event for row in sitting.rows if isinstance(row, Happened) and isinstance(row.event, Settled)]
        assert [event for event in clients[0].events() if isinstance(event, Settled)] == told
        (event,) = told
        assert isinstance(event, Settled)
        assert [(win.seat, win.source, win.total) for win in event.wins] == [(1, 0, total)], order
        assert (event.changes, event.scores) == (changes, changes), order
        # East lost, so the deal passes on.
        assert event.next is not None
        assert (event.next.deal, event.next.dealer) == (2, 1)
