"""Corners of the sheet's questions and of what a score tells beside its points, found by changing the scorer."""

from typing import Any

import pytest

from parlour_engine.melds import CHOW, PONG
from parlour_engine.notation import parse_tile
from parlour_engine.scoring.facts import NO_GROUP, ReadingFacts, SplitFacts
from parlour_engine.scoring.groups import groups
from parlour_engine.scoring.patterns import HAND_QUESTIONS, READING_QUESTIONS, SPLIT_QUESTIONS, question_names
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.reading import Reading
from parlour_engine.scoring.record import FLOWERS, ScoringRecord
from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, parse_request
from parlour_engine.scoring.sheet import Row, Sheet, Worth, highest
from parlour_engine.scoring.tally import NotWinning, score
from tests.engine.proof.classical_hands import engine_record, hand, ruleset
from tests.engine.scoring.hands import choose, lines, lrc, record, scored
from tests.engine.scoring.test_properties import facts_of


def readings(one: dict[str, Any]) -> list[ReadingFacts]:
    return facts_of(parse_request(one, choose).record)


def split_of(one: dict[str, Any]) -> SplitFacts:
    """The only way to lay out the hand."""
    (split,) = {id(reading.split): reading.split for reading in readings(one)}.values()
    return split


@pytest.mark.parametrize(
    "question",
    [
        "brother_chows",
        "sister_chows_of_two",
        "sister_chows_of_three",
        "steps_in_three_suits",
        "mixed_dragon",
        "pure_dragon",
        "terminal_chow_sets",
        "all_chows",
    ],
)
def test_a_hand_without_chows_answers_no_to_what_is_asked_of_chows(question: str) -> None:
    assert SPLIT_QUESTIONS[question](split_of(record("111333z555777z222m9p", "9p"))) == 0


@pytest.mark.parametrize(
    "question", ["neighbour_pongs", "sister_pongs", "terminal_pong_sets", "uncles", "wind_pongs", "dragon_pongs"]
)
def test_a_hand_without_pongs_answers_no_to_what_is_asked_of_pongs(question: str) -> None:
    assert SPLIT_QUESTIONS[question](split_of(record("123456m678p23499s56s", "4s"))) == 0


def test_one_pong_is_a_run_of_one_and_one_of_its_rank() -> None:
    for pong in ("111m", "555p"):
        split = split_of(record(f"{pong}456m678p23499s56s", "4s"))
        assert SPLIT_QUESTIONS["neighbour_pongs"](split) == 1
        assert SPLIT_QUESTIONS["sister_pongs"](split) == 1


def test_pongs_of_honours_are_no_neighbours() -> None:
    """N-1: East and South follow each other and nothing else does."""
    split = split_of(record("999s111222333z456m5p", "5p"))
    assert SPLIT_QUESTIONS["neighbour_pongs"](split) == 1
    assert SPLIT_QUESTIONS["neighbour_pongs"](split_of(record("111z234p456789m123s5s", "5s"))) == 0


def test_questions_of_yes_or_no_say_one() -> None:
    split = split_of(record("123456m678p23499s56s", "4s"))
    assert HAND_QUESTIONS["always"](split.hand) == 1
    assert SPLIT_QUESTIONS["form"](split) == 1
    assert SPLIT_QUESTIONS["fours"](split) == 0


def test_the_questions_are_told_in_the_order_of_the_alphabet() -> None:
    assert question_names() == sorted({*HAND_QUESTIONS, *SPLIT_QUESTIONS, *READING_QUESTIONS})
    assert len(question_names()) == len(set(question_names()))


def test_five_pongs_up_to_nine_and_eyes_of_another_suit_are_no_uncles() -> None:
    """H-10, A-52: the eyes are of the same suit, so five pongs begin at 4 at the latest."""
    assert "uncles_hand" not in lines(scored(record("555666777888999m1p", "1p")))
    assert "uncles_hand" in lines(scored(record("444555666777888m9m", "9m")))


JEWELS = {"jade_hand": ("6z", "s", "p"), "ruby_hand": ("7z", "m", "s"), "diamond_hand": ("5z", "p", "m")}


@pytest.mark.parametrize("jewel", JEWELS)
def test_a_jewel_with_a_pong_of_its_dragon(jewel: str) -> None:
    """SH-5 to SH-7, A-65 with `jewel_needs_pong`: only that dragon, as a pong, and only that suit."""
    dragon, suit, other = JEWELS[jewel]
    pong, run = dragon[0] * 3 + "z", f"123345567{suit}"
    wind = "1z"
    stranger = "5z" if dragon != "5z" else "6z"
    tried = {
        f"{pong}{run}789{suit}9{suit}": f"9{suit}",
        f"{dragon}{run}789111{suit}": dragon,
        f"{pong}{run}789{suit}9{other}": f"9{other}",
        f"{pong}{run}789{other}9{suit}": f"9{suit}",
        f"{pong}{run}789{suit}{wind}": wind,
        f"{pong}{run}111z9{suit}": f"9{suit}",
        f"{pong}{run}789{suit}{stranger}": stranger,
        f"{stranger[0] * 3}z{run}789{suit}{dragon}": dragon,
        f"{pong}111222333444z{stranger}": stranger,
    }
    options = {"options": {"jewel_needs_pong": True}}
    found = {tiles: jewel in lines(scored(record(tiles, win) | options)) for tiles, win in tried.items()}
    assert [tiles for tiles, has in found.items() if has] == [f"{pong}{run}789{suit}9{suit}"]
    assert jewel in lines(scored(record(f"{dragon}{run}789111{suit}", dragon)))


def test_a_streak_with_both_switches_is_no_matter_of_others() -> None:
    """A-86: with `streak_from` 1 and `streak_paid_by_dealer` a hand that East neither wins nor pays has no streak."""
    both = {"options": {"streak_from": 1, "streak_paid_by_dealer": True}}
    base = {"streak": 2} | both
    assert "dealer_streak" not in lines(scored(record("123456m23499p789s11z", "1z", seat="S") | base))
    assert lines(scored(record("123456m23499p789s11z", "1z", seat="E") | base))["dealer_streak"] == 7
    assert lines(scored(record("123456m23499p789s11z", "1z<E", seat="S") | base))["dealer_streak"] == 7
    assert "dealer_streak" not in lines(scored(record("123456m23499p789s11z", "1z<N", seat="S") | base))


# What a score tells beside its points


def test_nothing_is_waited_for_where_no_tile_came() -> None:
    """A-93."""
    assert scored(record("123456m23499p789s111z", seat="E", by="dealt")).waits == 0
    assert scored(record("123456m23499p789s11z", "", "", "1234567f", by="flowers")).waits == 0
    assert scored(record("123456m23499p789s11z", "1z")).waits == (1 << 27) | (1 << 17)
    assert score(ruleset(), engine_record(hand("123m444p777z567s11p", "dealt", "", "E"))).waits == 0
    assert score(ruleset(), engine_record(hand("1122m33p444s555z6z"))).waits == 0


def test_the_other_readings_are_told_best_first() -> None:
    for one in (record("111222333444m666p9s", "9s"), record("222333444555m666p9s", "9s<W")):
        found = scored(one)
        points = [other.points for other in found.considered]
        assert len(points) > 1
        assert points == sorted(points, reverse=True)
    found = score(ruleset(), engine_record(hand("2223334445566m", "5m<W")))
    totals = [other.total for other in found.considered]
    assert len(totals) > 1
    assert totals == sorted(totals, reverse=True)


def test_a_chicken_tells_the_one_point_that_it_replaces() -> None:
    """M4."""
    found = scored(record("123567m222s45p11z", "6p<N", "678p"))
    assert lines(found)["chicken_hand"] == 20
    assert [(line.award, line.points, line.by) for line in found.replaced] == [("no_flowers", 1, "chicken_hand")]


def test_flowers_that_win_nothing_are_refused_by_their_number() -> None:
    def of(flowers: int) -> ScoringRecord:
        return ScoringRecord([0] * 34, (), tuple(range(34, 34 + flowers)), 0, 0, -1, FLOWERS)

    with pytest.raises(NotWinning, match="6 flowers do not win"):
        score(lrc(), of(6))
    assert score(lrc(), of(7)).points >= 27
    # Where no number of flowers wins, none does, and none at all does neither.
    for number in (0, 7, 8):
        with pytest.raises(NotWinning, match=f"{number} flowers do not win"):
            score(ruleset(), of(number))


def test_a_hand_that_does_not_win_is_told_so() -> None:
    with pytest.raises(NotWinning, match=r"^the tiles are not a complete hand$"):
        scored(record("123456m23499p789s12z", "1z"))
    with pytest.raises(NotWinning, match=r"^the tiles are not a complete hand$"):
        score(ruleset(), engine_record(hand("123456m789p23s56s", "1s")))


def test_hands_that_cannot_have_won_together() -> None:
    first = parse_request(record("123456m23499p789s11z", "1z<E", seat="S"), choose).record
    second = parse_request(record("123456m23499p789s11z", "1z<E", seat="W"), choose).record
    drawn = [parse_request(record("123456m23499p789s11z", "1z", seat=seat), choose).record for seat in "SW"]
    other = parse_request(record("123456m23499p789s11z", "9p<E", seat="W"), choose).record
    assert settle(lrc(), [first, second]).net[0] < 0
    told = r"^several winners must be different seats that claimed the same tile from one payer$"
    for winners in (drawn, [first, other], [other, first], [first, first]):
        with pytest.raises(ValueError, match=told):
            settle(lrc(), winners)
    with pytest.raises(ValueError, match=r"^there is no winner to settle$"):
        settle(lrc(), [])


@pytest.mark.parametrize(("payer", "order"), [("E", [1, 2, 3]), ("S", [2, 3, 0]), ("W", [3, 0, 1]), ("N", [0, 1, 2])])
def test_winners_are_settled_from_the_payers_right_on(payer: str, order: list[int]) -> None:
    """P16."""
    winners = [
        parse_request(record("123456m23499p789s11z", f"1z<{payer}", seat=seat), choose).record
        for seat in "NWSE"
        if seat != payer
    ]
    assert [entry.seat_wind for entry in settle(lrc(), winners).entries] == order


# Readings and groups


def test_readings_are_equal_where_all_of_them_is() -> None:
    one, other = readings(record("11122233344455m99p", "5m"))[:2]
    reading = Reading(one.split, one.holder, one.holder_kind)
    assert reading == Reading(one.split, one.holder, one.holder_kind)
    assert hash(reading) == hash(Reading(one.split, one.holder, one.holder_kind))
    assert reading != Reading(other.split, other.holder, other.holder_kind)
    assert reading != Reading(None)
    assert reading != reading.key()
    assert hash(reading) != hash(Reading(None))


def test_a_reading_says_what_it_is() -> None:
    flowers = Reading(None)
    assert (flowers.form, flowers.eyes, flowers.holder, flowers.holder_kind) == ("flowers", -1, NO_GROUP, -1)
    assert "holder=none" in repr(flowers)
    (one,) = readings(record("23456m678p23499s456s", "1m"))
    said = repr(Reading(one.split, one.holder, one.holder_kind))
    assert said.startswith("Reading(standard, chows=(0, 3, 14, 19, 21), pongs=(), eyes=26, ")
    assert "holder=chow 0" in said


def test_in_nico_nico_the_pair_that_the_win_tile_made_is_the_eyes() -> None:
    """A-59, the first of all kinds included; a tile that made the pong made no pair."""
    pairs = "1m3355m7799p1133s555z"
    assert scored(record(pairs, "1m")).reading.eyes == parse_tile("1m")
    assert scored(record("11m3355m7799p1133s55z", "5z")).reading.eyes == -1


def test_declared_sets_are_named_by_what_they_are() -> None:
    one = record("2399p", "4p", "789s 111z 5555z (9999m)")
    request = parse_request(one, choose)
    found = groups(request.record, score(lrc(), request.record).reading)
    assert [(group.form, group.declared, group.winning) for group in found] == [
        ("chow", True, False),
        ("pong", True, False),
        ("gong", True, False),
        ("gong", True, False),
        ("chow", False, True),
        ("eyes", False, False),
    ]


def test_chows_and_pongs_of_one_hand_are_all_laid_out() -> None:
    request = parse_request(record("123456m99p789s222z11s", "1s"), choose)
    found = groups(request.record, score(lrc(), request.record).reading)
    assert sorted(group.form for group in found) == ["chow", "chow", "chow", "eyes", "pong", "pong"]
    assert [group.form for group in found if group.winning] == ["pong"]


# Rows and sheets


def row(key: str, points: int, place: int, group: str = "g") -> Row:
    return Row(key, "always", Worth(points), clause="c", place=place, groups=(group,))


def test_a_row_applies_from_one_on_once_unless_it_says_otherwise() -> None:
    plain = Row("r", "flowers", Worth(3), clause="c")
    assert (plain.place, plain.step, plain.each, plain.only) == (0, 0, False, ())
    assert plain.line(0) is None
    for answer in (1, 2, 7):
        line = plain.line(answer)
        assert line is not None
        assert (line.worth.points, line.count) == (3, 1)


@pytest.mark.parametrize(("later", "winner"), [(frozenset[str](), "first"), (frozenset({"g"}), "second")])
def test_of_lines_worth_the_same_the_earlier_or_the_later_counts(later: frozenset[str], winner: str) -> None:
    rows = [row("first", 5, 1), row("second", 5, 2)]
    for order in (rows, rows[::-1]):
        assert highest([one.single for one in order], later)["g"].row.key == winner


@pytest.mark.parametrize("later", [frozenset[str](), frozenset({"g"})])
def test_a_point_more_decides_whatever_the_order(later: frozenset[str]) -> None:
    rows = [row("low", 5, 1), row("high", 6, 2)]
    more = [row("high", 6, 1), row("low", 5, 2)]
    for order in (rows, rows[::-1], more, more[::-1]):
        assert highest([one.single for one in order], later)["g"].row.key == "high"


def test_a_sheet_leaves_out_rows_worth_nothing() -> None:
    sheet = Sheet([row("nothing", 0, 1), row("something", 1, 2)], ("standard",))
    assert [one.key for one in sheet.rows] == ["something"]
    assert sheet.forms == ("standard",)


def test_a_row_ends_where_its_most_is_even_at_none() -> None:
    none = Row("r", "flowers", Worth(3), clause="c", least=0, most=0)
    assert none.line(0) is not None
    assert none.line(1) is None
    some = Row("r", "flowers", Worth(3), clause="c", most=2)
    assert [some.line(answer) is not None for answer in (1, 2, 3)] == [True, True, False]


def test_a_row_for_each_gives_its_points_and_doubles_so_often_and_its_limit_once() -> None:
    each = Row("r", "flowers", Worth(3, 2, 1), clause="c", each=True).line(4)
    assert each is not None
    assert (each.worth.points, each.worth.doubles, each.worth.halves, each.count) == (12, 8, 1, 4)


def test_a_row_with_a_step_gives_more_points_and_the_same_doubles_and_limit() -> None:
    row_ = Row("r", "flowers", Worth(3, 2, 1), clause="c", least=2, step=5)
    found = [row_.line(answer) for answer in (2, 4)]
    assert [
        (line.worth.points, line.worth.doubles, line.worth.halves, line.count) for line in found if line is not None
    ] == [(3, 2, 1, 1), (13, 2, 1, 1)]


def test_a_record_says_nothing_out_of_the_common_unless_told() -> None:
    bare = ScoringRecord([0] * 34, (), (), 0, 0, -1, FLOWERS)
    assert (bare.replacement, bare.last_tile, bare.first_discard, bare.gong_on_gong, bare.called) == (False,) * 5
    assert (bare.streak, bare.from_wind, bare.tiles_on_table) == (0, -1, 99)


# What a refusal says


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        ({"hand": "123456m23499p789s12z3z"}, BAD_TILES, r'"hand" has 17 tiles; with 0 melds it must be 16'),
        ({"colour": 1}, BAD_RECORD, "'colour' is no key of a record"),
        ({"seat": "X" * 60}, BAD_RECORD, f"'{'X' * 40}', not one of E S W N"),
    ],
)
def test_a_refusal_names_what_is_wrong(change: dict[str, Any], code: str, told: str) -> None:
    with pytest.raises(RequestError, match=told) as caught:
        parse_request(record("123456m23499p789s11z", "1z") | change, choose)
    assert caught.value.code == code
    assert str(caught.value)


def test_a_meld_that_is_none_hides_no_gong_after_it() -> None:
    """Facts of the win are looked at before the tiles: two gongs are there, whatever stands before them."""
    one = record("99p", "9p", "12m 1111z 2222z 333m 444m", replacement=True, gong_on_gong=True)
    with pytest.raises(RequestError) as caught:
        parse_request(one, choose)
    assert caught.value.code == BAD_TILES


def test_the_holder_of_the_win_tile_is_told_once_for_chows_that_are_the_same() -> None:
    found = [(one.holder, one.holder_kind) for one in readings(record("12312323m456p789s11z", "1m"))]
    assert len(found) == len(set(found))
    assert {holder for holder, _ in found} <= {CHOW, PONG, 2}


@pytest.mark.parametrize(("extra", "chows", "pongs"), [("123m", (0,), ()), ("111m", (), (0,))])
def test_the_set_beside_thirteen_orphans_is_told_the_first_of_all_kinds_too(
    extra: str, chows: tuple[int, ...], pongs: tuple[int, ...]
) -> None:
    """A-61: 1m begins a run or is a pong."""
    found = scored(record(f"19m19p19s1123456z{extra}", "7z"))
    assert (found.reading.form, found.reading.chows, found.reading.pongs) == ("thirteen_orphans", chows, pongs)
    assert (found.reading.holder, found.reading.holder_kind) == (NO_GROUP, -1)
