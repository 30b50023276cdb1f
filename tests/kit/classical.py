"""The procedures of the two classical games, with switches where a test wants them."""

from typing import Any

from parlour_engine.procedure import Procedure

_BOTH: dict[str, Any] = {
    "hand_size": 13,
    "sets": 4,
    "flowers": False,
    "flower_win": 0,
    "reserve_replaces": False,
    "loose_tiles": 2,
    "dice": 4,
    "mixed_set_bases": 0,
    "full_set_bases": 0,
    "concealed_gong_bases": 0,
    "missed_win": False,
    "nearest_winner_only": True,
    "show_hands": True,
    "last_discard_only_wins": False,
}


def classical(**changed: Any) -> Procedure:
    """Part I, without a limit."""
    return Procedure(**(_BOTH | {"forms": (), "reserve": 0} | changed))


def with_limit(**changed: Any) -> Procedure:
    """Part II, with a limit."""
    own = {"forms": ("thirteen_orphans",), "reserve": 14, "washing": (50, 70, 100, 150, 200)}
    return Procedure(**(_BOTH | own | changed))
