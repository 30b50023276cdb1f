"""Faults S: what a hand is worth. The TW half of each case that is not told elsewhere."""

import random
from typing import Any

import pytest

from parlour_engine import play
from parlour_engine.notation import parse_tiles, tile_text
from parlour_engine.outcome import scoring_records
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, parse_request
from parlour_server.protocol.events import Settled
from tests.engine.scoring import plain
from tests.engine.scoring.hands import choose, lines, lrc, record, scored, winning_hand
from tests.engine.scoring.test_properties import GROUPS
from tests.faults.thousand import played, settlements
from tests.kit.script import Script
from tests.kit.walls import position, scripted_wall
from tests.server.table.sitting import FAST, Sitting, people


@pytest.mark.parametrize("chunk", range(5))
def test_s01_s05_the_best_of_all_readings_and_no_excluded_pair(chunk: int) -> None:
    """S01 and S05, a thousandth of a million random winning hands: the score is the best that a slow scorer finds, the
    same however the tiles lie, and no two lines of one group of M2 are paid together."""
    for seed in range(200 * chunk, 200 * chunk + 200):
        hand = winning_hand(seed)
        score, expected = scored(hand), plain.best(hand)
        assert (score.points, score.total) == (expected["points"], expected["total"]), seed
        tiles = plain.tiles_of(hand["hand"])
        random.Random(seed).shuffle(tiles)
        assert scored(hand | {"hand": "".join(tiles)}).awards == score.awards, seed
        assert all(len(set(lines(score)) & group) <= 1 for group in GROUPS), seed


def test_s05_no_excluded_pair_is_paid_in_a_played_deal() -> None:
    """S05: a thousand deals as they were really played."""
    scores = [entry.score for settlement in settlements() if settlement is not None for entry in settlement.entries]
    assert len(scores) > 500
    for score in scores:
        assert all(len(set(lines(score)) & group) <= 1 for group in GROUPS)
        assert score.total >= 7


def test_s09_easts_flowers_keep_their_value_through_claim_gong_and_robbed_gong() -> None:
    """S09, F-4, A-15: East shows 1f and 5f, two points each. He pongs, declares a gong, and robs P1's gong; the record
    is the same when the deal is folded from its events again."""
    deal = position(
        ("44m1111z46p123s789s8s9m", "5p2288m", "2277p", "3377s"),
        melds=("", "555p", "", ""),
        flowers=("1f5f", "", "", ""),
        turn=3,
        drawn="4m",
        draws="1p6s1p8s3z",
        tail="7z",
    )
    script = Script(deal)
    script.discard(3, "4m")
    script.do(0, "pong 4m")
    script.close()
    script.pass_by(0, "9m")
    for seat, tile in ((1, "1p"), (2, "6s"), (3, "1p")):
        script.pass_by(seat, tile)
    script.do(0, "concealed_gong 1z")
    script.pass_by(0, "7z")
    assert "promoted_gong 5p" in script.legal(1)
    script.do(1, "promoted_gong 5p")
    script.do(0, "win")
    script.close()
    (won,) = scoring_records(deal)
    assert won.flowers == tuple(parse_tiles("1f5f"))
    found = lines(settle(lrc(), [won]).entries[0].score)
    assert (found["flower"], found["seat_flower"], found["robbing_gong"]) == (2, 2, 10)
    assert deal.paid == [15, -5, -5, -5]


def test_s09_flowers_stay_through_a_fold_of_the_events_and_a_new_line() -> None:
    """S09, resume and replay: East is dealt 1f and 5f, loses his line, comes back with nothing, and wins later."""
    hands = ["1f5f46p123m456m789m777s1z", "2288s", "2277p", "3399s"]
    sitting = Sitting(
        people(0), FAST, walls=[scripted_wall(hands, draws="4z1s4z5p", tail="1z3z")], bots=throws_the_drawn
    )
    ann = sitting.join("ann")
    sitting.start()
    sitting.play(ann, "discard 3z")
    sitting.drop(ann)
    ann = sitting.join("ann")
    assert ann.table["deal"]["seats"][0]["flowers"] == ["1f", "5f"]
    sitting.play(ann, "win")
    (event,) = [event for event in ann.events() if isinstance(event, Settled)]
    (win,) = event.wins
    assert win.flowers == ["1f", "5f"]
    assert {line.award: line.points for line in win.awards if "flower" in line.award} == {"flower": 2, "seat_flower": 2}


def throws_the_drawn(table: Any, seat: int, ask: Any) -> str:
    """Passes, and throws what it drew."""
    drawn = table.view_for(seat).drawn
    return "pass" if "pass" in ask.moves else f"discard {tile_text(drawn)}"


GOOD = record("123456m2399p789s111z", "4p<E")


@pytest.mark.parametrize(
    "hand",
    [
        {"hand": "11111m23p99p789s111z1s"},
        {"hand": "111m2399p789s1112z12s", "win": {"by": "discard", "tile": "1m", "from": "E"}, "melds": ["111m"]},
        {"hand": ""},
        {"hand": "123456m23499p789s1112z"},
        {"hand": "123456m2399p789s11z"},
        {"flowers": "12345678f1f", "win": {"by": "flowers"}},
        {"flowers": "11f"},
        {"flowers": "9f"},
        {"hand": "123456m2399p789s118z"},
        {"hand": "123456m2399p789s110z"},
        {"melds": ["124m"]},
        {"melds": ["11m"]},
        {"melds": ["1111f"]},
    ],
    ids=lambda change: str(change)[:40],
)
def test_s11_impossible_tiles_have_one_error_code(hand: dict[str, Any]) -> None:
    """S11: five of a kind, no tiles, too many, nine flowers, tiles there are none of."""
    with pytest.raises(RequestError) as caught:
        parse_request(GOOD | hand, choose)
    assert caught.value.code == BAD_TILES


@pytest.mark.parametrize("number", [144, -1, 2**31, 10**400, 5.0, True, None])
def test_s11_a_number_is_no_tile(number: object) -> None:
    """S11: tiles are text, so an id of any size is a record of the wrong type."""
    for change in ({"hand": number}, {"flowers": number}, {"win": GOOD["win"] | {"tile": number}}):
        with pytest.raises(RequestError) as caught:
            parse_request(GOOD | change, choose)
        assert caught.value.code == BAD_RECORD


def test_s11_a_thousand_random_multisets_are_scored_or_refused() -> None:
    """S11: nothing but an answer or an error with a code comes of any tiles."""
    chance = random.Random(11)
    tiles = [f"{number}{letter}" for letter in "mpsz" for number in range(1, 8 if letter == "z" else 10)]
    codes = set()
    for _ in range(1000):
        few = chance.sample(tiles, chance.randrange(1, 20))
        hand = "".join(chance.choices(few, k=chance.choice((0, 4, 13, 16, 16, 16, 16, 17, 40))))
        try:
            scored(GOOD | {"hand": hand, "win": {"by": "discard", "tile": chance.choice(few), "from": "E"}})
            codes.add("scored")
        except RequestError as error:
            codes.add(error.code)
        except ValueError as error:
            codes.add(type(error).__name__)
    assert {BAD_TILES, "NotWinning"} <= codes <= {BAD_TILES, "NotWinning", "scored"}


def test_s12_a_wait_for_a_fifth_tile_is_none_at_the_table_either() -> None:
    """S12: 111m and the winds wait for nothing that exists: a view offers no call and no win, whatever is thrown."""
    script = Script(position(("111m111222333444z4z", "", "", ""), drawn="9p", procedure=Procedure(calling=True)))
    assert "call 9p" not in script.legal(0)
    for thrown in ("1m", "9s", "5z"):
        script = Script(position(("111m111222333444z4z", "", "", ""), turn=3, drawn=thrown))
        script.discard(3, thrown)
        assert "win" not in script.legal(0)


def test_the_deals_that_were_played_are_folded_from_their_events_to_the_same_records() -> None:
    """S08, S09: nothing of the running deal is needed beside its events."""
    for walk in played()[:100]:
        folded = play.fold(lrc().procedure, walk.events)
        before, after = scoring_records(walk.deal), scoring_records(folded)
        assert [vars_of(one) for one in before] == [vars_of(one) for one in after]


def vars_of(won: Any) -> list[Any]:
    return [getattr(won, name) for name in type(won).__slots__]
