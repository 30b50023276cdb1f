"""A reading laid out: the groups that a winning hand was read as, for whoever shows it."""

from typing import Final

from parlour_engine.melds import CHOW, PONG
from parlour_engine.scoring.facts import EYES, NO_GROUP, STANDARD
from parlour_engine.scoring.reading import Reading
from parlour_engine.scoring.record import FLOWERS, ScoringRecord
from parlour_engine.tiles import KINDS, Kind


class Group:
    """Tiles that belong together: `form` is chow, pong, gong, eyes, or in a special hand pair or single.

    `declared` for a set on the table, `winning` for the one group that took the winning tile.
    """

    __slots__ = ("declared", "form", "tiles", "winning")

    def __init__(self, form: str, tiles: tuple[Kind, ...], declared: bool, winning: bool) -> None:
        self.form: Final[str] = form
        self.tiles: Final[tuple[Kind, ...]] = tiles
        self.declared: Final[bool] = declared
        self.winning: Final[bool] = winning


def groups(record: ScoringRecord, reading: Reading) -> list[Group]:
    """The groups of `record` under `reading`: declared sets, sets in hand, then eyes, pairs and singles.

    Empty for a win by flowers, which reads no tiles.
    """
    if record.by == FLOWERS:
        return []
    found = [
        Group("gong" if meld.is_gong() else "chow" if meld.form == CHOW else "pong", meld.tiles(), True, False)
        for meld in record.melds
    ]
    in_hand: list[tuple[str, tuple[Kind, ...], int]] = []
    in_hand += [("chow", (kind, kind + 1, kind + 2), CHOW) for kind in reading.chows]
    in_hand += [("pong", (kind,) * 3, PONG) for kind in reading.pongs]
    if reading.form == STANDARD:
        in_hand.append(("eyes", (reading.eyes,) * 2, EYES))
    else:
        rest = record.all_counts()
        for _, tiles, _ in in_hand:
            for kind in tiles:
                rest[kind] -= 1
        for kind in range(KINDS):
            in_hand += [("pair", (kind,) * 2, NO_GROUP)] * (rest[kind] // 2)
            in_hand += [("single", (kind,), NO_GROUP)] * (rest[kind] % 2)
    winner = _winning(record, reading, in_hand)
    found += [Group(form, tiles, False, place == winner) for place, (form, tiles, _) in enumerate(in_hand)]
    return found


def _winning(record: ScoringRecord, reading: Reading, in_hand: list[tuple[str, tuple[Kind, ...], int]]) -> int:
    """The place of the group that took the win tile, -1 if there was none."""
    tile = record.win_tile
    if tile < 0:
        return -1
    if reading.holder == NO_GROUP:
        # A special hand: no row asks which group it was, and in Nico Nico only one can hold the tile.
        return next(place for place, (_, tiles, _) in enumerate(in_hand) if tile in tiles)
    holder = (reading.holder, reading.holder_kind)
    return next(place for place, (_, tiles, sort) in enumerate(in_hand) if (sort, tiles[0]) == holder)
