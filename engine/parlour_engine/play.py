"""Playing a deal: start it, apply what a seat asks for, close a window, fold events.

Every change is told by events, in the order they happened, and goes through `evolve`; `fold` does the same with a list
of events and arrives at the same deal.
"""

from collections.abc import Iterable, Sequence

from parlour_engine import claims
from parlour_engine.deal import Deal
from parlour_engine.events import (
    BY_DEALT,
    BY_DISCARD,
    BY_FLOWERS,
    BY_ROBBED_GONG,
    BY_SELF_DRAW,
    FLOWER_REPLACEMENT,
    GONG_REPLACEMENT,
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
from parlour_engine.evolve import evolve
from parlour_engine.flowers import gong_payment, set_payment, washing_payment
from parlour_engine.legal import LEAST_HEADS, legal_moves
from parlour_engine.melds import CHOW as CHOW_MELD
from parlour_engine.melds import CONCEALED_GONG, EXPOSED_GONG, Meld
from parlour_engine.melds import PONG as PONG_MELD
from parlour_engine.moves import (
    CALL,
    CHOW,
    CONCEALED,
    DISCARD,
    GONG,
    PROMOTE,
    WIN,
    IllegalMove,
    Move,
    move_text,
)
from parlour_engine.phases import Claiming, Discarding, Over, Robbing, Washing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat, Wind
from parlour_engine.tiles import FIRST_FLOWER, Kind, full_wall

__all__ = ["Deal", "IllegalMove", "apply", "close", "fold", "same_state", "start"]


def start(
    procedure: Procedure,
    wall: Sequence[Kind],
    dice: Sequence[int] = (),
    dealer: Seat = 0,
    round_wind: Wind = 0,
    streak: int = 0,
) -> tuple[Deal, list[Event]]:
    """Deal from `wall`, show the flowers and replace them; it is then the dealer's turn, or time to wash, or flowers
    have won.

    `wall` is in drawing order, the top tile of each stack first: its head is dealt and drawn, its tail is the flower
    wall or the loose tiles. `dice` are only told (P4).
    `streak` is the dealer's run of wins before this deal. ValueError for a wall that is not one full set of tiles, or
    for a dealer or wind outside 0-3.
    """
    if sorted(wall) != full_wall(procedure.flowers):
        raise ValueError(f"a wall holds each of the {len(full_wall(procedure.flowers))} tiles once, in any order")
    if dealer not in SEATS or round_wind not in SEATS or streak < 0:
        raise ValueError(f"no deal has dealer {dealer}, round wind {round_wind} and streak {streak}")
    deal = Deal(procedure)
    hands = _dealt(procedure, wall, dealer)
    events: list[Event] = []
    _happen(deal, events, DealStarted(dealer, round_wind, streak, tuple(dice), tuple(wall), hands))
    # P6: East replaces until he holds no flower, then the next player.
    for turn in range(4):
        seat = (dealer + turn) & 3
        if deal.hands[seat].unshown:
            _show_flowers(deal, events, seat)
            if isinstance(deal.phase, Over):
                _show_hands(deal, events)
                return deal, events
    if procedure.washing:
        _happen(deal, events, WashingOpened())
    return deal, events


def _dealt(procedure: Procedure, wall: Sequence[Kind], dealer: Seat) -> tuple[tuple[Kind, ...], ...]:
    """P5: four tiles each in turn, then singly what is left to a full hand, then one more for the dealer."""
    hands: list[list[Kind]] = [[], [], [], []]
    at = 0
    held = 0
    while held < procedure.hand_size:
        number = min(4, procedure.hand_size - held)
        if number < 4:
            number = 1
        for turn in range(4):
            hands[(dealer + turn) & 3] += wall[at : at + number]
            at += number
        held += number
    hands[dealer].append(wall[at])
    return tuple([tuple(sorted(hand)) for hand in hands])


def apply(deal: Deal, seat: Seat, move: Move) -> list[Event]:
    """What happens when `seat` makes `move`. In a window the answer is only noted and nothing happens yet: [].

    Raises IllegalMove, with the reason and the legal moves, and leaves the deal as it was.
    """
    moves = deal.legal
    phase = deal.phase
    if moves is None or not isinstance(phase, Discarding) or phase.seat != seat:
        moves = legal_moves(deal, seat)
    if move not in moves:
        raise IllegalMove(_reason(deal, seat, move, moves), moves)
    if isinstance(phase, (Claiming, Robbing, Washing)):
        phase.answers[seat] = move
        return []
    assert isinstance(phase, Discarding)  # a seat has legal moves in no other phase
    events: list[Event] = []
    verb, kind = move.verb, move.kind
    if verb == DISCARD:
        discarded = Discarded(seat, kind, kind == phase.drawn)
        evolve(deal, discarded)
        events.append(discarded)
    elif verb == CONCEALED:
        _happen(deal, events, Melded(seat, Meld(CONCEALED_GONG, kind)))
        _pay(deal, events, gong_payment(deal.procedure, seat))
        _replace_gong(deal, events, seat)
    elif verb == PROMOTE:
        _happen(deal, events, Promoted(seat, kind))
        if not deal.procedure.robbing:
            _replace_gong(deal, events, seat)
    elif verb == WIN:
        _happen(deal, events, _self_drawn(deal, phase))
    else:
        assert verb == CALL  # the list of an own turn has no other verb
        _happen(deal, events, Called(seat))
        _happen(deal, events, Discarded(seat, kind, kind == phase.drawn))
    if deal.wins:
        _show_hands(deal, events)
    return events


def close(deal: Deal) -> list[Event]:
    """Resolve the open window; whoever has not answered passes. ValueError if none is open.

    After a discard: the winners, or the claimed set, or the next draw, or the end of the wall. After the announcement
    of a gong: the robbers, or its replacement. Before the opening turn: the dealer's win, who washes, or that turn.
    """
    phase = deal.phase
    events: list[Event] = []
    if isinstance(phase, Claiming):
        chosen = claims.resolve(phase.seat, phase.answers, deal.procedure.nearest_winner_only)
        if chosen:
            _claimed(deal, events, phase, chosen)
        else:
            wall = deal.wall
            if wall.tail - wall.head <= wall.reserve:
                # P9: no live tile for the next player.
                _happen(deal, events, Exhausted())
            else:
                seat = (phase.seat + 1) & 3
                kind = wall.next_drawn() if wall.loose else wall.tiles[wall.head]
                drew = Drew(seat, kind, WALL)
                evolve(deal, drew)
                events.append(drew)
                if kind >= FIRST_FLOWER:
                    _show_flowers(deal, events, seat)
    elif isinstance(phase, Robbing):
        chosen = claims.resolve(phase.seat, phase.answers, deal.procedure.nearest_winner_only)
        for seat, _ in chosen:
            _happen(deal, events, Won(seat, BY_ROBBED_GONG, phase.kind, phase.seat, deal.hands[seat].tiles()))
        if not chosen:
            _replace_gong(deal, events, phase.seat)
    elif isinstance(phase, Washing):
        _wash(deal, events, claims.resolve_washing(phase.seat, phase.answers))
    else:
        raise ValueError("no window is open")
    if deal.wins:
        _show_hands(deal, events)
    return events


def fold(procedure: Procedure, events: Iterable[Event]) -> Deal:
    """The deal in which exactly `events` happened: the same state as the deal that told them, without the answers of a
    window that is still open. `events` are complete (not redacted) and end where a step ended."""
    deal = Deal(procedure)
    for event in events:
        evolve(deal, event)
    return deal


def same_state(one: Deal, other: Deal) -> bool:
    """True when the events of both deals tell the same; answers of an open window are not compared."""
    return one.state() == other.state()


def _happen(deal: Deal, events: list[Event], event: Event) -> None:
    evolve(deal, event)
    events.append(event)


def _pay(deal: Deal, events: list[Event], payment: Paid | None) -> None:
    if payment is not None:
        _happen(deal, events, payment)


def _claimed(deal: Deal, events: list[Event], phase: Claiming, chosen: tuple[claims.Claim, ...]) -> None:
    payer, kind = phase.seat, phase.kind
    seat, move = chosen[0]
    if move.verb == WIN:
        for winner, _ in chosen:
            _happen(deal, events, Won(winner, BY_DISCARD, kind, payer, deal.hands[winner].tiles()))
    elif move.verb == GONG:
        _happen(deal, events, Melded(seat, Meld(EXPOSED_GONG, kind, kind, payer)))
        _replace_gong(deal, events, seat)
    elif move.verb == CHOW:
        _happen(deal, events, Melded(seat, Meld(CHOW_MELD, move.kind, kind, payer)))
    else:
        _happen(deal, events, Melded(seat, Meld(PONG_MELD, kind, kind, payer)))


def _show_hands(deal: Deal, events: list[Event]) -> None:
    """All hands are scored, so the others lay theirs down, too."""
    if deal.procedure.show_hands and deal.wins:
        winners = [won.seat for won in deal.wins]
        for turn in range(4):
            seat = (deal.dealer + turn) & 3
            if seat not in winners:
                _happen(deal, events, HandShown(seat, deal.hands[seat].tiles()))


def _wash(deal: Deal, events: list[Event], claim: claims.Claim | None) -> None:
    """What the answers before the opening turn come to (classical 5): no play, or play."""
    if claim is None:
        _happen(deal, events, WashingClosed())
        return
    seat, move = claim
    hand = deal.hands[seat]
    if move.verb == WIN:
        _happen(deal, events, Won(seat, BY_DEALT, -1, -1, hand.tiles()))
    else:
        heads = hand.heads()
        _happen(deal, events, HandShown(seat, hand.tiles()))
        _happen(deal, events, Washed(seat, heads))
        _pay(deal, events, washing_payment(deal.procedure, seat, heads - LEAST_HEADS))


def _self_drawn(deal: Deal, phase: Discarding) -> Won:
    seat, drawn = phase.seat, phase.drawn
    tiles = list(deal.hands[seat].tiles())
    if drawn < 0:
        return Won(seat, BY_DEALT, -1, -1, tuple(tiles))
    tiles.remove(drawn)
    return Won(seat, BY_SELF_DRAW, drawn, -1, tuple(tiles))


def _replace_gong(deal: Deal, events: list[Event], seat: Seat) -> None:
    kind = deal.wall.next_replacement()
    _happen(deal, events, Drew(seat, kind, GONG_REPLACEMENT))
    if kind >= FIRST_FLOWER:
        _show_flowers(deal, events, seat)


def _show_flowers(deal: Deal, events: list[Event], seat: Seat) -> None:
    """Show and replace until the seat holds no flower; then, with enough of them, it wins (P7, P27, A-19 to A-23)."""
    procedure = deal.procedure
    hand = deal.hands[seat]
    kept = 0 if procedure.reserve_replaces else procedure.reserve
    owed = 0
    while hand.unshown or owed:
        if hand.unshown:
            batch = tuple(sorted(hand.unshown))
            owed += len(batch)
            _happen(deal, events, FlowersExposed(seat, batch))
            _pay(deal, events, set_payment(procedure, seat, hand.flowers, deal.flower_sets[seat]))
        elif deal.wall.left() > kept:
            owed -= 1
            _happen(deal, events, Drew(seat, deal.wall.next_replacement(), FLOWER_REPLACEMENT))
        else:
            # Only where no tiles are kept in reserve, or the reserve is not to be touched (classical A-30).
            break
    if procedure.flower_win and len(hand.flowers) >= procedure.flower_win:
        _happen(deal, events, Won(seat, BY_FLOWERS, -1, -1, hand.tiles()))
    elif owed:
        _happen(deal, events, Exhausted())


def _reason(deal: Deal, seat: Seat, move: Move, moves: tuple[Move, ...]) -> str:
    """Why `move` is refused, told from what its seat knows."""
    if moves:
        return f"{move_text(move)!r} is not among the {len(moves)} legal moves"
    phase = deal.phase
    match phase:
        case Over():
            return "the deal is over"
        case Discarding():
            return f"it is the turn of seat {phase.seat}"
        case Claiming() | Robbing() | Washing():
            if seat in SEATS and phase.answers[seat] is not None:
                return "this seat has answered"
            return "this seat has nothing to choose"
