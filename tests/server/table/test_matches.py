"""Whole matches by bots: they end, pay zero-sum, and every viewer's fold is what a newcomer is shown."""

import attrs
import pytest

from parlour_engine.rulesets import Ruleset
from parlour_server.protocol.events import MatchEnded, Settled
from parlour_server.protocol.messages import Ask
from parlour_server.table import Bot, Table
from parlour_server.table.journal import Happened
from tests.server.settling import check_the_scores
from tests.server.table.sitting import CLASSICAL, FAST, LIMIT, LRC, RULESETS, Sitting, by_chance, people, steady


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_a_match_of_bots_runs_to_its_standing(ruleset: Ruleset, seed: int) -> None:
    sitting = Sitting([Bot("random", "B")] * 4, FAST, seed=seed, bots=steady, ruleset=ruleset)
    watcher = sitting.join("eve")
    sitting.start()
    sitting.wait(0)
    assert sitting.table.over
    settled = [event for event in watcher.events() if isinstance(event, Settled)]
    assert [event.deal for event in settled] == list(range(1, len(settled) + 1))
    assert settled[-1].next is None
    assert all(event.next is not None for event in settled[:-1])
    limit = ruleset.values.get("limit")
    check_the_scores(watcher.events(), limit=limit if isinstance(limit, int) else None)
    ended = watcher.events()[-1]
    assert isinstance(ended, MatchEnded)
    assert sorted(line.score for line in ended.standing) == sorted(settled[-1].scores)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_deals_with_every_kind_of_move_are_folded_alike_by_all(ruleset: Ruleset, seed: int) -> None:
    sitting = Sitting(people(0, 2), FAST, seed=seed, bots=by_chance(seed), ruleset=ruleset)
    choose = by_chance(seed + 100)
    watcher = sitting.join("eve")
    ann, cat = sitting.join("ann"), sitting.join("cat")
    sitting.start()
    for deal in range(1, 5):
        while sitting.table._flow.gate is None and not sitting.table.over:
            client = ann if ann.ask is not None else cat
            assert client.ask is not None
            move = choose(sitting.table, 0, client.ask)
            assert move is not None
            sitting.play(client, move)
        sitting.ready(ann, deal)
        sitting.ready(cat, deal)
    assert watcher.version == ann.version == cat.version == sitting.table.version
    whole = [row.event for row in sitting.rows if isinstance(row, Happened)]
    assert len(whole) == sitting.table.version


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (LRC, {"calling": True}),
        (LRC, {"gong_in_claim_turn": True, "swap_claim": False}),
        (CLASSICAL, {"mandarins": True, "robbing": False}),
        (LIMIT, {"mandarins": True, "washing": False, "dangerous_discard": False, "limit": 600}),
        (LIMIT, {"robbing": False, "limit": 0}),
    ],
)
def test_house_rules_are_played_and_folded_too(game: Ruleset, options: dict[str, bool | int]) -> None:
    ruleset = game.with_options(options)
    settings = attrs.evolve(FAST, options=dict(options))
    sitting = Sitting(people(0), settings, seed=5, bots=keen, ruleset=ruleset)
    ann = sitting.join("ann")
    sitting.start()
    assert ann.table["settings"]["options"] == options
    deal = 1
    while not sitting.table.over:
        if sitting.table._flow.gate is not None:
            sitting.ready(ann, deal)
            deal += 1
        else:
            assert ann.ask is not None
            sitting.play(ann, keen(sitting.table, 0, ann.ask))
    if "calling" in options:
        assert "called" in [event.e for event in ann.events()]


def keen(table: Table, seat: int, ask: Ask) -> str:
    """As steady plays, but calls whenever it may."""
    calls = [move for move in ask.moves if move.startswith("call")]
    return calls[0] if calls and "win" not in ask.moves else steady(table, seat, ask)
