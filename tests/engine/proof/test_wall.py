"""How many tiles a wall has, and the ends of one without loose tiles: the head is drawn, the tail replaces."""

import pytest

from tests.engine.proof.classical_hands import ruleset
from tests.kit.walls import started


@pytest.mark.parametrize(("game", "tiles"), [("lrc", 144), ("classical", 136), ("classical-limit", 136)])
def test_a_wall_has_the_tiles_that_the_game_is_played_with(game: str, tiles: int) -> None:
    """P1; classical 1: 34 kinds four times, and eight flowers where there are any."""
    assert ruleset(game).wall == tiles
    if game != "lrc":
        assert ruleset(game).with_options({"mandarins": True}).wall == 144


def test_the_next_tile_is_the_heads_where_none_lie_loose() -> None:
    wall = started(("", "", "", ""), draws="5p9s", tail="3z").wall
    assert not wall.loose
    drawn = wall.next_drawn()
    assert (drawn, drawn) == (wall.tiles[wall.head], wall.rest()[0])
    wall.take_drawn()
    assert wall.next_drawn() == wall.rest()[0] != drawn
    assert wall.next_replacement() == wall.rest()[-1]
