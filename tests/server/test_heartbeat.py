"""Silent lines are asked in time, one that gives no answer is given up in time, and nobody else is disturbed."""

import pytest

from parlour_server.heartbeat import EVERY, LOOK, QUIET, Heartbeat
from tests.simulation.agenda import Agenda
from tests.simulation.loop import VirtualLoop, pass_time

IDLE = EVERY * QUIET
"""Seconds after which an idle line is asked: 30."""


class Line:
    """A line that answers or does not."""

    def __init__(self, house: "House", answers: bool = True) -> None:
        self.quiet = self.owing = 0
        self.pressed = lambda: False
        self.answers = answers
        self.asked: list[float] = []
        self.lost: list[float] = []
        self._agenda = house.agenda

    def ask(self) -> None:
        self.asked.append(self._agenda.now)
        if self.answers:
            self.speak()

    def speak(self) -> None:
        self.quiet = self.owing = 0

    def give_up(self) -> None:
        self.lost.append(self._agenda.now)


class House:
    """A heartbeat on virtual time."""

    def __init__(self) -> None:
        self.agenda = Agenda(0.0)
        self.loop = VirtualLoop(self.agenda)  # type: ignore[abstract] # it has what is asked of it
        self.heartbeat = Heartbeat()

    def watch(self, *lines: Line) -> None:
        with self.loop.running():
            for line in lines:
                self.heartbeat.watch(line)

    def pass_time(self, seconds: float) -> None:
        pass_time(lambda: self.loop, self.agenda, seconds)


@pytest.fixture
def house() -> House:
    return House()


def test_a_line_that_answers_is_asked_again_and_again_and_kept(house: House) -> None:
    line = Line(house)
    house.watch(line)
    house.pass_time(151.0)

    assert len(line.asked) == 5
    assert {round(after - before, 3) for before, after in zip(line.asked, line.asked[1:], strict=False)} == {30.0}
    assert line.lost == []


def test_a_line_that_speaks_is_not_asked(house: House) -> None:
    line = Line(house, answers=False)
    house.watch(line)
    for _ in range(12):
        line.speak()
        house.pass_time(14.0)

    assert (line.asked, line.lost) == ([], [])


@pytest.mark.parametrize("silent_from", [0.0, 7.0, 19.0])
@pytest.mark.parametrize(("pressed", "asked_within", "lost_within"), [(False, 30.0, 50.0), (True, 5.0, 15.0)])
def test_a_line_that_gives_no_answer_is_given_up_in_time(
    house: House, silent_from: float, pressed: bool, asked_within: float, lost_within: float
) -> None:
    line = Line(house, answers=False)
    house.watch(line)
    for _ in range(int(silent_from)):
        line.speak()
        house.pass_time(1.0)
    line.speak()
    line.pressed = lambda: pressed
    house.pass_time(51.0)

    assert len(line.asked) == 1
    assert line.asked[0] - silent_from <= asked_within + LOOK
    assert line.lost[0] - silent_from <= lost_within + LOOK
    # A slow line has its time to answer.
    assert line.lost[0] - line.asked[0] >= (10.0 if pressed else 20.0) - LOOK


def test_a_line_that_is_pressed_after_it_was_asked_is_still_given_time(house: House) -> None:
    line = Line(house, answers=False)
    house.watch(line)
    house.pass_time(IDLE + LOOK)
    line.pressed = lambda: True
    house.pass_time(EVERY)

    assert (len(line.asked), line.lost) == (1, [])


def test_lines_that_came_together_are_not_asked_together(house: House) -> None:
    lines = [Line(house) for _ in range(1000)]
    house.watch(*lines)
    house.pass_time(IDLE + 2 * LOOK)

    asked = [at for line in lines for at in line.asked]
    assert {len(line.asked) for line in lines} == {1}
    assert max(asked.count(at) for at in set(asked)) == 1000 * LOOK / EVERY


def test_a_line_that_is_gone_is_left_alone(house: House) -> None:
    line, stranger = Line(house), Line(house)
    house.watch(line)
    house.heartbeat.forget(line)
    house.heartbeat.forget(stranger)
    house.pass_time(60.0)

    assert (line.asked, line.lost) == ([], [])


def test_nobody_is_asked_when_the_house_is_closed(house: House) -> None:
    line = Line(house)
    house.watch(line)
    house.heartbeat.stop()
    house.pass_time(60.0)

    assert line.asked == []
