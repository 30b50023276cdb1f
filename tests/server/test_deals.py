"""Walls are whole, and no two are alike (X01)."""

from collections import Counter

import pytest

from parlour_engine.procedure import Procedure
from parlour_engine.tiles import full_wall
from tests.kit.deals import unforeseen


@pytest.mark.parametrize(("flowers", "tiles", "dice"), [(True, 144, 3), (False, 136, 2)])
def test_a_wall_has_every_tile_of_the_game_and_as_many_dice_as_break_it(flowers: bool, tiles: int, dice: int) -> None:
    wall, thrown = unforeseen(1, Procedure(flowers=flowers, dice=dice))

    assert len(wall) == tiles
    assert Counter(wall) == Counter(full_wall(flowers))
    assert len(thrown) == dice
    assert all(1 <= die <= 6 for die in thrown)


def test_all_walls_and_all_first_hands_are_distinct() -> None:
    walls = [tuple(unforeseen(number, Procedure())[0]) for number in [1] * 200]

    assert len(set(walls)) == 200
    assert len({wall[:16] for wall in walls}) == 200
