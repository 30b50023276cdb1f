"""The sum: which lines of a sheet a hand gets in its best reading, what they come to, and what fell away."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from parlour_engine.scoring import adding, doubling
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.scoring.score import Award, Considered, NotWinning, Replaced, Score

if TYPE_CHECKING:
    from parlour_engine.rulesets import Ruleset

__all__ = ["TALLIES", "Award", "Considered", "NotWinning", "Replaced", "Score", "score"]

TALLIES: Final[Mapping[str, Callable[["Ruleset", ScoringRecord], Score]]] = {
    "points": adding.score,
    "doubles": doubling.score,
}
"""The ways of adding up that a ruleset may name."""


def score(ruleset: "Ruleset", record: ScoringRecord) -> Score:
    """What the hand is worth under the ruleset; raises NotWinning."""
    return TALLIES[ruleset.tally](ruleset, record)
