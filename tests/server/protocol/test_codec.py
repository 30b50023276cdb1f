"""Frames in, messages out: every message survives the wire, every other byte string is refused by name."""

import json
import random
import tracemalloc
from typing import Any, get_args

import attrs
import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.protocol import codec, lobby, messages, values
from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL, ProtocolError, decode, encode
from parlour_server.protocol.events import Discarded, Drew, Settled, TableEvent

SUBPROTOCOLS = [MSGPACK_SUBPROTOCOL, JSON_SUBPROTOCOL]

FROM_CLIENT: list[messages.FromClient] = [
    messages.Hello(protocol=1),
    messages.Hello(protocol=1, token="t" * 128, name="陳大文"),
    lobby.CreateTable(),
    lobby.CreateTable(
        options={"calling": True, "base": 10, "winners": "nearest"}, rounds=4, clocks="off", bots=["random"]
    ),
    messages.Join(table="abc"),
    messages.Join(table="abc", seen=2**53 - 1),
    messages.TakeSeat(seat=3),
    messages.Play(version=17, move="chow 456p", id=3),
    messages.Ready(deal=1),
    messages.Why(id=4),
    messages.Leave(),
    lobby.Rename(name="Ann"),
    lobby.Ping(n=9),
    lobby.Register(account="ann", password="long enough to be one"),
    lobby.LogIn(account="ann", password="long enough to be one"),
    lobby.LogOut(everywhere=True),
    lobby.ListTables(),
    lobby.QuickMatch(ruleset="lrc"),
    lobby.ListMatches(mine=False, before="ab12"),
    lobby.AskStatistics(),
    messages.Start(),
    messages.Entropy(deal=1, nonce="0123456789abcdef" * 2),
    messages.Pause(wanted=True),
    messages.EndMatch(wanted=False),
    messages.Say(text="食糊！"),
    messages.AskHistory(deal=3),
]


def refused(frame: bytes | str) -> str:
    with pytest.raises(ProtocolError) as caught:
        decode(frame)
    return str(caught.value)


def text(**fields: object) -> str:
    return json.dumps(fields)


def test_every_kind_of_client_message_is_among_the_samples() -> None:
    assert {type(message) for message in FROM_CLIENT} == set(get_args(messages.FromClient))


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
@pytest.mark.parametrize("message", FROM_CLIENT, ids=lambda message: type(message).__name__)
def test_a_client_message_survives_the_wire(message: messages.FromClient, subprotocol: str) -> None:
    assert decode(encode(message, subprotocol)) == message


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_events_survive_the_wire_with_what_is_hidden_and_in_order(subprotocol: str) -> None:
    sent = messages.Events(
        table="t", version=5, events=[Drew(seat=1, tile=None, source="wall", left=60), Discarded(1, "5p", drawn=True)]
    )
    assert codec.decode_reply(encode(sent, subprotocol)) == sent


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_a_whole_settlement_survives_the_wire(subprotocol: str) -> None:
    names = values.Names(en="Jade Hand", zh="翡翠")
    win = values.WinValue(
        seat=2,
        by="discard",
        tile="5p",
        source=0,
        hand=["5p", "6z"],
        melds=[values.MeldValue("concealed_gong", ["1m"] * 4)],
        flowers=["1f"],
        reading=[values.GroupValue("eyes", ["5p", "5p"], declared=False, winning=True)],
        considered=[values.ConsideredValue([values.GroupValue("eyes", ["5p", "5p"], False, False)], 3, 6)],
        awards=[values.AwardLine("jade_hand", names, 20, 1, "A-65", names, doubles=0, limit=None)],
        replaced=[values.ReplacedLine("pong", names, "jade_hand", 2)],
        points=20,
        total=25,
        payments=[-25, 0, 25, 0],
        doubles=0,
        limited=False,
    )
    hand = values.HandValue(
        seat=3,
        hand=["1m"] * 3,
        melds=[],
        flowers=["1f"],
        reading=[values.GroupValue("pong", ["1m"] * 3, declared=False, winning=False)],
        awards=[values.AwardLine("fives", names, 0, 1, "A-65", names, doubles=1, limit="half")],
        points=8,
        doubles=1,
        total=16,
        limited=False,
    )
    settled: TableEvent = Settled(
        deal=1,
        wins=[win],
        hands=[hand],
        transfers=[values.TransferValue(3, 2, 25, "hand", doubled=True)],
        danger=values.DangerValue(3, ["suit", "heads"], "no_other_tile"),
        instant=[values.InstantValue(1, "mixed_set", [-5, 15, -5, -5])],
        changes=[-25, 0, 25, 0],
        scores=[-30, 15, 20, -5],
        next=values.NextDeal(deal=2, dealer=1, round_wind=0, streak=0),
    )
    sent = messages.Events("t", 9, [settled])
    assert codec.decode_reply(encode(sent, subprotocol)) == sent


# --- N01: valid scalars that are no message ---------------------------------------------------------------------


@pytest.mark.parametrize("octets", ["c0", "01", "a3616263", "90", "80", "81a174c0", "c3", "cb3ff0000000000000", ""])
def test_a_valid_frame_that_is_no_message_is_refused(octets: str) -> None:
    assert refused(bytes.fromhex(octets))


@pytest.mark.parametrize(
    "frame", ["", "null", "1", '"abc"', "[]", "{}", '{"t": null}', "{", "\x00", '{"type": ["play"]}']
)
def test_valid_json_that_is_no_message_is_refused(frame: str) -> None:
    assert refused(frame)


# --- N03: bombs and what msgpack alone would accept ---------------------------------------------------------------

NAN = msgpack.packb({"type": "ping", "n": float("nan")})
INFINITE = msgpack.packb({"type": "ping", "n": float("inf")})
EXTENSION = msgpack.packb({"type": "ping", "n": msgpack.ExtType(5, b"x")})
TIMESTAMP = msgpack.packb({"type": "ping", "n": msgpack.Timestamp(1)})
HUGE = msgpack.packb({"type": "ping", "n": 2**64 - 1})
TWICE = b"\x82\xa4type\xa5leave\xa4type\xa4ping"
NUMBER_KEY = b"\x81\x01\x02"
OCTETS_KEY = msgpack.packb({b"type": "leave"}, use_bin_type=True)
OCTETS = msgpack.packb({"type": b"leave"}, use_bin_type=True)


@pytest.mark.parametrize(
    "frame",
    [
        bytes.fromhex("dd7fffffff"),
        bytes.fromhex("df7fffffff"),
        bytes.fromhex("c67fffffff"),
        bytes.fromhex("db7fffffff"),
        b"\x91" * 600 + b"\xc0",
        b"\x91" * 4000 + b"\xc0",
        b"\x91" * 100_000 + b"\xc0",
        b"\x81\xa1a" * 600 + b"\xc0",
        "[" * 600 + "]" * 600,
        "[" * 2048 + "]" * 2048,
        '{"a":' * 500 + "1" + "}" * 500,
        NAN,
        INFINITE,
        EXTENSION,
        TIMESTAMP,
        HUGE,
        TWICE,
        NUMBER_KEY,
        OCTETS_KEY,
        OCTETS,
        '{"type": "ping", "n": NaN}',
        '{"type": "ping", "n": 1e999}',
        '{"type": "ping", "n": 1.0}',
        '{"type": "ping", "type": "ping"}',
        '{"type": "ping", "n": ' + "9" * 4000 + "}",
        "x" * 5000,
        b"\x80" + b"x" * 5000,
    ],
    ids=lambda frame: repr(frame[:12]),
)
def test_a_bomb_is_refused_shortly_and_cheaply(frame: bytes | str) -> None:
    tracemalloc.start()
    try:
        message = refused(frame)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 256 * 1024
    assert 0 < len(message.encode()) <= 200


def test_the_largest_frame_is_4096_bytes() -> None:
    body = text(type="ping", n=1)
    assert decode(body + " " * (4096 - len(body))) == lobby.Ping(n=1)
    assert "4096" in refused(body + " " * (4097 - len(body)))


def test_size_is_counted_in_bytes_of_the_line_and_not_in_letters() -> None:
    assert "larger" in refused(json.dumps({"type": "rename", "name": "牌" * 1500}, ensure_ascii=False))


def test_half_a_surrogate_pair_is_refused_for_it_could_not_be_sent_on() -> None:
    assert refused('{"type": "rename", "name": "\\ud800"}')
    assert refused('{"type": "create_table", "options": {"\\ud800": true}}')
    assert refused('{"type": "create_table", "options": {"base": "\\ud800"}}')
    assert decode('{"type": "rename", "name": "\\ud83c\\udc04"}') == lobby.Rename(name="🀄")


# --- the schema --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "shout"},
        {"type": None},
        {"type": 1},
        {"type": "leave", "seat": 2},
        {"type": "play", "version": 1, "move": "win", "seat": 2},
        {"type": "play", "version": 1},
        {"type": "play", "move": "win"},
        {"type": "play", "version": -1, "move": "win"},
        {"type": "play", "version": 2**53, "move": "win"},
        {"type": "play", "version": "1", "move": "win"},
        {"type": "play", "version": True, "move": "win"},
        {"type": "play", "version": 1.0, "move": "win"},
        {"type": "play", "version": 1, "move": 5},
        {"type": "play", "version": 1, "move": "x" * 41},
        {"type": "play", "version": 1, "move": ["win"]},
        {"type": "take_seat", "seat": 4},
        {"type": "take_seat", "seat": -1},
        {"type": "take_seat"},
        {"type": "ready", "deal": None},
        {"type": "join", "table": "x" * 65},
        {"type": "join", "table": "x", "seen": -1},
        {"type": "join", "table": None},
        {"type": "hello", "protocol": 1, "token": "x" * 129},
        {"type": "hello", "protocol": 1, "name": "x" * 81},
        {"type": "hello"},
        {"type": "rename", "name": "x" * 81},
        {"type": "create_table", "rounds": 2},
        {"type": "create_table", "rounds": True},
        {"type": "create_table", "rounds": "1"},
        {"type": "create_table", "clocks": "fast"},
        {"type": "create_table", "bots": ["a"] * 4},
        {"type": "create_table", "bots": "abc"},
        {"type": "create_table", "bots": {"a": 1}},
        {"type": "create_table", "bots": [1]},
        {"type": "create_table", "options": {"base": 1.5}},
        {"type": "create_table", "options": {"base": None}},
        {"type": "create_table", "options": {"base": [1]}},
        {"type": "create_table", "options": {"base": 2**53}},
        {"type": "create_table", "options": {"base": "x" * 41}},
        {"type": "create_table", "options": {str(i): 1 for i in range(41)}},
        {"type": "create_table", "options": []},
        {"type": "create_table", "pad_windows": 1},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("packed", [False, True])
def test_what_does_not_fit_its_type_is_refused(fields: dict[str, Any], packed: bool) -> None:
    frame: bytes | str = msgpack.packb(fields) if packed else json.dumps(fields)
    assert len(refused(frame).encode()) <= 200


def test_an_error_never_repeats_what_was_sent() -> None:
    secret = "hunter2"
    for frame in (
        text(type=secret),
        text(type="leave", **{secret: 1}),
        text(type="play", version=1, move=secret * 10),
        text(type="play", version=secret, move="win"),
        text(type="create_table", clocks=secret),
        text(type="create_table", options={secret: None}),
        secret,
    ):
        assert secret not in refused(frame)


def test_a_reply_with_an_unknown_key_is_refused() -> None:
    with pytest.raises(ProtocolError):
        codec.decode_reply('{"type": "pong", "n": 1, "extra": 2}')


# --- fuzz --------------------------------------------------------------------------------------------------------


def survives(frame: bytes | str) -> bool:
    """True if it was a message; any exception but ProtocolError fails the test."""
    refusal = b""
    try:
        decode(frame)
    except ProtocolError as error:
        refusal = str(error).encode()
    assert len(refusal) <= 200
    return not refusal


def test_random_and_mutated_frames_raise_nothing_else(request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("hypothesis_seed"))
    real = [msgpack.packb(codec.CONVERTER.unstructure(message)) for message in FROM_CLIENT]
    taken = 0
    for number in range(30_000):
        if number % 3 == 0:
            frame = chance.randbytes(chance.randrange(0, 60))
        else:
            octets = bytearray(chance.choice(real))
            for _ in range(chance.randrange(1, 4)):
                octets[chance.randrange(len(octets))] = chance.randrange(256)
            if chance.random() < 0.2:
                del octets[chance.randrange(len(octets)) :]
            frame = bytes(octets)
        taken += survives(frame)
    # Some mutations only change a name or a number: a fuzz that never gets in tests the first line only.
    assert taken > 100


def test_mutated_json_raises_nothing_else(request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("hypothesis_seed"))
    real = [encode(message, JSON_SUBPROTOCOL) for message in FROM_CLIENT]
    letters = '{}[]",:0123456789.eE+-\\u/ntruefalsx\x00牌\ud800'
    taken = 0
    for _ in range(10_000):
        frame = list(chance.choice(real))
        for _ in range(chance.randrange(1, 3)):
            frame[chance.randrange(len(frame))] = chance.choice(letters)
        taken += survives("".join(str(letter) for letter in frame))
    assert taken > 30


SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(max_size=9)
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)
FIELDS = sorted({field.name for cls in get_args(messages.FromClient) for field in attrs.fields(cls)})
TYPES = [cls().type for cls in (messages.Leave, lobby.Ping, lobby.CreateTable)] + ["play", "join", "hello"]


@given(st.dictionaries(st.sampled_from(FIELDS), TREES, max_size=5), st.sampled_from(TYPES))
def test_our_own_words_with_any_values_raise_nothing_else(fields: dict[str, Any], kind: str) -> None:
    frame = msgpack.packb({**fields, "type": kind}, unicode_errors="surrogatepass")
    survives(frame)


@given(st.binary(max_size=200))
def test_any_octets_raise_nothing_else(frame: bytes) -> None:
    survives(frame)
