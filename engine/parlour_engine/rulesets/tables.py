"""One table of a ruleset's file, read key by key; whatever is wrong is reported with its line and its cure."""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, NoReturn, TypeGuard

from parlour_engine.rulesets.errors import RulesetError
from parlour_engine.rulesets.parts import Part
from parlour_engine.rulesets.ruleset import MOST, Example

LANGUAGES: Final = ("en", "zh-Hant")
"""The languages every name must be given in; others may be added."""
LONGEST_TEXT: Final = 2000
_OF_SEVERAL_LINES: Final = ("rule", "source", "clause")
_GARBLING: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
"""What terminals obey, and what turns the direction of writing."""
_ID: Final = re.compile("[a-z0-9][a-z0-9_-]*")
_BARE: Final = re.compile("[A-Za-z0-9_-]+")
"""A key that TOML takes without quotes."""
_IN_LANGUAGES: Final = '{ en = "...", zh-Hant = "..." }'


class Table:
    """A table being read. Each key is asked for once; `finish` reports the keys that nobody asked for."""

    def __init__(self, part: Part) -> None:
        self._part: Final = part
        self._values: Final = part.values
        self._asked: Final[list[str]] = []

    def title(self) -> str:
        """What the table is called in messages."""
        name = self._part.name
        own = self._part.id()
        if own is not None:
            return f"{name} {_shown(own)}"
        return f"[{name}]" if name else "the file"

    def wrong(self, key: str, problem: str, cure: str) -> NoReturn:
        """Raise RulesetError at the line of `key` (of the table itself where `key` is empty or missing)."""
        raise RulesetError(self._part.origin, self._part.line_of(key), problem, cure)

    def inherited(self) -> bool:
        """True for a table of the base that the house file does not touch."""
        return self._part.inherited

    def gives(self, key: str) -> bool:
        """True if the file that is read gives this key itself, and not its base."""
        return key in self._part.lines

    def has(self, key: str) -> bool:
        """True if the file gives this key."""
        return key in self._values

    def _get(self, key: str, cure: str) -> object:
        self._asked.append(key)
        if key not in self._values:
            self.wrong("", f"{self.title()} has no {key!r}", f"{self._part.hint}add {cure}")
        return self._values[key]

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty."""
        if default is not None and key not in self._values:
            self._asked.append(key)
            return default
        cure = f'{key} = "..."'
        value = self._get(key, cure)
        if not isinstance(value, str) or not value.strip():
            self.wrong(key, f"{key!r} of {self.title()} is not a text with something in it", f"write {cure}")
        if len(value) > LONGEST_TEXT:
            self.wrong(key, f"{key!r} of {self.title()} is longer than {LONGEST_TEXT} characters", "shorten it")
        self.plain(key, value, lines=key in _OF_SEVERAL_LINES)
        return value

    def plain(self, key: str, text: str, *, lines: bool = False) -> None:
        """Raise RulesetError for characters of `text`, which stands at `key`, that would garble a page or a terminal;
        a new line is one of them unless `lines`."""
        found = _GARBLING.search(text.replace("\n", "") if lines else text)
        if found:
            name = "a new line" if found.group() == "\n" else f"the character U+{ord(found.group()):04X}"
            problem = f"{key!r} of {self.title()} has {name} in it"
            self.wrong(key, problem, "write the text without it")

    def ident(self, key: str = "id", most: int = 60) -> str:
        """A name for programs: small letters, digits, `_` and `-`, at most so many of them."""
        value = self.text(key)
        if not _ID.fullmatch(value) or len(value) > most:
            self.wrong(
                key,
                f"{key!r} of {self.title()} is {_shown(value)}, which is no name for a program",
                f"use small letters, digits, _ and - only, at most {most}",
            )
        return value

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number from 0 to MOST."""
        if default is not None and key not in self._values:
            self._asked.append(key)
            return default
        value = self._get(key, f"{key} = 1")
        if not _is_number(value):
            self.wrong(
                key,
                f"{key!r} of {self.title()} is {_shown(value)}, not a whole number from 0 to {MOST}",
                f"write {key} = and a whole number from 0 to {MOST}",
            )
        return value

    def numbers(self, key: str) -> tuple[int, ...]:
        """A list of one or more whole numbers from 0 to MOST."""
        cure = f"{key} = [1, 2]"
        value = self._get(key, cure)
        if not isinstance(value, list) or not value or not all(_is_number(item) for item in value):
            self.wrong(
                key, f"{key!r} of {self.title()} is not a list of whole numbers from 0 to {MOST}", f"write {cure}"
            )
        return tuple(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        self._asked.append(key)
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            self.wrong(
                key, f"{key!r} of {self.title()} is {_shown(value)}, not true or false", f"write {key} = true or false"
            )
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, none twice; empty where the key is missing."""
        self._asked.append(key)
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.wrong(key, f"{key!r} of {self.title()} is not a list of texts", f'write {key} = ["...", "..."]')
        if len(set(value)) < len(value):
            self.wrong(key, f"{key!r} of {self.title()} names something twice", "name each one once")
        return tuple(value)

    def one_of(self, key: str, choices: Iterable[str], default: str | None = None) -> str:
        """A text that is one of `choices`."""
        value = self.text(key, default)
        self.known(key, value, choices)
        return value

    def known(self, key: str, value: str, choices: Iterable[str]) -> None:
        """Raise RulesetError unless `value`, which stands at `key`, is one of `choices`."""
        names = sorted(choices)
        if value not in names:
            near = get_close_matches(value, names, 1)
            cure = f"did you mean {near[0]!r}?" if near else f"write one of {', '.join(names)}"
            self.wrong(key, f"{key!r} of {self.title()} names {value[:60]!r}, which does not exist", cure)

    def names(self) -> Mapping[str, str]:
        """`names`: a text in each of LANGUAGES."""
        return self.in_languages("names", "name")

    def rules(self) -> Mapping[str, str]:
        """`rule`: a text in each of LANGUAGES."""
        return self.in_languages("rule", "rule")

    def in_languages(self, key: str, word: str, longest: int = LONGEST_TEXT) -> Mapping[str, str]:
        """A text in each of LANGUAGES, which messages call a `word`."""
        cure = f"{key} = {_IN_LANGUAGES}"
        return self._said(key, self._get(key, cure), word, longest, (repr(key), ""), f"write {cure}")

    def names_of(self, key: str, listed: str, values: Iterable[str], longest: int) -> Mapping[str, Mapping[str, str]]:
        """A name in each of LANGUAGES for every one of `values`, which stand at `listed`, and for nothing else."""
        given = self.raw(key)
        names = {} if given is None else given
        if not isinstance(names, dict):
            cure = f"write {key} = {{ value = {_IN_LANGUAGES} }}"
            self.wrong(key, f"{key!r} of {self.title()} does not give values their names", cure)
        found: dict[str, Mapping[str, str]] = {}
        for value in values:
            entry = f"{value if _BARE.fullmatch(value) else json.dumps(value, ensure_ascii=False)} = {_IN_LANGUAGES}"
            if value not in names:
                cure = f"add {entry} to {key}" if key in self._values else f"add {key} = {{ {entry} }}"
                problem = f"the value {_shown(value)} of {self.title()} has no name"
                self.wrong(key if self.gives(key) else listed, problem, cure)
            what = f"the name of value {_shown(value)}"
            found[value] = self._said(
                key, names[value], "name", longest, (what, f" for {_shown(value)}"), f"write {entry}"
            )
        for value in names:
            self.known(key, value, found)
        return MappingProxyType(found)

    def _said(
        self, key: str, value: object, word: str, longest: int, what: tuple[str, str], cure: str
    ) -> Mapping[str, str]:
        """`value`, which stands at `key`, as a text in each of LANGUAGES; `what` is how messages name it."""
        if not isinstance(value, dict) or not all(isinstance(text, str) and text.strip() for text in value.values()):
            self.wrong(key, f"{what[0]} of {self.title()} is not a {word} for each language", cure)
        for language in LANGUAGES:
            if language not in value:
                self.wrong(key, f"{self.title()} has no {word} in {language}{what[1]}", cure)
        if any(len(text) > longest for text in value.values()):
            self.wrong(key, f"{what[0]} of {self.title()} is longer than {longest} characters", "shorten it")
        for text in value.values():
            self.plain(key, text, lines=key in _OF_SEVERAL_LINES)
        return MappingProxyType(dict(value))

    def example(self, key: str) -> Example | None:
        """A scoring record without `id` and `ruleset`, with the keys filled in that it may leave out."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.wrong(
                key, f"{key!r} of {self.title()} is not a hand", f'write {key} = {{ hand = "...", win = {{...}} }}'
            )
        for given in ("id", "ruleset"):
            if given in value:
                self.wrong(key, f"{key!r} of {self.title()} gives {given!r} itself", "remove that")
        record = {"melds": [], "flowers": "", "seat": "S", "round": "E", "win": None, **value}
        return Example(MappingProxyType(record), self._part.origin, self._part.line_of(key))

    def raw(self, key: str) -> object:
        """Whatever stands at `key`, None where nothing does; the caller checks it."""
        self._asked.append(key)
        return self._values.get(key)

    def tables(self, key: str, least: int = 0) -> "list[Table]":
        """The tables `[[key]]` below this one, in order; at least `least` of them."""
        self._asked.append(key)
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.wrong(key, f"{key!r} is not a list of tables", f"begin each with the line [[{key}]]")
        if len(value) < least:
            self.wrong(key, f"there is no [[{key}]]", f"add at least one [[{key}]]")
        return [Table(part) for part in self._part.inner.get(key, [])]

    def table(self, key: str) -> "Table":
        """The table `[key]` below this one."""
        value = self._get(key, f"a table [{key}]")
        if not isinstance(value, dict):
            self.wrong(key, f"{key!r} is not a table", f"write a line [{key}] and its keys below")
        return Table(self._part.inner[key][0])

    def finish(self) -> None:
        """Raise RulesetError for a key that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                near = get_close_matches(key, self._asked, 1)
                known = ", ".join(dict.fromkeys(self._asked))
                cure = f"did you mean {near[0]!r}?" if near else f"remove it, or use one of {known}"
                self.wrong(key, f"{self.title()} has an unknown key {key[:60]!r}", cure)


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MOST


def _shown(value: object) -> str:
    """A value as a message can show it: short, whatever it is."""
    if isinstance(value, int) and abs(value) > 10**30:
        return "a number of many digits"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, int | float | str):
        return "a date or a time"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
