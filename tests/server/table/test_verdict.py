"""The settlement as the players are shown it: complete, in their seats' terms, its numbers leading to the payments."""

import pytest

from parlour_engine.notation import tile_text
from parlour_engine.rulesets import Ruleset
from parlour_engine.seats import SEATS
from parlour_server.protocol import values
from parlour_server.table.verdict import Verdict, verdict
from tests.kit.script import Script
from tests.kit.walks import Walk, eager
from tests.kit.walls import position
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
            assert told == Verdict([], [], [], None, [0, 0, 0, 0])
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


@pytest.mark.parametrize(
    ("held", "declared", "excuse"),
    [("1247m369s", "555z 777m", None), ("2578p", "444m 777m 222s", "no_other_tile")],
)
def test_what_made_a_discard_dangerous_is_told(held: str, declared: str, excuse: values.Excuse | None) -> None:
    # Harr p. 67-70. Seat 3 is East, so South is seat 0 and West, who discards, seat 1.
    hands = ("1144p", held, "1235689m135789s", "1235689m245689s")
    melds = ("666p 333p 999p", declared, "", "")
    deal = position(hands, melds=melds, turn=1, drawn="4p", dealer=3, procedure=LIMIT.procedure)
    script = Script(deal)
    script.discard(1, "4p")
    script.do(0, "win")
    if not deal.is_over():
        script.close()
    told = verdict(LIMIT, deal)
    assert told.danger == values.DangerValue(1, ["suit"], excuse)
    payers = {transfer.source for transfer in told.transfers if transfer.reason == "penalty"}
    assert payers == (set() if excuse else {1})


def _texts(walk: Walk, seat: int) -> list[str]:
    return [tile_text(kind) for kind in walk.deal.hands[seat].tiles()]
