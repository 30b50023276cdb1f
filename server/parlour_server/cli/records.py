"""`parlour records`: the records of matches that are over, listed, given out, taken in."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from parlour_engine.rulesets import Ruleset
from parlour_server.cli.database import config_option, said, url_of
from parlour_server.cli.replay import ruleset_at_hand, told
from parlour_server.cli.streams import StreamFailed, lines_of
from parlour_server.record_text import counted
from parlour_server.records.arena_deals import is_arena_deal
from parlour_server.records.replay import ruleset_for
from parlour_server.records.rows import LONGEST, Header, RecordError, read_header, read_object
from parlour_server.records.telling import printable
from parlour_server.rulesets import from_sources
from parlour_server.storage import reading
from parlour_server.storage.beside import Doubled, beside, bring
from parlour_server.storage.changes import StoredMatch
from parlour_server.storage.database import Database
from parlour_server.storage.imports import imported_match
from parlour_server.storage.store import StoreError

_SUFFIX = ".jsonl"


@click.group()
def command() -> None:
    """List the records of matches, write one to a file, take files in.

    The server may run meanwhile. What a record holds is in docs/record.md.
    """


@command.command("list")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="As many at the most.")
@config_option
def list_command(limit: int, config: str | None) -> None:
    """Show the matches that are over, newest first."""
    with said(), beside(url_of(config)) as database:
        for match in reading.newest(database, limit):
            seats = ", ".join([f"{printable(seat.name)} {seat.score:+d}" for seat in match.seats])
            how = counted(match.deals, "deal") + ("" if match.finished else ", broken off")
            click.echo(f"{match.match}  {match.began}  {match.ruleset} {match.ruleset_version}  {how}  {seats}")


@command.command()
@click.argument("match")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
@config_option
def export(match: str, file: Path, force: bool, config: str | None) -> None:
    """Write the record of MATCH to FILE.

    MATCH is a name that `parlour records list` shows, or its first letters.
    """
    with said(), beside(url_of(config)) as database:
        names = reading.match_names(database, match.lower())
        if len(names) != 1:
            several = "several matches begin" if names else "no match begins"
            raise StoreError(f"{several} with {printable(match)}: parlour records list shows them")
        text = reading.record(database, names[0])
        if os.path.lexists(file) and not force:
            raise StoreError(f"{file} is there already: name another file, or add --force to replace it")
        _write(file, text or "")
        click.echo(f"{names[0]} is in {file}")


def _write(file: Path, text: str) -> None:
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="")
        unfinished.replace(file)
    except OSError as error:
        raise StoreError(f"{file} cannot be written ({error.strerror})") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


@command.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--ruleset", "name", metavar="FILE.toml", help="The ruleset's file, where it is not a packaged one.")
@config_option
def import_command(files: tuple[Path, ...], name: str | None, config: str | None) -> None:
    """Take the records in FILES in, all or none.

    Each is played again first, as `parlour replay` does it: the exit status is 1 where record and engine differ. What
    is stored already is refused.
    """
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    with said(), beside(url_of(config)) as database:
        by_match: dict[str, Path] = {}
        matches: list[StoredMatch] = []
        for file in files:
            with told(str(file)):
                matches.append(_read(file, name, database, now))
            by_match[matches[-1].match] = file
        try:
            bring(database, matches)
        except Doubled as error:
            raise StoreError(f"{by_match[error.match]}: {error}; nothing was taken in") from error
        click.echo(f"{counted(len(matches), 'record')} taken in")


def _read(file: Path, name: str | None, database: Database, now: str) -> StoredMatch:
    try:
        with file.open("rb") as opened:
            lines = list(lines_of(opened, LONGEST + 1))
    except OSError as error:
        raise StreamFailed(str(file), error.strerror) from error
    if not lines:
        raise RecordError(1, "the record is empty")
    if is_arena_deal(read_object(lines[0], 1)):
        raise RecordError(1, "the file holds single deals, and no match")
    header = read_header(lines[0])
    return imported_match(header, lines, _ruleset(header, name, database), now)


def _ruleset(header: Header, name: str | None, database: Database) -> Ruleset:
    """Of the file that was named, else as this house has kept it, else the packaged one."""
    kept = None if name is not None else reading.ruleset(database, header.ruleset.digest)
    found = ruleset_at_hand(name, header.ruleset.key) if kept is None else from_sources(kept.text, kept.bases)
    return ruleset_for(header, found)
