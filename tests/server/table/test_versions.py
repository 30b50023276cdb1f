"""Versions: what is stale, what a viewer has missed, when it gets the whole table."""

import random

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_server.protocol import messages
from parlour_server.protocol.messages import Accepted, Events, Play
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, RULESETS, Sitting, by_chance, cautious, people, silent, steady

CLAIMED = scripted_wall(["5p", "46p", "", "55p"])


def busy(seed: int = 2, moves: int = 12) -> tuple[Sitting, Client, Client]:
    """Two people in the middle of a deal."""
    sitting = Sitting(people(0, 2), FAST, seed=seed, bots=cautious)
    ann, cat = sitting.join("ann"), sitting.join("cat")
    sitting.start()
    for _ in range(moves):
        client = ann if ann.ask is not None else cat
        assert client.ask is not None
        sitting.play(client, client.ask.moves[-1])
    return sitting, ann, cat


# --- stale answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("same_id", [True, False])
def test_a_tile_sent_fifty_times_is_discarded_once(same_id: bool) -> None:
    # T05: all in one segment of the line, so nothing is heard in between.
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    version = sitting.table.version
    for number in range(50):
        sitting.table.receive(ann.viewer, Play(version, "discard 5p", 1 if same_id else number), sitting.now)
    sitting.drain()
    assert [event.e for event in ann.events()].count("discard") == 1
    assert ann.errors() == ["stale"] * 49
    assert len([message for message in ann.heard if isinstance(message, Accepted)]) == 1
    assert sitting.deal.hands[0].size == 16


@pytest.mark.parametrize("offset", [-3, -1, 1, 2**52])
def test_an_answer_to_another_version_changes_nothing(offset: int) -> None:
    sitting, ann, cat = busy()
    asked = ann if ann.ask is not None else cat
    assert asked.ask is not None
    before = sitting.state()
    sitting.play(asked, asked.ask.moves[0], version=asked.ask.version + offset)
    assert sitting.state() == before
    assert asked.errors() == ["stale"]
    assert asked.ask is not None


@pytest.mark.parametrize(
    "move", ["", "discard", "discard 9z", "discard 1f", "win", "pass", "chow 123m", "DISCARD 5p", "discard 5p ", "💥"]
)
def test_what_is_not_in_the_ask_is_refused_with_an_error_of_its_own(move: str) -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    before = sitting.state()
    sitting.play(ann, move, about=99)
    assert sitting.state() == before
    error = ann.last(messages.Error)
    assert (error.code, error.id) == ("illegal_move", 99)
    assert len(error.message.encode()) <= 200
    sitting.play(ann, "discard 5p")
    assert ann.errors() == ["illegal_move"]


# --- coming back ----------------------------------------------------------------------------------------------------


def test_who_missed_something_gets_just_that() -> None:
    sitting, ann, cat = busy()
    sitting.drop(cat)
    seen = cat.version
    while ann.ask is not None and sitting.table._flow.gate is None and sitting.table.version < seen + 6:
        sitting.play(ann, ann.ask.moves[-1])
        sitting.wait(2)
    back = sitting.join("cat", client=cat)
    assert back.version == sitting.table.version > seen
    assert [type(message) for message in back.heard[:1]] == [Events]
    assert messages.Table not in [type(message) for message in back.heard]
    assert len(back.events()) == sitting.table.version - seen


def test_who_missed_nothing_gets_no_events() -> None:
    sitting, _, cat = busy()
    sitting.drop(cat)
    back = sitting.join("cat", client=cat)
    assert {type(message) for message in back.heard} <= {messages.Seats, messages.Still, messages.Ask}
    assert messages.Seats in {type(message) for message in back.heard}


@pytest.mark.parametrize("seen", [None, 0, 10**9])
def test_who_knows_nothing_or_too_little_or_too_much_gets_the_whole_table(seen: int | None) -> None:
    sitting = Sitting(people(0), FAST, seed=5, bots=steady)
    ann = sitting.join("ann")
    sitting.start()
    while sitting.table._flow.gate is None:
        assert ann.ask is not None
        sitting.play(ann, ann.ask.moves[-1])
    sitting.ready(ann, 1)
    assert sitting.table._course.history.deal == 2
    eve = sitting.join("eve", seen)
    assert isinstance(eve.heard[0], messages.Table)
    assert eve.heard[0].version == sitting.table.version


def test_what_was_folded_on_another_seat_does_not_go_on() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    sitting.join("ann")
    eve = sitting.join("eve")
    sitting.start()
    seen = eve.version
    sitting.take_seat(eve, 1)
    sitting.drop(eve)
    back = sitting.join("eve", seen)
    assert isinstance(back.heard[0], messages.Table)
    assert back.heard[0].you == 1
    sitting.leave(back)
    once_more = sitting.join("eve", back.version)
    assert isinstance(once_more.heard[0], messages.Table)
    assert once_more.heard[0].you is None
    assert all(seat.tiles is None for seat in once_more.heard[0].deal.seats)  # type: ignore[union-attr]  # dealt


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_whoever_comes_when_goes_on_without_a_gap(ruleset: Ruleset, seed: int) -> None:
    """C05, T12: the client refuses a gap and a repeat, the sitting compares every fold with a fresh view."""
    chance = random.Random(seed)
    sitting = Sitting(people(0), FAST, seed=seed, bots=by_chance(seed), ruleset=ruleset)
    ann = sitting.join("ann")
    sitting.start()
    watching: list[Client] = []
    gone: list[Client] = []
    deal = 1
    for _ in range(120):
        if watching and chance.random() < 0.3:
            client = watching.pop(chance.randrange(len(watching)))
            sitting.drop(client)
            gone.append(client)
        if chance.random() < 0.4:
            back = gone.pop() if gone and chance.random() < 0.7 else None
            watching.append(sitting.join("eve", client=back))
        if sitting.table._flow.gate is not None:
            sitting.ready(ann, deal)
            deal += 1
        elif ann.ask is not None:
            sitting.play(ann, chance.choice(ann.ask.moves))
    assert len(watching) > 3
    assert {client.version for client in watching} == {sitting.table.version}


def test_the_oldest_event_is_kept_from_the_start_of_the_deal() -> None:
    sitting = Sitting(people(0), FAST, seed=5, bots=steady)
    ann = sitting.join("ann")
    eve = sitting.join("eve")
    sitting.start()
    sitting.drop(eve)
    while sitting.table._flow.gate is None:
        assert ann.ask is not None
        sitting.play(ann, ann.ask.moves[-1])
    back = sitting.join("eve", client=eve)
    assert isinstance(back.heard[0], Events)
    assert back.heard[0].events[-1].e == "settled"
