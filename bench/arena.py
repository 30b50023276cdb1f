"""What the arena costs on one core: deals of random and of steady players with views, checks, settlement and records,
and a single discard of steady (300 us wanted). Ours alone: no peer plays these rules.

`python bench/arena.py` in an environment that holds `attrs`.
"""

import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Neither package is installed among the peers.
sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "bots")]

from parlour_bots.chance import stream
from parlour_bots.deals import index_deal, record_line, wall_of
from parlour_bots.levels import make_bot
from parlour_bots.steady import SteadyBot
from parlour_engine import play
from parlour_engine.legal import legal_moves
from parlour_engine.rulesets import Ruleset, parse
from parlour_engine.views import view

SEED = 20241201
ROUNDS = 3
DEALS = 100
HANDS = 1000
AIM = 300
"""Microseconds for a discard."""


def rates(ruleset: Ruleset, names: tuple[str, ...]) -> tuple[float, float]:
    """Deals and decisions a second of CPU time, each deal written as a record: medians of some rounds."""
    bots = [make_bot(name) for name in names]
    deals: list[float] = []
    decisions: list[float] = []
    for turn in range(ROUNDS):
        asked = 0
        start = time.process_time()
        for index in range(DEALS):
            record = index_deal(ruleset, SEED + turn, index, bots)
            record_line(ruleset, names, SEED + turn, index, record)
            asked += record.decisions
        spent = time.process_time() - start
        deals.append(DEALS / spent)
        decisions.append(asked / spent)
    return statistics.median(deals), statistics.median(decisions)


def discard_microseconds(ruleset: Ruleset) -> float:
    """CPU time of steady's first discard from a dealt hand of 17 tiles, the widest choice there is."""
    asks = []
    for index in range(HANDS):
        deal, _ = play.start(ruleset.procedure, wall_of(ruleset.procedure, SEED, index))
        if not deal.is_over():
            asks.append((view(deal, 0), legal_moves(deal, 0)))
    bot, luck = SteadyBot(), stream("unused")
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for seen, legal in asks:
            bot.decide(seen, legal, luck)
        best = min(best, time.process_time() - start)
    return best / len(asks) * 1e6


def main() -> int:
    """Print the figures; 1 when the aim is missed."""
    path = ROOT / "config" / "rulesets" / "lrc.toml"
    ruleset = parse(path.read_text(encoding="utf-8"), path.name)
    for names in (("random",) * 4, ("steady", "random", "random", "random"), ("steady",) * 4):
        deals, decisions = rates(ruleset, names)
        print(f"{','.join(names):34}{deals:9.0f} deals/s{decisions:10.0f} decisions/s, views and records included")
    took = discard_microseconds(ruleset)
    verdict = "ok" if took <= AIM else "BELOW AIM"
    print(f"{'a discard of steady':34}{took:9.0f} us  (aim {AIM} us at most) {verdict}")
    return 0 if took <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
