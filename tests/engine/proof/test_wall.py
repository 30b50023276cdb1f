"""The wall of a game without loose tiles: the head is drawn, the tail replaces."""

from tests.kit.walls import started


def test_the_next_tile_is_the_heads_where_none_lie_loose() -> None:
    wall = started(("", "", "", ""), draws="5p9s", tail="3z").wall
    assert not wall.loose
    drawn = wall.next_drawn()
    assert (drawn, drawn) == (wall.tiles[wall.head], wall.rest()[0])
    wall.take_drawn()
    assert wall.next_drawn() == wall.rest()[0] != drawn
    assert wall.next_replacement() == wall.rest()[-1]
