"""A settlement's derivation as people and programs read it: text in two languages, and plain data."""

from parlour_server.derivation.plain import explanation_value, shortfall_value
from parlour_server.derivation.text import explanation_text, shortfall_text
from parlour_server.derivation.words import LANGUAGES, WORDS, Words

__all__ = [
    "LANGUAGES",
    "WORDS",
    "Words",
    "explanation_text",
    "explanation_value",
    "shortfall_text",
    "shortfall_value",
]
