"""What a house's file says of its switches, told on the first page and in the rule book; and rings around the focus."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from parlour_server.settings import Bots, Listen, Rulesets, Settings
from tests.e2e.conftest import PHONE
from tests.e2e.house import House, dealing
from tests.engine.rulesets.files import OPENING

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenPage = Callable[..., Page]

HOUSE = (
    OPENING
    + """
[[option]]
id = "winners"
default = "nearest"
value_names = { nearest = { en = "head bump", zh-Hant = "截糊" } }
"""
)
WORDS = {
    "en": {
        "club": "Our club",
        "changed": "1 changed",
        "winners": ["All of them", "Head bump"],
        "number": "This may be a whole number from 0 to 1,000,000.",
        "refused": "“Points of the base” may be a whole number from 0 to 1,000,000.",
        "base": "A house table's changes to LRC Taiwanese",
        "usual": "Usually: head bump (all of them, head bump)",
        "pongs": "Where “All Pong allows gongs” is off: this does not hold: Gongs count as pongs in an All Pong Hand.",
    },
    "zh": {
        "club": "本會",
        "changed": "改了 1 項",
        "winners": ["全部計", "截糊"],
        "number": "只可以是：0 至 1,000,000 的整數。",
        "refused": "「底分」只可以是：0 至 1,000,000 的整數。",
        "base": "自訂規則，改自LRC 台灣牌",
        "usual": "一般：截糊 (全部計、截糊)",
        "pongs": "「對對糊可有槓」為關時：以下不適用：對對糊之中可以有槓。",
    },
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server that has a club's file beside the packaged games."""
    (tmp_path / "club.toml").write_text(HOUSE, encoding="utf-8")
    settings = Settings(listen=Listen(port=0), bots=Bots(0, 20), rulesets=Rulesets(str(tmp_path)))
    with House(settings, dealing(7)) as opened:
        yield opened


@pytest.mark.parametrize(("language", "locale", "size"), [("en", "en-GB", None), ("zh", "zh-HK", PHONE)])
def test_switches_are_told_in_the_files_own_words(
    house: House, open_page: OpenPage, language: str, locale: str, size: dict[str, int] | None
) -> None:
    words = WORDS[language]
    page = open_page(locale) if size is None else open_page(locale, size)
    page.goto(house.url)
    page.locator(".games label", has_text=str(words["club"])).click()
    rules = page.locator("[data-house-rules]")
    rules.locator("summary").click()
    winners = rules.locator("[data-option=winners]")
    assert winners.locator("option").all_text_contents() == words["winners"]
    assert winners.locator("option:checked").text_content() == words["winners"][1]

    page.locator("[data-rules]").click()
    book = page.get_by_role("dialog")
    expect(book.locator(".about")).to_contain_text(str(words["base"]))
    expect(book.get_by_text(str(words["pongs"]))).to_be_attached()
    expect(book.locator(".setting", has_text=str(words["usual"]))).to_be_attached()


@pytest.mark.parametrize(("language", "locale"), [("en", "en-GB"), ("zh", "zh-HK")])
def test_a_number_that_may_not_be_is_marked_and_not_sent(
    house: House, open_page: OpenPage, language: str, locale: str
) -> None:
    words = WORDS[language]
    page = open_page(locale)
    page.goto(house.url)
    rules = page.locator("[data-house-rules]")
    state = rules.locator("summary .state")
    rules.locator("summary").click()
    usual = state.text_content()
    field = rules.locator("[data-option=base]")
    field.press_sequentially("9999999")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(str(words["number"]))
    expect(state).to_have_text(usual or "")
    # It stays to be mended, wherever one goes, and leads back whoever would play.
    rules.locator("summary").click()
    page.locator("[data-play]").click()
    expect(field).to_be_focused()
    expect(field).to_have_value("59999999")
    assert page.locator(".seat .plate").count() == 0
    for wrong in ("-1", "2.5"):
        field.fill(wrong)
        expect(field).to_have_attribute("aria-invalid", "true")
    # Another game has other switches.
    page.locator(".games label").nth(1).click()
    page.locator(".games label").first.click()
    expect(field).to_have_value("5")
    field.fill("7")
    expect(state).to_have_text(str(words["changed"]))
    expect(field).to_have_attribute("aria-invalid", "false")
    page.locator("[data-play]").click()
    expect(page.locator(".seat .plate").first).to_be_visible()
    page.locator("[data-rules]").click()
    # LRC A-91: a winning hand is given the base, and a concealed gong is paid with one by each.
    expect(page.locator("#rule-base .worth")).to_have_text("7 points" if language == "en" else "7 分")


@pytest.mark.parametrize(("language", "locale"), [("en", "en-GB"), ("zh", "zh-HK")])
def test_a_refusal_names_the_switch_and_what_it_may_be(
    house: House, open_page: OpenPage, language: str, locale: str
) -> None:
    page = open_page(locale)
    # As from a page that has been open since before the server was given other rules.
    page.add_init_script(
        """const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (data) {
            if (typeof data === "string" && data.includes("create_table"))
                data = JSON.stringify({ ...JSON.parse(data), options: { base: 99999999 } });
            send.call(this, data);
        };"""
    )
    page.goto(house.url)
    page.locator("[data-play]").click()
    expect(page.locator(".notice")).to_have_text(str(WORDS[language]["refused"]))


CLIPPED = """() => {
    const found = [];
    for (const field of document.querySelectorAll("a, button, input, select, summary")) {
        field.focus({ preventScroll: false, focusVisible: true });
        if (document.activeElement !== field || !field.matches(":focus-visible")) continue;
        const style = getComputedStyle(field);
        if (style.outlineStyle === "none") continue;
        const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
        const box = field.getBoundingClientRect();
        for (let part = field.parentElement; part !== null; part = part.parentElement) {
            if (part !== document.documentElement && getComputedStyle(part).overflowX === "visible") continue;
            const clip = part.getBoundingClientRect();
            const [left, right] = [clip.left + part.clientLeft, clip.left + part.clientLeft + part.clientWidth];
            if (box.left - ring < left - 0.5 || box.right + ring > right + 0.5)
                found.push(`${field.tagName} ${field.textContent.trim()} in ${part.className || part.tagName}`);
        }
    }
    return found;
}"""
"""Which rings a part that scrolls, or the window, would cut off at a side."""


@pytest.mark.parametrize("size", [PHONE, {"width": 1440, "height": 900}])
@pytest.mark.parametrize("place", ["", "#/rules/lrc"])
def test_no_ring_around_the_focus_is_cut_off(
    house: House, open_page: OpenPage, size: dict[str, int], place: str
) -> None:
    page = open_page("en-GB", size)
    page.goto(house.url + place)
    if place:
        page.locator(".row").first.wait_for()
        toggle = page.locator(".toggle")
        if toggle.is_visible():
            toggle.click()
    else:
        expect(page.locator("[data-play]")).to_be_enabled()
        for part in page.locator("summary").all():
            part.click()
    page.keyboard.press("Tab")
    assert page.evaluate(CLIPPED) == []
