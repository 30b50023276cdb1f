"""Whole deals between players who pick uniformly among the legal moves, ours and riichienv's, on one core.

Run it with the interpreter of `.venv-bench` (`make bench` does); it needs no installed copy of this project. The two
are measured in turns, since the machine may be busy with something else, and the medians are compared.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "engine"))

from parlour_engine import play
from parlour_engine.legal import legal_moves, waiting_on
from parlour_engine.outcome import scoring_records
from parlour_engine.rulesets import parse
from parlour_engine.scoring.payment import settle
from parlour_engine.tiles import full_wall

RULES = ROOT / "config" / "rulesets" / "lrc.toml"
ROUNDS = 5
DEALS = 300
"""Deals of one measurement."""


def ours(seed: int, deals: int) -> int:
    """Play `deals` deals with all events and the settlement of the winners; returns the decisions."""
    ruleset = parse(RULES.read_text(encoding="utf-8"), RULES.name)
    chance = random.Random(seed)
    choice = chance.choice
    procedure = ruleset.procedure
    decisions = 0
    for index in range(deals):
        wall = full_wall()
        chance.shuffle(wall)
        deal, log = play.start(procedure, wall, (1, 2, 3), index & 3)
        while not deal.is_over():
            for seat in waiting_on(deal):
                log += play.apply(deal, seat, choice(legal_moves(deal, seat)))
                decisions += 1
            if not deal.is_over() and not waiting_on(deal):
                log += play.close(deal)
        winners = scoring_records(deal)
        if winners:
            settle(ruleset, winners)
    return decisions


def riichienv(seed: int, deals: int) -> int:
    """The same with the peer: one hand an episode, its default log."""
    from riichienv import RiichiEnv  # noqa: PLC0415 - only where it is installed

    choice = random.Random(seed).choice
    decisions = 0
    for index in range(deals):
        env = RiichiEnv(game_mode="4p-red-single", seed=seed + index)
        seen = env.reset()
        while not env.done():
            seen = env.step({player: choice(one.legal_actions()) for player, one in seen.items()})
            decisions += len(seen)
    return decisions


def _rate(work: Callable[[int, int], int], seed: int) -> tuple[float, float]:
    """Deals and decisions a second of CPU time."""
    start = time.process_time()
    decisions = work(seed, DEALS)
    spent = time.process_time() - start
    return DEALS / spent, decisions / spent


def main() -> None:
    """Measure both in turns and print the medians and their ratio."""
    mine, peers = [], []
    for turn in range(ROUNDS):
        mine.append(_rate(ours, turn))
        peers.append(_rate(riichienv, turn))
    our_deals = statistics.median([deals for deals, _ in mine])
    our_decisions = statistics.median([decisions for _, decisions in mine])
    peer_deals = statistics.median([deals for deals, _ in peers])
    peer_decisions = statistics.median([decisions for _, decisions in peers])
    print(f"random deals     parlour   {our_deals:8.0f} deals/s {our_decisions:9.0f} decisions/s")
    print(f"                 riichienv {peer_deals:8.0f} deals/s {peer_decisions:9.0f} decisions/s (default log)")
    print(f"                 ratio     {our_deals / peer_deals:8.2f} (at least 1 wanted)")


if __name__ == "__main__":
    main()
