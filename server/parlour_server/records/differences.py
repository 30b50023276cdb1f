"""Where a record and the engine part, and what each of them says there."""

from typing import Final

from parlour_server.record_text import json_text, shown

_MISSING: Final = object()
_LONGEST: Final = 160
"""Columns that each side of a difference may take."""


class Difference(Exception):
    """The record and the engine part here: `line`, what it is about, what each says.

    Where the record contradicts itself, `other` is what the record says against it, instead of the engine.
    """

    def __init__(self, line: int, about: str, record: object, against: object, other: str = "the engine") -> None:
        text = f"{shown(about, _LONGEST)}: the record says {_said(record)}, {other} says {_said(against)}"
        super().__init__(text)
        self.line = line


class Contradiction(Difference):
    """The record contradicts itself here, in a way that the text says: its shuffle, or its seal."""

    def __init__(self, line: int, problem: str) -> None:
        Exception.__init__(self, shown(problem, 3 * _LONGEST))
        self.line = line


def _said(value: object) -> str:
    if value is _MISSING:
        return "nothing"
    return shown(value if isinstance(value, Words) else json_text(value), _LONGEST)


class Words(str):
    """Words that are told as they are, and no value of a record."""

    __slots__ = ()


def first_difference(record: object, engine: object, about: str) -> tuple[str, object, object] | None:
    """Where two plain values differ first, and what each has there; None where they are equal."""
    if isinstance(record, dict) and isinstance(engine, dict):
        for key in [*engine, *(key for key in record if key not in engine)]:
            found = first_difference(record.get(key, _MISSING), engine.get(key, _MISSING), f"{about}.{key}")
            if found is not None:
                return found
        return None
    if isinstance(record, list) and isinstance(engine, list) and len(record) == len(engine):
        for at, (one, other) in enumerate(zip(record, engine, strict=True)):
            found = first_difference(one, other, f"{about}[{at}]")
            if found is not None:
                return found
        return None
    # 1 and true are equal in Python, and different in a record.
    same = type(record) is type(engine) and record == engine
    return None if same else (about, record, engine)


def same(line: int, about: str, record: object, engine: object) -> None:
    """Raise Difference where two plain values differ."""
    found = first_difference(record, engine, about)
    if found is not None:
        raise Difference(line, *found)
