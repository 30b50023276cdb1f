"""`why`: what a person is told who asks why he cannot win, and that nobody else learns anything by it."""

import random

import pytest

from parlour_engine.deal import Deal
from parlour_engine.notation import TILE_TEXT, parse_tiles
from parlour_engine.shortfall import WhyNot, why_not
from parlour_server.protocol import messages
from parlour_server.protocol.messages import Why
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client, plain
from tests.server.table.sitting import PEOPLE, Sitting, by_chance, people, silent, timed

READY = "123456789m45p11s77z"
"""Sixteen tiles less one: with 7z it waits for 3p and 6p."""


def ask_why(sitting: Sitting, client: Client, about: int = 5) -> messages.WhyNot:
    sitting.table.receive(client.viewer, Why(about), sitting.now)
    sitting.drain()
    answer = client.heard[-1]
    assert isinstance(answer, messages.WhyNot)
    assert (answer.id, answer.version) == (about, client.version)
    return answer


def discarded(wanted: str, seat_hand: str = READY + "7z") -> tuple[Sitting, Client, Client]:
    """Ann, East, and Bob with `seat_hand`; ann has thrown `wanted`."""
    wall = scripted_wall([wanted, seat_hand, "", ""])
    sitting = Sitting(people(0, 1), timed(), walls=[wall], bots=silent)
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    sitting.play(ann, f"discard {wanted}")
    return sitting, ann, bob


def test_a_ready_hand_is_told_its_tiles_and_whether_this_is_one() -> None:
    sitting, _, bob = discarded("9p")
    answer = ask_why(sitting, bob)
    assert (answer.reason, answer.missing, answer.form) == ("other_tile", 1, "standard")
    assert (answer.completing, answer.helping, answer.barred) == (["3p", "6p"], ["3p", "6p"], [])
    sitting, _, bob = discarded("3p")
    assert ask_why(sitting, bob).reason == "can_win"


def test_a_win_let_pass_bars_its_tile_until_the_next_draw() -> None:
    sitting, ann, bob = discarded("3p")
    sitting.play(bob, "pass")
    # The window is still open, but this seat has answered.
    answer = ask_why(sitting, bob)
    assert (answer.reason, answer.barred) == ("missed_win", ["3p"])
    assert ask_why(sitting, ann).barred == []


def test_who_is_on_turn_or_waits_is_told_what_is_missing() -> None:
    wall = scripted_wall(["123m456m789p22s4455z67s", READY + "7z", "", ""])
    sitting = Sitting(people(0, 1), timed(), walls=[wall], bots=silent)
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    assert ask_why(sitting, bob).reason == "no_tile"
    answer = ask_why(sitting, ann)
    # Three sets, then 22s, 44z, 55z and 67s for two sets and eyes: 4z or 5z makes one, 5s or 8s the other.
    assert (answer.reason, answer.missing, answer.completing) == ("incomplete", 2, [])
    assert {"5s", "8s", "4z", "5z"} <= set(answer.helping)


def test_watchers_have_no_hand_and_before_the_first_deal_nobody_has() -> None:
    sitting = Sitting(people(0), timed(), bots=silent)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    assert ask_why(sitting, ann).reason == "over"
    sitting.start()
    assert ask_why(sitting, eve).reason == "not_seated"
    sitting.table.receive(99, Why(3), sitting.now)
    assert [plain(delivery.message)["code"] for delivery in sitting.table.to_send()] == ["not_at_table"]  # type: ignore[union-attr]  # nothing is sent to a bot here


def test_after_a_win_it_is_over() -> None:
    sitting, _, bob = discarded("3p")
    sitting.play(bob, "win")
    sitting.wait(1)
    assert ask_why(sitting, bob).reason == "over"


def test_asking_is_seen_by_nobody_else_and_moves_nothing() -> None:
    """Two tables play the same match; at one of them the people ask all the time."""

    def play(asks: bool) -> tuple[list[list[str]], list[object], list[float | None]]:
        sitting = Sitting(people(0, 2), timed(floor_ms=100), seed=4, bots=by_chance(4))
        clients = [sitting.join("ann"), sitting.join("cat"), sitting.join("eve")]
        sitting.start()
        chance = random.Random(8)
        deadlines: list[float | None] = []
        for turn in range(150):
            if asks:
                asker = clients[turn % 2]
                others = [len(client.heard) for client in clients if client is not asker]
                before, rows, due = sitting.state(), len(sitting.rows), sitting.table.deadline()
                answer = ask_why(sitting, asker)
                assert sitting.state() == before
                assert (len(sitting.rows), sitting.table.deadline()) == (rows, due)
                assert [len(client.heard) for client in clients if client is not asker] == others
                seat = PEOPLE.index(asker.person)
                known = why_not(sitting.deal, seat)
                assert parse_tiles("".join(answer.helping)) == list(known.helping)
                assert set(answer.completing) <= set(TILE_TEXT[:34])
            asked = [client for client in clients if client.ask is not None]
            if asked:
                client = asked[0]
                assert client.ask is not None
                sitting.play(client, chance.choice(client.ask.moves))
            else:
                sitting.wait(0.1)
            deadlines.append(sitting.table.deadline())
        heard = [[text for text in client.texts() if '"why_not"' not in text] for client in clients]
        return heard, list(sitting.rows), deadlines

    assert play(asks=True) == play(asks=False)


def test_asking_again_and_again_costs_nothing_and_what_happens_between_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(deal: Deal, seat: int) -> WhyNot:
        asked.append(seat)
        return why_not(deal, seat)

    monkeypatch.setattr("parlour_server.table.why.why_not", counted)
    sitting, ann, bob = discarded("3p")
    for number in range(20):
        assert ask_why(sitting, bob, number).reason == "can_win"
        ask_why(sitting, ann, number)
    assert sorted(asked) == [0, 1]
    sitting.play(bob, "pass")
    assert ask_why(sitting, bob).reason == "missed_win"
    sitting.wait(9)
    assert ask_why(sitting, bob).barred == []
    assert sorted(asked) == [0, 1, 1, 1]
