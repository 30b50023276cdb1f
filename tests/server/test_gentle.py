"""The loop of the server: portions, turns, and the bell."""

import gc
import selectors
import socket
import subprocess
import sys

import pytest

from parlour_server import gentle
from parlour_server.gentle import PORTION, TURN, gentle_loop


def test_a_timer_has_its_turn_between_portions_of_a_crowd() -> None:
    loop = gentle_loop()
    pairs = [socket.socketpair() for _ in range(2 * PORTION)]
    order: list[str] = []

    def heard(near: socket.socket) -> None:
        near.recv(1)
        order.append("socket")
        if order.count("socket") == len(pairs):
            loop.stop()

    try:
        for near, far in pairs:
            loop.add_reader(near, heard, near)
            far.send(b"x")
        loop.call_later(0, order.append, "timer")
        loop.run_forever()
    finally:
        for near, far in pairs:
            loop.remove_reader(near)
            near.close()
            far.close()
        loop.close()

    assert order.count("socket") == 2 * PORTION
    assert order.index("timer") <= PORTION


class Clock:
    """Time that passes only while a selector waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class Bell:
    """A bell that nobody rings, and which passes the time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def select(self, timeout: float) -> list[selectors.SelectorKey]:
        self._clock.now += timeout
        return []

    def register(self, *_: object) -> None:
        """There it hangs."""

    def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(gentle, "monotonic", clock.monotonic)
    return clock


def test_what_comes_within_a_turn_is_looked_after_in_the_next(clock: Clock) -> None:
    turns = gentle._Turns()
    turns._ear.close()
    turns._ear = Bell(clock)  # type: ignore[assignment,misc]  # as much of a selector as is used
    near, far = socket.socketpair()
    turns.register(near, selectors.EVENT_READ)
    far.send(b"x")
    try:
        assert len(turns.select(1.0)) == 1
        assert clock.now == 100.0, "after a silence nobody waits"
        assert turns.select(0) == [], "what is ready to run is run first"
        assert clock.now == 100.0
        assert len(turns.select(1.0)) == 1
        assert clock.now == pytest.approx(100.0 + TURN)
        clock.now += TURN
        assert len(turns.select(0)) == 1, "but not for ever"
    finally:
        turns.close()
        near.close()
        far.close()


def test_the_bell_is_heard_between_two_turns(clock: Clock) -> None:
    turns = gentle._Turns()
    bell, other = socket.socketpair(), socket.socketpair()
    rung = turns.register(bell[0], selectors.EVENT_READ)
    turns.register(other[0], selectors.EVENT_READ)
    try:
        other[1].send(b"x")
        assert len(turns.select(1.0)) == 1
        bell[1].send(b"x")
        assert turns.select(1.0) == [(rung, selectors.EVENT_READ)]
        clock.now += TURN
        assert len(turns.select(1.0)) == 2
    finally:
        turns.close()
        for pair in (bell, other):
            for end in pair:
                end.close()


def test_a_start_keeps_the_collector_away_until_everything_is_read() -> None:
    before = gc.get_threshold()
    try:
        with gentle.collector_away():
            assert not gc.isenabled()
        assert gc.isenabled()
        with gentle.collector_away():
            gentle.calm_collector()
            assert gc.isenabled()
        assert gc.isenabled()
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def test_a_start_reads_nothing_that_only_a_terminal_needs() -> None:
    code = "import parlour_server.cli.serve, sys; print([name for name in sys.modules if name.startswith('rich')])"
    asked = f"{code}; import rich.console"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_crowd_does_not_wait_for_the_next_turn(clock: Clock) -> None:
    turns = gentle._Turns()
    pairs = [socket.socketpair() for _ in range(PORTION + 1)]
    try:
        for near, far in pairs:
            turns.register(near, selectors.EVENT_READ)
            far.send(b"x")
        assert len(turns.select(0)) == PORTION
        assert len(turns.select(0)) == PORTION, "nothing has been read, so as many are ready still"
        assert clock.now == 100.0
    finally:
        turns.close()
        for near, far in pairs:
            near.close()
            far.close()
