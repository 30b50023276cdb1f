"""What those see who have no seat: the table live, one deal late, or nothing; and what everybody may look back at."""

from copy import deepcopy

import attrs
import pytest

from parlour_engine.seats import SEATS
from parlour_server.protocol import events, messages
from parlour_server.protocol.messages import AskHistory, DealSoFar, Events, Say, Seats, Start
from parlour_server.protocol.values import Watching
from parlour_server.table import Settings
from parlour_server.table.journal import Checkpoint
from tests.server.table.client import Client, Fold
from tests.server.table.sitting import FAST, CountedDeals, Sitting, by_chance, people, silent, steady


def watched(watching: Watching, **changes: object) -> Settings:
    return attrs.evolve(FAST, watching=watching, **changes)  # type: ignore[arg-type]  # names of fields


def sat_down(watching: Watching, *seats: int) -> tuple[Sitting, list[Client]]:
    sitting = Sitting(people(*seats), watched(watching), bots=steady, seed=5)
    clients = [sitting.join(("ann", "bob", "cat", "dan")[seat]) for seat in seats]
    return sitting, clients


def play_deal(sitting: Sitting, clients: list[Client], deal: int) -> None:
    """To the settlement of this deal."""
    while sitting.table._shown.finished is None or sitting.table._shown.finished.deal < deal:
        if sitting.table._flow.gate is not None:
            for client in clients:
                sitting.ready(client, sitting.table._course.history.deal)
            continue
        client = next(one for one in clients if one.ask is not None)
        assert client.ask is not None
        seat = sitting.table.seat_of(client.person)
        assert seat is not None
        sitting.play(client, steady(sitting.table, seat, client.ask))


def next_deal(sitting: Sitting, clients: list[Client]) -> None:
    for client in clients:
        sitting.ready(client, sitting.table._course.history.deal)
    assert sitting.table._flow.gate is None


def folded(told: DealSoFar, client: Client) -> dict[str, object]:
    """The deal that these events come to, folded by themselves upon the client's table."""
    table = attrs.evolve(client.last(messages.Table), deal=None, settled=None, version=told.first - 1)
    fold = Fold(table)
    for event in deepcopy(told).events:
        fold.take(event)
    return dict(fold.deal)


# --- nobody ----------------------------------------------------------------------------------------------------------


def test_where_nobody_may_watch_one_has_a_seat_or_is_not_let_in() -> None:
    sitting, (ann,) = sat_down("never", 0)
    sitting.start()
    eve = sitting.join("eve")
    assert eve.errors() == ["not_watched"]
    assert not sitting.table.here(eve.viewer)
    assert [message.type for message in eve.heard] == ["error"]
    sitting.drop(ann)
    ann = sitting.join("ann")
    assert ann.errors() == []
    sitting.leave(ann)
    assert not sitting.table.here(ann.viewer)
    assert sitting.join("ann").errors() == ["not_watched"]


# --- one deal late ---------------------------------------------------------------------------------------------------


def test_a_late_watcher_is_told_nothing_of_the_running_deal() -> None:
    sitting, (ann,) = sat_down("late", 0)
    early = sitting.join("eve")
    sitting.start()
    late = sitting.join("fay")
    for client in (early, late):
        assert client.table["deal"] is None
        assert client.table["scores"] == [0, 0, 0, 0]
        sitting.want(client, AskHistory())
        sitting.want(client, AskHistory(1))
        assert client.errors() == ["not_watched", "not_watched"]
    heard = len(early.heard)
    while sitting.table._flow.gate is None:
        assert len(early.heard) == heard, "nothing tells what happens in the deal"
        assert ann.ask is not None
        sitting.play(ann, steady(sitting.table, 0, ann.ask))
    assert [message.type for message in early.heard[heard:]] == ["table", "deal_so_far", "seats"]
    # That the match has begun is all: version 1 of the table, for both.
    (told,) = [message for message in early.heard if isinstance(message, Events)]
    assert (told.version, [event.e for event in told.events]) == (1, ["match_started"])
    assert not [message for message in late.heard if isinstance(message, Events)]
    assert next(message for message in late.heard if isinstance(message, messages.Table)).version == 1


def test_after_each_deal_it_sees_that_deal_with_all_hands() -> None:
    sitting, clients = sat_down("late", 0)
    eve = sitting.join("eve")
    sitting.start()
    for deal in (1, 2, 3):
        play_deal(sitting, clients, deal)
        told = eve.last(DealSoFar)
        assert (told.deal, told.whole) == (deal, True)
        assert eve.table["deal"]["deal"] == eve.table["settled"]["deal"] == deal
        assert eve.table["scores"] == clients[0].table["scores"]
        for event in told.events:
            assert not isinstance(event, events.DealStarted) or all(hand is not None for hand in event.hands)
            assert not isinstance(event, events.Drew) or event.tile is not None
        shown = eve.table["deal"]["seats"]
        assert all(seat["tiles"] is not None for seat in shown)
        assert shown[0]["tiles"] == clients[0].table["deal"]["seats"][0]["tiles"]
        assert folded(told, eve) == eve.table["deal"]
        assert told.first + len(told.events) - 1 == eve.version
        next_deal(sitting, clients)
        # Whoever comes now is shown the same, and whoever comes back has missed nothing.
        fay = sitting.join("fay")
        assert fay.last(messages.Table).deal == eve.last(messages.Table).deal
        assert fay.version == eve.version
        again = sitting.join("eve", client=eve)
        assert not [message for message in again.heard if isinstance(message, messages.Table)]
        sitting.want(again, AskHistory(deal))
        assert again.last(DealSoFar) == told
        sitting.want(again, AskHistory(deal - 1))
        assert again.errors() == ["not_watched"]


def test_whose_seat_it_is_or_was_sees_no_hand_that_was_not_shown() -> None:
    sitting, clients = sat_down("late", 0, 1)
    sitting.start()
    play_deal(sitting, clients, 1)
    ann, bob = clients
    sitting.leave(bob)
    next_deal(sitting, [ann])
    bob = sitting.join("bob")
    settled = bob.last(messages.Table).settled
    shown = {win.seat for win in settled.wins}
    hands = bob.table["deal"]["seats"]
    assert bob.table["deal"]["deal"] == 1
    assert [seat for seat in SEATS if hands[seat]["tiles"] is not None] == sorted(shown)
    sitting.want(bob, AskHistory(1))
    sitting.want(ann, AskHistory(1))
    assert (bob.errors(), ann.errors()) == (["not_watched"], ["not_watched"])
    heard = len(bob.heard)
    play_deal(sitting, [ann], 2)
    assert {message.type for message in bob.heard[heard:]} == {"table", "seats"}
    assert not [message for message in ann.heard if isinstance(message, DealSoFar)]


def test_when_the_match_is_over_everybody_may_see_the_last_deal_whole() -> None:
    for watching in ("late", "live"):
        sitting, clients = sat_down(watching, 0, 1)
        eve = sitting.join("eve")
        sitting.start()
        ann, bob = clients
        sitting.leave(bob)
        bob = sitting.join("bob")
        deal = 0
        while not sitting.table.over:
            deal += 1
            play_deal(sitting, [ann], deal)
        for client in (ann, bob, eve):
            assert client.table["standing"] is not None
            sitting.want(client, AskHistory(deal))
            told = client.last(DealSoFar)
            assert (told.deal, told.whole) == (deal, True)
        assert {line["seat"] for line in eve.table["standing"]} == set(SEATS)
        assert sitting.join("gus").table["standing"] == eve.table["standing"]


def test_a_late_watcher_who_sits_down_knows_the_running_deal_and_who_stands_up_does_not() -> None:
    sitting, clients = sat_down("late", 0)
    eve = sitting.join("eve")
    sitting.start()
    play_deal(sitting, clients, 1)
    next_deal(sitting, clients)
    sitting.take_seat(eve, 2)
    assert eve.table["deal"]["deal"] == 2
    assert [seat for seat in SEATS if eve.table["deal"]["seats"][seat]["tiles"] is not None] == [2]
    sitting.want(eve, AskHistory())
    assert [event.deal for event in eve.last(DealSoFar).events if isinstance(event, events.DealStarted)] == [2]
    seen = eve.version
    sitting.leave(eve)
    back = sitting.join("eve", seen=seen)
    assert back.table["deal"]["deal"] == 1, "a whole table of the deal before, not what has happened since"


def test_seats_standing_still_and_talk_are_told_to_late_watchers_as_to_all() -> None:
    sitting, (ann,) = sat_down("late", 0)
    eve = sitting.join("eve")
    sitting.start()
    sitting.want(ann, Say("hello"))
    sitting.stop("storage")
    sitting.go_on("storage")
    bob = sitting.join("bob")
    sitting.take_seat(bob, 1)
    kinds = [message.type for message in eve.heard]
    assert kinds.count("said") == 1
    assert kinds.count("still") == 2
    assert eve.last(Seats).seats[1].name == "Bob"


def test_what_late_watchers_are_shown_outlives_a_crash() -> None:
    sitting, clients = sat_down("late", 0)
    eve = sitting.join("eve")
    sitting.start()
    play_deal(sitting, clients, 1)
    next_deal(sitting, clients)
    shown, told = eve.last(messages.Table), eve.last(DealSoFar)
    sitting.crash()
    assert isinstance(sitting.rows[-1], object)
    assert any(isinstance(row, Checkpoint) and row.finished is not None for row in sitting.rows)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    assert eve.last(messages.Table).deal == shown.deal
    assert eve.version == shown.version
    sitting.want(eve, AskHistory(1))
    assert eve.last(DealSoFar) == told
    assert ann.table["deal"]["deal"] == 2


def test_a_checkpoint_keeps_a_finished_deal_only_for_late_watchers() -> None:
    sitting, clients = sat_down("live", 0)
    sitting.start()
    play_deal(sitting, clients, 1)
    next_deal(sitting, clients)
    assert [row.finished for row in sitting.rows if isinstance(row, Checkpoint)] == [None]


def test_the_seed_of_the_running_deal_is_not_what_late_watchers_hear_of() -> None:
    sitting = Sitting(people(), watched("late"), fair=CountedDeals(), bots=silent)
    eve = sitting.join("eve")
    sitting.start()
    assert eve.table["shuffle"] is None


def test_a_late_watcher_sees_who_is_waited_for_and_when_the_waiting_is_over() -> None:
    """At version 0 a table waits, at every later one it plays, whatever of that is shown."""
    sitting = Sitting(people(0), watched("late", start="together"), bots=steady, seed=5, owner="ann")
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.wait(30)
    assert (eve.version, eve.table["deal"], eve.table["standing"]) == (0, None, None)
    assert [seat["player"] for seat in eve.table["seats"]] == ["person", "bot", "bot", "bot"]
    bob = sitting.join("bob")
    sitting.take_seat(bob, 2)
    assert eve.table["seats"][2]["name"] == "Bob"
    sitting.drop(bob)
    assert not eve.table["seats"][2]["present"]
    # Whoever was away as it began learns of it, too, and a crash takes it from nobody.
    fay = sitting.join("fay")
    sitting.drop(fay)
    sitting.want(ann, Start())
    assert (eve.version, eve.table["deal"]) == (1, None)
    fay = sitting.join("fay", client=fay)
    assert (fay.version, fay.table["deal"]) == (1, None)
    sitting.crash()
    eve = sitting.join("eve", client=eve)
    assert (eve.version, eve.table["deal"]) == (1, None)
    assert not [message for message in eve.heard if isinstance(message, messages.Table)], "it has missed nothing"


# --- history ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_running_deal_from_its_beginning_folds_to_what_one_is_shown(seed: int) -> None:
    sitting = Sitting(people(0, 2), FAST, seed=seed, bots=by_chance(seed))
    choose = by_chance(seed + 50)
    ann, cat, eve = sitting.join("ann"), sitting.join("cat"), sitting.join("eve")
    sitting.start()
    for step in range(60):
        for client in (ann, cat, eve):
            sitting.want(client, AskHistory())
            told = client.last(DealSoFar)
            assert not told.whole
            assert told.deal == client.table["deal"]["deal"]
            assert told.first + len(told.events) - 1 == client.version
            assert folded(told, client) == client.table["deal"], f"step {step}"
        if sitting.table._flow.gate is not None:
            next_deal(sitting, [ann, cat])
            continue
        client = ann if ann.ask is not None else cat
        assert client.ask is not None
        move = choose(sitting.table, 0, client.ask)
        assert move is not None
        sitting.play(client, move)
    assert eve.errors() == []


def test_at_a_live_table_no_deal_is_shown_whole_before_the_match_is_over() -> None:
    sitting, clients = sat_down("live", 0)
    eve = sitting.join("eve")
    sitting.start()
    play_deal(sitting, clients, 1)
    for deal in (0, 1, 2):
        sitting.want(eve, AskHistory(deal))
        sitting.want(clients[0], AskHistory(deal))
    assert eve.errors() == clients[0].errors() == ["not_watched"] * 3


def test_there_is_no_history_before_the_first_deal() -> None:
    sitting, (ann,) = sat_down("live", 0)
    sitting.want(ann, AskHistory())
    sitting.want(ann, Start())
    assert ann.errors() == ["stale", "not_yours"]
