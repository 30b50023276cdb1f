"""The tiles of a scoring request: read from their text, and such as one set of tiles can hold, or `bad_tiles`."""

from collections.abc import Sequence
from typing import NoReturn

from parlour_engine.melds import Meld
from parlour_engine.notation import NotationError, parse_meld, parse_tile, parse_tiles
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.fields import BAD_TILES, RequestError
from parlour_engine.scoring.record import DEALT, FLOWERS, ScoringRecord
from parlour_engine.tiles import COPIES, KINDS, Kind, is_flower

Tiles = tuple[list[int], tuple[Meld, ...], tuple[Kind, ...], Kind]
"""Counts of the concealed tiles, melds, flowers and win tile (-1 without one)."""


def bad_tiles(message: str) -> NoReturn:
    """Raise the RequestError for tiles."""
    raise RequestError(BAD_TILES, message)


def lawful_tiles(procedure: Procedure, hand: str, melds: list[str], flowers: str, tile: str | None, by: int) -> Tiles:
    """The tiles of one hand; raises RequestError."""
    try:
        held = parse_tiles(hand)
        declared = tuple([parse_meld(text) for text in melds])
        shown = tuple(sorted(parse_tiles(flowers)))
        win_tile = -1 if tile is None else parse_tile(tile)
    except NotationError as error:
        raise RequestError(BAD_TILES, str(error)) from error
    if any(is_flower(kind) for kind in held) or is_flower(win_tile):
        bad_tiles('a flower stands in "hand" or as the win tile; flowers belong to "flowers"')
    if not all(is_flower(kind) for kind in shown):
        bad_tiles('a tile in "flowers" is no flower')
    if shown and not procedure.flowers:
        bad_tiles("this table plays without flowers")
    if len(set(shown)) < len(shown):
        bad_tiles("a flower is there twice")
    _right_number(procedure, len(held), len(declared), by)
    counts = [0] * KINDS
    for kind in held:
        counts[kind] += 1
    _no_fifth([(counts, declared, win_tile)])
    return counts, declared, shown, win_tile


def of_one_table(records: Sequence[ScoringRecord]) -> None:
    """Raise RequestError where the hands of a table hold a fifth tile of a kind or a flower twice in all."""
    _no_fifth([(record.counts, record.melds, record.win_tile) for record in records])
    shown = [flower for record in records for flower in record.flowers]
    if len(set(shown)) < len(shown):
        bad_tiles("a flower is on the table twice")


def _right_number(procedure: Procedure, tiles: int, melds: int, by: int) -> None:
    """A seat holds `hand_size` tiles less 3 a meld; a dealt hand one more, a flower win either (A-23)."""
    held = procedure.hand_size - 3 * melds
    allowed = {DEALT: (held + 1,), FLOWERS: (held, held + 1)}.get(by, (held,))
    if held < 1:
        bad_tiles(f"{melds} melds are more than a hand has")
    if tiles not in allowed:
        numbers = " or ".join([str(number) for number in allowed])
        bad_tiles(f'"hand" has {tiles} tiles; with {melds} melds it must be {numbers}')


def _no_fifth(hands: Sequence[tuple[list[int], tuple[Meld, ...], Kind]]) -> None:
    """Counts of concealed tiles, melds and win tile, of one hand or of a table."""
    held = [0] * KINDS
    for counts, melds, win_tile in hands:
        for kind in range(KINDS):
            held[kind] += counts[kind]
        for meld in melds:
            for kind in meld.tiles():
                held[kind] += 1
        if win_tile >= 0:
            held[win_tile] += 1
    if max(held) > COPIES:
        bad_tiles("more than four of a kind" + (" on the table" if len(hands) > 1 else ""))
