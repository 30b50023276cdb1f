"""People at one table of a real server: they wait and begin, talk, pause, look back, watch late, see the shuffle."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from parlour_server.settings import Bots, Listen, Settings, Tables
from parlour_server.table import presence
from tests.e2e.conftest import PHONE
from tests.e2e.house import House
from tests.e2e.player import AUTOPILOT, OFFER, keep_settings

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenPage = Callable[..., Page]

BROKEN = "WebSocket connection to|ERR_CONNECTION|ERR_EMPTY_RESPONSE|503"


@pytest.fixture
def house() -> Iterator[House]:
    """A server that shuffles as it does for everybody, with bots that do not dawdle."""
    settings = Settings(listen=Listen(port=0), tables=Tables(floor_ms=60), bots=Bots(0, 20))
    with House(settings) as opened:
        yield opened


def new_table(page: Page, url: str, **how: str) -> str:
    """Make a table as the front page offers it; returns its link."""
    page.goto(url)
    page.locator("[data-options] summary").click()
    for field, value in how.items():
        page.locator(f"[data-{field}]").select_option(value)
    page.locator("[data-play]:enabled").click()
    expect(page).to_have_url(re.compile(r"/t/[\w-]{20,}$"))
    return page.url


def play(*pages: Page) -> Callable[[], None]:
    """Let these people play by themselves; call what is returned to stop them."""
    timers = [(page, page.evaluate(AUTOPILOT)) for page in pages]

    def stop() -> None:
        for page, timer in timers:
            page.evaluate("timer => clearInterval(timer)", timer)

    return stop


def company(house: House, open_page: OpenPage) -> tuple[Page, Page, Page]:
    """Ann and Bob at a table that Ann has begun, and Eve who watches."""
    ann, bob, eve = open_page(), open_page("zh-HK", PHONE), open_page()
    for page in (ann, bob):
        keep_settings(page, confirm=False)
    link = new_table(ann, house.url, start="together", clocks="off")
    ann.locator("[data-waiting]").wait_for()
    bob.goto(link)
    bob.locator("[data-waiting] [data-take]").first.click()
    bob.locator("[data-waiting] li.you").wait_for()
    expect(bob.locator("[data-start]")).to_have_count(0)
    eve.goto(link)
    expect(eve.locator("[data-waiting] li.person")).to_have_count(2)
    ann.locator("[data-start]").click()
    for page in (ann, bob):
        page.locator("[data-discard]").first.wait_for()
    eve.locator(".centre").wait_for()
    return ann, bob, eve


def test_everybody_adds_to_the_shuffle_and_sees_it(house: House, open_page: OpenPage) -> None:
    ann, bob, eve = company(house, open_page)
    told = []
    for page in (ann, bob, eve):
        page.locator("[data-menu]").click()
        page.locator("[data-fair]").click()
        sheet = page.locator("[data-fairness]")
        parts = sheet.locator("[data-nonce]").all_inner_texts()
        assert sum(bool(re.fullmatch("[0-9a-f]{32}", part)) for part in parts) == 2
        told.append(sheet.locator("[data-commit]").inner_text())
    assert len(set(told)) == 1
    for page in (ann, bob):
        expect(page.locator("[data-used=true]")).to_be_visible()
        assert page.locator("[data-sent]").inner_text() in page.locator("[data-nonce]").all_inner_texts()
    expect(eve.locator("[data-sent]")).to_have_count(0)
    expect(eve.locator("[data-used]")).to_have_count(0)


def test_what_players_say_all_hear_and_what_watchers_say_no_player(house: House, open_page: OpenPage) -> None:
    ann, bob, eve = company(house, open_page)
    for page, words in ((bob, "你好 Ann"), (eve, "psst")):
        page.locator("[data-talk]").click()
        page.locator("[data-say]").fill(words)
        page.locator("[data-say]").press("Enter")
    expect(eve.locator(".chat .log")).to_contain_text("psst")
    eve.locator("[data-room=players]").click()
    expect(eve.locator(".chat .log")).to_contain_text("你好 Ann")
    expect(ann.locator(".unread")).to_have_text("1")
    ann.locator("[data-talk]").click()
    expect(ann.locator(".chat .log")).to_contain_text("你好 Ann")
    expect(ann.locator(".unread")).to_have_count(0)
    assert "psst" not in ann.locator("body").inner_text()
    # Who comes later reads what was said, and it is not news.
    late = open_page()
    late.goto(ann.url)
    late.locator("[data-talk]").wait_for()
    expect(late.locator(".unread")).to_have_count(0)
    late.locator("[data-talk]").click()
    expect(late.locator(".chat .log")).to_contain_text("psst")


def test_a_pause_holds_when_all_want_it_and_ends_when_one_does(house: House, open_page: OpenPage) -> None:
    ann, bob, eve = company(house, open_page)
    ann.locator("[data-menu]").click()
    ann.locator("[data-pause]").click()
    wish = bob.locator("[data-wish=pause]")
    expect(wish).to_be_visible()
    expect(eve.locator("[data-stopped]")).to_have_count(0)
    wish.locator("button").click()
    for page in (ann, bob, eve):
        expect(page.locator("[data-stopped=agreed]")).to_be_visible()
    expect(ann.locator("[data-discard][aria-disabled='false']")).to_have_count(0)
    expect(eve.locator("[data-go-on]")).to_have_count(0)
    ann.locator("[data-go-on]").click()
    for page in (ann, bob, eve):
        expect(page.locator("[data-stopped]")).to_have_count(0)


def test_those_who_are_left_end_the_match_by_their_votes(
    house: House, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "GONE", 0.1)
    ann, bob, eve = company(house, open_page)
    cat = open_page()
    cat.goto(ann.url)
    cat.locator("button.take").first.click()
    cat.locator("[data-discard]").first.wait_for()
    cat.close()
    # The first deal to its end.
    for page in (ann, bob):
        page.evaluate(AUTOPILOT.replace("[data-ready]:enabled, ", ""))
    ann.locator("[data-ready]").wait_for(timeout=60_000)
    vote = {page: page.locator("[data-wish=end]") for page in (ann, bob, eve)}
    expect(vote[ann]).to_be_visible(timeout=30_000)
    expect(vote[eve].locator("button")).to_have_count(0)
    vote[ann].locator("button").click()
    expect(vote[bob]).to_contain_text("2 人中 1 人想結束")
    vote[bob].locator("button").click()
    for page in (ann, bob, eve):
        expect(page.get_by_role("alertdialog")).to_be_visible()
    expect(eve.locator("[data-games]")).to_have_count(0)
    ann.locator("[data-games]").click()
    # The line is a new one there, and what is asked before its welcome is answered as well.
    expect(ann.get_by_text("You have not finished a match yet.")).to_be_visible()
    expect(ann.get_by_text("Your figures come with your first finished match.")).to_be_visible()


def test_a_watcher_looks_back_and_is_not_taken_along(house: House, open_page: OpenPage) -> None:
    ann, bob, eve = company(house, open_page)
    stop = play(ann, bob)
    eve.locator("ol.river li").nth(5).wait_for()
    stop()
    eve.locator("[data-look-back]").click()
    place = eve.locator("[data-past] input[type=range]")
    place.wait_for()
    eve.evaluate("() => document.activeElement.blur()")
    eve.keyboard.press("Home")
    expect(eve.locator("ol.river li")).to_have_count(0)
    eve.keyboard.press("ArrowRight")
    eve.keyboard.press("ArrowRight")
    shown, most = place.input_value(), int(place.get_attribute("max") or "0")
    stop = play(ann, bob)
    # More happens meanwhile: there is more to step through, or another deal, and what one sees stays.
    eve.wait_for_function(
        """most => Number(document.querySelector("[data-past] input[type=range]").max) > most
            || document.querySelector("[data-behind]").textContent.includes("deal")""",
        arg=most,
    )
    assert place.input_value() == shown
    expect(eve.locator("[data-behind]")).to_have_text(re.compile("behind"))
    stop()
    eve.locator("[data-live]").click()
    expect(eve.locator("[data-past]")).to_have_count(0)


def test_whoever_looks_back_is_called_to_the_own_turn(house: House, open_page: OpenPage) -> None:
    ann = open_page()
    keep_settings(ann, confirm=False)
    new_table(ann, house.url, clocks="off")
    ann.locator(OFFER).first.wait_for()
    ann.locator("[data-look-back]").click()
    call = ann.locator("[data-your-turn]")
    expect(call).to_be_visible()
    expect(ann.locator(OFFER)).to_have_count(0)
    call.click()
    expect(ann.locator(OFFER).first).to_be_visible()


def test_a_deal_is_seen_whole_one_late_and_nothing_of_the_running_one(house: House, open_page: OpenPage) -> None:
    ann, eve = open_page(), open_page()
    keep_settings(ann, confirm=False)
    heard: list[str] = []

    def note(frame: str | bytes) -> None:
        heard.append(frame if isinstance(frame, str) else frame.decode("utf-8", "replace"))

    eve.on("websocket", lambda line: line.on("framereceived", note))
    link = new_table(ann, house.url, watching="late", clocks="off", length="1")
    eve.goto(link)
    eve.locator("[data-watching=late]").wait_for()
    expect(eve.locator(".centre")).to_have_count(0)
    stop = play(ann)
    eve.locator("[data-past]").wait_for(timeout=60_000)
    expect(eve.locator("[data-past]")).to_have_attribute("data-past", "1")
    # All four hands lie open, from the beginning; its settlement is not given away.
    assert eve.locator("[data-open-hand] [data-tile]").count() in (16, 17)
    expect(eve.locator(".seat .hand.open")).to_have_count(3)
    expect(eve.locator(".sheet")).to_have_count(0)
    stop()
    assert not [message for message in heard if json.loads(message)["type"] == "events"]


def test_an_invited_friend_waits_at_a_table_that_is_watched_late(house: House, open_page: OpenPage) -> None:
    ann, bob, eve = open_page(), open_page("zh-HK", PHONE), open_page()
    link = new_table(ann, house.url, watching="late", start="together", clocks="off")
    ann.locator("[data-waiting]").wait_for()
    for page in (bob, eve):
        page.goto(link)
        page.locator("[data-waiting]").wait_for()
    bob.locator("[data-waiting] [data-take]").first.click()
    bob.locator("[data-waiting] li.you").wait_for()
    expect(eve.locator("[data-waiting] li.person")).to_have_count(2)
    ann.locator("[data-start]").click()
    for page in (ann, bob):
        page.locator("[data-discard]").first.wait_for()
    # Who has no seat is told that it has begun, and nothing of the deal.
    expect(eve.locator("[data-waiting]")).to_have_count(0)
    expect(eve.locator("[data-watching=late]")).to_be_visible()
    expect(eve.locator(".centre")).to_have_count(0)


def test_a_table_that_nobody_may_watch_says_so(house: House, open_page: OpenPage) -> None:
    ann, eve = open_page(), open_page()
    link = new_table(ann, house.url, watching="never", clocks="off")
    ann.locator("[data-discard]").first.wait_for()
    eve.goto(link)
    told = eve.get_by_role("alertdialog", name="This table is not shown to watchers.")
    expect(told).to_be_visible()
    told.get_by_role("button").click()
    expect(eve.locator("[data-play]")).to_be_visible()


def test_whoever_has_no_seat_is_sent_away_as_a_match_begins_that_nobody_may_watch(
    house: House, open_page: OpenPage
) -> None:
    ann, eve = open_page(), open_page()
    link = new_table(ann, house.url, watching="never", start="together")
    eve.goto(link)
    expect(eve.locator("[data-waiting]")).to_contain_text("take a seat before the match begins")
    ann.locator("[data-start]").click()
    told = eve.get_by_role("alertdialog", name="The match has begun, and nobody may watch this table.")
    expect(told).to_be_visible()
    told.get_by_role("button").click()
    expect(eve.locator("[data-play]")).to_be_visible()


def test_a_table_waits_after_a_restart_for_whoever_is_missing(house: House, open_page: OpenPage) -> None:
    ann, bob = open_page(expected=BROKEN), open_page(expected=BROKEN)
    keep_settings(ann, confirm=False)
    link = new_table(ann, house.url, start="together", clocks="off")
    bob.goto(link)
    bob.locator("[data-waiting] [data-take]").first.click()
    ann.locator("[data-waiting] li.person").nth(1).wait_for()
    ann.locator("[data-start]").click()
    tiles = ann.locator("[data-discard]")
    tiles.first.wait_for()
    before = tiles.evaluate_all("found => found.map(tile => tile.dataset.discard)")
    bob.context.set_offline(True)
    house.come_back()
    waiting = ann.locator("[data-stopped=restart]")
    expect(waiting).to_be_visible(timeout=30_000)
    expect(waiting).to_contain_text("Waiting for")
    bob.context.set_offline(False)
    expect(waiting).to_have_count(0, timeout=30_000)
    assert tiles.evaluate_all("found => found.map(tile => tile.dataset.discard)") == before
