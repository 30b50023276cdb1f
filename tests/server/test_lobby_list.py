"""The public tables as the lobby shows them, and which of them suits somebody who wants to play now."""

import random
from collections.abc import Iterator

import pytest
from attrs import define, field

from parlour_server.lobby_list import FRESH, MOST_LINES, TableList, inviting, seat_for
from parlour_server.protocol.codec import decode_reply
from parlour_server.protocol.listings import TableLine, TableSeat
from parlour_server.protocol.lobby import Tables


@define
class Standing:
    """A table that stands in the hall."""

    id: str
    public: bool = True
    open: bool = True
    people_present: int = 0
    ruleset: str = "lrc"
    bots: list[int] = field(factory=lambda: [1, 2, 3])
    looked_at: int = 0
    lets_in: bool = True

    def line(self) -> TableLine:
        self.looked_at += 1
        seats = [
            TableSeat(f"seat {seat}", "bot", "steady", present=True)
            if seat in self.bots
            else TableSeat(f"seat {seat}", "person", None, present=True)
            for seat in range(4)
        ]
        return TableLine(
            table=self.id,
            ruleset=self.ruleset,
            options={},
            rounds=4,
            clocks="casual",
            floor_ms=600,
            pad_windows=False,
            watching="live",
            seats=seats,
            watchers=0,
            deal=1,
            over=False,
            demonstration=False,
            open=self.open and self.lets_in,
        )


def told(tables: list[Standing], *, text: bool = False) -> Tables:
    frame = TableList(lambda: tables).frame(text=text, now=100.0)
    answer = decode_reply(frame.decode() if text else frame)
    assert isinstance(answer, Tables)
    return answer


@pytest.mark.parametrize("text", [False, True])
def test_those_one_may_sit_down_at_come_first_then_those_with_people_then_the_newest(text: bool) -> None:
    tables = [
        Standing("full, two people", open=False, people_present=2),
        Standing("old"),
        Standing("one person", people_present=1),
        Standing("three people", people_present=3),
        Standing("new"),
    ]
    answer = told(tables, text=text)
    assert [line.table for line in answer.tables] == ["three people", "one person", "new", "old", "full, two people"]
    assert answer.count == 5


def test_a_private_table_is_never_in_a_list() -> None:
    chance = random.Random(7)
    tables = [Standing(str(n), public=chance.random() < 0.5, people_present=chance.randrange(4)) for n in range(200)]
    secret = {table.id for table in tables if not table.public}
    answer = told(tables)
    assert not secret & {line.table for line in answer.tables}
    assert answer.count == 200 - len(secret)
    found = seat_for([table for table in tables if not table.public], None, ())
    assert found is None
    assert all(table.looked_at == 0 for table in tables if not table.public)


def test_at_most_sixty_are_told_and_all_counted() -> None:
    tables = [Standing(str(number)) for number in range(500)]
    answer = told(tables)
    assert (len(answer.tables), answer.count) == (MOST_LINES, 500)
    assert sum([table.looked_at for table in tables]) == MOST_LINES


def test_a_thousand_who_ask_at_once_cost_one_answer() -> None:
    tables = [Standing("one")]
    lists = TableList(lambda: tables)
    first = [lists.frame(text=number % 2 == 0, now=100.0 + number / 1001) for number in range(1000)]
    assert tables[0].looked_at == 2, "once in each language"
    assert len(set(first)) == 2

    tables.append(Standing("two"))
    assert lists.frame(text=False, now=100.0 + FRESH - 0.01) == first[1]
    later = decode_reply(lists.frame(text=False, now=100.1 + FRESH))
    assert isinstance(later, Tables)
    assert later.count == 2


def test_an_empty_house_says_so() -> None:
    assert told([]) == Tables([], 0)


def quick(tables: list[Standing], ruleset: str | None = None, *left: str) -> tuple[str, int] | None:
    found = seat_for(tables, ruleset, left)
    return None if found is None else (found[0].id, found[1])


def test_a_quick_match_is_where_people_are_then_the_newest() -> None:
    old, new, people = Standing("old"), Standing("new", bots=[2]), Standing("people", people_present=2, bots=[3])
    assert quick([people, old, new]) == ("people", 3)
    assert quick([old, new]) == ("new", 2)
    assert quick([old, new], None, "new") == ("old", 1)
    assert quick([old], None, "old") is None
    assert quick([]) is None


def test_a_quick_match_is_of_the_game_that_was_asked_for_and_one_may_sit_down_there() -> None:
    tables = [
        Standing("lrc"),
        Standing("classical", ruleset="classical"),
        Standing("closed", ruleset="classical", open=False, people_present=3),
        Standing("four people", ruleset="classical", people_present=4, bots=[]),
        Standing("private", ruleset="classical", public=False, people_present=3),
    ]
    assert quick(tables, "classical") == ("classical", 1)
    assert quick(tables, "lrc") == ("lrc", 1)
    assert quick(tables, "another") is None


def test_a_quick_match_passes_by_a_table_that_lets_nobody_in() -> None:
    shut, other = Standing("shut", people_present=3, bots=[3], lets_in=False), Standing("other")
    assert quick([shut, other]) == ("other", 1)
    assert quick([shut]) is None


def test_tables_are_taken_from_anything_that_can_be_walked_through() -> None:
    def walk() -> Iterator[Standing]:
        yield Standing("one")

    assert [table.id for table in inviting(walk())] == ["one"]
