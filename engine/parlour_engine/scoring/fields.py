"""Single keys of a decoded JSON object, each of its type or a RequestError that says what is wrong."""

from collections.abc import Iterable, Mapping
from typing import Final, NoReturn

from parlour_engine.seats import WINDS, Wind

BAD_RECORD: Final = "bad_record"
BAD_TILES: Final = "bad_tiles"
NOT_WINNING: Final = "not_winning"

MOST: Final = 9_999
"""The largest number a request may give: more deals than a match has and more tiles than a wall, and small enough that
what a sheet makes of it stays a number that every JSON reader keeps exactly (`rulesets.bounds`)."""


class RequestError(ValueError):
    """A request that cannot be answered with a score; `code` is one of the three above."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: Final = code


def bad_record(message: str) -> NoReturn:
    """Raise the RequestError for keys, types and facts."""
    raise RequestError(BAD_RECORD, message)


def quoted(text: str) -> str:
    """A text of the asker's as a message may repeat it: short, and in one line."""
    return repr(text[:40])


def known_keys(values: Mapping[str, object], keys: Iterable[str], whose: str) -> None:
    """Raise for a key that is not among `keys`."""
    allowed = tuple(keys)
    for key in values:
        if key not in allowed:
            bad_record(f"{quoted(key)} is no key of {whose}; there are {', '.join(allowed)}")


def text(values: Mapping[str, object], key: str) -> str:
    """A text that must be there."""
    if key not in values:
        bad_record(f'the record has no "{key}"')
    value = values[key]
    if not isinstance(value, str):
        bad_record(f'"{key}" is no text')
    return value


def texts(values: Mapping[str, object], key: str) -> list[str]:
    """A list of texts."""
    value = values[key]
    if not isinstance(value, list):
        bad_record(f'"{key}" is no list of texts')
    found: list[str] = []
    for item in value:
        if not isinstance(item, str):
            bad_record(f'"{key}" is no list of texts')
        found.append(item)
    return found


def number(values: Mapping[str, object], key: str, default: int) -> int:
    """A whole number from 0 to MOST."""
    value = values.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        bad_record(f'"{key}" is no whole number from 0 to {MOST}')
    return value


def flag(values: Mapping[str, object], key: str, default: bool = False) -> bool:
    """true or false."""
    value = values.get(key, default)
    if not isinstance(value, bool):
        bad_record(f'"{key}" is neither true nor false')
    return value


def wind(values: Mapping[str, object], key: str) -> Wind:
    """One of E S W N."""
    value = text(values, key)
    if len(value) != 1 or value not in WINDS:
        bad_record(f'"{key}" is {quoted(value)}, not one of E S W N')
    return WINDS.index(value)
