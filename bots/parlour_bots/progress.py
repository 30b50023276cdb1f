"""How near a hand is to complete, counting only tiles that may still come: what `steady` compares.

A hand is `counts` (tiles of each of the 34 kinds) with its four suit `keys` and the number of `sets` it still needs
beside the eyes; `live[kind]` says how many copies of a kind the player has not seen. Only the standard shape is looked
at: a special hand is won when it turns up, never sought.
"""

from collections.abc import Collection, Sequence
from typing import Final

from parlour_engine.shapes import KEY_STEP, SUIT_OF, Keys, accepting, discards_by_distance, distance, least_discards
from parlour_engine.tiles import FIRST_WIND, KINDS, Kind

Standing = tuple[int, int]
"""Tiles missing, and live tiles that would lower that number, negated: the smaller, the better."""


def _least_loss(kind: Kind) -> int:
    """0 for honours, 1 for 1 and 9, 2 for 2 and 8, 3 for the middle: the fewer chows a kind may stand in, the lower."""
    return 0 if kind >= FIRST_WIND else min(3, 1 + min(kind % 9, 8 - kind % 9))


DISCARD_ORDER: Final[tuple[int, ...]] = tuple(_least_loss(kind) * KINDS + kind for kind in range(KINDS))
"""Which of equal discards goes first: honours, then 1 and 9, then 2 and 8, then the middle; then the lowest kind."""


def useful(mask: int, live: Sequence[int]) -> int:
    """How many live tiles there are of the kinds in `mask`."""
    total = 0
    while mask:
        low = mask & -mask
        total += live[low.bit_length() - 1]
        mask ^= low
    return total


def without(keys: Keys, kind: Kind, copies: int = 1) -> Keys:
    """The keys after `copies` tiles of `kind` have left the hand."""
    changed = list(keys)
    changed[SUIT_OF[kind]] -= copies * KEY_STEP[kind]
    return (changed[0], changed[1], changed[2], changed[3])


def standing(counts: Sequence[int], keys: Keys, sets: int, live: Sequence[int]) -> Standing:
    """Where a hand stands that waits for a tile."""
    return distance(keys[0], keys[1], keys[2], keys[3], sets), -useful(accepting(counts, keys, sets), live)


def best_discard(
    counts: Sequence[int], keys: Keys, sets: int, live: Sequence[int], allowed: Collection[Kind]
) -> tuple[Standing, Kind]:
    """The discard from a full hand that leaves the best standing, and that standing.

    Smallest distance, then the most live accepting tiles, then `DISCARD_ORDER`. Raises ValueError where no kind in hand
    is `allowed`.
    """
    options = [option for option in least_discards(counts, keys, sets) if option[1] in allowed]
    if not options:
        # The nearest ones are all forbidden (P18 where swap claims are off).
        options = [option for option in discards_by_distance(counts, keys, sets) if option[1] in allowed]
        options = [option for option in options if option[0] == options[0][0]]
    least = min(options)[0]
    loss, _, kind = min([(-useful(mask, live), DISCARD_ORDER[kind], kind) for _, kind, mask in options])
    return (least, loss), kind
