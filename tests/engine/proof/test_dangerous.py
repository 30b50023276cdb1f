"""Dangerous discards in the classical game with a limit (Harr p. 67-70): who pays for all, and who is excused."""

import pytest

from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.seats import WINDS
from tests.engine.proof.classical_hands import Hand, engine_record, hand, ruleset, settled

LIMIT = "classical-limit"
STRAYS = "1479m258s369s345z"
"""Nothing that waits for anything."""

NINE_OF_A_SUIT = hand("11p44p", "", "666p 333p 999p", "S")
NINE_HEADS = hand("222z7z", "", "111m 444z 999s", "S")
TWO_DRAGONS = hand("55z11p", "", "777z 666z 123p", "S")
THREE_WINDS = hand("11z33s", "", "444z 222z 333z", "S")


def claimed(one: Hand, tile: str, giver: str = "W", by: str = "discard") -> Hand:
    return one | {"win": {"tile": tile, "by": by, "from": giver}}


def paid(winner: Hand, discarder: Hand | None = None, **options: object) -> Settlement:
    """South wins; West, who gave the tile, holds strays unless told otherwise, East and North a few points each."""
    others = [
        hand("111s258m369p44z25s", "", "", "E"),
        discarder or hand(STRAYS, "", "", "W"),
        hand("222s147m369p77z15s", "", "", "N"),
    ]
    game = ruleset(LIMIT).with_options(options)
    return settle(game, [engine_record(winner)], [engine_record(one) for one in others])


def penalised(settlement: Settlement) -> bool:
    reasons = {one.reason for one in settlement.transfers}
    sources = {WINDS[one.source] for one in settlement.transfers}
    assert ("penalty" in reasons) == (reasons == {"hand", "penalty"} and sources == {"W"})
    return "penalty" in reasons


@pytest.mark.parametrize(
    ("one", "tile", "dangerous"),
    [
        (NINE_OF_A_SUIT, "1p", True),
        (NINE_OF_A_SUIT, "4p", True),
        (NINE_HEADS, "7z", True),
        (TWO_DRAGONS, "5z", True),
        (TWO_DRAGONS, "1p", False),
        (THREE_WINDS, "1z", True),
        (THREE_WINDS, "3s", False),
        # Nine tiles of a suit are on the table, and the hand is of two suits; six are, and the hand is of one.
        (hand("11p44m", "", "666p 333p 999p", "S"), "1p", False),
        (hand("11p44777p", "", "666p 333p", "S"), "4p", False),
        # Nine heads are on the table, and 4m in the hand; six are, and all are heads.
        (hand("44m7z7z", "", "111m 444z 999s", "S"), "7z", False),
        (hand("222z7z999p", "", "111m 444z", "S"), "7z", False),
        # A run on the table shows tiles of its suit, too.
        (hand("11p44p", "", "666p 345p 999p", "S"), "4p", True),
        # One set of dragons lies in the hand, where nobody sees it.
        (hand("55z777z11p", "", "666z 123p", "S"), "5z", False),
        (hand("11z222z33s", "", "444z 333z", "S"), "1z", False),
    ],
)
def test_the_discard_that_was_to_be_feared_pays_for_all(one: Hand, tile: str, dangerous: bool) -> None:
    assert penalised(paid(claimed(one, tile))) is dangerous


def test_the_discarder_pays_what_each_would_have_paid_and_nobody_else_anything() -> None:
    """Three heads exposed 4, three heads exposed 4, two simple threes 2 each and Mah-Jongg 10 make 22; one suit and no
    sequences double four times: 352, so the limit, 300. East would have paid double."""
    settlement = paid(claimed(NINE_OF_A_SUIT, "1p"))
    assert settlement.entries[0].score.total == 300
    assert settlement.net == (0, 1200, -1200, 0)
    assert sorted((one.amount, one.reason, one.doubled) for one in settlement.transfers) == [
        (300, "hand", False),
        (300, "penalty", False),
        (600, "penalty", True),
    ]
    assert [entry.score.total for entry in settlement.entries[1:]] == [0, 0, 0]


def test_where_the_penalty_is_not_played_everybody_pays() -> None:
    settlement = paid(claimed(NINE_OF_A_SUIT, "1p"), dangerous_discard=False)
    assert not penalised(settlement)
    assert {WINDS[one.source] for one in settlement.transfers if one.target == 1} == {"E", "W", "N"}


def test_without_a_limit_no_discard_is_dangerous() -> None:
    hands = {"E": hand(STRAYS, "", "", "E"), "S": claimed(NINE_OF_A_SUIT, "1p")}
    hands |= {"W": hand(STRAYS, "", "", "W"), "N": hand(STRAYS, "", "", "N")}
    assert {one.reason for one in settled(hands, "S").transfers} == {"hand"}


@pytest.mark.parametrize("win", [{"tile": "1p", "by": "self_draw"}, {"tile": "1p", "by": "robbed_gong", "from": "W"}])
def test_a_tile_that_was_not_discarded_was_no_dangerous_discard(win: dict[str, str]) -> None:
    assert not penalised(paid(NINE_OF_A_SUIT | {"win": win}))


WAITING = {
    "two dragon sets": (hand("123m456m9s", "", "555z 777z", "W"), False),
    "one dragon set": (hand("123m456m789m9s", "", "555z", "W"), True),
    "two dragon sets, waiting for nothing": (hand("147m258s9s", "", "555z 777z", "W"), True),
    "a third double to come": (hand("123m33z99s456s", "", "555z", "W") | {"round": "W"}, False),
    "a second double to come": (hand("123m66z99s456s", "", "555z", "W"), True),
}


@pytest.mark.parametrize("held", WAITING)
def test_a_discarder_with_a_hand_of_his_own_to_win_may_be_excused(held: str) -> None:
    """Two complete doubling honours, or a tile to wait for that would make more than two. His own wind is West, and
    in West's round it doubles twice."""
    discarder, pays = WAITING[held]
    winner = claimed(NINE_OF_A_SUIT, "1p") | {"round": discarder["round"]}
    assert penalised(paid(winner, discarder)) is pays


@pytest.mark.parametrize(("left", "pays"), [("2p", False), ("2m", True)])
def test_who_had_no_other_tile_to_discard_is_excused(left: str, pays: bool) -> None:
    """With four sets down there were two tiles to choose from: 1p and 2p are both feared, 1p and 2m are not."""
    discarder = hand(left, "", "123m 456m 789m 123s", "W")
    assert penalised(paid(claimed(NINE_OF_A_SUIT, "1p"), discarder)) is pays
