"""Reads the settings: the defaults, then a TOML file, then PARLOUR_* variables, then what the command line says.

Everything wrong is said once, as a SettingsError that names the file and line (or the variable) and the cure.
"""

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import attrs
from attrs import Attribute
from cattrs import Converter

from parlour_engine.rulesets.lines import written_twice
from parlour_server.settings import Bots, Settings, SettingsError, is_secret

_SECTIONS: Final[dict[str, type]] = get_type_hints(Settings)
_PREFIX: Final = "PARLOUR_"
Found = dict[tuple[str, str], tuple[Any, str]]
"""Section and key -> the value and the place where it stands."""
CONFIG_VARIABLE: Final = "PARLOUR_CONFIG"
"""Names the file where the command line does not."""


_LONGEST: Final = 60
"""Characters of a wrong value that are repeated."""


def _shown(value: Any) -> str:
    """A wrong value on one line, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than some thousand digits
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _named(name: str) -> str:
    """A name out of a file or the environment, which may be anything."""
    return name if name.isprintable() and len(name) <= _LONGEST else _shown(name)


def _exactly(kind: type, noun: str) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(noun)
        return value

    return structure


def _whole(value: Any, _: Any) -> Any:
    # No setting comes near; Python cannot even write a number of thousands of digits into a message.
    if type(value) is not int or value.bit_length() > 64:
        raise ValueError("a whole number")
    return value


def _make_converter() -> Converter:
    converter = Converter(detailed_validation=False)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(bool, _exactly(bool, "true or false"))
    converter.register_structure_hook(str, _exactly(str, 'a text in quotes, "like this"'))

    def origins(value: Any, _: Any) -> list[str]:
        if type(value) is not list or not all(type(item) is str for item in value):
            raise ValueError('a list of texts, ["like this"]')
        return list(value)

    converter.register_structure_hook_func(lambda hint: hint == list[str], origins)
    return converter


_CONVERTER: Final = _make_converter()


def _starts(line: str, key: str) -> bool:
    return re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line) is not None


def _line(text: str, section: str, key: str | None) -> int:
    """The line of `[section]`, or of `key` in it; 1 where an unusual spelling hides it."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        if header:
            current = header[1].strip("\"'")
        if header and key is None and current == section:
            return number
        if key is not None and current == section and _starts(line, key):
            return number
        if not current and _starts(line, section):
            return number
    return 1


def _value(section: str, key: str, value: Any, where: str) -> Any:
    """The value in its type and range, or SettingsError."""
    cls = _SECTIONS[section]
    hint = get_type_hints(cls)[key]
    name = f"{section}.{key}"
    attribute: Attribute[Any] = getattr(attrs.fields(cls), key)
    shown = "what stands there" if is_secret(attribute) else _shown(value)
    try:
        typed = _CONVERTER.structure(value, hint)
    except Exception as error:  # noqa: BLE001 # cattrs wraps what the hooks raise in types of its own
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        wanted = "one of " + ", ".join(choices) if choices else str(error)
        raise SettingsError(f"{where}: {name} must be {wanted}, not {shown}") from None
    if attribute.validator is not None:
        try:
            attribute.validator(None, attribute, typed)
        except ValueError as error:
            wanted = str(error)
            bound = re.match(r"'\w+' must be ([<>]= -?\d+)", wanted)
            wanted = bound[1] if bound else wanted
            raise SettingsError(f"{where}: {name} must be {wanted}, not {shown}") from None
    return typed


def _known(section: str, key: str | None, where: str) -> None:
    if section not in _SECTIONS:
        raise SettingsError(f"{where}: unknown section {_named(section)}; there are {', '.join(_SECTIONS)}")
    keys = [attribute.name for attribute in attrs.fields(_SECTIONS[section])]
    if key is not None and key not in keys:
        raise SettingsError(f"{where}: unknown key {section}.{_named(key)}; {section} has {', '.join(keys)}")


def _toml(text: str, origin: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        twice = written_twice(text, str(error))
        if twice is not None:
            raise SettingsError(f"{origin}, line {twice[0]}: {twice[1]}; keep one of them") from None
        place = re.search(r"\(at line (\d+), ", str(error))
        where = f"{origin}, line {place[1] if place else max(1, len(text.splitlines()))}"
        problem = re.sub(r"\s*\(at .*\)$", "", str(error))
        cure = "below a [section], a line is: key = value"
        raise SettingsError(f"{where}: this is not TOML: {problem}; {cure}") from None
    except (RecursionError, ValueError):
        raise SettingsError(f"{origin}: this is not TOML: a value is far too large; write plain values") from None


def _from_file(text: str, origin: str) -> Found:
    document = _toml(text, origin)
    found: Found = {}
    for section, body in document.items():
        where = f"{origin}, line {_line(text, section, None)}"
        _known(section, None, where)
        if not isinstance(body, dict):
            raise SettingsError(f"{where}: {section} is a section; write [{section}] and its keys below it")
        for key, value in body.items():
            where = f"{origin}, line {_line(text, section, key)}"
            _known(section, key, where)
            found[section, key] = _value(section, key, value, where), where
    return found


def _from_environment(environment: Mapping[str, str]) -> Found:
    found: Found = {}
    for variable in sorted(environment):
        if not variable.startswith(_PREFIX) or variable == CONFIG_VARIABLE:
            continue
        section, _, key = variable[len(_PREFIX) :].lower().partition("_")
        where = f"environment variable {_named(variable)}"
        _known(section, key, where)
        raw = environment[variable]
        hint = get_type_hints(_SECTIONS[section])[key]
        value: Any = raw
        if hint is int and re.fullmatch(r"-?[0-9]{1,15}", raw):
            value = int(raw)
        elif hint is bool:
            value = {"true": True, "false": False}.get(raw.lower(), raw)
        elif hint == list[str]:
            value = [part.strip() for part in raw.split(",") if part.strip()]
        found[section, key] = _value(section, key, value, where), where
    return found


def _check_delays(bots: Bots, found: Found) -> None:
    if bots.least_delay_ms > bots.most_delay_ms:
        places = [found[name][1] for name in (("bots", "least_delay_ms"), ("bots", "most_delay_ms")) if name in found]
        raise SettingsError(
            f"{' and '.join(places)}: bots.least_delay_ms ({bots.least_delay_ms}) is above "
            f"bots.most_delay_ms ({bots.most_delay_ms}); lower the first or raise the second"
        )


def load_settings(
    text: str = "",
    origin: str = "server.toml",
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings of a TOML text, variables and flags (`{"listen.port": 9000}`); raises SettingsError."""
    found = _from_file(text, origin) | _from_environment(environment or {})
    for name, value in (flags or {}).items():
        section, key = name.split(".")
        where = f"command line --{key}"
        found[section, key] = _value(section, key, value, where), where
    values: dict[str, dict[str, Any]] = {}
    for (section, key), (value, _) in found.items():
        values.setdefault(section, {})[key] = value
    settings = Settings(**{section: _SECTIONS[section](**body) for section, body in values.items()})
    _check_delays(settings.bots, found)
    return settings
