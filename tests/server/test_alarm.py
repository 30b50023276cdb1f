"""Many alarms on one timer ring as if each had its own."""

import random
from collections.abc import Callable

import pytest

from parlour_server.alarm import Alarm, Alarms
from tests.simulation.agenda import Agenda
from tests.simulation.loop import VirtualLoop, pass_time


class House:
    """Alarms on virtual time, and when each has rung."""

    def __init__(self) -> None:
        self.agenda = Agenda(0.0)
        self.loop = VirtualLoop(self.agenda)  # type: ignore[abstract] # it has what is asked of it
        self.alarms = Alarms()
        self.rung: list[tuple[float, str]] = []

    def alarm(self, name: str, also: Callable[[], None] = lambda: None) -> Alarm:
        def rings() -> None:
            self.rung.append((self.agenda.now, name))
            also()

        return self.alarms.alarm(rings)

    def pass_time(self, seconds: float) -> None:
        pass_time(lambda: self.loop, self.agenda, seconds)


@pytest.fixture
def house() -> House:
    return House()


def test_alarms_ring_at_their_times_in_order(house: House) -> None:
    with house.loop.running():
        for at in (3.0, 1.0, 2.0):
            house.alarm(f"at {at}").set(at)
    house.pass_time(10.0)

    assert house.rung == [(1.0, "at 1.0"), (2.0, "at 2.0"), (3.0, "at 3.0")]


def test_an_alarm_rings_only_when_it_was_set_to_last(house: House) -> None:
    with house.loop.running():
        one, other, none = house.alarm("one"), house.alarm("other"), house.alarm("none")
        one.set(1.0)
        one.set(5.0)
        other.set(5.0)
        other.set(2.0)
        none.set(3.0)
        none.cancel()
    house.pass_time(10.0)

    assert house.rung == [(2.0, "other"), (5.0, "one")]


def test_an_alarm_that_is_set_back_to_what_it_was_rings_once(house: House) -> None:
    with house.loop.running():
        alarm = house.alarm("bell")
        for at in (2.0, None, 2.0, 2.0, 1.0, 2.0):
            alarm.set(at)
    house.pass_time(10.0)

    assert house.rung == [(2.0, "bell")]


def test_an_alarm_may_set_itself_and_others_while_it_rings(house: House) -> None:
    left = [3]

    def again() -> None:
        left[0] -= 1
        if left[0]:
            ticks.set(house.agenda.now + 1.0)
            at_once.set(house.agenda.now)

    with house.loop.running():
        ticks, at_once = house.alarm("tick", again), house.alarm("at once")
        ticks.set(1.0)
    house.pass_time(10.0)

    assert house.rung == [(1.0, "tick"), (1.0, "at once"), (2.0, "tick"), (2.0, "at once"), (3.0, "tick")]


def test_an_alarm_that_fails_keeps_no_other_from_ringing(house: House) -> None:
    def fails() -> None:
        raise RuntimeError("no bell")

    with house.loop.running():
        house.alarm("broken", fails).set(1.0)
        house.alarm("sound").set(1.0)
        house.alarm("later").set(2.0)
    house.pass_time(10.0)

    assert [name for _, name in house.rung] == ["broken", "sound", "later"]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_set_and_cancelled_each_rings_at_the_time_set_last(house: House, seed: int) -> None:
    chance = random.Random(seed)
    alarms = [house.alarm(str(number)) for number in range(10)]
    due: dict[str, float] = {}
    expected: list[tuple[float, str]] = []
    for _ in range(300):
        number = chance.randrange(10)
        at = None if chance.random() < 0.2 else round(house.agenda.now + chance.uniform(0.1, 3.0), 3)
        with house.loop.running():
            alarms[number].set(at)
        due.pop(str(number), None)
        if at is not None:
            due[str(number)] = at
        end = house.agenda.now + chance.uniform(0.0, 0.3)
        expected += sorted((at, name) for name, at in due.items() if at <= end)
        due = {name: at for name, at in due.items() if at > end}
        house.pass_time(end - house.agenda.now)

    assert sorted(house.rung) == sorted(expected)
    assert [at for at, _ in house.rung] == sorted(at for at, _ in house.rung)


def test_what_is_set_anew_again_and_again_takes_no_more_room(house: House) -> None:
    """A table at which somebody moves every second, each time with a window and a clock that never rings."""
    with house.loop.running():
        alarm = house.alarm("bell")
        for second in range(1000):
            house.pass_time(second - house.agenda.now)
            alarm.set(second + 0.6)
            house.pass_time(0.7)
            alarm.set(second + 60.0)
    assert len(house.rung) == 1000
    assert len(house.alarms._set) <= 2
    house.pass_time(60.0)

    assert house.rung[-1] == (999 + 60.0, "bell")
