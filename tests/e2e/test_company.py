"""Company at a table, made up: watching, looking back, talking, standing still, waiting to begin, the shuffle."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.audit import objections
from tests.e2e.demo import Demo
from tests.e2e.test_layout import LIGHTEST, NUMBERS, PLACES, PROBLEMS, SIZES

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SCENES = (
    *("back", "backTurn", "backWatch", "lateWhole", "lateWait"),
    *("chat", "chatClaim", "chatWatch", "chatWatchPlayers"),
    *("pauseWish", "pauseOwn", "endVote", "paused", "stopStorage", "stopRestart", "stopFrozen"),
    *("waitingOwner", "waitingPlayer", "waitingWatcher", "waitingNever", "shuffling"),
    *("bankBehind", "bankRuns", "bankShort", "fair", "fairSeed", "fairBots", "fairNone", "menu", "leaving"),
)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_or_covered_or_too_small(demo: Demo, size: str) -> None:
    # U02
    demo.size(*SIZES[size])
    problems = []
    for scene in SCENES:
        for language in ("en", "zh"):
            demo.show(scene, language)
            problems += [f"{scene} {language}: {found}" for found in demo.page.evaluate(PROBLEMS)]
    assert not problems, "\n".join(problems[:20])


@pytest.mark.parametrize("size", SIZES)
def test_names_can_be_read_while_one_talks(demo: Demo, size: str) -> None:
    demo.size(*SIZES[size])
    for scene in ("chat", "chatClaim", "chatWatch"):
        demo.show(scene)
        letters = demo.page.locator(".plate .name").evaluate_all(
            "names => names.map(name => parseFloat(getComputedStyle(name).fontSize))"
        )
        assert len(letters) == 4, scene
        assert min(letters) >= 11, scene


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_accessibility_audit_finds_nothing(demo: Demo, language: str) -> None:
    demo.size(*SIZES["phone" if language == "zh" else "desk"])
    demo.page.add_style_tag(content=LIGHTEST)
    for scene in SCENES:
        demo.show(scene, language)
        assert objections(demo.page) == [], scene


@pytest.mark.parametrize("size", ["phone", "phone on its side", "desk"])
def test_a_page_that_reads_from_the_right_keeps_seats_tiles_and_numbers(demo: Demo, size: str) -> None:
    # U04
    demo.size(*SIZES[size])
    for scene in ("backTurn", "bankRuns", "bankBehind"):
        demo.show(scene)
        before = demo.page.evaluate(PLACES)
        demo.show(scene, direction="rtl")
        assert demo.page.evaluate(PLACES) == before, scene
        assert demo.page.evaluate(NUMBERS) == [], scene
        assert demo.page.evaluate(PROBLEMS) == [], scene


def test_a_watcher_turns_the_table_by_the_arrow_keys_and_it_is_remembered(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("watch")
    page = demo.page
    page.locator("[data-follow='0']").check(force=True)
    expect(page.locator(".mine .seat")).to_have_attribute("data-seat", "0")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mine .seat")).to_have_attribute("data-seat", "1")
    expect(page.locator(".across .seat")).to_have_attribute("data-seat", "3")
    demo.show("watch")
    expect(page.locator(".mine .seat")).to_have_attribute("data-seat", "1")
    page.locator("[data-follow='0']").check(force=True)


def test_who_looks_back_steps_by_keys_and_gets_to_the_own_turn_by_one_press(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("backTurn")
    page = demo.page
    assert page.locator("[data-move], [data-discard][aria-disabled='false']").count() == 0
    expect(page.locator("[data-behind]")).to_have_text("3 steps behind")
    page.evaluate("() => document.activeElement.blur()")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-behind]")).to_have_text("5 steps behind")
    page.keyboard.press("Home")
    assert page.locator("ol.river li").count() == 0
    page.keyboard.press("End")
    expect(page.locator("[data-behind]")).to_have_count(0)
    turn = page.locator("[data-your-turn]")
    expect(turn).to_have_text("Your turn! Go to the table")
    turn.press("Enter")
    expect(page.locator("[data-past]")).to_have_count(0)
    page.locator("[data-discard='8s']").press("Enter")
    page.locator("[data-discard='8s']").focus()
    assert demo.said("Enter") == "discard 8s"


def test_a_deal_that_is_told_late_shows_all_hands_from_the_chosen_side(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("lateWhole")
    page = demo.page
    expect(page.locator("[data-watching=late]")).to_contain_text("One deal late")
    page.locator("[data-follow='3']").check(force=True)
    hand = page.locator("[data-open-hand] [data-tile]").evaluate_all("found => found.map(tile => tile.dataset.tile)")
    # Seat 3 had 111222333p 4z 56789s 9s, drew and threw 9m.
    assert sorted(hand) == sorted([*(f"{n}p" for n in "111222333"), "4z", *(f"{n}s" for n in "567899")])
    assert page.locator(".hand.open").count() == 3
    assert page.locator("[data-live]").count() == 0
    page.locator("[data-follow='0']").check(force=True)


def test_what_is_typed_in_the_talk_moves_nothing_at_the_table(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("backTurn")
    page = demo.page
    page.locator("[data-talk]").click()
    field = page.locator("[data-say]")
    expect(field).to_be_focused()
    behind = page.locator("[data-behind]").inner_text()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    for key in ("ArrowLeft", "Home", "End", "PageUp", "ArrowRight", "1", "p", " ", "x"):
        page.keyboard.press(key)
    assert page.locator("[data-behind]").inner_text() == behind
    assert heard == []
    field.fill("  good game  ")
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    assert [json.loads(line) for line in heard] == [{"type": "say", "text": "good game"}]
    page.keyboard.press("Escape")
    expect(page.locator("[data-chat]")).to_have_count(0)
    expect(page.locator("[data-talk]")).to_be_focused()


@pytest.mark.parametrize("size", ["phone", "phone on its side", "desk"])
def test_one_plays_while_the_talk_is_open(demo: Demo, size: str) -> None:
    demo.size(*SIZES[size])
    demo.show("chatClaim")
    page = demo.page
    for move in page.locator("[data-move]").all():
        with page.expect_console_message(timeout=3000) as told:
            move.click()
        assert told.value.text == move.get_attribute("data-move")


def test_a_line_stays_within_its_own_place_whatever_it_holds(demo: Demo) -> None:
    # C01: long words and signs that turn the direction.
    demo.size(*SIZES["desk"])
    demo.show("chat")
    page = demo.page
    turned = page.locator(".chat .turn", has_text="مرحبا")
    assert turned.locator("p").evaluate("line => getComputedStyle(line).unicodeBidi") == "isolate"
    assert page.locator(".chat bdi.name").count() == page.locator(".chat .turn").count()
    parts = page.locator(".chat .log, .chat .turn, .chat p")
    assert parts.evaluate_all("found => found.filter(part => part.scrollWidth > part.clientWidth + 1).length") == 0


def test_somebody_can_be_muted_and_heard_again(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("chat")
    page = demo.page
    lines = page.locator(".chat .turn", has_text="今晚手氣如何")
    expect(lines).to_have_count(1)
    lines.locator(".mute").press("Enter")
    expect(lines).to_have_count(0)
    demo.show("chat")
    expect(lines).to_have_count(0)
    page.locator(".chat .silent button").press("Enter")
    expect(lines).to_have_count(1)


def test_a_watcher_has_a_room_apart(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("chatWatch")
    page = demo.page
    log = page.locator(".chat .log")
    expect(log).to_contain_text("Did you see that discard?")
    expect(log).not_to_contain_text("Take your time.")
    page.locator("[data-room=players]").press("Enter")
    expect(log).to_contain_text("Take your time.")
    expect(log).not_to_contain_text("Did you see that discard?")
    expect(page.locator("[data-say]")).to_have_count(0)


def test_a_pause_is_asked_for_agreed_to_and_ended(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    page = demo.page
    demo.show("menu")
    assert json.loads(demo.pressed(page.locator("[data-pause]"), "Enter")) == {"type": "pause", "wanted": True}
    demo.show("pauseWish")
    wish = page.locator("[data-wish=pause]")
    expect(wish).to_contain_text("(2 of 3)")
    assert json.loads(demo.pressed(wish.locator("button"), "Enter")) == {"type": "pause", "wanted": True}
    demo.show("pauseOwn")
    assert json.loads(demo.pressed(wish.locator("button"), "Enter")) == {"type": "pause", "wanted": False}
    demo.show("paused")
    assert json.loads(demo.pressed(page.locator("[data-go-on]"), "Enter")) == {"type": "pause", "wanted": False}
    demo.show("stopStorage")
    assert page.locator("[data-go-on]").count() == 0
    demo.show("stopRestart")
    expect(page.locator("[data-stopped=restart]")).to_contain_text("A rather long name, really")


def test_ending_is_voted_on_where_it_may_be(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    page = demo.page
    demo.show("endVote")
    wish = page.locator("[data-wish=end]")
    expect(wish).to_contain_text("1 of 3 want to end it")
    assert json.loads(demo.pressed(wish.locator("button"), "Enter")) == {"type": "end_match", "wanted": True}
    demo.show("pauseWish")
    assert wish.count() == 0


def test_the_maker_begins_and_the_others_wait(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    page = demo.page
    demo.show("waitingOwner")
    assert json.loads(demo.pressed(page.locator("[data-start]"), "Enter")) == {"type": "start"}
    demo.show("waitingWatcher")
    assert page.locator("[data-start]").count() == 0
    assert demo.pressed(page.locator("[data-take='3']"), "Enter") == "take 3"
    never = page.get_by_text("Nobody may watch this table: take a seat before the match begins.")
    expect(never).to_have_count(0)
    demo.show("waitingNever")
    expect(never).to_be_visible()


def test_the_shuffle_is_told_with_what_can_be_checked(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    page = demo.page
    demo.show("fair")
    sheet = page.locator("[data-fairness]")
    expect(sheet).to_be_focused()
    expect(sheet.locator("[data-nonce='0']")).to_have_text("00112233445566778899aabbccddeeff")
    # A doubter sees what the browser has sent beside what the server has used.
    expect(sheet.locator("li", has=page.locator("[data-nonce='0']")).locator("[data-sent]")).to_have_text(
        "00112233445566778899aabbccddeeff"
    )
    expect(sheet.locator("[data-sent]")).to_have_count(1)
    expect(sheet.locator("[data-used=true]")).to_be_visible()
    expect(sheet.locator("[data-house-key]")).to_have_text("4b1c7f0e93d2a85e" + "6f" * 24)
    expect(sheet.locator("[data-seed]")).to_have_text("Shown when the deal is over.")
    expect(sheet.locator("a[href='/verify.html']")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    demo.show("fairSeed")
    expect(sheet.locator("[data-used=false]")).to_be_visible()
    expect(sheet.locator("[data-sent]")).to_have_text("ff" * 16)
    expect(sheet.locator("[data-seed]")).to_have_text("3db1de16" * 8)
    assert sheet.locator("[data-bots-only]").count() == 0
    demo.show("fairBots")
    expect(sheet.locator("[data-bots-only]")).to_contain_text("rests on the server's number alone")


def test_the_bank_looks_other_than_the_time_before_it(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    page = demo.page
    clock = page.locator(".clock")
    demo.show("bankBehind")
    expect(clock).to_have_attribute("data-banking", "false")
    expect(clock.locator(".behind")).to_have_text("+3:05")
    before = clock.evaluate("found => getComputedStyle(found).backgroundColor")
    demo.show("bankRuns")
    expect(clock).to_have_attribute("data-banking", "true")
    expect(clock).to_contain_text("Bank")
    assert clock.evaluate("found => getComputedStyle(found).backgroundColor") != before
