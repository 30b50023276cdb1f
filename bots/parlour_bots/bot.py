"""What a bot is: somebody who gets a view and the legal moves and returns one of them."""

from collections.abc import Sequence
from typing import Protocol

from parlour_bots.chance import Chance
from parlour_engine.moves import Move
from parlour_engine.views import View


class Bot(Protocol):
    """A player that is not a person. One bot may sit at many seats and many tables: it keeps nothing between calls."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        """One of `legal`, which is not empty.

        `view` is all that the seat may know. A bot that leaves something to luck asks `chance` and nothing else, so
        equal arguments give equal answers.
        """
        ...
