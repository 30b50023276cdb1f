"""Finding and reading ruleset files: those that travel with the code, by name, and a table's own, by path."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from parlour_engine.rulesets import OptionError, OptionValue, Ruleset, RulesetError, parse
from parlour_server.resources import ResourceMissing, config_root

_SUFFIX: Final = ".toml"


def ruleset_names() -> list[str]:
    """The names of the packaged rulesets, one at least; raises ResourceMissing."""
    folder = config_root() / "rulesets"
    files = [entry.name for entry in folder.iterdir()]
    names = sorted(file.removesuffix(_SUFFIX) for file in files if file.endswith(_SUFFIX) and not file.startswith("."))
    if not names:
        raise ResourceMissing(
            f"{folder} holds no ruleset: reinstall mahjong-parlour, or restore config/ in the checkout"
        )
    return names


def load_ruleset(name_or_path: str) -> Ruleset:
    """The packaged ruleset of a name, or the one in a file where the text ends in `.toml`.

    Raises RulesetError, also where there is no such file.
    """
    if name_or_path.endswith(_SUFFIX):
        return _read(Path(name_or_path), name_or_path)
    names = ruleset_names()
    if name_or_path not in names:
        cure = f"there {'are' if len(names) > 1 else 'is'} {', '.join(names)}; a file of your own ends in {_SUFFIX}"
        raise RulesetError(name_or_path[:80], 1, "no ruleset has this name", cure)
    file = name_or_path + _SUFFIX
    return _read(config_root() / "rulesets" / file, f"rulesets/{file}", key=name_or_path)


def _read(file: Traversable, origin: str, key: str | None = None) -> Ruleset:
    """The ruleset in a file; with `key`, by which alone tables can ask for it, that one."""
    try:
        # Editors on Windows may put a mark in front of UTF-8.
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise RulesetError(origin, 1, problem, "check the path and its permissions") from error
    except UnicodeDecodeError as error:
        raise RulesetError(origin, 1, "is not UTF-8", "save it as UTF-8") from error
    try:
        ruleset = parse(text, origin)
    except RulesetError:
        raise
    except ValueError as error:  # the TOML reader lets Python's own limit of digits through
        raise RulesetError(origin, 1, "a number has thousands of digits", "write a smaller number") from error
    if key is not None and ruleset.key != key:
        line = next((number for number, line in enumerate(text.splitlines(), 1) if line.startswith("key")), 1)
        problem = f"the key {ruleset.key!r} is not the name of the file"
        raise RulesetError(origin, line, problem, f'write key = "{key}", or rename the file')
    return ruleset


class Shelf:
    """The packaged rulesets, each read once, and their variants under switches that were asked for lately."""

    def __init__(self) -> None:
        self._names: Final = tuple(ruleset_names())
        self._read: Final = lru_cache(maxsize=None)(load_ruleset)
        self._variant: Final = lru_cache(maxsize=256)(self._made)

    def choose(self, name: str, options: Mapping[str, object]) -> Ruleset:
        """The ruleset `name` with these switches; raises OptionError for a name, switch or value there is none of."""
        if name not in self._names:
            raise OptionError(f"ruleset {name[:40]!r} is not available; there is {', '.join(self._names)}")
        ruleset = self._read(name)
        if not options:
            return ruleset
        chosen = {key: value for key, value in options.items() if isinstance(value, bool | int | str)}
        if len(chosen) < len(options):
            return ruleset.with_options(options)
        # 1 and true are equal as keys but not as values of a switch.
        return self._variant(name, tuple((key, type(value), value) for key, value in sorted(chosen.items())))

    def _made(self, name: str, options: tuple[tuple[str, type, OptionValue], ...]) -> Ruleset:
        return self._read(name).with_options({key: value for key, _, value in options})
