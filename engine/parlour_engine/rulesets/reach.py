"""Rows that can never apply: the play of the file has too few sets, or leaves out what they ask for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from parlour_engine.rulesets.ruleset import Ruleset, SheetRow
from parlour_engine.scoring.facts import FLOWER_WIN, STANDARD, UNFINISHED
from parlour_engine.scoring.patterns import STREAK_QUESTIONS
from parlour_engine.shapes import FORMS

_SETS: Final = 5
"""Of the largest hands."""
_ORPHANS: Final = "thirteen_orphans"
_HOW: Final = ("exposed", "concealed")

SETS_OF_A_KIND: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(("open_gongs", "concealed_gongs", "gongs", "concealed_pongs"), _SETS),
        **{f"{kind}_{sets}_{how}": _SETS for kind in ("simple", "head") for sets in ("gongs", "pongs") for how in _HOW},
        "wind_pongs": 4,
        "dragon_pongs": 3,
    }
)
"""The largest answers of questions that count sets one by one."""
FLOWERS: Final[Mapping[str, int]] = MappingProxyType({"flowers": 8, "seat_flowers": 2})
"""And of those that count flowers."""
ANSWERS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        **{question: (1, most) for question, most in SETS_OF_A_KIND.items()},
        "neighbour_pongs": (1, _SETS),
        "fours_in_two_ways": (1, _SETS),
        "sister_pongs": (1, 3),
        "brother_chows": (1, 4),
        "terminal_pong_sets": (2, 3),
        "terminal_chow_sets": (2, 2),
        "terminal_chow_sets_of_a_suit": (2, 2),
        "sister_chows_of_two": (2, 2),
        "sister_chows_of_two_beside_terminals": (2, 2),
        "sister_chows_of_three": (3, 1),
        "sister_chows_of_three_beside_terminals": (3, 1),
        **{f"{kind}_dragon{where}": (3, 1) for kind in ("mixed", "pure") for where in ("", "_in_hand", "_concealed")},
        "little_dragons": (2, 1),
        "big_dragons": (3, 1),
        "little_three_winds": (2, 1),
        "big_three_winds": (3, 1),
        "little_four_winds": (3, 1),
        "big_four_winds": (4, 1),
        "steps_in_three_suits": (3, 1),
        "all_five_suits": (4, 1),
        "all_steps": (5, 1),
        "uncles": (5, 1),
        "fours_in_three_ways": (2, 1),
    }
)
"""How many sets of the hand each one of an answer takes, and the largest answer that there can be."""
COUNTS: Final[Mapping[str, int]] = MappingProxyType(
    {**FLOWERS, "dragon_pairs": 3, "dragon_pairs_at_rest": 3, "fours": 3, "fours_in_four_ways": 3}
)
"""The largest answers of other questions that count. All that are named nowhere here are answered with 0 or 1."""
ENDLESS: Final = frozenset((*STREAK_QUESTIONS, "tiles_on_table"))
"""Questions whose answers have no end."""
_CHOWS_OF_FOUR_WAYS: Final = 4


def largest(question: str, ruleset: Ruleset) -> int | None:
    """No larger answer can be had at any table of this ruleset; None where there is no end."""
    sets = ruleset.procedure.sets
    if question in ENDLESS:
        return None
    if (
        (question in FLOWERS and not _flowers(ruleset))
        or (question == "called" and not (ruleset.procedure.calling or "calling" in ruleset.options))
        or (question == "fours_in_four_ways" and sets < _CHOWS_OF_FOUR_WAYS)
        or (question == "fours" and "nico_nico" not in _readings(ruleset))
    ):
        return 0
    each, most = ANSWERS.get(question, (0, COUNTS.get(question, 1)))
    return min(most, sets // each) if each else most


def idle(ruleset: Ruleset) -> tuple[SheetRow, ...]:
    """The rows that can never apply, whatever the tiles and whatever switches a table sets. There may be more: only
    what numbers of sets and kinds of hand say is looked at."""
    there = _readings(ruleset)
    return tuple([row for row in ruleset.printed if not (_reached(row, there) and _answered(row, ruleset))])


def _reached(row: SheetRow, there: frozenset[str]) -> bool:
    readings = [row.readings, *(switch.readings for switch in row.switches if switch.readings is not None)]
    return any(not named or there & set(named) for named in readings)


def _answered(row: SheetRow, ruleset: Ruleset) -> bool:
    if not row.question:
        return True
    answers = [largest(question, ruleset) for question in row.questions]
    return any(most is None or most >= row.least for most in answers)


def _readings(ruleset: Ruleset) -> frozenset[str]:
    """The kinds of hand that there can be."""
    sets = ruleset.procedure.sets
    found = {STANDARD}
    # Single heads are Thirteen Orphans without the further set; the other special hands need five sets.
    found.update(form for form in FORMS if sets == _SETS or (form == _ORPHANS and sets == _SETS - 1))
    found.intersection_update((STANDARD, *ruleset.procedure.forms))
    if ruleset.scores_all:
        found.add(UNFINISHED)
    if ruleset.procedure.flower_win and _flowers(ruleset):
        found.add(FLOWER_WIN)
    return frozenset(found)


def _flowers(ruleset: Ruleset) -> bool:
    return ruleset.procedure.flowers or "mandarins" in ruleset.options
