"""A scoring record as it comes in: octets to text to a JSON object, or a RequestError that says what is wrong."""

import json
from collections.abc import Mapping
from typing import Final, NoReturn

from parlour_engine.scoring.request import BAD_RECORD, RequestError

_BOM: Final = "\ufeff"


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
