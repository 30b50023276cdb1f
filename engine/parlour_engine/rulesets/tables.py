"""One table of a ruleset's file, read key by key; whatever is wrong is reported with its line and its cure."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, NoReturn

from parlour_engine.rulesets.errors import RulesetError
from parlour_engine.rulesets.lines import Lines
from parlour_engine.rulesets.ruleset import Example

LANGUAGES: Final = ("en", "zh-Hant")
"""The languages every name must be given in; others may be added."""


class Table:
    """A table being read. Each key is asked for once; `finish` reports the keys that nobody asked for."""

    def __init__(self, values: Mapping[str, object], lines: Lines, origin: str, name: str = "", index: int = 0) -> None:
        self._values: Final = dict(values)
        self._lines: Final = lines
        self._origin: Final = origin
        self._name: Final = name
        self._index: Final = index
        self._asked: Final[list[str]] = []

    def title(self) -> str:
        """What the table is called in messages."""
        own = self._values.get("id")
        if isinstance(own, str):
            return f"{self._name} {own!r}"
        return f"[{self._name}]" if self._name else "the file"

    def wrong(self, key: str, problem: str, cure: str) -> NoReturn:
        """Raise RulesetError at the line of `key` (of the table itself where `key` is empty or missing)."""
        raise RulesetError(self._origin, self._lines.line(self._name, self._index, key), problem, cure)

    def has(self, key: str) -> bool:
        """True if the file gives this key."""
        return key in self._values

    def _get(self, key: str, cure: str) -> object:
        self._asked.append(key)
        if key not in self._values:
            self.wrong("", f"{self.title()} has no {key!r}", f"add {cure}")
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
        return value

    def number(self, key: str, default: int | None = None) -> int:
        """A whole number from 0."""
        if default is not None and key not in self._values:
            self._asked.append(key)
            return default
        value = self._get(key, f"{key} = 1")
        if type(value) is not int or value < 0:
            self.wrong(
                key,
                f"{key!r} of {self.title()} is {_shown(value)}, not a whole number from 0",
                f"write {key} = and a whole number from 0",
            )
        return value

    def numbers(self, key: str) -> tuple[int, ...]:
        """A list of one or more whole numbers from 0."""
        cure = f"{key} = [1, 2]"
        value = self._get(key, cure)
        if not isinstance(value, list) or not value or not all(type(item) is int and item >= 0 for item in value):
            self.wrong(key, f"{key!r} of {self.title()} is not a list of whole numbers from 0", f"write {cure}")
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
        cure = 'names = { en = "...", zh-Hant = "..." }'
        value = self._get("names", cure)
        if not isinstance(value, dict) or not all(isinstance(name, str) and name for name in value.values()):
            self.wrong("names", f"'names' of {self.title()} is not a name for each language", f"write {cure}")
        for language in LANGUAGES:
            if language not in value:
                self.wrong("names", f"{self.title()} has no name in {language}", f"write {cure}")
        return MappingProxyType(dict(value))

    def rules(self) -> Mapping[str, str]:
        """`rule`: a text in each of LANGUAGES."""
        cure = 'rule = { en = "...", zh-Hant = "..." }'
        value = self._get("rule", cure)
        if not isinstance(value, dict) or not all(isinstance(text, str) and text.strip() for text in value.values()):
            self.wrong("rule", f"'rule' of {self.title()} is not a text for each language", f"write {cure}")
        for language in LANGUAGES:
            if language not in value:
                self.wrong("rule", f"the rule of {self.title()} is not given in {language}", f"write {cure}")
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
        return Example(MappingProxyType(record), self._origin, self._lines.line(self._name, self._index, key))

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
        return [Table(item, self._lines, self._origin, key, index) for index, item in enumerate(value)]

    def table(self, key: str) -> "Table":
        """The table `[key]` below this one."""
        value = self._get(key, f"a table [{key}]")
        if not isinstance(value, dict):
            self.wrong(key, f"{key!r} is not a table", f"write a line [{key}] and its keys below")
        return Table(value, self._lines, self._origin, key)

    def finish(self) -> None:
        """Raise RulesetError for a key that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                near = get_close_matches(key, self._asked, 1)
                cure = f"did you mean {near[0]!r}?" if near else f"remove it, or use one of {', '.join(self._asked)}"
                self.wrong(key, f"{self.title()} has an unknown key {key[:60]!r}", cure)


def _shown(value: object) -> str:
    """A value as a message can show it: short, whatever it is."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
