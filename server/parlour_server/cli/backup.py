"""`parlour backup`: the whole database as one file, while the server runs or not."""

from pathlib import Path

import click

from parlour_server.cli.database import config_option, file_url, said
from parlour_server.storage.backups import back_up
from parlour_server.storage.opening import file_of

_INSTEAD = "pg_dump --format=custom --file=FILE DATABASE"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
@config_option
def command(file: Path, force: bool, config: str | None) -> None:
    """Copy the server's database to FILE, checked.

    The server may run. FILE appears whole or not at all, and only its owner may read it: it holds the walls of games
    that are being played. `parlour restore FILE` puts it back.
    """
    with said():
        database = file_of(file_url(config, _INSTEAD))
        size = back_up(database, file, replace=force)
        click.echo(f"{database} is in {file}: {size:,} bytes, checked")
