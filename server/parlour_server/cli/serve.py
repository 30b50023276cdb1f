"""`parlour serve`: the page and the tables on one port, until a signal stops them."""

import asyncio
import os
import sys
from pathlib import Path

import click

from parlour_engine.rulesets import RulesetError
from parlour_server.gentle import gentle_loop
from parlour_server.resources import ResourceMissing, client_root, config_root
from parlour_server.running import run
from parlour_server.settings import Settings, SettingsError
from parlour_server.settings_file import CONFIG_VARIABLE, load_settings


@click.command()
@click.option("--host", help="Address to listen on, 127.0.0.1 by default; 0.0.0.0 lets other machines in.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port, 8000 by default; 0 takes any free one.")
@click.option("--config", type=click.Path(), help="A TOML file like config/server.toml.")
def command(host: str | None, port: int | None, config: str | None) -> None:
    """Serve the page and the tables."""
    try:
        with asyncio.Runner(loop_factory=gentle_loop) as runner:
            runner.run(run(_settings(host, port, config), client_root()))
    except (SettingsError, ResourceMissing, RulesetError) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(2)


def _settings(host: str | None, port: int | None, config: str | None) -> Settings:
    if config == "":
        raise SettingsError("command line --config: no file is named; name one, or leave --config out")
    named = config or os.environ.get(CONFIG_VARIABLE)
    origin = named or "config/server.toml"
    try:
        # Editors on Windows may put a mark in front of UTF-8.
        text = (Path(named) if named else config_root() / "server.toml").read_text(encoding="utf-8-sig")
    except ResourceMissing:
        raise
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"{origin} cannot be read: {reason}; name another file with --config") from None
    flags = {"listen.host": host, "listen.port": port}
    return load_settings(text, origin, os.environ, {key: value for key, value in flags.items() if value is not None})
