"""Washing: a window before the dealer's turn in every deal, that tells nothing (classical 5: Harr p. 61)."""

import random
from itertools import permutations

import pytest

from parlour_engine.notation import hand_text, parse_tiles
from parlour_server.protocol import events
from parlour_server.protocol.messages import Accepted, Ask, Events
from parlour_server.protocol.values import InstantValue, NextDeal
from parlour_server.table import Settings, Table
from parlour_server.table.journal import Answered, Happened, Offered, SeatChanged
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, LIMIT, PEOPLE, BotRule, Sitting, by_chance, cautious, people, silent, timed

NINE = "19m19p19s123z"
TEN = "19m19p19s1234z"
ALL = "19m19p19s1234567z"
EIGHT = "19m19p19s12z"
"""One too few."""
COMPLETE = "123456789m11155p"
"""East's dealt fourteen."""
COMPLETE_HEADS = "19m19p19s12345677z"


def wall(*hands: str, seed: int = 1) -> list[int]:
    """Seats are dealt these, seat 0 is East; what is missing are tiles from 2 to 8, which are no heads."""
    pool = [kind for kind in range(27) if 0 < kind % 9 < 8] * 4
    dealt = [list(parse_tiles(text)) for text in (*hands, "", "", "", "")][:4]
    for kind in [kind for hand in dealt for kind in hand if kind in pool]:
        pool.remove(kind)
    random.Random(seed).shuffle(pool)
    for seat, hand in enumerate(dealt):
        while len(hand) < 13 + (seat == 0):
            hand.append(pool.pop())
    return scripted_wall([hand_text(sorted(hand)) for hand in dealt], procedure=LIMIT.procedure)


def four(settings: Settings, tiles: list[int]) -> tuple[Sitting, list[Client]]:
    """Four people at a table that has just dealt."""
    sitting = Sitting(people(0, 1, 2, 3), settings, walls=[tiles], ruleset=LIMIT)
    clients = [sitting.join(person) for person in PEOPLE]
    return sitting.start(), clients


def names(client: Client) -> list[str]:
    return [event.e for event in client.events()]


def phase(client: Client) -> dict[str, object]:
    assert client.fold is not None
    return dict(client.fold.deal["phase"])


def test_a_window_opens_in_every_deal_and_asks_only_who_can_wash() -> None:
    sitting, (p0, p1, p2, p3) = four(timed(), wall("", NINE, EIGHT, TEN))
    for client in (p0, p1, p2, p3):
        assert phase(client) == {"kind": "washing", "seat": 0, "tile": None}
        assert names(client)[-2:] == ["deal_started", "washing_opened"]
    ask = Ask(sitting.table.version, "wash", ["wash", "pass"], 8000, 8000)
    assert [client.ask for client in (p0, p1, p2, p3)] == [None, ask, None, ask]
    sitting, clients = four(timed(), wall())
    assert [client.ask for client in clients] == [None] * 4
    assert phase(clients[3]) == {"kind": "washing", "seat": 0, "tile": None}


def test_where_nobody_washes_it_is_the_dealers_turn() -> None:
    sitting, clients = four(timed(), wall("", NINE))
    sitting.play(clients[1], "pass")
    sitting.wait(0.6)
    assert [names(client)[-1] for client in clients] == ["washing_closed"] * 4
    assert phase(clients[2]) == {"kind": "discarding", "seat": 0, "tile": None}
    ask = clients[0].ask
    assert ask is not None
    assert (ask.kind, ask.version) == ("turn", sitting.table.version)
    sitting.play(clients[0], ask.moves[0])
    assert phase(clients[2])["kind"] == "claiming"


@pytest.mark.parametrize(("hand", "heads", "each"), [(NINE, 9, 50), (TEN, 10, 70), (ALL, 13, 200)])
def test_who_washes_shows_the_hand_is_paid_and_the_same_dealer_deals_anew(hand: str, heads: int, each: int) -> None:
    sitting, clients = four(timed(), wall("", "", hand))
    assert clients[0].fold is not None
    dealt = list(clients[2].fold.seat(2)["tiles"]) if clients[2].fold is not None else []
    sitting.play(clients[2], "wash")
    assert names(clients[0])[-1] == "washing_opened", "the floor holds here too"
    sitting.wait(0.6)
    shown, washed, paid, settled = clients[0].events()[-4:]
    assert shown == events.HandShown(2, dealt)
    assert washed == events.Washed(2, heads)
    # East pays no more than the others.
    changes = [-each, -each, 3 * each, -each]
    assert paid == events.Paid(2, "washing", changes, changes)
    assert isinstance(settled, events.Settled)
    assert (settled.wins, settled.hands, settled.transfers, settled.changes) == ([], [], [], [0] * 4)
    assert settled.instant == [InstantValue(2, "washing", changes)]
    assert settled.scores == changes
    assert settled.next == NextDeal(deal=2, dealer=0, round_wind=0, streak=0)
    seats = clients[0].table["deal"]["seats"]
    assert seats[2]["tiles"] == dealt
    assert [seat["tiles"] is None for seat in seats] == [False, True, False, True]
    assert phase(clients[0])["kind"] == "over"


def test_of_two_who_wash_the_nearest_to_east_does_in_every_order_of_answers() -> None:
    for order in permutations((1, 3)):
        sitting, clients = four(timed(), wall("", NINE, "", TEN))
        for seat in order:
            sitting.play(clients[seat], "wash")
        sitting.wait(0.6)
        washed = [event for event in clients[0].events() if isinstance(event, events.Washed)]
        assert washed == [events.Washed(1, 9)]
        # The other's hand stays hidden: nobody learns that it could have washed.
        assert clients[0].table["deal"]["seats"][3]["tiles"] is None


def test_easts_dealt_hand_wins_before_anybody_washes() -> None:
    sitting, clients = four(timed(), wall(COMPLETE, TEN))
    assert clients[0].ask is not None
    assert clients[0].ask.moves == ["win", "pass"]
    sitting.play(clients[1], "wash")
    sitting.play(clients[0], "win")
    sitting.wait(0.6)
    won = [event for event in clients[2].events() if isinstance(event, events.Won)]
    assert [(event.seat, event.by, event.tile) for event in won] == [(0, "dealt", None)]
    assert "washed" not in names(clients[2])


def test_east_may_have_both_to_choose_from() -> None:
    _, clients = four(timed(), wall(COMPLETE_HEADS))
    assert clients[0].ask is not None
    assert clients[0].ask.moves == ["win", "wash", "pass"]


def test_east_who_passes_may_still_win_with_the_dealt_hand_in_his_turn() -> None:
    sitting, clients = four(timed(), wall(COMPLETE))
    sitting.play(clients[0], "pass")
    sitting.wait(0.6)
    assert clients[0].ask is not None
    assert (clients[0].ask.kind, clients[0].ask.moves[0]) == ("turn", "win")


# --- what the window tells -------------------------------------------------------------------------------------------


def opened_for(sitting: Sitting) -> list[float]:
    """How long each washing window stayed open, as told to everybody alike."""
    at = {row.version: row for row in sitting.rows if isinstance(row, Happened)}
    return [
        round(at[version + 1].at - row.at, 6)
        for version, row in at.items()
        if row.event.e == "washing_opened" and version + 1 in at
    ]


HANDS = [(), ("", NINE), (NINE,), (COMPLETE,), (TEN, ALL, EIGHT)]


def bots_pass(table: Table, seat: int, ask: Ask) -> str:
    """Never wash; else as the cautious do, though a dealt hand is not declared either."""
    return "pass" if "pass" in ask.moves else cautious(table, seat, ask)


@pytest.mark.parametrize("hands", HANDS)
def test_bots_that_could_wash_take_no_more_time_than_those_who_cannot(hands: tuple[str, ...]) -> None:
    sitting = Sitting(people(), timed(), walls=[wall(*hands)], ruleset=LIMIT, bots=bots_pass)
    watcher = sitting.join("eve")
    sitting.start()
    sitting.wait(0.599)
    assert names(watcher)[-1] == "washing_opened"
    sitting.wait(0.001)
    assert opened_for(sitting) == [0.6]


@pytest.mark.parametrize("hands", HANDS)
def test_a_padded_window_hides_even_a_slow_answer(hands: tuple[str, ...]) -> None:
    for delay in (0.0, 5.0):
        sitting, clients = four(timed(pad_windows=True), wall(*hands))
        sitting.wait(delay)
        for client in clients:
            if client.ask is not None:
                sitting.play(client, "pass")
        sitting.wait(8.1)
        assert opened_for(sitting) == [8.0]


def test_the_streams_of_others_are_the_same_whoever_is_asked_and_whatever_is_answered() -> None:
    streams = set()
    for hand, answer in (("", None), (NINE, None), (NINE, "pass"), (NINE, "wash"), (TEN, "nonsense")):
        # The tiles of South change alone.
        sitting, clients = four(timed(), wall("2345678m2345678p", hand, "2345678s234567m", "234567p2345678s"))
        watcher = sitting.join("eve")
        if answer is not None and clients[1].ask is not None:
            sitting.play(clients[1], answer)
        sitting.wait(0.5)
        assert names(clients[0])[-1] == "washing_opened"
        streams.add(tuple(bytes(client.octets) for client in (clients[0], clients[2], clients[3], watcher)))
    assert len(streams) == 1


def test_somebody_who_was_not_asked_learns_nothing_from_its_own_error() -> None:
    codes = []
    for hands in HANDS[:2]:
        sitting, clients = four(timed(), wall(*hands))
        before = sitting.state()
        for move in ("wash", "pass", "win"):
            sitting.play(clients[2], move, version=sitting.table.version)
        assert sitting.state() == before
        codes.append(clients[2].errors())
    assert codes == [["not_your_turn"] * 3] * 2


def test_answers_that_are_not_offered_change_nothing() -> None:
    sitting, clients = four(timed(), wall("", NINE))
    before = sitting.state()
    for move in ("win", "discard 1m", "wash ", "WASH", "wash 1m"):
        sitting.play(clients[1], move, version=sitting.table.version)
    assert sitting.state() == before
    assert clients[1].errors() == ["illegal_move"] * 5


def test_nobody_washes_once_the_window_is_closed() -> None:
    sitting, clients = four(timed(), wall("", NINE))
    version = sitting.table.version
    sitting.play(clients[1], "pass")
    sitting.play(clients[1], "wash", version=version)
    sitting.wait(0.6)
    sitting.play(clients[1], "wash", version=version)
    sitting.play(clients[1], "wash", version=sitting.table.version)
    assert clients[1].errors() == ["stale", "stale", "not_your_turn"]
    assert names(clients[0])[-1] == "washing_closed"


# --- time, lines and stand-ins ---------------------------------------------------------------------------------------


def test_who_does_not_answer_in_time_passes() -> None:
    sitting, clients = four(timed(), wall("", NINE, "", TEN))
    sitting.wait(7.999)
    assert names(clients[0])[-1] == "washing_opened"
    sitting.play(clients[3], "wash")
    sitting.wait(0.002)
    assert names(clients[0])[-4] == "hand_shown"
    sitting, clients = four(timed(), wall("", NINE))
    sitting.wait(8)
    assert names(clients[0])[-1] == "washing_closed"
    answered = [row for row in sitting.rows if isinstance(row, Answered)]
    assert [(row.seat, row.move, row.by) for row in answered] == [(1, "pass", "clock")]


def test_a_bot_that_stands_in_is_asked_and_the_change_tells_nobody_that_it_was() -> None:
    told = []
    for hands in (("", NINE), ()):
        sitting = Sitting(people(0, 1), timed(), walls=[wall(*hands)], ruleset=LIMIT, bots=silent)
        ann, bob = sitting.join("ann"), sitting.join("bob")
        sitting.start()
        sitting.drop(bob)
        sitting.wait(5.5)
        told.append([seat["stand_in"] for seat in ann.table["seats"]])
        stand_ins = [row for row in sitting.rows if isinstance(row, SeatChanged) and row.stand_in]
        assert [row.seat for row in stand_ins] == [1]
    assert told == [[False, True, False, False]] * 2


def test_a_line_that_comes_back_in_the_window_is_asked_again() -> None:
    sitting, clients = four(timed(), wall("", NINE))
    bob = clients[1]
    sitting.drop(bob)
    again = sitting.join("bob", client=bob)
    assert again.ask is not None
    assert again.ask.moves == ["wash", "pass"]
    fresh = sitting.join("bob")
    assert fresh.ask is not None
    assert phase(fresh) == {"kind": "washing", "seat": 0, "tile": None}
    sitting.play(fresh, "wash")
    assert fresh.last(Accepted) is not None


def test_whoever_comes_back_after_washing_gets_what_is_missing_from_every_version() -> None:
    sitting, clients = four(timed(), wall("", NINE))
    sitting.play(clients[1], "wash")
    sitting.wait(0.6)
    last = sitting.table.version
    for seen in range(last):
        late = Client(900 + seen, "eve")
        sitting.clients[900 + seen] = late
        sitting.table.join(900 + seen, "eve", "Eve", seen, sitting.now)
        deliveries = sitting.table.to_send()
        told = [delivery for delivery in deliveries if 900 + seen in getattr(delivery, "viewers", ())]
        message = getattr(told[0], "message", None)
        assert isinstance(message, Events)
        assert len(message.events) == last - seen
        sitting.table.leave(900 + seen, sitting.now)
        sitting.table.to_send()
        del sitting.clients[900 + seen]


def test_the_journal_says_who_was_asked_and_what_was_answered() -> None:
    sitting, clients = four(FAST, wall("", NINE))
    sitting.play(clients[1], "wash")
    offered = [row for row in sitting.rows if isinstance(row, Offered)]
    assert [(row.seat, row.moves) for row in offered[:1]] == [(1, ["wash", "pass"])]
    told = [row.event.e for row in sitting.rows if isinstance(row, Happened)]
    assert told[:7] == ["match_started", "deal_started", "washing_opened", "hand_shown", "washed", "paid", "settled"]


@pytest.mark.parametrize("seed", range(2))
def test_a_match_goes_on_after_washing(seed: int) -> None:
    rule: BotRule = by_chance(seed)
    walls = [wall("", NINE), wall("", "", TEN), wall("", "", "", ALL)]
    washers = iter((1, 2, 3))

    def washing(table: Table, seat: int, ask: Ask) -> str | None:
        return "wash" if "wash" in ask.moves and next(washers) == seat else rule(table, seat, ask)

    sitting = Sitting(people(0), FAST, walls=walls, seed=seed, ruleset=LIMIT, bots=washing)
    ann = sitting.join("ann")
    sitting.start()
    for deal in (1, 2, 3):
        sitting.ready(ann, deal)
    settled = [event for event in ann.events() if isinstance(event, events.Settled)][:3]
    assert [event.next and event.next.dealer for event in settled] == [0, 0, 0]
    assert settled[2].scores == [
        -50 - 70 - 200,
        3 * 50 - 70 - 200,
        -50 + 3 * 70 - 200,
        -50 - 70 + 3 * 200,
    ]
