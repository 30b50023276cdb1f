"""Flower sets and what they pay at once (lrc.md, A-16 to A-20)."""

from collections.abc import Sequence

from parlour_engine.events import FULL_SET, MIXED_SET, Paid
from parlour_engine.procedure import Procedure
from parlour_engine.seats import Seat
from parlour_engine.tiles import FIRST_FLOWER, Kind


def set_bases(flowers: Sequence[Kind]) -> int:
    """Bases that the best flower set among `flowers` is worth: 2 a full set, 1 a mixed set, 0 none (A-16, A-17).

    >>> set_bases([34, 39, 36, 41]), set_bases([34, 35, 36, 37]), set_bases([34, 38, 39, 40])
    (1, 2, 0)
    """
    mask = 0
    for kind in flowers:
        mask |= 1 << (kind - FIRST_FLOWER)
    red, blue = mask & 15, mask >> 4
    if red == 15 or blue == 15:
        return 2
    return 1 if red | blue == 15 else 0


def set_payment(procedure: Procedure, seat: Seat, flowers: Sequence[Kind], bases_paid: int) -> Paid | None:
    """What `seat` is paid for a set that its latest flowers completed, None if nothing.

    `bases_paid` is what its sets have brought from each opponent before. With `mixed_then_full` = "difference" the
    highest set's amount is owed in all, with "both" a full set pays its own amount after a mixed one (A-18). Nothing is
    paid where the flowers win by themselves, which is the highest set (A-20).
    """
    if procedure.flower_win and len(flowers) >= procedure.flower_win:
        return None
    bases = set_bases(flowers)
    if bases <= bases_paid:
        return None
    if not procedure.base:
        return None
    due = bases if procedure.mixed_then_full == "both" else bases - bases_paid
    return from_each(seat, FULL_SET if bases == 2 else MIXED_SET, due * procedure.base)


def from_each(seat: Seat, reason: int, amount: int) -> Paid:
    """The payment of `amount` by each opponent of `seat`."""
    changes = [-amount] * 4
    changes[seat] = 3 * amount
    return Paid(seat, reason, (changes[0], changes[1], changes[2], changes[3]))
