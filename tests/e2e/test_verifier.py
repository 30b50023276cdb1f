"""A doubter drops a record on the page that lays its walls again, with no server behind it."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from parlour_server.fairness.seal import Signer, sealed
from parlour_server.fairness.served import PAGE as PATH
from parlour_server.fairness.served import verifiers
from parlour_server.page import standalone_policy
from tests.e2e.conftest import DESK, PHONE
from tests.server.fairness.built import MATCH, SIGNER, broken_off, fair_record, without_seal
from tests.server.fairness.test_tampering import FORGERIES, forged

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenPage = Callable[..., Page]
PAGE = Path(str(files("parlour_server") / "fairness" / "standalone" / "verify.html"))
RULESETS = ("lrc", "classical", "classical-limit")


@pytest.fixture
def verifier(open_page: OpenPage) -> Callable[..., Page]:
    """The page from the disk, without a network; whatever it asked for would be a complaint."""

    def opening(locale: str = "en-GB", size: dict[str, int] = DESK) -> Page:
        # The page itself is all that is read, and it comes from the disk.
        page = open_page(locale, size, expected=rf"^asked another host: {re.escape(PAGE.as_uri())}$")
        page.context.set_offline(True)
        page.goto(PAGE.as_uri())
        return page

    return opening


def drop(page: Page, text: str, key: str = "") -> None:
    """Give the page a record, as a file, and the key to insist on."""
    page.locator("#key").fill(key)
    page.locator("#file").set_input_files({"name": "r.jsonl", "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.locator("#verdict")).to_have_class(re.compile("right|wrong"))


def right(page: Page) -> bool:
    name = page.locator("#verdict").get_attribute("class")
    assert name in ("verdict right", "verdict wrong")
    return name.endswith("right")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_honest_match_is_found_right(verifier: Callable[..., Page], ruleset: str) -> None:
    page = verifier()
    text = fair_record(ruleset)
    drop(page, text, SIGNER.key)
    assert right(page)
    found = page.locator("#found").inner_text()
    assert MATCH in found
    assert SIGNER.key in found
    assert page.locator("#found .open").count() == 0
    walls = text.count('"row":"wall"')
    assert page.locator("#found li", has_text="the seed fits the commitment").count() == walls
    draws = re.search(r"(\d+) draws and (\d+) replacements", found)
    assert draws is not None
    assert int(draws[1]) == text.count('"source":"wall"')
    assert int(draws[2]) == text.count('"source":"flower"') + text.count('"source":"gong"')


def test_the_deals_are_shown_move_by_move_with_all_hands(verifier: Callable[..., Page]) -> None:
    page = verifier()
    text = fair_record("lrc")
    drop(page, text)
    events = [row["event"] for line in text.splitlines() if (row := json.loads(line)).get("row") == "event"]
    dealt = [event for event in events if event["e"] == "deal_started"]
    assert page.locator("#deal option").count() == len(dealt)
    page.locator("#deal").select_option(index=1)
    for seat in range(4):
        shown = page.locator(f".hand[data-seat='{seat}'] [data-tile]").evaluate_all(
            "all => all.map(one => one.dataset.tile)"
        )
        assert sorted(shown) == sorted(dealt[1]["hands"][seat])
    start = events.index(dealt[1])
    end = next(at for at, event in enumerate(events[start:], start) if event["e"] == "settled")
    expect(page.locator("#told")).to_contain_text(f"1/{end - start + 1}")
    expect(page.locator("#back")).to_be_disabled()
    for step in range(2, 12):
        page.locator("#next").click()
        expect(page.locator("#told")).to_contain_text(f"{step}/")
    page.locator("#step").fill(str(end - start))
    expect(page.locator("#told")).to_contain_text("Settled")
    expect(page.locator("#next")).to_be_disabled()


@pytest.mark.parametrize("change", [change for change in FORGERIES if change != "an unknown key"])
def test_a_forgery_is_found(verifier: Callable[..., Page], change: str) -> None:
    page = verifier()
    text, _ = forged(change)
    drop(page, text)
    assert not right(page)
    drop(page, sealed(text, Signer(bytes(32))))
    assert not right(page)


def test_every_part_of_a_seal_is_checked(verifier: Callable[..., Page]) -> None:
    page = verifier()
    honest = broken_off()
    drop(page, honest)
    assert right(page)
    expect(page.locator("#found .open")).to_contain_text("whose key")
    for name in ("chain", "key", "signature"):
        head, tail = honest.rsplit(f'"{name}":"', 1)
        drop(page, f'{head}"{name}":"{"0" if tail[0] != "0" else "1"}{tail[1:]}')
        assert not right(page), name
    drop(page, honest, "00" * 32)
    assert not right(page)
    drop(page, without_seal(honest), SIGNER.key)
    assert not right(page)
    drop(page, without_seal(honest))
    assert right(page)
    expect(page.locator("#found .open")).to_contain_text("It has no seal")
    # One letter of a name, which nothing but the seal knows of.
    drop(page, honest.replace('"name":"Ann"', '"name":"Anne"', 1))
    assert not right(page)
    for text in ("nonsense", "{}", '{"record":3}\n'):
        drop(page, text)
        assert not right(page)


def test_it_works_under_the_policy_that_a_house_gives_it(open_page: OpenPage) -> None:
    page = open_page()
    content = verifiers()[PATH]
    headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": standalone_policy(content)}
    page.route("**/*", lambda route: route.fulfill(body=content, headers=headers))
    page.goto(f"http://127.0.0.1:9{PATH}")
    drop(page, broken_off(), SIGNER.key)
    assert right(page)
    # A policy for other lines would stop the script, and the style.
    assert page.locator(".drop").evaluate("one => getComputedStyle(one).borderStyle") == "dashed"
    page.unroute_all()
    headers["Content-Security-Policy"] = standalone_policy(content.replace(b"strict", b"strikt"))
    other = open_page(expected="violates|Content Security Policy|blocked")
    other.route("**/*", lambda route: route.fulfill(body=content, headers=headers))
    other.goto(f"http://127.0.0.1:9{PATH}")
    expect(other.locator("h1")).to_have_text("")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize(("locale", "said"), [("en-GB", "Check a match"), ("zh-HK", "驗證牌局")])
def test_it_fits_and_speaks_both_languages(
    verifier: Callable[..., Page], size: dict[str, int], locale: str, said: str
) -> None:
    page = verifier(locale, size)
    expect(page.locator("h1")).to_have_text(said)
    drop(page, fair_record("lrc"))
    page.locator("#step").fill("60")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    small = page.locator("button, select, .pick").evaluate_all("all => all.filter(one => one.offsetHeight < 44).length")
    assert small == 0
    verdict = page.locator("#verdict").inner_text()
    page.locator("#language").click()
    expect(page.locator("h1")).not_to_have_text(said)
    assert page.locator("#verdict").inner_text() != verdict
    expect(page.locator("#told")).to_contain_text("61/")
