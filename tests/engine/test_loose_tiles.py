"""The loose tiles at the end of a classical wall: which tile is drawn, which replaces, what is left (classical 1, A-17,
A-29). A wall of numbers stands for one of tiles, so that each has its place."""

import random

import pytest

from parlour_engine import play
from parlour_engine.events import WALL, DealStarted, Drew
from parlour_engine.notation import parse_tiles
from parlour_engine.wall import Wall
from tests.kit.classical import classical, with_limit
from tests.kit.stacks import Stacks
from tests.kit.walks import Walk, eager
from tests.kit.walls import scripted_wall


def numbered(number: int) -> Wall:
    return Wall(range(number), 0, 2)


def drawn(wall: Wall) -> int:
    kind = wall.next_drawn()
    wall.take_drawn()
    return kind


def replaced(wall: Wall) -> int:
    kind = wall.next_replacement()
    wall.take_replacement()
    return kind


def test_the_lifted_stack_goes_first_and_the_wall_follows_stack_by_stack() -> None:
    """A-17, A-29: of 136 tiles the last stack lies loose, its top is taken first and the other stays; the top of the
    next stack joins it, then its bottom."""
    wall = numbered(136)
    assert wall.loose == [134, 135]
    assert [replaced(wall) for _ in range(6)] == [134, 135, 132, 133, 130, 131]
    assert wall.loose == [128, 129]
    assert (wall.head, wall.left(), drawn(wall)) == (0, 130, 0)


def test_after_one_replacement_the_top_of_the_next_stack_lies_loose() -> None:
    wall = numbered(8)
    assert replaced(wall) == 6
    assert wall.loose == [7, 4]
    # What is left in the order of drawing: the bottom of the stack whose top was lifted is the last of the wall proper.
    assert wall.rest() == [0, 1, 2, 3, 5, 7, 4]
    assert [drawn(wall) for _ in range(7)] == [0, 1, 2, 3, 5, 7, 4]
    assert (wall.left(), wall.loose) == (0, [])


def test_without_a_replacement_the_loose_tiles_are_the_last_to_be_drawn() -> None:
    wall = numbered(6)
    assert [drawn(wall) for _ in range(6)] == [0, 1, 2, 3, 4, 5]


def test_the_order_of_the_last_draw_and_the_last_replacement_matters() -> None:
    """One whole stack and the loose ones are left. Drawn first, its bottom joins the loose tiles; replaced first, its
    top does."""
    one, other = numbered(4), numbered(4)
    assert (drawn(one), replaced(one), one.loose) == (0, 2, [3, 1])
    assert (replaced(other), other.loose) == (2, [3, 0])
    assert (drawn(other), other.loose) == (1, [3, 0])
    assert one.left() == other.left() == 2


def test_the_last_loose_tile_has_nothing_to_join_it() -> None:
    wall = numbered(2)
    assert (replaced(wall), wall.loose, wall.left()) == (0, [1], 1)
    assert (drawn(wall), wall.loose, wall.left()) == (1, [], 0)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
def test_any_order_is_as_on_a_table(share: float) -> None:
    """W01: thousands of orders of draws and replacements beside stacks that are laid out one by one."""
    chance = random.Random(round(share * 100))
    for _ in range(1000):
        number = 2 * chance.randrange(1, 12)
        wall, stacks = numbered(number), Stacks(number)
        order = ""
        while wall.left():
            replace = chance.random() < share
            order += "r" if replace else "d"
            if replace:
                assert replaced(wall) == stacks.replaced(), order
            else:
                assert drawn(wall) == stacks.drawn(), order
            assert wall.rest() == stacks.left(), order
            assert wall.loose == stacks.loose, order
            assert wall.copy().rest() == wall.rest()
        assert stacks.left() == []


def test_a_copy_has_loose_tiles_of_its_own() -> None:
    wall = numbered(8)
    copy = wall.copy()
    assert replaced(copy) == 6
    assert (wall.loose, copy.loose) == ([6, 7], [7, 4])


GAMES = {
    "classical": classical(),
    "mandarins": classical(flowers=True),
    "limit": with_limit(),
    "limit, mandarins": with_limit(flowers=True),
}


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("seed", range(12))
def test_whole_deals_take_their_tiles_from_the_right_places(seed: int, game: str) -> None:
    """W01: every draw of a deal beside the stacks; the dead wall of Part II is never touched (Harr p. 60)."""
    walk = Walk(seed, GAMES[game], eager)
    walk.to_the_end()
    told = walk.events[0]
    assert isinstance(told, DealStarted)
    stacks = Stacks(len(told.wall))
    for _ in range(53):
        stacks.drawn()
    for event in walk.events:
        if isinstance(event, Drew):
            assert len(stacks.left()) > GAMES[game].reserve
            place = stacks.drawn() if event.source == WALL else stacks.replaced()
            assert event.kind == told.wall[place]
    assert walk.deal.wall.rest() == [told.wall[place] for place in stacks.left()]


def test_a_script_names_replacements_in_their_order() -> None:
    """The kit itself: the tiles of `tail` are what kongs draw, odd or even in number."""
    for tail in ("6p", "6p7p", "6p7p8p"):
        wall = scripted_wall(("1111m2222m3333m", "", "", ""), tail=tail, procedure=classical())
        deal, _ = play.start(classical(), wall)
        for kind in parse_tiles(tail):
            assert deal.wall.next_replacement() == kind
            deal.wall.take_replacement()
