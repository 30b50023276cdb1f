"""How the server runs: defaults here, then a TOML file, then PARLOUR_* variables, then what the command line says.

Everything wrong is said once, as a SettingsError that names the file and line (or the variable) and the cure.
"""

import re
import tomllib
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final, Literal, get_args, get_type_hints

import attrs
from attrs import Attribute, Factory, field, frozen
from attrs.validators import ge, le
from cattrs import Converter

from parlour_engine.rulesets.lines import written_twice

Level = Literal["debug", "info", "warning", "error"]


class SettingsError(ValueError):
    """A setting that cannot be used; the text names where it stands and what to write instead."""


def _number(default: int, least: int, most: int) -> int:
    return field(default=default, validator=[ge(least), le(most)])


def _host(_: object, __: "Attribute[str]", value: str) -> None:
    if value == "localhost":
        return
    try:
        address = ip_address(value)
    except ValueError:
        address = None
    if address is None or address.is_multicast or value == "255.255.255.255":
        raise ValueError("an address of this machine such as 127.0.0.1 or 0.0.0.0, or localhost")


def _origins(_: object, __: "Attribute[list[str]]", value: list[str]) -> None:
    for origin in value:
        found = re.fullmatch(r"https?://(?:[a-z0-9.\-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?", origin)
        if found is None or int(found[1] or 1) > 65535:
            raise ValueError('origins in lower case without a path, such as "https://mahjong.example.org"')


@frozen
class Listen:
    """Where the server listens and which pages may talk to it."""

    host: str = field(default="127.0.0.1", validator=_host)
    port: int = _number(8000, 0, 65535)
    public_origins: list[str] = field(factory=list, validator=_origins)


@frozen
class Limits:
    """What one socket, one address, one guest and all together may use."""

    messages_per_second: int = _number(20, 1, 100_000)
    messages_burst: int = _number(40, 1, 100_000)
    hello_seconds: int = _number(5, 1, 600)
    outbox_messages: int = _number(256, 16, 100_000)
    outbox_bytes: int = _number(65536, 16384, 2**26)
    stall_seconds: int = _number(10, 1, 600)
    sockets: int = _number(10_000, 1, 1_000_000)
    sockets_per_address: int = _number(50, 1, 1_000_000)
    sockets_per_address_loopback: int = _number(5_000, 1, 1_000_000)
    sockets_per_guest: int = _number(5, 1, 1_000)
    guests: int = _number(100_000, 10, 10_000_000)


@frozen
class Tables:
    """How many tables there may be, how long they stay, and the floor of their claim windows."""

    most: int = _number(500, 1, 100_000)
    per_guest: int = _number(4, 1, 100_000)
    idle_seconds: int = _number(1800, 1, 604_800)
    finished_seconds: int = _number(900, 1, 604_800)
    floor_ms: int = _number(600, 0, 10_000)


@frozen
class Bots:
    """How long bots take over a discard; claims are answered within the floor. A table gives a bot ten seconds."""

    least_delay_ms: int = _number(500, 0, 9_000)
    most_delay_ms: int = _number(1300, 0, 9_000)


@frozen
class Rulesets:
    """The folder of the house's own ruleset files; empty: there are only the packaged ones."""

    folder: str = ""


@frozen
class Records:
    """The folder that each match's record is written to; empty: none is."""

    folder: str = ""


@frozen
class Log:
    """What is logged."""

    level: Level = "info"


@frozen
class Settings:
    """All of it."""

    listen: Listen = Factory(Listen)
    limits: Limits = Factory(Limits)
    tables: Tables = Factory(Tables)
    bots: Bots = Factory(Bots)
    rulesets: Rulesets = Factory(Rulesets)
    records: Records = Factory(Records)
    log: Log = Factory(Log)


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
    try:
        typed = _CONVERTER.structure(value, hint)
    except Exception as error:  # noqa: BLE001 # cattrs wraps what the hooks raise in types of its own
        choices = get_args(hint) if hint == Level else ()
        wanted = "one of " + ", ".join(choices) if choices else str(error)
        raise SettingsError(f"{where}: {name} must be {wanted}, not {_shown(value)}") from None
    attribute: Attribute[Any] = getattr(attrs.fields(cls), key)
    if attribute.validator is not None:
        try:
            attribute.validator(None, attribute, typed)
        except ValueError as error:
            wanted = str(error)
            bound = re.match(r"'\w+' must be ([<>]= -?\d+)", wanted)
            wanted = bound[1] if bound else wanted
            raise SettingsError(f"{where}: {name} must be {wanted}, not {_shown(value)}") from None
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
