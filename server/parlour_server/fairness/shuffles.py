"""What a record tells of its shuffles, checked as it comes: commitments, the seats' parts, the walls, the seeds."""

import re
from collections.abc import Sequence
from typing import Final, NoReturn

from parlour_engine.notation import tile_text
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import Kind, full_wall
from parlour_server.fairness.shuffle import SEED_BYTES, commitment, context, dealt, hexed, kind_of, nonces_of
from parlour_server.protocol.events import ShuffleCommitted, ShuffleFixed, ShuffleRevealed
from parlour_server.records.differences import Contradiction
from parlour_server.records.rows import EndRow, EventRow, Header, structured

EVENTS: Final = {
    "shuffle_committed": ShuffleCommitted,
    "shuffle_fixed": ShuffleFixed,
    "shuffle_revealed": ShuffleRevealed,
}
"""The events that are told here, by their tags."""
ShuffleEvent = ShuffleCommitted | ShuffleFixed | ShuffleRevealed
_CONTEXT: Final = re.compile(r"match:([0-9a-f]{32})\|deal:[1-9][0-9]*\|rules:[0-9a-f]*")


class DealShuffle:
    """The shuffle of one deal as far as it has been told; `line` is the commitment's, `wall_line` the wall's."""

    __slots__ = ("commit", "context", "deal", "dice", "line", "nonces", "seed", "wall", "wall_line")

    def __init__(self, deal: int, context_: str, commit: str, line: int) -> None:
        self.deal: Final = deal
        self.context: Final = context_
        self.commit: Final = commit
        self.line: Final = line
        self.nonces: list[str | None] | None = None
        self.wall: tuple[Kind, ...] = ()
        self.dice: tuple[int, ...] = ()
        self.wall_line = 0
        self.seed: str | None = None


class Shuffles:
    """Takes the events and the walls of one record in order; each call raises RecordError or Contradiction.

    `deals` are those that were committed to, by number; empty for a record from before there was this shuffle, or of
    the arena. `match` is the public name of the match, None while nothing has told it.
    """

    def __init__(self, header: Header, procedure: Procedure) -> None:
        self._digest: Final = header.ruleset.digest
        self._dice: Final = procedure.dice
        self._tiles: Final = len(full_wall(procedure.flowers))
        self._walls = 0
        self._cut: int | None = None
        """The deal whose seed was shown before it was over: the match ends here."""
        self.match = header.match
        self.deals: Final[dict[int, DealShuffle]] = {}

    def event(self, line: int, row: EventRow, playing: bool, over: bool) -> ShuffleEvent:
        """The next event of a shuffle; `playing` while a deal goes on, `over` after the last."""
        event: ShuffleEvent = structured(dict(row.event), EVENTS[row.event["e"]], line)
        match event:
            case ShuffleCommitted():
                self._committed(line, event, playing or over)
            case ShuffleFixed():
                self._fixed(line, event)
            case ShuffleRevealed():
                self._revealed(line, event, playing)
        return event

    def goes_on(self, line: int) -> None:
        """Anything but the showing of seeds, who sits where, and the end."""
        if self._cut is not None:
            raise Contradiction(line, f"the seed of deal {self._cut} was shown, and the deal goes on")

    def wall(self, line: int, wall: Sequence[Kind], dice: Sequence[int]) -> None:
        """The wall of the next deal is laid."""
        self._walls += 1
        number = self._walls
        shuffle = self.deals.get(number)
        if shuffle is None or shuffle.nonces is None:
            if not self.deals:
                return
            missing = "no commitment" if shuffle is None else "what the seats add"
            raise Contradiction(line, f"the wall of deal {number} is laid, and {missing} was told before it")
        shuffle.wall, shuffle.dice, shuffle.wall_line = tuple(wall), tuple(dice), line

    def end(self, line: int, row: EndRow) -> None:
        """The record ends here: whatever was committed to is shown by now, a deal that was broken off as well."""
        hidden = [number for number, shuffle in self.deals.items() if shuffle.seed is None]
        if hidden:
            raise Contradiction(line, f"the record is {row.reason}, and the seed of deal {hidden[0]} was never shown")

    def _committed(self, line: int, event: ShuffleCommitted, closed: bool) -> None:
        self.goes_on(line)
        number = self._walls + 1
        if closed or event.deal != number:
            raise Contradiction(line, f"a commitment to deal {event.deal} has no place here")
        if number in self.deals:
            raise Contradiction(line, f"deal {number} was committed to before, in line {self.deals[number].line}")
        if number > 1 and not self.deals:
            raise Contradiction(line, f"deal {number} is committed to, and the deals before it were not")
        found = _CONTEXT.fullmatch(event.context)
        if self.match is None and found is not None:
            self.match = found[1]
        expected = context(self.match or "?", number, self._digest).decode()
        if event.context != expected:
            raise Contradiction(line, f"the commitment is for {event.context}, and this is {expected}")
        _hex(line, event.commit, SEED_BYTES, "the commitment")
        self.deals[number] = DealShuffle(number, event.context, event.commit, line)

    def _fixed(self, line: int, event: ShuffleFixed) -> None:
        self.goes_on(line)
        number = self._walls + 1
        shuffle = self.deals.get(number)
        if event.deal != number or shuffle is None:
            raise Contradiction(line, f"what the seats add to deal {event.deal} comes before its commitment")
        if shuffle.nonces is not None:
            raise Contradiction(line, f"what the seats add to deal {number} was told before")
        if len(event.nonces) != 4:
            raise Contradiction(line, f"four seats add something, and there are {len(event.nonces)}")
        try:
            nonces_of(event.nonces)
        except ValueError as error:
            raise Contradiction(line, f"what a seat adds: {error}") from None
        shuffle.nonces = list(event.nonces)

    def _revealed(self, line: int, event: ShuffleRevealed, playing: bool) -> None:
        shuffle = self.deals.get(event.deal)
        if shuffle is None:
            raise Contradiction(line, f"the seed of deal {event.deal} is shown, which was never committed to")
        if shuffle.seed is not None:
            raise Contradiction(line, f"the seed of deal {event.deal} was shown before")
        if event.deal > self._walls or (event.deal == self._walls and playing):
            self._cut = event.deal
        seed = _hex(line, event.seed, SEED_BYTES, "the seed")
        commit = commitment(shuffle.context.encode(), seed).hex()
        if commit != shuffle.commit:
            raise Contradiction(
                line,
                f"the seed of deal {event.deal} gives the commitment {commit}, and line {shuffle.line} told "
                f"{shuffle.commit}",
            )
        if shuffle.wall_line:
            self._laid_again(line, shuffle, seed)
        shuffle.seed = event.seed

    def _laid_again(self, line: int, shuffle: DealShuffle, seed: bytes) -> None:
        ctx = shuffle.context.encode()
        tiles, dice = dealt(ctx, seed, nonces_of(shuffle.nonces or ()), self._tiles, self._dice)
        wall = [kind_of(tile) for tile in tiles]
        for place, (told, due) in enumerate(zip(shuffle.wall, wall, strict=True), 1):
            if told != due:
                self._differs(line, shuffle, f"tile {place} is {tile_text(due)} and not {tile_text(told)}")
        if shuffle.dice != tuple(dice):
            self._differs(line, shuffle, f"the dice are {dice} and not {list(shuffle.dice)}")

    def _differs(self, line: int, shuffle: DealShuffle, how: str) -> NoReturn:
        what = f"seed and seats of deal {shuffle.deal} give another wall than that of line {shuffle.wall_line}"
        raise Contradiction(line, f"{what}: {how}")


def _hex(line: int, text: str, length: int, what: str) -> bytes:
    try:
        return hexed(text, length)
    except ValueError as error:
        raise Contradiction(line, f"{what}: {error}") from None
