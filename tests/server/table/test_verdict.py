"""The settlement as the players are shown it: complete, in their seats' terms, its numbers leading to the payments."""

import pytest

from parlour_engine.notation import tile_text
from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import SEATS
from parlour_server.protocol import values
from parlour_server.table.verdict import Verdict, verdict
from tests.kit.walks import Walk, eager
from tests.server.table.sitting import CLASSICAL, LIMIT, LRC


def verdicts(ruleset: Ruleset, seeds: range) -> list[tuple[Walk, Verdict]]:
    walks = [Walk(seed, ruleset.procedure, eager) for seed in seeds]
    return [(walk, verdict(ruleset, walk.to_the_end())) for walk in walks]


def tiles(groups: list[values.GroupValue]) -> list[str]:
    return sorted(tile for group in groups for tile in group.tiles)


@pytest.mark.parametrize("ruleset", [LRC, CLASSICAL, LIMIT], ids=lambda ruleset: ruleset.key)
def test_transfers_lead_to_the_changes_and_awards_to_the_points(ruleset: Ruleset) -> None:
    rules = {row.id: row for row in ruleset.sheet}
    won = 0
    for walk, told in verdicts(ruleset, range(40)):
        deal = walk.deal
        if not deal.wins:
            assert told == Verdict([], [], [], [0, 0, 0, 0])
            continue
        won += 1
        changes = [0, 0, 0, 0]
        for transfer in told.transfers:
            assert transfer.amount > 0
            assert transfer.doubled == (deal.dealer in (transfer.source, transfer.target) and ruleset is not LRC)
            changes[transfer.source] -= transfer.amount
            changes[transfer.target] += transfer.amount
        assert changes == told.changes, walk.seed
        assert [win.seat for win in told.wins] == [win.seat for win in deal.wins]
        others = [seat for seat in SEATS if seat not in [win.seat for win in deal.wins]]
        assert sorted(hand.seat for hand in told.hands) == (others if ruleset.scores_all else [])
        lines: list[values.WinValue | values.HandValue] = [*told.wins, *told.hands]
        for line in lines:
            beside = sum(row.points for row in line.awards if rules[row.award].stage == "beside")
            assert sum(row.points for row in line.awards) - beside == line.points
            assert sum(row.doubles for row in line.awards) == line.doubles
            if not line.limited:
                assert line.total == line.points * 2**line.doubles + beside
            for row in line.awards:
                assert (row.rule.en, row.rule.zh) == (rules[row.award].rules["en"], rules[row.award].rules["zh-Hant"])
                assert (row.name.en, row.clause) == (rules[row.award].names["en"], rules[row.award].clause)
        for win in told.wins:
            for other in win.considered:
                assert tiles(other.reading) == tiles(win.reading)
                assert other.total <= win.total
            for replaced in win.replaced:
                assert replaced.points or rules[replaced.award].doubles or rules[replaced.award].limit
        for hand in told.hands:
            assert sorted(hand.hand) == sorted(_texts(walk, hand.seat))
    assert won > 10


def _texts(walk: Walk, seat: int) -> list[str]:
    return [tile_text(kind) for kind in walk.deal.hands[seat].tiles()]
