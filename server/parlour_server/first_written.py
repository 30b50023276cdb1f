"""What a client was told is on disk first: the messages of a turn wait until its journal rows are written."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from parlour_server.table.deliveries import Delivery
from parlour_server.table.journal import Row

Write = Callable[[list[Row], Callable[[], None]], None]
"""Queues rows; the second argument is called when they, and all queued before them, are written."""


class Turn:
    """What came of one call of the table: `deliveries`, and the numbers of the viewers it has let go (`gone`); `since`
    is when the message came that it answers, by the loop's clock."""

    __slots__ = ("deliveries", "gone", "since", "written")

    def __init__(
        self, deliveries: Sequence[Delivery], gone: Sequence[int], since: float | None, *, written: bool
    ) -> None:
        self.deliveries: Final = deliveries
        self.gone: Final = gone
        self.since: Final = since
        self.written = written


class FirstWritten:
    """The turns of one table in order; `deliver` gets each when nothing before it waits any more."""

    __slots__ = ("_deliver", "_turns", "_write")

    def __init__(self, write: Write, deliver: Callable[[Turn], None]) -> None:
        self._write: Final = write
        self._deliver: Final = deliver
        self._turns: Final[deque[Turn]] = deque()

    def __len__(self) -> int:
        """Turns that wait."""
        return len(self._turns)

    def put(
        self,
        rows: list[Row],
        deliveries: Sequence[Delivery],
        gone: Sequence[int],
        since: float | None = None,
        *,
        cover: bool = False,
    ) -> None:
        """The next turn. Without rows, and with nothing waiting, it is delivered at once, but for a `cover`: that waits
        for the disk whether it has rows or not."""
        if not rows and not self._turns and not cover:
            if deliveries or gone:
                self._deliver(Turn(deliveries, gone, since, written=True))
            return
        turn = Turn(deliveries, gone, since, written=not rows and not cover)
        self._turns.append(turn)
        if not turn.written:
            self._write(rows, lambda: self._written(turn))

    def forget(self) -> None:
        """Whatever waits is told to nobody: the table it came from has failed."""
        self._turns.clear()

    def _written(self, turn: Turn) -> None:
        turn.written = True
        while self._turns and self._turns[0].written:
            self._deliver(self._turns.popleft())
