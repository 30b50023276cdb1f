"""What an explanation and a refusal tell, found by changing the scorer: numbers, clauses and words that belong to the
row or the hand they stand beside."""

import re
from typing import Any

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.explanation import LIMIT, ExplainedHand, explain, explain_lost
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, parse_request, parse_table
from parlour_engine.scoring.tally import NotWinning, score
from tests.engine.proof.classical_hands import Hand, engine_record, hand, lines, losing, ruleset, scored, winning
from tests.engine.rulesets.files import house as club
from tests.engine.scoring.hands import choose, lrc, winning_hand
from tests.engine.scoring.test_house_games import house
from tests.engine.scoring.test_house_games import row as row_of

WITH_LIMIT = "classical-limit"


def explained(one: dict[str, Any]) -> ExplainedHand:
    return explain(lrc(), [parse_request(one, choose).record]).hands[0]


def of_limit(one: Hand) -> ExplainedHand:
    return explain(ruleset(WITH_LIMIT), [engine_record(one)]).hands[0]


def told_as_the_sheet_has_it(told: ExplainedHand, game: Ruleset) -> None:
    """Every row beside the sheet, every reading beside the score."""
    sheet = {row.id: row for row in game.sheet}
    found = score(game, told.record)
    awards = {award.award: award for award in found.awards}
    assert [row.id for row in told.rows] == list(awards)
    for row in told.rows:
        printed, award = sheet[row.id], awards[row.id]
        assert (row.names, row.rules, row.clause, row.stage) == (
            printed.names,
            printed.rules,
            printed.clause,
            printed.stage,
        )
        assert (row.points, row.doubles, row.limit, row.count) == (
            award.points,
            award.doubles,
            award.limit,
            award.count,
        )
    gave_way = [(one.award, one.points, one.doubles, one.limit, one.by) for one in found.replaced]
    assert [(one.id, one.points, one.doubles, one.limit, one.by) for one in told.replaced] == gave_way
    for one in told.replaced:
        printed = sheet[one.id]
        assert (one.names, one.rules, one.clause) == (printed.names, printed.rules, printed.clause)
        assert one.by_names == sheet[one.by].names
    assert (told.reading.form, told.reading.points, told.reading.total) == (
        found.reading.form,
        found.points,
        found.total,
    )
    others = [(other.reading.form, other.points, other.total) for other in found.considered]
    assert [(other.form, other.points, other.total) for other in told.others] == others
    assert (told.steps[0].does, told.steps[0].row) == ("points", "")


def test_an_explanation_tells_what_sheet_and_score_have() -> None:
    gave_way = 0
    for seed in range(60):
        told = explained(winning_hand(seed))
        told_as_the_sheet_has_it(told, lrc())
        gave_way += len(told.replaced)
        for name in ("classical", WITH_LIMIT):
            game = ruleset(name)
            told_as_the_sheet_has_it(explain(game, [engine_record(winning(seed))]).hands[0], game)
            told_as_the_sheet_has_it(explain_lost(game, engine_record(losing(seed))), game)
    assert gave_way > 20


def test_a_hand_that_did_not_win_explains_itself_alone() -> None:
    one = hand("111z44z258m369p1s", "", "", "E")
    told = explain_lost(ruleset(), engine_record(one))
    assert (told.seat_wind, told.won, told.total, told.payments) == (0, False, 16, (0, 0, 0, 0))
    assert [step.does for step in told.steps] == ["points", "double"]
    assert told.waits == ()


def test_a_limit_hand_names_the_row_that_raised_it_and_a_dear_one_none() -> None:
    """Section 7: the whole limit by three dragon sets, half of it by the first discard, and a mere cap."""
    raised = of_limit(hand("777z9p", "9p<W", "555z 666z 456s"))
    first = hand("123456m789p23s55s", "1s<E")
    half = of_limit(first | {"win": first["win"] | {"first_discard": True}})
    cut = of_limit(hand("11p44p", "1p<W", "666p 333p 999p"))
    assert [(step.does, step.row, step.value) for step in half.steps][-1] == (LIMIT, "first_discard", 150)
    assert (cut.steps[-1].does, cut.steps[-1].row, cut.steps[-1].value) == (LIMIT, "", 300)
    assert raised.steps[-1].value == 300
    low = of_limit(hand("222z3z", "3z<W", "111z 444z 456p"))
    assert [(step.does, step.row, step.value) for step in low.steps][-1] == (LIMIT, "three_wind_sets_and_pair", 300)


def claimed(tile: str, **facts: Any) -> Hand:
    return {"win": {"tile": tile, "by": "discard", "from": "W"} | facts}


def test_the_whole_limit_is_named_before_half_of_it() -> None:
    """A limit hand that is won on East's first discard: the whole stands, whichever row is printed first."""
    one = hand("19m19p19s1234567z", "3z<E")
    told = of_limit(one | {"win": one["win"] | {"first_discard": True}})
    assert (told.total, told.steps[-1].row) == (300, "single_heads")
    assert {row.id: row.limit for row in told.rows if row.limit} == {"first_discard": "half", "single_heads": "whole"}


@pytest.mark.parametrize("tile", ["2m", "2p", "2s", "8m", "8p", "8s"])
def test_heads_are_ones_nines_and_honours(tile: str) -> None:
    """Section 7: one set of 2s or 8s, and it is no hand of heads."""
    simple = hand("444777z999m6z", "6z<W", f"{tile[0] * 3}{tile[1]}")
    heads = simple | {"melds": ["111p"]}
    assert "all_heads" not in lines(scored(simple, WITH_LIMIT))
    assert "all_heads" in lines(scored(heads, WITH_LIMIT))


def test_the_other_readings_of_lrc_are_told_best_first() -> None:
    told_apart = 0
    for seed in range(200):
        found = score(lrc(), parse_request(winning_hand(seed), choose).record)
        points = [other.points for other in found.considered]
        assert points == sorted(points, reverse=True), seed
        told_apart += len(set(points)) > 1
    assert told_apart >= 2


def test_a_hand_that_did_not_win_waits_for_nothing_though_it_was_ready() -> None:
    assert score(ruleset(), engine_record(hand("123m456p789s1155z"))).waits == 0


def test_a_pair_of_the_last_dragon_is_no_third_set() -> None:
    """Section 7: two dragon sets are shown, and the discard makes the pair."""
    others = [engine_record(hand("1479m258s369s345z", "", "", seat)) for seat in "EWN"]
    one = engine_record(hand("5z123p", "5z<W", "777z 666z 999s"))
    assert {move.reason for move in settle(ruleset(WITH_LIMIT), [one], others).transfers} == {"hand"}


def test_what_a_penalty_voids_is_told_with_no_row() -> None:
    """Section 7: the scores of the others are void."""
    winner = engine_record(hand("11p44p", "1p<W", "666p 333p 999p"))
    others = [engine_record(hand("111s258m369p44z25s", "", "", seat)) for seat in "EWN"]
    told = explain(ruleset(WITH_LIMIT), [winner], others)
    assert told.hands[0].total == 300
    for lost in told.hands[1:]:
        assert (lost.steps[-1].does, lost.steps[-1].row, lost.steps[-1].value) == ("void", "", 0)


def test_what_stands_beside_a_limited_hand_is_added_to_the_limit() -> None:
    gift = row_of("gift", 'question = "always"\npoints = 7\nstage = "beside"\nreadings = ["standard"]')
    game = house(WITH_LIMIT, rows=gift)
    told = explain(game, [engine_record(hand("11p44p", "1p<W", "666p 333p 999p"))]).hands[0]
    assert [(step.does, step.row, step.value) for step in told.steps[-2:]] == [(LIMIT, "", 300), ("added", "gift", 307)]


def test_no_flowers_win_where_the_house_has_it_so() -> None:
    """The rows of the flower wins are gone, and their number is none."""
    removed = 'removed = ["seven_flowers", "eight_flowers"]\n[play]\nflower_win = 0\n'
    bare = engine_record(hand("123456m23499p789s11z", "", "", "E", flowers="12345678f") | {"win": {"by": "flowers"}})
    with pytest.raises(NotWinning, match="8 flowers do not win"):
        score(club(removed), bare)


# Refusals of a whole table

DRAWN = {"tile": "1s", "by": "self_draw"}
STRAYS = "147m258p369s1234z"


def table(**changes: Any) -> dict[str, Any]:
    hands: dict[str, Hand] = {seat: {"hand": STRAYS, "melds": [], "win": None} for seat in "ESWN"}
    hands["S"] = {"hand": "123456m789p23s55s", "melds": [], "win": {"tile": "1s", "by": "discard", "from": "W"}}
    whole: dict[str, Any] = {
        "id": "t1",
        "ruleset": "classical",
        "round": "E",
        "flowers": "",
        "hands": hands,
        "winner": "S",
    }
    return whole | changes


def choosing(name: str, options: Any) -> Ruleset:
    return (lrc() if name == "lrc" else ruleset(name)).with_options(options)


def hands(**changes: Any) -> dict[str, Any]:
    return {"hands": {seat: table()["hands"][seat] | changes.get(seat, {}) for seat in "ESWN"}}


def test_a_table_is_read_with_its_name() -> None:
    found = parse_table(table(**hands(E={"hand": "369m147p258s1234z"}, N={"hand": "258m369p147s1567z"})), choosing)
    assert (found.id, found.ruleset.key, found.winner.seat_wind) == ("t1", "classical", 1)
    assert [other.seat_wind for other in found.others] == [0, 2, 3]


@pytest.mark.parametrize(
    ("request_", "code", "told"),
    [
        (table(colour=1), BAD_RECORD, "'colour' is no key of a table; there are"),
        (table(ruleset="lrc", **hands(**{seat: {"win": DRAWN} for seat in "ENW"})), BAD_RECORD, "scores only hands"),
        (table(hands={"E": {}}), BAD_RECORD, '"hands" is no object with exactly the keys E S W N'),
        (table(hands={seat: [] for seat in "ESWN"}), BAD_RECORD, "the hand of E is no object"),
        (table(winner="W"), BAD_RECORD, '"win" of S does not fit: the winner is W'),
        (table(**hands(W={"round": "S"})), BAD_RECORD, '"round" of the hand of W is not what the table says'),
        (table(mandarins=True, flowers="1f"), BAD_TILES, "^a flower is on the table twice$"),
        (table(**hands(E={"hand": "1111m258p369s123z"})), BAD_TILES, "more than four of a kind on the table"),
    ],
)
def test_a_refusal_of_a_table_names_what_is_wrong(request_: dict[str, Any], code: str, told: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse_table(request_, choosing)
    assert caught.value.code == code
    assert re.search(told, str(caught.value))


def test_hands_that_say_for_themselves_what_is_one_must_agree() -> None:
    """What the table leaves to the hands, and only one of them says otherwise."""
    said = {seat: {"round": "E"} for seat in "ESWN"}
    bare = {key: value for key, value in table().items() if key != "round"}
    with pytest.raises(RequestError, match='the hands of one table differ in "round"'):
        parse_table(bare | hands(**(said | {"N": {"round": "S"}})), choosing)
    with pytest.raises(RequestError, match='the hands of one table differ in "mandarins"'):
        parse_table(table() | hands(E={"mandarins": True}), choosing)


def test_settlements_that_cannot_be_are_refused_in_words() -> None:
    one = engine_record(hand("123456m789p23s55s", "1s<W"))
    other = engine_record(hand("123456m789p23s55s", "1s<W", "", "N"))
    with pytest.raises(ValueError, match=r"^where everyone pays there is one winner$"):
        settle(ruleset(), [one, other])
    with pytest.raises(ValueError, match=r"^beside the winner there are the three other seats, which did not win$"):
        settle(ruleset(), [one], [other])
