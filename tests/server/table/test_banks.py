"""The bank of a seat: used when the time of a question is over, never by a line that is down, its owner's to see."""

import attrs
import pytest

from parlour_server.heartbeat import EVERY, PRESSED_PATIENCE, PRESSED_QUIET
from parlour_server.protocol import messages
from parlour_server.protocol.messages import Ask, Seats
from parlour_server.table import Settings
from parlour_server.table.clocks import UNNOTICED_MS
from parlour_server.table.journal import Answered
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import Sitting, people, silent, timed

CLAIMED = scripted_wall(["5p", "46p", "", "55p"])
BANK = timed(bank_ms=10_000)
"""20 s for a discard, 8 s for a claim, then 10 s of the bank; a dropped line has 5 s."""


def sat_down(settings: Settings = BANK, *seats: int) -> tuple[Sitting, Client]:
    sitting = Sitting(people(*(seats or (0,))), settings, walls=[CLAIMED], bots=silent)
    ann = sitting.join("ann")
    return sitting.start(), ann


def answers(sitting: Sitting, seat: int = 0) -> list[tuple[str, float]]:
    """Who decided for the seat, and how many seconds after the start."""
    return [(row.by, round(row.at - 100, 3)) for row in sitting.rows if isinstance(row, Answered) and row.seat == seat]


def bank(sitting: Sitting, seat: int = 0) -> int | None:
    return sitting.table._chairs[seat].bank_left_ms()


def test_the_clock_answers_when_time_and_bank_are_used_up() -> None:
    sitting, ann = sat_down()
    assert ann.ask is not None
    assert (ann.ask.left_ms, ann.ask.total_ms, ann.ask.bank_ms) == (20_000, 20_000, 10_000)
    assert ann.table["settings"]["bank_ms"] == ann.table["bank_ms"] == 10_000
    sitting.wait(29.9)
    assert answers(sitting) == []
    sitting.wait(0.1)
    assert answers(sitting) == [("clock", 30.0)]
    assert bank(sitting) == 0


@pytest.mark.parametrize(("after", "left"), [(1.0, 10_000), (20.0, 10_000), (23.5, 6_500), (29.999, 1)])
def test_an_answer_costs_what_it_took_beyond_its_time_once(after: float, left: int) -> None:
    # T01: answered, the clock does nothing more to the bank.
    sitting, ann = sat_down()
    sitting.wait(after)
    sitting.play(ann, "discard 5p")
    assert answers(sitting) == [("person", after)]
    sitting.wait(60)
    assert bank(sitting) == left
    assert answers(sitting) == [("person", after)]


def test_an_ask_that_is_sent_again_says_what_is_left_of_both() -> None:
    sitting, ann = sat_down()
    sitting.wait(5)
    again = sitting.join("ann", client=ann)
    assert again.ask is not None
    assert (again.ask.left_ms, again.ask.bank_ms) == (15_000, 10_000)
    sitting.wait(18)
    again = sitting.join("ann", client=again)
    assert again.ask is not None
    assert (again.ask.left_ms, again.ask.bank_ms) == (0, 7_000)


@pytest.mark.parametrize("at", [3.0, 16.0, 19.5, 20.0, 24.0])
@pytest.mark.parametrize("gone", [0.5, 4.9])
def test_a_drop_never_burns_the_bank(at: float, gone: float) -> None:
    # Whenever it drops and comes back within its grace: only the seconds with a line beyond the 20 are taken.
    sitting, ann = sat_down()
    sitting.wait(at)
    sitting.drop(ann)
    sitting.wait(gone)
    assert answers(sitting) == []
    back = sitting.join("ann")
    before = max(0.0, at - 20)
    assert back.ask is not None
    assert back.ask.bank_ms == round((10 - before) * 1000)
    sitting.wait(25 - at)
    sitting.play(back, "discard 5p")
    after = max(0.0, 25 + gone - max(20.0, at + gone))
    assert answers(sitting) == [("person", 25 + gone)]
    assert bank(sitting) == round((10 - before - after) * 1000)


@pytest.mark.parametrize("at", [3.0, 19.5, 24.0])
def test_who_stays_away_is_stood_in_for_when_the_grace_is_over(at: float) -> None:
    # T07: the table moves on within its deadline; the bot has its time even where the seat's own is over.
    sitting, ann = sat_down(BANK, 0, 1)
    bob = sitting.join("bob")
    left = 10_000 - round(max(0.0, at - 20) * 1000)
    sitting.wait(at)
    sitting.drop(ann)
    sitting.bots = lambda table, seat, ask: "discard 5p" if seat == 0 else None
    sitting.wait(4.999)
    assert answers(sitting) == []
    sitting.wait(0.002)
    assert bob.last(Seats).seats[0].stand_in
    assert answers(sitting) == [("bot", at + 5)]
    assert bank(sitting) == left


def test_dropping_again_and_again_wins_no_time() -> None:
    # Five seconds without a line after its time is over, and not one more.
    sitting, ann = sat_down()
    sitting.wait(20)
    for _ in range(50):
        if answers(sitting):
            break
        sitting.drop(ann)
        sitting.wait(0.4)
        ann = sitting.join("ann")
    assert answers(sitting) == [("clock", 25.0)]
    assert bank(sitting) == 10_000


def test_what_a_stand_in_plays_costs_its_owner_nothing() -> None:
    sitting, ann = sat_down(timed(bank_ms=10_000, bot_ms=60_000))
    sitting.drop(ann)
    sitting.wait(19)
    back = sitting.join("ann")
    assert back.ask is not None
    assert (back.ask.left_ms, back.ask.bank_ms) == (1_000, 10_000)
    sitting.wait(3)
    sitting.play(back, "discard 5p")
    assert bank(sitting) == 8_000


def test_a_claim_uses_the_bank_too_but_not_in_a_padded_window() -> None:
    # The length of a padded window must not depend on what somebody holds.
    for padded in (False, True):
        sitting = Sitting(people(0, 1), attrs.evolve(BANK, pad_windows=padded), walls=[CLAIMED], bots=silent)
        ann, bob = sitting.join("ann"), sitting.join("bob")
        sitting.start()
        sitting.play(ann, "discard 5p")
        assert bob.ask is not None
        assert bob.ask.bank_ms == (None if padded else 10_000)
        sitting.wait(19)
        claims = [at for by, at in answers(sitting, 1)][:1]
        assert claims == ([8.0] if padded else [18.0])
        assert bank(sitting, 1) == (10_000 if padded else 0)


def test_a_bank_is_its_owners_alone_to_see() -> None:
    sitting, ann = sat_down(BANK, 0, 1)
    bob, eve = sitting.join("bob"), sitting.join("eve")
    assert (bob.table["bank_ms"], eve.table["bank_ms"]) == (10_000, None)
    heard = len(bob.heard), len(eve.heard)
    sitting.wait(27)
    assert [len(bob.heard), len(eve.heard)] == list(heard), "nothing tells that ann uses hers"
    sitting.play(ann, "discard 5p")
    fay = sitting.join("fay")
    assert fay.last(messages.Table).bank_ms is None
    assert not [message for message in eve.heard if isinstance(message, Ask)]


def test_a_bank_outlives_the_deal_and_the_crash() -> None:
    sitting, ann = sat_down()
    sitting.wait(24)
    sitting.play(ann, "discard 5p")
    sitting.crash()
    assert sitting.join("ann").table["bank_ms"] == 6_000


def test_without_clocks_there_is_no_bank() -> None:
    _, ann = sat_down(Settings.of("off"))
    assert ann.table["settings"]["bank_ms"] is None
    assert ann.table["bank_ms"] is None
    assert ann.ask is not None
    assert ann.ask.bank_ms is None


@pytest.mark.parametrize("silent_from", [3.0, 19.0, 20.0, 22.0])
@pytest.mark.parametrize("noticed", [24.0, 29.0])
@pytest.mark.parametrize("crashes", [False, True])
def test_a_silent_line_burns_the_bank_only_up_to_its_last_sign_of_life(
    silent_from: float, noticed: float, crashes: bool
) -> None:
    sitting, ann = sat_down()
    sitting.wait(noticed)
    sitting.drop(ann, silent=noticed - silent_from)
    left = 10_000 - round(max(0.0, silent_from - 20) * 1000)
    assert bank(sitting) == left
    if crashes:
        sitting.crash()
        sitting.go_on("restart")
        assert bank(sitting) == left
    sitting.wait(4.9)
    assert answers(sitting) == [], "a dropped line is waited for as ever"
    back = sitting.join("ann")
    assert back.ask is not None
    # The time that costs nothing has passed, whoever was there.
    assert (back.ask.left_ms, back.ask.bank_ms) == (0, left)
    sitting.wait(1.5)
    sitting.play(back, "discard 5p")
    assert bank(sitting) == left - 1_500


@pytest.mark.parametrize("crashes", [False, True])
@pytest.mark.parametrize("comes", [False, True])
def test_what_the_clock_has_answered_stays_and_the_bank_comes_back(comes: bool, crashes: bool) -> None:
    # Silent from second 22 on: 2 s of the bank are its owner's own, the 8 s after them were charged for nobody.
    sitting, ann = sat_down()
    sitting.wait(31)
    assert answers(sitting) == [("clock", 30.0)]
    assert bank(sitting) == 0
    if comes:
        sitting.join("ann", silent=9.0)
    else:
        sitting.drop(ann, silent=9.0)
    assert answers(sitting) == [("clock", 30.0)]
    assert bank(sitting) == 8_000
    if crashes:
        sitting.crash()
        assert bank(sitting) == 8_000
    assert not sitting.table._chairs[0].stand_in


def test_nobody_is_late_for_having_been_silent() -> None:
    sitting, _ = sat_down()
    chair = sitting.table._chairs[0]
    chair.late = 1
    sitting.wait(31)
    assert chair.late == 2
    sitting.join("ann", silent=9.0)
    assert chair.late == 0


@pytest.mark.parametrize("at", [3.0, 20.0, 26.0])
def test_a_new_line_gives_back_what_a_silent_one_was_charged_and_a_live_one_nothing(at: float) -> None:
    sitting, ann = sat_down()
    sitting.wait(at)
    charged = round(max(0.0, at - 20) * 1000)
    back = sitting.join("ann", client=ann)
    assert bank(sitting) == 10_000
    assert back.ask is not None
    assert back.ask.bank_ms == 10_000 - charged
    back = sitting.join("ann", client=back, silent=4.0)
    assert back.ask is not None
    assert back.ask.bank_ms == 10_000 - max(0, charged - 4_000)
    # Once only.
    back = sitting.join("ann", client=back, silent=4.0)
    assert back.ask is not None
    assert back.ask.bank_ms == 10_000 - max(0, charged - 4_000)


def test_who_keeps_silent_again_and_again_wins_no_more_than_it_takes_to_notice() -> None:
    # 20 s of its own, 60 s of the bank, 16 s that are given back: then the clock answers, however many lines came.
    sitting, _ = sat_down(timed(bank_ms=60_000))
    sitting.wait(20)
    for _ in range(40):
        sitting.wait(7.5)
        if answers(sitting):
            break
        sitting.join("ann", silent=7.5)
    assert answers(sitting) == [("clock", 96.0)]
    assert UNNOTICED_MS == 16_000
    assert UNNOTICED_MS >= 1000 * EVERY * (PRESSED_QUIET + PRESSED_PATIENCE)


def test_a_bank_is_never_more_than_it_was() -> None:
    sitting, ann = sat_down()
    sitting.wait(25)
    sitting.drop(ann, silent=1000.0)
    assert bank(sitting) == 10_000


def test_that_a_bank_comes_back_nobody_else_is_told() -> None:
    # The same people, once silent with a clock that ran and once alive, in a window that only bob is asked in.
    told = []
    for silent_for in (None, 6.0):
        sitting = Sitting(people(0, 1, 2), BANK, walls=[CLAIMED], bots=silent)
        ann, bob, cat = sitting.join("ann"), sitting.join("bob"), sitting.join("cat")
        eve = sitting.join("eve")
        sitting.start()
        sitting.play(ann, "discard 5p")
        sitting.wait(14)
        bob = sitting.join("bob", client=bob, silent=silent_for)
        sitting.wait(2)
        sitting.drop(bob, silent=silent_for and 2.0)
        sitting.wait(1)
        told.append([client.heard for client in (ann, cat, eve)])
        assert bank(sitting, 1) == (2_000 if silent_for is None else 10_000)
    assert told[0] == told[1]
