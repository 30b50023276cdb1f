"""A ruleset's text as parts, each key with the line it stands on, and a house file's parts laid over its base's."""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from parlour_engine.rulesets.errors import RulesetError
from parlour_engine.rulesets.lines import Lines, written_twice

LONGEST: Final = 1_000_000
"""Characters of a ruleset's text; the shipped ones have under 70,000."""
MOST_TABLES: Final = 1000
"""Of one name; a ruleset has under a hundred rows."""
OWN_KEYS: Final = ("key", "version", "names")
"""What a house file says for itself."""
BASED_ON: Final = "based_on"
REMOVED: Final = "removed"
_VALUE_NAMES: Final = "value_names"
_STANDS_FOR: Final[Mapping[str, set[str]]] = {"points": {"points_from"}, "points_from": {"points"}}
"""Keys of a base that fall away where the house gives another one, since a table may have only one of them."""


class Part:
    """One table of a text: its values, where it stands, and the tables below it."""

    __slots__ = ("hint", "inherited", "inner", "line", "lines", "name", "origin", "values")

    def __init__(
        self,
        name: str,
        values: dict[str, object],
        origin: str,
        line: int,
        lines: Mapping[str, int],
        *,
        inner: "Mapping[str, list[Part]]" = MappingProxyType({}),
        inherited: bool = False,
        hint: str = "",
    ) -> None:
        self.name: Final[str] = name
        self.values: Final[dict[str, object]] = values
        self.origin: Final[str] = origin
        self.line: Final[int] = line
        self.lines: Final[Mapping[str, int]] = lines
        """The line of each key that the text itself gives."""
        self.inner: Final[Mapping[str, list[Part]]] = inner
        self.inherited: Final[bool] = inherited
        """True for a part of the base that the house file does not touch."""
        self.hint: Final[str] = hint
        """What to say first where a key is missing."""

    def line_of(self, key: str) -> int:
        """The line of a key, of the table itself where the text does not give the key."""
        return self.lines.get(key, self.line)

    def id(self) -> str | None:
        """What the table calls itself, if that is a text."""
        own = self.values.get("id")
        return own if isinstance(own, str) else None


def part_of(text: str, origin: str) -> Part:
    """The whole text as one part; raises RulesetError where it is not TOML."""
    if len(text) > LONGEST:
        raise RulesetError(origin, 1, f"longer than {LONGEST} characters", "keep to what docs/rulesets.md lists")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        twice = written_twice(text, str(error))
        if twice is not None:
            raise RulesetError(origin, *twice, "keep one of them") from error
        found = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = int(found.group(1)) if found else max(1, text.count("\n"))
        problem = re.sub(r"\s*\(at .*\)", "", str(error))
        raise RulesetError(origin, line, f"not TOML: {problem}", "mend this line, or the one before it") from error
    except RecursionError as error:
        raise RulesetError(origin, 1, "not TOML: nested too deeply", "use plain tables and lists") from error
    except ValueError as error:  # Python's own limit of digits, and dates that no calendar has
        problem = "a number of too many digits" if "digits" in str(error) else str(error)
        raise RulesetError(
            origin, _line_of_digits(text), f"not TOML: {problem}", "write a smaller number, and no date"
        ) from error
    lines = Lines(text)
    top = {key: lines.header(key) for key in values if lines.header(key)} | lines.of("")
    inner: dict[str, list[Part]] = {}
    for key, value in values.items():
        tables = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
        if len(tables) > MOST_TABLES:
            problem = f"there are more than {MOST_TABLES} tables {key[:60]!r}"
            raise RulesetError(origin, top.get(key, 1), problem, "keep to what docs/rulesets.md lists")
        if tables and all(isinstance(table, dict) for table in tables):
            inner[key] = [
                Part(key, table, origin, lines.header(key, index) or top.get(key, 1), lines.of(key, index))
                for index, table in enumerate(tables)
            ]
    return Part("", values, origin, 1, top, inner=inner)


def _line_of_digits(text: str) -> int:
    """The line of the first number that is too long for Python, 1 where there is none."""
    found = re.search("[0-9_]{4301}", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def laid_over(base: Part, house: Part, base_name: str, removed: Collection[str]) -> Part:
    """The base with what the house file says instead, and with rows taken away; nothing in it is checked.

    The base is right by itself, so where something is wrong in the whole, a line of the house file has brought it
    about: parts that it does not touch stand on its line `removed`, or on `based_on`.
    """
    line = house.line_of(REMOVED if removed else BASED_ON)
    values = {key: value for key, value in base.values.items() if key not in (*OWN_KEYS, BASED_ON, REMOVED)}
    values |= {key: value for key, value in house.values.items() if key not in (BASED_ON, REMOVED)}
    inner: dict[str, list[Part]] = {}
    for key in values:
        theirs, ours = base.inner.get(key, []), house.inner.get(key, [])
        moved = [
            Part(part.name, part.values, house.origin, line, {}, inherited=True)
            for part in theirs
            if key != "row" or part.id() not in removed
        ]
        if key not in house.values:
            inner[key] = moved
        elif isinstance(house.values[key], dict) and moved:
            inner[key] = [_over(moved[0], ours[0])]
        elif ours:
            inner[key] = _merged(moved, ours, base_name, house.values.get("key"))
    return Part("", values, house.origin, 1, house.lines, inner=inner)


def _over(base: Part, house: Part) -> Part:
    given = set(house.values)
    values = {key: value for key, value in base.values.items() if not given & _STANDS_FOR.get(key, set())}
    values |= house.values
    kept, said = base.values.get(_VALUE_NAMES), house.values.get(_VALUE_NAMES, {})
    if isinstance(kept, dict) and isinstance(said, dict):
        listed = values.get("values")
        # A house names only what is new, or goes by another name; what it no longer lists needs no name.
        names = {value: name for value, name in kept.items() if isinstance(listed, list) and value in listed} | said
        values[_VALUE_NAMES] = names
        if not names:
            del values[_VALUE_NAMES]
    return Part(house.name, values, house.origin, house.line, house.lines)


_WORDING: Final[Mapping[str, frozenset[str]]] = {
    "row": frozenset(("id", "section", "names", "rule", "example", "near_miss")),
    "instant": frozenset(("id", "names", "rule")),
    "procedure": frozenset(("id", "names")),
}
"""What a house may say of a part in other words without another rule."""


def _cited(base: Part, changed: Part, house_key: object) -> Part:
    """A part that pays or plays otherwise than its clause says, and names no other, is cited as the house's own."""
    wording = _WORDING.get(base.name)
    if wording is None or changed.values.keys() <= wording or "clause" in changed.values:
        return changed
    clause = f"{house_key} (changes {base.values['clause']})"
    return Part(changed.name, changed.values | {"clause": clause}, changed.origin, changed.line, changed.lines)


def _merged(base: list[Part], house: list[Part], base_name: str, house_key: object) -> list[Part]:
    """The base's tables in their order, each with what the house says of it; new ones at the end of their heading."""
    places = {own: place for place, part in enumerate(base) if (own := part.id()) is not None}
    merged = list(base)
    seen: set[str] = set()
    for part in house:
        own = part.id()
        if own is not None and own in places and own in seen:
            problem = f"{part.name} {own[:60]!r} is there twice"
            raise RulesetError(part.origin, part.line_of("id"), problem, "write all that changes in one of them")
        if own is not None and own in places:
            place = places[own]
            merged[merged.index(base[place])] = _over(base[place], _cited(base[place], part, house_key))
        else:
            section = part.values.get("section")
            same = [place for place, other in enumerate(merged) if section and other.values.get("section") == section]
            merged.insert(same[-1] + 1 if same else len(merged), _new(part, places, base_name))
        seen.add(own or "")
    return merged


def _new(part: Part, known: Iterable[str], base_name: str) -> Part:
    """A part that the base does not have, with a hint for whoever misspelt one that it has."""
    near = get_close_matches(part.id() or "", known, 1)
    asked = f"did you mean {near[0]!r}? " if near else ""
    hint = f"{asked}{base_name!r} has no such {part.name}, and a new one has to be whole: "
    return Part(part.name, part.values, part.origin, part.line, part.lines, hint=hint)
