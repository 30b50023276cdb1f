"""What people say at a table, and who hears it."""

import attrs
import pytest

from parlour_server.protocol import messages
from parlour_server.protocol.messages import LONGEST_LINE, Said, Say
from parlour_server.table.journal import Spoken
from parlour_server.table.talk import BURST, KEPT, PAUSE
from tests.kit.walls import scripted_wall
from tests.server.table.client import Client
from tests.server.table.sitting import FAST, Sitting, people, silent, steady

CALM = scripted_wall(["5p", "", "", ""])


def at_table() -> tuple[Sitting, Client, Client, Client, Client]:
    sitting = Sitting(people(0, 1), FAST, walls=[CALM], bots=silent)
    clients = [sitting.join(person) for person in ("ann", "bob", "eve", "fay")]
    sitting.start()
    return sitting, *clients  # type: ignore[return-value]  # four of them


def lines(client: Client) -> list[tuple[int, int | None, str, str]]:
    said = [message.line for message in client.heard if isinstance(message, Said)]
    return [(line.n, line.seat, line.name, line.text) for line in said]


def test_players_are_heard_by_all_and_watchers_by_watchers_alone() -> None:
    # Watchers may know hands: they see what a player tells them elsewhere, or whole deals where they watch late.
    sitting, ann, bob, eve, fay = at_table()
    sitting.want(eve, Say("ann waits for one"))
    sitting.want(ann, Say("hello"))
    sitting.want(fay, Say("no"))
    sitting.want(bob, Say("hi"))
    assert lines(ann) == lines(bob) == [(1, 0, "Ann", "hello"), (2, 1, "Bob", "hi")]
    assert lines(eve) == lines(fay)
    assert lines(eve) == [
        (1, None, "Eve", "ann waits for one"),
        (1, 0, "Ann", "hello"),
        (2, None, "Fay", "no"),
        (2, 1, "Bob", "hi"),
    ]
    assert not any("waits for one" in text for text in ann.texts())
    # A count of all lines would tell the players how much the watchers talk.
    again = sitting.join("bob")
    assert [line.text for line in again.last(messages.Table).talk] == ["hello", "hi"]
    gus = sitting.join("gus")
    assert [line.text for line in gus.last(messages.Table).talk] == ["ann waits for one", "hello", "no", "hi"]


def test_who_sits_down_reads_no_more_of_the_watchers_and_who_stands_up_does() -> None:
    sitting, _, bob, eve, fay = at_table()
    sitting.want(eve, Say("secret"))
    sitting.take_seat(eve, 2)
    assert eve.last(messages.Table).talk == []
    sitting.want(fay, Say("more"))
    assert [line[3] for line in lines(eve)] == ["secret"]
    sitting.leave(bob)
    bob = sitting.join("bob")
    assert [line.text for line in bob.last(messages.Table).talk] == ["secret", "more"]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("  tea?\n\ttea! ", "tea? tea!"),
        ("a\u202eb\u2066c\u200bd\u2060e\ufefff", "abcdef"),
        ("\x00\x1b[31mred\x07", "[31mred"),
        ("好牌\u3000！", "好牌 ！"),
        ("e" + "\u0301" * 30, "\u00e9\u0301\u0301"),
        ("<b>&amp;", "<b>&amp;"),
        ("x" * LONGEST_LINE, "x" * LONGEST_LINE),
    ],
)
def test_a_line_is_shown_without_what_disguises_or_reorders(said: str, heard: str) -> None:
    # N14: markup is text; the client shows it as such.
    sitting, ann, bob, _, _ = at_table()
    sitting.want(ann, Say(said))
    assert [line[3] for line in lines(bob)] == [heard]


@pytest.mark.parametrize("said", [" ", "\u200b\u200d", "\u202e", "\u3164"])
def test_a_line_of_which_nothing_is_visible_is_refused(said: str) -> None:
    sitting, ann, bob, _, _ = at_table()
    sitting.want(ann, Say(said))
    assert ann.errors() == ["bad_message"]
    assert lines(bob) == []


def test_nobody_says_too_much_at_once() -> None:
    sitting, ann, bob, _, _ = at_table()
    for _ in range(BURST + 3):
        sitting.want(ann, Say("x"))
    assert ann.errors() == ["too_many"] * 3
    assert len(lines(bob)) == BURST
    sitting.want(bob, Say("y"))
    assert bob.errors() == []
    sitting.wait(PAUSE - 0.1)
    sitting.want(ann, Say("x"))
    sitting.wait(0.1)
    sitting.want(ann, Say("x"))
    sitting.want(ann, Say("x"))
    assert ann.errors() == ["too_many"] * 5
    # A second connection is the same person, and so is the same one later.
    again = sitting.join("ann")
    sitting.want(again, Say("x"))
    assert again.errors() == ["too_many"]


def test_people_may_talk_while_the_table_stands_still() -> None:
    sitting, ann, bob, _, _ = at_table()
    sitting.stop("agreed")
    for second in range(20):
        sitting.table.receive(ann.viewer, Say("still here"), sitting.now, clock=1000 + second * PAUSE)
    sitting.drain()
    assert len(lines(bob)) == 20


def test_a_newcomer_is_shown_the_last_lines_of_each_room() -> None:
    sitting, ann, _, eve, _ = at_table()
    for number in range(KEPT + 10):
        sitting.wait(PAUSE)
        sitting.want(ann, Say(f"p{number}"))
        if number < 3:
            sitting.want(eve, Say(f"w{number}"))
    gus = sitting.join("gus")
    told = gus.last(messages.Table).talk
    assert [line.text for line in told if line.seat is None] == ["w0", "w1", "w2"]
    assert [line.text for line in told if line.seat == 0] == [f"p{number}" for number in range(10, KEPT + 10)]
    assert told[-1].n == KEPT + 10


def test_who_comes_back_has_missed_nothing_that_was_said() -> None:
    sitting, ann, bob, eve, _ = at_table()
    sitting.want(ann, Say("one"))
    sitting.drop(bob)
    sitting.want(eve, Say("psst"))
    bob = sitting.join("bob", client=bob)
    assert not [message for message in bob.heard if isinstance(message, messages.Table)], "what watchers say is no news"
    sitting.drop(bob)
    sitting.want(ann, Say("two"))
    bob = sitting.join("bob", client=bob)
    assert [line["text"] for line in bob.table["talk"]] == ["one", "two"]
    sitting.drop(eve)
    eve = sitting.join("eve", client=eve)
    assert not [message for message in eve.heard if isinstance(message, messages.Table)]


def test_what_was_said_outlives_a_crash() -> None:
    sitting, ann, _, eve, _ = at_table()
    sitting.want(ann, Say("before"))
    sitting.want(eve, Say("psst"))
    assert [(row.seat, row.text) for row in sitting.rows if isinstance(row, Spoken)] == [(0, "before"), (None, "psst")]
    sitting.crash()
    ann, eve = sitting.join("ann"), sitting.join("eve")
    assert [line["text"] for line in ann.table["talk"]] == ["before"]
    assert [line["text"] for line in eve.table["talk"]] == ["before", "psst"]
    sitting.want(ann, Say("after"))
    assert lines(ann) == [(2, 0, "Ann", "after")]


@pytest.mark.parametrize("start", ["now", "together"])
def test_what_was_said_before_the_running_deal_or_the_match_outlives_a_crash(start: str) -> None:
    """A server that starts again reads the running deal alone, and nothing but what was said where none runs."""
    settings = attrs.evolve(FAST, start=start)  # type: ignore[arg-type]  # one of them
    sitting = Sitting(people(0), settings, seed=3, bots=steady, owner="ann")
    ann, eve = sitting.join("ann"), sitting.join("eve")
    for number in range(KEPT + 5):
        sitting.table.receive(ann.viewer, Say(f"p{number}"), sitting.now, clock=number * PAUSE)
    sitting.want(eve, Say("psst"))
    if start == "now":
        sitting.start()
        while sitting.table.deal_number < 2 or ann.ask is None:
            if ann.ask is not None:
                sitting.play(ann, steady(sitting.table, 0, ann.ask))
            else:
                sitting.ready(ann, sitting.table.deal_number)
                sitting.wait(1)
    last = [f"p{number}" for number in range(5, KEPT + 5)]
    for _ in range(2):
        sitting.crash()
        ann, eve = sitting.join("ann"), sitting.join("eve")
        assert [line["text"] for line in ann.table["talk"]] == last
        assert [line["text"] for line in eve.table["talk"]] == [*last, "psst"]
    assert ann.table["talk"][-1]["n"] == KEPT + 5
