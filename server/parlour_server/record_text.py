"""The one reader of records' JSON: octets to text to an object, or an error that says what is wrong.

And texts of a record, such as its id or a player's name, on their way out again."""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, NoReturn
from unicodedata import east_asian_width

from parlour_engine.scoring.request import BAD_RECORD, RequestError

_BOM: Final = "\ufeff"
_SHOWN: Final = 40
"""Columns of a text that are shown: half a line."""
_ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
ONE_A_LINE: Final = "write one record a line"
"""The cure for more than one object, where many are taken."""


class NotJson(ValueError):
    """What was to be a JSON object is none; `broken_off` where it may be the beginning of one."""

    def __init__(self, problem: str, broken_off: bool = False) -> None:
        super().__init__(problem)
        self.broken_off: Final = broken_off


def text_in(octets: bytes) -> str:
    """The text of a record, without the mark that editors put in front of UTF-8; raises NotJson.

    Empty where there is nothing but space.
    """
    try:
        text = octets.decode().removeprefix(_BOM)
    except UnicodeDecodeError as error:
        cut = error.end == len(octets) and error.reason == "unexpected end of data"
        raise NotJson(f"this is not UTF-8 (byte {error.start + 1}): save it as UTF-8", broken_off=cut) from None
    if "\0" in text:
        # UTF-16 without its mark, or no text at all.
        raise NotJson(f"this is not UTF-8 (byte {octets.index(0) + 1} is 0): save it as UTF-8")
    return text if text.strip() else ""


def object_in(text: str, one: str = ONE_A_LINE) -> dict[str, Any]:
    """The JSON object in a text; raises NotJson, with the cure `one` where more follows it."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise NotJson("this is nested too deeply") from None
    except json.JSONDecodeError as error:
        at = f"character {error.pos + 1}"
        if "\n" in text.strip():
            at = f"line {error.lineno}, character {error.colno}"
        if error.msg == "Extra data":
            raise NotJson(f"there is more after the JSON object ({at}): {one}") from None
        problem = f"this is not JSON: {error.msg.removesuffix(' at')} at {at}"
        raise NotJson(problem, broken_off=text.lstrip().startswith("{")) from None
    except NotJson:
        raise
    except ValueError:
        raise NotJson("this is not JSON: a number has too many digits") from None
    if not isinstance(value, dict):
        raise NotJson("this is no JSON object")
    return value


def text_of(line: bytes) -> str:
    """The text of one scoring record; raises RequestError."""
    try:
        return text_in(line)
    except NotJson as error:
        raise RequestError(BAD_RECORD, str(error)) from error


def object_of(text: str, one: str = ONE_A_LINE) -> Mapping[str, object]:
    """The JSON object in the text of one scoring record; raises RequestError."""
    try:
        return object_in(text, one)
    except NotJson as error:
        raise RequestError(BAD_RECORD, str(error)) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise NotJson(f'the key "{shown(twice)}" appears twice')
    return found


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"this is not JSON: {name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise NotJson("a number is too large")
    return number


def noun(count: int, one: str, many: str = "") -> str:
    """`deal` or `deals`; `many` where an s is not all that is different."""
    return one if count == 1 else many or f"{one}s"


def counted(count: int, one: str, many: str = "") -> str:
    """`1 deal`, `2 deals`."""
    return f"{count} {noun(count, one, many)}"


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
