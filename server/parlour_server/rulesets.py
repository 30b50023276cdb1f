"""Finding and reading ruleset files: those that travel with the code, by name, and a house's own, by path or folder."""

from collections.abc import Mapping
from functools import lru_cache, partial
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from parlour_engine.rulesets import OptionError, OptionValue, Ruleset, RulesetError, parse
from parlour_server.resources import ResourceMissing, config_root

_SUFFIX: Final = ".toml"


def ruleset_names() -> list[str]:
    """The names of the packaged rulesets, one at least; raises ResourceMissing."""
    folder = config_root() / "rulesets"
    names = _names_in(folder)
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
        file = Path(name_or_path)
        return _ruleset(_text(file, name_or_path), name_or_path, file.parent)
    names = ruleset_names()
    if name_or_path not in names:
        cure = f"there {'are' if len(names) > 1 else 'is'} {', '.join(names)}; a file of your own ends in {_SUFFIX}"
        raise RulesetError(name_or_path[:80] or "''", 0, "no ruleset has this name", cure)
    text, origin = _packaged(name_or_path)
    return _called(name_or_path, _ruleset(text, origin, None), text, origin)


def load_base(name_or_path: str, ruleset: Ruleset) -> Ruleset | None:
    """What a ruleset read from there is based on, None for one that stands alone. Raises RulesetError."""
    if ruleset.based_on is None:
        return None
    folder = Path(name_or_path).parent if name_or_path.endswith(_SUFFIX) else None
    return _ruleset(*_base(ruleset.based_on, folder), folder)


def _names_in(folder: Traversable) -> list[str]:
    files = [entry.name for entry in folder.iterdir()]
    return sorted(file.removesuffix(_SUFFIX) for file in files if file.endswith(_SUFFIX) and not file.startswith("."))


def _packaged(name: str) -> tuple[str, str]:
    """The text and the origin of a packaged ruleset."""
    origin = f"rulesets/{name}{_SUFFIX}"
    return _text(config_root() / "rulesets" / (name + _SUFFIX), origin), origin


def _text(file: Traversable, origin: str) -> str:
    try:
        # Editors on Windows may put a mark in front of UTF-8.
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
        raise RulesetError(origin, 0, problem, "check the path and its permissions") from error
    except UnicodeDecodeError as error:
        raise RulesetError(origin, 1, "is not UTF-8", "save it as UTF-8") from error
    except ValueError as error:
        raise RulesetError(origin[:80], 0, "is no path", "name a file") from error


def _ruleset(text: str, origin: str, folder: Path | None) -> Ruleset:
    return parse(text, origin, partial(_base, folder=folder))


def _base(name: str, folder: Path | None) -> tuple[str, str]:
    """The base of a house file: a packaged ruleset, or another file in the house file's folder, with its suffix or
    without. Raises LookupError where there is neither."""
    names = ruleset_names()
    if name in names:
        return _packaged(name)
    file = name if name.endswith(_SUFFIX) else name + _SUFFIX
    # A plain name only: a house file that was sent around must not open files elsewhere.
    if folder is None or Path(file).name != file or "\0" in file or not (folder / file).is_file():
        raise LookupError(f"write one of {', '.join(names)}, or the name of a file beside this one")
    return _text(folder / file, str(folder / file)), str(folder / file)


def _called(name: str, ruleset: Ruleset, text: str, origin: str) -> Ruleset:
    """The ruleset, if its key is the name by which alone tables can ask for it."""
    if ruleset.key != name:
        line = next((number for number, line in enumerate(text.splitlines(), 1) if line.startswith("key")), 1)
        problem = f"the key {ruleset.key!r} is not the name of the file"
        raise RulesetError(origin, line, problem, f'write key = "{name}", or rename the file')
    return ruleset


class Shelf:
    """The rulesets that tables and scorers may ask for: the packaged ones, those in a house's own folder and those in
    single files, each read once, and their variants under switches that were asked for lately.

    Raises RulesetError for a folder that cannot be read, a file whose name is taken, and any file of the house that is
    wrong; the packaged ones are read when they are asked for.
    """

    def __init__(self, folder: str = "", files: tuple[str, ...] = ()) -> None:
        packaged = ruleset_names()
        self._own: Final[dict[str, Ruleset]] = {}
        for ruleset, origin in [*_house(folder), *((load_ruleset(file), file) for file in files)]:
            if ruleset.key in packaged or ruleset.key in self._own:
                problem = f"there is another ruleset with the key {ruleset.key!r}"
                raise RulesetError(origin, 1, problem, "give this one a key, and a file name, of its own")
            self._own[ruleset.key] = ruleset
        self.names: Final = (*packaged, *self._own)
        """The keys one may ask for, packaged ones first."""
        self._packaged: Final = lru_cache(maxsize=None)(load_ruleset)
        self._variant: Final = lru_cache(maxsize=256)(self._made)

    def choose(self, name: str, options: Mapping[str, object]) -> Ruleset:
        """The ruleset `name` with these switches; raises OptionError for a name, switch or value there is none of."""
        if name not in self.names:
            raise OptionError(f"ruleset {name[:40]!r} is not available; there is {', '.join(self.names)}")
        ruleset = self._read(name)
        if not options:
            return ruleset
        chosen = {key: value for key, value in options.items() if isinstance(value, bool | int | str)}
        if len(chosen) < len(options):
            return ruleset.with_options(options)
        # 1 and true are equal as keys but not as values of a switch.
        return self._variant(name, tuple((key, type(value), value) for key, value in sorted(chosen.items())))

    def _read(self, name: str) -> Ruleset:
        return self._own.get(name) or self._packaged(name)

    def _made(self, name: str, options: tuple[tuple[str, type, OptionValue], ...]) -> Ruleset:
        return self._read(name).with_options({key: value for key, _, value in options})


def _house(folder: str) -> list[tuple[Ruleset, str]]:
    """The rulesets in a house's folder with their origins, none where `folder` is empty."""
    if not folder:
        return []
    try:
        names = _names_in(Path(folder))
    except (OSError, ValueError) as error:  # a path with a null character is no path
        problem = f"the folder of rulesets cannot be read ({getattr(error, 'strerror', None) or error})"
        raise RulesetError(folder, 1, problem, "check the path and its permissions, or leave it empty") from error
    found: list[tuple[Ruleset, str]] = []
    for name in names:
        file = Path(folder) / (name + _SUFFIX)
        text = _text(file, str(file))
        found.append((_called(name, _ruleset(text, str(file), Path(folder)), text, str(file)), str(file)))
    return found
