"""A table that waits for its people: they sit down, and who has made it begins the match."""

import attrs

from parlour_server.protocol import messages
from parlour_server.protocol.messages import (
    AskHistory,
    EndMatch,
    Error,
    Pause,
    Play,
    Ready,
    Seats,
    Start,
    TakeSeat,
    Why,
)
from parlour_server.table import Bot, Occupant, Person, Settings
from parlour_server.table.journal import MatchBegun, SeatChanged, Waiting
from tests.server.table.sitting import FAST, Sitting, silent

TOGETHER = attrs.evolve(FAST, start="together", grace_ms=1000)


def gathered(settings: Settings = TOGETHER) -> Sitting:
    """Ann has made the table and sits as East; nobody has begun."""
    occupants: list[Occupant] = [Person("ann", "Ann"), Bot("random", "Bot"), Bot("random", "Bot"), Bot("random", "Bot")]
    return Sitting(occupants, settings, bots=silent, owner="ann")


def waits(sitting: Sitting) -> bool:
    return sitting.table.waiting


def test_nothing_begins_before_the_owner_says_so() -> None:
    sitting = gathered()
    ann, bob = sitting.join("ann"), sitting.join("bob")
    assert waits(sitting)
    assert (ann.table["owner"], bob.table["owner"]) == (True, False)
    assert ann.last(messages.Table).deal is None
    sitting.take_seat(bob, 2)
    assert ann.last(Seats).seats[2].name == "Bob"
    sitting.wait(1000)
    assert ann.version == 0
    assert sitting.table.deadline() is None
    sitting.want(bob, Start())
    assert bob.errors() == ["not_yours"]
    sitting.want(ann, Start())
    assert ann.errors() == []
    assert ann.table["deal"]["deal"] == bob.table["deal"]["deal"] == 1
    assert not waits(sitting)
    sitting.want(ann, Start())
    assert ann.errors() == ["stale"]


def test_before_the_match_there_is_nothing_to_play_pause_or_look_at() -> None:
    sitting = gathered()
    ann = sitting.join("ann")
    for message in (Play(0, "pass"), Ready(0), Pause(wanted=True), EndMatch(wanted=True), AskHistory()):
        sitting.want(ann, message)
    assert ann.errors() == ["not_your_turn", "stale", "stale", "stale", "stale"]
    sitting.want(ann, Why(2))
    assert ann.last(messages.WhyNot).reason == "over"


def test_who_has_no_line_when_it_begins_is_away_from_then_on_and_not_before() -> None:
    sitting = gathered()
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.take_seat(bob, 1)
    sitting.drop(bob)
    sitting.wait(100)
    assert not ann.last(Seats).seats[1].stand_in
    sitting.want(ann, Start())
    begun = next(row for row in sitting.rows if isinstance(row, MatchBegun))
    assert begun.absent == [1]
    assert [(one.name, one.level) for one in begun.seats][:2] == [("Ann", None), ("Bob", None)]
    sitting.wait(1.0)
    assert ann.last(Seats).seats[1].stand_in


def test_one_may_change_seats_while_no_hand_is_dealt() -> None:
    sitting = gathered()
    sitting.join("ann")
    bob = sitting.join("bob")
    for seat in (1, 2, 3, 1):
        sitting.take_seat(bob, seat)
        assert sitting.table.seat_of("bob") == seat
        sitting.leave(bob)
        bob = sitting.join("bob")
    assert bob.errors() == []


def test_who_missed_the_answer_to_taking_a_seat_is_told_the_whole_table() -> None:
    """Events alone would show its hand to somebody who does not know that it is its own."""
    sitting = gathered()
    ann, bob = sitting.join("ann"), sitting.join("bob")
    watching = bob.table["version"]
    sitting.want(bob, TakeSeat(1))
    sitting.drop(bob)
    sitting.want(ann, Start())

    back = sitting.join("bob", seen=watching)

    assert back.last(messages.Table).you == 1


def test_an_owner_who_watches_may_begin_too() -> None:
    sitting = gathered()
    ann = sitting.join("ann")
    sitting.leave(ann)
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.take_seat(bob, 0)
    sitting.want(ann, Start())
    assert sitting.table.version > 0
    assert ann.errors() == []


def test_the_journal_gives_back_who_had_gathered() -> None:
    sitting = gathered()
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.take_seat(bob, 2)
    sitting.table.rename("bob", "Bobby")
    sitting.leave(ann)
    cat = sitting.join("cat")
    sitting.take_seat(cat, 0)
    sitting.drain()
    rows = [(row.seat, row.person, row.name) for row in sitting.rows if isinstance(row, Waiting)]
    assert rows == [(2, "bob", "Bob"), (2, "bob", "Bobby"), (0, None, "Steady"), (0, "cat", "Cat")]
    assert not any(isinstance(row, SeatChanged) for row in sitting.rows)
    sitting.crash()
    assert sitting.table.waiting
    assert sitting.table.stopped is None
    ann, bob, cat = sitting.join("ann"), sitting.join("bob"), sitting.join("cat")
    assert (ann.table["you"], bob.table["you"], cat.table["you"]) == (None, 2, 0)
    assert ann.table["owner"]
    sitting.want(ann, Start())
    # Bob has come back under his old name.
    assert [row.row for row in sitting.rows[4:7]] == ["waiting", "match", "event"]
    version = sitting.table.version
    sitting.crash()
    assert sitting.table.version == version


def test_a_table_that_stands_still_does_not_begin() -> None:
    sitting = gathered()
    ann = sitting.join("ann")
    sitting.stop("storage")
    sitting.want(ann, Start())
    assert ann.errors() == ["stopped"]
    assert sitting.table.version == 0


def test_where_nobody_may_watch_the_others_have_to_go_when_it_begins() -> None:
    sitting = gathered(attrs.evolve(TOGETHER, watching="never"))
    ann, bob, eve = sitting.join("ann"), sitting.join("bob"), sitting.join("eve")
    sitting.take_seat(bob, 1)
    sitting.want(ann, Start())
    assert [message.type for message in eve.heard[-2:]] == ["error", "left"]
    assert eve.last(messages.Left).reason == "removed"
    assert not sitting.table.here(eve.viewer)
    assert not [message for message in eve.heard if isinstance(message, messages.Events)]
    assert sitting.table.here(bob.viewer)


def test_a_seat_that_was_taken_is_taken() -> None:
    sitting = gathered()
    ann, bob, cat = sitting.join("ann"), sitting.join("bob"), sitting.join("cat")
    sitting.take_seat(bob, 1)
    sitting.want(cat, TakeSeat(1))
    sitting.want(ann, TakeSeat(2))
    assert (cat.errors(), ann.errors()) == (["seat_taken"], ["seat_taken"])
    assert cat.last(Error).code == "seat_taken"
