"""A wall with loose tiles as one would lay it on a table, stack by stack: what the rules say and nothing else."""


class Stacks:
    """The places of a wall of `number` tiles in drawing order: stacks of two, the last of which is lifted and lies
    loose (classical A-17, A-29)."""

    def __init__(self, number: int) -> None:
        stacks = [[place, place + 1] for place in range(0, number, 2)]
        self.loose = stacks.pop()
        self.stacks = stacks

    def drawn(self) -> int:
        """From the head, the top of a stack first; the loose ones where nothing else is left."""
        return self._off(0) if self.stacks else self.loose.pop(0)

    def replaced(self) -> int:
        """The loose tile that has lain there longest; one from the end of the wall joins the other."""
        place = self.loose.pop(0)
        if self.stacks:
            self.loose.append(self._off(-1))
        return place

    def left(self) -> list[int]:
        """The places that hold a tile still."""
        return [place for stack in self.stacks for place in stack] + self.loose

    def _off(self, end: int) -> int:
        place = self.stacks[end].pop(0)
        if not self.stacks[end]:
            del self.stacks[end]
        return place
