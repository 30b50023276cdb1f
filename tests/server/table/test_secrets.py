"""What a viewer may not know is nowhere in its stream: nothing hidden shows, and nothing depends on it."""

import random

import pytest

from parlour_engine.rulesets import Ruleset
from parlour_engine.tiles import FIRST_FLOWER, full_wall
from parlour_server.protocol import events, messages
from parlour_server.protocol.messages import Ask, AskHistory, Pause, Say
from parlour_server.table import Table
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, PEOPLE, RULESETS, Sitting, by_chance, people, tile_of, timed

OPENING = 13
"""A kind that the dealer is dealt in every wall here and throws first."""


def own_tiles(seat: int, size: int) -> list[int]:
    """Where the tiles that seat is dealt lie in the wall, seat 0 dealing: by fours, then singly, East's last (P5)."""
    places = [turn * 16 + seat * 4 + number for turn in range(size // 4) for number in range(4)]
    places += [size // 4 * 16 + turn * 4 + seat for turn in range(size % 4)]
    return [*places, 4 * size] if seat == 0 else places


def plain_player(table: Table, seat: int, ask: Ask) -> str:
    """Passes everything and throws what it drew; as East first the agreed tile. What it holds shows in nothing."""
    if "pass" in ask.moves:
        return "pass"
    drawn = table.view_for(seat).drawn
    wanted = f"discard {OPENING % 9 + 1}p" if drawn < 0 else None
    if wanted is None:
        wanted = next(move for move in ask.moves if move.startswith("discard") and tile_of(move) == drawn)
    assert wanted in ask.moves
    return wanted


def streams(ruleset: Ruleset, wall: list[int], viewer: int | None, turns: float) -> tuple[bytes, list[str]]:
    """All that one viewer is sent in a deal of plain players, to the octet, and as text."""
    seated = people(*([] if viewer is None else [viewer]))
    sitting = Sitting(seated, timed(bank_ms=9000), walls=[wall], bots=plain_player, ruleset=ruleset)
    client = sitting.join("eve" if viewer is None else PEOPLE[viewer])
    other = sitting.join("fay")
    sitting.start()
    end = sitting.now + turns
    step = 0
    while sitting.now < end:
        step += 1
        if step % 9 == 0:
            # What else is told: the deal so far, talk, stops and votes, and a line that comes back.
            sitting.want(client, (AskHistory(), AskHistory(1), Say("hm"), Pause(wanted=step % 2 == 0))[step // 9 % 4])
            sitting.want(other, Say("ah"))
        if step % 40 == 0:
            sitting.stop("storage")
            heard, kept = client.octets, client.heard
            client = sitting.join(client.person)
            client.octets[:0], client.heard[:0] = heard, kept
            sitting.go_on("storage")
        if sitting.table.stopped is not None:
            sitting.want(client, Pause(wanted=False))
        if viewer is not None and client.ask is not None:
            sitting.play(client, plain_player(sitting.table, viewer, client.ask))
        else:
            sitting.wait(0.1)
    assert [event.e for event in client.events()].count("discard") > 15
    return bytes(client.octets), client.texts()


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_tiles_that_a_viewer_cannot_know_change_no_octet_of_its_stream(
    ruleset: Ruleset, viewer: int | None, seed: int
) -> None:
    size = ruleset.procedure.hand_size
    chance = random.Random(seed)
    wall = full_wall(ruleset.procedure.flowers)
    chance.shuffle(wall)
    last = 4 * size
    # The dealer holds the tile it will throw where no permutation reaches it.
    at = wall.index(OPENING)
    wall[last], wall[at] = wall[at], wall[last]
    hidden = [place for seat in range(4) if seat != viewer for place in own_tiles(seat, size) if place != last]
    hidden += range(last + 31, last + 56)
    places = [place for place in hidden if wall[place] < FIRST_FLOWER]
    other = list(wall)
    tiles = [wall[place] for place in places]
    chance.shuffle(tiles)
    for place, tile in zip(places, tiles, strict=True):
        other[place] = tile
    assert other != wall
    one, texts = streams(ruleset, wall, viewer, 14)
    two, others = streams(ruleset, other, viewer, 14)
    assert texts == others
    assert one == two


def may_know(client: Client, seat: int | None) -> None:
    """Walks through everything that was heard and looks for a tile of somebody else's hand."""
    shown: set[int] = set()
    for message in client.heard:
        if isinstance(message, messages.Table) and message.deal is not None:
            if message.settled is not None:
                shown |= {win.seat for win in message.settled.wins} | {hand.seat for hand in message.settled.hands}
                shown |= {paid.seat for paid in message.settled.instant if paid.reason == "washing"}
            for number, view in enumerate(message.deal.seats):
                if number not in {seat} | shown:
                    assert view.tiles is None
                    assert view.drawn is None
        if isinstance(message, messages.DealSoFar):
            assert not message.whole
        if isinstance(message, messages.Events | messages.DealSoFar):
            for event in message.events:
                if isinstance(event, events.DealStarted):
                    shown = set()
                    assert all(hand is None for number, hand in enumerate(event.hands) if number != seat)
                if isinstance(event, events.Drew) and event.seat != seat:
                    assert event.tile is None
                if isinstance(event, events.HandShown):
                    assert "settled" in [one.e for one in message.events], "a hand shows at the end of a deal"
                if isinstance(event, events.Won | events.HandShown):
                    shown.add(event.seat)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_no_message_names_a_tile_of_somebody_elses_hand_before_it_shows(ruleset: Ruleset, seed: int) -> None:
    # L01
    sitting = Sitting(people(0, 2), FAST, seed=seed, bots=by_chance(seed), ruleset=ruleset)
    chance = random.Random(seed)
    ann, cat, eve = sitting.join("ann"), sitting.join("cat"), sitting.join("eve")
    sitting.start()
    heard: list[tuple[Client, int | None]] = [(ann, 0), (cat, 2), (eve, None)]
    deal = 1
    for step in range(300):
        if sitting.table._flow.gate is not None:
            sitting.ready(ann, deal)
            sitting.ready(cat, deal)
            deal += 1
        client = ann if ann.ask is not None else cat
        if client.ask is not None:
            sitting.play(client, chance.choice(client.ask.moves))
        if step % 4 == 3:
            for one in (ann, cat, eve):
                sitting.want(one, AskHistory())
        if step % 10 == 9:
            heard.append((sitting.join("fay"), None))
            sitting.drop(ann)
            ann = sitting.join("ann")
            heard.append((ann, 0))
    assert deal > 2
    for client, seat in heard:
        may_know(client, seat)


def test_asks_go_to_their_seat_alone() -> None:
    sitting = Sitting(people(0, 1, 2, 3), FAST, seed=8)
    chance = random.Random(8)
    clients = [sitting.join(person) for person in PEOPLE]
    eve = sitting.join("eve")
    sitting.start()
    claims = 0
    for _ in range(150):
        waiting = [client for client in clients if client.ask is not None]
        if not waiting:
            break
        client = chance.choice(waiting)
        assert client.ask is not None
        seat = clients.index(client)
        view = sitting.table.view_for(seat)
        assert len(view.moves) == len(client.ask.moves)
        claims += client.ask.kind == "claim"
        sitting.play(client, client.ask.moves[-1])
    assert claims
    assert not [message for message in eve.heard if isinstance(message, messages.Ask | messages.Accepted)]


@pytest.mark.parametrize("seed", range(3))
def test_a_watcher_of_many_deals_knows_what_a_fresh_one_does(seed: int) -> None:
    # L06; the sitting compares after every call, here once more in words.
    sitting = Sitting(people(0), FAST, seed=seed, bots=by_chance(seed))
    chance = random.Random(seed)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    deal = 1
    while deal < 4:
        if sitting.table._flow.gate is not None:
            sitting.ready(ann, deal)
            deal += 1
        elif ann.ask is not None:
            sitting.play(ann, chance.choice(ann.ask.moves))
    fay = sitting.join("fay")
    assert fay.table == eve.table
