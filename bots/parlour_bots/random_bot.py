"""The level `random`: any legal move."""

from collections.abc import Sequence

from parlour_bots.chance import Chance
from parlour_engine.moves import Move
from parlour_engine.views import View


class RandomBot:
    """Picks uniformly among the legal moves."""

    __slots__ = ()

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        """One of `legal`, each equally likely."""
        return legal[chance.randrange(len(legal))]
