"""Fault S09 as the classical games meet it: nothing takes a mandarin's value away (the CL half)."""

from collections.abc import Sequence

import attrs
import pytest

from parlour_engine.notation import tile_text
from parlour_engine.rulesets import Ruleset
from parlour_server.protocol.events import Settled
from parlour_server.records.replay import Replay, ruleset_for
from parlour_server.records.rows import header_of, line_of, read_header, read_rows, row_of
from parlour_server.table.journal import Happened, MatchBegun
from tests.kit.walls import scripted_wall
from tests.server.table.sitting import CLASSICAL, FAST, LIMIT, PEOPLE, Sitting, people

FRESH = pytest.mark.parametrize("fresh", [True, False], ids=["new page", "same page"])
BOTH = pytest.mark.parametrize("game", [CLASSICAL, LIMIT], ids=lambda game: game.key)


def played(game: Ruleset, wall: Sequence[int], shown: list[list[str]], steps: str, fresh: bool) -> Sitting:
    """Plays the steps ("0 discard 4z"); whoever is asked in a window and is not next passes. After each step a seat in
    turn loses its line and comes back, with nothing where `fresh`, and all are shown the mandarins."""
    settings = attrs.evolve(FAST, options={"mandarins": True})
    sitting = Sitting(people(0, 1, 2, 3), settings, walls=[wall], ruleset=game)
    clients = [sitting.join(person) for person in PEOPLE]
    sitting.start()
    for number, step in enumerate(steps.split(", ")):
        seat, move = int(step[0]), step[2:]
        ask = clients[seat].ask
        if ask is not None and ask.kind != "turn":
            sitting.play(clients[seat], move)
        for client in clients:
            if client.ask is not None and client.ask.kind != "turn":
                sitting.play(client, "pass")
        if ask is None or ask.kind == "turn":
            sitting.play(clients[seat], move)
        gone = number % 4
        sitting.drop(clients[gone])
        clients[gone] = sitting.join(PEOPLE[gone], client=None if fresh else clients[gone])
        for client in clients:
            assert [one["flowers"] for one in client.table["deal"]["seats"]] == shown, step
    return sitting


def settled(sitting: Sitting) -> Settled:
    """The one settlement, as it was written down; everybody was shown it."""
    (event,) = [row.event for row in sitting.rows if isinstance(row, Happened) and isinstance(row.event, Settled)]
    assert isinstance(event, Settled)
    for client in sitting.clients.values():
        assert client.table["settled"]["changes"] == event.changes
    return event


def replayed(sitting: Sitting, game: Ruleset) -> Replay:
    """The match played again from the text of its record, which raises Difference where anything is told otherwise."""
    begun = sitting.rows[0]
    assert isinstance(begun, MatchBegun)
    rows = [row_of(row, begun.at) for row in sitting.rows]
    lines = [line_of(row).encode() for row in (header_of(begun, "a test", None), *rows) if row is not None]
    header = read_header(lines[0])
    assert header.ruleset.options == {"mandarins": True}
    replay = Replay(header, ruleset_for(header, game))
    for number, row in read_rows(lines[1:]):
        replay.take(number, row)
    assert replay.between_steps
    return replay


def kept(sitting: Sitting, game: Ruleset, shown: list[list[str]]) -> Settled:
    """The settlement, after the record was played again: both know the same mandarins of winner and losers."""
    event = settled(sitting)
    hands = {win.seat: win.flowers for win in event.wins} | {hand.seat: hand.flowers for hand in event.hands}
    assert [hands[seat] for seat in range(4)] == shown
    deal = replayed(sitting, game).course.current()
    assert [[tile_text(kind) for kind in hand.flowers] for hand in deal.hands] == shown
    return event


def totals(event: Settled) -> dict[int, int]:
    return {win.seat: win.total for win in event.wins} | {hand.seat: hand.total for hand in event.hands}


ROBS = (
    ("44m789m2222s46p8s1f5f", "55p147m1369s23z2f4f", "369m147p47s1457z7f", "999s258m28p5s126z8f"),
    # What comes of the wall, and what for mandarins and East's kong.
    "1z5p4m6z1z6z8s5p",
    "4z9p" + "9m2p" + "8p" + "3p" + "7z",
    [["1f", "5f"], ["2f", "4f"], ["7f"], ["8f"]],
    "0 discard 4z, 1 discard 1z, 2 discard 5p, 1 pong 5p, 1 discard 1s, 2 discard 4m, 0 pong 4m, 0 discard 9p, "
    "1 discard 6z, 2 discard 1z, 3 discard 6z, 0 concealed_gong 2s, 0 discard 7z, 1 promoted_gong 5p, 0 win",
)
ROBBED = (
    ("55p6666s147m3z9s4z1f5f", "46p123m789m222s1z2f", "369m28p1357s34z6z3f", "999s258m2379p57z4f"),
    "8p5p8p4s4s9p",
    "2z1p" + "1z" + "7p" + "3p" + "5p",
    [["1f", "5f"], ["2f"], ["3f"], ["4f"]],
    "0 discard 2z, 1 discard 8p, 2 discard 5p, 0 pong 5p, 0 discard 1p, 1 discard 8p, 2 discard 4s, 3 discard 4s, "
    "0 concealed_gong 6s, 0 promoted_gong 5p, 1 win",
)


@FRESH
@BOTH
def test_s09_a_winner_keeps_what_his_mandarins_are_worth(game: Ruleset, fresh: bool) -> None:
    """S09: East shows 1f and 5f, both his own. He pungs 4m, lays a kong of 2s and robs South's kong of 5p, and all lose
    their lines in turn. An exposed pung of simples 2, a concealed kong of them 16, and 5p in the only place 2: with
    Mah-Jongg 40 without a limit and 30 with one, where a robbed kong doubles. His mandarins double twice. Of the
    losers South has an exposed pung, 2, and one mandarin of his own, North a concealed one of heads, 8, and one; West,
    with one of his own too, has nothing to double."""
    hands, draws, tail, shown, steps = ROBS
    rules = game.with_options({"mandarins": True})
    wall = scripted_wall(hands, draws, tail, procedure=rules.procedure)
    event = kept(played(rules, wall, shown, steps, fresh), game, shown)
    total = {"classical": 40 * 4, "classical-limit": 30 * 2 * 4}[game.key]
    assert totals(event) == {0: total, 1: 2 * 2, 2: 0, 3: 8 * 2}
    assert {win.seat: win.by for win in event.wins} == {0: "robbed_gong"}
    # West pays South 4 and North 16, South pays North 12.
    assert event.changes == [6 * total, -2 * total + 4 - 12, -2 * total - 4 - 16, -2 * total + 12 + 16]


@FRESH
@BOTH
def test_s09_a_loser_keeps_what_his_mandarins_are_worth(game: Ruleset, fresh: bool) -> None:
    """S09: East pungs 5p, lays a kong of 6s, adds its loose tile to the pung and is robbed of it. His exposed pung 2
    and concealed kong 16 double twice for 1f and 5f: 72. South, who robs: without a limit 20, a concealed pung of
    simples 4 and the only place 2; with one 10, the concealed pung 6, a pair of the wind of the round 2 and the
    claimed sequence 2, doubled for the robbed kong; 2f doubles either. North has 8 doubled for 4f, West only 3f."""
    hands, draws, tail, shown, steps = ROBBED
    rules = game.with_options({"mandarins": True})
    wall = scripted_wall(hands, draws, tail, procedure=rules.procedure)
    event = kept(played(rules, wall, shown, steps, fresh), game, shown)
    total = {"classical": 26 * 2, "classical-limit": 20 * 2 * 2}[game.key]
    assert totals(event) == {0: 18 * 4, 1: total, 2: 0, 3: 8 * 2}
    assert {win.seat: (win.by, win.source) for win in event.wins} == {1: ("robbed_gong", 0)}
    # West pays East 72 and North pays him 56, both doubled, and West pays North 16.
    assert event.changes == [-2 * total + 144 + 112, 4 * total, -total - 144 - 16, -total - 112 + 16]
