"""The files give what the book's score cards give: classical 2 for Part I, classical 5 for Part II.

That every row applies to its example and not to its near miss is tested for all rulesets together.
"""

import pytest

from parlour_engine.rulesets import OptionError, SheetRow
from tests.engine.scoring.classical import FREE, LIMIT, limited, points, ruleset, scored

BOTH = ("standard", "unfinished")
WINNER = ("standard",)
OTHERS = ("unfinished",)

# award: points, doubles, limit, whom it is for (Harr p. 29-31)
CARD = {
    "mah_jongg": (20, 0, "", ()),
    "no_sequence": (10, 0, "", ()),
    "drew_winning_piece": (2, 0, "", ()),
    "only_place": (2, 0, "", ()),
    "loose_tile": (10, 0, "", ()),
    "no_other_score": (10, 0, "", WINNER),
    "pung_simple_exposed": (2, 0, "", BOTH),
    "pung_simple_concealed": (4, 0, "", BOTH),
    "pung_major_exposed": (4, 0, "", BOTH),
    "pung_major_concealed": (8, 0, "", BOTH),
    "kong_simple_exposed": (8, 0, "", BOTH),
    "kong_simple_concealed": (16, 0, "", BOTH),
    "kong_major_exposed": (16, 0, "", BOTH),
    "kong_major_concealed": (32, 0, "", BOTH),
    "pair_dragon": (2, 0, "", BOTH),
    "pair_own_wind": (2, 0, "", BOTH),
    "dragon_set": (0, 1, "", BOTH),
    "own_wind_set": (0, 1, "", BOTH),
    "one_suit_with_honours": (0, 1, "", BOTH),
    "one_suit": (0, 3, "", BOTH),
    "all_honours": (0, 3, "", BOTH),
    "original_hand": (0, 3, "", ()),
    "own_mandarin": (0, 1, "", BOTH),
}
# The same for Part II (Harr p. 62-67).
TABLE = {
    "mah_jongg": (10, 0, "", ()),
    "no_other_score": (10, 0, "", WINNER),
    "last_tile": (0, 1, "", ()),
    "loose_tile": (0, 1, "", ()),
    "fourth_tile": (0, 1, "", ()),
    "first_discard": (0, 0, "half", ()),
    "pung_simple_exposed": (2, 0, "", BOTH),
    "pung_simple_concealed_winner": (6, 0, "", WINNER),
    "pung_simple_concealed": (4, 0, "", OTHERS),
    "pung_major_exposed": (4, 0, "", BOTH),
    "pung_major_concealed_winner": (10, 0, "", WINNER),
    "pung_major_concealed": (8, 0, "", OTHERS),
    "kong_simple_exposed": (8, 0, "", BOTH),
    "kong_simple_concealed": (16, 0, "", BOTH),
    "kong_major_exposed": (16, 0, "", BOTH),
    "kong_major_concealed": (32, 0, "", BOTH),
    "pair_dragon": (2, 0, "", BOTH),
    "pair_own_wind": (2, 0, "", BOTH),
    "pair_round_wind": (2, 0, "", BOTH),
    "pair_own_round_wind": (4, 0, "", BOTH),
    "pair_simple_claimed": (2, 0, "", WINNER),
    "pair_simple_drawn": (4, 0, "", WINNER),
    "pair_major_claimed": (4, 0, "", WINNER),
    "pair_major_drawn": (6, 0, "", WINNER),
    "pair_own_round_wind_claimed": (6, 0, "", WINNER),
    "pair_own_round_wind_drawn": (8, 0, "", WINNER),
    "sequence_claimed": (2, 0, "", WINNER),
    "sequence_drawn": (4, 0, "", WINNER),
    "own_wind_set": (0, 1, "", BOTH),
    "own_round_wind_set": (0, 2, "", BOTH),
    "dragon_set": (0, 1, "", BOTH),
    "own_mandarin": (0, 1, "", BOTH),
    "one_suit_with_honours": (0, 1, "", WINNER),
    "no_sequence": (0, 1, "", WINNER),
    "one_suit": (0, 3, "", WINNER),
    "single_heads": (0, 0, "whole", ("thirteen_orphans",)),
    "all_heads": (0, 0, "whole", WINNER),
    "four_wind_sets": (0, 0, "whole", ()),
    "three_wind_sets_and_pair": (0, 0, "whole", ()),
    "four_kongs": (0, 0, "whole", WINNER),
    "original_hand": (0, 0, "whole", ()),
    "three_dragon_sets": (0, 0, "whole", ()),
}


def worth(row: SheetRow) -> tuple[int, int, str, tuple[str, ...]]:
    return row.points, row.doubles, row.limit, row.readings


@pytest.mark.parametrize(("name", "card"), [(FREE, CARD), (LIMIT, TABLE)])
def test_every_row_is_worth_what_the_book_says(
    name: str, card: dict[str, tuple[int, int, str, tuple[str, ...]]]
) -> None:
    assert {row.id: worth(row) for row in ruleset(name).sheet} == card


@pytest.mark.parametrize("name", [FREE, LIMIT])
def test_every_hand_is_scored_and_settled(name: str) -> None:
    game = ruleset(name)
    assert game.scores_all
    assert game.procedure.show_hands
    assert game.procedure.nearest_winner_only


def test_the_limit_is_three_hundred_unless_agreed_otherwise() -> None:
    assert ruleset(FREE).limit == 0
    assert ruleset(LIMIT).limit == 300
    assert ruleset(LIMIT).with_options({"limit": 600}).limit == 600


def test_mah_jongg_is_ten_in_part_two_or_twenty_where_agreed() -> None:
    """Harr p. 60-61: the limit is 300 where Mah-Jongg is 10, 400 where it is 20. Nothing but Mah-Jongg is 10
    beside either."""
    record = limited("123456m678p23s55s", "1s<W")
    assert points(record) == {"mah_jongg": 10, "no_other_score": 10}
    twenty = record | {"options": {"mah_jongg": 20, "limit": 400}}
    assert points(twenty) == {"mah_jongg": 20, "no_other_score": 10}
    assert scored(twenty).total == 30
    # Part II example 1, 40 doubled once: 10 more are 20 more.
    example = limited("111p333s888m1m", "1m", "555p", seat="E", round="S")
    assert scored(example).total == 80
    assert scored(example | {"options": {"mah_jongg": 20}}).total == 100
    assert "mah_jongg" not in ruleset(FREE).options


@pytest.mark.parametrize("value", [0, 15, 30, True, "20", 20.0])
def test_mah_jongg_is_worth_nothing_else(value: object) -> None:
    with pytest.raises(OptionError):
        ruleset(LIMIT).with_options({"mah_jongg": value})
