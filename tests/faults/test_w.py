"""Faults W: the wall, flowers and replacements. The TW half of each case that is not told elsewhere."""

import random

import pytest

from parlour_engine import play
from parlour_engine.events import (
    BY_FLOWERS,
    FLOWER_REPLACEMENT,
    WALL,
    DealStarted,
    Drew,
    Event,
    FlowersExposed,
    Won,
)
from parlour_engine.notation import hand_text, parse_tiles
from parlour_engine.outcome import scoring_records
from parlour_engine.phases import Discarding
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.seats import SEATS
from parlour_server.protocol import events
from parlour_server.protocol.messages import Play, Seats
from parlour_server.table.journal import Happened
from tests.engine.scoring.hands import lines, lrc
from tests.faults.thousand import played
from tests.kit.script import Script
from tests.kit.walls import kind, position, scripted_wall
from tests.server.table.sitting import FAST, PEOPLE, Sitting, cautious, people, timed

BLANK = ("", "", "", "")


def test_w01_draws_come_from_the_head_and_replacements_from_the_tail() -> None:
    """W01: what is left is always the middle of the wall; sixteen tiles are kept from the draws of turns (P8)."""
    for seed, walk in enumerate(played()):
        told = walk.events[0]
        assert isinstance(told, DealStarted)
        left = list(told.wall[65:])
        for event in walk.events:
            if isinstance(event, Drew):
                assert event.source != WALL or len(left) > 16, seed
                assert event.kind == left.pop(0 if event.source == WALL else -1), seed
        assert walk.deal.wall.left() == len(left)


def test_w03_nothing_that_is_said_while_a_flower_is_replaced_takes_a_second_tile() -> None:
    """W03: P1 draws 1f, its replacement is 2f, then 8p. Whatever anybody says about a version in between is stale, in
    any order, and one tile comes for each flower; P1 is asked with a full list afterwards."""
    wall = scripted_wall(["5p", "", "", ""], draws="1f", tail="2f8p")
    chance = random.Random(3)
    for _ in range(8):
        sitting = Sitting(people(0, 1, 2, 3), FAST, walls=[wall])
        clients = [sitting.join(person) for person in PEOPLE]
        sitting.start()
        before = sitting.table.version
        sitting.play(clients[0], "discard 5p")
        after = sitting.table.version
        told = [event.e for event in clients[2].events()][-6:]
        assert told == ["discard", "draw", "flowers", "draw", "flowers", "draw"]
        state, asked = sitting.state(), clients[1].ask
        assert asked is not None
        assert asked.version == after
        messages = [
            (client, version, move) for client in clients for version in range(before, after) for move in asked.moves
        ]
        for client, version, move in chance.sample(messages, 40):
            sitting.table.receive(client.viewer, Play(version, move, 1), sitting.now)
            sitting.drain()
        assert {code for client in clients for code in client.errors()} == {"stale"}
        assert sitting.state() == state
        assert clients[1].ask == asked
        assert asked.moves
        assert sitting.deal.hands[1].flowers == parse_tiles("1f2f")
        sitting.play(clients[1], "discard 8p")
        assert clients[1].errors()[-1] == "stale"
        assert [event.e for event in clients[1].events()][-2:] == ["discard", "draw"]


def settled(deal: play.Deal) -> Settlement:
    return settle(lrc(), scoring_records(deal))


@pytest.mark.parametrize("missing", range(1, 9))
@pytest.mark.parametrize("seat", SEATS)
def test_w05_seven_flowers_at_the_start_win_from_every_seat(seat: int, missing: int) -> None:
    """W05 a and b, P24, A-21, A-23: some dealt, the rest as replacements. 20, a point a flower, one for each of the
    seat's two numbers, East's tile 1, base 5; paid by each of the others at once. The eighth lies in the wall."""
    flowers = [f"{number}f" for number in range(1, 9) if number != missing]
    own = {f"{seat + 1}f", f"{seat + 5}f"} & set(flowers)
    expected = 20 + 7 + len(own) + (seat == 0) + 5
    for dealt in (1, 4, 7):
        hands = list(BLANK)
        hands[seat] = "".join(flowers[:dealt])
        blanks = "1p2p3p4p6p7p8p"
        # The replacements of a batch are drawn one by one, and a flower among them is replaced before the next.
        tail = "".join(flowers[dealt:]) + blanks[: 2 * dealt]
        deal, told = play.start(lrc().procedure, scripted_wall(hands, tail=tail))
        won = told[-1]
        assert isinstance(won, Won)
        assert (won.seat, won.by, len(won.concealed)) == (seat, BY_FLOWERS, 17 if seat == 0 else 16)
        settlement = settled(deal)
        assert settlement.net == tuple(3 * expected if other == seat else -expected for other in SEATS)
        assert "self_draw_wall" not in lines(settlement.entries[0].score)
        shown = [event for event in told if isinstance(event, FlowersExposed)]
        assert [event.seat for event in shown] == [seat] * len(shown)
        drawn = [event for event in told if isinstance(event, Drew)]
        assert [hand_text([event.kind]) for event in drawn] == [
            *flowers[dealt:],
            *[blanks[at : at + 2] for at in range(0, 2 * dealt, 2)],
        ]


@pytest.mark.parametrize("seat", SEATS)
def test_w05_eight_flowers_are_forty_whoever_holds_them(seat: int) -> None:
    """W05 a, A-21, A-22: 40 + 8 + 2 + base 5, East one more; the full set was paid when it was whole: 10 from each."""
    hands = list(BLANK)
    hands[seat] = "1f"
    deal, told = play.start(lrc().procedure, scripted_wall(hands, tail="2f3f4f5f6f7f8f9p"))
    expected = 55 + (seat == 0)
    assert settled(deal).net == tuple(3 * expected if other == seat else -expected for other in SEATS)
    assert deal.paid == [30 if other == seat else -10 for other in SEATS]
    assert [event.kind for event in told if isinstance(event, Drew)] == parse_tiles("2f3f4f5f6f7f8f9p")


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("eighth", [False, True])
def test_w05_the_seventh_flower_wins_on_any_turn(seat: int, eighth: bool) -> None:
    """P24, A-20, A-95: drawn on a turn, with its replacement; the eighth as that replacement makes it 40."""
    flowers = list(BLANK)
    flowers[seat] = "123567f" if not eighth else "124568f"
    seventh, next_one = ("4f", "9p") if not eighth else ("3f", "7f9p")
    script = Script(
        position(BLANK, flowers=flowers, turn=(seat + 3) % 4, drawn="9s", draws=seventh, tail=next_one, streak=1)
    )
    happened = script.pass_by((seat + 3) % 4, "9s")
    won = happened[-1]
    assert isinstance(won, Won)
    assert (won.seat, won.by, won.kind, won.source, len(won.concealed)) == (seat, BY_FLOWERS, -1, -1, 17)
    number = 8 if eighth else 7
    own = 2 if eighth or seat != 3 else 1
    # The dealer's second win in a row: 2 * 1 + 1 and East's tile.
    expected = (40 if eighth else 20) + number + own + 5 + (4 if seat == 0 else 0)
    assert settled(script.deal).net == tuple(3 * expected if other == seat else -expected for other in SEATS)
    assert script.deal.paid == [0, 0, 0, 0]


def test_w05_nobody_takes_the_eighth_flower_of_another() -> None:
    """W05 b, A-23: P1 has shown six; P2 draws the other two. They are P2's, and nobody is asked anything."""
    script = Script(position(BLANK, flowers=("", "123456f", "", ""), turn=1, drawn="9s", draws="7f", tail="8f2p"))
    happened = script.pass_by(1, "9s")
    assert [type(event) for event in happened[1:]] == [Drew, FlowersExposed, Drew, FlowersExposed, Drew]
    assert script.deal.hands[2].flowers == parse_tiles("7f8f")
    assert [script.legal(seat) != [] for seat in SEATS] == [False, False, True, False]


def test_w05_the_last_live_tile_is_a_flower_and_its_replacements_are_flowers() -> None:
    """W05 d, P8, A-80: four flowers in a row out of the sixteen; the hand they complete is one from the flower wall."""
    hand = "123m456m789m12345p99s"
    script = Script(position((hand, "", "", ""), turn=3, drawn="9s", draws="1f", tail="2f5f8f6p", live=1))
    script.pass_by(3, "9s")
    assert (script.deal.wall.live(), script.deal.wall.left()) == (0, 12)
    assert "win" in script.legal(0)
    script.do(0, "win")
    found = lines(settled(script.deal).entries[0].score)
    assert found["self_draw_flower_wall"] == 5
    assert not {"seabed", "self_draw_wall"} & set(found)


def test_w05_a_gong_replaced_by_a_flower_wins_from_the_flower_wall() -> None:
    """W05 e, A-80: 5, and not the thirty for a gong upon a gong; the gong was paid when it was declared."""
    script = Script(position(("1111m234567m23p88s5z5z", "", "", ""), drawn="5z", tail="1f4p", live=1))
    script.do(0, "concealed_gong 1m")
    script.do(0, "win")
    found = lines(settled(script.deal).entries[0].score)
    assert (found["self_draw_flower_wall"], found["self_draw_concealed"]) == (5, 10)
    assert not {"seabed", "self_draw_wall", "gong_on_gong"} & set(found)
    assert script.deal.paid == [15, -5, -5, -5]


def test_a_dealt_hand_that_flowers_made_whole_is_heavenly_unless_a_gong_came_first() -> None:
    """A-78, P30: 123m 456m 789m 123456p 99s after the replacement of 1f: Heavenly 100 and Wall 1, Concealed 10. After
    a gong it is a win from the flower wall and no Heavenly Hand."""
    deal, _ = play.start(lrc().procedure, scripted_wall(("123456789m12345p99s1f", "", "", ""), tail="6p"))
    script = Script(deal)
    script.do(0, "win")
    found = lines(settled(deal).entries[0].score)
    assert (found["heavenly_hand"], found["self_draw_wall"], found["self_draw_concealed"]) == (100, 1, 10)
    assert found["flower"] + found["seat_flower"] == 2
    deal, _ = play.start(lrc().procedure, scripted_wall(("1111m234567m234p88s5z1f", "", "", ""), tail="5z5z"))
    script = Script(deal)
    script.do(0, "concealed_gong 1m")
    script.do(0, "win")
    found = lines(settled(deal).entries[0].score)
    assert found["self_draw_flower_wall"] == 5
    assert not {"heavenly_hand", "self_draw_wall"} & set(found)


def test_easts_first_discard_after_two_gongs_is_still_the_first() -> None:
    """A-77: Earthly 90 for whoever wins on it, several too; on West's first discard there is none."""
    hands = ("1111m2222m5p", "46p456m789m123s777s11z", "", "")
    deal, _ = play.start(lrc().procedure, scripted_wall(hands, tail="9p9p"))
    script = Script(deal)
    script.do(0, "concealed_gong 1m")
    script.do(0, "concealed_gong 2m")
    script.discard(0, "5p")
    script.do(1, "win")
    script.close()
    settlement = settled(deal)
    assert lines(settlement.entries[0].score)["earthly_hand"] == 90
    # Eight tiles of gongs and the discard: nine on the table, so within ten.
    assert lines(settlement.entries[0].score)["within_10"] == 10
    assert deal.paid == [30, -10, -10, -10]


def test_w06_flowers_of_an_absent_seat_are_replaced_as_those_of_a_present_one() -> None:
    """W06: P2 draws 3f and then 8p. Present or long gone, the log is the same event for event, and nothing waits."""
    wall = scripted_wall(["5p", "2288m", "3388s", "2288p"], draws="1z3f", tail="8p")
    logs = []
    for present in (True, False):
        sitting = Sitting(people(0, 1, 2, 3), timed(floor_ms=0, grace_ms=1000), walls=[wall], bots=cautious)
        clients = [sitting.join(person) for person in PEOPLE]
        sitting.start()
        if not present:
            sitting.drop(clients[2])
            sitting.wait(2)
            assert clients[0].last(Seats).seats[2].stand_in
        began = sitting.now
        for seat, move in ((0, "discard 5p"), (1, "discard 1z")):
            sitting.play(clients[seat], move)
            for other in clients:
                if other.viewer in sitting.clients and other.ask is not None and other.ask.kind == "claim":
                    sitting.play(other, "pass")
        if present:
            assert clients[2].ask is not None
            sitting.play(clients[2], cautious(sitting.table, 2, clients[2].ask))
        rows = [row for row in sitting.rows if isinstance(row, Happened)]
        told = [row.event for row in rows]
        drew = next(number for number, event in enumerate(told) if isinstance(event, events.Drew) and event.seat == 2)
        assert [event.e for event in told[drew : drew + 4]] == ["draw", "flowers", "draw", "discard"]
        assert rows[drew + 3].at == began
        logs.append(told[: drew + 4])
    assert logs[0] == logs[1]


def test_replacements_of_seats_that_are_not_on_turn_do_not_make_it_theirs() -> None:
    """P6: North shows his flowers last of all, and it is East's opening turn."""
    deal, told = play.start(lrc().procedure, scripted_wall(("", "", "", "1f2f"), tail="3f9p9p9s"))
    assert [event.seat for event in told if isinstance(event, (Drew, FlowersExposed))] == [3] * 5
    assert {event.source for event in told if isinstance(event, Drew)} == {FLOWER_REPLACEMENT}
    phase = deal.phase
    assert isinstance(phase, Discarding)
    assert (phase.seat, phase.drawn, phase.opening) == (0, -1, True)
    assert deal.hands[3].counts[kind("9p")] == 2


def shown_by(told: list[Event], seat: int) -> list[tuple[int, ...]]:
    return [event.kinds for event in told if isinstance(event, FlowersExposed) and event.seat == seat]


def test_a_chain_that_begins_with_east_ends_before_south_shows() -> None:
    """P6: East's replacement is a flower twice; only then South shows his, from what is left of the tail."""
    _, told = play.start(lrc().procedure, scripted_wall(("1f", "2f", "", ""), tail="3f4f9p5f9s"))
    assert shown_by(told, 0) == [(kind("1f"),), (kind("3f"),), (kind("4f"),)]
    assert shown_by(told, 1) == [(kind("2f"),), (kind("5f"),)]
    seats = [event.seat for event in told if isinstance(event, (Drew, FlowersExposed))]
    assert seats == sorted(seats)
