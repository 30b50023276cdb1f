"""Claim and robbing windows: open after every discard, closed by time and answers, telling nothing."""

from itertools import permutations, product

import attrs
import pytest

from parlour_server.protocol import events
from parlour_server.protocol.messages import Accepted, Ask, Events, Play
from parlour_server.table import Settings
from parlour_server.table.journal import Answered, Happened
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, PEOPLE, Sitting, cautious, people, silent, timed

CLAIMED = scripted_wall(["5p", "46p", "", "55p"])
"""P0 discards 5p; P1 can make a chow of it, P3 a pong."""
BANKED = timed(bank_ms=10_000)
NOBODY = scripted_wall(["5p19m", "", "", ""])


def four(settings: Settings, wall: list[int]) -> tuple[Sitting, list[Client]]:
    """Four people at a table that has just dealt."""
    sitting = Sitting(people(0, 1, 2, 3), settings, walls=[wall])
    clients = [sitting.join(person) for person in PEOPLE]
    return sitting.start(), clients


def awaited(sitting: Sitting, clients: list[Client]) -> list[bool]:
    """By seat whether everybody sees that the table waits for its line."""
    return [sitting.table.awaits(client.viewer, sitting.now) for client in clients]


def drawn(client: Client) -> str:
    """The tile that this client has just drawn."""
    assert client.fold is not None
    return str(client.fold.seat(PEOPLE.index(client.person))["drawn"])


def names(client: Client) -> list[str]:
    return [event.e for event in client.events()]


def test_only_those_who_can_claim_are_asked_with_every_move_and_the_version_of_the_discard() -> None:
    sitting, (p0, p1, p2, p3) = four(timed(), CLAIMED)
    sitting.play(p0, "discard 5p")
    assert p1.ask == Ask(p1.version, "claim", ["chow 456p", "pass"], 8000, 8000)
    assert p3.ask == Ask(p1.version, "claim", ["pong 5p", "pass"], 8000, 8000)
    assert p0.ask is None
    assert p2.ask is None
    assert p1.events()[-1] == events.Discarded(0, "5p", drawn=False)


@pytest.mark.parametrize("order", list(permutations((1, 3))))
@pytest.mark.parametrize(("low", "high"), list(product(("chow 456p", "pass"), ("pong 5p", "pass"))))
def test_a_claim_is_resolved_by_rank_in_every_order_of_answers(order: tuple[int, ...], low: str, high: str) -> None:
    sitting, clients = four(timed(), CLAIMED)
    sitting.play(clients[0], "discard 5p")
    for seat in order:
        assert names(clients[2])[-1] == "discard", "nothing happens before the window closes"
        sitting.play(clients[seat], low if seat == 1 else high)
    sitting.wait(0.6)
    event = clients[2].events()[-1]
    if high == "pong 5p":
        assert isinstance(event, events.Melded)
        assert (event.seat, event.meld.form, event.meld.source) == (3, "pong", 0)
    elif low == "chow 456p":
        assert isinstance(event, events.Melded)
        assert (event.seat, event.meld.form, event.meld.claimed) == (1, "chow", "5p")
    else:
        assert isinstance(event, events.Drew)
        assert event.seat == 1


@pytest.mark.parametrize("run", range(20))
def test_a_bots_chow_waits_for_a_person_who_answers_at_the_last_moment(run: int) -> None:
    # R02: the bot answers at once, the person 50 ms before the end of the time.
    sitting = Sitting(people(0, 3), timed(), walls=[CLAIMED], bots=lambda _, __, ask: ask.moves[0])
    p0, p3 = sitting.join("ann"), sitting.join("dan")
    sitting.start()
    sitting.wait(run * 0.01)
    sitting.play(p0, "discard 5p")
    sitting.wait(7.95)
    sitting.play(p3, "pong 5p")
    melds = [event for event in p0.events() if isinstance(event, events.Melded)]
    assert [(meld.seat, meld.meld.form) for meld in melds] == [(3, "pong")]


def test_a_window_never_closes_before_its_floor() -> None:
    for wall in (CLAIMED, NOBODY):
        sitting, clients = four(timed(), wall)
        sitting.play(clients[0], "discard 5p")
        for client in clients[1:]:
            if client.ask is not None:
                sitting.play(client, "pass")
        sitting.wait(0.599)
        assert names(clients[2])[-1] == "discard"
        sitting.wait(0.002)
        assert names(clients[2])[-1] == "draw"


def test_a_window_closes_when_the_last_who_was_asked_has_answered_after_the_floor() -> None:
    sitting, clients = four(timed(), CLAIMED)
    sitting.play(clients[0], "discard 5p")
    sitting.wait(3)
    sitting.play(clients[1], "pass")
    assert names(clients[2])[-1] == "discard"
    sitting.play(clients[3], "pass")
    assert names(clients[2])[-1] == "draw"


def test_missing_answers_are_passes_when_the_time_is_over() -> None:
    sitting, clients = four(timed(), CLAIMED)
    sitting.play(clients[0], "discard 5p")
    sitting.play(clients[1], "chow 456p")
    sitting.wait(7.999)
    assert names(clients[2])[-1] == "discard"
    sitting.wait(0.002)
    assert names(clients[2])[-1] == "meld"
    late = [row for row in sitting.rows if isinstance(row, Answered) and row.by == "clock"]
    assert [(row.seat, row.move) for row in late] == [(3, "pass")]


def test_a_padded_window_lasts_its_full_time_whoever_answers() -> None:
    for wall in (CLAIMED, NOBODY):
        sitting, clients = four(timed(pad_windows=True), wall)
        sitting.play(clients[0], "discard 5p")
        for client in clients[1:]:
            if client.ask is not None:
                sitting.play(client, "pass")
        sitting.wait(7.999)
        assert names(clients[2])[-1] == "discard"
        sitting.wait(0.002)
        assert names(clients[2])[-1] == "draw"


def test_a_floor_that_is_longer_than_the_clock_still_holds() -> None:
    for pad in (True, False):
        sitting, clients = four(timed(floor_ms=9000, pad_windows=pad), CLAIMED)
        sitting.play(clients[0], "discard 5p")
        sitting.wait(8.5)
        sitting.play(clients[1], "chow 456p", version=sitting.table.version)
        assert clients[1].errors() == ["too_late"]
        assert names(clients[2])[-1] == "discard"
        sitting.wait(0.6)
        assert names(clients[2])[-1] == "draw"


def test_without_a_floor_a_window_in_which_nobody_can_claim_closes_at_once() -> None:
    sitting, clients = four(FAST, NOBODY)
    sitting.play(clients[0], "discard 5p")
    assert names(clients[0])[-2:] == ["discard", "draw"]


# --- what a window tells (L04, L08) ----------------------------------------------------------------------------------


def gaps(sitting: Sitting, seen_by: int) -> list[float]:
    """How long each discard lay before the next event, as told to everybody alike."""
    at = {row.version: row.at for row in sitting.rows if isinstance(row, Happened)}
    discards = [row for row in sitting.rows if isinstance(row, Happened) and row.event.e == "discard"]
    return [round(at[row.version + 1] - row.at, 6) for row in discards if row.version + 1 in at]


def test_the_time_a_discard_lies_does_not_tell_whether_somebody_could_claim() -> None:
    # All answers come before the floor, as bots' do: every gap is the floor, to the microsecond.
    sitting = Sitting(people(), timed(), seed=3, bots=cautious)
    sitting.start()
    sitting.wait(120)
    claims = [ask for _, ask in sitting.bot_asks if ask.kind == "claim"]
    found = gaps(sitting, 0)
    assert len(found) > 100
    assert claims, "nobody could claim: the test shows nothing"
    assert set(found) == {0.6}


def test_a_padded_window_hides_even_a_slow_answer() -> None:
    found = []
    for delay in (0.0, 5.0):
        sitting, clients = four(timed(pad_windows=True), CLAIMED)
        sitting.play(clients[0], "discard 5p")
        sitting.wait(delay)
        for client in (clients[1], clients[3]):
            sitting.play(client, "pass")
        sitting.wait(10)
        found += gaps(sitting, 2)[:1]
    assert found == [8.0, 8.0]


def test_the_streams_of_others_are_the_same_whatever_is_answered_until_it_shows() -> None:
    streams = set()
    for answers in (("pass", "pass"), ("chow 456p", "pass"), ("chow 456p", "pong 5p"), (None, None), ("x", "win")):
        sitting, clients = four(timed(), CLAIMED)
        sitting.play(clients[0], "discard 5p")
        for seat, answer in zip((1, 3), answers, strict=True):
            if answer is not None:
                sitting.play(clients[seat], answer)
        sitting.wait(0.5)
        streams.add((bytes(clients[0].octets), bytes(clients[2].octets)))
    assert len(streams) == 1


def test_somebody_who_was_not_asked_learns_nothing_from_its_own_error() -> None:
    codes = []
    for wall in (CLAIMED, NOBODY):
        sitting, clients = four(timed(), wall)
        sitting.play(clients[0], "discard 5p")
        before = sitting.state()
        sitting.play(clients[2], "pass", version=sitting.table.version)
        assert sitting.state() == before
        codes.append(clients[2].errors())
    assert codes == [["not_your_turn"], ["not_your_turn"]]


# --- answers that do not count ---------------------------------------------------------------------------------------


def test_an_answer_is_accepted_once_and_a_change_of_mind_is_stale() -> None:
    sitting, clients = four(timed(), CLAIMED)
    sitting.play(clients[0], "discard 5p")
    version = sitting.table.version
    sitting.play(clients[1], "pass", about=41)
    assert clients[1].last(Accepted) == Accepted(41, version)
    before = sitting.state()
    sitting.play(clients[1], "chow 456p", version=version, about=42)
    assert sitting.state() == before
    assert clients[1].errors() == ["stale"]
    sitting.wait(8)
    assert names(clients[2])[-1] == "draw"


def test_a_false_win_is_refused_and_the_other_claims_still_count() -> None:
    # T08, in each seat of the window.
    for liar in (1, 2, 3):
        sitting, clients = four(timed(), CLAIMED)
        sitting.play(clients[0], "discard 5p")
        before = sitting.state()
        sitting.play(clients[liar], "win", version=sitting.table.version)
        assert sitting.state() == before
        assert clients[liar].errors() == ["not_your_turn" if liar == 2 else "illegal_move"]
        sitting.play(clients[1], "chow 456p")
        sitting.play(clients[3], "pass")
        sitting.wait(0.6)
        assert names(clients[0])[-1] == "meld"


@pytest.mark.parametrize("early", [0.001, 0.0, -0.001])
def test_an_answer_around_the_end_of_the_time_has_one_outcome(early: float) -> None:
    # T06: before the end it counts, from the end on it is too late.
    sitting, clients = four(timed(), CLAIMED)
    sitting.play(clients[0], "discard 5p")
    version = sitting.table.version
    sitting.play(clients[3], "pass")
    sitting.now += 8 - early
    sitting.play(clients[1], "chow 456p", version=version)
    if early > 0:
        assert clients[1].errors() == []
        assert names(clients[2])[-1] == "meld"
    else:
        assert clients[1].errors() == ["too_late"]
        assert names(clients[2])[-1] == "draw"
    answered = [row for row in sitting.rows if isinstance(row, Answered) and row.version == version]
    assert sorted(row.seat for row in answered) == [1, 3]


# --- robbing (K01) ---------------------------------------------------------------------------------------------------

ROBBED = scripted_wall(
    ["2m1z", "", "22m", "13m456p789m222s55s777z"],
    # P0 throws 2m, P2 takes it; P3 draws; ... P2 draws the fourth 2m.
    draws="9s 9p 8p 2m".replace(" ", ""),
)


def test_a_robbing_window_asks_only_who_can_win_and_offers_only_win_and_pass() -> None:
    sitting, (p0, p1, p2, p3) = four(timed(), ROBBED)
    sitting.play(p0, "discard 2m")
    sitting.play(p2, "pong 2m")
    sitting.play(p3, "pass")
    sitting.wait(0.6)
    sitting.play(p2, p2.ask.moves[-1] if p2.ask else "")
    while p2.ask is None or "promoted_gong 2m" not in p2.ask.moves:
        for client in (p0, p1, p2, p3):
            if client.ask is not None and client.ask.kind == "claim":
                sitting.play(client, "pass")
            elif client.ask is not None:
                sitting.play(client, f"discard {drawn(client)}")
        sitting.wait(0.6)
    sitting.play(p2, "promoted_gong 2m")
    assert p3.ask == Ask(sitting.table.version, "rob", ["win", "pass"], 8000, 8000)
    assert [p0.ask, p1.ask, p2.ask] == [None, None, None]
    before = sitting.state()
    sitting.play(p3, "discard 1m", version=sitting.table.version)
    sitting.play(p2, "discard 1z", version=sitting.table.version)
    assert sitting.state() == before
    assert p3.errors() == ["illegal_move"]
    sitting.play(p3, "win")
    assert names(p1)[-1] == "promoted", "the floor holds for robbing too"
    sitting.wait(0.6)
    won = [event for event in p1.events() if isinstance(event, events.Won)]
    assert [(event.seat, event.by, event.tile, event.source) for event in won] == [(3, "robbed_gong", "2m", 2)]


def test_a_bot_that_does_not_answer_passes_in_time() -> None:
    sitting = Sitting(people(0), FAST, walls=[CLAIMED], bots=silent)
    p0 = sitting.join("ann")
    sitting.start()
    sitting.play(p0, "discard 5p")
    assert names(p0)[-1] == "discard"
    sitting.wait(10)
    assert names(p0)[-1] == "draw"


def test_events_of_one_step_come_in_one_message_that_all_watchers_share() -> None:
    sitting = Sitting(people(0), FAST, walls=[NOBODY], bots=silent)
    ann = sitting.join("ann")
    first, second = sitting.join("eve"), sitting.join("fay")
    sitting.start()
    before = len(first.heard)
    assert ann.ask is not None
    sitting.table.receive(ann.viewer, Play(ann.ask.version, "discard 5p"), sitting.now)
    deliveries = sitting.table.to_send()
    shared = [d for d in deliveries if first.viewer in getattr(d, "viewers", ())]
    assert all(second.viewer in getattr(d, "viewers", ()) for d in shared)
    assert [type(getattr(d, "message", None)) for d in shared] == [Events, Events]
    assert len(first.heard) == before


def test_on_a_turn_everybody_sees_who_is_waited_for() -> None:
    sitting, clients = four(timed(), CLAIMED)
    eve = sitting.join("eve")
    assert awaited(sitting, [*clients, eve]) == [True, False, False, False, False]
    sitting.stop("storage")
    assert awaited(sitting, clients) == [False] * 4, "nobody can answer"


@pytest.mark.parametrize(
    ("settings", "seen"), [(BANKED, True), (attrs.evolve(BANKED, pad_windows=True), False), (FAST, False)]
)
def test_in_a_window_nobody_learns_who_is_waited_for(settings: Settings, seen: bool) -> None:
    """A line that the table waits for is given up sooner when it falls silent, and everybody sees who is gone."""
    sitting, clients = four(settings, CLAIMED)
    eve = sitting.join("eve")
    sitting.play(clients[0], "discard 5p")
    assert clients[1].ask is not None, "the next and the last are asked"
    assert awaited(sitting, clients) == [False] * 4, "it would be open now if nobody were"
    sitting.wait(settings.floor_ms / 1000 + 0.1)
    assert awaited(sitting, [*clients, eve]) == [seen] * 4 + [False]
    sitting.play(clients[1], "pass")
    assert awaited(sitting, [*clients, eve]) == [seen] * 4 + [False], "nor who has answered"
    sitting.play(clients[3], "pass")
    sitting.wait(settings.claim_ms / 1000 if settings.pad_windows and settings.claim_ms else 0.01)
    assert awaited(sitting, clients) == [False, True, False, False]


def test_a_bank_that_runs_before_the_floor_is_over_is_seen_from_then_on() -> None:
    """Else a silent line would be found too late for what its bank is charged to come back whole."""
    sitting, clients = four(attrs.evolve(BANKED, floor_ms=10_000), CLAIMED)
    sitting.play(clients[0], "discard 5p")
    sitting.wait(7.9)
    assert awaited(sitting, clients) == [False] * 4
    sitting.wait(0.2)
    assert awaited(sitting, clients) == [True] * 4
