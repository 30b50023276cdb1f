"""Rows and hands that a house has put out of reach."""

import pytest
from attrs import evolve

from parlour_engine.rulesets import Ruleset, SheetRow, idle, misfits, parse
from parlour_engine.rulesets.examples import record_of, shown
from parlour_engine.rulesets.reach import ANSWERS, COUNTS, largest
from parlour_engine.scoring.facts import FLOWER_WIN, STANDARD, UNFINISHED
from parlour_engine.scoring.patterns import (
    HAND_QUESTIONS,
    READING_QUESTIONS,
    SPLIT_QUESTIONS,
    STREAK_QUESTIONS,
    question_names,
)
from parlour_engine.scoring.tally import NotWinning, score
from tests.engine.rulesets.files import OPENING, SHIPPED, house, text_of

SMALL = "[play]\nhand_size = 13\nsets = 4\n"
CLASSICAL = OPENING.replace('"lrc"', '"classical"')


def shipped(name: str) -> Ruleset:
    return parse(text_of(name), f"{name}.toml")


def ids(rows: tuple[SheetRow, ...]) -> set[str]:
    return {row.id for row in rows}


@pytest.mark.parametrize("name", SHIPPED)
def test_in_a_packaged_game_every_row_can_apply(name: str) -> None:
    assert idle(shipped(name)) == ()


def test_rows_of_five_sets_are_idle_in_a_game_of_four() -> None:
    # lrc N-1, CP-1, H-10, SH-8 speak of five sets; SH-1 and SH-3 are hands of seventeen tiles. Four sets hold four
    # wind pongs (W-7) and a sister sheung in three suits (SS-1), and Thirteen Orphans have no further set then.
    assert ids(idle(house(SMALL))) == {
        "neighbour_pongs_5",
        "concealed_pongs_5",
        "uncles_hand",
        "all_step_up",
        "nico_nico",
        "nico_nico_gongs_1",
        "nico_nico_gongs_2",
        "sixteen_orphans",
    }


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("gongs", 4),
        ("simple_pongs_exposed", 4),
        ("wind_pongs", 4),
        ("dragon_pongs", 3),
        ("sister_pongs", 3),
        ("sister_chows_of_two", 2),
        ("sister_chows_of_three", 1),
        ("big_four_winds", 1),
        ("uncles", 0),
        # Classical plays flowers only where a table sets its switch; there is no calling.
        ("flowers", 8),
        ("seat_flowers", 2),
        ("called", 0),
        ("fours", 0),
        ("dealt", 1),
    ],
)
def test_a_row_that_asks_for_more_than_there_is_never_applies(question: str, most: int) -> None:
    row = f'[[row]]\nid = "kong_simple_exposed"\nquestion = "{question}"\nleast = '
    if most:
        assert ids(idle(house(f"{row}{most}\n", CLASSICAL))) == set()
    assert ids(idle(house(f"{row}{most + 1}\n", CLASSICAL))) == {"kong_simple_exposed"}


def test_a_switch_may_bring_a_row_within_reach() -> None:
    row = '[[row]]\nid = "good_eyes"\nquestion = "wind_pongs"\nleast = 5\n'
    assert ids(idle(house(row))) == {"good_eyes"}
    assert idle(house(row + 'switches = [{ when = { calling = true }, set = { question = "gongs" } }]\n')) == ()


def test_flowers_that_are_not_played_win_nothing() -> None:
    # lrc F-4, F-6: without flowers there is nothing to count, and nobody wins with seven.
    found = ids(idle(house("[play]\nflowers = false\nflower_win = 0\n")))
    assert {"flower", "seat_flower", "seven_flowers", "eight_flowers"} <= found
    assert "no_flowers" not in found


def test_what_ends_nowhere_and_what_is_asked_nothing_is_let_be() -> None:
    lrc = shipped("lrc")
    for question in ("tiles_on_table", *STREAK_QUESTIONS):
        assert largest(question, lrc) is None
    assert idle(house('[[row]]\nid = "good_eyes"\nquestion = "tiles_on_table"\nleast = 500\n')) == ()


def test_every_other_question_is_one_of_yes_and_no() -> None:
    # The first words of a question say what it is answered with (docs/rulesets.md lists them).
    asked = {**HAND_QUESTIONS, **SPLIT_QUESTIONS, **READING_QUESTIONS}
    for name in question_names():
        if name not in ANSWERS and name not in COUNTS and largest(name, shipped("lrc")) is not None:
            assert (asked[name].__doc__ or "").startswith(("1 ", "1:", "As `")), name
    assert set(ANSWERS) | set(COUNTS) <= set(asked)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_hand_answers_with_more(name: str) -> None:
    # Every hand that a packaged file shows is asked every question, by a row that counts each.
    game = shipped(name)
    some = game.printed[0]
    everywhere = (STANDARD, *game.procedure.forms, UNFINISHED, FLOWER_WIN)
    rows = tuple(
        SheetRow(question, some.section, some.names, some.rules, "a test", question, 1, readings=everywhere, each=True)
        for question in question_names()
    )
    asking = evolve(game, printed=rows)
    answers = 0
    for _, _, example in shown(game):
        chosen, record = record_of(asking, example)
        try:
            awards = score(chosen, record).awards
        except NotWinning:
            continue
        for award in awards:
            most = largest(award.award, game)
            assert most is None or award.count <= most, (award, example.record)
            answers += 1
    assert answers > 100


def test_hands_of_the_base_that_a_house_cannot_score_are_known() -> None:
    lrc = shipped("lrc")
    # Each row shows two hands, all of seventeen tiles.
    assert len(misfits(lrc, house(SMALL))) == 2 * len(lrc.printed)
    assert misfits(lrc, house("")) == ()
    # Another rule is no other play: the row's hand is scored, without the row.
    assert misfits(lrc, house('[[row]]\nid = "good_eyes"\nquestion = "uncles"\n')) == ()
    # Hands of rows that are gone are not missed.
    some = [row.id for row in lrc.printed[3:8]]
    less = misfits(lrc, house(f"removed = {some}\n".replace("'", '"') + SMALL))
    assert len(less) == 2 * (len(lrc.printed) - 5)
