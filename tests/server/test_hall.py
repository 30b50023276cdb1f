"""Tables come and go, and what goes wrong at one stays there."""

import asyncio
import io
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal

import attrs
import pytest

from parlour_bots.chance import Chance
from parlour_engine.moves import PASS_MOVE, Move, parse_move
from parlour_engine.procedure import Procedure
from parlour_engine.views import View
from parlour_server import bot_seats, hall, sweep
from parlour_server.log import start_log
from parlour_server.protocol.lobby import CreateTable, Ping, Pong, QuickMatch
from parlour_server.protocol.messages import Ask, Error, Events, Join, Leave, Left, Table, TakeSeat
from parlour_server.protocol.values import OptionValue
from parlour_server.settings import Bots, Listen, Settings, Tables
from parlour_server.table.journal import Answered, Happened, Row
from parlour_server.table.shuffling import Laid
from tests.kit.clients import Client, eager
from tests.kit.deals import Deals, seeded, unforeseen
from tests.kit.stores import MemoryStore
from tests.server.conftest import OPEN, Opening
from tests.server.table.test_washing import NINE
from tests.server.table.test_washing import wall as washable


async def lives(client: Client) -> None:
    """The client's own table goes on: an answer is taken and something comes of it."""
    while client.asked is None:
        await client.next()
    await client.answer(eager)
    await client.hear(Events)


def broken(number: int, _: Procedure) -> Laid:
    raise RuntimeError(f"no wall for deal {number}")


async def test_a_table_that_fails_again_and_again_is_frozen_and_the_others_go_on(open_house: Opening) -> None:
    made: dict[str, Deals] = {}

    def deals_of(table: str) -> Deals:
        return made.setdefault(table, broken if made else unforeseen)

    house = await open_house(deals_of=deals_of)
    good, bad = await house.client("Good"), await house.client("Bad")
    await good.say(CreateTable(clocks="off"))
    await good.hear(Table)

    await bad.say(CreateTable(clocks="off"))

    await bad.until(lambda client: client.table is not None and client.table.standstill.stopped == "frozen")
    assert house.hall.states() == {"playing": 1, "frozen": 1}
    await lives(good)
    await bad.say(Ping(1))
    await bad.hear(Pong)


async def test_a_table_that_fails_while_it_tells_is_made_anew_and_nobody_misses_anything(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, faults = bot_seats.BotSeats.ask, [RuntimeError("the bot is out")]

    def fails(*arguments: Any) -> None:
        if faults:
            raise faults.pop()
        real(*arguments)

    monkeypatch.setattr(bot_seats.BotSeats, "ask", fails)
    house = await open_house()
    client = await house.client("Ada")
    await client.say(CreateTable(clocks="off"))

    await lives(client)
    assert not faults
    assert house.hall.states() == {"playing": 1}


async def test_a_fault_is_logged_once_without_names_or_tokens(open_house: Opening) -> None:
    written = io.StringIO()
    start_log("info", written)
    house = await open_house(deals_of=lambda _: broken)
    client = await house.client("Zaphod")
    await client.say(CreateTable(clocks="off"))
    await client.until(lambda one: one.table is not None and one.table.standstill.stopped == "frozen")

    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    crashes = ["table failed", "table revived"]
    assert [line["event"] for line in lines] == ["table made", *crashes, *crashes, *crashes]
    assert "no wall for deal 1" in lines[1]["exception"]
    assert client.token is not None
    assert "Zaphod" not in written.getvalue()
    assert client.token not in written.getvalue()


ANY: dict[str, list[OptionValue]] = {"boolean": [True, False], "integer": [0, 1, 1_000_000], "text": []}
"""What a switch may be that lists no values."""


class _Raising:
    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        raise RuntimeError("I cannot think")


class _Passing:
    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return PASS_MOVE if PASS_MOVE in legal else legal[0]


class _Cheating:
    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return parse_move("promoted_gong 7z")


@pytest.mark.parametrize("bot", [_Raising, _Cheating])
async def test_a_bot_that_fails_passes_or_makes_the_first_move(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch, bot: Callable[[], object]
) -> None:
    monkeypatch.setattr(bot_seats, "make_bot", lambda level: bot())
    house = await open_house(deals_of=seeded(8))
    ada = await house.client()
    await ada.say(CreateTable(clocks="off"))

    for _ in range(8):
        await lives(ada)


async def test_a_window_of_bots_lasts_its_floor(open_house: Opening) -> None:
    """The time of a bot's claim or pass shows nothing: what follows a discard comes when the floor has passed."""
    floor = 300
    settings = Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(floor_ms=floor), bots=Bots(0, 0))
    rows: list[Row] = []
    house = await open_house(settings, record=lambda _, more: rows.extend(more), deals_of=seeded(8))
    client = await house.client()
    await client.say(CreateTable(clocks="off"))
    own = 0
    while own < 3:
        if client.asked is not None:
            own += client.asked.kind == "turn"
            await client.answer(lambda ask: "pass" if "pass" in ask.moves else ask.moves[-1])
        await client.next()

    told = [row for row in rows if isinstance(row, Happened)]
    windows = [after.at - before.at for before, after in pairwise(told) if before.event.e == "discard"]
    assert len(windows) >= 4
    assert min(windows) >= floor / 1000


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (CreateTable(ruleset="riichi"), "lrc"),
        (CreateTable(ruleset="../../etc/passwd"), "lrc"),
        (CreateTable(bots=["steady", "steady"]), "three"),
        (CreateTable(bots=["steady", "steady", "genius"]), "steady"),
        (CreateTable(options={"no_such_switch": True}), "calling"),
        (CreateTable(options={"\u9ebb" * 900: True}), "calling"),
        (CreateTable(ruleset="\u9ebb" * 40), "lrc"),
        (CreateTable(options={"base": 2**53 - 1}), "base"),
        (CreateTable(options={"base": True}), "base"),
        (CreateTable(options={"base": "much"}), "base"),
        (CreateTable(ruleset="classical", options={"base": 5}), "only_place"),
        (CreateTable(ruleset="classical", options={"only_place": "guess"}), "only_place of classical may be"),
        (CreateTable(ruleset="classical", options={"mandarins": 1}), "mandarins of classical may be true or false"),
        (CreateTable(ruleset="classical-limit", options={"limit": -1}), "limit of classical-limit may be a whole"),
        (CreateTable(ruleset="classical-limit", options={"limit": True}), "limit of classical-limit may be a whole"),
        (CreateTable(ruleset="classical-limit", options={"washing": "yes"}), "true or false"),
    ],
)
async def test_a_table_that_cannot_be_is_refused(open_house: Opening, wanted: CreateTable, words: str) -> None:
    house = await open_house()
    client = await house.client()

    await client.say(wanted)

    error = await client.hear(Error)
    assert error.code == "bad_settings"
    assert words in error.message
    assert len(error.message.encode()) <= 200
    assert error.message.isascii(), "nothing that was sent is repeated"
    assert "no_such" not in error.message
    assert len(house.hall) == 0


async def test_the_settings_name_the_switches_that_differ(open_house: Opening) -> None:
    house = await open_house()
    client = await house.client()
    await client.say(CreateTable(options={"base": 6, "swap_claim": True, "winners": "nearest"}))
    table = await client.hear(Table)
    assert table.settings.options == {"base": 6, "winners": "nearest"}


@pytest.mark.parametrize(("rounds", "expected"), [(None, 4), (1, 1), (4, 4)])
async def test_a_match_is_as_long_as_the_game_says_or_as_was_chosen(
    open_house: Opening, rounds: Literal[1, 4] | None, expected: int
) -> None:
    # lrc P21: four rounds; one is a short match.
    house = await open_house()
    client = await house.client()
    assert client.welcome is not None
    assert {line.rounds for line in client.welcome.rulesets} == {4}
    await client.say(CreateTable(rounds=rounds))
    assert (await client.hear(Table)).settings.rounds == expected


async def test_every_ruleset_of_the_welcome_and_every_value_of_its_switches_makes_a_table(open_house: Opening) -> None:
    house = await open_house(
        Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(per_guest=200), bots=Bots(9_000, 9_000))
    )
    client = await house.client()
    assert client.welcome is not None
    lines = {line.key: line for line in client.welcome.rulesets}
    assert {"lrc", "classical", "classical-limit"} <= lines.keys()
    assert {key: lines[key].hand_size for key in ("lrc", "classical", "classical-limit")} == {
        "lrc": 16,
        "classical": 13,
        "classical-limit": 13,
    }
    tried = 0
    for line in lines.values():
        for option in line.options:
            assert option.name.en
            assert option.name.zh
            assert not option.values or option.default in option.values
            for value in option.values or ANY[option.type]:
                await client.say(CreateTable(ruleset=line.key, options={option.id: value}))
                table = await client.hear(Table)
                await client.until(lambda one: one.table is not None and one.table.deal is not None)
                assert table.settings.ruleset == line.key
                assert table.settings.options == ({} if value == option.default else {option.id: value})
                assert client.table is not None
                assert client.table.deal is not None
                assert min(seat.size for seat in client.table.deal.seats) == line.hand_size
                await client.say(Leave())
                await client.hear(Left)
                tried += 1
    assert tried > 40


@pytest.mark.parametrize("asked", [True, False])
async def test_a_window_for_washing_lasts_its_floor(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch, asked: bool
) -> None:
    """However fast bots pass, and whether or not one is asked: two seats are dealt nine heads, or nobody is."""
    monkeypatch.setattr(bot_seats, "make_bot", lambda level: _Passing())
    settings = Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(floor_ms=200), bots=Bots(0, 0))
    rows: list[Row] = []
    tiles = washable("", NINE, NINE) if asked else washable()
    house = await open_house(
        settings, record=lambda _, more: rows.extend(more), deals_of=lambda _: lambda _, __: (tiles, (1, 2, 3, 4))
    )
    client = await house.client()
    await client.say(CreateTable(ruleset="classical-limit", clocks="off"))
    while client.table is None or client.table.deal is None or client.table.deal.phase.kind != "discarding":
        if client.asked is not None:
            await client.answer(lambda _: "pass")
        await client.next()
    told = {row.event.e: row for row in rows if isinstance(row, Happened)}
    opened, closed = told["washing_opened"], told["washing_closed"]
    answered = [row for row in rows if isinstance(row, Answered) and row.version == opened.version]
    assert len(answered) == (2 if asked else 0)
    assert all(row.at < opened.at + 0.2 for row in answered)
    assert closed.at >= opened.at + 0.2


async def test_every_seat_may_be_drawn_and_links_are_long(open_house: Opening) -> None:
    """The maker's seat is drawn by chance, as the winds are (P2)."""
    house = await open_house(
        Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(per_guest=200), bots=Bots(9_000, 9_000))
    )
    client = await house.client()
    links, seats = set(), set()
    for _ in range(100):
        await client.say(CreateTable())
        table = await client.hear(Table)
        links.add(table.table)
        seats.add(table.you)
    assert seats == {0, 1, 2, 3}
    assert len(links) == 100
    assert min(len(link) for link in links) >= 22


async def test_tables_are_counted_by_guest_and_by_house(open_house: Opening) -> None:
    settings = Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(most=3, per_guest=2))
    house = await open_house(settings)
    ada, bo = await house.client("Ada"), await house.client("Bo")
    for client in (ada, await house.client("Ada", token=ada.token)):
        await client.say(CreateTable())
        await client.hear(Table)
    third = await house.client("Ada", token=ada.token)
    await third.say(CreateTable())
    assert (await third.hear(Error)).code == "too_many"
    await bo.say(CreateTable())
    await bo.hear(Table)
    bo2 = await house.client("Bo", token=bo.token)
    await bo2.say(CreateTable())
    assert (await bo2.hear(Error)).code == "too_many"
    assert len(house.hall) == 3


@pytest.mark.parametrize(
    ("ruleset", "option", "value"),
    [
        ("lrc", "base", 99_999_999),
        ("lrc", "winners", "none"),
        ("classical-limit", "limit", -1),
        ("classical", "robbing", 1),
    ],
)
async def test_a_refusal_carries_the_switch_and_what_it_may_be(
    open_house: Opening, ruleset: str, option: str, value: int | str
) -> None:
    house = await open_house()
    client = await house.client()
    [line] = [line for line in house.hall.ruleset_lines if line.key == ruleset]
    [wanted] = [switch for switch in line.options if switch.id == option]

    await client.say(CreateTable(ruleset=ruleset, options={option: value}))

    assert (await client.hear(Error)).option == wanted
    assert (wanted.least, wanted.most) == ((0, 1_000_000) if option in ("base", "limit") else (None, None))
    assert set(wanted.value_names) == ({"all", "nearest"} if option == "winners" else set())
    await client.say(CreateTable(ruleset=ruleset, options={"no_such_switch": True}))
    assert (await client.hear(Error)).option is None


async def test_who_makes_table_after_table_loses_the_one_left_longest_ago(open_house: Opening) -> None:
    # Else a few visits to the front page would lock somebody out for as long as deserted tables are kept.
    house = await open_house(Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(per_guest=2)))
    ada = await house.client("Ada")
    links = []
    for _ in range(4):
        await ada.say(CreateTable())
        links.append((await ada.hear(Table)).table)
    assert len(house.hall) == 2
    for link in links[:2]:
        await ada.say(Join(link))
        assert (await ada.hear(Error)).code == "no_such_table"
    await ada.say(Join(links[2]))
    assert (await ada.hear(Table)).you is not None
    await ada.say(CreateTable(bots=[]))
    assert (await ada.hear(Error)).code == "bad_settings"
    assert len(house.hall) == 2, "a table that cannot be takes nobody's place"


async def test_tables_are_not_made_as_fast_as_messages_are_sent(open_house: Opening) -> None:
    house = await open_house(Settings(listen=Listen(port=0), limits=OPEN))
    ada, bo = await house.client("Ada"), await house.client("Bo")
    for _ in range(100):
        await ada.say(CreateTable())
    await ada.say(Ping(1))
    await ada.hear(Pong)
    errors = [message for message in ada.heard if isinstance(message, Error)]
    assert 4 <= 100 - len(errors) <= 10
    assert {error.code for error in errors} == {"too_many"}
    # Whoever makes one after the other has left each before it was told of it, but for the last.
    await ada.until(lambda client: client.table is not None)
    await bo.say(CreateTable())
    await bo.hear(Table)


async def test_a_full_house_closes_a_table_long_deserted(open_house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "ORPHANED", 0.3)
    house = await open_house(Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(most=2)))
    ada, bo, cy = [await house.client(name) for name in ("Ada", "Bo", "Cy")]
    for client in (ada, bo):
        await client.say(CreateTable())
        await client.hear(Table)
    await cy.say(CreateTable())
    assert (await cy.hear(Error)).code == "too_many"
    ada.cut()
    while not any(table.deserted for table in house.hall.tables.values()):
        await bo.say(Ping())
        await bo.hear(Pong)
    await cy.say(CreateTable())
    assert (await cy.hear(Error)).code == "too_many", "whoever has just lost the line may come back"
    await asyncio.sleep(0.31)
    await cy.say(CreateTable())
    assert (await cy.hear(Table)).you is not None
    assert len(house.hall) == 2
    await lives(bo)


async def test_a_table_that_nobody_is_at_is_closed(open_house: Opening) -> None:
    settings = Settings(listen=Listen(port=0), limits=OPEN, tables=Tables(idle_seconds=1, per_guest=1))
    house = await open_house(settings)
    ada = await house.client("Ada")
    await ada.say(CreateTable())
    table = await ada.hear(Table)
    ada.cut()
    back = await house.client("Ada", token=ada.token)
    async with asyncio.timeout(10):
        while len(house.hall):
            await back.say(Ping())
            await back.hear(Pong)
    await back.say(Join(table.table))
    assert (await back.hear(Error)).code == "no_such_table"
    await back.say(CreateTable())
    await back.hear(Table)


async def test_a_table_whose_match_is_over_stays_for_a_while(open_house: Opening) -> None:
    tables = Tables(floor_ms=0, finished_seconds=1)
    house = await open_house(
        Settings(listen=Listen(port=0), limits=OPEN, tables=tables, bots=Bots(0, 0)), deals_of=seeded(8)
    )
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    while ada.table is None or ada.table.standing is None:
        if ada.asked is not None:
            await ada.answer(eager)
        elif ada.table is not None and ada.table.settled is not None:
            await ada.agree()
        await ada.next()
    assert len(house.hall) == 1
    assert (await ada.hear(Left)).reason == "closed"
    assert len(house.hall) == 0


async def test_a_stopping_house_sends_its_people_away_to_come_back(open_house: Opening) -> None:
    house = await open_house()
    ada = await house.client("Ada")
    await ada.say(CreateTable())
    await ada.hear(Ask)

    await house.parlour.__aexit__(None, None, None)

    await ada.line.wait_closed()
    assert ada.line.close_code == 1012, "a service that restarts"


async def test_a_house_that_stopped_has_its_tables_again(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(store=store)
    ada = await house.client("Ada")
    await ada.say(CreateTable(clocks="off"))
    while ada.asked is None:
        await ada.next()
    asked, table = ada.asked, ada.table
    assert table is not None
    await house.parlour.__aexit__(None, None, None)
    again = await open_house(store=store)

    ada = await again.client("Ada", token=ada.token)
    await ada.say(Join(table.table))
    back = await ada.hear(Table)
    while ada.asked is None:
        await ada.next()

    assert back.version == table.version
    assert (back.you, back.deal, back.scores) == (table.you, table.deal, table.scores)
    assert ada.asked == asked
    assert ada.table is not None
    assert ada.table.standstill.stopped is None
    await lives(ada)


async def test_watchers_come_and_go_while_a_match_runs(open_house: Opening) -> None:
    """T12: nobody's leaving harms those who stay, and those have every version once."""
    house = await open_house(deals_of=seeded(8))
    ada, steady = await house.client("Ada"), await house.client("Steady")
    await ada.say(CreateTable(clocks="off"))
    table = await ada.hear(Table)
    await steady.say(Join(table.table))

    async def churn() -> None:
        while True:
            passing = await house.client("Passing")
            await passing.say(Join(table.table))
            await passing.hear(Table)
            passing.cut()

    async def listen() -> None:
        while steady.table is None or steady.table.standing is None:
            await steady.next()

    churning = asyncio.create_task(churn())
    listening = asyncio.create_task(listen())
    while ada.table is None or ada.table.standing is None:
        if ada.asked is not None:
            await ada.answer(eager)
        elif ada.table is not None and ada.table.settled is not None:
            await ada.agree()
        await ada.next()
    await listening
    churning.cancel()
    assert steady.table is not None
    # Folding refuses a gap and a repetition on the way.
    assert attrs.evolve(steady.table, you=ada.table.you).version == ada.table.version


def test_no_setting_reaches_the_walls() -> None:
    """Scripted walls are an argument of the Python class alone."""
    keys = {key for section in attrs.asdict(Settings()).values() for key in section}

    assert {key for key in keys if "seed" in key or "wall" in key or "deal" in key} == set()


async def test_the_demonstration_plays_while_somebody_looks_and_holds_still_else(
    open_house: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "ORPHANED", 0.2)
    house = await open_house()
    house.hall.demonstrate()
    link = house.hall.demonstration
    assert link is not None
    live = house.hall.find(link)
    async with asyncio.timeout(10):
        while live.stopped is None:  # noqa: ASYNC110 # the table has no event for this
            await asyncio.sleep(0.05)
    before = live.line()

    ada = await house.client("Ada")
    assert ada.welcome is not None
    assert ada.welcome.demonstration == link
    await ada.say(Join(link))
    table = await ada.hear(Table)

    assert table.you is None
    assert (before.demonstration, before.open, live.public) == (True, False, True)
    for _ in range(5):
        await ada.hear(Events)
    await ada.say(TakeSeat(0))
    assert (await ada.hear(Error)).code == "not_yours"
    house.hall.demonstrate()
    assert (len(house.hall), house.hall.demonstration) == (1, link)


async def test_a_table_that_is_made_while_nothing_can_be_written_stands_still_too(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(store=store)
    client = await house.client()
    store.commits = False
    house.parlour.storage_trouble(True)

    await client.say(CreateTable(clocks="brisk"))
    await client.say(Ping(1))
    await client.hear(Pong)
    (live,) = house.hall.tables.values()
    assert live.stopped == "storage"

    store.resume()
    house.parlour.storage_trouble(False)
    await client.hear(Table)
    await lives(client)


async def test_nobody_is_seated_by_chance_at_a_table_that_lets_nobody_in(open_house: Opening) -> None:
    house = await open_house()
    host, guest = await house.client("Host"), await house.client("Guest")
    await host.say(CreateTable(clocks="off", public=True, watching="never"))
    shut = await host.hear(Table)

    await guest.say(QuickMatch())

    found = await guest.hear(Table)
    assert found.table != shut.table
    assert found.you is not None


async def test_a_table_that_waits_to_begin_takes_all_who_come_even_if_nobody_may_watch_it(open_house: Opening) -> None:
    house = await open_house()
    host, guest = await house.client("Host"), await house.client("Guest")
    await host.say(CreateTable(clocks="off", public=True, watching="never", start="together"))
    waiting = await host.hear(Table)

    await guest.say(QuickMatch())

    await guest.until(lambda one: one.table is not None and one.table.you is not None)
    assert guest.table is not None
    assert guest.table.table == waiting.table


async def test_a_match_whose_record_was_not_kept_before_a_crash_is_kept_at_the_next_start(open_house: Opening) -> None:
    store = MemoryStore()
    house = await open_house(store=store, deals_of=seeded(5))
    client = await house.client()
    await client.say(CreateTable(clocks="off", rounds=1))
    agreed = 0
    while client.table is None or client.table.standing is None:
        if client.table is not None and client.table.settled is not None and client.table.settled.deal > agreed:
            agreed = client.table.settled.deal
            await client.agree()
        if client.asked is not None:
            await client.answer(eager)
        await client.next()
    left = MemoryStore()
    left.tables, left.rulesets, left.identities = dict(store.tables), dict(store.rulesets), dict(store.identities)

    again = await open_house(store=left, deals_of=seeded(5))
    await again.hall.keeping.settle()
    left.commit()
    assert [match.finished for match in left.matches_stored] == [True], "though nobody has come to its table"
    await again.client("Other")
    again.hall.close()
    await again.hall.keeping.settle()
    left.commit()
    assert len(left.matches_stored) == 1


async def test_that_a_table_was_made_or_closed_is_told_when_it_is_written(open_house: Opening) -> None:
    """What a client was told is on disk first, although no row of the journal has to tell of it."""
    store = MemoryStore()
    house = await open_house(store=store)
    ada = await house.client("Ada")

    async def told(kind: type[Table | Left]) -> bool:
        await ada.say(Ping(1))
        await ada.hear(Pong)
        return any(isinstance(message, kind) for message in ada.heard)

    store.commits = False
    await ada.say(CreateTable(start="together"))
    assert not await told(Table)
    store.resume()
    await ada.hear(Table)

    store.commits = False
    house.hall.close()
    assert not await told(Left)
    store.resume()
    assert (await ada.hear(Left)).reason == "closed"
