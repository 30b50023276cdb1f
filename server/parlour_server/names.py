"""What a player may be called: one short line that cannot disguise itself or reorder its surroundings."""

import unicodedata
from typing import Final

LONGEST: Final = 24
"""Code points of a name as it is shown."""
_MARKS: Final = 2
"""Combining marks on one letter: enough for living languages, too few to climb over other text."""
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, bidirectional overrides and other invisible formats, surrogates, private use, unassigned."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look like nothing at all."""


def clean_name(text: str) -> str:
    """The name as it is shown; empty where nothing visible is left."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category in {"Cc", "Zl", "Zp", "Zs"} or character in _BLANK:
            if kept and kept[-1] != " ":
                kept.append(" ")
            continue
        if category in _DROPPED:
            continue
        if category in {"Mn", "Me"}:
            if not kept or kept[-1] == " " or marks == _MARKS:
                continue
            marks += 1
        else:
            marks = 0
        kept.append(character)
    # What was dropped may have kept two characters apart that compose.
    return unicodedata.normalize("NFC", "".join(kept)).strip()[:LONGEST].strip()
