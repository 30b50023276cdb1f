"""What everybody at a table is told of its game: words, wall, whether the dealer's wins count."""

from typing import Any

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_server.protocol.values import Names, TableSettings
from parlour_server.table.settings import Settings
from tests.server.table.sitting import CLASSICAL, LIMIT, LRC


def told(ruleset: Ruleset, **options: Any) -> TableSettings:
    return Settings.of().value(ruleset.with_options(options))


def test_each_game_has_its_words() -> None:
    lrc, classical = told(LRC).words, told(CLASSICAL).words
    assert (lrc.chow, lrc.gong, lrc.win) == (Names("sheung", "上"), Names("gong", "槓"), Names("win", "糊"))
    assert (classical.chow, classical.gong) == (Names("chow", "吃"), Names("kong", "槓"))
    assert (classical.pong, classical.win) == (Names("pung", "碰"), Names("Mah-Jongg", "和"))
    assert told(LIMIT).words == classical


@pytest.mark.parametrize(
    ("ruleset", "options", "wall", "reserve"),
    [
        (LRC, {}, 144, 16),
        (CLASSICAL, {}, 136, 0),
        (CLASSICAL, {"mandarins": True, "dead_wall": 14}, 144, 14),
        (LIMIT, {}, 136, 14),
    ],
)
def test_the_wall_is_told_as_it_is_built(ruleset: Ruleset, options: dict[str, Any], wall: int, reserve: int) -> None:
    settings = told(ruleset, **options)
    assert (settings.wall, settings.reserve) == (wall, reserve)


def test_only_a_game_that_pays_for_the_dealers_wins_counts_them() -> None:
    assert told(LRC).counts_streak
    assert not told(CLASSICAL).counts_streak
    assert not told(LIMIT).counts_streak
