"""Four people and a watcher play a whole match through real sockets, and each of them sees what it may see."""

import asyncio
from collections.abc import Callable
from functools import partial

import attrs
import pytest

from parlour_server.protocol.codec import JSON_SUBPROTOCOL, MSGPACK_SUBPROTOCOL
from parlour_server.protocol.events import DealStarted, Drew, Settled, TableEvent
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Accepted, Ask, Error, Events, Join, Seats, Table, TakeSeat
from parlour_server.table.journal import Happened, Row
from tests.kit.clients import Client, eager
from tests.kit.deals import seeded
from tests.server.conftest import House, Opening
from tests.server.settling import check_the_scores
from tests.server.table.sitting import steady

Choice = Callable[[Client, Ask], str]
SEED = 8
FRESH_EVERY = 40
"""Messages after which a client asks for a whole table and compares it with what it has folded."""


def leaves(value: object, path: str = "") -> dict[str, object]:
    """Every value with its path, so that a failure names what differs and not two whole tables."""
    if isinstance(value, dict):
        return {k: v for key, item in value.items() for k, v in leaves(item, f"{path}.{key}").items()}
    if isinstance(value, list) and value and not isinstance(value[0], str):
        return {k: v for index, item in enumerate(value) for k, v in leaves(item, f"{path}[{index}]").items()}
    return {path: value}


async def compare(client: Client) -> None:
    """Everything folded so far is what a fresh snapshot says."""
    assert client.table is not None
    await client.say(Join(client.table.table))
    while True:
        folded = client.table
        message = await client.next()
        if isinstance(message, Table):
            break
    assert leaves(attrs.asdict(message)) == leaves(attrs.asdict(folded))


async def play(client: Client, choose: Choice) -> None:
    """Answer every ask and agree to every settlement, to the end of the match."""
    count = agreed = 0
    while True:
        assert client.table is not None
        settled = client.table.settled
        if client.table.standing is not None:
            await compare(client)
            return
        if settled is not None and settled.deal > agreed:
            await compare(client)
            agreed = settled.deal
            if client.table.you is not None:
                await client.agree()
        if client.asked is not None:
            await client.answer(partial(choose, client), number=client.asked.version)
        message = await client.next()
        assert not isinstance(message, Error), message
        count += 1
        if count % FRESH_EVERY == 0:
            await compare(client)


def sensible(house: House) -> Choice:
    """As the project's own better bot plays, whose deals end in wins."""

    def choose(client: Client, ask: Ask) -> str:
        assert client.table is not None
        assert client.table.you is not None
        return steady(house.hall.find(client.table.table)._table, client.table.you, ask)

    return choose


async def four_people_and_a_watcher(house: House, ruleset: str) -> list[Client]:
    people = [
        await house.client(name, subprotocol=subprotocol)
        for name, subprotocol in [
            ("Ada", MSGPACK_SUBPROTOCOL),
            ("Bo", JSON_SUBPROTOCOL),
            ("Cy", MSGPACK_SUBPROTOCOL),
            ("Dee", MSGPACK_SUBPROTOCOL),
            ("Watcher", JSON_SUBPROTOCOL),
        ]
    ]
    ada = people[0]
    await ada.say(CreateTable(ruleset=ruleset, clocks="off", rounds=1))
    table = await ada.hear(Table)
    free = [seat.seat for seat in table.seats if seat.player == "bot"]
    for client in people[1:]:
        await client.say(Join(table.table))
        await client.hear(Table)
        if client is not people[-1]:
            await client.say(TakeSeat(free.pop()))
            await client.until(lambda one: one.table is not None and one.table.you is not None)
    return people


def events_of(client: Client) -> dict[int, TableEvent]:
    """By version, from the messages as they were heard; no version twice."""
    found: dict[int, TableEvent] = {}
    for message in client.heard:
        if isinstance(message, Events):
            for number, event in enumerate(message.events, message.version - len(message.events) + 1):
                assert number not in found
                found[number] = event
    return found


def as_seen(whole: TableEvent, seat: int | None) -> TableEvent:
    """What the rules let a seat or a watcher know: its own draws and its own dealt hand."""
    if isinstance(whole, Drew) and whole.seat != seat:
        return attrs.evolve(whole, tile=None)
    if isinstance(whole, DealStarted):
        return attrs.evolve(whole, hands=[hand if at == seat else None for at, hand in enumerate(whole.hands)])
    return whole


def shown_by(settled: Settled) -> set[int]:
    """Whose hands lie open: the winners', those that are scored too, and one that washed."""
    washed = {paid.seat for paid in settled.instant if paid.reason == "washing"}
    return {win.seat for win in settled.wins} | {hand.seat for hand in settled.hands} | washed


def check_nothing_hidden_is_told(watcher: Client) -> None:
    kinds = {type(message) for message in watcher.heard}
    assert Ask not in kinds
    assert Accepted not in kinds
    assert {Table, Events, Seats} <= kinds
    for message in watcher.heard:
        if isinstance(message, Table) and message.deal is not None:
            assert message.you is None
            shown = set() if message.settled is None else shown_by(message.settled)
            assert all((seat.tiles is None) is (number not in shown) for number, seat in enumerate(message.deal.seats))
            assert all(seat.drawn is None for seat in message.deal.seats)
        if isinstance(message, Events):
            for event in message.events:
                if isinstance(event, DealStarted):
                    assert event.hands == [None] * 4
                if isinstance(event, Drew):
                    assert event.tile is None


@pytest.mark.parametrize(("ruleset", "eagerly"), [("lrc", True), ("classical", False), ("classical-limit", False)])
async def test_a_whole_match(open_house: Opening, ruleset: str, eagerly: bool) -> None:
    rows: list[Row] = []
    house = await open_house(deals_of=seeded(SEED), record=lambda _, more: rows.extend(more))
    people = await four_people_and_a_watcher(house, ruleset)
    choose = (lambda _, ask: eager(ask)) if eagerly else sensible(house)

    await asyncio.gather(*(play(client, choose) for client in people))

    told = {row.version: row.event for row in rows if isinstance(row, Happened)}
    last = max(told)
    assert list(told) == list(range(1, last + 1))
    for client in people:
        final = client.table
        assert final is not None
        assert final.version == last
        assert final.standing is not None
        heard = events_of(client)
        assert sorted(heard) == list(range(min(heard), last + 1)), "a gap"
        assert heard == {number: as_seen(told[number], final.you) for number in heard}
    # Scores are points that went from one to another, deal after deal (P11, P13).
    settlements = [event for event in told.values() if isinstance(event, Settled)]
    assert len(settlements) >= 4
    assert any(event.wins for event in settlements)
    assert all(sum(event.scores) == sum(event.changes) == 0 for event in settlements)
    check_the_scores(list(told.values()), limit=300 if ruleset == "classical-limit" else None)
    check_nothing_hidden_is_told(people[-1])
