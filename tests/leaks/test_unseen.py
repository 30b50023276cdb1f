"""When what shows nothing is written, and that it costs nobody anything."""

from typing import Any

import attrs
import pytest

from parlour_server.alarm import Alarms
from parlour_server.bot_seats import BotSeats
from parlour_server.chance import Chance
from parlour_server.first_written import FirstWritten, Turn
from parlour_server.protocol.events import Discarded
from parlour_server.protocol.messages import Accepted, Ask, Error, Seats
from parlour_server.settings import Bots
from parlour_server.table.deliveries import Delivery, ToViewers
from parlour_server.table.journal import Answered, Happened, Row
from parlour_server.table_clock import TableClock
from parlour_server.unseen import Unseen
from tests.faults.test_l import CLAIMED
from tests.server.table.sitting import PEOPLE, Sitting, people, timed
from tests.simulation.agenda import Agenda
from tests.simulation.loop import VirtualLoop, pass_time

PASSED = Answered(0.0, 9, 1, "pass", "person")
DISCARD = Happened(0.0, 9, Discarded(0, "5p", drawn=False))


class Desk:
    """An `Unseen` whose writes are all seen: when, and how many rows."""

    def __init__(self) -> None:
        self.agenda = Agenda(0.0)
        self.loop = VirtualLoop(self.agenda)  # type: ignore[abstract] # it has what is asked of it
        self.writes: list[tuple[float, int]] = []
        self.told: list[tuple[float, Delivery]] = []
        with self.loop.running():
            self.clock = TableClock(self.loop.time)
            self.unseen = Unseen(self.clock, FirstWritten(self._write, self._tell), Alarms())

    def _write(self, rows: list[Row], written: object) -> None:
        self.writes.append((round(self.agenda.now, 3), len(rows)))
        assert callable(written)
        written()

    def _tell(self, turn: Turn) -> None:
        self.told += [(round(self.agenda.now, 3), one) for one in turn.deliveries]

    def put(self, rows: list[Row], *deliveries: Delivery, ends: float | None = 0.6) -> None:
        with self.loop.running():
            self.unseen.put(ends, rows, deliveries, (), None)

    def until(self, end: float) -> None:
        pass_time(lambda: self.loop, self.agenda, end - self.agenda.now)


@pytest.mark.parametrize("answered", [None, 0.001, 0.3, 0.53])
def test_a_window_writes_when_it_writes_whoever_answers(answered: float | None) -> None:
    desk = Desk()
    desk.put([DISCARD])
    if answered is not None:
        desk.until(answered)
        desk.put([PASSED], ToViewers((1,), Accepted(1, 9)))
    desk.until(0.6)
    desk.put([DISCARD], ends=None)
    assert [at for at, _ in desk.writes] == [0.0, 0.05, 0.55, 0.6]
    assert sum(rows for _, rows in desk.writes) == 2 + (answered is not None)
    assert [at for at, _ in desk.told] == ([] if answered is None else [0.05 if answered < 0.05 else 0.55])


def test_an_answer_at_the_last_moment_is_written_with_what_closes_the_window() -> None:
    desk = Desk()
    desk.put([DISCARD])
    desk.until(0.58)
    desk.put([PASSED], ToViewers((1,), Accepted(1, 9)))
    desk.until(0.6)
    desk.put([DISCARD], ends=None)
    assert desk.writes[-1] == (0.6, 2)
    assert [at for at, _ in desk.told] == [0.6]


def test_a_window_that_is_held_open_hides_nothing_more() -> None:
    desk = Desk()
    desk.put([DISCARD])
    desk.until(1.7)
    desk.put([PASSED])
    assert desk.writes[-1] == (1.7, 1)


def test_others_are_answered_at_once_and_whoever_has_answered_in_order() -> None:
    desk = Desk()
    desk.put([DISCARD])
    desk.until(0.2)
    desk.put([PASSED], ToViewers((1,), Accepted(1, 9)))
    desk.put([], ToViewers((1,), Error("stale", "late")))
    desk.put([], ToViewers((2,), Error("stale", "late")))
    desk.until(0.6)
    assert [(at, one.viewers) for at, one in desk.told if isinstance(one, ToViewers)] == [
        (0.2, (2,)),
        (0.55, (1,)),
        (0.55, (1,)),
    ]


@pytest.mark.parametrize("answered", [False, True])
def test_who_is_here_others_are_told_when_it_is_due_whoever_answers_just_then(answered: bool) -> None:
    # That is rated, so that it falls due at some moment in a window; it must not wait because somebody has answered.
    desk = Desk()
    desk.put([DISCARD])
    desk.until(0.2)
    here = [ToViewers((number,), Seats("t", you, [], 0)) for number, you in ((2, 2), (9, None))]
    if answered:
        desk.put([PASSED], here[0], ToViewers((1,), Accepted(1, 9)), here[1], ToViewers((1,), Seats("t", 1, [], 0)))
    else:
        desk.put([], *here)
    desk.until(0.6)
    told = [(at, one.viewers, type(one.message)) for at, one in desk.told if isinstance(one, ToViewers)]
    others = [(0.2, (2,), Seats), (0.2, (9,), Seats)]
    assert told == others + [(0.55, (1,), Accepted), (0.55, (1,), Seats)] * answered


def test_a_table_that_is_left_keeps_nothing_back() -> None:
    desk = Desk()
    desk.put([DISCARD])
    desk.until(0.2)
    desk.put([PASSED])
    with desk.loop.running():
        desk.unseen.leave_off()
    desk.put([PASSED])
    desk.until(5.0)
    assert desk.writes[-2:] == [(0.2, 1), (0.2, 1)]


@pytest.mark.parametrize("left", [0.6, 0.4, 0.01, 0.0, -1.0])
def test_a_bot_that_is_asked_amid_a_window_answers_before_it_may_close(left: float) -> None:
    """Whoever leaves, or comes back from a stop, in the last moment before the floor shows nothing either."""
    nothing: Any = None
    bots = BotSeats(Bots(), 600, lambda *_: None, lambda _: nothing, Chance.seeded(1))
    ask = Ask(9, "claim", ["pass"], None, None)
    assert all(0 <= bots._delay(0, ask, left) <= max(0.0, left) for _ in range(200))


@pytest.mark.parametrize("asked", [0, 3])
def test_nobody_is_replaced_for_what_is_hidden(asked: int) -> None:
    """At a table that pads its windows: who was late in claims, three times or never, is late in nothing that shows."""
    sitting = Sitting(people(0, 1, 2, 3), attrs.evolve(timed(), pad_windows=True), walls=[CLAIMED])
    clients = [sitting.join(person) for person in PEOPLE]
    sitting.start()
    chair = sitting.table._chairs[1]
    chair.late = 2
    sitting.play(clients[0], "discard 5p")
    assert clients[1].ask is not None
    if asked:
        sitting.wait(8.0)
    else:
        sitting.play(clients[1], "pass")
        sitting.wait(8.0)
    assert not chair.stand_in
    assert chair.late == 2
