"""Faults P: who pays whom, and once. The TW half of each case that is not told elsewhere."""

import random
from collections.abc import Sequence
from itertools import permutations

import pytest

from parlour_engine.events import BY_DISCARD, BY_ROBBED_GONG, Won
from parlour_engine.notation import tile_text
from parlour_engine.outcome import losing_records, scoring_records
from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.seats import SEATS, seat_wind
from parlour_server.protocol.events import Settled
from parlour_server.table import Settings
from parlour_server.table.journal import Happened, WallLaid
from tests.engine.scoring.hands import lines, lrc
from tests.faults.thousand import played, settlements
from tests.kit.script import Script
from tests.kit.walls import position, scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, LRC, PEOPLE, Sitting, by_chance, people, steady

THREE = scripted_wall(["5p", "46p123456789m11z777s", "34p222333666s22z123s", "5p111999777m333z555s"])
"""P01: P1, P2 and P3 wait for 5p, which P0 holds."""
HEAVENLY = scripted_wall(["123456789m123456p99s", "", "", ""])
"""P0 deals and has won."""


def four(walls: Sequence[Sequence[int]], settings: Settings = FAST, **options: object) -> tuple[Sitting, list[Client]]:
    ruleset = LRC.with_options(options) if options else LRC
    sitting = Sitting(people(0, 1, 2, 3), settings, walls=walls, ruleset=ruleset)
    clients = [sitting.join(person) for person in PEOPLE]
    sitting.start()
    return sitting, clients


def settled(client: Client) -> list[Settled]:
    return [event for event in client.events() if isinstance(event, Settled)]


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_p01_only_the_nearest_is_paid_where_the_table_plays_so(order: tuple[int, ...]) -> None:
    """P01, `nearest`: all three call the tile, in any order, and only P1 wins and is paid."""
    sitting, clients = four([THREE], winners="nearest")
    sitting.play(clients[0], "discard 5p")
    for seat in order:
        sitting.play(clients[seat], "win")
    sitting.wait(0)
    (event,) = settled(clients[3])
    (win,) = event.wins
    assert (win.seat, win.payments) == (1, [-win.total, win.total, 0, 0])
    assert event.changes == win.payments
    assert event.scores == win.payments


def two_heavenly_deals(third: Sequence[int]) -> tuple[Sitting, list[Client]]:
    """P0 deals, wins twice and deals a third time: his streak is two."""
    sitting, clients = four([HEAVENLY, HEAVENLY, third])
    for number in (1, 2):
        sitting.play(clients[0], "win")
        for client in clients:
            sitting.ready(client, number)
    assert clients[0].table["deal"]["streak"] == 2
    return sitting, clients


def award_points(event: Settled, seat: int) -> dict[str, int]:
    (win,) = [win for win in event.wins if win.seat == seat]
    return {line.award: line.points for line in win.awards}


def test_p02_a_dealer_who_pays_two_winners_pays_no_streak() -> None:
    """P02: with N = 2 he pays exactly T1 and T2, each with East's tile and without a streak; then the deal passes."""
    third = scripted_wall(["5p", "46p123456789m11z777s", "34p222333666s22z123s", ""])
    sitting, clients = two_heavenly_deals(third)
    sitting.play(clients[0], "discard 5p")
    for seat in (2, 1):
        sitting.play(clients[seat], "win")
    sitting.wait(0)
    event = settled(clients[0])[-1]
    totals = [win.total for win in event.wins]
    assert event.changes == [-sum(totals), *totals, 0]
    for seat in (1, 2):
        points = award_points(event, seat)
        assert points["east_tile"] == 1
        assert "dealer_streak" not in points
        assert sum(points.values()) == totals[seat - 1]
    assert event.next is not None
    assert (event.next.dealer, event.next.streak) == (1, 0)


def test_p02_a_dealer_among_the_winners_alone_has_the_streak_and_keeps_the_deal() -> None:
    """P02: P1 throws 5p to the dealer and to P3. Two wins before make 2N + 1 = 5 for the dealer, and N grows by one."""
    hands = ["46p123456789m777s11z4z", "5566z", "5577z", "34p222333666s22z123s"]
    sitting, clients = two_heavenly_deals(scripted_wall(hands, draws="5p"))
    sitting.play(clients[0], "discard 4z")
    sitting.play(clients[1], "discard 5p")
    for seat in (3, 0):
        sitting.play(clients[seat], "win")
    sitting.wait(0)
    event = settled(clients[2])[-1]
    # In turn order from P1's right: P3 comes before P0.
    assert [win.seat for win in event.wins] == [3, 0]
    assert award_points(event, 0)["dealer_streak"] == 5
    assert award_points(event, 0)["east_tile"] == 1
    assert not {"dealer_streak", "east_tile"} & set(award_points(event, 3))
    totals = {win.seat: win.total for win in event.wins}
    assert event.changes == [totals[0], -totals[0] - totals[3], 0, totals[3]]
    assert event.next is not None
    assert (event.next.dealer, event.next.streak) == (0, 3)


def test_p03_amounts_are_whole_and_paid_by_the_right_seats() -> None:
    """P03, a thousandth of a million settlements beside a formula of its own (lrc 5): the giver of the tile pays
    the whole total, a self-drawn one is paid by each of the three, and all sums to zero."""
    wins = 0
    for walk, settlement in zip(played(), settlements(), strict=True):
        if settlement is None:
            assert walk.deal.wins == []
            continue
        due = [0, 0, 0, 0]
        for won, entry in zip(
            [event for event in walk.events if isinstance(event, Won)], settlement.entries, strict=True
        ):
            wins += 1
            total = entry.score.total
            assert type(total) is int
            payers = [won.source] if won.by in (BY_DISCARD, BY_ROBBED_GONG) else [s for s in SEATS if s != won.seat]
            for payer in payers:
                due[payer] -= total
                due[won.seat] += total
        net = [settlement.net[seat_wind(seat, walk.deal.dealer)] for seat in SEATS]
        assert all(type(amount) is int for amount in net)
        assert net == due, walk.seed
        assert sum(net) == sum(walk.deal.paid) == 0
    assert wins > 500


DRAGONS = "123m456m9s"
"""Beside three sets of dragons it waits for 9s."""
PAIRS = ("2288p", "2277p", "3377p")
"""What the three others hold, filled up with tiles that help nobody."""


def fed_by_west(
    form: str, self_drawn: bool, ruleset: Ruleset | None = None, hand: str = DRAGONS, others: Sequence[str] = PAIRS
) -> Settlement:
    """P0 has red and green dragons down; West throws the white one. P0 wins 9s by drawing it or from P3. P0 holds
    `hand`, the three others `others`; the sixteen-tile game unless `ruleset` is another."""
    ruleset = ruleset or lrc()
    hand += "555z" if form == "gong" else "55z4z"
    end = "1s4s6s9s" if self_drawn else "1s4s9s"
    draws = "4p5p6p5z" + end if form == "added" else end
    deal = position(
        (hand, *others),
        melds=("777z 666z", "", "", ""),
        turn=2,
        drawn="5z",
        draws=draws,
        tail="8s" if form != "pong" else "",
        procedure=ruleset.procedure,
    )
    script = Script(deal)
    script.discard(2, "5z")
    script.do(0, "gong 5z" if form == "gong" else "pong 5z")
    script.close()
    script.pass_by(0, "8s" if form == "gong" else "4z")
    if form == "added":
        for seat in (1, 2, 3):
            script.pass_by(seat, drawn_by(script, seat))
        script.do(0, "promoted_gong 5z")
        script.close()
        script.pass_by(0, "8s")
    for seat in (1, 2):
        script.pass_by(seat, drawn_by(script, seat))
    if self_drawn:
        script.pass_by(3, drawn_by(script, 3))
        script.do(0, "win")
    else:
        script.discard(3, "9s")
        script.do(0, "win")
        script.close()
    return settle(ruleset, scoring_records(deal), losing_records(deal))


def drawn_by(script: Script, seat: int) -> str:
    """The tile that the seat has just drawn, as text."""
    return tile_text(script.deal.hands[seat].fresh)


@pytest.mark.parametrize("self_drawn", [True, False])
@pytest.mark.parametrize("form", ["pong", "gong", "added"])
def test_p04_whoever_fed_the_third_dragon_is_not_liable(form: str, self_drawn: bool) -> None:
    """P04, the default half: Big Dragons 40 in all six rows, and the payment is the usual one: each of the three pays
    a self-drawn win, P3 alone pays for his discard, and West, who fed the set, nothing more than his share."""
    settlement = fed_by_west(form, self_drawn)
    (entry,) = settlement.entries
    found = lines(entry.score)
    assert found["big_dragons"] == 40
    assert found.get("open_gong") == (None if form == "pong" else 1)
    total = entry.score.total
    assert settlement.net == ((3 * total, -total, -total, -total) if self_drawn else (total, 0, 0, -total))


@pytest.mark.parametrize("seed", range(3))
def test_p06_every_deal_is_laid_and_settled_once_whoever_drops_when(seed: int) -> None:
    """P06: seats drop and come back at any step of four deals. In the journal each deal has one wall and one
    settlement, and the scores are what the settlements and instant payments add up to."""
    chance = random.Random(seed)
    sitting = Sitting(people(0, 1, 2, 3), FAST, seed=seed, bots=steady)
    clients = [sitting.join(person) for person in PEOPLE]
    watcher = sitting.join("eve")
    sitting.start()
    away: set[int] = set()
    choose = by_chance(seed)
    for _ in range(2500):
        if len(settled(watcher)) == 4:
            break
        seat = chance.randrange(4)
        if seat in away:
            if chance.random() < 0.5:
                clients[seat] = sitting.join(PEOPLE[seat], client=clients[seat] if chance.random() < 0.5 else None)
                away.discard(seat)
        elif chance.random() < 0.05:
            sitting.drop(clients[seat])
            away.add(seat)
        elif sitting.table._flow.gate is not None:
            sitting.ready(clients[seat], len(settled(watcher)))
        else:
            ask = clients[seat].ask
            if ask is not None:
                sitting.play(clients[seat], "win" if "win" in ask.moves else str(choose(sitting.table, seat, ask)))
        sitting.wait(0.2)
    rows = sitting.rows
    walls = [row.deal for row in rows if isinstance(row, WallLaid)]
    told = [row.event for row in rows if isinstance(row, Happened)]
    ended = [event.deal for event in told if isinstance(event, Settled)]
    assert ended == [1, 2, 3, 4]
    assert walls[:4] == ended
    assert len(walls) == len(set(walls))
    scores = [0, 0, 0, 0]
    for event in settled(watcher):
        for paid in [event.changes, *(instant.changes for instant in event.instant)]:
            assert sum(paid) == 0
            scores = [score + change for score, change in zip(scores, paid, strict=True)]
        assert event.scores == scores


def test_p07_a_score_below_zero_is_a_score_like_any_other() -> None:
    """P07: it stands in the settlement, in a newcomer's snapshot and in the wire's text, and the match goes on."""
    sitting, clients = four([THREE])
    sitting.play(clients[0], "discard 5p")
    for seat in (1, 2, 3):
        sitting.play(clients[seat], "win")
    (event,) = settled(clients[0])
    lost = -sum(win.total for win in event.wins)
    assert lost < 0
    assert event.scores[0] == lost
    eve = sitting.join("eve")
    assert eve.table["scores"][0] == lost
    assert f'"scores":[{lost},' in eve.texts()[0].replace(" ", "")
    for client in clients:
        sitting.ready(client, 1)
    assert clients[0].table["deal"]["deal"] == 2
    assert clients[0].table["scores"][0] == lost


def test_p07_the_final_standing_ranks_scores_below_zero() -> None:
    """P07: the losers of a whole match stand there with what they owe, last of all."""
    sitting = Sitting(people(), FAST, seed=4, bots=steady)
    eve = sitting.join("eve")
    sitting.start()
    sitting.wait(0)
    assert sitting.table.over
    lines_ = eve.table["standing"]
    scores = [line["score"] for line in lines_]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] < 0
    assert sum(scores) == 0
