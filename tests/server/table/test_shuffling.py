"""The shuffle before a deal: told, added to, decided, dealt, and shown in the end."""

import attrs
import pytest

from parlour_server.protocol import messages
from parlour_server.protocol.events import ShuffleCommitted, ShuffleFixed, ShuffleRevealed
from parlour_server.protocol.messages import EndMatch, Entropy
from parlour_server.protocol.values import Reveal
from parlour_server.table import Settings
from parlour_server.table.journal import Added, Checkpoint, Happened, Sealed, WallLaid
from parlour_server.table.shuffling import TIME_TO_ADD
from parlour_server.table.standstill import GONE
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, CountedDeals, Sitting, people, silent, steady, timed

ONE, TWO = "1" * 32, "2" * 32


def sat_down(*seats: int, settings: Settings = FAST) -> tuple[Sitting, CountedDeals, list[Client]]:
    fair = CountedDeals()
    sitting = Sitting(people(*seats), settings, fair=fair, bots=silent)
    clients = [sitting.join(("ann", "bob", "cat", "dan")[seat]) for seat in seats]
    sitting.start()
    return sitting, fair, clients


def tags(client: Client) -> list[str]:
    return [event.e for event in client.events()]


def test_commitment_first_then_what_the_seats_add_then_the_wall() -> None:
    sitting, fair, (ann, bob) = sat_down(0, 2)
    eve = sitting.join("eve")
    assert tags(ann) == ["match_started", "shuffle_committed"]
    assert fair.asked == ["commit 1"]
    assert eve.table["shuffle"] == {
        "deal": 1,
        "context": "deal 1",
        "commit": fair.commit(1).commit,
        "nonces": None,
        "seed": None,
    }
    assert eve.last(messages.Table).deal is None
    sitting.want(ann, Entropy(1, ONE))
    assert tags(ann) == ["match_started", "shuffle_committed"]
    sitting.want(bob, Entropy(1, TWO.upper()))
    assert tags(ann)[2:4] == ["shuffle_fixed", "deal_started"]
    assert tags(eve)[:2] == ["shuffle_fixed", "deal_started"]
    assert eve.table["shuffle"]["nonces"] == [ONE, None, TWO, None]
    assert fair.asked == ["commit 1", "commit 1", "deal 1"]
    rows = [row.row for row in sitting.rows if isinstance(row, Sealed | Happened | Added | WallLaid)]
    assert rows[:7] == ["event", "sealed", "event", "added", "added", "event", "wall"]
    wall = next(row for row in sitting.rows if isinstance(row, WallLaid))
    procedure = sitting.made_of[0].procedure
    assert (list(wall.dice), len(wall.wall)) == ([1] * procedure.dice, 144)


def test_the_shuffle_waits_two_seconds_and_no_longer() -> None:
    sitting, _, (ann, _) = sat_down(0, 1)
    sitting.want(ann, Entropy(1, ONE))
    assert sitting.table.deadline() == sitting.now + TIME_TO_ADD
    sitting.wait(TIME_TO_ADD - 0.01)
    assert tags(ann)[-1] == "shuffle_committed"
    sitting.wait(0.01)
    assert ann.table["shuffle"]["nonces"] == [ONE, None, None, None]
    assert ann.table["deal"]["deal"] == 1


def test_whose_line_drops_is_not_waited_for() -> None:
    sitting, _, (ann, bob) = sat_down(0, 1)
    sitting.want(ann, Entropy(1, ONE))
    sitting.drop(bob)
    assert ann.table["shuffle"]["nonces"] == [ONE, None, None, None]


def test_bots_alone_are_dealt_to_at_once() -> None:
    sitting, _, _ = sat_down()
    eve = sitting.join("eve")
    assert eve.table["shuffle"]["nonces"] == [None] * 4
    assert eve.table["deal"]["deal"] == 1


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Entropy(2, ONE), "stale"),
        (Entropy(0, ONE), "stale"),
        (Entropy(1, "x" * 32), "bad_message"),
        (Entropy(1, "１" * 32), "bad_message"),
    ],
)
def test_what_is_no_part_of_this_shuffle_is_refused(message: Entropy, code: str) -> None:
    sitting, _, (ann, _) = sat_down(0, 1)
    sitting.want(ann, message)
    assert ann.errors() == [code]
    assert not any(isinstance(row, Added) for row in sitting.rows)


def test_a_seat_adds_once_and_a_watcher_never() -> None:
    sitting, _, (ann, bob) = sat_down(0, 1)
    eve = sitting.join("eve")
    sitting.want(eve, Entropy(1, ONE))
    sitting.want(ann, Entropy(1, ONE))
    sitting.want(ann, Entropy(1, TWO))
    assert (eve.errors(), ann.errors()) == (["not_seated"], ["stale"])
    sitting.want(bob, Entropy(1, TWO))
    assert ann.table["shuffle"]["nonces"] == [ONE, TWO, None, None]
    sitting.want(bob, Entropy(1, ONE))
    assert bob.errors() == ["stale"]


def play_on(sitting: Sitting, client: Client, deals: int) -> None:
    """To the settlement of deal number `deals`, or the end of the match."""
    while not sitting.table.over:
        if sitting.table._shown.finished is not None and sitting.table._shown.finished.deal == deals:
            return
        shuffling = sitting.table._parts.shuffling
        if shuffling.ends is not None and shuffling.shown is not None:
            sitting.want(client, Entropy(shuffling.shown.deal, ONE))
        elif sitting.table._flow.gate is not None:
            sitting.ready(client, sitting.table._course.history.deal)
        else:
            assert client.ask is not None
            sitting.play(client, steady(sitting.table, 0, client.ask))


@pytest.mark.parametrize("reveal", ["deal", "match"])
def test_seeds_are_shown_after_each_deal_or_after_the_match(reveal: Reveal) -> None:
    fair = CountedDeals()
    sitting = Sitting(people(0), attrs.evolve(FAST, reveal=reveal), fair=fair, bots=steady)
    ann = sitting.join("ann")
    sitting.start()
    play_on(sitting, ann, 2)
    deal_two = fair.commit(2).seed
    shown = [event for event in ann.events() if isinstance(event, ShuffleRevealed)]
    if reveal == "deal":
        assert [event.deal for event in shown] == [1, 2]
        assert ann.table["shuffle"]["seed"] == deal_two
    else:
        assert shown == []
        assert not any(deal_two in text for text in ann.texts())
    play_on(sitting, ann, 1000)
    shown = [event for event in ann.events() if isinstance(event, ShuffleRevealed)]
    committed = {event.deal: event for event in ann.events() if isinstance(event, ShuffleCommitted)}
    assert [event.deal for event in shown] == list(range(1, len(committed) + 1))
    assert [event.seed for event in shown] == [fair.commit(deal).seed for deal in sorted(committed)]


def test_a_seed_is_in_nobodys_stream_before_it_is_shown() -> None:
    # L01: seeds are the wall.
    fair = CountedDeals()
    sitting = Sitting(people(0), FAST, fair=fair, bots=steady)
    ann, eve = sitting.join("ann"), sitting.join("eve")
    sitting.start()
    play_on(sitting, ann, 3)
    fay = sitting.join("fay")
    assert not sitting.table.over
    for deal in range(1, 5):
        for client in (ann, eve, fay):
            seed = fair.commit(deal).seed
            assert bytes.fromhex(seed) not in client.octets
            assert not any(seed in text for text in client.texts())
    assert fair.commit(1).seed not in repr([row for row in sitting.rows if isinstance(row, Sealed | Checkpoint)])


def test_a_match_that_is_broken_off_shows_its_seeds_and_goes_on_no_more() -> None:
    # Else a house could break off the walls that it does not like.
    sitting, fair, (ann, bob) = sat_down(0, 1, settings=timed())
    sitting.want(ann, Entropy(1, ONE))
    sitting.drop(bob)
    sitting.wait(GONE + 6)
    assert not [event for event in ann.events() if isinstance(event, ShuffleRevealed)]
    sitting.want(ann, EndMatch(wanted=True))
    assert sitting.table.ended
    shown = [row.event for row in sitting.rows if isinstance(row, Happened) and isinstance(row.event, ShuffleRevealed)]
    assert [(event.deal, event.seed) for event in shown] == [(1, fair.commit(1).seed)]
    assert ann.table["shuffle"]["seed"] == fair.commit(1).seed
    sitting.crash()
    assert sitting.table.ended


def test_the_shell_may_end_it_at_any_moment_even_before_the_wall_is_laid() -> None:
    sitting, fair, _ = sat_down(0, 1)
    sitting.table.end(sitting.now)
    sitting.drain()
    last = sitting.rows[-1]
    assert isinstance(last, Happened)
    assert last.event == ShuffleRevealed(1, fair.commit(1).seed)
    assert "deal 1" not in fair.asked
    rows = len(sitting.rows)
    sitting.table.end(sitting.now)
    sitting.wait(100)
    assert len(sitting.rows) == rows
    sitting.crash()
    assert sitting.table.ended


@pytest.mark.parametrize("sent", [0, 1])
def test_a_crash_in_the_middle_changes_neither_the_seed_nor_what_was_added(sent: int) -> None:
    # X01: the wall of the running deal is the same, and nobody can choose another by pulling the plug.
    sitting, fair, (ann, _) = sat_down(0, 1)
    sitting.wait(0.5)
    if sent:
        sitting.want(ann, Entropy(1, ONE))
    sitting.now = sitting.rows[-1].at
    sitting.crash()
    assert fair.asked == ["commit 1"]
    ann, bob = sitting.join("ann"), sitting.join("bob")
    assert ann.table["shuffle"]["commit"] == fair.commit(1).commit
    sitting.want(bob, Entropy(1, TWO))
    if not sent:
        assert ann.table["deal"] is None
        sitting.want(ann, Entropy(1, ONE))
    assert ann.table["shuffle"]["nonces"] == [ONE, TWO, None, None]
    fixed = [row.event for row in sitting.rows if isinstance(row, Happened) and isinstance(row.event, ShuffleFixed)]
    assert fixed == [ShuffleFixed(1, [ONE, TWO, None, None])]
    assert fair.asked == ["commit 1", "commit 1", "deal 1"]


def test_while_the_table_stands_still_a_part_is_taken_and_the_time_does_not_pass() -> None:
    sitting, _, (ann, bob) = sat_down(0, 1)
    sitting.stop("storage")
    sitting.want(ann, Entropy(1, ONE))
    sitting.want(bob, Entropy(1, TWO))
    assert ann.errors() == []
    assert ann.table["deal"] is None
    sitting.go_on("storage")
    assert ann.table["shuffle"]["nonces"] == [ONE, TWO, None, None]
    assert ann.table["deal"] is not None


def test_who_comes_back_between_two_deals_hears_of_the_commitment() -> None:
    sitting = Sitting(people(0, 1), FAST, fair=CountedDeals(), bots=steady)
    ann, bob = sitting.join("ann"), sitting.join("bob")
    sitting.start()
    for client in (ann, bob):
        sitting.want(client, Entropy(1, ONE))
    while sitting.table._flow.gate is None:
        client = ann if ann.ask is not None else bob
        assert client.ask is not None
        sitting.play(client, steady(sitting.table, 0 if client is ann else 1, client.ask))
    settled = ann.version
    sitting.drop(bob)
    sitting.ready(ann, 1)
    sitting.wait(2)
    assert ann.table["shuffle"]["deal"] == 2
    back = sitting.join("bob", client=bob)
    assert back.table["shuffle"]["commit"] == ann.table["shuffle"]["commit"]
    assert back.version > settled
    fay = sitting.join("fay")
    assert fay.table["shuffle"] == ann.table["shuffle"]
    # Whoever has folded the settlement gets the commitment as an event.
    assert tags(back)[0] == "shuffle_committed"
    assert not [message for message in back.heard if isinstance(message, messages.Table)]
