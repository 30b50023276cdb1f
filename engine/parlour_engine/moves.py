"""What a seat may ask for. One immutable instance for each move there is, with a stable id.

Compare moves by identity. The ids are the action space of learning environments and never change meaning.
"""

from typing import Final

from parlour_engine.notation import NotationError, hand_text, parse_tile, parse_tiles, tile_text
from parlour_engine.tiles import KINDS, Kind

DISCARD: Final = 0
CALL: Final = 1
"""Discard and declare oneself ready in one move (lrc P23)."""
CHOW: Final = 2
PONG: Final = 3
GONG: Final = 4
"""Claim a discard with three in hand."""
CONCEALED: Final = 5
"""Declare four in hand."""
PROMOTE: Final = 6
"""Add the fourth tile to one's own exposed pong."""
WIN: Final = 7
PASS: Final = 8
WASH: Final = 9
"""Call no play over a dealt hand full of different heads (classical 5)."""

VERBS: Final = ("discard", "call", "chow", "pong", "gong", "concealed_gong", "promoted_gong", "win", "pass", "wash")
"""The word of each verb in the text of a move."""


class Move:
    """One thing a seat may ask for: `verb`, a constant above, and `kind`, the lowest of a chow, -1 for win, pass
    and wash."""

    __slots__ = ("id", "kind", "verb")

    def __init__(self, id_: int, verb: int, kind: Kind) -> None:
        self.id: Final[int] = id_
        self.verb: Final[int] = verb
        self.kind: Final[Kind] = kind

    def __repr__(self) -> str:
        return f"<{move_text(self)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (move_of_id, (self.id,))

    def __copy__(self) -> "Move":
        return self

    def __deepcopy__(self, memo: object) -> "Move":
        return self


_CHOW_LOWS: Final = tuple(kind for kind in range(27) if kind % 9 <= 6)


def _all_moves() -> tuple[Move, ...]:
    shapes = [(DISCARD, kind) for kind in range(KINDS)]
    shapes += [(CALL, kind) for kind in range(KINDS)]
    shapes += [(CHOW, kind) for kind in _CHOW_LOWS]
    for verb in (PONG, GONG, CONCEALED, PROMOTE):
        shapes += [(verb, kind) for kind in range(KINDS)]
    shapes += [(WIN, -1), (PASS, -1), (WASH, -1)]
    return tuple(Move(index, verb, kind) for index, (verb, kind) in enumerate(shapes))


MOVES: Final[tuple[Move, ...]] = _all_moves()
"""Every move, by id."""

DISCARDS: Final[tuple[Move, ...]] = MOVES[0:34]
CALLS: Final[tuple[Move, ...]] = MOVES[34:68]
CHOWS: Final[dict[Kind, Move]] = {move.kind: move for move in MOVES if move.verb == CHOW}
"""By the lowest kind of the chow."""
PONGS: Final[tuple[Move, ...]] = tuple(move for move in MOVES if move.verb == PONG)
GONGS: Final[tuple[Move, ...]] = tuple(move for move in MOVES if move.verb == GONG)
CONCEALED_GONGS: Final[tuple[Move, ...]] = tuple(move for move in MOVES if move.verb == CONCEALED)
PROMOTIONS: Final[tuple[Move, ...]] = tuple(move for move in MOVES if move.verb == PROMOTE)
WIN_MOVE: Final[Move] = MOVES[225]
PASS_MOVE: Final[Move] = MOVES[226]
WASH_MOVE: Final[Move] = MOVES[227]


class IllegalMove(ValueError):
    """A move that its seat may not make now; the deal is as it was.

    `reason` says why in a sentence, `legal` is what the seat may do instead (empty where it has nothing to choose).
    """

    def __init__(self, reason: str, legal: tuple[Move, ...]) -> None:
        super().__init__(reason)
        self.reason: Final[str] = reason
        self.legal: Final[tuple[Move, ...]] = legal


def move_of_id(id_: int) -> Move:
    """The one instance with this id; IndexError outside 0..len(MOVES) - 1."""
    if id_ < 0:
        raise IndexError(id_)
    return MOVES[id_]


def _text_of(move: Move) -> str:
    verb = VERBS[move.verb]
    if move.verb == CHOW:
        return f"{verb} {hand_text((move.kind, move.kind + 1, move.kind + 2))}"
    return verb if move.kind < 0 else f"{verb} {tile_text(move.kind)}"


_TEXTS: Final[tuple[str, ...]] = tuple(_text_of(move) for move in MOVES)


def move_text(move: Move) -> str:
    """`discard 5p`, `chow 456p`, `win`: the text used on the wire and in records.

    >>> move_text(CHOWS[12]), move_text(WIN_MOVE)
    ('chow 456p', 'win')
    """
    return _TEXTS[move.id]


_BY_TEXT: Final[dict[str, Move]] = {move_text(move): move for move in MOVES}


def parse_move(text: str) -> Move:
    """The move of a text such as `pong 5p`; raises NotationError.

    >>> parse_move("chow 456p") is CHOWS[12]
    True
    """
    move = _BY_TEXT.get(text)
    if move is not None:
        return move
    verb, _, tiles = text[:40].partition(" ")
    if verb not in VERBS:
        raise NotationError(f"{verb!r} is no move: use one of {', '.join(VERBS)}")
    if verb == "chow":
        parse_tiles(tiles)
    elif verb not in ("win", "pass", "wash"):
        parse_tile(tiles)
    raise NotationError(f"{text[:40]!r} is no move: write it as in the list of legal moves")
