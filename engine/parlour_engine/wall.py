"""What is left of the wall: drawn from the head, replaced from the tail (lrc.md, P4, P8)."""

from collections.abc import Sequence
from typing import Final

from parlour_engine.tiles import Kind


class Wall:
    """One list of tiles in drawing order; `tiles[head:tail]` is what is left. Only `evolve` moves its ends."""

    __slots__ = ("head", "reserve", "tail", "tiles")

    def __init__(self, tiles: Sequence[Kind], reserve: int) -> None:
        self.tiles: Final[tuple[Kind, ...]] = tuple(tiles)
        self.reserve: Final[int] = reserve
        self.head = 0
        self.tail = len(self.tiles)

    def left(self) -> int:
        """Tiles not yet drawn, the flower wall included."""
        return self.tail - self.head

    def live(self) -> int:
        """Tiles that may still be drawn in turn: the flower wall is topped up from them, so
        max(0, left - reserve) (P8)."""
        live = self.tail - self.head - self.reserve
        return max(live, 0)

    def next_drawn(self) -> Kind:
        """The kind at the head."""
        return self.tiles[self.head]

    def next_replacement(self) -> Kind:
        """The kind at the tail."""
        return self.tiles[self.tail - 1]

    def copy(self) -> "Wall":
        """An independent wall of the same tiles."""
        wall = Wall(self.tiles, self.reserve)
        wall.head = self.head
        wall.tail = self.tail
        return wall
