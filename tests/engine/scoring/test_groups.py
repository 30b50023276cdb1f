"""A reading laid out in groups: all tiles once, the winning one marked, whatever the hand."""

import pytest

from parlour_engine.notation import hand_text
from parlour_engine.scoring.groups import Group, groups
from parlour_engine.scoring.payment import settle
from parlour_engine.scoring.request import parse_request
from tests.engine.scoring.hands import choose, record, winning_hand


def laid_out(one: dict[str, object]) -> list[Group]:
    request = parse_request(one, choose)
    score = settle(request.ruleset, [request.record]).entries[0].score
    return groups(request.record, score.reading)


def texts(found: list[Group]) -> list[str]:
    return [f"{group.form} {hand_text(group.tiles)}{'*' if group.winning else ''}" for group in found]


@pytest.mark.parametrize("seed", range(300))
def test_every_tile_is_in_one_group_and_one_group_took_the_winning_tile(seed: int) -> None:
    one = winning_hand(seed)
    request = parse_request(one, choose)
    found = laid_out(one)
    tiles = [tile for group in found if not group.declared for tile in group.tiles]
    held = [kind for kind, count in enumerate(request.record.all_counts()) for _ in range(count)]
    assert sorted(tiles) == held
    declared = [group.tiles for group in found if group.declared]
    assert declared == [meld.tiles() for meld in request.record.melds]
    winning = [group for group in found if group.winning]
    if request.record.win_tile < 0:
        assert winning == []
    else:
        assert len(winning) == 1
        assert request.record.win_tile in winning[0].tiles
        assert not winning[0].declared


def test_a_standard_hand_reads_as_five_sets_and_eyes() -> None:
    found = laid_out(record("46p123456789m11z", "5p<W", "777s"))
    assert texts(found) == ["pong 777s", "chow 123m", "chow 456m", "chow 789m", "chow 456p*", "eyes 11z"]
    assert [group.declared for group in found] == [True, False, False, False, False, False]


def test_gongs_are_gongs_open_or_concealed() -> None:
    found = laid_out(record("46p123456m11z", "5p", "7777s (9999s)"))
    assert texts(found)[:2] == ["gong 7777s", "gong 9999s"]


def test_nico_nico_reads_as_seven_pairs_and_a_pong() -> None:
    # The win tile makes the pair of 3s, not the pong of 1z.
    found = laid_out(record("1199m2255p3s44s66s111z", "3s<W"))
    assert sorted(texts(found)) == sorted(
        ["pong 111z", "pair 11m", "pair 99m", "pair 22p", "pair 55p", "pair 33s*", "pair 44s", "pair 66s"]
    )
    # And where it makes the pong, the pong took it.
    found = laid_out(record("1199m2255p33s44s66s11z", "1z<W"))
    assert [text for text in texts(found) if text.endswith("*")] == ["pong 111z*"]


def test_orphans_read_as_singles_a_pair_and_perhaps_a_set() -> None:
    found = laid_out(record("19m19p19s1234567z456m", "1m<W"))
    assert sorted(texts(found)) == sorted(
        ["chow 456m", "pair 11m*", "single 9m", "single 1p", "single 9p", "single 1s", "single 9s"]
        + [f"single {number}z" for number in range(1, 8)]
    )


def test_a_flower_win_reads_nothing() -> None:
    assert laid_out(record("147m258p369s1234567z", "", flowers="1234567f", by="flowers")) == []
