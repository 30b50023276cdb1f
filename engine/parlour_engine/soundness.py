"""Everything that can be wrong with a deal, for tests, simulations and whoever restores a deal from storage."""

from parlour_engine.deal import Deal
from parlour_engine.legal import legal_moves
from parlour_engine.melds import CONCEALED_GONG
from parlour_engine.phases import Discarding, Over, Robbing, Washing
from parlour_engine.seats import SEATS, Seat
from parlour_engine.shapes import suit_keys
from parlour_engine.tiles import ALL_KINDS, full_wall


def problems(deal: Deal) -> list[str]:
    """What is wrong with `deal` between two steps; empty when it is sound.

    Each tile is in just one place, each hand has its size, the keys and counters agree with the tiles, payments sum to
    zero, and the table waits for somebody or for a window to close.
    """
    found: list[str] = []
    _tiles(deal, found)
    for seat in SEATS:
        _hand(deal, seat, found)
    if sum(deal.paid):
        found.append(f"instant payments sum to {sum(deal.paid)}")
    if deal.wall.head > deal.wall.tail:
        found.append("more tiles were drawn than the wall has")
    found += [
        f"seat {seat} has discards of which it is not known whether they were drawn"
        for seat in SEATS
        if len(deal.discards[seat]) != len(deal.drawn_discards[seat])
    ]
    if len(deal.wall.loose) != min(deal.procedure.loose_tiles, deal.wall.left()):
        found.append(f"{len(deal.wall.loose)} tiles lie loose of {deal.wall.left()}")
    phase = deal.phase
    _shown(deal, found)
    if isinstance(phase, Discarding) and not legal_moves(deal, phase.seat):
        found.append("the seat on turn can do nothing")
    if isinstance(phase, Over) and phase.winners != tuple([won.seat for won in deal.wins]):
        found.append("the winners are not those who won")
    return found


def _shown(deal: Deal, found: list[str]) -> None:
    """Who has laid down a hand without winning: the losers where all hands are scored, or whoever washed."""
    if deal.wins:
        losers = sum([1 << seat for seat in SEATS if seat not in [won.seat for won in deal.wins]])
        right = deal.shown == (losers if deal.procedure.show_hands else 0)
    elif isinstance(deal.ended_in, Washing):
        right = deal.shown in (1, 2, 4, 8)
    else:
        right = deal.shown == 0
    if not right:
        found.append("the hands that are shown are not those to be seen")


def _tiles(deal: Deal, found: list[str]) -> None:
    places = [0] * ALL_KINDS
    for kind in deal.wall.rest():
        places[kind] += 1
    for hand in deal.hands:
        for kind, count in enumerate(hand.counts):
            places[kind] += count
        for meld in hand.melds:
            for kind in meld.tiles():
                places[kind] += 1
        for kind in hand.flowers + hand.unshown:
            places[kind] += 1
    for pile in deal.discards:
        for kind in pile:
            places[kind] += 1
    in_window = deal.ended_in if isinstance(deal.phase, Over) else deal.phase
    if isinstance(in_window, Robbing):
        places[in_window.kind] += 1
    everything = full_wall(deal.procedure.flowers)
    found += [
        f"{places[kind]} tiles of kind {kind} instead of {everything.count(kind)}"
        for kind in range(ALL_KINDS)
        if places[kind] != everything.count(kind)
    ]


def _hand(deal: Deal, seat: Seat, found: list[str]) -> None:
    hand = deal.hands[seat]
    if hand.size != sum(hand.counts) or min(hand.counts) < 0:
        found.append(f"seat {seat} holds {sum(hand.counts)} tiles, counted as {hand.size}")
    if tuple(hand.keys) != suit_keys(hand.counts):
        found.append(f"the suit keys of seat {seat} belong to other tiles")
    declared = [0] * len(hand.counts)
    for meld in hand.melds:
        for kind in meld.tiles():
            declared[kind] += 1
    if hand.declared != declared:
        found.append(f"the declared tiles of seat {seat} are miscounted")
    if hand.concealed_gongs != [meld.form for meld in hand.melds].count(CONCEALED_GONG):
        found.append(f"the concealed gongs of seat {seat} are miscounted")
    known = hand.mask
    if known >= 0:
        fresh = hand.copy()
        fresh.mask = -1
        if fresh.waits(deal.procedure) != known:
            found.append(f"seat {seat} keeps the waits of other tiles")
    phase = deal.phase
    held = hand.size + 3 * len(hand.melds)
    full = deal.procedure.hand_size
    due = full
    if isinstance(phase, Over):
        due = _size_at_the_end(deal, seat)
    elif isinstance(phase, (Discarding, Washing)) and phase.seat == seat:
        due = full + 1
    if hand.unshown and not isinstance(phase, Over):
        found.append(f"seat {seat} has flowers that it has not shown")
    elif held + len(hand.unshown) != due:
        found.append(f"seat {seat} has {held} tiles instead of {due}")


def _size_at_the_end(deal: Deal, seat: Seat) -> int:
    full = deal.procedure.hand_size
    ended_in = deal.ended_in
    if isinstance(ended_in, Washing):
        return full + 1 if ended_in.seat == seat else full
    if isinstance(ended_in, Discarding) and ended_in.seat == seat:
        # A turn without a winner ends in a flower that could not be replaced and leaves its hand short.
        return full + 1 if deal.wins else full
    return full
