"""What is left of the wall: drawn from the head, replaced from the tail or from the loose tiles (lrc P4, P8;
classical A-17, A-29)."""

from collections.abc import Sequence
from typing import Final

from parlour_engine.tiles import Kind


class Wall:
    """One list of tiles in drawing order, stacks of two with the top first. Only `evolve` moves its ends.

    Without loose tiles `tiles[head:tail]` is what is left. With them `loose` are the kinds that lie apart, the one
    lying there longest first: at the start the last stack, refilled from the end of the wall. `tail - head` is the
    number of tiles left either way, and `tail - len(loose)` the end of the wall proper; where that is odd, the top of
    the last stack has been lifted and the bottom lies at that very index.
    """

    __slots__ = ("head", "loose", "reserve", "tail", "tiles")

    def __init__(self, tiles: Sequence[Kind], reserve: int, loose_tiles: int = 0) -> None:
        """`loose_tiles` is 0, or 2 with at least one stack."""
        self.tiles: Final[tuple[Kind, ...]] = tuple(tiles)
        self.reserve: Final[int] = reserve
        self.head = 0
        self.tail = len(self.tiles)
        self.loose: Final[list[Kind]] = list(self.tiles[self.tail - loose_tiles :])

    def left(self) -> int:
        """Tiles not yet drawn, those that are never drawn in turn included."""
        return self.tail - self.head

    def live(self) -> int:
        """Tiles that may still be drawn in turn: the reserve is topped up from them, so max(0, left - reserve) (P8,
        classical A-9)."""
        live = self.tail - self.head - self.reserve
        return max(live, 0)

    def next_drawn(self) -> Kind:
        """The kind at the head; the first loose one where only these are left (classical A-29)."""
        if self.loose:
            end = self.tail - len(self.loose)
            if self.head >= end:
                return self.loose[0]
            if self.head == end - 1 and end & 1:
                return self.tiles[end]
        return self.tiles[self.head]

    def next_replacement(self) -> Kind:
        """The kind at the tail, or the loose one that has lain there longest."""
        return self.loose[0] if self.loose else self.tiles[self.tail - 1]

    def take_drawn(self) -> None:
        """The next tile drawn is gone."""
        if self.loose and self.head >= self.tail - len(self.loose):
            del self.loose[0]
        self.head += 1

    def take_replacement(self) -> None:
        """The next replacement is gone; its gap among the loose tiles is filled from the end of the wall, the top of a
        stack first."""
        loose = self.loose
        if loose:
            end = self.tail - len(loose)
            del loose[0]
            if self.head < end:
                if end & 1:
                    loose.append(self.tiles[end])
                elif self.head < end - 1:
                    loose.append(self.tiles[end - 2])
                else:
                    # The top of the last stack was drawn in turn.
                    loose.append(self.tiles[end - 1])
        self.tail -= 1

    def rest(self) -> list[Kind]:
        """The kinds left, in the order in which they would be drawn if nothing were replaced."""
        if not self.loose:
            return list(self.tiles[self.head : self.tail])
        end = self.tail - len(self.loose)
        proper = list(self.tiles[self.head : end])
        if proper and end & 1:
            proper[-1] = self.tiles[end]
        return proper + self.loose

    def copy(self) -> "Wall":
        """An independent wall of the same tiles."""
        wall = Wall(self.tiles, self.reserve)
        wall.head = self.head
        wall.tail = self.tail
        wall.loose[:] = self.loose
        return wall
