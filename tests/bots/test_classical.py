"""The games of 13 tiles in which all hands are scored, played by bots that know nothing of them."""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from parlour_bots.arena import Plan, run
from parlour_bots.deals import chances_of, events_of, play_deal, record_line, replayed
from parlour_bots.levels import make_bot
from parlour_bots.records import parse_event
from parlour_bots.tallies import Tally
from parlour_engine.events import (
    BY_SELF_DRAW,
    WALL,
    DealStarted,
    Discarded,
    Drew,
    FlowersExposed,
    HandShown,
    Melded,
    Promoted,
    Washed,
    Won,
)
from parlour_engine.melds import CONCEALED_GONG
from parlour_engine.tiles import full_wall
from parlour_server.cli.simulate import command
from parlour_server.rulesets import load_ruleset
from tests.kit.walls import scripted_wall

CLASSICAL = ("classical", "classical-limit")
FOUR = {
    "steady": ("steady",) * 4,
    "mixed": ("steady", "random", "steady", "random"),
    "random": ("random",) * 4,
}
LIMIT = 300
"""The limit that is usual where Mah-Jongg counts 10."""


@cache
def played(
    ruleset: str, mix: str, deals: int, seed: int = 1922, jobs: int = 1, **options: bool
) -> tuple[tuple[str, ...], Tally]:
    plan = Plan(partial(load_ruleset, ruleset), FOUR[mix], seed, deals, options)
    tally = Tally()
    lines: list[str] = []
    for chunk in run(plan, jobs):
        assert chunk.failures == ()
        tally.merge(chunk.tally)
        lines += chunk.lines
    return tuple(lines), tally


def conserved(record: Mapping[str, Any]) -> None:
    """Follows every tile through the events, without the engine's own folding."""
    started, *events = events_of(record)
    assert isinstance(started, DealStarted)
    wall = Counter(started.wall)
    assert wall == Counter(full_wall(len(started.wall) == 144))
    hands = [Counter(hand) for hand in started.hands]
    assert [len(hand) for hand in started.hands] == [14 if seat == started.dealer else 13 for seat in range(4)]
    table: Counter[int] = Counter()
    drawn: Counter[int] = sum(hands, Counter())
    head = 53
    for event in events:
        match event:
            case Drew(seat=seat, kind=kind, source=source):
                if source == WALL and head < len(started.wall) - 20:
                    # Nearer the end the loose tiles may have gone before.
                    assert kind == started.wall[head]
                head += source == WALL
                hands[seat][kind] += 1
                drawn[kind] += 1
            case FlowersExposed(seat=seat, kinds=kinds):
                hands[seat].subtract(kinds)
                table.update(kinds)
            case Discarded(seat=seat, kind=kind) | Promoted(seat=seat, kind=kind):
                hands[seat][kind] -= 1
                table[kind] += 1
            case Melded(seat=seat, meld=meld):
                given = Counter(meld.tiles())
                if meld.form != CONCEALED_GONG:
                    given[meld.claimed] -= 1
                hands[seat] -= given
                table += given
            case Won(seat=seat, by=by, kind=kind, concealed=concealed):
                assert Counter(concealed) == hands[seat] - Counter([kind] if by == BY_SELF_DRAW else [])
            case HandShown(seat=seat, concealed=concealed):
                assert Counter(concealed) == +hands[seat]
            case _:
                pass
        assert all(count >= 0 for hand in hands for count in hand.values())
    assert not drawn - wall
    assert sum(hands, table) == drawn


def settled(record: Mapping[str, Any]) -> bool:
    """Works the payments out from the four totals (classical 3); False where nobody won."""
    settlement = record["settlement"]
    assert sum(settlement["changes"]) == sum(settlement["instant"]) == 0
    if not settlement["wins"]:
        assert settlement["changes"] == settlement["instant"]
        return False
    (win,) = settlement["wins"]
    totals = {other["seat"]: other["total"] for other in settlement["others"]}
    assert sorted([win["seat"], *totals]) == [0, 1, 2, 3]
    east = record["dealer"]
    due = list(settlement["instant"])

    def pay(payer: int, payee: int, points: int) -> None:
        doubled = 2 * points if east in (payer, payee) else points
        due[payer] -= doubled
        due[payee] += doubled

    if any(transfer["reason"] == "penalty" for transfer in settlement["transfers"]):
        for seat in totals:
            doubled = 2 if east in (seat, win["seat"]) else 1
            due[win["from"]] -= doubled * win["total"]
            due[win["seat"]] += doubled * win["total"]
    else:
        for seat in totals:
            pay(seat, win["seat"], win["total"])
        for one, other in combinations(totals, 2):
            low, high = sorted((one, other), key=lambda seat: totals[seat])
            pay(low, high, totals[high] - totals[low])
    assert settlement["changes"] == due
    return True


@pytest.mark.parametrize("mix", FOUR)
@pytest.mark.parametrize("ruleset", CLASSICAL)
def test_every_deal_conserves_its_tiles_and_its_points(ruleset: str, mix: str) -> None:
    lines, tally = played(ruleset, mix, 40)
    won = 0
    for line in lines:
        record = json.loads(line)
        conserved(record)
        won += settled(record)
    assert won == sum(tally.wins)
    assert tally.deals == 40
    assert sum(tally.points) == 0


def test_mandarins_are_conserved_and_settled_too() -> None:
    lines, _ = played("classical", "mixed", 20, mandarins=True)
    records = [json.loads(line) for line in lines]
    assert any(" flowers " in event for record in records for event in record["events"])
    for record in records:
        conserved(record)
        settled(record)


def test_without_mandarins_a_winner_scores_from_22_to_63_488() -> None:
    """Harr p. 9: from 22 for the least hand to 63,488 each for the largest, which East is paid twice."""
    between = ("--between", "22", "63488", "--json", "--seed", "1922")
    for bots in ("steady,steady,steady,steady", "steady,random,random,random"):
        result = CliRunner().invoke(command, ["--ruleset", "classical", "--deals", "40", "--bots", bots, *between])
        assert result.exit_code == 0, result.stderr
        told = json.loads(result.stdout)
        assert told["between"] == [22, 63488]
        assert 22 <= told["least_total"] <= told["mean_total"] <= told["most_total"] <= 63488
        assert told["failures"] == []


def test_a_total_outside_the_bounds_fails_and_says_how_to_play_it_again() -> None:
    arguments = ["--ruleset", "classical", "--deals", "8", "--bots", "steady,steady,steady,steady"]
    result = CliRunner().invoke(command, [*arguments, "--between", "1000", "2000"])
    assert result.exit_code == 1
    assert "BrokenDeal: a winner scores " in result.stderr
    assert "which is not between 1000 and 2000" in result.stderr
    again = next(line for line in result.stderr.splitlines() if "play it alone: " in line)
    words = again.split("play it alone: parlour simulate ")[1].split()
    alone = CliRunner().invoke(command, words)
    assert alone.exit_code == 1
    assert "a winner scores " in alone.stderr


def test_no_total_is_above_the_limit() -> None:
    _, tally = played("classical-limit", "steady", 40)
    assert tally.least is not None
    assert tally.most is not None
    assert 10 <= tally.least <= tally.most <= LIMIT


@pytest.mark.parametrize("ruleset", CLASSICAL)
def test_steady_beats_random_at_thirteen_tiles(ruleset: str) -> None:
    for seat in (0, 3):
        names = ["random"] * 4
        names[seat] = "steady"
        tally = Tally()
        for chunk in run(Plan(partial(load_ruleset, ruleset), tuple(names), 13, 60)):
            assert chunk.failures == ()
            tally.merge(chunk.tally)
        margin = tally.margin(seat)
        assert margin is not None
        # Far beyond chance: the interval, twice as wide, leaves no doubt, and the others hardly ever win.
        assert tally.mean(seat) - 2 * margin > 20
        others = sum(tally.wins_by_seat) - tally.wins_by_seat[seat]
        assert tally.wins_by_seat[seat] > 10 * max(1, others)


@pytest.mark.parametrize("ruleset", CLASSICAL)
def test_the_number_of_processes_changes_no_byte(ruleset: str) -> None:
    assert played(ruleset, "mixed", 40)[0] == played(ruleset, "mixed", 40, jobs=3)[0]


@pytest.mark.parametrize("ruleset", CLASSICAL)
def test_a_record_played_again_by_its_events_comes_to_the_same(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    for line in played(ruleset, "mixed", 40)[0][:10]:
        record = json.loads(line)
        again = replayed(rules, events_of(record), record["decisions"])
        assert record_line(rules, FOUR["mixed"], 1922, record["deal"], again) == line


def test_whoever_may_wash_does_and_is_paid_by_the_others() -> None:
    """Section 7: twelve different heads are paid with 150 from each of the others, and East is not doubled."""
    rules = load_ruleset("classical-limit")
    # The dealer is seat 1; seat 3 holds twelve of the thirteen heads, and no other hand more than eight.
    wall = scripted_wall(
        ("23456m23456p234s", "22334455668m258p", "22334455667p67s", "19m19p19s123456z5m"),
        dealer=1,
        procedure=rules.procedure,
    )
    record = play_deal(rules, wall, (1, 2, 3, 4), 1, 0, [make_bot("steady")] * 4, chances_of(0, 0))
    assert [event for event in record.events if isinstance(event, Washed)] == [parse_event("3 washes 12")]
    assert record.decisions == 1
    assert (record.winnings, record.losing, record.transfers) == ((), (), ())
    assert record.instant == record.changes == (-150, -150, -150, 450)
    line = json.loads(record_line(rules, FOUR["steady"], 0, 0, record))
    shown, washed, paid = line["events"][-3:]
    assert shown == "3 shows 159m19p19s123456z"
    assert washed == "3 washes 12"
    assert paid == "3 paid washing -150 -150 -150 +450"


def test_matches_are_the_same_whatever_the_number_of_processes(tmp_path: Path) -> None:
    arguments = ["--ruleset", "classical-limit", "--matches", "3", "--bots", "steady,steady,steady,steady", "--json"]
    one = CliRunner().invoke(command, [*arguments, "--out", str(tmp_path / "one")])
    two = CliRunner().invoke(command, [*arguments, "--jobs", "2", "--out", str(tmp_path / "two")])
    assert (one.exit_code, two.exit_code) == (0, 0)
    names = [f"match-0000{number}.jsonl" for number in range(3)]
    assert sorted(file.name for file in (tmp_path / "one").iterdir()) == names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    told = json.loads(one.stdout)
    assert told["matches"] == 3
    # One round at least, in which each seat deals once.
    assert told["deals"] >= 12
    assert sum(seat["points"] for seat in told["seats"]) == 0
    alone = CliRunner().invoke(command, [*arguments, "--only", "2", "--out", str(tmp_path / "alone")])
    assert alone.exit_code == 0
    assert [file.name for file in (tmp_path / "alone").iterdir()] == names[2:]
    assert (tmp_path / "alone" / names[2]).read_bytes() == (tmp_path / "one" / names[2]).read_bytes()
