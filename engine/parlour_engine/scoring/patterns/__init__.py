"""The questions a sheet's rows may ask, named as players name them.

A question takes facts and answers a number: how often, how many, how long; 0 means no. It knows no points, asks
no ruleset and no other row. A ruleset's file names questions; these three tables are all there are.
"""

from collections.abc import Callable, Mapping
from typing import Final

from parlour_engine.scoring.facts import HandFacts, ReadingFacts, SplitFacts
from parlour_engine.scoring.patterns import hand, reading, split, values

HandQuestion = Callable[[HandFacts], int]
SplitQuestion = Callable[[SplitFacts], int]
ReadingQuestion = Callable[[ReadingFacts], int]

HAND_QUESTIONS: Final[Mapping[str, HandQuestion]] = {
    question.__name__: question for question in (*hand.QUESTIONS, *values.OF_HAND)
}
"""Asked once of a hand."""
SPLIT_QUESTIONS: Final[Mapping[str, SplitQuestion]] = {
    question.__name__: question for question in (*split.QUESTIONS, *values.OF_SPLIT)
}
"""Asked of every split of its tiles."""
READING_QUESTIONS: Final[Mapping[str, ReadingQuestion]] = {
    question.__name__: question for question in (*reading.QUESTIONS, *values.OF_READING)
}
"""Asked of every split and every group that can hold the win tile."""
STREAK_QUESTIONS: Final = frozenset(
    (
        "dealer_wins_before",
        "dealer_wins_with_this",
        "dealer_wins_before_won_or_paid",
        "dealer_wins_with_this_won_or_paid",
    )
)
"""Those whose answer depends on the dealer's wins in a row."""


def question_names() -> list[str]:
    """All questions in alphabetical order."""
    return sorted([*HAND_QUESTIONS, *SPLIT_QUESTIONS, *READING_QUESTIONS])
