"""`parlour serve`: the page and the tables on one port, until a signal stops them."""

import asyncio
import sys

import click

from parlour_engine.rulesets import RulesetError
from parlour_server.checking import checked
from parlour_server.cli.configured import configured
from parlour_server.gentle import gentle_loop
from parlour_server.resources import ResourceMissing, client_root
from parlour_server.running import run
from parlour_server.settings import SettingsError
from parlour_server.storage.store import StoreError


@click.command()
@click.option("--host", help="Address to listen on, 127.0.0.1 by default; 0.0.0.0 lets other machines in.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port, 8000 by default; 0 takes any free one.")
@click.option("--config", type=click.Path(), help="A TOML file like config/server.toml.")
@click.option("--check", is_flag=True, help="Only look whether it could start, and say what with.")
def command(host: str | None, port: int | None, config: str | None, check: bool) -> None:
    """Serve the page and the tables."""
    try:
        settings, client = configured(config, listen_host=host, listen_port=port), client_root()
        if check:
            # All of it first: half of it, and then an error, would read as if the rest were well.
            for line in list(checked(settings, client)):
                click.echo(line)
            return
        with asyncio.Runner(loop_factory=gentle_loop) as runner:
            runner.run(run(settings, client))
    except (SettingsError, ResourceMissing, RulesetError, StoreError) as error:
        click.echo(f"parlour: {error}", err=True)
        sys.exit(2)
