"""Walls and dice for whole matches, the same in every run."""

from collections.abc import Callable

from parlour_bots.chance import stream
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import full_wall
from parlour_server.deals import Deals, Dealt


def seeded(seed: int) -> Callable[[str], Deals]:
    """For `Hall(deals_of=...)`: every table gets the deals of `seed`."""

    def deal(number: int, procedure: Procedure) -> Dealt:
        chance = stream(seed, number)
        wall = chance.shuffled(full_wall(procedure.flowers))
        return wall, tuple([1 + chance.randrange(6) for _ in range(procedure.dice)])

    return lambda _: deal
