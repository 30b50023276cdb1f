"""`parlour serve`: the page and the tables on one port, until a signal stops them."""

import asyncio
import sys

import click

from parlour_engine.rulesets import RulesetError
from parlour_server.cli.configured import configured
from parlour_server.gentle import gentle_loop
from parlour_server.resources import ResourceMissing, client_root
from parlour_server.running import run
from parlour_server.settings import SettingsError


@click.command()
@click.option("--host", help="Address to listen on, 127.0.0.1 by default; 0.0.0.0 lets other machines in.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port, 8000 by default; 0 takes any free one.")
@click.option("--config", type=click.Path(), help="A TOML file like config/server.toml.")
def command(host: str | None, port: int | None, config: str | None) -> None:
    """Serve the page and the tables."""
    try:
        with asyncio.Runner(loop_factory=gentle_loop) as runner:
            runner.run(run(configured(config, listen_host=host, listen_port=port), client_root()))
    except (SettingsError, ResourceMissing, RulesetError) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(2)
