"""A table that stands still: nobody is asked, nothing is late, no time is lost; and the votes that bring it about."""

from typing import get_args

import attrs
import pytest

from parlour_server.protocol import messages
from parlour_server.protocol.events import Discarded
from parlour_server.protocol.messages import Ask, EndMatch, Error, Left, Pause, Play, Seats, Still, Why
from parlour_server.protocol.values import Standstill, Stopped
from parlour_server.table import BrokenJournal, Row, Table
from parlour_server.table.journal import Answered, Happened, LineChanged, Offered, SeatChanged, Voted
from parlour_server.table.requests import WANTS, WANTS_PAUSE
from parlour_server.table.standstill import GONE
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import CLASSICAL, FAST, PEOPLE, Sitting, people, silent, steady, timed

CLAIMED = scripted_wall(["5p", "46p", "", "55p"])
PAUSE, GO_ON = Pause(wanted=True), Pause(wanted=False)
END, STAY = EndMatch(wanted=True), EndMatch(wanted=False)


def two(settings: object = None) -> tuple[Sitting, Client, Client, Client]:
    """Ann as East and Bob, both with clocks, and a watcher; the bots never answer."""
    sitting = Sitting(people(0, 1), timed() if settings is None else settings, walls=[CLAIMED], bots=silent)  # type: ignore[arg-type]  # settings
    ann, bob, eve = sitting.join("ann"), sitting.join("bob"), sitting.join("eve")
    sitting.start()
    return sitting, ann, bob, eve


def stopped(sitting: Sitting) -> Stopped | None:
    return sitting.table.stopped


def ended(sitting: Sitting) -> bool:
    return sitting.table.ended


# --- what stands still -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", get_args(Stopped))
def test_nothing_is_due_asked_or_answered_and_the_clock_goes_on_where_it_was(reason: Stopped) -> None:
    sitting, ann, bob, eve = two()
    sitting.wait(5)
    before = sitting.state()
    sitting.stop(reason)
    assert stopped(sitting) == reason
    assert {client.last(Still).standstill.stopped for client in (ann, bob, eve)} == {reason}
    assert sitting.table.deadline() is None
    sitting.table.tick(sitting.now)
    sitting.play(ann, "discard 5p")
    sitting.ready(bob, 1)
    assert ann.errors() == bob.errors() == ["stopped"]
    assert ann.last(Error).id == 7
    assert sitting.state() == before
    asked = [message for message in ann.heard if isinstance(message, Ask)]
    sitting.go_on(reason)
    assert stopped(sitting) is None
    assert ann.last(Still).standstill == Standstill(None, [], [], may_end=False)
    again = [message for message in ann.heard if isinstance(message, Ask)][len(asked) :]
    assert again == [attrs.evolve(asked[-1], left_ms=15_000)]
    sitting.play(ann, "discard 5p")
    assert ann.errors() == ["stopped"]


def test_a_bot_is_asked_again_when_the_table_goes_on_and_not_before() -> None:
    sitting, ann, _, _ = two()
    sitting.play(ann, "discard 5p")
    asked = list(sitting.bot_asks)
    sitting.stop("storage")
    assert isinstance(sitting.table.receive_bot(3, Play(sitting.table.version, "pass"), sitting.now), Error)
    assert sitting.bot_asks == asked
    sitting.go_on("storage")
    assert sitting.bot_asks == asked * 2
    assert sitting.table.receive_bot(3, Play(sitting.table.version, "pass"), sitting.now).type == "accepted"


def test_a_table_stands_still_until_every_reason_is_gone_and_says_the_gravest() -> None:
    sitting, ann, _, _ = two()
    seen = []
    for reason in ("agreed", "restart", "storage", "frozen"):
        sitting.stop(reason)
        seen.append(ann.last(Still).standstill.stopped)
    for reason in ("storage", "frozen", "agreed", "restart"):
        sitting.go_on(reason)  # type: ignore[arg-type]  # the reasons
        seen.append(ann.last(Still).standstill.stopped)
    assert seen == ["agreed", "restart", "storage", "frozen", "frozen", "restart", "restart", None]
    sitting.go_on("frozen")
    assert [message.standstill.stopped for message in ann.heard if isinstance(message, Still)].count(None) == 1


def test_people_come_go_and_sit_down_while_it_stands_and_are_told_at_once() -> None:
    sitting, ann, bob, _ = two(timed(presence_ms=200))
    sitting.stop("storage")
    for turn in range(30):
        fay = sitting.join("fay")
        assert ann.last(Seats).watchers == 2, f"the {turn}. time"
        assert fay.last(messages.Table).standstill.stopped == "storage"
        sitting.drop(fay)
    fay = sitting.join("fay")
    sitting.take_seat(fay, 2)
    assert fay.last(messages.Table).you == 2
    sitting.drop(bob)
    assert not ann.last(Seats).seats[1].present
    sitting.table.receive(fay.viewer, Why(3), sitting.now)
    sitting.drain()
    assert fay.last(messages.WhyNot).id == 3
    sitting.leave(fay)
    assert fay.last(Left).reason == "left"
    # The grace of a line that dropped meanwhile begins when the table goes on.
    sitting.go_on("storage")
    sitting.wait(4.9)
    assert not ann.last(Seats).seats[1].stand_in
    sitting.wait(0.2)
    assert ann.last(Seats).seats[1].stand_in


# --- a pause by agreement --------------------------------------------------------------------------------------------


def test_it_stands_still_when_all_who_are_here_want_it_and_goes_on_when_one_does() -> None:
    sitting, ann, bob, eve = two()
    sitting.want(eve, PAUSE)
    assert eve.errors() == ["not_seated"]
    sitting.want(ann, PAUSE)
    assert stopped(sitting) is None
    assert eve.last(Still).standstill == Standstill(None, [0], [], may_end=False)
    sitting.want(bob, PAUSE)
    assert stopped(sitting) == "agreed"
    assert eve.last(Still).standstill == Standstill("agreed", [0, 1], [], may_end=False)
    sitting.want(bob, GO_ON)
    assert stopped(sitting) is None
    assert eve.last(Still).standstill == Standstill(None, [], [], may_end=False)
    rows = [(row.seat, row.about, row.wanted) for row in sitting.rows if isinstance(row, Voted)]
    assert rows == [(0, "pause", True), (1, "pause", True), (1, "pause", False)]


def test_a_line_that_drops_decides_nothing_and_one_who_is_gone_is_not_asked() -> None:
    sitting, ann, bob, _ = two()
    sitting.want(ann, PAUSE)
    sitting.drop(bob)
    assert stopped(sitting) is None
    sitting.want(ann, PAUSE)
    assert stopped(sitting) == "agreed", "nobody else is here to be asked"
    bob = sitting.join("bob")
    assert stopped(sitting) == "agreed"
    sitting.want(bob, GO_ON)
    assert stopped(sitting) is None


def test_who_leaves_for_good_is_not_waited_for_and_takes_the_vote_along() -> None:
    sitting, ann, bob, eve = two()
    sitting.want(ann, PAUSE)
    sitting.leave(bob)
    assert stopped(sitting) == "agreed"
    sitting.take_seat(eve, 1)
    assert eve.last(messages.Table).standstill.pausing == [0]
    sitting.leave(ann)
    assert eve.last(Still).standstill.pausing == []
    sitting.leave(eve)
    assert stopped(sitting) is None, "bots agree to nothing"


@pytest.mark.parametrize("standing", [False, True], ids=["as it plays", "as it stands still"])
def test_nobody_changes_their_mind_for_ever(standing: bool) -> None:
    """Each vote is kept and told to everybody: a few at once, then one in a while; the others' are their own."""
    sitting, ann, bob, eve = two()
    if standing:
        sitting.stop("storage")

    def want(client: Client, message: Pause, clock: float) -> None:
        sitting.table.receive(client.viewer, message, sitting.now, clock=clock)
        sitting.drain()

    def votes() -> int:
        return sum(isinstance(row, Voted) for row in sitting.rows)

    for turn in range(200):
        want(ann, PAUSE if turn % 2 == 0 else GO_ON, 1000.0)
    # To go on, where one has not been heard to want a pause, is nothing that could be refused.
    assert ann.errors() == ["too_many"] * ((200 - WANTS) // 2)
    assert votes() == WANTS
    assert sum(isinstance(message, Still) for message in eve.heard) == WANTS + standing
    want(bob, PAUSE, 1000.0)
    assert bob.errors() == []
    assert votes() == WANTS + 1
    # However long it goes on, no more than one comes in each pause.
    for turn in range(200):
        want(ann, PAUSE if turn % 2 == 0 else GO_ON, 1000.0 + WANTS_PAUSE * turn / 20)
    assert votes() <= WANTS + 1 + 10
    # Whoever has calmed down is heard again, so that no table stands still for good.
    errors = len(ann.errors())
    want(ann, PAUSE, 2000.0)
    want(ann, GO_ON, 2000.0)
    assert len(ann.errors()) == errors


def test_to_take_back_what_one_has_not_wanted_is_not_even_kept() -> None:
    sitting, ann, bob, eve = two()
    rows = len(sitting.rows)
    for _ in range(100):
        sitting.want(ann, GO_ON)
    assert ann.errors() == []
    assert sitting.rows[rows:] == []
    assert not [message for message in eve.heard if isinstance(message, Still)]
    sitting.want(bob, PAUSE)
    sitting.want(ann, PAUSE)
    sitting.take_seat(eve, 2)
    sitting.want(eve, GO_ON)
    assert stopped(sitting) is None, "who has come since lets it go on"


def test_nobody_takes_seats_and_leaves_them_for_ever() -> None:
    sitting, _, _, eve = two()
    rows = len(sitting.rows)
    for _ in range(50):
        sitting.take_seat(eve, 2)
        sitting.leave(eve)
        eve = sitting.join("eve")
    assert eve.errors() == []
    sitting.take_seat(eve, 2)
    assert eve.errors() == ["too_many"]
    assert len(sitting.rows) - rows == 2 * WANTS
    sitting.wait(WANTS_PAUSE)
    sitting.take_seat(eve, 2)
    assert eve.last(messages.Table).you == 2


# --- the vote to end it ----------------------------------------------------------------------------------------------


def test_players_may_end_a_match_whose_people_are_gone_for_a_minute() -> None:
    sitting = Sitting(people(0, 1, 2), timed(), walls=[CLAIMED], bots=silent)
    ann, bob, cat = [sitting.join(person) for person in PEOPLE[:3]]
    sitting.start()
    sitting.want(ann, END)
    assert ann.errors() == ["stale"]
    sitting.drop(cat)
    sitting.wait(GONE - 0.1)
    sitting.want(ann, END)
    assert ann.errors() == ["stale", "stale"]
    sitting.wait(0.1)
    assert bob.last(Still).standstill.may_end
    sitting.want(ann, END)
    assert bob.last(Still).standstill.ending == [0]
    assert not ended(sitting)
    sitting.want(ann, STAY)
    assert bob.last(Still).standstill.ending == []
    sitting.want(bob, END)
    sitting.want(ann, END)
    assert ended(sitting)
    before = sitting.state()
    sitting.table.tick(sitting.now + 1000)
    sitting.play(ann, "discard 5p", version=sitting.table.version)
    assert sitting.state() == before
    assert sitting.table.deadline() is None


def test_who_was_gone_and_comes_back_ends_the_vote() -> None:
    sitting, ann, bob, _ = two()
    sitting.drop(bob)
    sitting.wait(GONE + 1)
    assert ann.last(Still).standstill.may_end
    fay = sitting.join("fay")
    sitting.take_seat(fay, 2)
    sitting.want(ann, END)
    assert ann.last(Still).standstill.ending == [0]
    sitting.join("bob")
    assert ann.last(Still).standstill == Standstill(None, [], [], may_end=False)
    assert not ended(sitting)


def test_a_bots_seat_is_never_gone() -> None:
    sitting, ann, bob, _ = two()
    sitting.leave(bob)
    sitting.wait(GONE + 1)
    sitting.want(ann, END)
    assert ann.errors() == ["stale"]


# --- after a restart -------------------------------------------------------------------------------------------------


def test_after_a_crash_it_waits_for_its_people_and_asks_them_what_it_had_asked() -> None:
    sitting, ann, _, _ = two()
    sitting.wait(5)
    sitting.play(ann, "discard 5p")
    sitting.wait(0.25)
    sitting.table.tick(sitting.now)
    before = sitting.state()
    sitting.now = max(row.at for row in sitting.rows)
    sitting.crash()
    assert stopped(sitting) == "restart"
    assert sitting.state() == before
    assert sitting.bot_asks == sitting.bot_asks[:1], "the bots are not asked meanwhile"
    bob = sitting.join("bob")
    assert not [message for message in bob.heard if isinstance(message, Ask)]
    assert stopped(sitting) == "restart"
    eve = sitting.join("eve")
    assert eve.last(messages.Table).standstill.stopped == "restart"
    sitting.join("ann")
    assert stopped(sitting) is None
    assert eve.last(Still).standstill.stopped is None
    assert bob.ask is not None
    assert bob.ask.left_ms == 8000
    assert [seat for seat, _ in sitting.bot_asks] == [3, 3]
    assert sitting.state() == before
    sitting.play(bob, "chow 456p")
    assert bob.errors() == []


def test_who_does_not_come_back_in_time_is_away_from_then_on() -> None:
    sitting, _, _, _ = two()
    sitting.crash()
    ann = sitting.join("ann")
    rows = len(sitting.rows)
    sitting.go_on("restart")
    assert sitting.rows[rows:] == [LineChanged(sitting.now, 1, up=False)]
    sitting.wait(4.9)
    assert not ann.last(Seats).seats[1].stand_in
    sitting.wait(0.1)
    assert ann.last(Seats).seats[1].stand_in


def test_a_table_of_bots_and_of_people_who_were_gone_goes_on_at_once() -> None:
    sitting = Sitting(people(0), timed(), walls=[CLAIMED], bots=silent)
    sitting.start()
    sitting.wait(6)
    asked = [seat for seat, _ in sitting.bot_asks]
    assert asked == [0]
    sitting.crash()
    assert stopped(sitting) is None
    assert [seat for seat, _ in sitting.bot_asks] == [0, 0], "the stand-in is asked anew"


def test_an_agreed_pause_outlives_a_crash() -> None:
    sitting, ann, bob, _ = two()
    sitting.want(ann, PAUSE)
    sitting.want(bob, PAUSE)
    sitting.crash()
    ann, bob = sitting.join("ann"), sitting.join("bob")
    assert stopped(sitting) == "agreed"
    sitting.want(ann, GO_ON)
    assert stopped(sitting) is None
    assert ann.ask is not None


def test_whose_grace_ran_at_the_crash_is_waited_for_too() -> None:
    sitting, _, bob, _ = two()
    sitting.drop(bob)
    sitting.crash()
    ann = sitting.join("ann")
    assert stopped(sitting) == "restart"
    sitting.join("bob")
    assert stopped(sitting) is None
    assert ann.last(Seats).seats[1].present


def test_a_torn_last_turn_is_told_to_its_end() -> None:
    """Rows of one turn are written together; were they not, the change they began would still be made whole."""
    sitting, ann, _, _ = two()
    rows = len(sitting.rows)
    sitting.play(ann, "discard 5p")
    told = sitting.rows[rows:]
    assert [type(row) for row in told] == [Answered, Happened, Offered, Offered]
    whole = sitting.state()
    for cut in range(1, len(told)):
        sitting.table = Table.restore("t", *sitting.made_of, sitting.rows[: rows + cut], sitting.now)
        assert sitting.table.to_record() == told[cut:]
        assert sitting.state() == whole


@pytest.mark.parametrize("what", ["another tile", "another time", "nobody asked", "illegal", "a row twice", "closed"])
def test_rows_that_no_table_has_told_are_refused_by_number(what: str) -> None:
    sitting, ann, _, _ = two()
    sitting.play(ann, "discard 5p")
    sitting.wait(9)
    rows = list(sitting.rows)
    at = next(number for number, row in enumerate(rows) if isinstance(row, Answered))
    answered, happened = rows[at], rows[at + 1]
    wrong: Row
    assert isinstance(answered, Answered)
    assert isinstance(happened, Happened)
    match what:
        case "another tile":
            rows[at + 1] = wrong = attrs.evolve(happened, event=Discarded(0, "6p", drawn=False))
            at += 1
        case "another time":
            rows[at + 1] = wrong = attrs.evolve(happened, at=happened.at + 1)
            at += 1
        case "nobody asked":
            rows[at] = wrong = attrs.evolve(answered, seat=2)
        case "illegal":
            rows[at] = wrong = attrs.evolve(answered, move="discard 9z")
        case "a row twice":
            rows.insert(at, wrong := answered)
            at += 1
        case _:
            rows.insert(at, wrong := SeatChanged(100.0, 1, 7, None, "x", "steady", stand_in=False))
    with pytest.raises(BrokenJournal) as caught:
        Table.restore("t", *sitting.made_of, rows, sitting.now)
    assert caught.value.at == at
    assert caught.value.row == wrong
    assert str(caught.value).startswith(f"row {at} ({wrong.row}): ")


def test_another_ruleset_does_not_continue_a_journal() -> None:
    sitting, _, _, _ = two()
    _, settings, occupants, deals = sitting.made_of
    with pytest.raises(BrokenJournal):
        Table.restore("t", CLASSICAL, settings, occupants, deals, sitting.rows, sitting.now)


def test_a_match_that_is_over_is_given_back_and_does_not_wait() -> None:
    sitting = Sitting(people(0), FAST, seed=3, bots=steady)
    ann = sitting.join("ann")
    sitting.start()
    deal = 1
    while not sitting.table.over and deal < 60:
        if ann.ask is not None:
            sitting.play(ann, steady(sitting.table, 0, ann.ask))
        else:
            sitting.ready(ann, deal)
            deal += 1
    assert sitting.table.over
    shown = ann.table
    sitting.crash()
    assert sitting.table.over
    assert stopped(sitting) is None
    assert sitting.join("ann").table == shown
