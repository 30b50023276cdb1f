"""The one place that changes a deal: what each event does to it. Play and fold both go through here."""

from parlour_engine.deal import Deal
from parlour_engine.events import (
    FLOWER_REPLACEMENT,
    FULL_SET,
    MIXED_SET,
    WALL,
    Called,
    DealStarted,
    Discarded,
    Drew,
    Event,
    Exhausted,
    FlowersExposed,
    HandShown,
    Melded,
    Paid,
    Promoted,
    Washed,
    WashingClosed,
    WashingOpened,
    Won,
)
from parlour_engine.flowers import FULL, MIXED
from parlour_engine.legal import claim_options, rob_options, washing_options
from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG
from parlour_engine.phases import Claiming, Discarding, Over, Robbing, Washing
from parlour_engine.seats import SEATS, Seat
from parlour_engine.shapes import KEY_STEP
from parlour_engine.tiles import FIRST_FLOWER, Kind
from parlour_engine.wall import Wall


def evolve(deal: Deal, event: Event) -> None:
    """Change `deal` by what happened. `event` is believed: `play` makes it only after it was found legal."""
    deal.legal = None
    if isinstance(event, Drew):
        _drew(deal, event)
    elif isinstance(event, Discarded):
        _discarded(deal, event)
    elif isinstance(event, Melded):
        _melded(deal, event)
    elif isinstance(event, FlowersExposed):
        hand = deal.hands[event.seat]
        for kind in event.kinds:
            hand.unshown.remove(kind)
            hand.flowers.append(kind)
    elif isinstance(event, Paid):
        _paid(deal, event)
    elif isinstance(event, Promoted):
        _promoted(deal, event)
    elif isinstance(event, Called):
        deal.called[event.seat] = True
    elif isinstance(event, Won):
        _won(deal, event)
    elif isinstance(event, HandShown):
        deal.shown |= 1 << event.seat
    elif isinstance(event, (Exhausted, Washed)):
        deal.ended_in = deal.phase
        deal.phase = Over(())
    elif isinstance(event, DealStarted):
        _started(deal, event)
    elif isinstance(event, WashingOpened):
        options, winners = washing_options(deal)
        deal.phase = Washing(deal.dealer, options, winners)
    elif isinstance(event, WashingClosed):
        deal.phase = Discarding(deal.dealer, opening=True)
    else:
        raise TypeError(f"no event of a deal: {event!r}")


def _started(deal: Deal, event: DealStarted) -> None:
    deal.dealer = event.dealer
    deal.round_wind = event.round_wind
    deal.streak = event.streak
    deal.dice = event.dice
    deal.wall = Wall(event.wall, deal.procedure.reserve, deal.procedure.loose_tiles)
    for seat in SEATS:
        hand = deal.hands[seat]
        for kind in event.hands[seat]:
            if kind < FIRST_FLOWER:
                hand.add(kind)
            else:
                hand.unshown.append(kind)
        deal.wall.head += len(event.hands[seat])
    deal.phase = Discarding(event.dealer, opening=True)


def _drew(deal: Deal, event: Drew) -> None:
    seat, kind, source = event.seat, event.kind, event.source
    hand = deal.hands[seat]
    wall = deal.wall
    phase = deal.phase
    if source == WALL:
        if wall.loose:
            wall.take_drawn()
        else:
            wall.head += 1
        if isinstance(phase, Claiming) and phase.winners:
            _note_missed(deal, phase.winners, phase.kind)
        deal.phase = Discarding(seat, kind, WALL, last_live=wall.tail - wall.head <= wall.reserve)
    else:
        wall.take_replacement()
        if isinstance(phase, Discarding):
            if phase.opening and source == FLOWER_REPLACEMENT:
                # The flowers that were dealt: no turn has begun, so nothing counts as just drawn (P6, P26).
                if kind < FIRST_FLOWER:
                    hand.add(kind)
                else:
                    hand.unshown.append(kind)
                return
            own_gongs = phase.own_gongs
        else:
            assert isinstance(phase, Robbing)  # nothing is replaced in any other phase
            own_gongs = phase.own_gongs
            if phase.winners:
                _note_missed(deal, phase.winners, phase.kind)
            _finish_gong(deal, seat, phase.kind)
        deal.phase = Discarding(seat, kind, source, own_gongs=own_gongs)
    # A player's own draw lifts the bar of P17.
    deal.missed[seat] = 0
    if kind < FIRST_FLOWER:
        hand.counts[kind] += 1
        hand.keys[kind // 9] += KEY_STEP[kind]
        hand.size += 1
        hand.fresh = kind
    else:
        hand.unshown.append(kind)


def _finish_gong(deal: Deal, seat: Seat, kind: Kind) -> None:
    """Nobody robbed, or nobody may: the pong becomes a gong."""
    hand = deal.hands[seat]
    for index, meld in enumerate(hand.melds):
        if meld.form == PONG and meld.kind == kind:
            hand.melds[index] = meld.promoted()
    hand.declared[kind] += 1
    hand.mask = -1


def _discarded(deal: Deal, event: Discarded) -> None:
    seat, kind = event.seat, event.kind
    hand = deal.hands[seat]
    hand.counts[kind] -= 1
    hand.keys[kind // 9] -= KEY_STEP[kind]
    hand.size -= 1
    if kind != hand.fresh:
        hand.mask = -1
    hand.fresh = -1
    deal.discards[seat].append(kind)
    deal.drawn_discards[seat].append(event.drawn)
    deal.discarded += 1
    deal.last_discarder = seat
    options, winners = claim_options(deal, seat, kind)
    deal.phase = Claiming(seat, kind, options, winners)


def _melded(deal: Deal, event: Melded) -> None:
    seat, meld = event.seat, event.meld
    hand = deal.hands[seat]
    phase = deal.phase
    kind = meld.kind
    if meld.form == CONCEALED_GONG:
        own_gongs = _own_gongs(phase, kind) if isinstance(phase, Discarding) else 1
        hand.remove(kind, 4)
        deal.phase = Discarding(seat, own_gongs=own_gongs)
    else:
        if isinstance(phase, Claiming) and phase.winners:
            _note_missed(deal, phase.winners, phase.kind)
        if meld.form == CHOW:
            for tile in meld.tiles():
                if tile != meld.claimed:
                    hand.remove(tile)
        else:
            hand.remove(kind, 3 if meld.form == EXPOSED_GONG else 2)
        deal.discards[meld.source].pop()
        deal.drawn_discards[meld.source].pop()
        deal.last_discarder = -1
        deal.phase = Discarding(seat, claimed=meld.claimed)
    hand.declare(meld)
    hand.fresh = -1
    hand.mask = -1


def _own_gongs(phase: Discarding, kind: Kind) -> int:
    """The length of the chain of self-drawn gongs that one of `kind` brings (A-82, P28)."""
    return phase.own_gongs + 1 if phase.own_gongs and phase.drawn == kind else 1


def _promoted(deal: Deal, event: Promoted) -> None:
    seat, kind = event.seat, event.kind
    hand = deal.hands[seat]
    phase = deal.phase
    own_gongs = _own_gongs(phase, kind) if isinstance(phase, Discarding) else 1
    hand.remove(kind)
    hand.fresh = -1
    hand.mask = -1
    if deal.procedure.robbing:
        options, winners = rob_options(deal, seat, kind)
        deal.phase = Robbing(seat, kind, options, own_gongs, winners)
    else:
        _finish_gong(deal, seat, kind)
        deal.phase = Discarding(seat, own_gongs=own_gongs)


def _note_missed(deal: Deal, winners: int, kind: Kind) -> None:
    """Whoever could have won when the window opened, and did not, is barred from that kind (P17, P25)."""
    if deal.procedure.missed_win:
        for seat in SEATS:
            if winners >> seat & 1:
                deal.missed[seat] |= 1 << kind


def _paid(deal: Deal, event: Paid) -> None:
    for seat in SEATS:
        deal.paid[seat] += event.changes[seat]
    if event.reason in (MIXED_SET, FULL_SET):
        deal.flower_sets[event.seat] = FULL if event.reason == FULL_SET else MIXED


def _won(deal: Deal, event: Won) -> None:
    deal.wins.append(event)
    if not isinstance(deal.phase, Over):
        deal.ended_in = deal.phase
    deal.phase = Over(tuple([won.seat for won in deal.wins]))
