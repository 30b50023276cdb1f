"""The one place that says what a seat may do now. A move is legal exactly when it is in the list."""

from typing import Final

from parlour_engine.deal import Deal
from parlour_engine.hand import Hand
from parlour_engine.melds import PONG as PONG_MELD
from parlour_engine.moves import (
    CALLS,
    CHOWS,
    CONCEALED_GONGS,
    DISCARD,
    DISCARDS,
    GONGS,
    PASS_MOVE,
    PONGS,
    PROMOTIONS,
    WASH_MOVE,
    WIN_MOVE,
    Move,
)
from parlour_engine.phases import Claiming, Discarding, Over, Robbing, Washing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat
from parlour_engine.tiles import FIRST_WIND, KINDS, Kind

Options = list[tuple[Move, ...]]
"""The legal answers of each seat in a window."""

NOTHING: Final[tuple[Move, ...]] = ()
WIN_OR_PASS: Final[tuple[Move, ...]] = (WIN_MOVE, PASS_MOVE)
LEAST_HEADS: Final = 9
"""Different heads that a hand needs to be washed (classical 5)."""


def _chows_of(kind: Kind) -> tuple[tuple[Kind, Kind, Move], ...]:
    """The two other kinds and the move of every chow that takes `kind`."""
    if kind >= FIRST_WIND:
        return ()
    lows = [low for low in (kind - 2, kind - 1, kind) if low // 9 == kind // 9 and low >= 0 and low % 9 <= 6]
    found = []
    for low in lows:
        one, other = [tile for tile in (low, low + 1, low + 2) if tile != kind]
        found.append((one, other, CHOWS[low]))
    return tuple(found)


CHOWS_OF: Final = tuple(_chows_of(kind) for kind in range(KINDS))
"""By the kind that is claimed."""


def legal_moves(deal: Deal, seat: Seat) -> tuple[Move, ...]:
    """What `seat` may do now: () when it has nothing to choose.

    On its own turn the win, the gongs, the discards, then discards with a call; in a window the win, the claims and
    the pass, until it has answered.
    """
    phase = deal.phase
    if isinstance(phase, Discarding):
        if phase.seat != seat:
            return NOTHING
        moves = deal.legal
        if moves is None:
            moves = deal.legal = _own_turn(deal, phase)
        return moves
    if isinstance(phase, (Claiming, Robbing, Washing)):
        if seat in SEATS and phase.answers[seat] is None:
            return phase.options[seat]
    return NOTHING


def waiting_on(deal: Deal) -> tuple[Seat, ...]:
    """The seats that may act and have not: secret in a window, since who is asked tells what he holds."""
    phase = deal.phase
    match phase:
        case Discarding():
            return (phase.seat,)
        case Claiming() | Robbing() | Washing():
            options, answers = phase.options, phase.answers
            return tuple([seat for seat in SEATS if options[seat] and answers[seat] is None])
        case Over():
            return ()


def late_move(deal: Deal, seat: Seat) -> Move:
    """What is played for a seat that lets its time run out: a pass in a window; on its turn the tile just drawn, where
    there is none the highest tile it may discard, in the order m, p, s, z. ValueError if it has nothing to choose."""
    moves = legal_moves(deal, seat)
    if not moves:
        raise ValueError(f"seat {seat} has nothing to choose")
    phase = deal.phase
    if not isinstance(phase, Discarding):
        return PASS_MOVE
    if phase.drawn >= 0:
        return DISCARDS[phase.drawn]
    return max([move for move in moves if move.verb == DISCARD], key=_kind)


def _kind(move: Move) -> Kind:
    return move.kind


def _own_turn(deal: Deal, phase: Discarding) -> tuple[Move, ...]:
    procedure = deal.procedure
    seat = phase.seat
    hand = deal.hands[seat]
    counts = hand.counts
    drawn = phase.drawn
    moves: list[Move] = []
    if drawn >= 0:
        mask = hand.mask
        if mask < 0:
            mask = hand.waits(procedure)
        if mask >> drawn & 1:
            moves.append(WIN_MOVE)
    elif phase.opening and hand.is_complete(procedure):
        moves.append(WIN_MOVE)
    if deal.called[seat]:
        # P23: the hand is frozen.
        moves.append(DISCARDS[drawn])
        return tuple(moves)
    claimed = phase.claimed
    wall = deal.wall
    if (claimed < 0 or procedure.gong_in_claim_turn) and wall.tail - wall.head > wall.reserve:
        # P14 and P10: after a draw, and with a live tile left.
        if 4 in counts:
            moves += [CONCEALED_GONGS[kind] for kind in range(KINDS) if counts[kind] == 4]
        for meld in hand.melds:
            if meld.form == PONG_MELD and counts[meld.kind]:
                moves.append(PROMOTIONS[meld.kind])
    if claimed < 0 or procedure.swap_claim:
        moves += [move for move, count in zip(DISCARDS, counts, strict=True) if count]
    else:
        moves += [DISCARDS[kind] for kind in range(KINDS) if counts[kind] and kind != claimed]
    if procedure.calling and claimed < 0:
        moves += [CALLS[kind] for kind in range(KINDS) if counts[kind] and _may_call(hand, kind, procedure)]
    return tuple(moves)


def _may_call(hand: Hand, kind: Kind, procedure: Procedure) -> bool:
    """P23: ready without `kind` in the standard shape; not with every set exposed, nor for a special hand."""
    if len(hand.melds) == procedure.sets and not hand.concealed_gongs:
        return False
    return hand.waits_without(kind, procedure, ()) != 0


def claim_options(deal: Deal, discarder: Seat, kind: Kind) -> tuple[Options, int]:
    """What the others may claim of a discard, and the mask of the seats that may win on it (P10, P12, P17, classical
    A-10). The discarder is still on turn."""
    procedure = deal.procedure
    wall = deal.wall
    live = wall.tail - wall.head > wall.reserve
    melding = live
    if not live and not procedure.last_discard_only_wins:
        phase = deal.phase
        melding = not isinstance(phase, Discarding) or phase.claimed < 0
    options: Options = [NOTHING, NOTHING, NOTHING, NOTHING]
    winners = 0
    following = (discarder + 1) & 3
    for seat in (following, (discarder + 2) & 3, (discarder + 3) & 3):
        hand = deal.hands[seat]
        counts = hand.counts
        mask = hand.mask
        if mask < 0:
            mask = hand.waits(procedure)
        wins = mask >> kind & 1 and not deal.missed[seat] >> kind & 1
        held = counts[kind]
        moves: list[Move] | None = None
        if wins:
            winners |= 1 << seat
            moves = [WIN_MOVE]
        if melding and not deal.called[seat]:
            if held > 1:
                if moves is None:
                    moves = []
                if held == 3 and live:
                    moves.append(GONGS[kind])
                # Of four tiles or more, three of `kind` at most, one is always left to discard (P18).
                moves.append(PONGS[kind])
            if seat == following:
                for one, other, move in CHOWS_OF[kind]:
                    if counts[one] and counts[other]:
                        if procedure.swap_claim or hand.size > held + 2:
                            if moves is None:
                                moves = [move]
                            else:
                                moves.append(move)
        if moves:
            moves.append(PASS_MOVE)
            options[seat] = tuple(moves)
    return options, winners


def rob_options(deal: Deal, declarer: Seat, kind: Kind) -> tuple[Options, int]:
    """Who may rob the fourth tile of a pong, and the mask of those seats (P15, P25)."""
    options: Options = [NOTHING, NOTHING, NOTHING, NOTHING]
    winners = 0
    for seat in SEATS:
        if seat != declarer:
            mask = deal.hands[seat].waits(deal.procedure)
            if mask >> kind & 1 and not deal.missed[seat] >> kind & 1:
                options[seat] = WIN_OR_PASS
                winners |= 1 << seat
    return options, winners


def washing_options(deal: Deal) -> tuple[Options, int]:
    """Who may wash the hand it was dealt, or win with it, before the opening turn, and the mask of whoever may win
    (classical 5, A-13)."""
    options: Options = [NOTHING, NOTHING, NOTHING, NOTHING]
    winners = 0
    for seat in SEATS:
        hand = deal.hands[seat]
        moves: list[Move] = []
        if seat == deal.dealer and hand.is_complete(deal.procedure):
            winners = 1 << seat
            moves.append(WIN_MOVE)
        if hand.heads() >= LEAST_HEADS:
            moves.append(WASH_MOVE)
        if moves:
            moves.append(PASS_MOVE)
            options[seat] = tuple(moves)
    return options, winners
