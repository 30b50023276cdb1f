"""The games of thirteen tiles in a browser: chosen, played, washed and settled with all four hands."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour_server.rulesets import load_ruleset
from tests.e2e.audit import objections
from tests.e2e.conftest import PHONE
from tests.e2e.house import House
from tests.e2e.player import AUTOPILOT, SETTLED, TURN, keep_settings, numbers, own_tiles, sit_down
from tests.kit.walls import scripted_wall

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenHouse = Callable[..., House]
OpenPage = Callable[..., Page]

CLASSICAL = load_ruleset("classical").procedure
LIMIT = load_ruleset("classical-limit").procedure
SELF_DRAWN = scripted_wall(["2z", "777z222p999p55p33p", "111s", ""], draws="3p", procedure=CLASSICAL)
"""P0 throws 2z; P1, South, draws the 3p that makes a third set of three of its pair. P2 holds a set of three, too."""
HEADS = scripted_wall(["19m19p19s1234z5z5m5p5s", "", "", ""], procedure=LIMIT)
"""East is dealt eleven different heads."""


@pytest.mark.parametrize("locale", ["en-GB", "zh-HK"])
def test_a_classical_hand_is_settled_with_everybodys(open_house: OpenHouse, open_page: OpenPage, locale: str) -> None:
    page = open_page(locale, PHONE)
    keep_settings(page, confirm=False)
    sit_down(page, open_house(walls=[SELF_DRAWN], seat=1, bots={0: ["discard 2z"]}).url, clocks="off", game="classical")
    page.locator("[data-move='win']").click()
    sheet = page.locator(SETTLED)

    # 20 for Mah-Jongg, 10 without a sequence, 2 for drawing; sets in the hand 8 + 4 + 8 + 4; a red set and one suit
    # with honours double (Harr p. 5-6, 29-31).
    win = sheet.locator("[data-winner='1']")
    expect(win.locator(".sum")).to_have_text("224")
    expect(win.locator(".steps")).to_have_text("56 × 2 × 2")
    expect(win.locator(".awards tbody .points").filter(has_text="×2")).to_have_count(2)
    assert sum(numbers(win.locator(".awards tbody .points").filter(has_not_text="×").all_inner_texts())) == 56
    assert all(
        re.match(r"Harr (p\. |第 )\d|(Classical rules|古典規則) A-", text)
        for text in win.locator(".clause").all_inner_texts()
    )

    # The others are laid down and scored: West's three heads in the hand are worth 8, the rest nothing.
    sums = {seat: sheet.locator(f"[data-loser='{seat}'] .sum").inner_text() for seat in (0, 2, 3)}
    assert sums == {0: "0", 2: "8", 3: "0"}
    expect(sheet.locator("[data-loser='2'] .tile")).to_have_count(13)
    # East pays and receives double: 448 to the winner, 16 to West.
    ways = sheet.locator(".transfers tbody tr")
    expect(ways).to_have_count(5)
    assert sorted(numbers(ways.locator(".amount").all_inner_texts())) == [8, 16, 224, 224, 448]
    assert numbers(sheet.locator(".payments tbody tr td:nth-child(2)").all_inner_texts()) == [-464, 896, -200, -232]
    assert numbers(sheet.locator(".payments .score").all_inner_texts()) == [-464, 896, -200, -232]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_rule_is_told_at_its_award_and_found_in_the_book(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    sit_down(page, open_house(walls=[SELF_DRAWN], seat=1, bots={0: ["discard 2z"]}).url, clocks="off", game="classical")
    page.locator("[data-move='win']").click()
    sheet = page.get_by_role("dialog", name="Settlement")
    award = sheet.locator("[data-winner='1'] [data-award]", has_text="sequence")
    rule = str(award.get_attribute("title"))
    assert len(rule) > 20
    award.click()
    told = sheet.locator(".told")
    expect(told).to_contain_text(rule)
    told.get_by_role("link").click()

    book = page.get_by_role("dialog", name="Rule book")
    row = book.locator(".wanted")
    expect(row).to_contain_text(rule)
    expect(row).to_be_in_viewport()
    book.get_by_role("button", name="Back to the table").click()
    expect(book).to_have_count(0)
    expect(sheet.locator("[data-winner='1']")).to_be_visible()
    sheet.locator("[data-ready]").click()
    expect(sheet).to_have_count(0)


def test_a_classical_game_is_played_to_a_settlement(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    keep_settings(page, confirm=False)
    sit_down(page, open_house(seed=5, floor_ms=0).url, clocks="off", game="classical")
    assert len(own_tiles(page)) in (13, 14)
    expect(page.locator(".dice svg")).to_have_count(4)
    expect(page.locator(".centre .wall rect")).to_have_count(68)
    page.evaluate(AUTOPILOT.replace("[data-ready]:enabled, ", ""))

    sheet = page.locator(SETTLED)
    sheet.wait_for(timeout=60_000)
    assert sum(numbers(sheet.locator(".payments .score").all_inner_texts())) == 0
    winners = sheet.locator("[data-winner]").count()
    assert sheet.locator("[data-loser]").count() == (3 if winners else 0)
    # Whoever looks at the table sees what was laid down.
    sheet.get_by_role("button", name="Look at the table").click()
    if winners:
        expect(page.locator(".seat .hand.open")).to_have_count(3)


@pytest.mark.parametrize("decision", ["wash", "keep"])
def test_the_tiles_are_washed_or_kept(open_house: OpenHouse, open_page: OpenPage, decision: str) -> None:
    page = open_page()
    sit_down(page, open_house(walls=[HEADS], seat=0, bots={}).url, clocks="off", game="classical-limit")
    expect(page.get_by_text("Wash the tiles, or keep them and play?").first).to_be_visible()
    assert page.locator(TURN).count() == 0

    if decision == "keep":
        page.get_by_role("button", name="Keep").click()
        expect(page.locator(TURN)).to_have_count(14)
        return
    page.get_by_role("button", name="Wash the tiles").click()
    sheet = page.locator(SETTLED)
    expect(sheet.locator("h2")).to_contain_text("washes the tiles")
    assert sheet.locator("[data-winner], [data-loser]").count() == 0
    # Eleven heads: a hundred from each (Harr p. 61).
    assert numbers(sheet.locator(".payments .score").all_inner_texts()) == [300, -100, -100, -100]
    sheet.locator("[data-ready]").click()
    expect(page.get_by_text("Deal 2")).to_be_visible()


@pytest.mark.parametrize(("locale", "named"), [("en-GB", "House rules"), ("zh-HK", "規則選項")])
def test_a_table_plays_the_house_rules_that_were_chosen(
    open_house: OpenHouse, open_page: OpenPage, locale: str, named: str
) -> None:
    page = open_page(locale)
    page.goto(open_house(seat=0).url)
    page.locator("[name='game'][value='classical-limit']").check()
    house = page.locator("[data-house-rules]")
    house.locator("summary").click()
    house.locator("[data-option='limit']").fill("600")
    house.locator("[data-option='washing']").uncheck()
    page.evaluate("() => document.querySelector('.lobby').style.setProperty('background', 'var(--felt-light)')")
    assert objections(page) == []
    page.locator("[data-play]:enabled").click()
    page.locator("[data-discard]").first.wait_for()
    assert page.locator("[data-move='wash']").count() == 0

    page.locator("[data-rules]").click()
    book = page.get_by_role("dialog")
    changed = book.locator(".changed")
    expect(changed).to_have_count(2)
    expect(
        book.locator("section", has=page.get_by_role("heading", name=named, exact=True)).locator(".changed")
    ).to_have_count(2)
    expect(changed.filter(has_text="600")).to_have_count(1)


def test_the_game_chosen_last_is_offered_first(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    page.goto(open_house().url)
    expect(page.locator("[name='game'][value='lrc']")).to_be_checked()
    page.locator("[name='game'][value='classical']").check()
    page.reload()
    expect(page.locator("[name='game'][value='classical']")).to_be_checked()
