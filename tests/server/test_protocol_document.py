"""docs/protocol.md says what the code does: every message with its fields, and a session that can be repeated."""

import json
import random
import re
from itertools import count
from pathlib import Path
from typing import Any, get_args, get_type_hints

import attrs
import pytest
from websockets.frames import Frame, Opcode

from parlour_server import chance
from parlour_server import page as page_module
from parlour_server.bot_seats import BotSeats
from parlour_server.conversation import INTERNAL, POLICY
from parlour_server.door import _RECORD, SOCKET_PATH
from parlour_server.fairness.deals import FairDeals
from parlour_server.metrics import REASONS
from parlour_server.people import requests
from parlour_server.protocol import events, listings, lobby, messages, values
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, decode
from parlour_server.protocol.typescript import _type, plain_classes
from parlour_server.server import RESTART
from parlour_server.settings import Limits, Listen, Settings, Tables
from parlour_server.storage.matches import match_id
from tests.server.conftest import Opening
from tests.server.test_conversation import closing, raw_line

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
FROM_CLIENT = get_args(messages.FromClient)
SEED = 8


def tag(cls: type) -> str:
    """What names a class on the wire, or its own name for a value."""
    hints = get_type_hints(cls)
    choices = get_args(hints.get("type") or hints.get("e"))
    return str(choices[0]) if len(choices) == 1 else cls.__name__


def classes() -> list[type]:
    plain = [cls for module in (values, listings) for cls in plain_classes(module)]
    return [*FROM_CLIENT, *get_args(messages.ToClient), *get_args(events.TableEvent), *plain, lobby.RulesetLine]


def default(field: "attrs.Attribute[Any]") -> str:
    if field.default is attrs.NOTHING:
        return ""
    factory = getattr(field.default, "factory", None)
    value = field.default if factory is None else factory()
    return f"`{json.dumps(value)}`"


def test_every_way_in_which_a_line_is_closed_is_told() -> None:
    """And none besides; 1000 is a client's own, 1002 to 1009 but for 1008 the WebSocket's."""
    rows = re.findall(r"^\| (1\d{3}(?:, 1\d{3})*) \| (.*?) \|", DOCUMENT, re.MULTILINE)
    codes = {int(code) for row, _ in rows for code in row.split(", ")}
    assert codes == {1000, 1002, 1006, 1007, POLICY, 1009, INTERNAL, RESTART}
    told = {row: set(re.findall(r"`(.*?)`", words)) for row, words in rows}
    assert told[str(POLICY)] == {words for words in REASONS if REASONS[words] in OF_POLICY} - UNSPOKEN
    assert told[str(INTERNAL)] == {"internal error", "nothing can be written", "keepalive ping timeout"}


OF_POLICY = {"no_hello", "protocol", "flood", "too_many", "signed_out", "banned"}
UNSPOKEN = {"too many control frames or fragments", "goes on after its end", "too many connections"}
"""Why a line is cut without a word, or refused before it is a WebSocket."""


@pytest.mark.parametrize(
    ("opcode", "octets", "code"),
    [(Opcode.TEXT, b"\xff\xfe", 1007), (Opcode.CONT, b"x", 1002), (Opcode.TEXT, b"x" * 5000, 1009)],
)
async def test_what_is_no_websocket_is_told_so_by_its_code(
    open_house: Opening, opcode: Opcode, octets: bytes, code: int
) -> None:
    line = await raw_line(await open_house(), JSON_SUBPROTOCOL)
    line.transport.write(Frame(opcode, octets).serialize(mask=True))
    assert (await closing(line))[0] == code


async def test_a_server_that_stops_says_that_it_restarts(open_house: Opening) -> None:
    house = await open_house()
    line = await raw_line(house)
    await house.parlour.__aexit__(None, None, None)
    assert (await closing(line))[0] == RESTART


@pytest.mark.parametrize("cls", classes(), ids=tag)
def test_every_field_is_told_with_its_type_and_default(cls: type) -> None:
    section = re.search(rf"^### `{tag(cls)}`\n(.*?)(?=^##)", DOCUMENT + "\n## ", re.MULTILINE | re.DOTALL)
    assert section is not None
    rows = [re.split(r" (?<!\\)\| ", row.strip("| ")) for row in re.findall(r"^\| `.*$", section[1], re.MULTILINE)]
    hints = get_type_hints(cls)
    expected = [
        [f"`{field.name}`", f"`{_type(hints[field.name])}`"] + ([default(field)] if cls in FROM_CLIENT else [])
        for field in attrs.fields(cls)
        if tag(cls) == cls.__name__ or field.name not in {"type", "e"}
    ]
    assert [[cell.replace("\\|", "|").strip() for cell in row[:-1]] for row in rows] == expected
    assert all(row[-1].strip() for row in rows)


def addresses(examples: dict[str, list[str]]) -> set[str]:
    """The paths that the document names, with examples in place of what stands in angle brackets."""
    table = DOCUMENT.split("## Over HTTP")[1].split("\n## ")[0]
    paths = [path for row in re.findall(r"^\| (`/.*?) \|", table, re.MULTILINE) for path in re.findall("`(.*?)`", row)]
    found = set()
    for path in paths:
        variables = re.findall(r"<\w+>", path)
        for example in examples[variables[0]] if variables else [""]:
            found.add(path.replace(variables[0], example) if variables else path)
    return found


async def test_every_address_of_the_server_is_told_and_no_other(open_house: Opening) -> None:
    """The client's own built files are read by its page alone."""
    house = await open_house()
    door, page = house.parlour._door, house.parlour._door._page
    made = {path for path in page._assets if not path.startswith("/assets/")} - {"/index.html"}
    match = "0123456789abcdef" * 2
    keys = [line.key for line in house.hall.ruleset_lines]
    told = addresses({"<id>": ["Az09_-"], "<match>": [match], "<key>": keys})

    assert {path for path in told if page.find(path) is not None and page.find(path) is not page._index} == made
    linked = {"/", "/t/Az09_-", "/games", "/replay", f"/replay/{match}"}
    assert {path for path in told if page.find(path) is page._index} == linked
    assert re.findall("[a-z]+", re.sub(r"\[.*?\]", "", page_module._LINKS.pattern)) == ["t", "games", "replay"]
    assert told - made - linked == {*door._told, SOCKET_PATH, f"/records/{match}.jsonl"}
    assert _RECORD.fullmatch(f"/records/{match}.jsonl")


def test_what_takes_a_while_is_told() -> None:
    section = DOCUMENT.split("## Requests that take a while")[1].split("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", section.split(" wait for ")[0])) == {tag(cls) for cls in get_args(requests.Slow)}


def test_every_error_is_told() -> None:
    table = DOCUMENT.split("## Errors")[1].split("## Growth")[0]

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(get_args(messages.ErrorCode))


def test_the_limits_are_those_of_the_settings() -> None:
    limits = Limits()
    table = DOCUMENT.split("## The line")[1].split("## Identity")[0]

    for words in (
        f"| {limits.messages_per_second}, with {limits.messages_burst} at once |",
        f"| {limits.outbox_messages}, or {limits.outbox_bytes // 1024} KiB, or {limits.stall_seconds} s",
        f"| {limits.sockets_per_guest} |",
        f"| {limits.sockets_per_address} ({limits.sockets_per_address_loopback} from",
    ):
        assert words in table
    assert limits.hello_seconds == 5
    assert "within five seconds" in table


SESSION = DOCUMENT.split("## A session")[1].split("```\n")[1]


async def test_the_session_is_what_happens(open_house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seats, tokens and seeds give the same session, byte for byte."""
    numbers = count(1)
    monkeypatch.setattr(chance.Chance, "token", lambda *_: f"made-by-chance-{next(numbers)}")
    monkeypatch.setattr(chance, "SystemRandom", lambda: random.Random(1))
    settings = Settings(listen=Listen(port=0), tables=Tables(demonstration=False))
    delay = BotSeats._delay
    # No bot ends its turn while the session lasts, however slow the machine: the words stay in this order.
    monkeypatch.setattr(
        BotSeats,
        "_delay",
        lambda bots, seat, ask, left=None: 60.0 if ask.kind == "turn" else delay(bots, seat, ask, left),
    )
    # Not the digest of the rules in force: the tiles of the document stay when a line of those is changed.
    house = await open_house(
        settings, deals_of=lambda table: FairDeals(match_id(table), "00" * 32, random.Random(SEED).randbytes)
    )
    line = await raw_line(house, JSON_SUBPROTOCOL)

    heard = []
    for spoken in SESSION.splitlines():
        if spoken.startswith("> "):
            await line.send(spoken[2:])
            heard.append(spoken)
        else:
            told = str(await line.recv())
            heard.append("< " + re.sub(r'"rulesets":\[.*\](?=,"bots")', '"rulesets":[...]', told))

    assert "\n".join(heard) + "\n" == SESSION


def test_the_hexadecimal_is_the_same_messages() -> None:
    spoken = [line[2:] for line in SESSION.splitlines() if line.startswith("> ")]
    block = DOCUMENT.split("in hexadecimal:\n\n```\n")[1].split("```")[0]

    frames = [bytes.fromhex(line) for line in block.splitlines()]

    assert len(frames) == 3
    for frame, text in zip(frames, spoken, strict=False):
        assert decode(frame) == decode(text)
