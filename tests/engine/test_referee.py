"""Whole deals beside a second implementation of the rules (`referee`): the same moves offered, the same events told,
the same facts of a win, step by step, over walls that are full of flowers, gongs and special hands."""

import random
from collections import Counter

import pytest

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import (
    BY_DISCARD,
    BY_FLOWERS,
    BY_ROBBED_GONG,
    BY_SELF_DRAW,
    WALL,
    Event,
    Exhausted,
    FlowersExposed,
    Washed,
    Won,
)
from parlour_engine.legal import late_move, legal_moves, waiting_on
from parlour_engine.moves import PASS, PONG, PROMOTE, Move, move_text
from parlour_engine.notation import parse_tiles
from parlour_engine.outcome import scoring_records
from parlour_engine.phases import Robbing
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.seats import SEATS, Seat
from parlour_engine.tiles import full_wall
from tests.engine.referee import Referee
from tests.kit.classical import classical, with_limit
from tests.kit.walks import Strategy, eager, stubborn, uniform

SWITCHES: dict[str, Procedure] = {
    "lrc": Procedure(),
    "calling": Procedure(calling=True),
    "claim turns": Procedure(gong_in_claim_turn=True, swap_claim=False),
    "nearest": Procedure(nearest_winner_only=True, missed_win=False),
    "last discards": Procedure(last_discard_only_wins=False, mixed_then_full="both", base=3),
    "classical": classical(),
    "classical by the book": classical(robbing=False, flowers=True),
    "with a limit": with_limit(),
    "with a limit and mandarins": with_limit(flowers=True),
    "a short wall": with_limit(flowers=True, reserve=50),
    "all": Procedure(calling=True, gong_in_claim_turn=True, swap_claim=False, mixed_then_full="both"),
}
SPECIAL = ("19m19p19s1234567z", "147m258p369s1234567z", "1133557799m11335p", "19m19p11s123445577z")


def plain_wall(chance: random.Random, procedure: Procedure) -> list[int]:
    wall = full_wall(procedure.flowers)
    chance.shuffle(wall)
    return wall


def dealt_to(turn: int, size: int) -> list[int]:
    """Where in the wall the tiles lie that are dealt to this place from the dealer on, `size` of them."""
    places = [16 * block + 4 * turn + offset for block in range(4) for offset in range(4)]
    return places if size == 16 else [*places[:12], 48 + turn]


def flowery(chance: random.Random, procedure: Procedure) -> list[int]:
    """One seat gets most flowers: dealt, as replacements, or drawn in its turns."""
    wall = [kind for kind in plain_wall(chance, procedure) if kind < 34]
    flowers = parse_tiles("12345678f") if procedure.flowers else []
    chance.shuffle(flowers)
    turn = chance.randrange(4)
    ways = [dealt_to(turn, procedure.hand_size), [4 * procedure.hand_size + turn + 4 * lap for lap in range(1, 8)]]
    weights = [chance.random(), chance.random(), 2, 1]
    for flower in flowers:
        end = len(wall) - procedure.reserve
        (way,) = chance.choices([*ways, [len(wall), len(wall) - 1], [end - 1, end, end + 1]], weights)
        wall.insert(chance.choice(way), flower)
    return wall


def gongs(chance: random.Random, procedure: Procedure) -> list[int]:
    """Fours lie together, so that a seat is dealt or draws what it has three of; replacements are of those kinds."""
    kinds = list(range(34))
    chance.shuffle(kinds)
    wall = [kind for kind in kinds for _ in range(4)]
    for flower in parse_tiles("12345678f") if procedure.flowers else []:
        wall.insert(chance.randrange(len(wall)), flower)
    for _ in range(chance.choice((10, 30, 60))):
        one, other = chance.randrange(len(wall)), chance.randrange(len(wall))
        wall[one], wall[other] = wall[other], wall[one]
    return wall


def placed(chance: random.Random, procedure: Procedure, wanted: dict[int, int]) -> list[int]:
    """A wall with these kinds at these places."""
    rest = full_wall(procedure.flowers)
    for kind in wanted.values():
        rest.remove(kind)
    chance.shuffle(rest)
    for place in sorted(wanted):
        rest.insert(place, wanted[place])
    return rest


def specials(chance: random.Random, procedure: Procedure) -> list[int]:
    """One seat is dealt nearly a special hand."""
    tiles = parse_tiles(chance.choice(SPECIAL))[: chance.randrange(12, 17)]
    return placed(chance, procedure, dict(zip(dealt_to(chance.randrange(4), procedure.hand_size), tiles, strict=False)))


def robbing(chance: random.Random, procedure: Procedure) -> list[int]:
    """East holds two 5p and gets the third from West and the fourth by drawing it; South and North wait for it."""
    south, north = parse_tiles("46p123789m222666s11z"), parse_tiles("34p111s999m333z77744z")
    size = procedure.hand_size
    if size == 13:
        south, north = south[:11] + south[14:], north[:11] + north[14:]
    third = 4 * size + 2
    wanted = dict(zip(dealt_to(1, size), south, strict=True)) | {0: 13, 1: 13, third: 13, third + 4: 13}
    if chance.random() < 0.5:
        wanted |= dict(zip(dealt_to(3, size), north, strict=True))
    return placed(chance, procedure, wanted)


WALLS = {"plain": plain_wall, "flowers": flowery, "gongs": gongs, "specials": specials, "robbing": robbing}


def robber(chance: random.Random, deal: Deal, seat: Seat, moves: tuple[Move, ...]) -> Move:
    """Lets wins on discards pass, pongs and adds the fourth tile, robs, and throws what it drew."""
    if isinstance(deal.phase, Robbing):
        return moves[0]
    for verb in (PROMOTE, PONG, PASS):
        for move in moves:
            if move.verb == verb:
                return move
    return late_move(deal, seat)


STRATEGIES: dict[str, Strategy] = {"uniform": uniform, "eager": eager, "stubborn": stubborn, "robber": robber}


def compare(seed: int, procedure: Procedure, wall_of: str, strategy: str) -> list[Event]:
    """Plays one deal on both, and returns what happened."""
    chance = random.Random(seed)
    wall = WALLS[wall_of](chance, procedure)
    dealer, wind, streak = chance.randrange(4), chance.randrange(4), chance.randrange(3)
    dice = (1, 2, 3)
    deal, events = play.start(procedure, wall, dice, dealer, wind, streak)
    referee = Referee(procedure, list(wall), dice, dealer, wind, streak)
    where = (seed, wall_of, strategy)
    assert events == referee.told, where
    while not deal.is_over():
        for seat in SEATS:
            offered = [move_text(move) for move in legal_moves(deal, seat)]
            assert set(offered) == referee.moves(seat), (where, seat, referee.told[-3:])
            assert len(offered) == len(set(offered))
        assert deal.wall.live() == referee.live()
        waiting = waiting_on(deal)
        if waiting and chance.random() < 0.98:
            seat = chance.choice(waiting)
            move = STRATEGIES[strategy](chance, deal, seat, legal_moves(deal, seat))
            happened, expected = play.apply(deal, seat, move), referee.does(seat, move_text(move))
        elif referee.state != "turn":
            happened, expected = play.close(deal), referee.closes()
        else:
            continue
        assert happened == expected, where
        events += happened
    assert referee.state == "over"
    check_facts(referee, scoring_records(deal), procedure, where, wind, streak)
    return events


def check_facts(
    referee: Referee, records: list[ScoringRecord], procedure: Procedure, where: object, wind: int, streak: int
) -> None:
    wins = [event for event in referee.told if isinstance(event, Won)]
    assert len(records) == len(wins)
    for record, won in zip(records, wins, strict=True):
        drew = won.by == BY_SELF_DRAW
        expected = {
            "seat_wind": (won.seat - referee.dealer) % 4,
            "round_wind": wind,
            "from_wind": (won.source - referee.dealer) % 4 if won.source >= 0 else -1,
            "flowers": tuple(referee.flowers[won.seat]),
            "melds": tuple(referee.melds[won.seat]),
            "replacement": drew and referee.source != WALL,
            "last_tile": drew and referee.last_live,
            "gong_on_gong": drew and referee.chain >= 2,
            "first_discard": won.by == BY_DISCARD and referee.thrown == 1,
            "called": referee.called[won.seat],
            "streak": streak,
            "win_tile": won.kind,
        }
        if procedure.early_counts_melds:
            expected["tiles_on_table"] = referee.on_the_table()
        assert {name: getattr(record, name) for name in expected} == expected, where


@pytest.mark.parametrize("switches", list(SWITCHES))
@pytest.mark.parametrize("walls", list(WALLS))
@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_a_deal_goes_as_the_rules_say(strategy: str, walls: str, switches: str) -> None:
    compare(sum(map(ord, strategy + walls + switches)), SWITCHES[switches], walls, strategy)


def ends_of(switches: str, walls: dict[str, str]) -> Counter[object]:
    """How many of some deals ended in which way."""
    ends: Counter[object] = Counter()
    for seed in range(1000, 1012):
        for wall, strategy in walls.items():
            events = compare(seed, SWITCHES[switches], wall, strategy)
            for event in events:
                if isinstance(event, Won):
                    ends[event.by] += 1
                elif isinstance(event, (Exhausted, Washed)):
                    before = events[-2]
                    ends["short" if isinstance(before, FlowersExposed) else type(event).__name__] += 1
    return ends


def test_the_deals_that_are_compared_end_in_every_way() -> None:
    """Otherwise the comparison would show little."""
    ends = ends_of("lrc", {name: "robber" if name == "robbing" else "eager" for name in WALLS})
    assert {BY_DISCARD, BY_SELF_DRAW, BY_ROBBED_GONG, BY_FLOWERS, "Exhausted"} <= set(ends), ends


def test_the_classical_deals_do_so_too() -> None:
    """Washed, robbed, run out; with a flower as the last tile that may be drawn, too (A-30)."""
    ends = ends_of("with a limit", {"plain": "eager", "gongs": "eager", "specials": "eager", "robbing": "robber"})
    assert {BY_DISCARD, BY_SELF_DRAW, BY_ROBBED_GONG, "Exhausted", "Washed"} <= set(ends), ends
    ends = ends_of("a short wall", {"gongs": "uniform", "flowers": "uniform"})
    assert {"short", "Exhausted"} <= set(ends), ends
