"""What is paid at once: flower sets and concealed gongs (lrc 5, A-16 to A-20, A-32), washed tiles
(classical 5)."""

from collections.abc import Sequence
from typing import Final

from parlour_engine.events import CONCEALED_GONG_PAID, FULL_SET, MIXED_SET, WASHED, Paid
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from parlour_engine.tiles import FIRST_FLOWER, Kind

NO_SET: Final = 0
MIXED: Final = 1
FULL: Final = 2
"""Flower sets, the better the higher."""


def best_set(flowers: Sequence[Kind]) -> int:
    """The best flower set among `flowers`: FULL, MIXED or NO_SET (A-16, A-17).

    >>> best_set([34, 39, 36, 41]), best_set([34, 35, 36, 37]), best_set([34, 38, 39, 40])
    (1, 2, 0)
    """
    mask = 0
    for kind in flowers:
        mask |= 1 << (kind - FIRST_FLOWER)
    red, blue = mask & 15, mask >> 4
    if red == 15 or blue == 15:
        return FULL
    return MIXED if red | blue == 15 else NO_SET


def set_payment(procedure: Procedure, seat: Seat, flowers: Sequence[Kind], paid_for: int) -> Paid | None:
    """What `seat` is paid for a set that its latest flowers completed, None if nothing.

    `paid_for` is the best set it was paid for before. With `mixed_then_full` = "difference" the highest set's amount is
    owed in all, with "both" a full set pays its own amount after a mixed one (A-18). Nothing is paid where the flowers
    win by themselves, which is the highest set (A-20).
    """
    if procedure.flower_win and len(flowers) >= procedure.flower_win:
        return None
    found = best_set(flowers)
    if found <= paid_for:
        return None
    bases = (0, procedure.mixed_set_bases, procedure.full_set_bases)
    due = bases[found] if procedure.mixed_then_full == "both" else bases[found] - bases[paid_for]
    return _from_each(seat, FULL_SET if found == FULL else MIXED_SET, due * procedure.base)


def gong_payment(procedure: Procedure, seat: Seat) -> Paid | None:
    """What `seat` is paid for a concealed gong that it declares (G-2, A-32), None if nothing."""
    return _from_each(seat, CONCEALED_GONG_PAID, procedure.concealed_gong_bases * procedure.base)


def washing_payment(procedure: Procedure, seat: Seat, extra: int) -> Paid | None:
    """What `seat` is paid for washing `extra` heads more than the least number: no more for or from the dealer."""
    return _from_each(seat, WASHED, procedure.washing[min(extra, len(procedure.washing) - 1)])


def _from_each(seat: Seat, reason: int, amount: int) -> Paid | None:
    """The payment of `amount` by each opponent of `seat`, None if there is nothing to pay."""
    if amount <= 0:
        return None
    changes = [-amount] * 4
    changes[seat] = 3 * amount
    return Paid(seat, reason, (changes[0], changes[1], changes[2], changes[3]))
