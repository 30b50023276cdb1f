"""The end of a deal: who is paid, what is shown, and the gate before the next."""

from itertools import permutations

import attrs
import pytest

from parlour_engine.notation import parse_tiles
from parlour_engine.rulesets import Ruleset
from parlour_engine.tiles import Kind
from parlour_server.protocol import messages
from parlour_server.protocol.events import DealStarted, MatchEnded, Settled
from parlour_server.protocol.messages import Seats
from parlour_server.table import Bot
from parlour_server.table.journal import Happened
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client, order
from tests.server.table.sitting import FAST, LRC, PEOPLE, RULESETS, Sitting, all_call, people, silent, steady, timed

THREE = scripted_wall(["5p", "46p123456789m11z777s", "34p222333666s22z123s", "5p111999777m333z555s"])
"""P01: P1, P2 and P3 wait for 5p, which P0 holds."""
THIRTEEN = ("258m1578p489s2356z", "46p123456789m11z", "34p222333666s22z", "5p111999777m333z")
DRAWN = scripted_wall(["", "", "", ""])


def wall_of_three(ruleset: Ruleset) -> list[Kind]:
    """P01 in each game: P1, P2 and P3 wait for 5p, which P0 holds."""
    return THREE if ruleset is LRC else scripted_wall(THIRTEEN, procedure=ruleset.procedure)


def three_winners(
    order_: tuple[int, ...], gone: int | None = None, ruleset: Ruleset = LRC
) -> tuple[Sitting, list[Client]]:
    sitting, clients = all_call(wall_of_three(ruleset), ruleset, order_, gone)
    sitting.wait(0)
    return sitting, clients


def settled(client: Client) -> Settled:
    found = [event for event in client.events() if isinstance(event, Settled)]
    return found[-1]


@pytest.mark.parametrize("arrival", list(permutations((1, 2, 3))))
def test_three_winners_on_one_tile_are_each_paid_once_by_who_threw_it(arrival: tuple[int, ...]) -> None:
    """P01, P09: each win has its own payments, and the scores are those of the start and all of them."""
    _, clients = three_winners(arrival)
    event = settled(clients[0])
    assert [win.seat for win in event.wins] == [1, 2, 3]
    for win in event.wins:
        assert win.payments == [-win.total if seat == 0 else win.total if seat == win.seat else 0 for seat in range(4)]
    totals = [win.total for win in event.wins]
    assert event.changes == [-sum(totals), *totals]
    # The score after each entry is the start and all entries so far; the last is the match's.
    scores = [0, 0, 0, 0]
    for win in event.wins:
        scores = [score + payment for score, payment in zip(scores, win.payments, strict=True)]
        assert sum(scores) == 0
    assert scores == event.scores
    # The dealer lost, so the deal passes on.
    assert event.next is not None
    assert (event.next.deal, event.next.dealer, event.next.round_wind, event.next.streak) == (2, 1, 0, 0)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_a_winner_who_is_cut_off_after_calling_is_paid_all_the_same(ruleset: Ruleset) -> None:
    _, clients = three_winners((1, 2, 3), ruleset=ruleset)
    whole = settled(clients[0])
    for gone in (1, 2, 3):
        _, cut = three_winners((1, 2, 3), gone, ruleset)
        assert settled(cut[0]) == whole


def test_a_settlement_shows_its_whole_derivation() -> None:
    _, clients = three_winners((1, 2, 3))
    for win in settled(clients[0]).wins:
        assert sum(line.points for line in win.awards) == win.total
        assert all(line.name.en and line.name.zh and line.clause for line in win.awards)
        assert win.tile == "5p"
        assert win.source == 0
        read = [tile for group in win.reading for tile in group.tiles]
        assert sorted(read, key=order) == sorted([*win.hand, "5p"], key=order)
        winning = [group for group in win.reading if group.winning]
        assert len(winning) == 1
        assert "5p" in winning[0].tiles
        assert [group.form for group in win.reading].count("eyes") == 1
        assert all(other.points <= win.points for other in win.considered)
    # 4p6p takes 5p in the middle, 3p4p at its end, the single 5p as eyes: no other reading of these hands exists.
    groups = [[group.tiles for group in win.reading if group.winning] for win in settled(clients[0]).wins]
    assert groups == [[["4p", "5p", "6p"]], [["3p", "4p", "5p"]], [["5p", "5p"]]]


def test_instant_payments_are_listed_beside_the_settlement_and_counted_once() -> None:
    # P0 is dealt the four numbers 1-4 in mixed colours: a mixed set, 5 from each, at once.
    wall = scripted_wall(["1f2f7f8f5p", "46p123456789m11z777s", "34p222333666s22z123s", "5p111999777m333z555s"])
    sitting = Sitting(people(0, 1, 2, 3), FAST, walls=[wall])
    clients = [sitting.join(person) for person in PEOPLE]
    sitting.start()
    assert clients[2].table["scores"] == [15, -5, -5, -5]
    sitting.play(clients[0], "discard 5p")
    for seat in (1, 2, 3):
        sitting.play(clients[seat], "win")
    event = settled(clients[1])
    assert [(paid.seat, paid.reason, paid.changes) for paid in event.instant] == [(0, "mixed_set", [15, -5, -5, -5])]
    assert event.changes == [sum(column) for column in zip(*(win.payments for win in event.wins), strict=True)]
    assert event.scores == [change + paid for change, paid in zip(event.changes, [15, -5, -5, -5], strict=True)]


def test_a_win_by_flowers_has_no_reading_and_no_tile() -> None:
    wall = scripted_wall(["1f2f3f4f5f6f7f", "", "", ""])
    sitting = Sitting(people(0), FAST, walls=[wall], bots=silent)
    ann = sitting.join("ann")
    sitting.start()
    win = settled(ann).wins[0]
    assert (win.seat, win.by, win.tile, win.source, win.reading) == (0, "flowers", None, None, [])
    assert win.payments == [3 * win.total, -win.total, -win.total, -win.total]
    assert parse_tiles("".join(win.hand))


def test_a_drawn_deal_pays_nothing() -> None:
    sitting = Sitting(people(0), FAST, walls=[DRAWN], bots=lambda _, __, ask: ask.moves[-1])
    ann = sitting.join("ann")
    sitting.start()
    while sitting.table._flow.gate is None:
        assert ann.ask is not None
        sitting.play(ann, ann.ask.moves[-1])
    event = settled(ann)
    assert (event.wins, event.changes) == ([], [0, 0, 0, 0])
    assert ann.events()[-2].e == "exhausted"


# --- the gate ---------------------------------------------------------------------------------------------------------


def deals(client: Client) -> int:
    return len([event for event in client.events() if isinstance(event, DealStarted)])


def test_the_next_deal_waits_for_every_person_and_starts_once() -> None:
    # T10
    sitting, clients = three_winners((1, 2, 3))
    assert clients[0].last(Seats).seats[1].ready is False
    for number, client in enumerate(clients):
        assert deals(clients[0]) == 1
        assert [seat.ready for seat in clients[0].last(Seats).seats] == [seat < number for seat in range(4)]
        sitting.ready(client, 1)
        sitting.ready(client, 1)
    assert deals(clients[0]) == 2
    assert [seat.ready for seat in clients[0].last(Seats).seats] == [False] * 4
    assert clients[3].errors() == ["stale"], "its second click came after the deal had begun"
    before = sitting.state()
    for client in clients:
        sitting.ready(client, 1)
        sitting.ready(client, 2)
        sitting.ready(client, 99)
    assert sitting.state() == before
    assert deals(clients[0]) == 2


def test_a_click_for_another_deal_is_no_click_for_this_one() -> None:
    sitting, clients = three_winners((1, 2, 3))
    before = sitting.state()
    for deal in (0, 2, 10**9):
        sitting.ready(clients[0], deal)
    assert sitting.state() == before
    assert clients[0].errors() == ["stale"] * 3
    assert not clients[1].last(Seats).seats[0].ready


def test_clicks_and_the_end_of_the_wait_in_the_same_moment_start_one_deal() -> None:
    for late in (-0.001, 0.0, 0.001):
        sitting = Sitting(people(0, 1, 2, 3), timed(), walls=[THREE])
        clients = [sitting.join(person) for person in PEOPLE]
        sitting.start()
        sitting.play(clients[0], "discard 5p")
        for seat in (1, 2, 3):
            sitting.play(clients[seat], "win")
        sitting.wait(0.6)
        assert deals(clients[0]) == 1
        sitting.now += 60 + late
        for client in clients:
            sitting.table.receive(client.viewer, messages.Ready(1), sitting.now)
        sitting.table.tick(sitting.now)
        sitting.drain()
        assert deals(clients[0]) == 2


def test_with_clocks_the_wait_ends_after_a_minute_and_without_never() -> None:
    for settings, expected in ((timed(), 2), (FAST, 1)):
        sitting = Sitting(people(0, 1, 2, 3), settings, walls=[THREE])
        clients = [sitting.join(person) for person in PEOPLE]
        sitting.start()
        sitting.play(clients[0], "discard 5p")
        for seat in (1, 2, 3):
            sitting.play(clients[seat], "win")
        sitting.wait(1)
        sitting.ready(clients[0], 1)
        # With a floor the settlement began 0.6 s after the discard.
        sitting.wait(59.5)
        assert deals(clients[0]) == 1
        sitting.wait(0.2)
        assert deals(clients[0]) == expected


def test_the_absent_are_not_waited_for_but_a_short_drop_is() -> None:
    sitting, clients = three_winners((1, 2, 3))
    sitting.drop(clients[3])
    for client in clients[:3]:
        sitting.ready(client, 1)
    assert deals(clients[0]) == 1
    sitting.wait(0.9)
    assert deals(clients[0]) == 1
    sitting.wait(0.2)
    assert deals(clients[0]) == 2


@pytest.mark.parametrize("gone", range(4))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_a_drop_at_any_step_of_a_settlement_loses_and_doubles_nothing(ruleset: Ruleset, gone: int) -> None:
    # P06: before the win, after the call, after the result, after the click.
    _, clients = three_winners((1, 2, 3), ruleset=ruleset)
    whole = settled(clients[(gone + 1) % 4])
    assert [win.seat for win in whole.wins] == ([1, 2, 3] if ruleset is LRC else [1])
    for step in range(4):
        sitting = Sitting(people(0, 1, 2, 3), FAST, walls=[wall_of_three(ruleset)], ruleset=ruleset)
        clients = [sitting.join(person) for person in PEOPLE]
        sitting.start()
        sitting.play(clients[0], "discard 5p")
        other = clients[(gone + 1) % 4]
        for seat in (1, 2, 3):
            if step == 0 and seat == gone:
                sitting.drop(clients[gone])
                clients[gone] = sitting.join(PEOPLE[gone], client=clients[gone])
            sitting.play(clients[seat], "win")
            if step == 1 and seat == gone:
                sitting.drop(clients[gone])
                clients[gone] = sitting.join(PEOPLE[gone])
        if step == 2:
            sitting.drop(clients[gone])
            clients[gone] = sitting.join(PEOPLE[gone])
            assert clients[gone].table["settled"] is not None
        for client in list(clients):
            sitting.ready(client, 1)
            if step == 3 and client is clients[gone] and gone < 3:
                sitting.drop(client)
                clients[gone] = sitting.join(PEOPLE[gone], client=client)
        assert deals(other) == 2
        assert settled(other) == whole
        assert len([event for event in other.events() if isinstance(event, Settled)]) == 1
        written = [row.event for row in sitting.rows if isinstance(row, Happened) and isinstance(row.event, Settled)]
        assert written == [whole]
        assert other.table["scores"] == clients[gone].table["scores"] == whole.scores


def test_where_nobody_has_to_agree_a_settlement_stays_for_a_while() -> None:
    sitting = Sitting([Bot("steady", "B")] * 4, attrs.evolve(FAST, pause_ms=4000), seed=1, bots=steady)
    eve = sitting.join("eve")
    sitting.start()
    assert deals(eve) == 1
    sitting.wait(3.9)
    assert deals(eve) == 1
    sitting.wait(0.2)
    assert deals(eve) == 2


def test_a_table_that_everybody_has_left_alone_finishes_its_deal_and_waits() -> None:
    sitting = Sitting(people(0), attrs.evolve(FAST, unwatched=False), seed=1, bots=steady)
    ann = sitting.join("ann")
    sitting.start()
    sitting.drop(ann)
    sitting.wait(1000)
    assert sitting.table._course.history.deal == 1
    assert sitting.table._course.settled is not None
    assert sitting.table.deadline() is None
    back = sitting.join("ann", client=ann)
    assert back.table["settled"] is not None
    sitting.ready(back, 1)
    assert sitting.table._course.history.deal == 2


def test_the_last_settlement_is_followed_by_the_standing_and_stays_to_be_seen() -> None:
    sitting = Sitting([Bot("steady", "B")] * 4, FAST, seed=6, bots=steady)
    eve = sitting.join("eve")
    sitting.start()
    sitting.wait(0)
    ended = eve.events()[-1]
    assert isinstance(ended, MatchEnded)
    scores = settled(eve).scores
    assert [line.score for line in ended.standing] == sorted(scores, reverse=True)
    for line in ended.standing:
        assert line.score == scores[line.seat]
        assert line.rank == 1 + len([score for score in scores if score > line.score])
    late = sitting.join("fay")
    assert late.table["standing"] == eve.table["standing"]
    assert late.table["settled"]["next"] is None
    assert sitting.table.deadline() is None
    sitting.wait(10_000)
    assert sitting.table.version == eve.version
