"""The examiner of bots, ours and other people's: plays seeded deals and watches every decision.

from parlour_bots.check import check_bot
print(check_bot(MyBot()))
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from attrs import frozen

from parlour_bots.bot import Bot
from parlour_bots.chance import stream
from parlour_bots.deals import dice_of, wall_of
from parlour_bots.random_bot import RandomBot
from parlour_engine import play
from parlour_engine.legal import legal_moves, waiting_on
from parlour_engine.moves import Move, move_text
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS
from parlour_engine.views import View, view

GAMES: Final[tuple[tuple[str, Procedure], ...]] = (
    ("16 tiles", Procedure()),
    ("16 tiles with calling, without swap claims", Procedure(calling=True, swap_claim=False, gong_in_claim_turn=True)),
    ("13 tiles", Procedure(hand_size=13, sets=4, forms=())),
    (
        "13 tiles with washing, loose tiles and all hands shown",
        Procedure(
            hand_size=13,
            sets=4,
            forms=("thirteen_orphans",),
            flowers=False,
            flower_win=0,
            reserve=14,
            reserve_replaces=False,
            loose_tiles=2,
            dice=4,
            missed_win=False,
            nearest_winner_only=True,
            show_hands=True,
            washing=(50, 70, 100, 150, 200),
            last_discard_only_wins=False,
        ),
    ),
)
"""The games that a bot is examined in."""


class BotFault(AssertionError):
    """What a bot did wrong, in which deal; the message says how to play it again."""


@frozen
class Examined:
    """What the examiner saw of a bot that did nothing wrong; times in seconds."""

    deals: int
    decisions: int
    mean: float
    longest: float

    def __str__(self) -> str:
        return (
            f"{self.decisions} decisions in {self.deals} deals: "
            f"{self.mean * 1e6:.0f} us each, the longest {self.longest * 1e3:.1f} ms"
        )


class _Watched:
    """A bot under examination: asked everything twice, with the same luck."""

    def __init__(self, bot: Bot, clock: Callable[[], float]) -> None:
        self._bot = bot
        self._clock = clock
        self.decisions = 0
        self.spent = 0.0
        self.longest = 0.0

    def decide(self, seen: View, legal: Sequence[Move], luck: tuple[str | int, ...]) -> Move:
        begun = self._clock()
        move = self._bot.decide(seen, legal, stream(*luck))
        took = self._clock() - begun
        self.decisions += 1
        self.spent += took
        self.longest = max(self.longest, took)
        if not any(move is one for one in legal):
            raise BotFault(f"{move!r} is not among the legal moves {[move_text(one) for one in legal]}")
        again = self._bot.decide(seen, legal, stream(*luck))
        if again is not move:
            raise BotFault(f"asked twice with the same luck it answered {move_text(move)}, then {again!r}")
        return move


def check_bot(
    bot: Bot,
    *,
    deals: int = 8,
    seed: int = 1,
    budget: float = 0.005,
    clock: Callable[[], float] = time.perf_counter,
) -> Examined:
    """Let `bot` play `deals` deals of each of GAMES, by turns against random players and against itself.

    Every move must be legal, the same question with the same luck must get the same answer, and the mean decision must
    take at most `budget` seconds by `clock`. Raises BotFault otherwise; what the bot raises goes through.
    """
    watched = _Watched(bot, clock)
    for name, procedure in GAMES:
        for index in range(deals):
            seats = SEATS if index % 2 else (index // 2 % 4,)
            try:
                _play(watched, procedure, seats, seed, index)
            except BotFault as fault:
                raise BotFault(f"{name}, seed {seed}, deal {index}: {fault}") from fault
    mean = watched.spent / max(1, watched.decisions)
    if mean > budget:
        raise BotFault(f"a decision takes {mean * 1e3:.2f} ms, more than {budget * 1e3:.2f} ms")
    return Examined(deals * len(GAMES), watched.decisions, mean, watched.longest)


def _play(watched: _Watched, procedure: Procedure, seats: Sequence[int], seed: int, index: int) -> None:
    others = RandomBot()
    deal, _ = play.start(procedure, wall_of(procedure, seed, index), dice_of(procedure, seed, index), index % 4)
    asked = 0
    while not deal.is_over():
        for seat in waiting_on(deal):
            legal, luck = legal_moves(deal, seat), (seed, index, "luck", asked)
            if seat in seats:
                move = watched.decide(view(deal, seat), legal, luck)
            else:
                move = others.decide(view(deal, seat), legal, stream(*luck))
            play.apply(deal, seat, move)
            asked += 1
        if not deal.is_over() and not waiting_on(deal):
            play.close(deal)
