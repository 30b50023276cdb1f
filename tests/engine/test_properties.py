"""What holds in every deal, whoever plays: examined after each step of seeded walks. The seed is in a test's name."""

import hashlib
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine import play
from parlour_engine.events import (
    BY_DISCARD,
    BY_FLOWERS,
    BY_ROBBED_GONG,
    FLOWER_REPLACEMENT,
    HIDDEN,
    WALL,
    DealStarted,
    Drew,
    Exhausted,
    FlowersExposed,
    HandShown,
    Paid,
    Won,
)
from parlour_engine.legal import late_move, legal_moves, waiting_on
from parlour_engine.moves import MOVES, PASS_MOVE, WIN_MOVE
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.phases import Discarding, Over
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.record import LOST
from parlour_engine.seats import SEATS
from parlour_engine.soundness import problems
from parlour_engine.tiles import FIRST_FLOWER
from tests.kit.classical import classical, with_limit
from tests.kit.walks import Strategy, Walk, eager, stubborn, uniform

ROOT = Path(__file__).resolve().parents[2]
PROCEDURES = {
    "lrc": Procedure(),
    "switched": Procedure(
        calling=True,
        swap_claim=False,
        gong_in_claim_turn=True,
        last_discard_only_wins=False,
        nearest_winner_only=True,
        missed_win=False,
        mixed_then_full="both",
    ),
    "no reserve": Procedure(reserve=0, flower_win=0),
    "thirteen tiles": Procedure(hand_size=13, sets=4, forms=(), reserve=14, flower_win=0),
    "classical": classical(),
    "by the book": classical(robbing=False, flowers=True),
    "with a limit": with_limit(),
    "limit, mandarins": with_limit(flowers=True),
    "no flowers": Procedure(hand_size=13, sets=4, forms=(), flowers=False, reserve=14),
}
STRATEGIES: dict[str, Strategy] = {"uniform": uniform, "eager": eager, "stubborn": stubborn}
over_all = pytest.mark.parametrize("procedure", PROCEDURES.values(), ids=list(PROCEDURES))
by_all = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=list(STRATEGIES))


@over_all
@by_all
@pytest.mark.parametrize("seed", range(6))
def test_every_step_leaves_a_sound_deal_that_its_events_tell(
    seed: int, strategy: Strategy, procedure: Procedure
) -> None:
    """Tiles conserved, hands of the right size, somebody can act or a window closes, payments sum
    to zero, and folding the events so far gives the same state."""
    walk = Walk(seed, procedure, strategy)
    assert problems(walk.deal) == []
    for step in walk.steps():
        assert problems(walk.deal) == [], (seed, step)
        assert play.same_state(play.fold(procedure, walk.events), walk.deal), (seed, step)
        if step.seat is None:
            assert step.events, "a window closed and nothing happened"
    assert isinstance(walk.deal.phase, Over)
    assert waiting_on(walk.deal) == ()
    assert all(legal_moves(walk.deal, seat) == () for seat in SEATS)


@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(STRATEGIES)), st.sampled_from(sorted(PROCEDURES)))
def test_any_seed_comes_to_a_sound_end(seed: int, strategy: str, procedure: str) -> None:
    walk = Walk(seed, PROCEDURES[procedure], STRATEGIES[strategy])
    for steps, _ in enumerate(walk.steps()):
        assert steps < 1000, "the deal does not end"
    assert problems(walk.deal) == []
    assert play.same_state(play.fold(walk.procedure, walk.events), walk.deal)


@pytest.mark.parametrize("seed", range(20))
def test_tiles_come_from_the_right_end_of_the_wall(seed: int) -> None:
    """W01, P8, P14: draws from the head, replacements from the tail, sixteen kept back; beside a model of its own."""
    walk = Walk(seed, strategy=eager)
    walk.to_the_end()
    told = walk.events[0]
    assert isinstance(told, DealStarted)
    head, tail = 65, 144
    for before, event in pairwise(walk.events):
        if isinstance(event, Drew):
            if event.source == WALL:
                assert tail - head > 16
                assert event.kind == told.wall[head]
                head += 1
            else:
                tail -= 1
                assert event.kind == told.wall[tail]
                if event.source == FLOWER_REPLACEMENT:
                    assert isinstance(before, (FlowersExposed, Drew, Paid))
    assert (walk.deal.wall.head, walk.deal.wall.tail) == (head, tail)
    if isinstance(walk.events[-1], Exhausted):
        assert tail - head <= 16


@by_all
@pytest.mark.parametrize("seed", range(10))
def test_each_flower_is_shown_and_replaced_once(seed: int, strategy: Strategy) -> None:
    """P7, W03."""
    walk = Walk(seed, strategy=strategy)
    walk.to_the_end()
    shown = sum(len(event.kinds) for event in walk.events if isinstance(event, FlowersExposed))
    drawn = sum(isinstance(event, Drew) and event.source == FLOWER_REPLACEMENT for event in walk.events)
    assert shown == drawn == sum(len(hand.flowers) for hand in walk.deal.hands)


@over_all
@pytest.mark.parametrize("seed", range(6))
def test_a_refused_move_changes_nothing(seed: int, procedure: Procedure) -> None:
    """Every move that is not in a seat's list is refused with that list, in every phase."""
    walk = Walk(seed, procedure, eager)
    for number, _ in enumerate(walk.steps()):
        if number % 7:
            continue
        before = walk.deal.state()
        for seat in (-1, *SEATS, 4):
            legal = legal_moves(walk.deal, seat)
            for move in MOVES:
                if move not in legal:
                    with pytest.raises(play.IllegalMove) as refusal:
                        play.apply(walk.deal, seat, move)
                    assert refusal.value.legal == legal
                    assert refusal.value.reason
        assert walk.deal.state() == before


@pytest.mark.parametrize("procedure", ["lrc", "with a limit"])
@pytest.mark.parametrize("seed", range(8))
def test_a_copy_goes_its_own_way(seed: int, procedure: str) -> None:
    """Playing a copy to its end leaves the deal alone, answers of an open window included."""
    walk = Walk(seed, PROCEDURES[procedure], strategy=eager)
    for number, _ in enumerate(walk.steps()):
        if number % 9 == 0 and not walk.deal.is_over():
            before, legal = walk.deal.state(), [legal_moves(walk.deal, seat) for seat in SEATS]
            copy = walk.deal.copy()
            assert play.same_state(copy, walk.deal)
            assert [legal_moves(copy, seat) for seat in SEATS] == legal
            while not copy.is_over():
                assert problems(copy) == []
                for seat in waiting_on(copy):
                    play.apply(copy, seat, walk.chance.choice(legal_moves(copy, seat)))
                if not isinstance(copy.phase, (Discarding, Over)) and not waiting_on(copy):
                    play.close(copy)
            assert walk.deal.state() == before
            assert [legal_moves(walk.deal, seat) for seat in SEATS] == legal


@over_all
@pytest.mark.parametrize("seed", range(4))
def test_a_table_of_absent_players_comes_to_an_end(seed: int, procedure: Procedure) -> None:
    """What is played for late seats is always legal; nobody wins but by flowers."""
    walk = Walk(seed, procedure, lambda _, deal, seat, moves: late_move(deal, seat))
    for step in walk.steps():
        assert step.move is None or step.move.verb == 0 or step.move is PASS_MOVE
    assert all(won.by == BY_FLOWERS for won in walk.deal.wins)


@over_all
@by_all
@pytest.mark.parametrize("seed", range(4))
def test_lists_of_moves_are_in_order(seed: int, strategy: Strategy, procedure: Procedure) -> None:
    """The win first, a pass last in a window and never on a turn, no move twice; a turn always has a discard."""
    walk = Walk(seed, procedure, strategy)
    for _ in walk.steps():
        for seat in SEATS:
            moves = legal_moves(walk.deal, seat)
            assert len(set(moves)) == len(moves)
            assert WIN_MOVE not in moves[1:]
            if isinstance(walk.deal.phase, Discarding):
                assert PASS_MOVE not in moves
                assert bool(moves) is (seat == walk.deal.phase.seat)
                assert not moves or any(move.verb == 0 for move in moves)
            else:
                assert moves == () or (moves[-1] is PASS_MOVE and len(moves) > 1)


@pytest.mark.parametrize("game", ["classical", "limit, mandarins"])
@pytest.mark.parametrize("seed", range(60))
def test_the_records_of_a_classical_deal_are_of_all_four_hands(seed: int, game: str) -> None:
    """R09: the winner has 14 tiles, gongs counted as three, the others 13, and what they hold has been shown to all; a
    drawn deal has no records and shows nothing (A-35)."""
    walk = Walk(seed, PROCEDURES[game], eager)
    walk.to_the_end()
    winners, losers = scoring_records(walk.deal), losing_records(walk.deal)
    shown = {event.seat: event.concealed for event in walk.events if isinstance(event, HandShown)}
    assert (len(winners), len(losers), len(shown)) in ((1, 3, 3), (0, 0, 0))
    assert len(shown) == 3 * len(walk.deal.wins)
    for record in winners:
        assert sum(record.all_counts()) + 3 * len(record.melds) == 14
    for record in losers:
        assert sum(record.counts) + 3 * len(record.melds) == 13
        assert (record.by, record.win_tile, record.from_wind) == (LOST, -1, -1)
        seat = (walk.deal.dealer + record.seat_wind) % 4
        assert shown[seat] == tuple(kind for kind in range(34) for _ in range(record.counts[kind]))
    assert sorted(record.seat_wind for record in winners + losers) in ([0, 1, 2, 3], [])


@pytest.mark.parametrize("seed", range(150))
def test_the_records_of_winners_hold_a_whole_hand(seed: int) -> None:
    """R09: with the winning tile the winner has 17 tiles, gongs counted as three; a flower win may have 16."""
    walk = Walk(seed, strategy=eager)
    walk.to_the_end()
    records = scoring_records(walk.deal)
    wins = [event for event in walk.events if isinstance(event, Won)]
    assert len(records) == len(wins) == len(walk.deal.wins)
    for record, won in zip(records, wins, strict=True):
        held = sum(record.all_counts()) + 3 * len(record.melds)
        assert held == 17 or (won.by == BY_FLOWERS and held == 16)
        assert (record.from_wind >= 0) == (won.by in (BY_DISCARD, BY_ROBBED_GONG))
        assert HIDDEN not in won.concealed
        assert all(tile < FIRST_FLOWER for tile in won.concealed)


def checksum() -> str:
    """A digest of the events of twenty seeded deals."""
    digest = hashlib.sha256()
    for seed in range(20):
        walk = Walk(seed, Procedure(calling=seed % 3 == 0), eager)
        walk.to_the_end()
        digest.update(repr(walk.events).encode())
        digest.update(repr(walk.deal.state()).encode())
    return digest.hexdigest()


def test_hash_seeds_change_nothing() -> None:
    """V03: equal arguments give equal results under every hash seed."""
    program = "from tests.engine.test_properties import checksum; print(checksum())"
    results = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout.strip()
        for hash_seed in ("0", "1", "2")
    }
    assert results == {checksum()}
