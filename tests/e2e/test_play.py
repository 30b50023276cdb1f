"""What a person is offered in the rare moments of a deal, and how its end is shown. Walls and bots are written down."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE
from tests.e2e.house import House
from tests.e2e.player import (
    AUTOPILOT,
    SETTLED,
    TURN,
    keep_settings,
    numbers,
    own_seat,
    own_tiles,
    play_until,
    sit_down,
)
from tests.kit.walls import scripted_wall

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenHouse = Callable[..., House]
OpenPage = Callable[..., Page]

THREE_SHEUNGS = scripted_wall(["6m", "4578m", "", ""])
"""P0 throws 6m, of which P1 can make three sheungs."""
TWO_GONGS = scripted_wall(["1111m2222p", "", "", ""], tail="5z6z")
ROBBED = scripted_wall(["2m1z", "", "22m", "13m456p789m222s55s777z"], draws="9s9p8p2m")
"""P0 throws 2m, P2 makes a pong of it and draws the fourth; P3 waits for 2m alone."""
ROBBING_BOTS = {0: ["discard 2m"], 2: ["pong 2m", "promoted_gong 2m"]}
SELF_DRAWN = scripted_wall(["2z", "46p123456789m11z777s", "", ""], draws="5p")
"""P0 throws 2z; P1 draws the 5p that it waits for."""
NOBODY = scripted_wall(["", "", "", ""])


def moves(page: Page, verb: str) -> list[str]:
    """The buttons of a verb, as the moves they stand for."""
    found = page.locator(f"[data-move^='{verb}']").evaluate_all("buttons => buttons.map(button => button.dataset.move)")
    return [str(move) for move in found]


@pytest.mark.parametrize("locale", ["en-GB", "zh-HK"])
def test_one_of_three_sheungs_is_chosen(open_house: OpenHouse, open_page: OpenPage, locale: str) -> None:
    house = open_house(walls=[THREE_SHEUNGS], seat=1, bots={0: ["discard 6m"]})
    page = open_page(locale, PHONE)
    sit_down(page, house.url, clocks="off")

    offered = page.locator("[data-move^='chow']")
    expect(offered).to_have_count(3)
    assert moves(page, "chow") == ["chow 456m", "chow 567m", "chow 678m"]
    # Each says which in words and shows it in tiles.
    assert len(set(offered.evaluate_all("buttons => buttons.map(button => button.ariaLabel)"))) == 3
    shown = [offered.nth(at).locator("[data-tile]").evaluate_all("t => t.map(t => t.dataset.tile)") for at in range(3)]
    assert shown == [["4m", "5m", "6m"], ["5m", "6m", "7m"], ["6m", "7m", "8m"]]
    expect(page.locator("[data-move='pass']")).to_be_visible()

    page.locator("[data-move='chow 567m']").click()

    meld = page.locator(".seat.self [data-meld='chow']")
    expect(meld.locator("[data-tile]")).to_have_count(3)
    # The claimed tile lies on its side at the left: it came from the left.
    assert meld.locator(".tile").evaluate_all("t => t.map(t => [t.dataset.tile, t.matches('.sideways')])") == [
        ["6m", True],
        ["5m", False],
        ["7m", False],
    ]
    expect(page.locator(TURN)).to_have_count(14)
    assert moves(page, "chow") == []
    assert {"4m", "8m"} <= set(own_tiles(page))
    # Its discarder's row no longer has it.
    expect(page.locator(".river.left [data-tile='6m']")).to_have_count(0)


def test_one_of_two_gongs_is_chosen_and_paid_for(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    sit_down(page, open_house(walls=[TWO_GONGS], seat=0, bots={}).url, clocks="off")

    expect(page.locator("[data-move^='concealed_gong']")).to_have_count(2)
    assert moves(page, "concealed_gong") == ["concealed_gong 1m", "concealed_gong 2p"]
    page.locator("[data-move='concealed_gong 2p']").click()

    meld = page.locator(".seat.self [data-meld='concealed_gong']")
    expect(meld.locator(".tile")).to_have_count(4)
    expect(meld.locator(".tile.down")).to_have_count(2)
    # The replacement is drawn, the other gong is still offered; each of the three has paid 5.
    expect(page.locator(TURN)).to_have_count(14)
    assert "5z" in own_tiles(page)
    assert moves(page, "concealed_gong") == ["concealed_gong 1m"]
    expect(page.locator(".seat.self .score")).to_have_text("15")
    expect(page.locator(".seat.right .score")).to_have_text("\u22125")
    assert "2p" not in own_tiles(page)


@pytest.mark.parametrize("decision", ["win", "pass"])
def test_a_gong_can_be_robbed_or_let_go(open_house: OpenHouse, open_page: OpenPage, decision: str) -> None:
    page = open_page()
    keep_settings(page, confirm=False)
    sit_down(page, open_house(walls=[ROBBED], seat=3, bots=ROBBING_BOTS).url, clocks="off")
    page.locator("[data-move='win']").wait_for()
    page.locator("[data-move='pass']").click()

    asked = page.locator(".prompt", has_text="Rob the gong of 2 of characters?")
    play_until(page, lambda: asked.count() > 0, wanted=["pass"], steps=20)
    offered = page.locator("[data-move]").evaluate_all("buttons => buttons.map(button => button.dataset.move)")
    assert offered == ["win", "pass"]
    assert page.locator(TURN).count() == 0
    page.locator(f"[data-move='{decision}']").click()

    pong = page.locator(".seat[data-seat='2'] [data-meld='pong']")
    gong = page.locator(".seat[data-seat='2'] [data-meld='promoted_gong']")
    if decision == "win":
        sheet = page.locator(f"{SETTLED} [data-winner='3']")
        expect(sheet.locator(".how")).to_have_text(re.compile(r"^robbing a gong of \S"))
        expect(sheet.locator(".tiles .marked")).to_have_attribute("data-tile", "2m")
        # P15: the pong stays a pong.
        expect(pong).to_have_count(1)
        expect(gong).to_have_count(0)
    else:
        expect(gong.locator("[data-tile='2m']")).to_have_count(4)
        assert page.locator(SETTLED).count() == 0


@pytest.mark.parametrize("locale", ["en-GB", "zh-HK"])
def test_a_win_is_shown_with_its_awards_and_payments(open_house: OpenHouse, open_page: OpenPage, locale: str) -> None:
    page = open_page(locale, PHONE)
    house = open_house(walls=[SELF_DRAWN], seat=1, bots={0: ["discard 2z"]})
    sit_down(page, house.url, clocks="off")
    page.locator("[data-move='win']").click()

    sheet = page.locator(SETTLED)
    win = sheet.locator("[data-winner]")
    expect(win).to_have_attribute("data-winner", "1")
    expect(win.locator(".how")).to_have_text("by self-draw" if locale == "en-GB" else "自摸")
    points = numbers(win.locator(".awards tbody .points").all_inner_texts())
    (total,) = numbers(win.locator(".awards tfoot .points").all_inner_texts())
    assert len(points) >= 3
    assert sum(points) == total
    assert numbers(win.locator(".sum").all_inner_texts()) == [total]
    # Every award is named in the reader's language and says which rule it comes from.
    names = win.locator(".awards tbody td:first-child").all_inner_texts()
    chinese = re.compile("[\u4e00-\u9fff]")
    assert all(name.strip() for name in names)
    assert all(bool(chinese.search(name)) is (locale == "zh-HK") for name in names)
    assert all(win.locator(".awards tbody .clause").all_inner_texts())
    # The winning tile is pointed out in the set that it completed.
    expect(win.locator(".tiles .marked")).to_have_attribute("data-tile", "5p")
    # A self-drawn win is paid by each of the three.
    paid = numbers(sheet.locator(".payments tbody tr td:nth-child(2)").all_inner_texts())
    assert paid == [3 * total if seat == 1 else -total for seat in range(4)]
    assert numbers(sheet.locator(".payments .score").all_inner_texts()) == paid

    sheet.locator("[data-ready]").click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".seat.self .score")).to_have_text(str(3 * total))


def test_whoever_plays_by_keyboard_stays_in_the_hand(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    sit_down(page, open_house(walls=[NOBODY], seat=0, bots={}).url, clocks="off")
    page.locator(TURN).last.wait_for()
    page.locator("[data-discard][tabindex='0']").focus()
    for _ in range(3):
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(TURN)).to_have_count(0)
        assert page.evaluate("() => document.activeElement.matches('[data-discard]')")
        play_until(page, lambda: page.locator(TURN).count() > 0, wanted=["pass"])
    expect(page.locator(".river.self [data-tile]")).to_have_count(3)


def test_a_deal_that_nobody_wins_is_settled(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    keep_settings(page, confirm=False)
    sit_down(page, open_house(floor_ms=0, walls=[NOBODY], seat=0, bots={}).url, clocks="off")
    page.evaluate(AUTOPILOT.replace("[data-ready]:enabled, [data-move='win'], ", ""))

    sheet = page.locator(SETTLED)
    expect(sheet.locator("h2")).to_have_text("The wall is exhausted", timeout=30_000)
    assert sheet.locator("[data-winner]").count() == 0
    assert numbers(sheet.locator(".payments .score").all_inner_texts()) == [0, 0, 0, 0]
    expect(page.locator(".centre")).to_have_attribute("aria-label", "0 tiles left")
    # The table can be looked at, and the settlement fetched back.
    sheet.get_by_role("button", name="Look at the table").click()
    expect(sheet).to_have_count(0)
    page.get_by_role("button", name="Show the settlement").click()
    expect(sheet).to_have_count(1)


def test_a_whole_match_to_the_final_standing(open_house: OpenHouse, open_page: OpenPage) -> None:
    page = open_page()
    keep_settings(page, confirm=False)
    sit_down(page, open_house(seed=3, floor_ms=0).url, clocks="off", rounds="1")
    page.evaluate(AUTOPILOT)

    standing = page.get_by_role("dialog", name="Final standing")
    standing.wait_for(timeout=90_000)
    scores = numbers(standing.locator(".score").all_inner_texts())
    assert len(scores) == 4
    assert sum(scores) == 0
    assert scores == sorted(scores, reverse=True)
    ranks = numbers(standing.locator(".rank").all_inner_texts())
    assert ranks[0] == 1
    assert ranks == sorted(ranks)
    table = numbers(page.locator(".plate .score").all_inner_texts())
    assert sorted(table, reverse=True) == scores
    assert own_seat(page) in range(4)

    # Whoever looks at the last settlement, and at the table under it, comes back to the standing.
    standing.get_by_role("button", name="Settlement").click()
    page.get_by_role("dialog", name="Settlement").get_by_role("button", name="Look at the table").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Final standing").click()
    standing.get_by_role("button", name="New table").click()
    expect(page.locator("[data-play]")).to_be_enabled()
    expect(page.locator("[data-back]")).to_have_count(0)
