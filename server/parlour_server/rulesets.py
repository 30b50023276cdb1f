"""Finding and reading ruleset files: those that travel with the code, by name, and a house's own, by path or folder."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache, partial
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from parlour_engine.rulesets import OptionError, OptionValue, Ruleset, RulesetError, parse
from parlour_server.resources import ResourceMissing, config_root

_SUFFIX: Final = ".toml"
_OPTION: Final = "give a file of your own with --ruleset FILE.toml"


def ruleset_names() -> list[str]:
    """The names of the packaged rulesets, one at least; raises ResourceMissing."""
    folder = config_root() / "rulesets"
    names = _names_in(folder)
    if not names:
        raise ResourceMissing(
            f"{folder} holds no ruleset: reinstall mahjong-parlour, or restore config/ in the checkout"
        )
    return names


def load_ruleset(name_or_path: str, *, any_key: bool = False) -> Ruleset:
    """The packaged ruleset of a name, or the one in a file where the text ends in `.toml`.

    Raises RulesetError, also where there is no such file, and for a file that takes the key of a packaged ruleset
    unless `any_key`: a record may have been made under an older text of one.
    """
    if name_or_path.endswith(_SUFFIX):
        ruleset, text = _from_file(name_or_path)
        if not any_key and not _is_packaged(Path(name_or_path), ruleset.key):
            _check_free(ruleset, ruleset_names(), text, name_or_path)
        return ruleset
    names = ruleset_names()
    if name_or_path not in names:
        cure = f"there {'are' if len(names) > 1 else 'is'} {', '.join(names)}; a file of your own ends in {_SUFFIX}"
        raise RulesetError(name_or_path[:80] or "''", 0, "no ruleset has this name", cure)
    text, origin = _packaged(name_or_path)
    return _called(name_or_path, _ruleset(text, origin, None), text, origin)


def from_sources(text: str, bases: Mapping[str, str]) -> Ruleset:
    """The ruleset of `Shelf.sources`, whatever the files say by now; raises RulesetError."""

    def base(wanted: str) -> tuple[str, str]:
        if wanted not in bases:
            raise LookupError("the base was not kept")
        return bases[wanted], f"the kept {wanted[:40]}"

    return parse(text, "a kept ruleset", base)


def misnamed(path: str, ruleset: Ruleset) -> str | None:
    """What a server has against the name of a file that `ruleset` was read from, None where it has nothing."""
    name = Path(path).name.removesuffix(_SUFFIX)
    if not path.endswith(_SUFFIX) or name == ruleset.key:
        return None
    return f"A server takes a file only by its key: call it {ruleset.key}{_SUFFIX}, or change the key."


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
        line = error.object.count(b"\n", 0, error.start) + 1
        raise RulesetError(origin, line, "is not UTF-8", "save it as UTF-8") from error
    except ValueError as error:
        raise RulesetError(origin[:80], 0, "is no path", "name a file") from error


def _from_file(path: str) -> tuple[Ruleset, str]:
    """The ruleset of one file of the house, with its text."""
    file = Path(path)
    text = _text(file, path)
    return _ruleset(text, path, file.parent), text


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
        problem = f"the key {ruleset.key!r} is not the name of the file"
        cure = f'write key = "{name}", or rename the file'
        raise RulesetError(origin, _line_of_key(text), problem, cure)
    return ruleset


def _check_free(ruleset: Ruleset, taken: Collection[str], text: str, origin: str) -> None:
    """Raise RulesetError where another ruleset has the key."""
    if ruleset.key in taken:
        problem = f"there is another ruleset with the key {ruleset.key!r}"
        raise RulesetError(origin, _line_of_key(text), problem, "give this one a key, and a file name, of its own")


def _line_of_key(text: str) -> int:
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if re.match(r"""\s*["']?key["']?\s*=""", line)), 1)


def _is_packaged(file: Path, key: str) -> bool:
    """Whether this is the very file of a packaged ruleset."""
    with as_file(config_root() / "rulesets" / (key + _SUFFIX)) as packaged:
        return packaged.exists() and packaged.samefile(file)


class Shelf:
    """The rulesets that tables and scorers may ask for: the packaged ones, those in a house's own folder and those in
    single files, each read once, and their variants under switches that were asked for lately.

    `files` are those that the option `--ruleset` of a command names; None where there is no such option.

    Raises RulesetError for a folder that cannot be read, a file whose name is taken, and any file of the house that is
    wrong; the packaged ones are read when they are asked for.
    """

    def __init__(self, folder: str = "", files: tuple[str, ...] | None = None) -> None:
        packaged = ruleset_names()
        self._own: Final[dict[str, Ruleset]] = {}
        self._texts: Final[dict[str, tuple[str, str]]] = {}
        self._cure: Final = "" if files is None else f"; {_OPTION}"
        for ruleset, text, origin in [*_house(folder), *map(_single, files or ())]:
            _check_free(ruleset, [*packaged, *self._own], text, origin)
            self._own[ruleset.key] = ruleset
            self._texts[ruleset.key] = text, origin
        self.names: Final = (*packaged, *self._own)
        """The keys one may ask for, packaged ones first."""
        self._packaged: Final = lru_cache(maxsize=None)(load_ruleset)
        self._variant: Final = lru_cache(maxsize=256)(self._made)

    def choose(self, name: str, options: Mapping[str, object]) -> Ruleset:
        """The ruleset `name` with these switches; raises OptionError for a name, switch or value there is none of."""
        if name not in self.names:
            raise OptionError(f"ruleset {name[:40]!r} is not available; there is {', '.join(self.names)}{self._cure}")
        ruleset = self._read(name)
        if not options:
            return ruleset
        chosen = {key: value for key, value in options.items() if isinstance(value, bool | int | str)}
        if len(chosen) < len(options):
            return ruleset.with_options(options)
        # 1 and true are equal as keys but not as values of a switch.
        return self._variant(name, tuple((key, type(value), value) for key, value in sorted(chosen.items())))

    def sources(self, name: str) -> tuple[str, dict[str, str]]:
        """The text that the ruleset `name` was read from, and those of its bases by the names in the files."""
        text, origin = self._texts[name] if name in self._texts else _packaged(name)
        folder = Path(origin).parent if name in self._texts else None
        bases: dict[str, str] = {}

        def base(wanted: str) -> tuple[str, str]:
            lower, where = _base(wanted, folder)
            bases[wanted] = lower
            return lower, where

        parse(text, origin, base)
        return text, bases

    def _read(self, name: str) -> Ruleset:
        return self._own.get(name) or self._packaged(name)

    def _made(self, name: str, options: tuple[tuple[str, type, OptionValue], ...]) -> Ruleset:
        return self._read(name).with_options({key: value for key, _, value in options})


def _single(file: str) -> tuple[Ruleset, str, str]:
    """The ruleset of a file that the command line names, with its text and origin."""
    if not file.endswith(_SUFFIX):
        cure = "leave the option out for a packaged ruleset, whose key is all that a record has to say"
        raise RulesetError(f"--ruleset {file[:80]}", 0, f"is no file that ends in {_SUFFIX}", cure)
    return *_from_file(file), file


def _house(folder: str) -> list[tuple[Ruleset, str, str]]:
    """The rulesets in a house's folder with their texts and origins, none where `folder` is empty."""
    if not folder:
        return []
    try:
        names = _names_in(Path(folder))
    except (OSError, ValueError) as error:  # a path with a null character is no path
        problem = f"the folder of rulesets cannot be read ({getattr(error, 'strerror', None) or error})"
        cure = "check the path that the settings give under [rulesets], and its permissions, or leave it empty"
        raise RulesetError(folder, 0, problem, cure) from error
    found: list[tuple[Ruleset, str, str]] = []
    for name in names:
        origin = str(Path(folder) / (name + _SUFFIX))
        ruleset, text = _from_file(origin)
        found.append((_called(name, ruleset, text, origin), text, origin))
    return found
