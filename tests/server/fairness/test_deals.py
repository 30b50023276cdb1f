"""The deals of a match as a table takes them."""

import random

import pytest

from parlour_engine.tiles import full_wall
from parlour_server.fairness.deals import FairDeals
from parlour_server.rulesets import load_ruleset
from parlour_server.table.shuffling import FairDeals as WhatATableAsksFor

MATCH = "0123456789abcdef0123456789abcdef"


def deals(seed: int = 1) -> WhatATableAsksFor:
    return FairDeals(MATCH, load_ruleset("lrc").digest, random.Random(seed).randbytes)


def test_a_commitment_tells_what_it_is_for_and_keeps_its_seed() -> None:
    fair = FairDeals(MATCH, "ab" * 32, lambda number: b"\x07" * number)
    commitment = fair.commit(12)
    assert commitment.context == f"match:{MATCH}|deal:12|rules:{'ab' * 32}"
    assert commitment.seed == "07" * 32
    assert commitment.seed not in repr(commitment)


def test_each_deal_has_a_seed_of_its_own() -> None:
    fair = deals()
    made = [fair.commit(number) for number in range(1, 101)]
    assert len({one.seed for one in made}) == len({one.commit for one in made}) == 100


@pytest.mark.parametrize(("ruleset", "tiles"), [("lrc", 144), ("classical", 136)])
def test_the_engine_is_handed_a_full_set_and_its_dice(ruleset: str, tiles: int) -> None:
    procedure = load_ruleset(ruleset).procedure
    fair = deals()
    commitment = fair.commit(1)
    wall, dice = fair.deal(1, procedure, commitment.seed, [None, "ab" * 16, None, None])
    assert sorted(wall) == full_wall(procedure.flowers)
    assert len(wall) == tiles
    assert len(dice) == procedure.dice
    # The same seed and the same parts give the same; nothing is drawn anew.
    assert fair.deal(1, procedure, commitment.seed, [None, "ab" * 16, None, None]) == (wall, dice)
    assert deals(2).deal(1, procedure, commitment.seed, [None, "ab" * 16, None, None]) == (wall, dice)
    for nonces in ([None] * 4, ["ab" * 16, None, None, None]):
        assert fair.deal(1, procedure, commitment.seed, nonces)[0] != wall
    assert fair.deal(2, procedure, commitment.seed, [None, "ab" * 16, None, None])[0] != wall


@pytest.mark.parametrize("nonces", [["AB" * 16] + [None] * 3, ["ab" * 15] + [None] * 3, [None] * 3])
def test_parts_of_another_form_are_refused(nonces: list[str | None]) -> None:
    with pytest.raises(ValueError, match=r"hex|four"):
        deals().deal(1, load_ruleset("lrc").procedure, "00" * 32, nonces)
