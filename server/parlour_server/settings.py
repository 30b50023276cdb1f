"""What can be set about a running server, with the defaults and what each value may be. `settings_file` reads them."""

import os
import re
from ipaddress import ip_address, ip_network
from typing import Any, Final, Literal

from attrs import Attribute, Factory, field, frozen
from attrs.validators import ge, le

Level = Literal["debug", "info", "warning", "error"]
Synchronous = Literal["full", "normal"]

SECRET: Final = "secret"
"""In a field's metadata: its value is never repeated, in no error and no log."""
LONGEST_NAME: Final = 240
"""Bytes of a name in a path; what is made beside a file has a longer one."""
LONGEST_PATH: Final = 4000
LONGEST_SOCKET_PATH: Final = 100
"""Bytes of the path of a Unix-domain socket that every system takes."""


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


def _networks(_: object, __: "Attribute[list[str]]", value: list[str]) -> None:
    for network in value:
        try:
            ip_network(network)
        except ValueError:
            raise ValueError('addresses or networks, such as "127.0.0.1" or "10.0.0.0/8"') from None


def _is_path(value: str, longest: int = LONGEST_PATH) -> bool:
    """Whether a file could have this path, and a message could name it on one line."""
    if not value.isprintable() or len(os.fsencode(value)) > longest:
        return False
    return all(len(os.fsencode(part)) <= LONGEST_NAME for part in value.split("/"))


def _url(_: object, __: "Attribute[str]", value: str) -> None:
    scheme, found, _rest = value.partition("://")
    if not _is_path(value) or (found and scheme not in {"postgresql", "postgres", "sqlite"}):
        raise ValueError("a path of a file, or postgresql://USER@HOST/DATABASE")


def _folder(_: object, __: "Attribute[str]", value: str) -> None:
    if not _is_path(value):
        raise ValueError(f"a path in printable letters, with names of at most {LONGEST_NAME} bytes, or empty")


def _socket(_: object, __: "Attribute[str]", value: str) -> None:
    if not _is_path(value, LONGEST_SOCKET_PATH):
        raise ValueError(f"a path of at most {LONGEST_SOCKET_PATH} bytes, as the systems take no longer one")


def _token(_: object, __: "Attribute[str]", value: str) -> None:
    if value and re.fullmatch(r"[!-~]{16,200}", value) is None:
        raise ValueError("empty, or 16 to 200 letters, digits and signs without a space")


@frozen
class Listen:
    """Where the server listens, which pages may talk to it, and which proxies it believes about their peers."""

    host: str = field(default="127.0.0.1", validator=_host)
    port: int = _number(8000, 0, 65535)
    public_origins: list[str] = field(factory=list, validator=_origins)
    trusted_proxies: list[str] = field(factory=list, validator=_networks)


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
    strangers_per_address: int = _number(20, 1, 1_000_000)
    strangers_per_address_loopback: int = _number(5_000, 1, 1_000_000)
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
    demonstration: bool = True
    restart_seconds: int = _number(20, 0, 3_600)


@frozen
class Bots:
    """How long bots take over a discard; claims are answered within the floor. A table gives a bot ten seconds."""

    least_delay_ms: int = _number(500, 0, 9_000)
    most_delay_ms: int = _number(1300, 0, 9_000)


@frozen
class Rulesets:
    """The folder of the house's own ruleset files; empty: there are only the packaged ones."""

    folder: str = field(default="", validator=_folder)


@frozen
class Storage:
    """Where people, tables and records are kept, and how sure a write must be before anybody is told of it."""

    url: str = field(default="", validator=_url, repr=False, metadata={SECRET: True})
    synchronous: Synchronous = "full"


@frozen
class Records:
    """The folder that each match's record is written to, beside the storage; and how long the storage keeps them."""

    folder: str = field(default="", validator=_folder)
    keep_days: int = _number(0, 0, 36_500)
    keep_demonstration_days: int = _number(7, 0, 36_500)


@frozen
class Admin:
    """The socket by which `parlour admin` talks to the server."""

    socket: str = field(default="", validator=_socket)


@frozen
class Metrics:
    """Who may read `/metrics`; empty: only requests of this machine that no proxy has passed on."""

    token: str = field(default="", validator=_token, repr=False, metadata={SECRET: True})


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
    storage: Storage = Factory(Storage)
    records: Records = Factory(Records)
    admin: Admin = Factory(Admin)
    metrics: Metrics = Factory(Metrics)
    log: Log = Factory(Log)


def is_secret(attribute: "Attribute[Any]") -> bool:
    """Whether a setting's value must not be repeated."""
    return bool(attribute.metadata.get(SECRET, False))
