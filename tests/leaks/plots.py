"""Deals made up to come to a window that is rare: a gong that may be robbed, the last discard of a wall, the washing.

Everything that shows is the same in every deal of a plot. What differs is whether one seat holds what the window is
about, and that seat passes.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from attrs import frozen

from parlour_engine.moves import Move, move_text
from parlour_engine.notation import TILE_TEXT
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat
from parlour_engine.views import View
from parlour_server.table.shuffling import Laid
from tests.kit.walls import scripted_wall

Hands = tuple[str, str, str, str]
"""From the dealer on."""


@frozen
class Plot:
    """`kind` is the window that it is about; its dealt hands where somebody `could`, and where nobody could."""

    kind: str
    could: dict[int, Hands]
    """By the tiles of a hand; so are the others."""
    nobody: dict[int, Hands]
    draws: str
    tail: str
    last: str
    """The tile that the last live one is, empty for any."""
    move: Callable[[View, Sequence[str]], str | None]
    """What is done with a plan, by whoever holds it; the others pass, or throw what they drew."""

    def wall(self, procedure: Procedure, dealer: Seat, chance: Random) -> list[int]:
        """A wall of it, as often of the one sort as of the other."""
        hands = (self.could if chance.random() < 0.5 else self.nobody)[procedure.hand_size]
        in_seats = [hands[(seat - dealer) % 4] for seat in SEATS]
        wall = scripted_wall(in_seats, self.draws, self.tail, dealer=dealer, procedure=procedure)
        if self.last:
            place = len(wall) - procedure.reserve - 1
            other = max(index for index, kind in enumerate(wall) if TILE_TEXT[kind] == self.last)
            wall[place], wall[other] = wall[other], wall[place]
        return wall

    def near(self, view: View) -> bool:
        """Whether the window is near enough for an eavesdropper to begin to listen."""
        return self.kind != "last" or view.live < 2

    def choose(self, view: View, moves: Sequence[str]) -> str:
        """What a seat does that is asked."""
        planned = self.move(view, moves)
        if planned is not None:
            return planned
        if "pass" in moves:
            return "pass"
        drawn = f"discard {TILE_TEXT[view.drawn]}" if view.drawn >= 0 else ""
        return drawn if drawn in moves else [move for move in moves if move.startswith("discard")][-1]


class Follower:
    """A bot, or a stand-in, that follows a plot."""

    def __init__(self, plot: Plot) -> None:
        self._plot: Final = plot

    def decide(self, view: View, legal: Sequence[Move], _: Any) -> Move:
        """As people do."""
        texts = [move_text(move) for move in legal]
        return legal[texts.index(self._plot.choose(view, texts))]


def laid(plot: Plot, chance: Random, dealer: Callable[[], Seat]) -> Callable[[str], Callable[[int, Procedure], Laid]]:
    """For `Keeping(deals=...)`; `dealer` tells whose deal the next one is."""

    def deal(_: int, procedure: Procedure) -> Laid:
        return plot.wall(procedure, dealer(), chance), (1,) * procedure.dice

    return lambda _: deal


def _role(view: View) -> int:
    assert view.viewer is not None
    return (view.viewer - view.dealer) % 4


def _gong(view: View, moves: Sequence[str]) -> str | None:
    """East throws a tile that West makes a pong of; West draws the fourth, adds it, and wins with the replacement."""
    role = _role(view)
    if role == 0 and view.drawn < 0 and "discard 2m" in moves:
        return "discard 2m"
    if role == 2 and "pass" not in moves:
        for move in ("win", "promoted_gong 2m"):
            if move in moves:
                return move
        if view.claimed >= 0:
            return "discard 7z"
    return "pong 2m" if role == 2 and "pong 2m" in moves else None


def _thrown(view: View, moves: Sequence[str]) -> str | None:
    """East throws a tile that South wins with."""
    if _role(view) == 0 and "discard 5p" in moves:
        return "discard 5p"
    return "win" if _role(view) == 1 and "win" in moves and "pass" in moves else None


_WEST = "22m123p456p789p9s7z"
_NORTH, _NOT_READY = "13m456p789m222s55s", "13m456p789m222s58s"
_EAST, _SOUTH = "5p2233m2244s6677s8m", "46p123m456m789m88p"
_OTHER = "2255p7788p33s55s6m"
_WAITING, _NOT_WAITING = "46p123m456m789m123s55z", "47p123m456m789m123s55z"

PLOTS: Final = {
    "rob": Plot(
        kind="rob",
        could={16: ("2m", "", f"{_WEST}123s", f"{_NORTH}777z"), 13: ("2m", "", _WEST, _NORTH)},
        nobody={16: ("2m", "", f"{_WEST}123s", f"{_NOT_READY}777z"), 13: ("2m", "", _WEST, _NOT_READY)},
        draws="1z9p8p2m",
        tail="9s",
        last="",
        move=_gong,
    ),
    "last": Plot(
        kind="last",
        could={16: ("555p", _WAITING, "", "")},
        nobody={16: ("555p", _NOT_WAITING, "", "")},
        draws="",
        tail="5p",
        last="5p",
        move=lambda _, __: None,
    ),
    "wash": Plot(
        kind="wash",
        could={13: (_EAST, _SOUTH, _OTHER, "19m19p19s1234z58s6p")},
        nobody={13: (_EAST, _SOUTH, _OTHER, "19m19p12z4477m358s")},
        draws="",
        tail="",
        last="",
        move=_thrown,
    ),
}
