"""Walls are whole, and no two are alike (X01)."""

from collections import Counter

from parlour_engine.tiles import full_wall
from parlour_server.deals import secret_deal


def test_a_wall_has_every_tile_and_the_dice_are_three() -> None:
    wall, dice = secret_deal(1)

    assert Counter(wall) == Counter(full_wall())
    assert len(dice) == 3
    assert all(1 <= die <= 6 for die in dice)


def test_all_walls_and_all_first_hands_are_distinct() -> None:
    walls = [tuple(secret_deal(number)[0]) for number in [1] * 200]

    assert len(set(walls)) == 200
    assert len({wall[:16] for wall in walls}) == 200
