"""The rows of a record and their text, both ways: one JSON object a line (docs/record.md)."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Final, Literal, get_args, get_origin

from attrs import fields, frozen, has
from cattrs.errors import ForbiddenExtraKeysError

from parlour_server.protocol.codec import CONVERTER, ProtocolError, make_converter
from parlour_server.protocol.events import TableEvent
from parlour_server.protocol.values import MoveText, OptionValue
from parlour_server.record_text import NotJson, object_in, text_in
from parlour_server.table.journal import Answered, AnsweredBy, Happened, MatchBegun, Offered, Row, SeatChanged, WallLaid

FORMAT: Final = 2
"""The number of the format that is written here; it rises with every change of what a row holds."""
_READ: Final = (1, FORMAT)
"""The formats that are read: in the first there was no shuffle that could be checked, and no seal."""
LONGEST: Final = 1 << 20
"""Bytes of the longest line that is read; no row of a match comes near."""
_MATCH: Final = re.compile(r"[0-9a-f]{32}")
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
    match: str | None = None
    """The public name of the match, null in the arena."""


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


@frozen
class SealRow:
    """After the last line: what the lines before come to, signed by the house; hex (docs/fairness.md)."""

    chain: str
    key: str
    signature: str


RecordRow = SeatRow | WallRow | EventRow | OfferedRow | AnsweredRow | EndRow | SealRow
_CLASSES: Final[dict[str, type[RecordRow]]] = {
    "seat": SeatRow,
    "wall": WallRow,
    "event": EventRow,
    "offered": OfferedRow,
    "answered": AnsweredRow,
    "end": EndRow,
    "seal": SealRow,
}
_NAMES: Final = {cls: name for name, cls in _CLASSES.items()}
_CONVERTER: Final = make_converter()
_EXPECTED: Final[dict[Any, str]] = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    list: "a list",
    dict: "an object",
}
"""The types of values, and how JSON's are called."""


def header_of(
    begun: MatchBegun, program: str, began: str | None, arena: ArenaMark | None = None, match: str | None = None
) -> Header:
    """The header of the match that a journal begins; `match` is its public name."""
    return Header(
        program,
        began,
        RulesetMark(begun.ruleset, begun.ruleset_version, begun.digest, dict(begun.options)),
        begun.rounds,
        [SeatMark(one.name, "person" if one.level is None else "bot", one.level) for one in begun.seats],
        arena,
        match,
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
        raise RecordError(1, 'a record begins with its header: {"record": 2, ...}')
    if type(number) is not int:
        raise RecordError(1, f"record: expected a whole number, found {_found(number)}")
    if number not in _READ:
        found = str(number)[:20]
        here = " and ".join(map(str, _READ))
        raise RecordError(1, f"the record has format {found}, this program reads formats {here}: use one that wrote it")
    header: Header = structured(value, Header, 1)
    if header.began is not None and not _is_time(header.began):
        raise RecordError(1, f"began: {header.began[:40]!r} is no time in UTC such as 2026-01-31T19:30:00Z")
    for seat, mark in enumerate(header.seats):
        if (mark.player == "bot") is (mark.level is None):
            raise RecordError(1, f"seats[{seat}]: a bot has a level, a person has none")
    if len(header.seats) != 4 or not 1 <= header.rounds <= 4:
        raise RecordError(1, "a match has 4 seats and 1 to 4 rounds")
    if header.match is not None and not _MATCH.fullmatch(header.match):
        raise RecordError(1, "match: a match is called by 32 digits in hex of small letters")
    if not (is_name(header.ruleset.key) and is_name(header.ruleset.version)):
        raise RecordError(1, "key and version of the ruleset are short, printable texts")
    return header


def _is_time(text: str) -> bool:
    try:
        return f"{datetime.strptime(text, '%Y-%m-%dT%H:%M:%S%z'):%Y-%m-%dT%H:%M:%SZ}" == text
    except ValueError:
        return False


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
        yield number, structured(value, cls, number)


def read_object(line: bytes, number: int) -> dict[str, Any]:
    """The JSON object of a line; raises RecordError, Truncated where the line has no end and is none."""
    if len(line) > LONGEST:
        raise RecordError(number, f"the line is longer than {LONGEST} bytes")
    try:
        text = text_in(line)
        if not text:
            raise RecordError(number, "the line is blank: take it out")
        return object_in(text, "write one row a line")
    except NotJson as error:
        if error.broken_off and not line.endswith(b"\n"):
            raise Truncated(number, "the record breaks off in the middle of this line") from None
        raise RecordError(number, str(error)) from None


def structured(value: dict[str, Any], cls: Callable[..., Any], number: int) -> Any:
    """The plain object of line `number` as one of `cls`; raises RecordError."""
    try:
        return _CONVERTER.structure(value, cls)  # type: ignore[arg-type]  # the classes above
    except (ForbiddenExtraKeysError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError(number, _problem(value, cls, "", error)) from None


def _problem(value: Any, hint: Any, place: str, error: Exception) -> str:
    """What is wrong with `value`, of which the converter says `error`, and at which key."""
    if type(None) in get_args(hint):
        # The converter took null, so the value is to be of the other type.
        (hint,) = [one for one in get_args(hint) if one is not type(None)]
    for name, item, inner in _parts(value, hint):
        try:
            _CONVERTER.structure(item, inner)
        except (ForbiddenExtraKeysError, AttributeError, KeyError, TypeError, ValueError) as deeper:
            return _problem(item, inner, f"{place}{name}" if name[0] == "[" or not place else f"{place}.{name}", deeper)
    at = f"{place}: " if place else ""
    kind = dict if has(hint) else get_origin(hint) or hint
    if kind in _EXPECTED and type(value) is not kind:
        return f"{at}expected {_EXPECTED[kind]}, found {_found(value)}"
    match error:
        case ProtocolError():
            return f"{at}{error}"
        case ForbiddenExtraKeysError():
            unknown = ", ".join(sorted(repr(key[:40]) for key in error.extra_fields))
            return f"{at}unknown key {unknown[:120]}; docs/record.md lists those there are"
        case KeyError():
            return f"{at}the key {error.args[0]!r} is missing"
        case _:
            return f"{at}a value has another type than docs/record.md says"


def _found(value: object) -> str:
    """What a value is, in the words of JSON."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return _EXPECTED.get(type(value), "a number that is not whole")


def _parts(value: Any, hint: Any) -> list[tuple[str, Any, Any]]:
    """Name, value and type of what is inside a value of this type."""
    if has(hint) and type(value) is dict:
        return [(one.name, value[one.name], one.type) for one in fields(hint) if one.name in value]
    if get_origin(hint) is list and type(value) is list:
        return [(f"[{at}]", item, get_args(hint)[0]) for at, item in enumerate(value)]
    return []
