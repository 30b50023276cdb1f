"""A table's time goes on where it was, whatever happened in between."""

from parlour_server.table_clock import TableClock


class Loop:
    def __init__(self, at: float) -> None:
        self.at = at

    def time(self) -> float:
        return self.at


def test_it_begins_at_nought_and_runs_with_the_loop() -> None:
    loop = Loop(1234.5)
    clock = TableClock(loop.time)
    assert clock.now() == 0.0
    loop.at += 2.25
    assert clock.now() == 2.25
    assert clock.in_loop_time(3.0) == 1237.5


def test_while_it_stands_no_time_passes() -> None:
    loop = Loop(10.0)
    clock = TableClock(loop.time)
    loop.at = 11.0
    clock.stop()
    clock.stop()
    loop.at = 99.0
    assert clock.stands()
    assert clock.now() == 1.0
    clock.go_on()
    loop.at = 100.0
    assert not clock.stands()
    assert clock.now() == 2.0
    assert clock.in_loop_time(2.5) == 100.5


def test_a_table_that_comes_back_goes_on_at_its_last_row() -> None:
    loop = Loop(0.125)
    clock = TableClock(loop.time, 77.25)
    loop.at = 0.375
    assert clock.now() == 77.5
    clock.stop()
    clock.set(50.0)
    assert clock.now() == 50.0
    clock.go_on()
    loop.at = 1.375
    assert clock.now() == 51.0


def test_a_stop_leaves_no_trace_in_the_last_digits() -> None:
    """0.1 + 0.2 is not 0.3 in floats; a record of milliseconds must not round differently for it."""
    loop = Loop(0.1)
    whole, stopped = TableClock(loop.time), TableClock(loop.time)
    for _ in range(50):
        loop.at += 0.1
        stopped.stop()
        before = loop.at
        loop.at += 0.7
        stopped.go_on()
        whole.set(round(whole.now() - (loop.at - before), 6))
    assert stopped.now() == whole.now() == 5.0


def test_it_knows_what_it_was_whatever_stops_lay_between() -> None:
    loop = Loop(10.0)
    clock = TableClock(loop.time)
    loop.at = 15.0
    clock.stop()
    assert [clock.then(at) for at in (12.0, 15.0, 15.0)] == [2.0, 5.0, 5.0]
    loop.at = 75.0
    assert clock.then(40.0) == 5.0, "it stood"
    clock.go_on()
    loop.at = 78.0
    assert [clock.then(at) for at in (12.0, 15.0, 40.0, 75.0, 77.0, 78.0)] == [2.0, 5.0, 5.0, 5.0, 7.0, 8.0]
    clock.stop()
    loop.at = 79.0
    clock.go_on()
    loop.at = 80.0
    assert [clock.then(at) for at in (12.0, 77.0, 78.5, 79.5)] == [2.0, 7.0, 8.0, 8.5]


def test_what_lies_too_far_back_is_the_earliest_that_it_remembers() -> None:
    loop = Loop(0.0)
    clock = TableClock(loop.time)
    for _ in range(100):
        loop.at += 1.0
        clock.stop()
        clock.go_on()
    assert clock.then(loop.at - 2.0) == 98.0
    assert 50.0 < clock.then(1.0) <= clock.now() == 100.0
