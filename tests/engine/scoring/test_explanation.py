"""The explanation of a settlement: it says nothing that the score does not, and its numbers lead to the payments."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from parlour_engine.notation import parse_meld, parse_tile, parse_tiles
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.rulesets import Ruleset, parse
from parlour_engine.scoring.dangerous import Danger
from parlour_engine.scoring.explanation import ADDED, DOUBLE, LIMIT, POINTS, VOID, Explanation, explain, explain_lost
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.record import DEALT, DISCARD, LOST, SELF_DRAW, ScoringRecord
from parlour_engine.scoring.request import parse_request
from parlour_engine.scoring.sheet import BESIDE
from parlour_engine.seats import WINDS
from tests.engine.scoring.hands import choose, winning_hand
from tests.kit.walks import Walk, eager

RULESETS = ("lrc", "classical", "classical-limit")
FOLDER = Path(__file__).parents[3] / "config" / "rulesets"


@cache
def ruleset(name: str) -> Ruleset:
    return parse((FOLDER / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def hand(tiles: str, seat: str, win: str = "", melds: str = "", round_wind: str = "E") -> ScoringRecord:
    """`win` is "3m" (drawn), "3m<W" (claimed from West), "dealt", or "" for a hand that did not win."""
    counts = [0] * 34
    for kind in parse_tiles(tiles):
        counts[kind] += 1
    tile, _, giver = win.partition("<")
    by = DISCARD if giver else {"": LOST, "dealt": DEALT}.get(win, SELF_DRAW)
    return ScoringRecord(
        counts,
        tuple(parse_meld(meld) for meld in melds.split()),
        (),
        WINDS.index(seat),
        WINDS.index(round_wind),
        parse_tile(tile) if by in (DISCARD, SELF_DRAW) else -1,
        by,
        WINDS.index(giver) if giver else -1,
    )


def check(explanation: Explanation) -> None:
    """What must hold of every explanation, whatever the rules."""
    limit = explanation.ruleset.values.get("limit", 0)
    assert isinstance(limit, int)
    for told in explanation.hands:
        counted = [row for row in told.rows if row.stage != BESIDE]
        assert sum(row.points for row in counted) == told.points
        assert sum(row.doubles for row in counted) == told.doubles
        first, *then = told.steps
        assert (first.does, first.value) == (POINTS, told.points)
        value = first.value
        for step in then:
            row = next((row for row in told.rows if row.id == step.row), None)
            if step.does == DOUBLE:
                assert row is not None
                assert row.doubles
                value *= 2
            elif step.does == ADDED:
                assert row is not None
                assert row.stage == BESIDE
                value += row.points
            elif step.does == LIMIT:
                assert told.limited
                raised = 0 if row is None else {"half": limit // 2, "whole": limit}[row.limit]
                assert step.value == (raised if row is not None else limit)
                assert step.value > value if row is not None else step.value < value
                value = step.value
            else:
                assert step.does == VOID
                value = 0
            assert step.value == value
        assert value == told.total == told.steps[-1].value
        assert Counter(step.row for step in then if step.does == DOUBLE) == Counter(
            {row.id: row.doubles for row in counted if row.doubles}
        )
        sheet = {row.id: row for row in explanation.ruleset.sheet}
        for row in told.rows:
            assert (row.names, row.rules, row.stage) == (sheet[row.id].names, sheet[row.id].rules, sheet[row.id].stage)
        counting = {row.id for row in told.rows} | {row.id for row in told.replaced}
        assert all(row.by in counting for row in told.replaced)
        assert told.margin == (told.total - told.others[0].total if told.others else None)
        assert all(other.total <= told.reading.total for other in told.others)
        held = sorted(kind for group in told.reading.groups for kind in group.tiles)
        whole = told.record.all_counts()
        if told.reading.groups:
            tiles = [kind for kind in range(34) for _ in range(whole[kind])]
            assert held == sorted(tiles + [kind for meld in told.record.melds for kind in meld.tiles()])
    moved = [0, 0, 0, 0]
    for payment in explanation.payments:
        moved[payment.source] -= payment.amount
        moved[payment.target] += payment.amount
        assert payment.amount == (payment.higher - payment.lower) * (2 if payment.doubled else 1)
    assert tuple(moved) == explanation.net
    assert sum(moved) == 0
    won = [sum(told.payments[wind] for told in explanation.hands) for wind in range(4)]
    assert won == moved


def play(name: str, seeds: range) -> int:
    """Explain the deals of these seeds; how many were won."""
    rules = ruleset(name)
    won = 0
    for seed in seeds:
        deal = Walk(seed, rules.procedure, eager).to_the_end()
        records = scoring_records(deal)
        if records:
            won += 1
            others = losing_records(deal)
            told = explain(rules, records, others)
            try:
                check(told)
            except AssertionError as error:
                raise AssertionError(f"{name}, seed {seed}") from error
            settlement = settle(rules, records, others)
            assert told.net == settlement.net
            assert [line.total for line in told.hands] == [entry.score.total for entry in settlement.entries]
    return won


@pytest.mark.parametrize("name", RULESETS)
def test_every_number_of_played_deals_leads_to_the_payments(name: str) -> None:
    assert play(name, range(60)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_number_of_thousands_of_deals_leads_to_the_payments(name: str) -> None:
    assert play(name, range(60, 1600)) > 500


def test_hands_of_every_kind_explain_themselves() -> None:
    replaced = considered = 0
    for seed in range(400):
        request = parse_request(winning_hand(seed), choose)
        told = explain(request.ruleset, [request.record])
        check(told)
        replaced += bool(told.hands[0].replaced)
        considered += bool(told.hands[0].others)
    assert replaced
    assert considered


# --- the book's own numbers


def test_the_fragment_doubles_fifty_five_times_over() -> None:
    """50, 100, 200, 400, 800, 1600: the score card's own example, realised (Harr p. 31)."""
    winner = hand("6z", "S", "6z<W", "222z 333z 444z 555z")
    told = explain(ruleset("classical"), [winner]).hands[0]
    assert [step.value for step in told.steps] == [50, 100, 200, 400, 800, 1600]
    assert Counter(step.row for step in told.steps[1:]) == {"own_wind_set": 1, "dragon_set": 1, "all_honours": 3}
    assert told.waits == (parse_tile("6z"),)


def test_the_reading_that_counts_is_laid_out_with_its_margin() -> None:
    """111222333p read as three pongs scores for each, read as three chows for none (Harr p. 29)."""
    told = explain(ruleset("classical"), [hand("111222333p5s", "S", "5s", "789m")]).hands[0]
    assert [group.form for group in told.reading.groups] == ["chow", "pong", "pong", "pong", "eyes"]
    # Mah-Jongg, drawn, only place, three concealed pongs of which one is of ones; with chows the last three fall away.
    assert told.total == 20 + 2 + 2 + 8 + 4 + 4
    chows = [other for other in told.others if [group.form for group in other.groups].count("chow") == 4]
    assert [other.total for other in chows] == [20 + 2 + 2]
    assert told.margin == told.total - max(other.total for other in told.others)


def test_the_first_layout_pays_as_the_book_corrects_it() -> None:
    """Harr p. 47 with the errata: each pays East twice 480, the others their differences."""
    east = hand("22m555m88m", "E", "8m", "1111m 999m")
    others = [
        hand("777p11p66p55p3p", "S", melds="999p"),
        hand("555z333z7s", "W", melds="9999s 888s"),
        hand("11p22p66p55p44p", "N", melds="888p"),
    ]
    told = explain(ruleset("classical"), [east], others)
    check(told)
    assert {(WINDS[line.seat_wind], line.total, line.won) for line in told.hands} == {
        ("E", 480, True),
        ("S", 64, False),
        ("W", 272, False),
        ("N", 16, False),
    }
    facts = {
        (WINDS[p.source], WINDS[p.target]): (p.amount, p.reason, p.doubled, p.alone, p.higher, p.lower)
        for p in told.payments
    }
    assert facts == {
        ("S", "E"): (960, "hand", True, False, 480, 0),
        ("W", "E"): (960, "hand", True, False, 480, 0),
        ("N", "E"): (960, "hand", True, False, 480, 0),
        ("S", "W"): (208, "difference", False, False, 272, 64),
        ("N", "W"): (256, "difference", False, False, 272, 16),
        ("N", "S"): (48, "difference", False, False, 64, 16),
    }
    west = next(line for line in told.hands if line.seat_wind == 2)
    # Two concealed pongs of heads, a claimed kong of heads, a claimed pong: 8 + 8 + 16 + 2, three doubles.
    assert [step.value for step in west.steps] == [34, 68, 136, 272]


def test_who_gave_the_tile_pays_alone_where_the_rules_say_so() -> None:
    """lrc 5: the discarder alone; a drawn win is paid by each."""
    alone = explain(ruleset("lrc"), [hand("123456789m45p11s", "S", "3p<W", "777z")])
    assert [(p.source, p.target, p.alone, p.doubled) for p in alone.payments] == [(2, 1, True, False)]
    each = explain(ruleset("lrc"), [hand("123456789m45p11s", "S", "3p", "777z")])
    assert [(p.source, p.alone) for p in each.payments] == [(2, False), (3, False), (0, False)]
    # Base is added beside the hand, as the last step (M5).
    assert [step.does for step in alone.hands[0].steps] == [POINTS, ADDED]
    assert alone.hands[0].steps[-1].row == "base"


def test_a_limit_cuts_and_a_limit_hand_lifts() -> None:
    """Part II example 2 comes to 640, over the limit of 300; example 7, three sets of dragons, is a limit hand."""
    rules = ruleset("classical-limit")
    told = explain(rules, [hand("999m444z333s77m7z7z", "N", "7z<W", round_wind="N")]).hands[0]
    assert [step.value for step in told.steps][-2:] == [640, 300]
    assert (told.steps[-1].does, told.steps[-1].row, told.total) == (LIMIT, "", 300)
    told = explain(rules, [hand("777z99p45s", "S", "6s<W", "555z 666z")]).hands[0]
    assert told.total == 300
    assert any(row.limit == "whole" for row in told.rows)


def test_a_dangerous_discard_pays_for_all_and_voids_the_rest() -> None:
    """Part II: two sets of dragons are shown, the third is given: the discarder pays for the two others, too."""
    rules = ruleset("classical-limit")
    winner = hand("55z11p", "S", "5z<W", "777z 666z 123p")
    others = [
        hand("147m258m369p1234s", "E"),
        hand("147m258m369p5678s", "W"),
        hand("111m222m333m9s99s1s", "N"),
    ]
    told = explain(rules, [winner], others)
    check(told)
    due = told.hands[0].total
    assert due == 300
    assert {(p.source, p.amount, p.reason, p.alone) for p in told.payments} == {
        (2, due, "hand", False),
        (2, due, "penalty", False),
        (2, 2 * due, "penalty", False),
    }
    assert told.danger == Danger(2, ("dragons",), judged=True)
    assert not told.unjudged
    north = next(line for line in told.hands if line.seat_wind == 3)
    assert north.points > 0
    assert (north.steps[-1].does, north.steps[-1].value, north.total) == (VOID, 0, 0)


@pytest.mark.parametrize(
    ("name", "win", "options", "unjudged"),
    [
        ("classical-limit", "1p<W", {}, True),
        ("classical-limit", "1p", {}, False),
        ("classical-limit", "1p<W", {"dangerous_discard": False}, False),
        ("classical", "1p<W", {}, False),
    ],
)
def test_whether_a_discard_was_dangerous_is_open_where_one_hand_is_known(
    name: str, win: str, options: dict[str, object], unjudged: bool
) -> None:
    told = explain(ruleset(name).with_options(options), [hand("55z11p", "S", win, "777z 666z 123p")])
    assert told.unjudged is unjudged
    assert told.danger is None


def test_a_hand_that_did_not_win_is_explained_alone() -> None:
    told = explain_lost(ruleset("classical"), hand("555z333z7s", "W", melds="9999s 888s"))
    assert (told.won, told.total, told.payments) == (False, 272, (0, 0, 0, 0))
    assert [group.form for group in told.reading.groups] == ["gong", "pong", "pong", "pong", "single"]
    assert told.margin is None


def test_explanations_do_not_depend_on_the_order_of_hands() -> None:
    rules = ruleset("classical")
    others = [
        hand("777p11p66p55p3p", "S", melds="999p"),
        hand("555z333z7s", "W", melds="9999s 888s"),
        hand("11p22p66p55p44p", "N", melds="888p"),
    ]
    east = hand("22m555m88m", "E", "8m", "1111m 999m")
    first = explain(rules, [east], others)
    Random(1).shuffle(others)
    again = explain(rules, [east], others)
    assert (again.payments, again.net) == (first.payments, first.net)
