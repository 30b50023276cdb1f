"""Coming, going, coming back; seats, watchers, tabs."""

import attrs
import pytest

from parlour_engine.legal import legal_moves
from parlour_engine.moves import move_text
from parlour_server.protocol import events, messages
from parlour_server.protocol.messages import Left, Play, Ready, Seats, TakeSeat
from parlour_server.table import Settings
from parlour_server.table.journal import Answered, SeatChanged
from tests.kit.walls import scripted_wall
from tests.server.table.sitting import FAST, PEOPLE, Sitting, by_chance, cautious, people, silent, timed

CLAIMED = scripted_wall(["5p", "46p", "", "55p"])


# --- a seat whose owner is away --------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [FAST, timed()], ids=["clocks off", "casual"])
def test_a_table_goes_on_without_the_seat_it_waits_for(settings: Settings) -> None:
    """T07: on its turn and in a claim window, with and without clocks."""
    sitting = Sitting(people(0, 1), settings, walls=[CLAIMED])
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    sitting.drop(ann)
    seen = sitting.table.version
    sitting.wait(settings.grace_ms / 1000 + 1)
    assert sitting.table.version > seen
    assert bob.last(Seats).seats[0].stand_in
    assert not bob.last(Seats).seats[0].present

    sitting = Sitting(people(0, 1), settings, walls=[CLAIMED])
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    sitting.play(ann, "discard 5p")
    sitting.drop(bob)
    sitting.wait(settings.grace_ms / 1000 + 1)
    assert [event.e for event in ann.events()][-1] != "discard"


def test_a_short_drop_changes_nothing_but_the_presence() -> None:
    sitting = Sitting(people(0, 1), FAST, walls=[CLAIMED])
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    asked = ann.ask
    before = sitting.state()
    sitting.drop(ann)
    assert not bob.last(Seats).seats[0].present
    sitting.wait(0.9)
    back = sitting.join("ann", client=ann)
    assert sitting.state() == before
    assert back.ask == asked
    assert back.last(Seats).seats[0] == bob.last(Seats).seats[0]
    assert back.last(Seats).seats[0].present
    sitting.wait(5)
    assert sitting.state() == before
    assert not [ask for ask in sitting.bot_asks if ask[0] == 0]


def test_who_comes_back_has_the_seat_with_the_live_state_and_ask() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=cautious)
    ann = sitting.join("ann")
    sitting.start()
    sitting.drop(ann)
    sitting.bots = lambda table, seat, ask: None if seat == 0 else cautious(table, seat, ask)
    sitting.wait(2)
    assert sitting.bot_asks[-1][0] == 0
    back = sitting.join("ann")
    assert back.ask == sitting.bot_asks[-1][1]
    assert back.last(messages.Table).you == 0
    # The stand-in's answer, still on its way, counts no longer.
    before = sitting.state()
    reply = sitting.table.receive_bot(0, Play(sitting.table.version, "discard 5p"), sitting.now)
    assert isinstance(reply, messages.Error)
    assert sitting.state() == before
    sitting.play(back, "discard 5p")
    assert back.errors() == []


@pytest.mark.parametrize("by", ["join", "take_seat"])
def test_who_takes_over_from_a_bot_has_all_the_time_a_person_has(by: str) -> None:
    # The bot's own limit ends with its part: without clocks nothing presses the person.
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    if by == "join":
        sitting.drop(ann)
        sitting.wait(2)
        assert [seat for seat, _ in sitting.bot_asks] == [0]
        person = sitting.join("ann")
    else:
        sitting.play(ann, "discard 5p")
        person = sitting.join("eve")
        sitting.take_seat(person, 1)
        sitting.wait(11)
    asked = person.ask
    assert asked is not None
    sitting.wait(1000)
    assert person.ask == asked


def test_an_absent_persons_flowers_are_replaced_as_a_present_ones() -> None:
    # W06: the events are the same whether or not the line is up.
    wall = scripted_wall(["5p", "", "", ""], draws="3f", tail="8p")
    streams = []
    for present in (True, False):
        sitting = Sitting(people(0, 1), FAST, walls=[wall])
        ann, bob = sitting.join("ann"), sitting.join("bob")
        sitting.start()
        if not present:
            sitting.drop(bob)
        sitting.play(ann, "discard 5p")
        streams.append([event.e for event in ann.events()][-4:])
    assert streams[0] == streams[1] == ["discard", "draw", "flowers", "draw"]


def test_a_person_who_never_came_is_stood_in_for() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED])
    eve = sitting.join("eve")
    sitting.start()
    assert not eve.last(Seats).seats[0].present
    sitting.wait(1.5)
    assert eve.last(Seats).seats[0].stand_in
    assert [event.e for event in eve.events()].count("discard") > 0


# --- tabs ------------------------------------------------------------------------------------------------------------


def test_the_newest_tab_has_the_seat() -> None:
    # C07
    sitting = Sitting(people(0), FAST, walls=[CLAIMED])
    first = sitting.join("ann")
    sitting.start()
    second = sitting.join("ann")
    assert first.heard[-1] == Left("t", "replaced")
    heard = len(first.heard)
    sitting.play(first, "discard 5p")
    assert [message.type for message in first.heard[heard:]] == ["error"]
    assert first.errors() == ["not_at_table"]
    sitting.table.disconnect(first.viewer, sitting.now)
    assert second.last(Seats).seats[0].present
    sitting.play(second, "discard 5p")
    assert second.errors() == []
    third = sitting.join("ann")
    sitting.drop(second)
    sitting.wait(60)
    assert third.last(Seats).seats[0].present
    assert not third.last(Seats).seats[0].stand_in


def test_fifty_returns_at_one_point_leave_all_as_it_was() -> None:
    # C03: nothing doubles; the fold and a fresh view agree (checked after every call).
    sitting = Sitting(people(0, 1), FAST, seed=4, bots=by_chance(4))
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    for _ in range(6):
        client = ann if ann.ask is not None else bob
        assert client.ask is not None
        sitting.play(client, client.ask.moves[-1])
    before = sitting.state()
    piles = [len(seat["discards"]) for seat in bob.table["deal"]["seats"]]
    for turn in range(50):
        sitting.drop(ann)
        ann = sitting.join("ann", client=ann) if turn % 2 else sitting.join("ann")
        assert [len(seat["discards"]) for seat in ann.table["deal"]["seats"]] == piles
    assert sitting.state() == before


# --- leaving and sitting down ----------------------------------------------------------------------------------------


def test_who_leaves_is_followed_by_a_bot_for_good() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED])
    ann = sitting.join("ann")
    eve = sitting.join("eve")
    sitting.start()
    sitting.leave(ann)
    assert ann.heard[-1] == Left("t", "left")
    seat = eve.last(Seats).seats[0]
    assert (seat.player, seat.level, seat.present, seat.stand_in) == ("bot", "steady", True, False)
    assert sitting.bot_asks[0][0] == 0, "the ask that was open is the bot's"
    again = sitting.join("ann")
    assert again.last(messages.Table).you is None
    assert again.ask is None


def test_a_watcher_takes_a_bots_seat_with_all_it_holds() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    sitting.play(ann, "discard 5p")
    sitting.take_seat(eve, 1)
    table = eve.last(messages.Table)
    assert table.you == 1
    assert table.deal.seats[1].tiles is not None
    assert [table.deal.seats[seat].tiles for seat in (0, 2, 3)] == [None, None, None]
    assert eve.ask is not None
    assert eve.ask.moves == ["chow 456p", "pass"]
    assert ann.last(Seats).seats[1].name == "Eve"
    sitting.play(eve, "chow 456p")
    sitting.wait(10)
    melds = [event for event in eve.events() if isinstance(event, events.Melded)]
    assert [meld.seat for meld in melds] == [1]
    changes = [row for row in sitting.rows if isinstance(row, SeatChanged)]
    assert (changes[-1].seat, changes[-1].person, changes[-1].name) == (1, "eve", "Eve")


def test_only_a_bots_seat_can_be_taken_and_only_by_who_has_none() -> None:
    sitting = Sitting(people(0, 1), FAST, walls=[CLAIMED], bots=silent)
    ann, bob = sitting.join("ann"), sitting.join("bob")
    eve = sitting.join("eve")
    sitting.start()
    sitting.drop(bob)
    sitting.wait(5)
    assert ann.last(Seats).seats[1].stand_in
    before = sitting.state()
    sitting.take_seat(eve, 0)
    sitting.take_seat(eve, 1)
    sitting.take_seat(ann, 2)
    assert eve.errors() == ["seat_taken", "seat_taken"]
    assert ann.errors() == ["seat_taken"]
    assert sitting.state() == before
    assert sitting.table.seat_of("bob") == 1


def test_nobody_looks_into_one_hand_after_another() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    sitting.take_seat(eve, 1)
    sitting.leave(eve)
    eve = sitting.join("eve")
    before = sitting.state()
    for seat in (2, 3):
        sitting.take_seat(eve, seat)
    assert eve.errors() == ["next_deal", "next_deal"]
    assert sitting.state() == before
    assert eve.last(messages.Table).you is None
    sitting.take_seat(eve, 1)
    assert eve.last(messages.Table).you == 1, "its own hand is no news"
    sitting.leave(eve)
    # In the next deal every hand is new.
    sitting.bots = cautious
    eve = sitting.join("eve")
    while ann.table["deal"]["deal"] == 1:
        if ann.table["settled"] is not None:
            sitting.ready(ann, 1)
        elif ann.ask is not None:
            sitting.play(ann, cautious(sitting.table, 0, ann.ask))
        else:
            sitting.wait(10)
    sitting.take_seat(eve, 3)
    assert eve.errors() == []
    assert eve.last(messages.Table).you == 3


def test_of_two_who_want_a_seat_the_first_has_it() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    sitting.join("ann")
    eve, fay = sitting.join("eve"), sitting.join("fay")
    sitting.start()
    sitting.take_seat(eve, 2)
    sitting.take_seat(fay, 2)
    assert sitting.table.seat_of("eve") == 2
    assert fay.errors() == ["seat_taken"]


def test_a_person_with_two_tabs_sits_down_with_one() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    sitting.join("ann")
    one, two = sitting.join("eve"), sitting.join("eve")
    sitting.start()
    sitting.take_seat(two, 2)
    assert one.heard[-1] == Left("t", "replaced")
    assert two.last(messages.Table).you == 2


# --- watchers (L06) --------------------------------------------------------------------------------------------------


def test_a_watcher_is_never_asked_and_every_command_of_a_player_is_refused() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    before = sitting.state()
    moves = {move_text(move) for seat in range(4) for move in legal_moves(sitting.deal, seat)} | {"win", "pass", "x"}
    for move in sorted(moves):
        sitting.table.receive(eve.viewer, Play(sitting.table.version, move, 5), sitting.now)
    sitting.table.receive(eve.viewer, Ready(1), sitting.now)
    sitting.drain()
    assert sitting.state() == before
    assert set(eve.errors()) == {"not_seated"}
    assert len(eve.errors()) == len(moves) + 1
    assert not [message for message in eve.heard if isinstance(message, messages.Ask)]
    assert ann.errors() == []


def test_a_stranger_is_not_at_the_table() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    sitting.join("ann")
    sitting.start()
    before = sitting.state()
    for message in (Play(1, "pass", 3), Ready(1), TakeSeat(2)):
        sitting.table.receive(77, message, sitting.now)
    sitting.table.leave(77, sitting.now)
    sitting.table.disconnect(77, sitting.now)
    errors = [delivery for delivery in sitting.table.to_send() if getattr(delivery, "viewers", ()) == (77,)]
    assert [(delivery.message.code, delivery.message.id) for delivery in errors] == [  # type: ignore[union-attr]  # errors
        ("not_at_table", 3),
        ("not_at_table", None),
        ("not_at_table", None),
    ]
    assert sitting.state() == before


def test_watchers_are_counted_and_limited() -> None:
    sitting = Sitting(people(0), attrs.evolve(FAST, watchers=2), walls=[CLAIMED], bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    eve, fay = sitting.join("eve"), sitting.join("fay")
    gus = sitting.join("gus")
    assert gus.errors() == ["table_full"]
    assert not sitting.table.here(gus.viewer)
    assert ann.last(Seats).watchers == 2
    sitting.drop(eve)
    assert fay.last(Seats).watchers == 1


def test_who_comes_and_goes_all_the_time_does_not_flood_the_others() -> None:
    sitting = Sitting(people(0), attrs.evolve(FAST, presence_ms=200), walls=[CLAIMED], bots=silent)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    heard = [len(ann.heard), len(eve.heard)]
    for turn in range(1, 1001):
        fay = sitting.join("fay")
        assert fay.last(Seats).watchers == 2, "whoever comes is told at once"
        if turn < 1000:
            sitting.leave(fay)
        sitting.wait(0.001)
    for client, before in zip((ann, eve), heard, strict=True):
        told = client.heard[before:]
        assert {message.type for message in told} == {"seats"}
        assert len(told) <= 20 + 5 * 1 + 1
    sitting.wait(1)
    assert ann.last(Seats).watchers == eve.last(Seats).watchers == 2
    assert sitting.table.deadline() is None
    # The quiet has made up for it.
    sitting.wait(10)
    for number in range(20):
        sitting.join(f"guest {number}")
        assert ann.last(Seats).watchers == 3 + number


def test_an_owner_is_let_in_however_many_watch() -> None:
    sitting = Sitting(people(0), attrs.evolve(FAST, watchers=0), walls=[CLAIMED], bots=silent)
    sitting.start()
    ann = sitting.join("ann")
    assert ann.errors() == []
    assert ann.last(messages.Table).you == 0


# --- the rest --------------------------------------------------------------------------------------------------------


def test_a_new_name_is_told_to_everybody() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    sitting.table.rename("ann", "Anna")
    sitting.table.rename("eve", "Eva")
    sitting.drain()
    assert eve.last(Seats).seats[0].name == "Anna"
    sitting.take_seat(eve, 3)
    assert ann.last(Seats).seats[3].name == "Eva"


def test_a_seat_is_played_by_its_person_and_no_other() -> None:
    """N09: whoever sends it, a move counts for the sender's own seat."""
    sitting = Sitting(people(0, 1, 2, 3), FAST, walls=[CLAIMED])
    clients = [sitting.join(person) for person in PEOPLE]
    sitting.start()
    before = sitting.state()
    for client in clients[1:]:
        sitting.play(client, "discard 5p", version=sitting.table.version)
        assert client.errors() == ["not_your_turn"]
    assert sitting.state() == before
    assert not [row for row in sitting.rows if isinstance(row, Answered)]


def test_a_match_begins_once() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    ann = sitting.join("ann")
    assert ann.last(messages.Table).deal is None
    sitting.start()
    with pytest.raises(ValueError, match="begun"):
        sitting.table.start(sitting.now)
