"""The front page: two ways in, and a list of public tables that does not move under a finger."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import evolve
from playwright.sync_api import Page, expect

from parlour_server.protocol.listings import TableLine, TableSeat
from parlour_server.protocol.lobby import Notice, Tables
from parlour_server.protocol.messages import Error
from tests.e2e.conftest import PHONE
from tests.e2e.house import House
from tests.e2e.paper import Paper
from tests.e2e.player import own_seat, sit_down

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenPage = Callable[..., Page]
EVERY = 3000
"""Milliseconds between two questions for the tables."""


def seat(name: str, player: str = "person") -> TableSeat:
    return TableSeat(name, "bot", "steady", True) if player == "bot" else TableSeat(name, "person", None, True)


def line(table: str, *, demonstration: bool = False, people: Sequence[str] = ("Wing",)) -> TableLine:
    seats = [seat(name) for name in people] + [seat(f"Bot {number}", "bot") for number in range(4 - len(people))]
    return TableLine(
        table=f"table-named-{table}",
        ruleset="lrc",
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
        demonstration=demonstration,
        open=len(people) < 4,
    )


def listing(paper: Paper, lines: list[TableLine]) -> list[TableLine]:
    """The tables that the house tells of from now on; change the list to change them."""
    paper.answers["list_tables"] = lambda _: Tables(list(lines), len(lines))
    return lines


def shown(page: Page) -> list[str]:
    found = page.locator("[data-table]").evaluate_all("rows => rows.map(row => row.dataset.table)")
    return [str(name).removeprefix("table-named-") for name in found]


def asked_again(paper: Paper) -> None:
    """Three seconds later the tables have been asked for once more, and what came is drawn."""
    before = len(paper.said("list_tables"))
    paper.page.clock.run_for(EVERY)
    paper.wait_for("list_tables", before + 1)
    paper.page.clock.run_for(50)


@pytest.fixture
def paper(open_page: OpenPage) -> Paper:
    """The front page with a clock that stands still."""
    page = open_page()
    page.clock.install()
    return Paper(page)


def test_the_list_keeps_its_order_and_the_focus_while_it_is_asked_for_again(paper: Paper) -> None:
    page = paper.page
    lines = listing(paper, [line("a"), line("b"), line("c")])
    page.goto(paper.at("/"))
    expect(page.locator("[data-table]")).to_have_count(3)
    watch = page.locator("[data-table='table-named-c'] [data-watch]")
    watch.focus()
    before = watch.bounding_box()

    lines[:] = [line("d"), evolve(line("c"), watchers=7), line("b"), line("a")]
    asked_again(paper)
    expect(page.locator("[data-table='table-named-c']")).to_contain_text("7 watchers")
    assert shown(page) == ["a", "b", "c", "d"]
    expect(watch).to_be_focused()
    assert watch.bounding_box() == before

    # One that is gone keeps its place, and offers nothing.
    lines[:] = [line("c"), line("d"), line("b")]
    asked_again(paper)
    expect(page.locator("[data-table='table-named-a']")).to_contain_text("Closed")
    assert page.locator("[data-table='table-named-a'] button").count() == 0
    assert shown(page) == ["a", "b", "c", "d"]
    for _ in range(2):
        asked_again(paper)
    expect(page.locator("[data-table='table-named-a']")).to_have_count(0)
    expect(watch).to_be_focused()

    # What had the focus is gone: the next step with the keyboard goes on from the head of the list.
    lines[:] = [line("b")]
    for _ in range(3):
        asked_again(paper)
    expect(page.get_by_role("heading", name="Public tables")).to_be_focused()


def test_the_tables_are_asked_for_every_three_seconds_and_only_while_they_are_looked_at(paper: Paper) -> None:
    page = paper.page
    listing(paper, [])
    page.goto(paper.at("/"))
    paper.wait_for("list_tables")
    assert len(paper.said("list_tables")) == 1
    page.clock.run_for(4 * EVERY)
    paper.wait_for("list_tables", 5)

    hide = """state => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, "hidden")
    page.clock.run_for(4 * EVERY)
    assert len(paper.said("list_tables")) == 5
    page.evaluate(hide, "visible")
    paper.wait_for("list_tables", 6)
    page.get_by_role("link", name="Past games").click()
    paper.wait_for("list_matches")
    page.clock.run_for(4 * EVERY)
    assert len(paper.said("list_tables")) == 6


def test_somebody_new_sees_the_demonstration_first_and_others_last(paper: Paper) -> None:
    page = paper.page
    listing(paper, [line("a"), line("show", demonstration=True, people=()), line("b")])
    page.goto(paper.at("/"))
    expect(page.locator("[data-table]")).to_have_count(3)
    assert shown(page) == ["show", "a", "b"]
    page.evaluate("() => localStorage.setItem('parlour.token', 'one-that-was-here-before')")
    page.reload()
    expect(page.locator("[data-table]")).to_have_count(3)
    assert shown(page) == ["a", "b", "show"]


def test_one_way_in_is_a_quick_match_of_the_game_that_is_chosen(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    page.locator("[name='game'][value='classical']").check()
    page.locator("[data-quick]").click()
    assert paper.wait_for("quick_match") == {"type": "quick_match", "ruleset": "classical"}


def test_the_other_way_in_is_a_table_as_one_wants_it(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    page.locator("[data-options] summary").click()
    chosen = {"length": "1", "start": "together", "public": "true", "clocks": "brisk", "floor": "2000"}
    for key, value in {**chosen, "watching": "late", "reveal": "deal", "bot='1'": "random"}.items():
        page.locator(f"[data-{key}]").select_option(value)
    page.locator("[data-pad]").check()
    page.locator("[data-play]").click()
    expected: dict[str, Any] = {
        "type": "create_table",
        "ruleset": "lrc",
        "options": {},
        "rounds": 1,
        "clocks": "brisk",
        "bots": ["steady", "random", "steady"],
        "pad_windows": True,
        "public": True,
        "start": "together",
        "watching": "late",
        "reveal": "deal",
        "floor_ms": 2000,
    }
    assert paper.wait_for("create_table") == expected


def test_who_lets_nobody_watch_is_told_that_nobody_can_come_later(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    page.locator("[data-options] summary").click()
    hint = page.get_by_text("nobody else can sit down either")
    expect(hint).to_have_count(0)
    page.locator("[data-watching]").select_option("never")
    expect(hint).to_be_visible()


def test_without_clocks_no_window_has_a_full_time_to_wait_for(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    page.locator("[data-options] summary").click()
    page.locator("[data-pad]").check()
    page.locator("[data-clocks]").select_option("off")
    expect(page.locator("[data-pad]")).to_be_disabled()
    page.locator("[data-play]").click()
    made = paper.wait_for("create_table")
    assert (made["pad_windows"], made["floor_ms"]) == (False, None)


def test_whoever_watches_only_joins(paper: Paper) -> None:
    page = paper.page
    listing(paper, [line("a")])
    page.goto(paper.at("/"))
    page.locator("[data-watch]").click()
    expect(page).to_have_url(paper.at("/t/table-named-a"))
    assert paper.wait_for("join") == {"type": "join", "table": "table-named-a", "seen": None}
    assert paper.said("take_seat") == []


def test_a_full_table_is_only_watched(paper: Paper) -> None:
    page = paper.page
    listing(paper, [line("a", people=("A", "B", "C", "D"))])
    page.goto(paper.at("/"))
    expect(page.locator("[data-watch]")).to_have_count(1)
    assert page.locator("[data-sit]").count() == 0


def test_names_and_switches_are_shown_as_text_whatever_they_hold(paper: Paper) -> None:
    page = paper.page
    hostile = "<img src=x onerror=alert(1)>"
    odd = evolve(line("a", people=(hostile,)), options={hostile: hostile})
    listing(paper, [odd])
    page.goto(paper.at("/"))
    expect(page.locator("[data-table]")).to_contain_text(hostile)
    assert page.locator("[data-table] img").count() == 0


def test_what_the_house_tells_stays_until_it_is_over(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    expect(page.locator("[data-play]")).to_be_enabled()
    paper.say(Notice("storage"))
    told = page.get_by_role("status").filter(has_text="cannot write")
    page.clock.run_for(10_000)
    expect(told).to_be_visible()
    paper.say(Notice("storage_back"))
    page.clock.run_for(10_000)
    expect(told).to_have_count(0)
    paper.say(Notice("restart"))
    page.clock.run_for(10_000)
    expect(page.get_by_role("status").filter(has_text="restart")).to_be_visible()


def test_whoever_is_banned_is_told_so_and_left_in_peace(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    expect(page.locator("[data-play]")).to_be_enabled()
    paper.say(Error("banned", "you may not come in"))
    expect(page.get_by_role("alertdialog", name="You may not come in here.")).to_be_visible()
    page.clock.run_for(60_000)
    assert len(paper.said("hello")) == 1


def test_the_front_page_is_reached_and_left_with_the_browsers_own_buttons(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/"))
    page.get_by_role("link", name="Past games").click()
    expect(page).to_have_url(paper.at("/games"))
    page.get_by_role("link", name="Open a record").click()
    expect(page.get_by_role("heading", name="Replay")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Past games")).to_be_visible()
    page.go_back()
    expect(page.locator("[data-play]")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Past games")).to_be_visible()
    assert len(paper.said("hello")) == 1, "a page is another view of the same line"


def test_two_people_meet_at_a_public_table(open_house: Callable[..., House], open_page: OpenPage) -> None:
    house = open_house(seat=0)
    owner, friend = open_page(), open_page("zh-HK", PHONE)
    owner.goto(house.url)
    owner.locator("#name").fill("Wing")
    owner.get_by_role("button", name="Save").click()
    owner.locator("[data-options] summary").click()
    owner.locator("[data-public]").select_option("true")
    owner.locator("[data-clocks]").select_option("off")
    owner.locator("[data-play]").click()
    owner.locator("[data-discard]").first.wait_for()

    friend.goto(house.url)
    row = friend.locator("[data-table]").filter(has_text="Wing")
    expect(row).to_contain_text("不計時")
    row.locator("[data-sit]").click()
    friend.locator("[data-discard]").first.wait_for()
    assert friend.url == owner.url
    assert own_seat(friend) != own_seat(owner)

    # Who goes to look at something else keeps the seat, and finds the way back on the front page.
    friend.go_back()
    friend.locator("[data-back]").click()
    friend.locator("[data-discard]").first.wait_for()
    assert friend.url == owner.url


def test_whoever_plays_at_once_sits_down_where_a_seat_is_free(
    open_house: Callable[..., House], open_page: OpenPage
) -> None:
    house = open_house()
    first, second = open_page(), open_page()
    for page in (first, second):
        page.goto(house.url)
        page.locator("[data-quick]").click()
        page.locator("[data-discard]").first.wait_for()
    assert first.url == second.url
    assert own_seat(first) != own_seat(second)


def test_a_private_table_is_in_no_list(open_house: Callable[..., House], open_page: OpenPage) -> None:
    house = open_house()
    sit_down(open_page(), house.url)
    page = open_page()
    page.goto(house.url)
    expect(page.get_by_text("Looking for tables")).to_have_count(0)
    assert page.locator("[data-sit]").count() == 0


def test_what_was_too_much_at_once_can_be_done_again(paper: Paper) -> None:
    page = paper.page
    listing(paper, [line("a")])

    def refuse(_: dict[str, Any]) -> Error:
        return Error("too_many", "wait")

    paper.answers["quick_match"] = refuse
    page.goto(paper.at("/"))
    quick = page.locator("[data-quick]")
    for times in (1, 2):
        quick.click()
        paper.wait_for("quick_match", times)
        expect(page.get_by_text("That was too often in a short time.")).to_be_visible()
        expect(quick).to_be_enabled()


def test_a_table_that_one_came_to_too_often_is_gone_to_again_after_a_rest(paper: Paper) -> None:
    page = paper.page
    paper.answers["join"] = lambda _: Error("too_many", "wait")
    page.goto(paper.at("/t/table-named-a-and-more"))
    paper.wait_for("join")
    expect(page.get_by_text("That was too often in a short time.")).to_be_visible()
    page.clock.run_for(2900)
    assert len(paper.said("join")) == 1
    page.clock.run_for(3200)
    assert paper.wait_for("join", 2)["table"] == "table-named-a-and-more"


def test_somebody_new_who_is_told_to_wait_says_hello_again(open_page: OpenPage) -> None:
    page = open_page()
    page.clock.install()
    paper = Paper(page)
    paper.instead = Error("too_many", "too many new guests from this address; wait a minute")
    page.goto(paper.at("/"))
    paper.wait_for("hello")
    expect(page.locator("[data-quick]")).to_be_disabled()
    paper.instead = None
    page.clock.run_for(6100)
    paper.wait_for("hello", 2)
    expect(page.locator("[data-quick]")).to_be_enabled()
