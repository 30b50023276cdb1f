"""The rule book from the first page and over a game, and the answer to why one cannot win."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour_server.rulesets import load_ruleset
from tests.e2e.conftest import PHONE
from tests.e2e.house import House
from tests.e2e.player import TURN, keep_settings, own_tiles, sit_down
from tests.kit.walls import scripted_wall

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenHouse = Callable[..., House]
OpenPage = Callable[..., Page]

THREE_SHORT = scripted_wall(["123m456m789p22s4455z67s", "", "", ""])
"""East has three sets, then 22s, 44z, 55z and 67s for two sets and eyes."""
READY = scripted_wall(["2z", "123m456p789s11s99m", "", ""], draws="2p", procedure=load_ruleset("classical").procedure)
"""P0 throws 2z; P1, who waits for 1s and 9m, draws 2p."""


@pytest.mark.parametrize(("locale", "size"), [("en-GB", None), ("zh-HK", PHONE)])
def test_every_games_book_is_read_from_the_first_page(
    open_house: OpenHouse, open_page: OpenPage, locale: str, size: dict[str, int] | None
) -> None:
    page = open_page(locale) if size is None else open_page(locale, size)
    page.goto(open_house().url)
    page.locator("[data-rules]").click()
    book = page.get_by_role("dialog")
    for key in ("lrc", "classical", "classical-limit"):
        book.locator("header select").select_option(key)
        expect(page).to_have_url(re.compile(f"#/rules/{key}$"))
        ruleset = load_ruleset(key)
        expect(book.locator(".row")).to_have_count(len(ruleset.sheet))
        named = [row.names["zh-Hant" if size else "en"] for row in ruleset.sheet]
        assert book.locator(".row h3").all_text_contents() == named
        # Every row shows a hand that has it, the tile that won pointed out, and one that just misses.
        rows = book.locator(".row").evaluate_all(
            "rows => rows.map(row => row.querySelectorAll('.hands .tiles').length)"
        )
        assert set(rows) == {2}, [name for name, hands in zip(named, rows, strict=True) if hands != 2]
        assert book.locator(".row .marked").count() > len(named) / 2
    page.go_back()
    expect(book).to_have_count(0)
    expect(page.locator("[data-play]")).to_be_enabled()


def test_the_book_is_searched_and_opened_by_its_link(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    page.goto(f"{open_house().url}#/rules/classical/mah_jongg")
    book = page.get_by_role("dialog", name="Rule book")
    expect(book.locator(".wanted")).to_be_in_viewport()
    whole = book.locator(".row").count()
    book.get_by_role("searchbox").fill("THREE table")
    found = book.locator(".row").count()
    assert 0 < found < whole
    # The other language's words find it too.
    book.get_by_role("searchbox").fill("自摸")
    assert 0 < book.locator(".row").count() < whole
    book.get_by_role("searchbox").fill("zebra")
    expect(book.get_by_role("status")).to_have_text("0 rules")
    expect(book.locator(".row")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(book).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/$"))


def test_a_book_that_cannot_be_fetched_says_so_and_is_asked_for_again(
    open_house: OpenHouse, open_page: OpenPage
) -> None:
    page = open_page(expected="/rules/lrc.json|503")
    failing = True
    page.route("**/rules/lrc.json", lambda route: route.fulfill(status=503) if failing else route.continue_())
    page.goto(f"{open_house().url}#/rules/lrc")
    expect(page.get_by_role("alert")).to_contain_text("could not be fetched")
    failing = False
    page.get_by_role("button", name="Try now").click()
    expect(page.locator(".row").first).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "This server has no such rule book."), ("zh-HK", "這個伺服器沒有這本規則書。")]
)
def test_a_book_that_there_is_not_is_told_from_a_lost_line(
    open_house: OpenHouse, open_page: OpenPage, locale: str, said: str
) -> None:
    page = open_page(locale, PHONE, expected=r"/rules/nope.json|\b404\b")
    page.goto(f"{open_house().url}#/rules/nope")
    book = page.get_by_role("dialog")
    expect(book.get_by_role("alert")).to_have_text(said)
    # No game is shown as chosen, and what would fail again is not offered; the way out and each game's book are.
    expect(book.locator("select")).to_have_count(0)
    games = ["lrc", "classical", "classical-limit"]
    language = "zh-Hant" if locale == "zh-HK" else "en"
    names = {load_ruleset(key).names[language] for key in games}
    assert set(book.get_by_role("listitem").all_inner_texts()) == names
    expect(book.get_by_role("button")).to_have_count(len(games) + 1)

    book.get_by_role("button", name=load_ruleset("classical").names[language], exact=True).press("Enter")
    expect(page).to_have_url(re.compile("#/rules/classical$"))
    expect(book.locator(".row")).to_have_count(len(load_ruleset("classical").sheet))
    expect(book.locator("select")).to_have_value("classical")
    # The button is gone with its list; the keys are still the book's.
    page.keyboard.press("Escape")
    expect(book).to_have_count(0)


def test_the_book_lies_over_the_table_and_the_question_waits(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    keep_settings(page, confirm=False)
    link = sit_down(page, open_house(seat=0).url, clocks="off")
    page.locator(TURN).first.wait_for()
    tiles = own_tiles(page)
    book = page.get_by_role("dialog", name="Rule book")
    for close in ("button", "key", "back"):
        page.locator("[data-rules]").click()
        expect(book.locator(".row").first).to_be_attached()
        expect(book.get_by_text("You are asked")).to_be_visible()
        # The keyboard stays in the book.
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.closest('[role=dialog]') !== null")
        if close == "button":
            book.get_by_role("button", name="Back to the table").click()
        elif close == "key":
            page.keyboard.press("Escape")
        else:
            page.go_back()
        expect(book).to_have_count(0)
        assert page.url == link
        assert own_tiles(page) == tiles
    page.locator(TURN).last.click()
    expect(page.locator(".river.self [data-tile]")).to_have_count(1)


def test_what_is_missing_is_told_in_words_and_tiles(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page("en-GB", PHONE)
    sit_down(page, open_house(walls=[THREE_SHORT], seat=0, bots={}).url, clocks="off")
    page.locator("[data-why-button]").click()
    answer = page.locator("[data-why]")
    expect(answer).to_have_attribute("data-why", "incomplete")
    expect(answer).to_contain_text("2 tiles are missing")
    helping = answer.locator("[data-tiles='helping'] [data-tile]").evaluate_all("t => t.map(t => t.dataset.tile)")
    # 4z or 5z makes one set, 5s or 8s the other.
    assert {"5s", "8s", "4z", "5z"} <= set(helping)
    # It stands above the question, which can be answered meanwhile; what has moved on is asked anew.
    keep = page.locator(TURN).last
    box, panel = keep.bounding_box(), answer.bounding_box()
    assert box is not None
    assert panel is not None
    assert panel["y"] + panel["height"] <= box["y"]
    answer.get_by_role("button", name="Close").click()
    expect(answer).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "zh-HK"])
def test_a_ready_hand_is_told_what_completes_it(open_house: OpenHouse, open_page: OpenPage, locale: str) -> None:
    page = open_page(locale)
    keep_settings(page, confirm=False)
    house = open_house(walls=[READY], seat=1, bots={0: ["discard 2z"]})
    sit_down(page, house.url, clocks="off", game="classical")
    page.locator(TURN).first.wait_for()
    page.locator("[data-why-button]").click()
    answer = page.locator("[data-why]")
    completing = answer.locator("[data-tiles='completing'] [data-tile]")
    assert completing.evaluate_all("t => t.map(t => t.dataset.tile)") == ["9m", "1s"]
    said = answer.inner_text()
    assert bool(re.search("[\u4e00-\u9fff]", said)) is (locale == "zh-HK")
    # Nobody else learns of it, and after the next move the answer is an old one.
    page.locator("[data-discard='2p'][aria-disabled='false']").click()
    again = answer.locator("[data-why-again]")
    again.click()
    expect(answer).to_have_attribute("data-why", re.compile("no_tile|other_tile|incomplete|can_win"))


def test_a_watcher_is_not_offered_the_question(open_house: OpenHouse, open_page: OpenPage) -> None:
    owner, watcher = open_page(), open_page()
    watcher.goto(sit_down(owner, open_house().url, clocks="off"))
    watcher.locator(".seat .plate").first.wait_for()
    expect(owner.locator("[data-why-button]")).to_have_count(1)
    expect(watcher.locator("[data-why-button]")).to_have_count(0)
    expect(watcher.locator("[data-rules]")).to_have_count(1)
