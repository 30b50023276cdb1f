"""The rows of a record and their text, both ways: one JSON object a line (docs/record.md)."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal, NoReturn

from attrs import frozen
from cattrs.errors import ForbiddenExtraKeysError

from parlour_server.protocol.codec import CONVERTER, ProtocolError, make_converter
from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.values import MoveText, OptionValue
from parlour_server.table.journal import Answered, AnsweredBy, Happened, MatchBegun, Offered, Row, SeatChanged, WallLaid

FORMAT: Final = 1
"""The number of the format that is written and read here; it rises with every change of what a row holds."""
LONGEST: Final = 1 << 20
"""Bytes of the longest line that is read; no row of a match comes near."""
_TEXTS: Final = frozenset({"name", "rule"})
"""Keys of a settlement that repeat the words of the ruleset's file."""


class RecordError(ValueError):
    """A record that cannot be read: `line` is where, the text says what is wrong there."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line: Final = line


class Truncated(RecordError):
    """The record breaks off inside its last line; all before it can be read."""


@frozen
class RulesetMark:
    """Which ruleset, exactly; `options` are the switches set otherwise than its file sets them."""

    key: str
    version: str
    digest: str
    options: dict[str, OptionValue]


@frozen
class SeatMark:
    """Who sits at a seat as the match begins."""

    name: str
    player: Literal["person", "bot"]
    level: str | None


@frozen
class ArenaMark:
    """The run of bots a match belongs to, and its number there."""

    seed: int
    match: int


@frozen
class Header:
    """The first line."""

    program: str
    began: str | None
    """The time in UTC, null where a match is played by bots alone."""
    ruleset: RulesetMark
    rounds: int
    seats: list[SeatMark]
    arena: ArenaMark | None = None


@frozen
class SeatRow:
    """Who decides for a seat from here on."""

    at: int
    version: int
    seat: int
    name: str
    player: Literal["person", "bot"]
    level: str | None
    stand_in: bool


@frozen
class WallRow:
    """The wall of a deal in drawing order, two letters a tile."""

    at: int
    deal: int
    dice: list[int]
    wall: str


@frozen
class EventRow:
    """What happened, whole; `event` is an event of docs/protocol.md, a settlement without the ruleset's words."""

    at: int
    version: int
    event: dict[str, Any]


@frozen
class OfferedRow:
    """What a seat was asked to choose from."""

    at: int
    version: int
    seat: int
    moves: list[MoveText]


@frozen
class AnsweredRow:
    """What it chose, and who chose for it."""

    at: int
    version: int
    seat: int
    move: MoveText
    by: AnsweredBy


@frozen
class EndRow:
    """The last line; `closed` where the table went before its match was over."""

    at: int
    reason: Literal["finished", "closed"]


RecordRow = SeatRow | WallRow | EventRow | OfferedRow | AnsweredRow | EndRow
_CLASSES: Final[dict[str, type[RecordRow]]] = {
    "seat": SeatRow,
    "wall": WallRow,
    "event": EventRow,
    "offered": OfferedRow,
    "answered": AnsweredRow,
    "end": EndRow,
}
_NAMES: Final = {cls: name for name, cls in _CLASSES.items()}
_CONVERTER: Final = make_converter()


def header_of(begun: MatchBegun, program: str, began: str | None, arena: ArenaMark | None = None) -> Header:
    """The header of the match that a journal begins."""
    return Header(
        program,
        began,
        RulesetMark(begun.ruleset, begun.ruleset_version, begun.digest, dict(begun.options)),
        begun.rounds,
        [SeatMark(one.name, "person" if one.level is None else "bot", one.level) for one in begun.seats],
        arena,
    )


def row_of(row: Row, since: float) -> RecordRow | None:
    """The row of a journal row, its time counted from `since`; None for what a record tells in another way."""
    at = round((row.at - since) * 1000)
    match row:
        case WallLaid():
            return WallRow(at, row.deal, row.dice, "".join(row.wall))
        case Happened():
            return EventRow(at, row.version, plain_event(row.event))
        case Offered():
            return OfferedRow(at, row.version, row.seat, row.moves)
        case Answered():
            return AnsweredRow(at, row.version, row.seat, row.move, row.by)
        case SeatChanged():
            # The person's id is its owner's business; the name is what everybody at the table saw.
            player: Literal["person", "bot"] = "bot" if row.person is None else "person"
            return SeatRow(at, row.version, row.seat, row.name, player, row.level, row.stand_in)
        case _:
            return None


def plain_event(event: TableEvent) -> dict[str, Any]:
    """An event as plain data, its tag first, without the words of the ruleset."""
    plain: dict[str, Any] = CONVERTER.unstructure(event)
    return _bare({"e": plain.pop("e"), **plain})  # type: ignore[no-any-return]  # a dict stays a dict


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if key not in _TEXTS}
    return [_bare(item) for item in value] if isinstance(value, list) else value


def line_of(row: Header | RecordRow) -> str:
    """The text of a row, with the line's end."""
    first = {"record": FORMAT} if isinstance(row, Header) else {"row": _NAMES[type(row)]}
    return json.dumps(first | _CONVERTER.unstructure(row), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_header(line: bytes) -> Header:
    """The header of a first line; raises RecordError."""
    value = read_object(line, 1)
    number = value.pop("record", None)
    if number is None:
        raise RecordError(1, 'a record begins with its header: {"record": 1, ...}')
    if type(number) is not int or number != FORMAT:
        found = str(number)[:20]
        raise RecordError(
            1, f"the record has format {found}, this program reads format {FORMAT}: use one that wrote it"
        )
    header: Header = _structured(value, Header, 1)
    if len(header.seats) != 4 or not 1 <= header.rounds <= 4:
        raise RecordError(1, "a match has 4 seats and 1 to 4 rounds")
    mark = header.ruleset
    if not (is_name(mark.key) and is_name(mark.version)):
        raise RecordError(1, "key and version of the ruleset are short, printable texts")
    return header


def is_name(value: object) -> bool:
    """True for a text that may be told on a terminal as it is."""
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= 80


def read_rows(lines: Iterable[bytes], first: int = 2) -> Iterator[tuple[int, RecordRow]]:
    """The rows after the header with their line numbers, the first of which is `first`.

    Raises RecordError at the first that is none, Truncated where the last breaks off.
    """
    for number, line in enumerate(lines, first):
        value = read_object(line, number)
        name = value.pop("row", None)
        cls = _CLASSES.get(name) if isinstance(name, str) else None
        if cls is None:
            raise RecordError(number, f"a row is one of {', '.join(_CLASSES)}")
        yield number, _structured(value, cls, number)


def read_object(line: bytes, number: int) -> dict[str, Any]:
    """The JSON object of a line; raises RecordError, Truncated where the line has no end and is none."""
    if len(line) > LONGEST:
        raise RecordError(number, f"the line is longer than {LONGEST} bytes")
    try:
        value = json.loads(line.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        if not line.endswith(b"\n"):
            raise Truncated(number, "the record breaks off in the middle of this line") from None
        raise RecordError(number, str(error) if isinstance(error, _Wrong) else "this is not JSON") from None
    if not isinstance(value, dict):
        raise RecordError(number, "a line holds one JSON object")
    return value


class _Wrong(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Wrong("a key appears twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _Wrong(f"{name} is no number here")


def _structured(value: dict[str, Any], cls: Callable[..., Any], number: int) -> Any:
    try:
        return _CONVERTER.structure(value, cls)  # type: ignore[arg-type]  # the classes above
    except ProtocolError as error:
        raise RecordError(number, str(error)) from None
    except ForbiddenExtraKeysError as error:
        unknown = ", ".join(sorted(repr(key)[:40] for key in error.extra_fields))
        raise RecordError(number, f"unknown key {unknown}; docs/record.md lists those there are") from None
    except KeyError as error:
        raise RecordError(number, f"the key {error.args[0]!r} is missing") from None
    except (ValueError, TypeError):
        raise RecordError(number, "a value has another type than docs/record.md says") from None
