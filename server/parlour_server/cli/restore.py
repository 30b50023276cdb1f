"""`parlour restore`: a backup put in the place of the database, while no server has it."""

from datetime import UTC, datetime
from pathlib import Path

import click

from parlour_server.cli.database import config_option, file_url, said
from parlour_server.storage.backups import restore
from parlour_server.storage.opening import file_of

_INSTEAD = "pg_restore --clean --if-exists --dbname=DATABASE FILE"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@config_option
def command(file: Path, config: str | None) -> None:
    """Put the backup FILE in the place of the server's database.

    FILE is checked first, and nothing is done while a server runs. The database that was there stays beside the new one
    under another name.
    """
    with said():
        database = file_of(file_url(config, _INSTEAD))
        aside = restore(file, database, datetime.now(UTC))
        kept = "" if aside is None else f"; what was there is {aside.name} now"
        click.echo(f"{database} is as it was in {file}{kept}")
