"""Whole deals between bots: the same everywhere, sound, and written so that they can be played again."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from parlour_bots import arena as arena_module
from parlour_bots import deals as deals_module
from parlour_bots.arena import Plan, run
from parlour_bots.bot import Bot
from parlour_bots.chance import Chance
from parlour_bots.deals import (
    BrokenDeal,
    DealRecord,
    chances_of,
    dice_of,
    events_of,
    index_deal,
    play_deal,
    record_line,
    replayed,
    wall_of,
)
from parlour_bots.levels import UnknownLevel, make_bot
from parlour_bots.records import parse_wall
from parlour_bots.tallies import Tally
from parlour_engine.events import (
    BY_DISCARD,
    BY_SELF_DRAW,
    DealStarted,
    Discarded,
    Drew,
    Event,
    FlowersExposed,
    Melded,
    Paid,
    Promoted,
    Won,
)
from parlour_engine.moves import DISCARDS, Move
from parlour_engine.rulesets import OptionError, Ruleset, parse
from parlour_engine.seats import SEATS
from parlour_engine.tiles import full_wall
from parlour_engine.views import View
from tests.kit.walls import scripted_wall

FILE = Path(__file__).parents[2] / "config" / "rulesets" / "lrc.toml"
MIXED = ("steady", "random", "steady", "random")
SEED = 20241201
GOLDEN = "9f5e42d1c655c8ac56211c780d9fe0828e965bd75f9bee32b7cfb9595b192752"
"""SHA-256 of the records of the first 40 deals of SEED between MIXED, each with a line's end. It anchors the present:
it changes with the rules, the bots, the streams or the format of records, and with nothing else. That the records are
right is shown by the tests beside it, which do not look at it."""


def lrc() -> Ruleset:
    return parse(FILE.read_text(encoding="utf-8"), FILE.name)


def plan(deals: int = 40, names: Sequence[str] = MIXED, seed: int = SEED, **named: object) -> Plan:
    return Plan(lrc, tuple(names), seed, deals, **named)  # type: ignore[arg-type]  # passed on as they are


def lines_of(plan: Plan, jobs: int = 1) -> list[str]:
    return [line for chunk in run(plan, jobs) for line in chunk.lines]


def digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


@pytest.fixture(scope="module")
def golden_lines() -> list[str]:
    return lines_of(plan())


def test_the_anchor_holds(golden_lines: list[str]) -> None:
    assert digest(golden_lines) == GOLDEN


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_processes_changes_no_byte(golden_lines: list[str], jobs: int) -> None:
    assert lines_of(plan(), jobs) == golden_lines


def test_the_hash_seed_changes_no_byte(golden_lines: list[str]) -> None:
    program = "from tests.bots.test_arena import digest, lines_of, plan; print(digest(lines_of(plan(12))))"
    root = Path(__file__).parents[2]
    for seed in ("0", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == digest(golden_lines[:12])


def test_one_deal_alone_is_the_deal_of_the_whole_run(golden_lines: list[str]) -> None:
    for index in (0, 17, 39):
        assert lines_of(plan(only=index)) == [golden_lines[index]]


def test_another_seed_gives_other_deals(golden_lines: list[str]) -> None:
    walls = {json.loads(line)["wall"] for line in [*golden_lines, *lines_of(plan(seed=SEED + 1))]}
    assert len(walls) == 80


def test_records_say_who_sat_where_and_who_dealt(golden_lines: list[str]) -> None:
    for index, line in enumerate(golden_lines):
        record = json.loads(line)
        assert record["deal"] == index
        assert record["seed"] == SEED
        assert record["seats"] == list(MIXED)
        assert (record["dealer"], record["round_wind"], record["streak"]) == (index % 4, "E", 0)
        assert record["ruleset"] == {"key": "lrc", "version": lrc().version, "options": {}}
        assert sorted(parse_wall(record["wall"])) == full_wall()
        assert len(record["dice"]) == 3
        assert all(1 <= die <= 6 for die in record["dice"])


def test_a_record_played_again_by_its_events_comes_to_the_same(golden_lines: list[str]) -> None:
    ruleset = lrc()
    for index, line in enumerate(golden_lines):
        record = json.loads(line)
        again = replayed(ruleset, events_of(record), record["decisions"])
        assert record_line(ruleset, MIXED, SEED, index, again) == line


def examine(record: dict[str, object], events: list[Event]) -> None:
    """Counts tiles and points by the events alone, without the engine's own books."""
    where = f"seed {record['seed']}, deal {record['deal']}"
    wall = list(parse_wall(str(record["wall"])))
    started, *rest = events
    assert isinstance(started, DealStarted)
    hands = [Counter(hand) for hand in started.hands]
    assert sum(hands, Counter()) == Counter(wall[:65]), where
    head, tail = 65, len(wall)
    table: Counter[int] = Counter()
    points = [0, 0, 0, 0]
    last = -1
    for event in rest:
        match event:
            case Drew(seat=seat, kind=kind, source=source):
                if source == 0:
                    assert wall[head] == kind, where
                    head += 1
                else:
                    tail -= 1
                    assert wall[tail] == kind, where
                hands[seat][kind] += 1
            case FlowersExposed(seat=seat, kinds=kinds):
                hands[seat].subtract(kinds)
                table.update(kinds)
            case Discarded(seat=seat, kind=kind):
                hands[seat][kind] -= 1
                table[kind] += 1
                last = kind
            case Melded(seat=seat, meld=meld):
                tiles = Counter(meld.tiles())
                table += tiles
                if meld.claimed >= 0:
                    assert meld.claimed == last, where
                    tiles[meld.claimed] -= 1
                    table[meld.claimed] -= 1
                hands[seat].subtract(tiles)
            case Promoted(seat=seat, kind=kind):
                hands[seat][kind] -= 1
                table[kind] += 1
            case Won(seat=seat, by=by, kind=kind, concealed=concealed):
                held = hands[seat] - Counter([kind] if by == BY_SELF_DRAW else [])
                assert Counter(concealed) == held, where
            case Paid(changes=changes):
                assert sum(changes) == 0, where
                points = [one + two for one, two in zip(points, changes, strict=True)]
            case _:
                pass
        assert all(count >= 0 for hand in hands for count in hand.values()), where
    places = sum(hands, table + Counter(wall[head:tail]))
    assert places == Counter(full_wall()), where
    settlement = record["settlement"]
    assert isinstance(settlement, dict)
    assert settlement["instant"] == points, where
    for win in settlement["wins"]:
        assert sum(win["payments"]) == 0, where
        assert win["payments"][win["seat"]] > 0, where
        points = [one + two for one, two in zip(points, win["payments"], strict=True)]
    assert settlement["changes"] == points, where
    assert sum(points) == 0, where


def sound_run(deals: int, names: Sequence[str], seed: int) -> Tally:
    tally = Tally()
    for chunk in run(plan(deals, names, seed)):
        assert chunk.failures == ()
        tally.merge(chunk.tally)
        for line in chunk.lines:
            record = json.loads(line)
            examine(record, events_of(record))
    assert tally.deals == deals
    assert sum(tally.points) == 0
    return tally


@pytest.mark.parametrize("names", [MIXED, ("random",) * 4, ("steady",) * 4])
def test_every_deal_conserves_its_tiles_and_its_points(names: tuple[str, ...]) -> None:
    sound_run(334, names, seed=99)


@pytest.mark.slow
def test_every_deal_of_a_long_run_conserves_its_tiles_and_its_points() -> None:
    # As long as the random examples: HYPOTHESIS_PROFILE=long plays 6,000 deals.
    deals = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 300
    for seed, names in enumerate([("steady", "random", "random", "random"), MIXED, ("steady",) * 4]):
        sound_run(deals, names, seed)


def test_steady_beats_random_at_every_seat() -> None:
    for seat in SEATS:
        names = ["random"] * 4
        names[seat] = "steady"
        tally = sound_run(60, names, seed=5)
        margin = tally.margin(seat)
        assert margin is not None
        # Far beyond chance: the interval leaves no doubt, and the others hardly ever win.
        assert tally.mean(seat) - 2 * margin > 5
        assert tally.wins_by_seat[seat] > 10 * max(1, sum(tally.wins_by_seat) - tally.wins_by_seat[seat])


def test_among_themselves_random_players_hardly_ever_win_and_steady_ones_nearly_always() -> None:
    """Chance hardly ever makes five sets and a pair before the wall ends; one of four who try nearly always does."""
    assert sound_run(100, ("random",) * 4, seed=8).exhausted > 90
    assert sound_run(100, ("steady",) * 4, seed=8).exhausted < 12


class Fixed:
    """Throws the highest tile, claims nothing, wins when it may."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        return legal[0] if legal[0].kind < 0 else legal[-1]


def test_a_deal_with_a_known_wall_is_settled_by_hand() -> None:
    # East throws its highest tile, 5p, the only one that seat 1 waits for: the first discard of the deal.
    wall = scripted_wall(("1113334455599m123p5p", "222678m46p345888s11z", "", ""))
    record = play_deal(lrc(), wall, (1, 2, 3), 0, 0, [Fixed()] * 4, chances_of(0, 0))
    assert record.decisions == 2
    (winning,) = record.winnings
    assert (winning.seat, winning.by) == (1, BY_DISCARD)
    assert {"earthly_hand", "east_tile"} <= {award.award for award in winning.entry.score.awards}
    total = winning.entry.score.total
    assert winning.payments == (-total, total, 0, 0)
    assert record.changes == winning.payments
    assert record.instant == (0, 0, 0, 0)


def test_a_self_drawn_win_is_paid_by_all_and_told_by_seat() -> None:
    # The dealer is seat 2, so winds and seats differ. It throws 9p; seat 3 draws the 5p that it waits for.
    wall = scripted_wall(("6666s", "7777s", "1113334455599m1239p", "222678m46p345888s11z"), draws="5p", dealer=2)
    record = play_deal(lrc(), wall, (1, 2, 3), 2, 0, [Fixed()] * 4, chances_of(0, 0))
    (winning,) = record.winnings
    assert (winning.seat, winning.by) == (3, BY_SELF_DRAW)
    total = winning.entry.score.total
    assert winning.payments == (-total, -total, -total, 3 * total)
    line = json.loads(record_line(lrc(), ("a", "b", "c", "d"), 0, 0, record))
    assert line["dealer"] == 2
    assert line["settlement"]["changes"] == [-total, -total, -total, 3 * total]
    assert [(win["seat"], win["by"], win["tile"], win.get("from")) for win in line["settlement"]["wins"]] == [
        (3, "self_draw", "5p", None)
    ]


class Stubborn:
    """Raises once, on its own terms."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        raise RuntimeError("no idea")


class Cheat(Fixed):
    """Throws what it does not hold."""

    def decide(self, view: View, legal: Sequence[Move], chance: Chance) -> Move:
        held = view.seats[view.viewer or 0].concealed
        return next(move for move in DISCARDS if move.kind not in held)


@pytest.mark.parametrize(("bot", "error"), [(Stubborn(), "RuntimeError: no idea"), (Cheat(), "IllegalMove: ")])
def test_a_deal_that_fails_is_told_and_the_others_are_played(
    monkeypatch: pytest.MonkeyPatch, bot: Bot, error: str
) -> None:
    def third_fails(ruleset: Ruleset, seed: int, index: int, bots: Sequence[Bot]) -> DealRecord:
        return index_deal(ruleset, seed, index, [bot] * 4 if index == 2 else bots)

    monkeypatch.setattr(arena_module, "index_deal", third_fails)
    chunks = list(run(plan(5)))
    failures = [failure for chunk in chunks for failure in chunk.failures]
    assert [(failure.index, failure.error.startswith(error)) for failure in failures] == [(2, True)]
    assert "Traceback" in failures[0].trace
    lines = [json.loads(line) for chunk in chunks for line in chunk.lines]
    assert [line["deal"] for line in lines] == [0, 1, 2, 3, 4]
    assert lines[2] == {"deal": 2, "seed": SEED, "failed": failures[0].error}
    assert sum(chunk.tally.deals for chunk in chunks) == 4


def test_a_stuck_deal_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals_module, "MOST_DECISIONS", 3)
    with pytest.raises(BrokenDeal, match="not over after 4 decisions"):
        index_deal(lrc(), SEED, 0, [make_bot("random")] * 4)


def test_what_is_wrong_with_a_plan_is_said_before_a_deal_is_played() -> None:
    with pytest.raises(UnknownLevel, match="random, steady"):
        run(plan(names=("steady", "random", "random", "hero")))
    with pytest.raises(ValueError, match="name four"):
        run(plan(names=("steady",)))
    with pytest.raises(OptionError, match="no option 'gravity'"):
        run(plan(options={"gravity": True}))
    with pytest.raises(ValueError, match="1 or more"):
        run(plan(), jobs=0)


def test_switches_reach_the_deals_and_the_records() -> None:
    options = {"calling": True, "base": 10}
    lines = [json.loads(line) for line in lines_of(plan(30, ("steady",) * 4, options=options))]
    assert all(line["ruleset"]["options"] == {"base": 10, "calling": True} for line in lines)
    called = [line for line in lines if any(event.endswith(" calls") for event in line["events"])]
    assert called
    awards = [award for line in lines for win in line["settlement"]["wins"] for award in win["awards"]]
    assert {award["points"] for award in awards if award["award"] == "base"} == {10}
    assert any(award["award"] == "calling" for award in awards)


def test_walls_and_dice_are_evenly_drawn() -> None:
    procedure = lrc().procedure
    first = Counter(wall_of(procedure, 3, index)[0] for index in range(1440))
    # A kind with four copies is first in 40 of 1440 walls, standard deviation 6; a flower in 10.
    assert all(10 < first[kind] < 75 for kind in range(34))
    dice = Counter(die for index in range(600) for die in dice_of(procedure, 3, index))
    # 300 each expected, standard deviation 16.
    assert set(dice) == {1, 2, 3, 4, 5, 6}
    assert all(230 < count < 370 for count in dice.values())
