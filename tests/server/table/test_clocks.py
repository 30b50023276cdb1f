"""Clocks: the late move, three in a row, clocks that are off."""

from collections.abc import Sequence

import attrs
import pytest

from parlour_server.protocol import events
from parlour_server.protocol.messages import Ask, Seats
from parlour_server.table import CLOCKS, Settings, Table
from parlour_server.table.journal import Answered
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, LRC, Sitting, people, shuffled, silent, timed

CALM = shuffled(11)(1, LRC.procedure)[0]


def patient(table: Table, seat: int, ask: Ask) -> str:
    """Passes and throws, and never wins."""
    return "pass" if "pass" in ask.moves else ask.moves[-1]


def alone(settings: Settings, wall: Sequence[int] = CALM) -> tuple[Sitting, Client]:
    """One person as East, three bots that pass."""
    sitting = Sitting(people(0), settings, walls=[wall], bots=patient)
    client = sitting.join("ann")
    return sitting.start(), client


def own_discards(client: Client) -> list[events.Discarded]:
    return [event for event in client.events() if isinstance(event, events.Discarded) and event.seat == 0]


def stand_in(client: Client) -> bool:
    seats = client.last(Seats)
    return bool(seats.seats[0].stand_in)


def until_asked(sitting: Sitting, client: Client, kind: str = "turn") -> None:
    """Passes every claim until the client is on turn."""
    for _ in range(100):
        if client.ask is not None and client.ask.kind == kind:
            return
        if client.ask is not None:
            sitting.play(client, "pass")
        else:
            sitting.wait(0.1)
    raise AssertionError(f"no {kind} came")


def test_the_usual_clocks() -> None:
    assert CLOCKS == {"off": (None, None, None), "casual": (20_000, 8_000, 60_000), "brisk": (8_000, 4_000, 20_000)}
    assert Settings.of("casual").floor_ms == 600


@pytest.mark.parametrize(
    "wrong",
    [
        {"floor_ms": -1},
        {"discard_ms": 0},
        {"claim_ms": -5},
        {"grace_ms": 3_600_001},
        {"watchers": -1},
        {"bank_ms": -1},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"."):
        attrs.evolve(Settings.of("casual"), **wrong)  # type: ignore[arg-type]  # names of fields


def test_an_ask_says_how_long_there_is() -> None:
    sitting, ann = alone(timed())
    assert ann.ask is not None
    assert (ann.ask.left_ms, ann.ask.total_ms) == (20_000, 20_000)
    sitting.wait(5)
    again = sitting.join("ann", client=ann)
    assert again.ask is not None
    assert (again.ask.left_ms, again.ask.total_ms) == (15_000, 20_000)


def test_a_late_discard_is_the_tile_just_drawn() -> None:
    sitting, ann = alone(timed())
    until_asked(sitting, ann)
    sitting.play(ann, ann.ask.moves[0] if ann.ask else "")
    until_asked(sitting, ann)
    assert ann.fold is not None
    drawn = ann.fold.seat(0)["drawn"]
    assert drawn is not None
    sitting.wait(19.9)
    assert len(own_discards(ann)) == 1
    sitting.wait(0.2)
    assert own_discards(ann)[1] == events.Discarded(0, drawn, drawn=True)


def test_where_nothing_was_drawn_a_late_discard_is_the_highest_tile() -> None:
    # East's opening turn: m, p, s, z, the highest last.
    sitting, ann = alone(timed(), scripted_wall(["123456789m1234567p6z", "", "", ""]))
    sitting.wait(20)
    assert own_discards(ann) == [events.Discarded(0, "6z", drawn=False)]


def test_an_answer_in_time_stops_its_clock() -> None:
    # T01: answered after 1 of 20 seconds; the clock of that ask does nothing more.
    sitting, ann = alone(timed())
    assert ann.ask is not None
    version = ann.ask.version
    sitting.wait(1)
    sitting.play(ann, ann.ask.moves[0])
    assert sitting.table.deadline() == sitting.now + 0.6, "only the window's floor is armed"
    sitting.wait(60)
    answers = [row for row in sitting.rows if isinstance(row, Answered) and (row.seat, row.version) == (0, version)]
    assert [(row.by, row.at) for row in answers] == [("person", 101.0)]


def test_three_late_answers_in_a_row_bring_a_stand_in_and_a_move_ends_it() -> None:
    sitting, ann = alone(timed(grace_ms=0))
    for late in range(3):
        until_asked(sitting, ann)
        assert not stand_in(ann), f"after {late}"
        sitting.wait(20)
    assert stand_in(ann)
    assert ann.table["seats"][0]["present"]
    asked = len(sitting.bot_asks)
    sitting.bots = lambda table, seat, ask: None if seat == 0 else patient(table, seat, ask)
    while not any(seat == 0 for seat, _ in sitting.bot_asks[asked:]):
        sitting.wait(0.1)
    # The owner sees the same ask as the stand-in and may be faster.
    assert ann.ask == sitting.bot_asks[-1][1]
    sitting.play(ann, ann.ask.moves[-1])
    assert ann.errors() == []
    assert not stand_in(ann)
    assert own_discards(ann)


def test_the_stand_in_plays_at_a_bots_pace_and_a_late_click_brings_the_owner_back() -> None:
    sitting, ann = alone(timed(grace_ms=0))
    for _ in range(3):
        until_asked(sitting, ann)
        sitting.wait(20)
    made = len(own_discards(ann))
    sitting.wait(30)
    assert len(own_discards(ann)) > made
    before = sitting.state()
    sitting.play(ann, "discard 1m", version=1)
    assert sitting.state() == before
    assert ann.errors() == ["stale"]
    assert not stand_in(ann)


def test_a_seat_taken_back_by_hand_is_its_owners_again() -> None:
    sitting, ann = alone(timed(grace_ms=0))
    for _ in range(3):
        until_asked(sitting, ann)
        sitting.wait(20)
    sitting.take_seat(ann, 0)
    assert ann.errors() == []
    assert not stand_in(ann)


def test_an_answer_between_breaks_the_row() -> None:
    sitting, ann = alone(timed(grace_ms=0))
    for turn in range(8):
        until_asked(sitting, ann)
        if turn % 3 == 2:
            sitting.play(ann, ann.ask.moves[-1] if ann.ask else "")
        else:
            sitting.wait(20)
    assert not stand_in(ann)


def test_without_clocks_a_present_person_has_all_the_time() -> None:
    sitting, ann = alone(FAST)
    assert ann.ask is not None
    assert (ann.ask.left_ms, ann.ask.total_ms) == (None, None)
    assert sitting.table.deadline() is None
    sitting.wait(100_000)
    assert own_discards(ann) == []
    assert not stand_in(ann)


def test_a_bot_that_never_answers_is_late_and_never_stops_the_table() -> None:
    sitting = Sitting(people(), timed(bot_ms=500), walls=[CALM], bots=silent)
    eve = sitting.join("eve")
    sitting.start()
    sitting.wait(60)
    assert len([event for event in eve.events() if isinstance(event, events.Discarded)]) > 20
    assert sitting.bot_asks
