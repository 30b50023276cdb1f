"""`parlour replay`: a record played again by the engine, which believes nothing of it."""

import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, Final, NoReturn

import click

from parlour_engine.rulesets import Ruleset, RulesetError
from parlour_server.cli.streams import UNUSABLE, lines_of
from parlour_server.fairness.seal import Chain
from parlour_server.fairness.shuffles import EVENTS
from parlour_server.record_text import counted
from parlour_server.records.arena_deals import is_arena_deal, replay_deal, ruleset_of
from parlour_server.records.differences import Difference
from parlour_server.records.replay import Mismatch, Replay, ruleset_for
from parlour_server.records.rows import (
    LONGEST,
    EventRow,
    Header,
    RecordError,
    SeatRow,
    Truncated,
    read_header,
    read_object,
    read_rows,
)
from parlour_server.records.telling import Telling, letters, pictures, printable
from parlour_server.resources import ResourceMissing
from parlour_server.rulesets import load_ruleset, ruleset_names

DIFFERENT: Final = 1
_BETWEEN_DEALS: Final = frozenset({"settled", "match_ended", *EVENTS})
"""Events after which no hand is on the table."""
_KEY: Final = re.compile(r"\x1b\[[0-9;]*[@-~]|\x1bO.|\r\n|.", re.DOTALL)
"""What a terminal sends for one key: an arrow sends several characters."""


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--step", is_flag=True, help="Show every event and all four hands; on a terminal one by one.")
@click.option("--ruleset", "name", metavar="FILE.toml", help="The ruleset's file, where it is not a packaged one.")
@click.option(
    "--tiles",
    type=click.Choice(["text", "unicode"]),
    show_default="text",
    help="How --step writes tiles.",
)
def command(file: BinaryIO, step: bool, name: str | None, tiles: str | None) -> None:
    """Play a record again and stop at the first difference.

    FILE is a record of a match (docs/record.md), or deals.jsonl as `parlour simulate --out` writes it. The exit status
    is 1 where the record and the engine differ, 2 where the record cannot be read to its end or its ruleset is not at
    hand.
    """
    if tiles is not None and not step:
        raise click.UsageError("--tiles says how --step writes tiles: add --step, or leave --tiles out.")
    with told(file.name):
        click.echo(_replayed(file, name, Viewer(tiles or "text") if step else None))


@contextmanager
def told(file: str) -> Iterator[None]:
    """Ends the command where the record of `file` is wrong or cannot be read, with one line that says where and why."""
    try:
        yield
    except Difference as error:
        fail(f"{file}, line {error.line}: {error}", DIFFERENT)
    except RecordError as error:
        fail(f"{file}, line {error.line}: {error}", UNUSABLE)
    except (Mismatch, RulesetError, ResourceMissing) as error:
        fail(f"{file}: {error}", UNUSABLE)


def fail(text: str, status: int) -> NoReturn:
    """End the command with one line that says why."""
    click.echo(f"parlour: {text}", err=True)
    sys.exit(status)


class _Enough(Exception):
    """The reader has seen enough."""


class Viewer:
    """Shows a replay: on a terminal event by event, else all of it."""

    def __init__(self, tiles: str) -> None:
        self._tiles = pictures if tiles == "unicode" else letters
        self._telling: Telling | None = None
        self._pausing = sys.stdin.isatty() and sys.stdout.isatty()
        self._to_next_deal = False
        self._keys: Final[deque[str]] = deque()
        """Pressed and not yet asked for."""

    def begin(self, header: Header, ruleset: Ruleset) -> None:
        """A match begins."""
        self._telling = Telling([seat.name for seat in header.seats], ruleset, self._tiles)

    def seat(self, row: SeatRow) -> None:
        """Somebody else plays."""
        assert self._telling is not None
        self._telling.names[row.seat] = printable(row.name)

    def event(self, row: EventRow, replay: Replay) -> None:
        """What happened; the hands with the last event of a step."""
        assert self._telling is not None
        for line in self._telling.event(row.event):
            click.echo(line)
        deal = replay.course.deal
        if deal is not None and replay.between_steps and row.event["e"] not in _BETWEEN_DEALS:
            for line in self._telling.table(deal):
                click.echo(line)
        if row.event["e"] == "deal_started":
            self._to_next_deal = False
        if self._pausing and not self._to_next_deal:
            self._pause()

    def _key(self) -> str:
        """The next key: a read may bring several, pasted or pressed ahead."""
        if not self._keys:
            try:
                self._keys.extend(_KEY.findall(click.getchar()))
            except (EOFError, KeyboardInterrupt):
                return "q"
        return self._keys.popleft() if self._keys else "q"

    def _pause(self) -> None:
        click.echo("-- Enter: next, d: next deal, q: quit -- ", nl=False, err=True)
        key = self._key()
        click.echo(err=True)
        if key in ("", "q", "Q", "\x03", "\x04"):
            raise _Enough
        self._to_next_deal = key in ("d", "D")


def _replayed(file: BinaryIO, name: str | None, viewer: Viewer | None) -> str:
    """What became of it; raises what `told` tells."""
    lines = lines_of(file, LONGEST + 1)
    first = next(lines, b"")
    if not first:
        raise RecordError(1, "the record is empty")
    if is_arena_deal(read_object(first, 1)):
        if viewer is not None:
            raise click.UsageError("--step shows matches, and the file holds single deals: leave --step out.")
        return arena_deals(chain([first], lines), name)
    header = read_header(first)
    ruleset = ruleset_of_match(header, name)
    seal = Chain()
    seal.take(first)
    replay = Replay(header, ruleset, seal)
    if viewer is not None:
        viewer.begin(header, ruleset)
    try:
        for line, row in read_rows(seal.over(lines)):
            replay.take(line, row)
            if viewer is not None and isinstance(row, SeatRow):
                viewer.seat(row)
            elif viewer is not None and isinstance(row, EventRow):
                viewer.event(row, replay)
    except Truncated as error:
        raise Truncated(error.line, f"{error}; {_counts(replay)} before it, all as the engine plays them") from None
    except _Enough:
        return f"left after {_counts(replay)}"
    return f"{ruleset.key} {ruleset.version}: {_counts(replay)}, all as the engine plays them; {_end(replay)}"


def ruleset_of_match(header: Header, name: str | None) -> Ruleset:
    """The ruleset under the record's switches: of the file `name`, else the packaged one; raises what `told` tells."""
    try:
        return ruleset_for(header, ruleset_at_hand(name, header.ruleset.key))
    except Mismatch as error:
        raise RecordError(1, str(error)) from error


def ruleset_at_hand(name: str | None, key: str) -> Ruleset:
    """The ruleset of the file that was named, else the packaged one of a record's key; raises what reading one does."""
    packaged = ruleset_names()
    if name is None and key not in packaged:
        there = f"{key} is not among the packaged rulesets, which are {', '.join(packaged)}"
        raise Mismatch(f"{there}: name the file the record was made under with --ruleset FILE.toml")
    # The record may have been made under an older text of a packaged ruleset.
    return load_ruleset(name or key, any_key=True)


def arena_deals(lines: Iterable[bytes], name: str | None) -> str:
    """What became of the arena's deals; raises what `told` tells."""
    rulesets: dict[str, Ruleset] = {}
    deals = events = failed = 0
    for number, line in enumerate(lines, 1):
        try:
            value = read_object(line, number)
            if "failed" in value:
                failed += 1
                continue
            key = ruleset_of(value, number)[0]
            if key not in rulesets:
                rulesets[key] = ruleset_at_hand(name, key)
            events += replay_deal(value, number, rulesets[key])
        except Truncated as error:
            before = f"{counted(deals, 'deal')} before it, all as the engine plays them"
            raise Truncated(number, f"{error}; {before}") from None
        deals += 1
    failures = f"; {failed} failed when {'it was' if failed == 1 else 'they were'} played" if failed else ""
    return f"{counted(deals, 'deal')}, {counted(events, 'event')}, all as the engine plays them{failures}"


def _counts(replay: Replay) -> str:
    numbers = ((replay.deals, "deal"), (replay.events, "event"), (replay.answers, "answer"))
    return ", ".join([counted(count, noun) for count, noun in numbers])


def _end(replay: Replay) -> str:
    scores = " ".join([f"{score:+d}" for score in replay.course.history.scores])
    if replay.ended:
        return f"the {'match is over' if replay.course.over else 'table was closed before the end'}, scores {scores}"
    return f"the record stops before the match is over, scores {scores}"
