"""The folder that `parlour simulate --out` fills: new or empty at first, each file in it whole or not there."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

import click

from parlour_bots.arena import Chunk

RECORDS: Final = "deals.jsonl"
"""The file of records in the folder that `--out` names."""
MATCH: Final = "match-{:05}.jsonl"
"""The file of a match's record there, by its number."""
MATCHES: Final = re.compile(r"match-[0-9]{5,}\.jsonl")


def records_in(out: Path | None) -> list[str]:
    """The names of records in the folder, in order; none where there is no folder."""
    if out is None or not out.is_dir():
        return []
    return sorted([file.name for file in out.iterdir() if file.name == RECORDS or MATCHES.fullmatch(file.name)])


def check_free(out: Path | None) -> None:
    """Refuse a folder that holds another run's records: some would be replaced and the rest mixed with the new."""
    try:
        there = records_in(out)
    except OSError as error:
        raise click.UsageError(f"--out {out} cannot be read ({error.strerror}): name another folder.") from error
    if there:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        problem = f"--out {out} holds records of another run ({there[0]}{more})"
        raise click.UsageError(f"{problem}: name a new or empty folder, or move them away.")


Keep = Callable[[Chunk], None]
"""Writes a chunk's records."""


@contextmanager
def keeping_deals(out: Path | None) -> Iterator[Keep]:
    """All deals in one file: under another name until it is whole, gone where it never gets so."""
    if out is None:
        yield _forget
        return
    with _whole(out, out / RECORDS) as records:
        yield lambda chunk: records.writelines([f"{line}\n" for line in chunk.lines])


@contextmanager
def keeping_matches(out: Path | None) -> Iterator[Keep]:
    """A file a match; each is there as soon as it is whole."""

    def keep(chunk: Chunk) -> None:
        assert out is not None
        failed = {failure.index for failure in chunk.failures}
        played = [index for index in chunk.indices if index not in failed]
        for index, text in zip(played, chunk.lines, strict=True):
            with _whole(out, out / MATCH.format(index)) as record:
                record.write(text)

    yield _forget if out is None else keep


def _forget(_: Chunk) -> None:
    """Nothing is to be written."""


@contextmanager
def _whole(out: Path, file: Path) -> Iterator[TextIO]:
    """A file in the folder `out` that gets its name when it is whole."""
    unfinished = out / f".{file.name}.{os.getpid()}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w", encoding="utf-8", newline="\n") as records:
            yield records
            records.flush()
            os.fsync(records.fileno())
        unfinished.replace(file)
    except OSError as error:
        problem = f"--out {out} cannot be written ({error.strerror}): name a folder that can, with room in it."
        raise click.UsageError(problem) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
