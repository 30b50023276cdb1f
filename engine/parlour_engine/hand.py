"""What one seat holds: concealed tiles, declared sets, flowers; and the tiles that would complete it."""

from typing import Final

from parlour_engine.melds import CONCEALED_GONG, Meld
from parlour_engine.procedure import Procedure
from parlour_engine.shapes import KEY_STEP, waits
from parlour_engine.tiles import KINDS, Kind, is_orphan


class Hand:
    """The tiles of a seat. Only `evolve` changes it.

    `counts[kind]` and the four suit `keys` stand for the same concealed tiles, `size` is their number; `declared[kind]`
    counts the tiles of `melds`, of which `concealed_gongs` are concealed; `flowers` are those shown, `unshown` those
    dealt or drawn and not yet shown (empty whenever the table waits for somebody, except where a flower win ended the
    deal before this seat showed its own, P27).

    `fresh` is the kind just drawn, -1 if none: the tiles without it are the hand *at rest*. `mask` holds the waits of
    the hand at rest, -1 while unknown. Throwing the fresh tile back leaves the mask as it is.
    """

    __slots__ = (
        "concealed_gongs",
        "counts",
        "declared",
        "flowers",
        "fresh",
        "keys",
        "mask",
        "melds",
        "size",
        "unshown",
    )

    def __init__(self) -> None:
        self.counts: Final[list[int]] = [0] * KINDS
        self.keys: Final[list[int]] = [0, 0, 0, 0]
        self.declared: Final[list[int]] = [0] * KINDS
        self.melds: Final[list[Meld]] = []
        self.flowers: Final[list[Kind]] = []
        self.unshown: Final[list[Kind]] = []
        self.size = 0
        self.concealed_gongs = 0
        self.fresh: Kind = -1
        self.mask = -1

    def add(self, kind: Kind) -> None:
        """Take a tile of `kind` 0-33 among the concealed ones; the mask is not touched."""
        self.counts[kind] += 1
        self.keys[kind // 9] += KEY_STEP[kind]
        self.size += 1

    def remove(self, kind: Kind, number: int = 1) -> None:
        """Take `number` tiles of `kind` out of the concealed ones, which hold them; the mask is not touched."""
        self.counts[kind] -= number
        self.keys[kind // 9] -= number * KEY_STEP[kind]
        self.size -= number

    def declare(self, meld: Meld) -> None:
        """Lay `meld` down; its tiles from the hand were removed before."""
        self.melds.append(meld)
        for kind in meld.tiles():
            self.declared[kind] += 1
        if meld.form == CONCEALED_GONG:
            self.concealed_gongs += 1

    def waits(self, procedure: Procedure) -> int:
        """Mask (bit `kind`) of the kinds that complete the hand at rest, in any reading the procedure plays."""
        mask = self.mask
        if mask < 0:
            fresh = self.fresh
            mask = self.mask = (
                self.waits_with(procedure, procedure.forms)
                if fresh < 0
                else self.waits_without(fresh, procedure, procedure.forms)
            )
        return mask

    def waits_with(self, procedure: Procedure, forms: tuple[str, ...]) -> int:
        """Waits of all concealed tiles, where they are one short of a complete hand."""
        keys = self.keys
        return waits(
            self.counts,
            (keys[0], keys[1], keys[2], keys[3]),
            procedure.sets - len(self.melds),
            len(self.melds),
            self.concealed_gongs,
            self.declared,
            forms,
        )

    def waits_without(self, kind: Kind, procedure: Procedure, forms: tuple[str, ...]) -> int:
        """Waits after a tile of `kind`, which is held, has gone."""
        self.remove(kind)
        mask = self.waits_with(procedure, forms)
        self.add(kind)
        return mask

    def is_complete(self, procedure: Procedure) -> bool:
        """True when all the concealed tiles, a full turn's worth, complete the hand."""
        for kind in range(KINDS):
            if self.counts[kind]:
                return self.waits_without(kind, procedure, procedure.forms) >> kind & 1 == 1
        return False

    def heads(self) -> int:
        """How many different heads, which are ones, nines, winds and dragons, are among the concealed tiles."""
        return len([kind for kind in range(KINDS) if self.counts[kind] and is_orphan(kind)])

    def tiles(self) -> tuple[Kind, ...]:
        """The concealed kinds without flowers, lowest first."""
        return tuple([kind for kind in range(KINDS) for _ in range(self.counts[kind])])

    def copy(self) -> "Hand":
        """An independent hand of the same tiles."""
        hand = Hand()
        hand.counts[:] = self.counts
        hand.keys[:] = self.keys
        hand.declared[:] = self.declared
        hand.melds[:] = self.melds
        hand.flowers[:] = self.flowers
        hand.unshown[:] = self.unshown
        hand.size = self.size
        hand.concealed_gongs = self.concealed_gongs
        hand.fresh = self.fresh
        hand.mask = self.mask
        return hand
