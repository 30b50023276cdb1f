"""A scoring record as it comes in: octets to text to a JSON object, or a RequestError that says what is wrong.

And texts of a record, such as its id or a player's name, on their way out again."""

import json
from collections.abc import Mapping
from typing import Final, NoReturn
from unicodedata import east_asian_width

from parlour_engine.scoring.request import BAD_RECORD, RequestError

_BOM: Final = "\ufeff"
_SHOWN: Final = 40
"""Columns of a text that are shown: half a line."""
_ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"


def text_of(line: bytes) -> str:
    """The text of one line, without space around it or the mark that editors put in front of UTF-8."""
    try:
        return line.decode().removeprefix(_BOM).strip()
    except UnicodeDecodeError as error:
        raise RequestError(BAD_RECORD, f"the line is not UTF-8 (byte {error.start + 1})") from error


def object_of(text: str) -> Mapping[str, object]:
    """The JSON object in a text."""
    try:
        record = json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise RequestError(BAD_RECORD, "the line is nested too deeply") from error
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise RequestError(BAD_RECORD, f"the line is not JSON: {what} at character {error.pos + 1}") from error
    except ValueError as error:
        # A number of more digits than Python reads, or NaN and its kin.
        raise RequestError(BAD_RECORD, f"the line is not JSON: {str(error)[:80]}") from error
    if not isinstance(record, dict):
        raise RequestError(BAD_RECORD, "the line is no JSON object")
    return record


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def columns(text: str) -> int:
    """How many columns a text takes: Chinese characters take two."""
    return sum([2 if east_asian_width(letter) in "WF" else 1 for letter in text])


def shown(text: str, most: int = _SHOWN) -> str:
    """A text of somebody else's as a line may show it, in at most `most` columns.

    Whatever ends lines, moves the cursor, turns the direction of writing or cannot be written at all is spelt out, as
    in `\\n` or `\\u202e`; what is longer ends with an ellipsis.
    """
    letters = [
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text[: 2 * most]
    ]
    if len(text) <= 2 * most and columns("".join(letters)) <= most:
        return "".join(letters)
    kept, left = "", most - 1
    for letter in letters:
        left -= columns(letter)
        if left < 0:
            break
        kept += letter
    return kept.rstrip() + _ELLIPSIS


def json_text(value: object, indent: int | None = None) -> str:
    """JSON that any stream of UTF-8 takes: half a surrogate pair, which JSON can spell, is spelt and not written."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode()
