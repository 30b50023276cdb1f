"""Questions that depend on which group took the win tile (A-3)."""

from collections.abc import Callable
from typing import Final

from parlour_engine.melds import PONG
from parlour_engine.scoring.facts import ReadingFacts
from parlour_engine.scoring.patterns.split import ORDERS, SUIT_STARTS


def _concealed_chows(reading: ReadingFacts) -> tuple[int, ...]:
    """The chows in hand without the one that a claimed tile finished (A-6, A-30)."""
    own = reading.split.hand_chows
    if reading.exposed_chow < 0:
        return own
    at = own.index(reading.exposed_chow)
    return own[:at] + own[at + 1 :]


def mixed_dragon_concealed(reading: ReadingFacts) -> int:
    """1 for a mixed dragon of three concealed chows (DS-1, A-30)."""
    if len(reading.split.hand_chows) < 3:
        return 0
    own = _concealed_chows(reading)
    return any(low in own and mid + 3 in own and high + 6 in own for low, mid, high in ORDERS)


def pure_dragon_concealed(reading: ReadingFacts) -> int:
    """1 for a pure dragon of three concealed chows (DS-2, A-30)."""
    if len(reading.split.hand_chows) < 3:
        return 0
    own = _concealed_chows(reading)
    return any(one in own and one + 3 in own and one + 6 in own for one in SUIT_STARTS)


def concealed_pongs(reading: ReadingFacts) -> int:
    """Pongs in hand that no claimed tile finished, open gongs and concealed gongs (CP-1, A-5, A-34)."""
    split = reading.split
    hand = split.hand
    finished = reading.holder == PONG and hand.claimed
    return len(split.hand_pongs) - finished + hand.open_gongs + hand.concealed_gongs


def pairs_called(reading: ReadingFacts) -> int:
    """1 if the win tile makes a pong in hand (X-1, A-73)."""
    return reading.holder == PONG


QUESTIONS: Final[tuple[Callable[[ReadingFacts], int], ...]] = (
    mixed_dragon_concealed,
    pure_dragon_concealed,
    concealed_pongs,
    pairs_called,
)
