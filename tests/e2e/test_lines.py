"""Lines that break, servers that stop, tabs that meet, people who leave: each is told what happened and finds a way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.house import House
from tests.e2e.player import OFFER, TURN, keep_settings, own_seat, own_tiles, play_until, sit_down

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenHouse = Callable[..., House]
OpenPage = Callable[..., Page]

BROKEN = "WebSocket connection to|ERR_CONNECTION|ERR_EMPTY_RESPONSE|503"
"""What Chromium writes into the console about a line that breaks, and about the icon that was still on its way."""
SPREAD = 20_000
"""Milliseconds: a page comes back to a server that was gone at some moment of eight seconds, as all others do."""


def test_a_line_that_drops_is_restored_to_the_same_seat_and_hand(open_house: OpenHouse, open_page: OpenPage) -> None:
    house = open_house(seat=0)
    page = open_page(expected=BROKEN)
    keep_settings(page, confirm=False)
    sit_down(page, house.url, clocks="off")
    page.locator(TURN).first.wait_for()
    seat, tiles = own_seat(page), own_tiles(page)

    house.cut()
    banner = page.get_by_text("The line is down. Your seat is kept; reconnecting")
    expect(banner).to_be_visible()
    # A tap meanwhile goes nowhere, and afterwards it is still one's turn.
    page.locator(TURN).last.click()
    house.mend()
    expect(banner).to_have_count(0, timeout=SPREAD)
    expect(page.get_by_text("You are back in your seat.")).to_be_visible()

    assert own_seat(page) == seat
    page.locator(TURN).first.wait_for()
    assert own_tiles(page) == tiles
    turns = 0

    def two_turns() -> bool:
        nonlocal turns
        turns += page.locator(TURN).count() > 0
        return turns > 2

    play_until(page, two_turns)


def test_a_server_that_restarts_gives_the_seat_back(open_house: OpenHouse, open_page: OpenPage) -> None:
    house = open_house(seat=0)
    page = open_page(expected=BROKEN)
    sit_down(page, house.url, clocks="off")
    page.locator(TURN).first.wait_for()
    tiles = own_tiles(page)
    house.stop()
    expect(page.get_by_role("status").filter(has_text="Your seat is kept")).to_be_visible()
    assert page.get_by_role("alertdialog").count() == 0

    house.come_back()
    expect(page.get_by_text("You are back in your seat.")).to_be_visible(timeout=SPREAD)
    page.locator(TURN).first.wait_for()
    assert own_tiles(page) == tiles


def test_a_server_that_comes_back_without_the_table_is_noticed(open_house: OpenHouse, open_page: OpenPage) -> None:
    # Nobody heard a goodbye.
    house = open_house()
    page = open_page(expected=BROKEN)
    sit_down(page, house.url)
    house.crash()
    expect(page.get_by_text("reconnecting")).to_be_visible()
    house.restart()

    told = page.get_by_role("alertdialog", name="There is no such table any more.")
    expect(told).to_be_visible(timeout=SPREAD)
    told.get_by_role("button", name="To the first page").click()
    # The guest of the old server is a new one here, and may play at once.
    page.locator("[data-play]:enabled").click()
    page.locator("[data-discard]").first.wait_for()


def test_a_second_tab_takes_the_table_and_gives_it_back(open_house: OpenHouse, open_page: OpenPage) -> None:
    first = open_page()
    link = sit_down(first, open_house().url, clocks="off")
    seat = own_seat(first)
    second = open_page(beside=first)
    second.goto(link)
    second.locator("[data-discard]").first.wait_for()
    assert own_seat(second) == seat

    told = "You opened this table in another tab. Play goes on there."
    expect(first.get_by_role("alertdialog", name=told)).to_be_visible()
    first.get_by_role("button", name="Play here").click()
    expect(first.get_by_role("alertdialog")).to_have_count(0)
    expect(second.get_by_role("alertdialog", name=told)).to_be_visible()
    first.locator(OFFER).first.wait_for()
    assert own_seat(first) == seat


def test_whoever_leaves_is_followed_by_a_bot(open_house: OpenHouse, open_page: OpenPage) -> None:
    page, other = open_page(), open_page()
    link = sit_down(page, open_house().url, clocks="off")
    seat = own_seat(page)
    other.goto(link)
    plate = other.locator(f".seat[data-seat='{seat}'] .plate")
    expect(plate.get_by_text("bot", exact=True)).to_have_count(0)

    page.locator("[data-leave]").click()
    expect(page.get_by_text("Leave for good? A bot takes your seat.")).to_be_visible()
    page.get_by_role("button", name="Stay").click()
    page.locator("[data-leave]").click()
    page.locator("[data-leave-sure]").click()

    expect(page.locator("[data-play]")).to_be_enabled()
    expect(page.locator("[data-back]")).to_have_count(0)
    expect(plate.get_by_text("bot", exact=True)).to_be_visible()
    # The bot plays on: the deal is not stuck at the seat that was left.
    other.locator(f".river.{place(other, seat)} [data-tile]").first.wait_for()
    # Back by the link one is a watcher, who may take a seat again.
    page.goto(link)
    expect(page.get_by_text("You are watching. Take a bot's seat to play.")).to_be_visible()
    assert page.locator("[data-discard]").count() == 0


def place(page: Page, seat: int) -> str:
    """Where a seat lies on the screen."""
    classes = (page.locator(f".seat[data-seat='{seat}']").get_attribute("class") or "").split()
    return next(name for name in ("self", "right", "across", "left") if name in classes)


def test_settings_outlive_the_page(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    sit_down(page, open_house().url, clocks="off")
    expect(page.locator("[data-discard] use").first).to_have_attribute("href", "#indexed-" + own_tiles(page)[0])
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Numerals on tiles").uncheck()
    page.get_by_role("button", name="繁體中文").click()
    page.reload()

    page.locator("[data-discard]").first.wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant-HK")
    expect(page.locator("[data-discard] use").first).to_have_attribute("href", "#tile-" + own_tiles(page)[0])
    page.get_by_role("button", name="設定").click()
    expect(page.get_by_label("牌角顯示數字")).not_to_be_checked()
    expect(page.get_by_label("按兩下才打牌")).to_be_checked()
