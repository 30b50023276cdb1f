"""What a command reads from and writes to, and how it ends where that fails: one clear line, exit status 2."""

from collections.abc import Iterator
from typing import IO, Any, BinaryIO, Final

import click

UNUSABLE: Final = 2


class StreamFailed(click.ClickException):
    """A file or a stream that cannot be read or written; it ends the command."""

    exit_code = UNUSABLE

    def __init__(self, name: str, problem: str | None) -> None:
        super().__init__(f"{name}: {problem or 'cannot be used'}")

    def show(self, file: IO[Any] | None = None) -> None:
        """Tell it as the commands tell what else goes wrong."""
        click.echo(f"parlour: {self.format_message()}", file=file, err=True)


def lines_of(file: BinaryIO, longest: int = -1) -> Iterator[bytes]:
    """The lines of a file, cut where they are longer than `longest`; raises StreamFailed where it cannot be read."""
    try:
        while line := file.readline(longest):
            yield line
    except OSError as error:
        raise StreamFailed(file.name, error.strerror) from error
