"""`parlour verify`: whether the walls of a match were fair and its record is as its house sealed it, in plain words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain as chained
from typing import BinaryIO, Final

import click

from parlour_engine.seats import SEATS
from parlour_server.cli.replay import DIFFERENT, arena_deals, fail, ruleset_of_match, told
from parlour_server.cli.streams import lines_of
from parlour_server.fairness.seal import Chain
from parlour_server.fairness.shuffles import DealShuffle
from parlour_server.record_text import counted, noun
from parlour_server.records.arena_deals import is_arena_deal
from parlour_server.records.differences import Difference
from parlour_server.records.replay import Replay
from parlour_server.records.rows import (
    LONGEST,
    EventRow,
    RecordError,
    SeatRow,
    WallRow,
    read_header,
    read_object,
    read_rows,
)
from parlour_server.records.telling import printable

_KEY: Final = re.compile(r"[0-9a-f]{64}")


def _key(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _KEY.fullmatch(value.lower()):
        raise click.BadParameter("a key is 64 digits in hex, as `parlour verify` and the house itself show it.")
    return None if value is None else value.lower()


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--key", metavar="HEX", callback=_key, help="Insist on a seal that was made with this key.")
@click.option("--ruleset", "name", metavar="FILE.toml", help="The ruleset's file, where it is not a packaged one.")
def command(file: BinaryIO, key: str | None, name: str | None) -> None:
    """Check that the walls of a match were fair, and that its record is as it was sealed.

    FILE is a record of a match (docs/record.md). Every wall is laid again from what was committed to and what the seats
    added (docs/fairness.md), the match is played again from it, and the seal is checked. What could not be checked is
    told with the reason. The exit status is 1 where something is wrong, with the first line that is, 2 where the record
    cannot be read to its end or its ruleset is not at hand.
    """
    with told(file.name):
        for line in _verified(file, key, name):
            click.echo(line)


class _Told:
    """What has been seen of the deals, for the words about them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names: Final = list(names)
        self.seated: Final[dict[int, list[str]]] = {}
        """The names at the table when the deal was dealt."""
        self.head: Final[dict[int, int]] = {}
        self.tail: Final[dict[int, int]] = {}
        self.settled: Final[set[int]] = set()
        self.deal = 0

    def take(self, row: object) -> None:
        """The next row, which the replay has taken."""
        match row:
            case SeatRow():
                self.names[row.seat] = row.name
            case WallRow():
                self.deal = row.deal
                self.head[self.deal] = self.tail[self.deal] = 0
                self.seated[self.deal] = list(self.names)
            case EventRow(event={"e": "draw", "source": "wall"}):
                self.head[self.deal] += 1
            case EventRow(event={"e": "draw"}):
                self.tail[self.deal] += 1
            case EventRow(event={"e": "settled"}):
                self.settled.add(self.deal)
            case _:
                pass


def _verified(file: BinaryIO, key: str | None, name: str | None) -> Iterator[str]:
    """What was checked, line by line; raises what `told` tells."""
    lines = lines_of(file, LONGEST + 1)
    first = next(lines, b"")
    if not first:
        raise RecordError(1, "the record is empty")
    if is_arena_deal(read_object(first, 1)):
        yield arena_deals(chained([first], lines), name)
        yield from _missing(["the walls and who wrote this: these are the arena's deals, from a seed that all know"])
        if key is not None:
            fail(f"{file.name}: it has no seal, and --key insists on one", DIFFERENT)
        return
    header = read_header(first)
    chain = Chain()
    chain.take(first)
    replay = Replay(header, ruleset_of_match(header, name), chain, key)
    seen = _Told([seat.name for seat in header.seats])
    wrong: Difference | RecordError | None = None
    try:
        for line, row in read_rows(chain.over(lines)):
            replay.take(line, row)
            seen.take(row)
    except (Difference, RecordError) as error:
        wrong = error
    mark = header.ruleset
    match = "" if replay.shuffles.match is None else f", match {replay.shuffles.match}"
    yield f"{mark.key} {mark.version}{match}: {counted(replay.deals, 'deal')}"
    for number in sorted({*seen.head, *replay.shuffles.deals}):
        yield f"deal {number}: {'; '.join(_deal(number, replay.shuffles.deals.get(number), seen))}"
    if wrong is not None:
        # It is told after what was right before it.
        raise wrong
    if replay.seal is not None:
        yield f"seal: every line is as it was signed with the key {replay.seal.key}"
    yield from _missing(_unchecked(replay, key))
    if replay.seal is None and key is not None:
        fail(f"{file.name}: it has no seal, and --key insists on one", DIFFERENT)


def _deal(number: int, shuffle: DealShuffle | None, seen: _Told) -> Iterator[str]:
    laid = number in seen.head
    if shuffle is not None and shuffle.seed is not None:
        yield f"the seed is the one committed to in line {shuffle.line}, before the seats added anything"
        if shuffle.nonces is not None:
            yield _added(shuffle.nonces, seen.seated.get(number, seen.names))
        if laid:
            yield f"the wall in line {shuffle.wall_line} and the dice are what both give"
    if laid:
        draws = f"{counted(seen.head[number], 'draw')} from its head and {seen.tail[number]} from its tail"
        yield f"the hands and {draws} are that wall's"
        yield "paid as the rules say" if number in seen.settled else "it was not played to its end"
    else:
        yield "it was never dealt"


def _added(nonces: Sequence[str | None], names: Sequence[str]) -> str:
    took_part = [f"{seat} ({printable(names[seat])})" for seat in SEATS if nonces[seat] is not None]
    missing = [str(seat) for seat in SEATS if nonces[seat] is None]
    if not took_part:
        return "no seat added anything"
    others = f", {_seats(missing)} nothing" if missing else ""
    return f"{_seats(took_part)} added a part{others}"


def _seats(named: Sequence[str]) -> str:
    listed = " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]
    return f"{noun(len(named), 'seat')} {listed}"


def _unchecked(replay: Replay, key: str | None) -> Iterator[str]:
    shuffles = replay.shuffles.deals
    if not shuffles and replay.deals:
        yield "whether the walls were fair: the record tells no commitments (an arena's match, or an older record)"
    hidden = [number for number, shuffle in shuffles.items() if shuffle.seed is None]
    if hidden:
        yield f"the walls of the deals from {hidden[0]} on: the record stops before their seeds are shown"
    if replay.seal is None:
        yield "whether it is as its house wrote it: it has no seal"
    elif key is None:
        yield "whose key that is: compare it with the house's, or insist on that with --key"


def _missing(reasons: Iterable[str]) -> Iterator[str]:
    for reason in reasons:
        yield f"not checked: {reason}"
