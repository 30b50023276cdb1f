"""Whole matches by bots: they end, pay zero-sum, and every viewer's fold is what a newcomer is shown."""

import pytest

from parlour_server.protocol.events import MatchEnded, Settled
from parlour_server.table import Bot
from parlour_server.table.journal import Happened
from tests.server.table.sitting import FAST, Sitting, by_chance, people, steady


@pytest.mark.parametrize("seed", range(3))
def test_a_match_of_bots_runs_to_its_standing(seed: int) -> None:
    sitting = Sitting([Bot("random", "B")] * 4, FAST, seed=seed, bots=steady)
    watcher = sitting.join("eve")
    sitting.start()
    sitting.wait(0)
    assert sitting.table.over
    settled = [event for event in watcher.events() if isinstance(event, Settled)]
    assert [event.deal for event in settled] == list(range(1, len(settled) + 1))
    assert settled[-1].next is None
    assert all(event.next is not None for event in settled[:-1])
    ended = watcher.events()[-1]
    assert isinstance(ended, MatchEnded)
    assert sorted(line.score for line in ended.standing) == sorted(settled[-1].scores)


@pytest.mark.parametrize("seed", range(4))
def test_deals_with_every_kind_of_move_are_folded_alike_by_all(seed: int) -> None:
    sitting = Sitting(people(0, 2), FAST, seed=seed, bots=by_chance(seed))
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
