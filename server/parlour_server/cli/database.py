"""Which database a command is about, and how it says what is wrong with it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from parlour_server.cli.configured import configured
from parlour_server.cli.streams import UNUSABLE
from parlour_server.resources import ResourceMissing
from parlour_server.settings import SettingsError
from parlour_server.storage.opening import is_postgres
from parlour_server.storage.store import StoreError

_F = TypeVar("_F", bound=Callable[..., Any])


def config_option(command: _F) -> _F:
    """The option by which a command finds the server's settings."""
    words = "The file of the server's settings, as for `parlour serve`."
    return click.option("--config", type=click.Path(), help=words)(command)


@contextmanager
def said() -> Iterator[None]:
    """Ends the command where settings or database cannot be used: one line, exit status 2."""
    try:
        yield
    except (SettingsError, ResourceMissing, StoreError) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(UNUSABLE)


def url_of(config: str | None) -> str:
    """`storage.url` of the settings; raises what `said` says."""
    return configured(config).storage.url


def file_url(config: str | None, instead: str) -> str:
    """The same, where only a file will do; raises StoreError that names PostgreSQL's own program for it."""
    url = url_of(config)
    if is_postgres(url):
        raise StoreError(f"storage.url names a PostgreSQL server, which has programs of its own for this: {instead}")
    return url
