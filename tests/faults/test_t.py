"""Faults T: time. The half of each case that a table without sockets can show and that is not told elsewhere."""

import random

import pytest

from parlour_engine.legal import waiting_on
from parlour_server.protocol import events
from parlour_server.protocol.messages import Ask, Play, Ready
from parlour_server.table import Table
from parlour_server.table.journal import Answered, Happened
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import LRC, PEOPLE, Sitting, by_chance, people, timed

CLAIMED = scripted_wall(["5p", "46p", "2288m", "55p"])
"""P0 discards 5p; P1 can make a chow of it, P3 a pong."""


def four(wall: list[int], **changes: object) -> tuple[Sitting, list[Client]]:
    sitting = Sitting(people(0, 1, 2, 3), timed(**changes), walls=[wall])
    clients = [sitting.join(person) for person in PEOPLE]
    return sitting.start(), clients


def armed(sitting: Sitting) -> list[int]:
    """The seats whose clock runs."""
    chairs = sitting.table._chairs
    return [chair.seat for chair in chairs if chair.question is not None and chair.question.due is not None]


@pytest.mark.parametrize("seed", range(3))
def test_t01_no_clock_runs_but_for_a_seat_that_may_act_now(seed: int) -> None:
    """T01: after every event the armed clocks are those of seats that are waited for, all of this version."""
    sitting = Sitting(people(0, 2), timed(), seed=seed, bots=by_chance(seed))
    ann, cat = sitting.join("ann"), sitting.join("cat")
    sitting.start()
    chance = random.Random(seed)
    deal = 1
    for _ in range(300):
        if sitting.table._flow.gate is not None:
            assert armed(sitting) == []
            sitting.ready(ann, deal)
            sitting.ready(cat, deal)
            deal += 1
        asked = [client for client in (ann, cat) if client.ask is not None]
        if asked and chance.random() < 0.8:
            client = chance.choice(asked)
            assert client.ask is not None
            sitting.play(client, chance.choice(client.ask.moves))
        else:
            sitting.wait(chance.choice((0.0, 0.3, 0.6, 3.0, 8.0)))
        assert set(armed(sitting)) <= set(waiting_on(sitting.deal))
        for chair in sitting.table._chairs:
            assert chair.question is None or chair.question.version == sitting.table.version
    assert deal > 1


@pytest.mark.parametrize("called", [False, True])
def test_t03_a_call_is_made_whole_or_not_at_all(called: bool) -> None:
    """T03: P0 may call with 46m... as its discard goes, and its time runs out. It has not called; what it drew is gone.
    A call is one move: declared and discarded together."""
    ruleset = LRC.with_options({"calling": True})
    hands = ["46m123p456p789s222s11z9p", "3388s", "2277m", "5577m"]
    sitting = Sitting(people(0), timed(options={"calling": True}), walls=[scripted_wall(hands)], ruleset=ruleset)
    ann = sitting.join("ann")
    sitting.start()
    assert ann.ask is not None
    assert "call 9p" in ann.ask.moves
    if called:
        sitting.play(ann, "call 9p")
    else:
        sitting.wait(20.1)
    told = [event for event in ann.events() if isinstance(event, (events.Called, events.Discarded))]
    discarded = next(event for event in told if isinstance(event, events.Discarded))
    # Without a drawn tile the highest goes: east's opening turn.
    assert discarded.tile == ("9p" if called else "1z")
    assert [event for event in told if isinstance(event, events.Called)] == ([events.Called(0)] if called else [])
    assert ann.table["deal"]["seats"][0]["called"] is called


@pytest.mark.parametrize("seed", range(100))
def test_t06_an_answer_and_its_clock_in_the_same_moment_have_one_outcome(seed: int) -> None:
    """T06, a thousandth of 10^5 schedules: around the end of the time the answer of the turn, then those of a window,
    come in any order with the ticks. Each ask is answered once; who was too late is told so, and the table goes on."""
    chance = random.Random(seed)
    sitting, clients = four(CLAIMED)
    sitting.now += 20
    turn_version = sitting.table.version
    race(sitting, chance, [(clients[0], turn_version, "discard 5p")])
    first = next(event for event in clients[2].events() if isinstance(event, events.Discarded))
    assert (clients[0].errors() == ["too_late"]) is (first.tile != "5p")
    if first.tile != "5p":
        return
    version = sitting.table.version
    sitting.now = time_of_discard(sitting) + 8
    race(sitting, chance, [(clients[1], version, "chow 456p"), (clients[3], version, "pong 5p")])
    answered = [row for row in sitting.rows if isinstance(row, Answered) and row.version == version]
    assert sorted(row.seat for row in answered) == [1, 3]
    for seat in (1, 3):
        (row,) = [row for row in answered if row.seat == seat]
        assert clients[seat].errors() == ([] if row.by == "person" else ["too_late"])
    by_person = {row.seat for row in answered if row.by == "person"}
    last = [event for event in clients[2].events() if isinstance(event, (events.Melded, events.Drew))][-1]
    assert isinstance(last, events.Melded if by_person else events.Drew)
    assert last.seat == (3 if 3 in by_person else 1)


def time_of_discard(sitting: Sitting) -> float:
    return [row.at for row in sitting.rows if isinstance(row, Happened) and row.event.e == "discard"][-1]


Moment = tuple[float, float, tuple[Client, int, str] | None]
"""When, a number that orders what comes at the same time, and a play or a tick."""


def race(sitting: Sitting, chance: random.Random, plays: list[tuple[Client, int, str]]) -> None:
    """Everything at the deadline, which is now: each play a millisecond before, at, or after it, ticks in between."""
    end = sitting.now
    around = (-0.001, 0.0, 0.001)
    ticks: list[Moment] = [(end + offset, chance.random(), None) for offset in around]
    moments: list[Moment] = [(end + chance.choice(around), chance.random(), play) for play in plays] + ticks
    for at, _, play in sorted(moments, key=lambda moment: moment[:2]):
        sitting.now = at
        if play is None:
            sitting.table.tick(at)
        else:
            client, version, move = play
            sitting.table.receive(client.viewer, Play(version, move, 1), at)
        sitting.drain()
    sitting.wait(0.7)


ROBBED = scripted_wall(
    ["2m1z", "3355p", "22m", "13m456p789m222s55s777z"],
    draws="9s9p8p2m",
)


def asked(client: Client) -> list[str]:
    return [] if client.ask is None else client.ask.moves


def to_the_robbing(sitting: Sitting, clients: list[Client]) -> None:
    """P2 pongs P0's 2m and later announces the fourth."""
    sitting.play(clients[0], "discard 2m")
    sitting.play(clients[2], "pong 2m")
    sitting.play(clients[3], "pass")
    sitting.wait(0.6)
    sitting.play(clients[2], asked(clients[2])[-1])
    while "promoted_gong 2m" not in asked(clients[2]):
        for client in clients:
            if client.ask is not None and client.ask.kind == "claim":
                sitting.play(client, "pass")
            elif client.ask is not None:
                assert client.fold is not None
                sitting.play(client, f"discard {client.fold.seat(PEOPLE.index(client.person))['drawn']}")
        sitting.wait(0.6)
    sitting.play(clients[2], "promoted_gong 2m")


@pytest.mark.parametrize("liar", range(4))
def test_t08_a_false_win_in_a_robbing_window_leaves_the_true_one(liar: int) -> None:
    """T08: whoever cannot rob and says win is refused alone; P3, who can, still robs. P3's own win after it has
    answered is refused as stale and changes nothing."""
    sitting, clients = four(ROBBED)
    to_the_robbing(sitting, clients)
    version = sitting.table.version
    if liar == 3:
        sitting.play(clients[3], "win")
    before = sitting.state()
    sitting.play(clients[liar], "win", version=version)
    assert sitting.state() == before
    assert clients[liar].errors() == ["stale" if liar == 3 else "not_your_turn"]
    if liar != 3:
        sitting.play(clients[3], "win")
    sitting.wait(0.6)
    won = [event for event in clients[0].events() if isinstance(event, events.Won)]
    assert [(event.seat, event.by, event.source) for event in won] == [(3, "robbed_gong", 2)]


@pytest.mark.parametrize("liar", range(4))
def test_t08_a_false_win_on_a_turn_leaves_the_turn_as_it_was(liar: int) -> None:
    """T08: East says win with a hand that is none, or another seat does on East's turn; East discards all the same."""
    sitting, clients = four(CLAIMED)
    before = sitting.state()
    sitting.play(clients[liar], "win", version=sitting.table.version)
    assert sitting.state() == before
    assert clients[liar].errors() == ["illegal_move" if liar == 0 else "not_your_turn"]
    sitting.play(clients[0], "discard 5p")
    assert clients[0].events()[-1] == events.Discarded(0, "5p", drawn=False)


def test_t10_clocks_and_words_of_the_last_deal_do_nothing_in_the_next() -> None:
    """T10: every deadline of the first deal and every version in it is tried again in the second."""
    sitting = Sitting(people(0), timed(discard_ms=5000, claim_ms=3000), seed=2, bots=passes_and_throws)
    ann = sitting.join("ann")
    sitting.start()
    deadlines, versions = set[float](), set[int]()
    while sitting.table._flow.gate is None:
        due = sitting.table.deadline()
        assert due is not None
        deadlines.add(due)
        if ann.ask is not None:
            versions.add(ann.ask.version)
            sitting.play(ann, passes_and_throws(sitting.table, 0, ann.ask))
        else:
            sitting.wait(max(0.0, due - sitting.now))
    sitting.ready(ann, 1)
    assert ann.table["deal"]["deal"] == 2
    before, held = sitting.state(), [hand.size for hand in sitting.deal.hands]
    for due in sorted(deadlines):
        sitting.table.tick(min(due, sitting.now))
    sitting.drain()
    for version in versions:
        for move in ("pass", "win", *(ann.ask.moves if ann.ask is not None else ())):
            sitting.table.receive(ann.viewer, Play(version, move, 1), sitting.now)
    sitting.table.receive(ann.viewer, Ready(1), sitting.now)
    sitting.drain()
    assert sitting.state() == before
    assert set(ann.errors()) <= {"stale", "too_late"}
    assert [hand.size for hand in sitting.deal.hands] == held


def passes_and_throws(table: Table, seat: int, ask: Ask) -> str:
    """Never wins."""
    return "pass" if "pass" in ask.moves else [move for move in ask.moves if move.startswith("discard")][-1]
