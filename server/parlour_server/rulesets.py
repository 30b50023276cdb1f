"""Finding and reading ruleset files: those that travel with the code, by name, and a table's own, by path."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from parlour_engine.rulesets import OptionError, OptionValue, Ruleset, RulesetError, parse
from parlour_server.resources import config_root

_SUFFIX: Final = ".toml"


def ruleset_names() -> list[str]:
    """The names of the packaged rulesets."""
    folder = config_root() / "rulesets"
    return sorted(entry.name.removesuffix(_SUFFIX) for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))


def load_ruleset(name_or_path: str) -> Ruleset:
    """The packaged ruleset of a name, or the one in a file where the text ends in `.toml`.

    Raises RulesetError, also where there is no such file.
    """
    if name_or_path.endswith(_SUFFIX):
        path = Path(name_or_path)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
            raise RulesetError(name_or_path, 1, problem, "check the path and its permissions") from error
        except UnicodeDecodeError as error:
            raise RulesetError(name_or_path, 1, "is not UTF-8", "save it as UTF-8") from error
        return parse(text, name_or_path)
    names = ruleset_names()
    if name_or_path not in names:
        cure = f"there {'are' if len(names) > 1 else 'is'} {', '.join(names)}; a file of your own ends in {_SUFFIX}"
        raise RulesetError(name_or_path[:80], 1, "no ruleset has this name", cure)
    entry = config_root() / "rulesets" / (name_or_path + _SUFFIX)
    return parse(entry.read_text(encoding="utf-8"), f"rulesets/{entry.name}")


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
