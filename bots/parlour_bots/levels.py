"""The bots by name."""

from collections.abc import Callable
from typing import Final

from parlour_bots.bot import Bot
from parlour_bots.random_bot import RandomBot
from parlour_bots.steady import SteadyBot

_MAKERS: Final[dict[str, Callable[[], Bot]]] = {"random": RandomBot, "steady": SteadyBot}

LEVELS: Final[tuple[str, ...]] = tuple(_MAKERS)
"""The names of the levels, weakest first."""


class UnknownLevel(ValueError):
    """A name that no level has; the message lists those there are."""


def make_bot(level: str) -> Bot:
    """A bot of `level`; raises UnknownLevel."""
    maker = _MAKERS.get(level)
    if maker is None:
        raise UnknownLevel(f"no bot is called {level[:40]!r}: choose among {', '.join(LEVELS)}")
    return maker()
