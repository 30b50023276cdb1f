"""Walls and dice from the operating system's randomness. The engine is handed both and draws neither."""

import secrets
from collections.abc import Callable

from parlour_bots.chance import Stream
from parlour_engine.procedure import Procedure
from parlour_engine.tiles import Kind, full_wall

Dealt = tuple[list[Kind], tuple[int, ...]]
"""A wall in drawing order, of the tiles that the game is played with, and as many dice as break it."""
Deals = Callable[[int, Procedure], Dealt]
"""The wall and the dice of the match's deal with this number."""


def secret_deal(_: int, procedure: Procedure) -> Dealt:
    """A wall that nobody could foresee: 256 fresh random bits a deal, which also order nothing else."""
    stream = Stream(secrets.token_bytes(32))
    wall = stream.shuffled(full_wall(procedure.flowers))
    return wall, tuple([1 + stream.randrange(6) for _ in range(procedure.dice)])
