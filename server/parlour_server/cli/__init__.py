"""The command `parlour`. Each subcommand is a module beside this one, imported only when it is asked for."""

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

import click

from parlour_server.cli.streams import StreamFailed

SUBCOMMANDS: Final = {
    "admin": "Look after a running server: tables, lines, bans, a drain before a restart.",
    "backup": "Copy the server's database to a file, while it runs or not.",
    "explain": "Explain what a hand is worth, row by row, or what it lacks.",
    "records": "List the records of matches, write one to a file, take files in.",
    "replay": "Play a record of a match again and stop at the first difference.",
    "restore": "Put a backup in the place of the server's database.",
    "rules": "Show rulesets, and check or compare files of your own.",
    "score": "Say what winning hands are worth, one JSON record a line.",
    "serve": "Serve the page and the tables.",
    "simulate": "Let bots play whole deals and report what happened.",
    "verify": "Check that the walls of a match were fair and its record is as it was sealed.",
}
"""Name of the module and of the command -> its line in the list of commands.

The line stands here so that listing the commands imports none of them."""
_SILENT: Final = frozenset({"serve"})
"""Commands that are of use where nobody reads what they print."""
_OUTPUT: Final = "standard output"


class _Subcommands(click.Group):
    """A group that imports a subcommand's module, and all that it needs, only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        command = import_module(f"{__name__}.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"{__name__}.{cmd_name}.command is no click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        # Python has no standard output where it was closed, and click then says nothing at all.
        if sys.stdout is None and found[0] not in _SILENT:
            raise StreamFailed(_OUTPUT, "it is closed")
        return found

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; an output that cannot be written, a full disk for one, ends it. A reader who left is click's affair."""
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.filename is not None:
                # Somebody opened this; nothing that was being written has a name.
                raise
            StreamFailed(_OUTPUT, error.strerror).show()
            sys.exit(StreamFailed.exit_code)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=_Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("mahjong-parlour"), prog_name="parlour")
def main() -> None:
    """Mahjong Parlour: a table you can sit at, and the rules behind it."""
