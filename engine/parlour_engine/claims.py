"""The one place that orders claims: Mahjong, gong, pong, chow (lrc P12, P16); who washes (classical 5)."""

from collections.abc import Sequence

from parlour_engine.moves import CHOW, GONG, PONG, WASH_MOVE, WIN_MOVE, Move
from parlour_engine.seats import Seat, in_turn_from

Claim = tuple[Seat, Move]
"""A seat and what it claims."""

_RANK = {GONG: 3, PONG: 2, CHOW: 1}


def resolve(payer: Seat, answers: Sequence[Move | None], nearest_winner_only: bool) -> tuple[Claim, ...]:
    """The claims that come true on a tile of `payer`, from the answers by seat; a missing answer is a pass.

    All winners in turn order from the right of `payer`, who pays each of them; only the first where
    `nearest_winner_only`. Without a winner the one strongest claim. Empty where all passed. When the answers came in
    makes no difference: only what they are is asked.
    """
    wins: list[Claim] = []
    best: Claim | None = None
    best_rank = 0
    for seat in in_turn_from(payer):
        answer = answers[seat]
        if answer is None:
            continue
        if answer is WIN_MOVE:
            wins.append((seat, answer))
            if nearest_winner_only:
                break
        else:
            rank = _RANK.get(answer.verb, 0)
            if rank > best_rank:
                best, best_rank = (seat, answer), rank
    if wins:
        return tuple(wins)
    return () if best is None else (best,)


def resolve_washing(dealer: Seat, answers: Sequence[Move | None]) -> Claim | None:
    """What comes true of the answers before the opening turn, None where all passed: the dealer's complete hand goes
    first, else the first who washes, from the dealer on in turn."""
    if answers[dealer] is WIN_MOVE:
        return (dealer, WIN_MOVE)
    for seat in (dealer, *in_turn_from(dealer)):
        if answers[seat] is WASH_MOVE:
            return (seat, WASH_MOVE)
    return None
