"""One public course of a deal, played over two walls: whatever is hidden differs, whatever is public does not."""

from collections.abc import Sequence
from random import Random

from parlour_engine.notation import parse_tile
from parlour_engine.seats import SEATS
from parlour_engine.tiles import FIRST_FLOWER
from parlour_server.protocol import events
from parlour_server.protocol.messages import Ask, Play
from parlour_server.table.journal import Happened, Row
from tests.leaks.stage import Someone, Stage

MOST = 0.55
"""Seconds after which every claim is answered; less than the floor, the way and the commit beside."""


class Elsewhere(Exception):
    """Over this wall the course cannot be played."""


class Course:
    """Who plays what, by version and seat. It is made up as it is played first, and followed afterwards.

    People claim and gong now and then and never win. A pass is no part of it: whoever is asked and claims nothing
    passes at some moment before the floor, which is another in every run.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._made: dict[tuple[int, int, int], tuple[str, float]] = {}
        self._passes: dict[tuple[int, int, int], float] = {}
        self._follows = False
        self._keep: int | None = None
        self._luck = Random(0)
        self._asked: set[tuple[int, int, int]] = set()
        """In this run; whoever comes back is asked again, and has made up his mind."""
        self.passes = 0
        """By those who pass otherwise than they did first."""

    def again(self, luck: int, keep: int | None) -> "Course":
        """To be followed from now on; `keep` passes as it did."""
        self._follows, self._keep, self._luck, self.passes = True, keep, Random(luck), 0
        self._asked.clear()
        return self

    def answer(self, someone: Someone, ask: Ask) -> None:
        """What somebody does who is asked."""
        assert someone.you is not None
        at = ask.version, someone.you, someone.stage.lives
        if at in self._asked:
            return
        self._asked.add(at)
        if self._follows:
            if at in self._made:
                move, seconds = self._made[at]
                if move not in ask.moves:
                    raise Elsewhere
            elif someone.you == self._keep:
                move, seconds = "pass", self._passes[at]
            elif "pass" in ask.moves:
                self.passes += 1
                move, seconds = "pass", self._luck.uniform(0.0, MOST)
            else:
                raise Elsewhere
        else:
            move, seconds = self._choose(ask)
            if move == "pass":
                self._passes[at] = seconds
            else:
                self._made[at] = move, seconds
        someone.after(min(seconds, _time(someone.stage)), Play(ask.version, move, ask.version))

    def _choose(self, ask: Ask) -> tuple[str, float]:
        chance = self._chance
        sets = [move for move in ask.moves if move.split(" ")[0] not in ("win", "pass", "discard")]
        others = [move for move in ask.moves if move != "win"]
        move = chance.choice(sets) if sets and chance.random() < 0.5 else chance.choice(others)
        if "pass" in ask.moves and chance.random() < 0.5:
            move = "pass"
        return move, chance.uniform(0.0, MOST)


def _time(stage: Stage) -> float:
    """Seconds in which an answer comes before the floor."""
    live = stage.table
    ends = live._table.window_ends
    return MOST if ends is None else max(0.0, ends - live._clock.now() - 0.05)


def hidden_places(stage: Stage, wall: Sequence[int], rows: Sequence[Row]) -> dict[int | None, list[int]]:
    """Where tiles lie that nobody but their holder has seen, by holder (None: the wall): still there, or in the hand
    that they were dealt to, of kinds that this hand has neither shown nor drawn since."""
    deal = stage.table._table._course.current()
    places: dict[int | None, list[int]] = {
        None: [place for place in range(deal.wall.head, deal.wall.tail) if wall[place] < FIRST_FLOWER]
    }
    drawn: list[set[int]] = [set(), set(), set(), set()]
    for row in rows:
        if isinstance(row, Happened) and isinstance(row.event, events.Drew) and row.event.tile is not None:
            drawn[row.event.seat].add(parse_tile(row.event.tile))
    for seat in SEATS:
        own = [16 * block + 4 * seat + offset for block in range(4) for offset in range(4)] + [64] * (seat == 0)
        dealt = [wall[place] for place in own]
        places[seat] = [
            place
            for place in own
            if wall[place] < FIRST_FLOWER
            and wall[place] not in drawn[seat]
            and deal.hands[seat].counts[wall[place]] == dealt.count(wall[place])
        ]
    return places


def swapped(wall: Sequence[int], places: dict[int | None, list[int]], chance: Random, keep: int | None) -> list[int]:
    """The wall with hidden tiles of hands and wall in other places, none of them of the seat `keep`."""
    free = [place for holder, found in places.items() if holder is None or holder != keep for place in found]
    other = list(wall)
    for _ in range(chance.choice((1, 2, 4))):
        one, two = chance.sample(free, 2)
        other[one], other[two] = other[two], other[one]
    return other
