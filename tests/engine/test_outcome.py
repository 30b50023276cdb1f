"""The facts of a win that scoring is told."""

import pytest

from parlour_engine.events import BY_DEALT, BY_DISCARD, BY_FLOWERS, BY_ROBBED_GONG, BY_SELF_DRAW
from parlour_engine.notation import parse_tiles
from parlour_engine.outcome import scoring_records, tiles_on_table
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.record import ScoringRecord
from tests.kit.script import Script
from tests.kit.walls import kind, position, started

WAITS_5M = "46m123p456p789s222s11z"


def counts(text: str) -> list[int]:
    tiles = parse_tiles(text)
    return [tiles.count(tile) for tile in range(34)]


def only(script: Script) -> ScoringRecord:
    (record,) = scoring_records(script.deal)
    return record


def test_no_records_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        scoring_records(position(("", "", "", ""), drawn="9s"))


def test_a_win_by_discard() -> None:
    """The concealed tiles without the win tile, the sets and flowers, the winds by the dealer's seat."""
    deal = position(
        ("", "", "46m123p456p789s11z", ""),
        melds=("", "", "222s", ""),
        flowers=("", "", "3f8f", ""),
        drawn="5m",
        dealer=3,
        streak=2,
    )
    script = Script(deal)
    script.discard(0, "5m")
    script.do(2, "win")
    script.close()
    record = only(script)
    assert record.counts == counts("46m123p456p789s11z")
    assert [meld.tiles() for meld in record.melds] == [tuple(parse_tiles("222s"))]
    assert record.flowers == tuple(parse_tiles("3f8f"))
    # The dealer sits at 3, so 0 is South, 2 is North.
    assert (record.seat_wind, record.from_wind, record.round_wind) == (3, 1, 0)
    assert (record.win_tile, record.by, record.streak, record.called) == (kind("5m"), BY_DISCARD, 2, False)
    assert [record.replacement, record.last_tile, record.first_discard, record.gong_on_gong] == [False] * 4


def test_a_self_draw_from_the_wall() -> None:
    script = Script(position((WAITS_5M, "", "", ""), drawn="5m"))
    script.do(0, "win")
    record = only(script)
    assert record.counts == counts(WAITS_5M)
    assert (record.by, record.win_tile, record.from_wind) == (BY_SELF_DRAW, kind("5m"), -1)
    assert (record.replacement, record.last_tile) == (False, False)


def test_the_last_live_tile() -> None:
    """Y-9: self-drawn, it is Seabed; the last discard is not."""
    script = Script(position((WAITS_5M, "", "", ""), drawn="5m", live=0))
    script.do(0, "win")
    assert only(script).last_tile
    script = Script(position(("", WAITS_5M, "", ""), drawn="5m", live=0))
    script.discard(0, "5m")
    script.do(1, "win")
    script.close()
    assert not only(script).last_tile


def test_the_first_discard_of_the_deal() -> None:
    """Y-10, A-77: East's first discard, even after a gong; his second is no first discard."""
    hands = ("1111m5m", "", "46m123p456p789s222s11z", "")
    for gong in (False, True):
        script = Script(started(hands, tail="9p"))
        if gong:
            script.do(0, "concealed_gong 1m")
        script.discard(0, "5m")
        script.do(2, "win")
        script.close()
        assert only(script).first_discard
    script = Script(started(("", "", "46m123p456p789s222s11z", ""), draws="5m"))
    script.pass_by(0, "7z")
    script.discard(1, "5m")
    script.do(2, "win")
    script.close()
    assert not only(script).first_discard


def test_a_dealt_win() -> None:
    """A-78: all 17 tiles and no win tile."""
    script = Script(started(("123456789m123456p99s", "", "", ""), dealer=0))
    script.do(0, "win")
    record = only(script)
    assert (record.by, record.win_tile, record.seat_wind) == (BY_DEALT, -1, 0)
    assert record.counts == counts("123456789m123456p99s")
    assert not record.replacement


def test_flowers_that_win() -> None:
    """A-23: sixteen tiles before the first turn."""
    script = Script(started(("", "1f2f3f4f5f6f7f", "", ""), tail="1p2p3p4p6p7p9p"))
    record = only(script)
    assert (record.by, record.win_tile, sum(record.counts), len(record.flowers)) == (BY_FLOWERS, -1, 16, 7)


def test_each_winner_of_one_tile_has_a_record() -> None:
    """P16, P02: all from the same payer; the streak is the dealer's, whoever won."""
    hands = ("", "46p123m456m789m11z777s", "34p222s333s666s22z123s", "")
    script = Script(position(hands, drawn="5p", dealer=1, streak=3))
    script.discard(0, "5p")
    script.do(2, "win")
    script.do(1, "win")
    script.close()
    first, second = scoring_records(script.deal)
    assert (first.seat_wind, second.seat_wind) == (0, 1)
    assert (first.from_wind, second.from_wind) == (3, 3)
    assert (first.streak, second.streak) == (3, 3)


def test_seat_flowers_stay_with_their_owner() -> None:
    """S09: East with 1f and 5f keeps both after a claim, a gong and a robbed gong."""
    hands = ("5p44m1111z9m", "46p123m789m222s11s666s", "", "")
    deal = position(hands, melds=("555p", "", "", ""), flowers=("1f5f", "", "", ""), turn=3, drawn="4m", tail="9s")
    script = Script(deal)
    script.discard(3, "4m")
    script.do(0, "pong 4m")
    script.close()
    script.pass_by(0, "9m")
    while script.waiting() != (0,):
        seat = script.waiting()[0]
        script.do(seat, next(move for move in script.legal(seat) if move.startswith("discard")))
        script.close()
    script.do(0, "concealed_gong 1z")
    script.do(0, "promoted_gong 5p")
    script.do(1, "win")
    script.close()
    assert deal.hands[0].flowers == parse_tiles("1f5f")
    assert only(script).by == BY_ROBBED_GONG


def early(procedure: Procedure) -> int:
    """The table count of a win on P1's discard after four discards, a pong and a concealed gong, two flowers shown."""
    script = Script(
        started(
            ("1111m5m1f", "8s", "46m123p456p789s222s1z1z", "44s2f"),
            draws="9m4s5m",
            tail="3z9p7z",
            procedure=procedure,
        )
    )
    script.do(0, "concealed_gong 1m")  # 4 tiles
    script.pass_by(0, "7z")  # 1 discard
    script.pass_by(1, "9m")  # 2 discards
    script.discard(2, "4s")  # taken: 3 tiles of a pong
    script.do(3, "pong 4s")
    script.close()
    script.pass_by(3, next(move for move in script.legal(3) if move.endswith(("9m", "9p", "z")))[-2:])  # 3 discards
    script.discard(0, "5m")  # 4 discards
    script.do(2, "win")
    script.close()
    return only(script).tiles_on_table


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        (Procedure(), 4 + 4 + 3),
        (Procedure(early_counts_winning_discard=False), 3 + 4 + 3),
        (Procedure(early_counts_melds=False), 4),
        (Procedure(early_counts_flowers=True), 4 + 4 + 3 + 2),
        (
            Procedure(early_counts_melds=False, early_counts_winning_discard=False, early_counts_flowers=True),
            3 + 2,
        ),
    ],
    ids=["lrc", "no winning discard", "no melds", "flowers", "all switched"],
)
def test_tiles_on_the_table(switches: Procedure, expected: int) -> None:
    """A-75 and its three switches: discards with the winning one, 3 a pong, 4 a gong; flowers do not count."""
    assert early(switches) == expected


@pytest.mark.parametrize(("counts_it", "expected"), [(True, 1), (False, 0)])
def test_a_robbed_tile_counts_one(counts_it: bool, expected: int) -> None:
    """A-75: three of the pong and one for the robbed tile, which is the winning tile that another seat gave."""
    hands = ("5p", "46p123m789m222s11z666s", "", "")
    procedure = Procedure(early_counts_winning_discard=counts_it)
    script = Script(position(hands, melds=("555p", "", "", ""), drawn="9s", procedure=procedure))
    before = tiles_on_table(script.deal)
    script.do(0, "promoted_gong 5p")
    script.do(1, "win")
    script.close()
    assert only(script).tiles_on_table == before + expected
