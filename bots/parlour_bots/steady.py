"""The level `steady`: fast, open-handed, never clever. It counts the tiles it can see and plays for distance.

- It wins whenever it may, and else washes whenever it may: both are paid at once.
- It discards for the smallest distance, then for the most live accepting tiles, then by `progress.DISCARD_ORDER`; a
  discard that leaves it ready is made with a call where the table plays calling.
- It claims a chow or a pong exactly when the distance strictly falls after the best discard.
- It makes a gong, claimed or its own, when the distance does not rise.
- Of several claims, or several gongs, it takes the one that leaves the smallest distance; of equal ones a gong, since
  it draws another tile; then the one that leaves more live accepting tiles; then the one with the lowest move id.

No ruleset is named here: sizes follow from the tiles in hand, and what may be done from the legal moves.
"""

from collections.abc import Sequence
from typing import Final

from parlour_bots.chance import Chance
from parlour_bots.progress import Standing, best_discard, standing, without
from parlour_engine.moves import (
    CALLS,
    CONCEALED,
    DISCARD,
    DISCARDS,
    GONG,
    PASS_MOVE,
    PONG,
    PROMOTE,
    WASH_MOVE,
    WIN_MOVE,
    Move,
)
from parlour_engine.shapes import Keys, distance, suit_keys
from parlour_engine.tiles import COPIES, KINDS, Kind
from parlour_engine.views import View

_EVERY_KIND: Final = range(KINDS)
_LEAVES_HAND: Final = {GONG: 3, CONCEALED: 4, PROMOTE: 1}
"""How many concealed tiles go into each gong."""


class SteadyBot:
    """The reference player; see the module."""

    __slots__ = ()

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        """The move that the module's rules give; `chance` is not asked."""
        for sure in (WIN_MOVE, WASH_MOVE):
            if sure in legal:
                return sure
        if len(legal) == 1:
            return legal[0]
        sight = _Sight(view)
        if PASS_MOVE in legal:
            return _claim(sight, legal)
        return _gong(sight, legal) or _discard(sight, legal)


class _Sight:
    """What the rules ask of a view: the own concealed tiles, the sets they are to make, the copies not yet seen.

    What is seen stays so whatever one does next: a claimed tile lies on the table before and after.
    """

    __slots__ = ("claim", "counts", "keys", "live", "sets")

    def __init__(self, view: View) -> None:
        assert view.viewer is not None  # a watcher has no legal moves to choose from
        concealed = view.seats[view.viewer].concealed
        counts = [0] * KINDS
        for kind in concealed:
            counts[kind] += 1
        live = [COPIES - count for count in counts]
        for seat in view.seats:
            for kind in seat.discards:
                live[kind] -= 1
            for meld in seat.melds:
                for kind in meld.tiles():
                    live[kind] -= 1
        self.claim: Final[Kind] = view.kind
        self.counts: Final[list[int]] = counts
        self.live: Final[list[int]] = live
        self.keys: Final[Keys] = suit_keys(counts)
        # A hand holds 3 tiles a set and one or two more, so this holds for hands of any size.
        self.sets: Final[int] = len(concealed) // 3

    def distance(self) -> int:
        """Of the tiles in hand: after the best discard where one is due."""
        return distance(*self.keys, self.sets)


def _claim(sight: _Sight, legal: Sequence[Move]) -> Move:
    """The claim to make of the tile on the table, or the pass."""
    now = sight.distance()
    best: tuple[int, int, int, int] | None = None
    chosen = PASS_MOVE
    for move in legal:
        if move is PASS_MOVE:
            continue
        gong = move.verb == GONG
        missing, loss = _after_gong(sight, move) if gong else _after_claim(sight, move)
        if missing < now or (gong and missing == now):
            rating = (missing, 0 if gong else 1, loss, move.id)
            if best is None or rating < best:
                best, chosen = rating, move
    return chosen


def _after_claim(sight: _Sight, move: Move) -> Standing:
    """Where the hand stands after a chow or pong and the best discard.

    Discarding the claimed kind itself is among the discards tried. Where the table forbids that (P18) it does not
    matter: it leaves the same tiles as before in a narrower form, so the distance cannot have fallen by it.
    """
    counts, keys = sight.counts.copy(), sight.keys
    low = move.kind
    given = [low, low] if move.verb == PONG else [kind for kind in (low, low + 1, low + 2) if kind != sight.claim]
    for kind in given:
        counts[kind] -= 1
        keys = without(keys, kind)
    return best_discard(counts, keys, sight.sets - 1, sight.live, _EVERY_KIND)[0]


def _after_gong(sight: _Sight, move: Move) -> Standing:
    """Where the hand stands after a gong, waiting for the tile that replaces it."""
    counts = sight.counts.copy()
    leaving = _LEAVES_HAND[move.verb]
    counts[move.kind] -= leaving
    sets = sight.sets if move.verb == PROMOTE else sight.sets - 1
    return standing(counts, without(sight.keys, move.kind, leaving), sets, sight.live)


def _gong(sight: _Sight, legal: Sequence[Move]) -> Move | None:
    """The gong to make on the own turn, None where each would raise the distance."""
    gongs = [move for move in legal if move.verb in (CONCEALED, PROMOTE)]
    if not gongs:
        return None
    now = sight.distance()
    rated = [(_after_gong(sight, move), move.id, move) for move in gongs]
    (missing, _), _, best = min(rated)
    return best if missing <= now else None


def _discard(sight: _Sight, legal: Sequence[Move]) -> Move:
    """The discard to make, with a call where that is legal and the hand is then ready."""
    allowed = {move.kind for move in legal if move.verb == DISCARD}
    (missing, _), kind = best_discard(sight.counts, sight.keys, sight.sets, sight.live, allowed)
    if missing == 1 and CALLS[kind] in legal:
        return CALLS[kind]
    return DISCARDS[kind]
