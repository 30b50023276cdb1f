"""A thousand played deals that several cases look at: a thousandth of what a long run would play."""

from functools import cache

from parlour_engine.outcome import scoring_records
from parlour_engine.scoring.payment import Settlement, settle
from tests.engine.scoring.hands import lrc
from tests.kit.walks import Walk, eager

DEALS = 1000


@cache
def played() -> tuple[Walk, ...]:
    """Deals of eager players, to the end; the seed of each is its place."""
    walks = tuple(Walk(seed, lrc().procedure, eager) for seed in range(DEALS))
    for walk in walks:
        walk.to_the_end()
    return walks


@cache
def settlements() -> tuple[Settlement | None, ...]:
    """What each deal was worth, None where nobody won."""
    records = [scoring_records(walk.deal) for walk in played()]
    return tuple(settle(lrc(), won) if won else None for won in records)
