"""Walls and dice for whole matches: the same in every run, or as the house lays them."""

import secrets
from collections.abc import Callable

from parlour_bots.chance import stream
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import full_wall
from parlour_server.fairness.deals import FairDeals
from parlour_server.table.shuffling import Laid

Deals = Callable[[int, Procedure], Laid]
"""The wall and the dice of the deal with this number, without a shuffle that seats add to."""


def seeded(seed: int) -> Callable[[str], Deals]:
    """For `Hall(deals_of=...)`: every table gets the deals of `seed`."""

    def deal(number: int, procedure: Procedure) -> Laid:
        chance = stream(seed, number)
        wall = chance.shuffled(full_wall(procedure.flowers))
        return wall, tuple([1 + chance.randrange(6) for _ in range(procedure.dice)])

    return lambda _: deal


def unforeseen(number: int, procedure: Procedure) -> Laid:
    """As the house lays them where no seat adds anything."""
    fair = FairDeals("0" * 32, "0" * 64, secrets.token_bytes)
    return fair.deal(number, procedure, fair.commit(number).seed, [None] * 4)
