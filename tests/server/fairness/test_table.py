"""A table with fair deals tells a record that every one of the checks finds right, however its match goes."""

from typing import Literal

import pytest

from parlour_server.fairness.seal import sealed
from tests.server.fairness.built import MOST_TURNS, SIGNER, Sitting, checked
from tests.server.fairness.test_standalone import problem as other_problem


@pytest.mark.parametrize("reveal", ["deal", "match"])
@pytest.mark.parametrize("ruleset", ["lrc", "classical", "classical-limit"])
def test_a_whole_match(ruleset: str, reveal: Literal["deal", "match"]) -> None:
    sitting = Sitting(ruleset, reveal, 11)
    for _ in range(MOST_TURNS):
        if sitting.table.over:
            break
        sitting.turn()
    text = sealed(sitting.record(), SIGNER)
    replay = checked(text.encode(), SIGNER.key)
    assert replay.ended
    assert replay.course.over
    assert len(replay.shuffles.deals) == replay.deals >= 4
    for number, shuffle in replay.shuffles.deals.items():
        assert shuffle.nonces == [sitting.added.get((number, seat)) for seat in range(4)]
        assert [nonce is None for nonce in shuffle.nonces] == [False, True, False, number % 2 == 1]
    assert other_problem(text, SIGNER.key) is None


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 30, 60, 90, 150])
def test_a_match_that_is_broken_off_shows_its_seeds(turns: int) -> None:
    sitting = Sitting("lrc", "match", 12)
    for _ in range(turns):
        sitting.turn()
    sitting.end()
    text = sealed(sitting.record(), SIGNER)
    assert text.count('"reason":"closed"') == 1
    replay = checked(text.encode(), SIGNER.key)
    assert replay.shuffles.deals
    assert all(shuffle.seed for shuffle in replay.shuffles.deals.values())
    assert other_problem(text, SIGNER.key) is None
