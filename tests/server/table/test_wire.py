"""The engine's values as the protocol's."""

import pytest

from parlour_engine import events as engine
from parlour_engine.match import Standing as Line
from parlour_engine.melds import CONCEALED_GONG, PROMOTED_GONG, Meld
from parlour_server.protocol import events, values
from parlour_server.table import wire

COUNT = wire.Count(3, 40, [10, -10, 0, 0], dealer=2)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (engine.Drew(2, 13, engine.GONG_REPLACEMENT), events.Drew(2, "5p", "gong", 40)),
        (engine.Drew(2, engine.HIDDEN, engine.WALL), events.Drew(2, None, "wall", 40)),
        (engine.Discarded(1, 33, True), events.Discarded(1, "7z", drawn=True)),
        (engine.Called(1), events.Called(1)),
        (engine.Exhausted(), events.Exhausted()),
        (engine.HandShown(2, (0, 0, 33)), events.HandShown(2, ["1m", "1m", "7z"])),
        (engine.WashingOpened(), events.WashingOpened(2)),
        (engine.WashingClosed(), events.WashingClosed(2)),
        (engine.Washed(1, 11), events.Washed(1, 11)),
        (
            engine.Paid(1, engine.WASHED, (-100, 300, -100, -100)),
            events.Paid(1, "washing", [-100, 300, -100, -100], [10, -10, 0, 0]),
        ),
        (engine.Promoted(3, 0), events.Promoted(3, "1m")),
        (engine.FlowersExposed(0, (34, 41)), events.FlowersExposed(0, ["1f", "8f"])),
        (
            engine.Paid(0, engine.FULL_SET, (30, -10, -10, -10)),
            events.Paid(0, "full_set", [30, -10, -10, -10], [10, -10, 0, 0]),
        ),
        (
            engine.Melded(1, Meld(CONCEALED_GONG, 8)),
            events.Melded(1, values.MeldValue("concealed_gong", ["9m"] * 4, None, None)),
        ),
        (
            engine.Melded(1, Meld(PROMOTED_GONG, 8, 8, 0)),
            events.Melded(1, values.MeldValue("promoted_gong", ["9m"] * 4, "9m", 0)),
        ),
        (
            engine.Won(0, engine.BY_DEALT, -1, -1, (0, 1, 2)),
            events.Won(0, "dealt", None, None, ["1m", "2m", "3m"]),
        ),
        (
            engine.Won(0, engine.BY_ROBBED_GONG, 26, 0, ()),
            events.Won(0, "robbed_gong", "9s", 0, []),
        ),
        (
            engine.DealStarted(1, 2, 3, (1, 2, 3), (), ((0, 34), (-1, -1), (-1,), ())),
            events.DealStarted(
                3, 1, 2, 3, [1, 2, 3], [2, 2, 1, 0], [["1m", "1f"], None, None, []], 40, [10, -10, 0, 0]
            ),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_event_has_its_message(told: engine.Event, said: events.TableEvent) -> None:
    assert wire.event(told, COUNT) == said


def test_an_event_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(TypeError, match="Event"):
        wire.event(engine.Event(), COUNT)


def test_equal_scores_share_a_rank() -> None:
    lines = [Line(1, 2, 30), Line(2, 0, 5), Line(3, 1, 5), Line(4, 3, -40)]
    assert wire.standing(lines) == [
        values.Standing(2, 1, 30),
        values.Standing(0, 2, 5),
        values.Standing(1, 2, 5),
        values.Standing(3, 4, -40),
    ]
