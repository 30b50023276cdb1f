import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_bots.records import event_text, parse_event, parse_wall, wall_text
from parlour_engine import events
from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG, Meld
from parlour_engine.notation import NotationError, parse_tiles

ONE_OF_EACH = {
    "deal 2 S 1 3,4,6 1m1f7z 11m 2m3p1z 9s 8f": events.DealStarted(
        2, 1, 1, (3, 4, 6), (0, 34, 33), ((0, 0), (1, 11, 27), (26,), (41,))
    ),
    "deal 0 E 0 - - 1m 2m 3m 4m": events.DealStarted(0, 0, 0, (), (), ((0,), (1,), (2,), (3,))),
    "3 flowers 16f": events.FlowersExposed(3, (34, 39)),
    "0 draws 5p wall": events.Drew(0, 13, events.WALL),
    "0 draws 5p flower": events.Drew(0, 13, events.FLOWER_REPLACEMENT),
    "0 draws 7z gong": events.Drew(0, 33, events.GONG_REPLACEMENT),
    "1 calls": events.Called(1),
    "1 discards 9s": events.Discarded(1, 26, False),
    "1 discards 9s drawn": events.Discarded(1, 26, True),
    "2 melds chow 456p 5p 1": events.Melded(2, Meld(CHOW, 12, 13, 1)),
    "2 melds pong 777z 7z 0": events.Melded(2, Meld(PONG, 33, 33, 0)),
    "2 melds exposed_gong 7777z 7z 0": events.Melded(2, Meld(EXPOSED_GONG, 33, 33, 0)),
    "2 melds concealed_gong 1111m - -": events.Melded(2, Meld(CONCEALED_GONG, 0)),
    "2 promotes 7z": events.Promoted(2, 33),
    "1 paid mixed_set -5 +15 -5 -5": events.Paid(1, events.MIXED_SET, (-5, 15, -5, -5)),
    "1 paid concealed_gong -5 +15 -5 -5": events.Paid(1, events.CONCEALED_GONG_PAID, (-5, 15, -5, -5)),
    "0 wins discard 5p 3 46p": events.Won(0, events.BY_DISCARD, 13, 3, (12, 14)),
    "0 wins robbed_gong 5p 3 46p": events.Won(0, events.BY_ROBBED_GONG, 13, 3, (12, 14)),
    "0 wins flowers - - 46p": events.Won(0, events.BY_FLOWERS, -1, -1, (12, 14)),
    "1 paid washing -50 +150 -50 -50": events.Paid(1, events.WASHED, (-50, 150, -50, -50)),
    "3 shows 19m555p": events.HandShown(3, (0, 8, 13, 13, 13)),
    "1 washes 9": events.Washed(1, 9),
    "washing opens": events.WashingOpened(),
    "washing closes": events.WashingClosed(),
    "exhausted": events.Exhausted(),
}


@pytest.mark.parametrize("text", ONE_OF_EACH)
def test_every_event_has_a_text_that_reads_back(text: str) -> None:
    assert event_text(ONE_OF_EACH[text]) == text
    assert parse_event(text) == ONE_OF_EACH[text]


def test_no_event_is_forgotten() -> None:
    classes = {cls for cls in vars(events).values() if isinstance(cls, type) and issubclass(cls, events.Event)}
    assert {type(event) for event in ONE_OF_EACH.values()} == classes - {events.Event}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0 sings",
        "x discards 5p",
        "0 discards",
        "0 discards 5q",
        "0 discards 5p 6p",
        "0 draws 5p sea",
        "0 melds chow 456p 5p",
        "0 melds heap 456p 5p 1",
        "0 melds chow - 5p 1",
        "0 paid mixed_set 1 2 3",
        "0 wins luck 5p 3 46p",
        "washing ends",
        "3 shows",
        "1 washes",
        "1 washes many",
        "0 draws 1234p wall",
        "deal 0 X 0 - - 1m",
    ],
)
def test_other_text_is_refused_with_the_cure(text: str) -> None:
    with pytest.raises(NotationError, match=r"docs/bots\.md"):
        parse_event(text)


@given(st.lists(st.integers(0, 41), max_size=144))
def test_a_wall_keeps_its_order(wall: list[int]) -> None:
    assert parse_wall(wall_text(wall)) == tuple(wall)
    assert wall_text(wall) == "".join(wall_text([kind]) for kind in wall)


def test_a_wall_is_read_tile_by_tile() -> None:
    assert parse_wall("5p1f5p") == (13, 34, 13)
    assert list(parse_wall("1m9s")) == parse_tiles("1m9s")
