"""Text for tiles, hands and melds, both ways: MPSZ with `1f`-`8f` for the flowers.

>>> hand_text(parse_tiles("55m123p77z"))
'55m123p77z'
>>> meld_text(parse_meld("(9999s)"))
'(9999s)'
"""

from collections.abc import Iterable
from typing import Final

from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG, Meld
from parlour_engine.tiles import FIRST_FLOWER, FIRST_WIND, Kind


class NotationError(ValueError):
    """Text that cannot be read as tiles; the message names the place and the cure."""


TILE_TEXT: Final[tuple[str, ...]] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *(f"{rank}f" for rank in range(1, 9)),
)
"""The text of every kind, by kind."""

_KIND: Final[dict[str, Kind]] = {text: kind for kind, text in enumerate(TILE_TEXT)}


def tile_text(kind: Kind) -> str:
    """`5p` for a kind 0-41."""
    return TILE_TEXT[kind]


def parse_tile(text: str) -> Kind:
    """The kind of a text such as `5p`; raises NotationError."""
    kind = _KIND.get(text)
    if kind is None:
        raise NotationError(f"{text[:20]!r} is no tile: write 1m-9m, 1p-9p, 1s-9s, 1z-7z or 1f-8f")
    return kind


def parse_tiles(text: str) -> list[Kind]:
    """Kinds of a text such as `123m55z`, in the order written; raises NotationError."""
    tiles: list[Kind] = []
    digits: list[str] = []
    for position, letter in enumerate(text):
        if "1" <= letter <= "9":
            digits.append(letter)
        elif letter in "mpszf":
            if not digits:
                raise NotationError(f"the suit {letter!r} at character {position + 1} has no number before it")
            tiles.extend(parse_tile(digit + letter) for digit in digits)
            digits.clear()
        else:
            raise NotationError(
                f"{letter!r} at character {position + 1} is neither a number 1-9 nor one of the suits m p s z f"
            )
    if digits:
        raise NotationError(f"the numbers {''.join(digits)[:20]!r} at the end have no suit letter after them")
    return tiles


def hand_text(tiles: Iterable[Kind]) -> str:
    """`123m55z` for kinds in any order, sorted, a run of one suit sharing its letter."""
    text: list[str] = []
    suit = ""
    for kind in sorted(tiles):
        number, letter = TILE_TEXT[kind][0], TILE_TEXT[kind][1]
        if letter != suit:
            text.append(suit)
            suit = letter
        text.append(number)
    text.append(suit)
    return "".join(text)


def parse_meld(text: str) -> Meld:
    """`123m` chow, `777z` pong, `5555p` open gong, `(9999s)` concealed gong; raises NotationError.

    Text does not say whose tile was claimed, nor whether an open gong was claimed or added.
    """
    inner = text
    concealed = False
    if text.startswith("(") and text.endswith(")"):
        inner, concealed = text[1:-1], True
    tiles = sorted(parse_tiles(inner))
    if any(kind >= FIRST_FLOWER for kind in tiles):
        raise NotationError(f"{text[:20]!r} is no meld: a flower cannot be in a set")
    same = len(set(tiles)) == 1
    if concealed:
        if len(tiles) == 4 and same:
            return Meld(CONCEALED_GONG, tiles[0])
    elif len(tiles) == 4 and same:
        return Meld(EXPOSED_GONG, tiles[0], tiles[0])
    elif len(tiles) == 3 and same:
        return Meld(PONG, tiles[0], tiles[0])
    elif len(tiles) == 3 and tiles[0] < FIRST_WIND and tiles[0] % 9 <= 6:
        low = tiles[0]
        if tiles == [low, low + 1, low + 2]:
            return Meld(CHOW, low)
    raise NotationError(f"{text[:20]!r} is no meld: write 123m, 777z, 5555p or (9999s)")


def meld_text(meld: Meld) -> str:
    """The text that `parse_meld` reads."""
    text = hand_text(meld.tiles())
    return f"({text})" if meld.form == CONCEALED_GONG else text
