"""A seat changes hands between its owner and a stand-in without showing that it was asked in a claim window."""

import pytest

from parlour_server.protocol.messages import Ask, Seats
from parlour_server.table import Table
from parlour_server.table.audience import AT_ONCE
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import BotRule, Sitting, people, timed

# East throws 5p and, a round later, 8s: South can take both as chows, and nobody else can take anything.
TWICE = scripted_wall(["5p8s", "46p79s", "", ""], draws="1z2z3z4z1m")
ONCE = scripted_wall(["5p8s", "46p", "", ""], draws="1z2z3z4z1m")


def thrower(table: Table, seat: int, ask: Ask) -> str:
    """Passes; East throws 5p and 8s, everybody else what it drew."""
    if "pass" in ask.moves:
        return "pass"
    if seat == 0:
        return next(move for move in ("discard 5p", "discard 8s", ask.moves[-1]) if move in ask.moves)
    drawn = table.view_for(seat).drawn
    return next(move for move in ask.moves if move.startswith("discard") and (drawn < 0 or move.endswith(_TEXT[drawn])))


_TEXT = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + [f"{number}z" for number in range(1, 8)]


def stood_in_for(client: Client) -> bool:
    return bool(client.last(Seats).seats[1].stand_in)


def asked_for(client: Client) -> str | None:
    return None if client.ask is None else client.ask.kind


def late_in_a_claim(wall: list[int], bots: BotRule = thrower) -> tuple[Sitting, Client, Client]:
    """South's person lets a claim and a turn run out and is, with TWICE, asked for a claim again."""
    sitting = Sitting(people(1), timed(), walls=[wall], bots=bots)
    bob, eve = sitting.join("bob"), sitting.join("eve")
    sitting.start()
    assert bob.ask is not None
    assert bob.ask.moves == ["chow 456p", "pass"]
    sitting.wait(8)
    assert asked_for(bob) == "turn"
    sitting.wait(20)
    while len(bob.table["deal"]["seats"][0]["discards"]) < 2:
        step(sitting)
    return sitting, bob, eve


def step(sitting: Sitting) -> None:
    """To the next thing that happens, and no further."""
    due = sitting.table.deadline()
    assert due is not None
    sitting.wait(due - sitting.now)


def test_the_third_late_answer_in_a_claim_window_counts_but_shows_only_when_the_turn_begins() -> None:
    sitting, bob, eve = late_in_a_claim(TWICE)
    assert asked_for(bob) == "claim"
    heard = len(eve.heard)
    sitting.wait(7.99)
    assert eve.heard[heard:] == []
    sitting.bots = lambda table, seat, ask: None if seat == 1 else thrower(table, seat, ask)
    sitting.wait(0.01)
    # The window closed with the late pass, and so South's turn began: the bot has it from the first moment.
    assert [message.type for message in eve.heard[heard:]] == ["events", "seats"]
    assert stood_in_for(eve)
    assert stood_in_for(bob)
    assert sitting.bot_asks[-1][0] == 1
    assert sitting.bot_asks[-1][1].kind == "turn"


def test_the_window_that_makes_it_three_late_answers_hands_nothing_over() -> None:
    # North's pong goes before South's chow, so South's turn does not begin, and its owner keeps the seat.
    def pongs(table: Table, seat: int, ask: Ask) -> str:
        return "pong 8s" if "pong 8s" in ask.moves else thrower(table, seat, ask)

    sitting, bob, eve = late_in_a_claim(scripted_wall(["5p8s", "46p79s", "", "88s"], draws="1z2z3z4z1m"), pongs)
    assert asked_for(bob) == "claim"
    heard = len(eve.heard)
    sitting.wait(8)
    assert {message.type for message in eve.heard[heard:]} == {"events"}
    assert eve.table["deal"]["seats"][3]["melds"] != []
    assert not stood_in_for(eve)
    assert not stood_in_for(bob)


@pytest.mark.parametrize("legal", [True, False])
def test_the_owner_who_answers_a_claim_has_the_seat_back_and_the_others_hear_of_it_at_the_next_turn(
    legal: bool,
) -> None:
    wall = scripted_wall(["5p8s1m", "46p79s23m", "", ""], draws="1z2z3z4z1z2z3z4z")
    sitting, bob, eve = late_in_a_claim(wall)
    sitting.wait(8)
    assert stood_in_for(eve)
    sitting.bots = lambda table, seat, ask: None if seat == 1 and ask.kind != "turn" else thrower(table, seat, ask)
    while asked_for(bob) != "claim":
        step(sitting)
    heard, asked = len(eve.heard), len(sitting.bot_asks)
    sitting.play(bob, "pass" if legal else "win")
    assert bob.errors() == ([] if legal else ["illegal_move"])
    assert not stood_in_for(bob)
    assert eve.heard[heard:] == []
    assert sitting.join("fay").last(Seats).seats[1].stand_in
    sitting.wait(8)
    assert asked_for(bob) == "turn"
    assert not stood_in_for(eve)
    assert 1 not in {seat for seat, _ in sitting.bot_asks[asked:]}, "the owner plays the turn"


@pytest.mark.parametrize("said", ["pass", "chow 789s", "nonsense"])
@pytest.mark.parametrize("at", [0.0, 0.05, 0.3])
def test_who_comes_and_goes_is_told_no_sooner_where_a_stood_in_owner_could_claim(said: str, at: float) -> None:
    """Whoever lets people come and go all the time would see at once that the seat has answered, and so was asked."""

    def heard(wall: list[int], answer: str | None) -> list[tuple[float, object]]:
        def bots(table: Table, seat: int, ask: Ask) -> str | None:
            return None if seat == 1 and "pass" in ask.moves else thrower(table, seat, ask)

        settings = timed(presence_ms=1000)
        sitting = Sitting(people(1), settings, walls=[wall], bots=bots)
        bob, eve = sitting.join("bob"), sitting.join("eve")
        sitting.start()
        sitting.drop(bob)
        sitting.wait(settings.grace_ms / 1000)
        assert stood_in_for(eve)
        # A line that is back, whose stand-in plays on until the owner does: as after three late answers.
        chair = sitting.table._chairs[1]
        bob = sitting.join("bob")
        sitting.table._presence.replace(chair, sitting.now)
        while len(bob.table["deal"]["seats"][0]["discards"]) < 2:
            step(sitting)
        for number in range(AT_ONCE + 5):
            sitting.join(f"guest {number}")
        told: list[tuple[float, object]] = []
        opened, count = sitting.now, len(eve.heard)
        assert (asked_for(bob) == "claim") is (answer is not None)

        def until(moment: float) -> None:
            nonlocal count
            while (due := sitting.table.deadline()) is not None and due <= opened + moment:
                step(sitting)
                told.extend((round(sitting.now - opened, 6), message) for message in eve.heard[count:])
                count = len(eve.heard)
            sitting.wait(max(0.0, opened + moment - sitting.now))
            told.extend((round(sitting.now - opened, 6), message) for message in eve.heard[count:])
            count = len(eve.heard)

        until(at)
        if answer is not None:
            sitting.play(bob, answer)
            assert not stood_in_for(bob), "the owner knows"
        until(0.599)
        assert stood_in_for(eve)
        return told

    could = heard(TWICE, said)
    assert could == heard(ONCE, None)


def test_the_owner_who_says_so_has_the_seat_back_before_everybody() -> None:
    sitting, bob, eve = late_in_a_claim(TWICE)
    sitting.bots = lambda table, seat, ask: None if seat == 1 else thrower(table, seat, ask)
    sitting.wait(8)
    assert stood_in_for(eve)
    sitting.take_seat(bob, 1)
    assert not stood_in_for(eve)
    assert not stood_in_for(bob)


def test_nobody_is_told_again_what_has_not_changed() -> None:
    # A watcher who asks for a snapshot over and over is no reason to tell the others anything.
    sitting, bob, eve = late_in_a_claim(TWICE)
    counts = [len(client.heard) for client in (bob, eve)]
    for _ in range(5):
        sitting.table.join(eve.viewer, "eve", "Eve", None, sitting.now)
        sitting.drain()
    assert len(bob.heard) == counts[0]
    assert [message.type for message in eve.heard[counts[1] :]] == ["table"] * 5
