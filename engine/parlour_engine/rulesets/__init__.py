"""Rulesets: a sheet, its switches and the procedure of play, read from one file's text and checked.

`parse` takes the text; nothing in the engine opens files.
"""

from parlour_engine.rulesets.errors import OptionError, RulesetError
from parlour_engine.rulesets.parsing import parse
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
    "Example",
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
    "parse",
]
