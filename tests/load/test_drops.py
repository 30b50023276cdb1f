"""G05, T07: whoever loses the line, however and whenever, holds nobody up for longer than was promised, and comes back
to the same table. A sample with every commit; the whole of it in the long run."""

import os

import pytest

from parlour_server import heartbeat
from parlour_server.heartbeat import EVERY, LOOK, PRESSED_PATIENCE, PRESSED_QUIET
from parlour_server.protocol import messages
from parlour_server.protocol.messages import FromClient
from tests.load.dropping import CASES, FAULTS, KINDS, Fault, Kind, Scene, kinds_of_message, said

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
ALL = [(kind, state, fault, seat) for kind, state in CASES for fault in FAULTS for seat in range(4)]
SAMPLE = [(kind, state, FAULTS[number % 4], (number + number // 4) % 4) for number, (kind, state) in enumerate(CASES)]
DROPS = ALL if LONG else SAMPLE


def _name(value: object) -> str:
    return value.name if isinstance(value, Kind) else value.__name__ if isinstance(value, type) else str(value)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "state", "fault", "seat"), DROPS, ids=_name)
def test_a_table_goes_on_without_a_line_and_takes_it_back(kind: Kind, state: str, fault: Fault, seat: int) -> None:
    with Scene(kind, state, seat, told=seat % 2 == 0 or state == "restart") as scene:
        target, version = scene.target, scene.version()
        if state != "restart":
            target.lose(fault)
        scene.go_on()
        if state != "waiting":
            limit = scene.within(fault)
            begun = scene.stage.agenda.now
            while scene.version() == version:
                scene.stage.wait(0.05)
                assert scene.stage.agenda.now - begun < limit, (state, fault, seat, limit)
            scene.stage.wait(2.0)
        else:
            scene.stage.wait(60.0)
            assert scene.version() == version
        scene.resumed()
        assert target.you == seat, "the seat is its owner's still"
        assert not scene.faults()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "state"), CASES, ids=_name)
def test_fifty_times_back_changes_nothing(kind: Kind, state: str) -> None:
    """G05, C03: each time the line breaks before the table has noticed anything, and the answer is the same."""
    if state in ("restart", "shuffle"):
        pytest.skip("what is waited for there goes on by itself")
    with Scene(kind, state, 2) as scene:
        target, version = scene.target, scene.version()
        target.still = True
        ask = target.ask
        first = None
        times = 50 if kind.claim is None or state in ("turn", "paused", "waiting") else 20
        for number in range(times):
            target.back(afresh=number % 2 == 0)
            target.still = True
            scene.stage.wait(0.1)
            assert target.folded is not None
            known = (target.folded.version, target.folded.deal, target.folded.scores, target.folded.settled, target.you)
            first = first or known
            assert known == first
            if state != "paused":
                now = target.ask
                assert (now and now.moves, now and now.version) == (ask and ask.moves, ask and ask.version)
        assert scene.version() == version
        assert not scene.faults()


BRISK = KINDS[2]
SECONDS_BEFORE = {"turn": 9.5, "claim": 9.5, "late": 14.0}
"""Seconds after the question: its own time is over. The clock answers a claim after 24, and whoever is silent from
second 14 on is found only later."""


def _bank(scene: Scene) -> int:
    table = scene.live()._table
    chair = table._chairs[scene.seat]
    clock = None if chair.question is None else chair.question.clock
    left = chair.bank_left_ms() if clock is None else clock.bank_left_ms(scene.live()._clock.now())
    assert left is not None
    return left


@pytest.mark.slow
@pytest.mark.parametrize("state", SECONDS_BEFORE)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("back_after", [None, 9.0, 13.0])
def test_the_bank_is_not_burnt_however_a_line_is_lost(state: str, fault: Fault, back_after: float | None) -> None:
    """Found by the server, or by the owner who is back on another line before anything is noticed."""
    silent = fault in ("freeze", "half-open")
    with Scene(BRISK, "turn" if state == "turn" else "claim", 2) as scene:
        scene.stage.wait(SECONDS_BEFORE[state])
        before = _bank(scene)
        assert 0 < before < 20_000, "it is being used"
        viewer = scene.live()._table._chairs[2].viewer
        scene.target.lose(fault)
        lost = scene.stage.agenda.now
        if back_after is None:
            while scene.live()._table.here(viewer or 0):
                scene.stage.wait(0.05)
                assert scene.stage.agenda.now - lost <= EVERY * (PRESSED_QUIET + PRESSED_PATIENCE) + LOOK + 0.1
        else:
            scene.stage.wait(back_after)
            scene.target.back()
            scene.target.still = True
            while scene.live()._table.here(viewer or 0):
                scene.stage.wait(0.01)
        found = _bank(scene)
        # A line that lives shows it every five seconds; what it had burnt before its last sign of life it had burnt.
        assert before - 100 <= found <= min(20_000, before + (1000 * EVERY + 200) * silent)
        assert not scene.faults()


@pytest.mark.slow
def test_who_is_asked_is_found_as_soon_after_saying_something_else() -> None:
    """Else a word in time would let a clock run on, unnoticed, for longer than is given back."""
    with Scene(BRISK, "turn", 2) as scene:
        scene.stage.wait(9.5)
        scene.target.say(messages.Say("one moment"))
        scene.target.say(messages.Play(scene.version(), "pass", 5))
        scene.stage.wait(0.2)
        before = _bank(scene)
        scene.target.lose("half-open")
        scene.stage.wait(EVERY * (PRESSED_QUIET + PRESSED_PATIENCE) + LOOK + 0.1)
        assert not scene.live()._table._chairs[2].up
        assert before - 100 <= _bank(scene) <= before + 400


@pytest.mark.slow
def test_a_line_that_lives_wins_nothing_by_another_one() -> None:
    with Scene(BRISK, "turn", 2) as scene:
        scene.stage.wait(9.5)
        for _ in range(20):
            before = _bank(scene)
            scene.target.back()
            scene.target.still = True
            scene.stage.wait(0.3)
            assert _bank(scene) == pytest.approx(before - 300, abs=20)


@pytest.mark.slow
@pytest.mark.parametrize("message", kinds_of_message(), ids=_name)
@pytest.mark.parametrize("fault", FAULTS if LONG else FAULTS[:2], ids=_name)
@pytest.mark.parametrize("kind", KINDS[:5] if LONG else KINDS[:1], ids=_name)
def test_a_line_is_lost_with_the_answer_on_its_way(kind: Kind, fault: Fault, message: type[FromClient]) -> None:
    """Whatever was said last, it is done once or not at all, and the table goes on."""
    with Scene(kind, "turn", 1) as scene:
        target, version = scene.target, scene.version()
        target.say(said(message, target))
        target.lose(fault)
        begun = scene.stage.agenda.now
        scene.stage.wait(0.5)
        if scene.live().stopped == "agreed":
            scene.others[0].say(messages.Pause(wanted=False))
        while scene.version() == version:
            scene.stage.wait(0.05)
            assert scene.stage.agenda.now - begun < scene.within(fault) + 1.0
        scene.stage.wait(1.0)
        if message.__name__ not in ("LogOut", "Leave"):
            scene.resumed()
            assert target.you == 1
        assert not scene.faults()


@pytest.mark.slow
def test_a_server_that_asks_nobody_for_signs_of_life_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the first test would say nothing of lines that are silent."""
    monkeypatch.setattr(heartbeat, "EVERY", 1000.0)
    with Scene(KINDS[0], "turn", 1) as scene:
        version = scene.version()
        scene.target.lose("half-open")
        scene.stage.wait(scene.within("half-open"))
        assert scene.version() == version
