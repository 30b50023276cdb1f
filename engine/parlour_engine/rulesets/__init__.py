"""Rulesets: a sheet, its switches and the procedure of play, read from one file's text and checked.

`parse` takes the text; nothing in the engine opens files.
"""

from parlour_engine.rulesets.differences import Change, Difference, differences
from parlour_engine.rulesets.errors import OptionError, RulesetError
from parlour_engine.rulesets.examples import failing, misfits
from parlour_engine.rulesets.parsing import Find, parse
from parlour_engine.rulesets.reach import idle
from parlour_engine.rulesets.ruleset import (
    Example,
    Group,
    InstantPayment,
    Option,
    OptionValue,
    Paragraph,
    Ruleset,
    Section,
    SheetRow,
    Switch,
)

__all__ = [
    "Change",
    "Difference",
    "Example",
    "Find",
    "Group",
    "InstantPayment",
    "Option",
    "OptionError",
    "OptionValue",
    "Paragraph",
    "Ruleset",
    "RulesetError",
    "Section",
    "SheetRow",
    "Switch",
    "differences",
    "failing",
    "idle",
    "misfits",
    "parse",
]
