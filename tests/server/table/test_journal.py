"""The journal holds a table whole: played again by the engine it gives the same events."""

import random
from collections.abc import Sequence

import pytest

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import Event
from parlour_engine.legal import legal_moves
from parlour_engine.moves import move_text, parse_move
from parlour_engine.notation import parse_tile
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import Ruleset
from parlour_server.protocol.events import DealStarted, Drew
from parlour_server.table import Row
from parlour_server.table.journal import Answered, Happened, MatchBegun, Offered, SeatChanged, WallLaid
from tests.server.table.sitting import FAST, LRC, RULESETS, Sitting, by_chance, people, silent, timed

SPOKEN = {
    "DealStarted": "deal_started",
    "FlowersExposed": "flowers",
    "Drew": "draw",
    "Called": "called",
    "Discarded": "discard",
    "Melded": "meld",
    "Promoted": "promoted",
    "Paid": "paid",
    "Won": "won",
    "Exhausted": "exhausted",
    "HandShown": "hand_shown",
    "WashingOpened": "washing_opened",
    "WashingClosed": "washing_closed",
    "Washed": "washed",
}


def played_again(rows: Sequence[Row], procedure: Procedure) -> int:
    """Feeds walls and answers to the engine and compares every event; returns how many deals there were."""
    deal: Deal | None = None
    due: list[Event] = []
    wall: WallLaid | None = None
    deals = 0
    for row in rows:
        match row:
            case WallLaid():
                wall = row
                deals += 1
            case Offered():
                assert deal is not None
                assert [move_text(move) for move in legal_moves(deal, row.seat)] == row.moves
            case Answered():
                assert deal is not None
                due += play.apply(deal, row.seat, parse_move(row.move))
            case Happened():
                event = row.event
                if event.e in ("match_started", "settled", "match_ended"):
                    continue
                if isinstance(event, DealStarted):
                    assert wall is not None
                    tiles = [parse_tile(tile) for tile in wall.wall]
                    deal, due = play.start(procedure, tiles, wall.dice, event.dealer, event.round_wind, event.streak)
                    assert all(hand is not None for hand in event.hands), "the journal hides nothing"
                elif not due:
                    assert deal is not None
                    due = play.close(deal)
                assert SPOKEN[type(due.pop(0)).__name__] == event.e
                assert not isinstance(event, Drew) or event.tile is not None
            case _:
                pass
    return deals


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_walls_and_answers_give_the_events_again(ruleset: Ruleset, seed: int) -> None:
    sitting = Sitting(people(0), FAST, seed=seed, bots=by_chance(seed), ruleset=ruleset)
    chance = random.Random(seed)
    ann = sitting.join("ann")
    sitting.start()
    for deal in range(1, 6):
        while sitting.table._flow.gate is None:
            assert ann.ask is not None
            sitting.play(ann, chance.choice(ann.ask.moves))
        sitting.ready(ann, deal)
    assert played_again(sitting.rows, ruleset.procedure) == 6


def test_versions_in_the_journal_have_no_gap_and_every_answer_was_offered() -> None:
    sitting = Sitting(people(0), timed(), seed=1, bots=silent)
    sitting.start()
    sitting.wait(300)
    versions = [row.version for row in sitting.rows if isinstance(row, Happened)]
    assert versions == list(range(1, sitting.table.version + 1))
    offered = {(row.version, row.seat): row.moves for row in sitting.rows if isinstance(row, Offered)}
    answered = [row for row in sitting.rows if isinstance(row, Answered)]
    assert answered
    for row in answered:
        assert row.move in offered[row.version, row.seat]
    assert len({(row.version, row.seat) for row in answered}) == len(answered)
    assert {row.by for row in answered} == {"clock"}


def test_who_sits_where_is_written_down() -> None:
    sitting = Sitting(people(0), FAST, seed=1, bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    sitting.drop(ann)
    sitting.wait(2)
    ann = sitting.join("ann")
    sitting.leave(ann)
    mine = [row for row in sitting.rows if isinstance(row, SeatChanged) and row.seat == 0]
    assert [(row.person, row.level, row.stand_in) for row in mine] == [
        ("ann", None, False),
        ("ann", "steady", True),
        ("ann", None, False),
        (None, "steady", False),
    ]


def test_the_journal_begins_with_the_game_and_who_sits_down_to_it() -> None:
    sitting = Sitting(people(0, 2), FAST, seed=1, bots=silent)
    sitting.start()
    begun = sitting.rows[0]
    assert isinstance(begun, MatchBegun)
    assert (begun.ruleset, begun.ruleset_version, begun.digest) == ("lrc", LRC.version, LRC.digest)
    assert (begun.rounds, begun.options) == (1, {})
    sitters = [(sitter.name, sitter.level) for sitter in begun.seats]
    assert sitters == [("Ann", None), ("Bot", "random"), ("Cat", None), ("Bot", "random")]
    assert not any(isinstance(row, MatchBegun) for row in sitting.rows[1:])
