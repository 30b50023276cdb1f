"""The table in every window: nothing is cut off, covered or too small, the keyboard reaches all, and right is right."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.audit import objections
from tests.e2e.demo import Demo

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SIZES = {
    "small phone": (360, 740),
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "notebook": (1280, 720),
    "desk": (1440, 900),
}
FIXTURES = (
    *("full", "gongs", "claim", "settlement", "several", "crowded", "exhausted", "final", "watch"),
    *("classical", "called", "washing", "why", "ready", "barred", "laidDown", "limited", "washed"),
    *("look", "lookAtGongs", "lookAsWatcher", "lookAtGongsAsWatcher", "settlementTold", "finalTold"),
    *("finalSettlement", "finalLook", "finalOfGongsLook", "finalOfWatcherSettlement", "finalOfWatcherLook"),
    *("book-lrc", "book-classical", "book-limit", "book-watched", "book-unknown", "book-failed"),
    *("lobby", "lobbyNew", "lobbyQuiet", "lobbyRefused", "games", "gamesOfAll", "gamesNone", "openRecord"),
    *("replay", "replayOfSeat", "replaySettled", "replayBroken"),
)
PROBLEMS = (Path(__file__).parent / "layout.js").read_text()


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_or_covered_or_too_small(demo: Demo, size: str) -> None:
    # U02, and more
    demo.size(*SIZES[size])
    problems = []
    for fixture in FIXTURES:
        for language in ("en", "zh"):
            demo.show(fixture, language)
            demo.page.evaluate("() => document.querySelectorAll('.house details').forEach(part => (part.open = true))")
            problems += [f"{fixture} {language}: {found}" for found in demo.page.evaluate(PROBLEMS)]
    assert not problems, "\n".join(problems[:20])


@pytest.mark.parametrize("fixture", ["settlementTold", "finalTold"])
def test_what_there_is_to_say_is_said_on_the_sheet_and_not_over_it(demo: Demo, fixture: str) -> None:
    demo.size(*SIZES["phone"])
    demo.show(fixture)
    told = demo.page.get_by_role("status").filter(has_text="Too many requests")
    expect(told).to_have_count(1)
    expect(demo.page.get_by_role("dialog")).to_contain_text("Too many requests")


def test_the_settlement_is_put_aside_and_fetched_back_from_the_keyboard(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    demo.show("settlement")
    sheet, back = demo.page.get_by_role("dialog"), demo.page.locator("[data-settlement]")
    expect(back).to_have_count(0)
    demo.page.locator("[data-look]").press("Enter")
    expect(sheet).to_have_count(0)
    expect(back).to_be_focused()
    back.press("Enter")
    expect(sheet).to_be_focused()
    expect(back).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_all_ways_on_from_the_final_standing_are_seen_at_once(demo: Demo, size: str) -> None:
    demo.size(*SIZES[size])
    demo.show("final")
    sheet = demo.page.get_by_role("dialog")
    for way in ("Settlement", "New table"):
        expect(sheet.get_by_role("button", name=way)).to_be_in_viewport(ratio=1)
    expect(sheet.get_by_role("link", name="Replay")).to_be_in_viewport(ratio=1)


def test_the_final_standing_is_left_and_fetched_back_from_the_keyboard(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    demo.show("final")
    page = demo.page
    standing, sheet = (page.get_by_role("dialog", name=name) for name in ("Final standing", "Settlement"))
    back = page.locator("[data-standing]")
    expect(back).to_have_count(0)
    # From the settlement,
    standing.get_by_role("button", name="Settlement").press("Enter")
    expect(sheet).to_be_focused()
    sheet.get_by_role("button", name="Final standing").press("Enter")
    expect(standing).to_be_focused()
    expect(sheet).to_have_count(0)
    # and from the table under it; the settlement is at hand there too.
    standing.get_by_role("button", name="Settlement").press("Enter")
    sheet.get_by_role("button", name="Look at the table").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(back).to_be_focused()
    page.locator("[data-settlement]").press("Enter")
    expect(sheet).to_be_focused()
    sheet.get_by_role("button", name="Look at the table").press("Enter")
    back.press("Enter")
    expect(standing).to_be_focused()
    # What was put aside once is there again when it is asked for.
    standing.get_by_role("button", name="Settlement").press("Enter")
    expect(sheet).to_be_focused()
    sheet.get_by_role("button", name="Final standing").press("Enter")
    assert demo.pressed(standing.get_by_role("button", name="New table"), "Enter") == "new"


def test_a_link_of_another_server_is_refused_in_words(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    demo.show("lobby")
    field, hint = demo.page.locator("#link"), demo.page.locator("#join-hint")
    field.fill("https://example.com/t/Qn3xY_8-zZ")
    field.press("Enter")
    expect(hint).to_have_text("This link is of another server. Open it in the browser's address bar.")
    field.fill("http://127.0.0.1:9/t/Qn3xY_8-zZ")
    assert demo.said("Enter") == "join"
    expect(hint).not_to_contain_text("server")


def test_a_number_counts_as_changed_while_it_is_written(demo: Demo) -> None:
    demo.size(*SIZES["desk"])
    demo.show("lobby")
    rules = demo.page.locator("[data-house-rules]")
    rules.locator("summary").click()
    state = rules.locator("summary .state")
    field = rules.locator("input[type=number]")
    usual, untouched = field.input_value(), state.text_content()

    field.fill("")
    field.press("2")
    expect(state).not_to_have_text(untouched or "")
    expect(field).to_be_focused()
    # What is no whole number changes nothing, and is gone once one leaves the field.
    field.fill("")
    field.blur()
    expect(field).to_have_value("2")
    field.fill(usual)
    expect(state).to_have_text(untouched or "")


OFFERED = """() => ({
    moves: [...document.querySelectorAll("[data-move]")].map(button => button.dataset.move),
    tiles: [...document.querySelectorAll("[data-discard]")].map(tile => tile.dataset.discard),
})"""
FOCUSED = "() => document.activeElement.dataset.move ?? document.activeElement.dataset.discard ?? null"


def walk_to(page: Page, wanted: str, key: str) -> None:
    """Press the key until the wanted offer has the focus."""
    for _ in range(30):
        if page.evaluate(FOCUSED) == wanted:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never comes to {wanted}")


@pytest.mark.parametrize("fixture", ["full", "claim", "gongs"])
def test_every_offer_is_played_from_the_keyboard(demo: Demo, fixture: str) -> None:
    demo.size(*SIZES["desk"])
    demo.show(fixture)
    page = demo.page
    offered = page.evaluate(OFFERED)

    page.evaluate("() => document.activeElement.blur()")
    for move in offered["moves"]:
        walk_to(page, move, "Tab")
        assert demo.said("Enter") == move
    if fixture == "claim":
        return
    # The hand is one stop of the Tab key; the arrows walk in it, and Enter twice discards, as two taps do.
    walk_to(page, offered["tiles"][0], "Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED) not in offered["tiles"]
    page.keyboard.press("Tab")
    for position, tile in enumerate(offered["tiles"]):
        if position:
            page.keyboard.press("ArrowRight")
        assert page.evaluate(FOCUSED) == tile
        page.keyboard.press("Enter")
        assert demo.said("Enter") == f"discard {tile}"
    page.keyboard.press("Home")
    assert page.evaluate(FOCUSED) == offered["tiles"][0]


def test_a_call_is_made_from_the_keyboard_and_can_be_taken_back(demo: Demo) -> None:
    demo.size(*SIZES["phone"])
    demo.show("full")
    page = demo.page
    call = page.locator(".move.call")
    call.focus()
    page.keyboard.press("Enter")
    assert call.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Enter")
    assert call.get_attribute("aria-pressed") == "false"
    page.keyboard.press("Enter")
    walk_to(page, "1m", "Tab")
    page.keyboard.press(" ")
    assert demo.said(" ") == "call 1m"


PLACES = """() => [...document.querySelectorAll(".stage :is(.tile, .plate, .back), [data-move]")].map(element => {
    const at = element.getBoundingClientRect();
    return [element.className, Math.round(at.left), Math.round(at.top)];
})"""
# The columns of a number as they are painted: the sign must stand left of the first digit, the digits in order.
NUMBERS = """() => [...document.querySelectorAll(".score, .payments td, .sum, .points, .count, .seconds, .left, .deal")]
    .filter(element => element.checkVisibility()).flatMap(element => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const signs = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            [...node.data].forEach((sign, at) => {
                if (!/[0-9+\u2212\u00d7]/.test(sign)) return;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + 1);
                signs.push(range.getBoundingClientRect().left);
            });
        }
        return signs.every((left, at) => at === 0 || left > signs[at - 1]) ? [] : [element.textContent];
    })"""


@pytest.mark.parametrize("size", ["phone", "phone on its side", "desk"])
def test_a_page_that_reads_from_the_right_keeps_seats_tiles_and_numbers(demo: Demo, size: str) -> None:
    # U04: no language of ours does, but a browser's translation or the next catalogue may.
    demo.size(*SIZES[size])
    for fixture in ("full", "gongs", "claim", "watch"):
        demo.show(fixture)
        before: list[Any] = demo.page.evaluate(PLACES)
        demo.show(fixture, direction="rtl")
        assert demo.page.evaluate(PLACES) == before, fixture
        assert demo.page.evaluate(NUMBERS) == [], fixture
    for fixture in ("settlement", "several", "final"):
        demo.show(fixture, direction="rtl")
        assert demo.page.evaluate("() => getComputedStyle(document.querySelector('.sheet')).direction") == "rtl"
        assert demo.page.evaluate(NUMBERS) == [], fixture
        tiles = demo.page.locator(".sheet .group").first.locator(".tile") if fixture != "final" else None
        if tiles is not None:
            order = tiles.evaluate_all(
                "found => found.map(tile => [tile.dataset.tile, tile.getBoundingClientRect().left])"
            )
            assert order == sorted(order, key=lambda tile: float(tile[1])), fixture
        assert demo.page.evaluate(PROBLEMS) == [], fixture


def test_arrows_go_the_way_they_point_where_the_page_reads_from_the_right(demo: Demo) -> None:
    # U04
    demo.size(*SIZES["desk"])
    demo.show("full", direction="rtl")
    demo.page.locator("[data-discard]").first.focus()
    left = "() => document.activeElement.getBoundingClientRect().left"
    before = demo.page.evaluate(left)
    demo.page.keyboard.press("ArrowRight")
    assert demo.page.evaluate(left) > before


# Gradients cannot be judged; their lightest colours stand in for them, under the light words that lie on them.
LIGHTEST = """
    .stage { background: var(--felt-light) !important; }
    .sheet { background: #114a45 !important; }
    .plate { background: #0d3f3a !important; }
    .move:not(.win, .pass) { background: #217163 !important; }
    .move.win { background: #cb3d3a !important; }
    .button.primary { background: #dca646 !important; }
    .house { background: var(--felt-light) !important; }
"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_accessibility_audit_finds_nothing(demo: Demo, language: str) -> None:
    demo.size(*SIZES["phone" if language == "zh" else "desk"])
    demo.page.add_style_tag(content=LIGHTEST)
    for fixture in FIXTURES:
        demo.show(fixture, language)
        assert objections(demo.page) == [], fixture


def test_the_index_of_a_tile_has_its_corner_to_itself(demo: Demo) -> None:
    faces = (Path(__file__).parent / "faces.js").read_text()
    assert demo.page.evaluate(faces) == {"faces": 34, "wrong": []}


@pytest.mark.parametrize(
    ("fixture", "language", "moves"),
    [
        ("called", "en", ["Mah-Jongg", "Kong", "Pung", "Chow", "Pass"]),
        ("called", "zh", ["和", "槓", "碰", "吃", "過"]),
        ("claim", "en", ["Win", "Gong", "Pong", "Sheung", "Sheung", "Sheung", "Pass"]),
        ("claim", "zh", ["糊", "槓", "碰", "上", "上", "上", "過"]),
    ],
)
def test_moves_are_called_what_the_game_calls_them(demo: Demo, fixture: str, language: str, moves: list[str]) -> None:
    demo.size(*SIZES["phone"])
    demo.show(fixture, language)
    assert demo.page.locator("[data-move] > span:first-child").all_inner_texts() == moves
    sets = demo.page.locator("[data-meld]").evaluate_all("found => found.map(meld => meld.ariaLabel).join()")
    if (fixture, language) == ("called", "en"):
        assert all(word in sets for word in ("Chow: ", "Pung: ", "Kong: ", "Concealed kong: ")), sets


@pytest.mark.parametrize(("fixture", "marks"), [("middle", "Dealer ×2"), ("classical", "Dealer")])
def test_a_streak_is_shown_where_it_counts(demo: Demo, fixture: str, marks: str) -> None:
    demo.size(*SIZES["desk"])
    demo.show(fixture)
    assert demo.page.locator(".mark.dealer").all_inner_texts() == [marks]
