"""Past games: the lists, one's figures, and a match stepped through from any seat without being told its end."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from parlour_server.protocol.listings import LevelWins, MatchLine, MatchSeat
from parlour_server.protocol.lobby import Matches, Statistics
from parlour_server.protocol.values import Names
from parlour_server.resources import client_root
from parlour_server.settings import Bots, Listen, Settings, Tables
from parlour_server.storage.opening import open_store
from tests.e2e.audit import objections
from tests.e2e.conftest import PHONE
from tests.e2e.demo import ROOT
from tests.e2e.house import House
from tests.e2e.paper import Paper
from tests.e2e.player import AUTOPILOT, keep_settings, own_seat, sit_down
from tests.kit.houses import build

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenPage = Callable[..., Page]
RECORD = (ROOT / "web-client/src/demo/match.jsonl").read_text(encoding="utf-8")
MATCH = "0f" * 16
SETTLED = next(
    number
    for number, row in enumerate((row for row in RECORD.splitlines() if row.startswith('{"row":"event"')), 1)
    if '"e":"settled"' in row
)
"""The number of the event that settles the first deal."""


def match(number: int, *, you: bool = True) -> MatchLine:
    names = ("Wing", "Mei", "Lan", "Zhu")
    seats = [
        MatchSeat(name, None if seat == 2 else "steady", 30 - 20 * seat, seat + 1, you and seat == 2)
        for seat, name in enumerate(names)
    ]
    began = f"2026-01-{28 - number:02}T19:30:00Z"
    name = Names("LRC Taiwanese", "LRC 台灣牌")
    return MatchLine(f"{number:032x}" if number else MATCH, "lrc", name, {}, 4, began, 19, True, True, seats)


@pytest.fixture
def paper(open_page: OpenPage) -> Paper:
    """A house with one record."""
    paper = Paper(open_page())
    paper.files[f"/records/{MATCH}.jsonl"] = RECORD
    return paper


def hands(page: Page) -> list[bool]:
    """Whether the hand of each seat lies open: seats 0 to 3."""
    found = page.evaluate(
        """() => [0, 1, 2, 3].map(seat => {
            const place = document.querySelector(`.seat[data-seat="${seat}"]`);
            const own = place.classList.contains("self") ? document.querySelector(".own") : null;
            return place.querySelector(".hand.open") !== null || own?.querySelector("[data-tile], .tile") != null;
        })"""
    )
    return list(found)


def test_past_games_are_listed_page_by_page_and_lead_to_their_replays(paper: Paper) -> None:
    page = paper.page

    def answered(asked: dict[str, Any]) -> Matches:
        before = asked["before"]
        first = 0 if before is None else 1 if before == MATCH else int(before, 16) + 1
        return Matches(asked["mine"], [match(number) for number in range(first, first + 2)], first < 4)

    paper.answers["list_matches"] = answered
    ways = [LevelWins("discard", 3), LevelWins("self_draw", 1), LevelWins("flowers", 0)]
    paper.answers["ask_statistics"] = lambda _: Statistics(6, 110, 4, ways, 11, -55, 2)
    page.goto(paper.at("/games"))
    expect(page.locator("[data-match]")).to_have_count(2)
    page.locator("[data-older]").click()
    expect(page.locator("[data-match]")).to_have_count(4)
    page.locator("[data-older]").click()
    expect(page.locator("[data-match]")).to_have_count(6)
    expect(page.locator("[data-older]")).to_have_count(0)
    assert [asked["before"] for asked in paper.said("list_matches")][1:] == [f"{1:032x}", f"{3:032x}"]

    figures = page.locator(".figures dd")
    assert figures.all_inner_texts() == [
        "6",
        "2 (33 %)",
        "110",
        "4 (4 %)",
        "11 (10 %)",
        "\u22120.5",
        "3 (75 %)",
        "1 (25 %)",
    ]
    page.evaluate("() => document.querySelector('.house').style.setProperty('background', 'var(--felt-light)')")
    assert objections(page) == []

    # One's own seat is the one that a replay begins with.
    page.locator(f"[data-match='{MATCH}']").get_by_role("link", name="Replay").click()
    expect(page).to_have_url(paper.at(f"/replay/{MATCH}"))
    expect(page.locator("[data-view]")).to_have_value("2")
    assert hands(page) == [False, False, True, False]


def test_a_seat_sees_its_own_hand_and_nothing_of_the_end(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at(f"/replay/{MATCH}?move={SETTLED - 20}&seat=1"))
    page.locator(".seat").first.wait_for()
    assert hands(page) == [False, True, False, False]
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("[data-view]").select_option("all")
    assert hands(page) == [True, True, True, True]
    page.locator("[data-view]").select_option("3")
    assert hands(page) == [False, False, False, True]
    expect(page).to_have_url(paper.at(f"/replay/{MATCH}?move={SETTLED - 20}&seat=3"))


def test_the_keyboard_steps_through_a_deal_to_its_settlement_and_back(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at(f"/replay/{MATCH}?move={SETTLED - 4}&seat=all"))
    page.locator(".seat").first.wait_for()
    sheet = page.get_by_role("dialog", name="Settlement")
    place = page.locator(".place")
    before = place.inner_text()
    page.keyboard.press("ArrowRight")
    expect(place).not_to_have_text(before)
    page.keyboard.press("ArrowLeft")
    expect(place).to_have_text(before)
    for _ in range(4):
        if sheet.count():
            break
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    # Awards have their names from the rule book, which a record leaves out.
    expect(sheet.locator(".awards tbody tr").first).to_be_visible()
    expect(sheet).not_to_contain_text("undefined")
    expect(page.get_by_label("Deal", exact=True)).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(sheet).to_have_count(0)
    expect(page.get_by_label("Deal", exact=True)).to_have_value("1")
    page.keyboard.press("ArrowLeft")
    expect(sheet).to_be_visible()
    page.keyboard.press("Shift+ArrowLeft")
    expect(sheet).to_have_count(0)
    expect(place).to_have_text("1 of " + before.split(" of ")[1])
    page.keyboard.press("End")
    expect(page.get_by_role("dialog", name="Final standing")).to_be_visible()


def test_the_slider_and_the_address_follow_each_other(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at(f"/replay/{MATCH}"))
    slider = page.get_by_label("Place in the deal")
    slider.fill("7")
    expect(page.locator(".place")).to_contain_text("8 of")
    page.wait_for_url("**move=*")
    place = page.locator(".place").inner_text()
    page.reload()
    expect(page.locator(".place")).to_have_text(place)
    # Steps are no pages of the browser's history.
    page.goto(paper.at("/games"))
    page.go_back()
    expect(page.locator(".place")).to_have_text(place)


def test_a_record_of_ones_own_is_opened_without_the_server(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(expected="ERR_")
    paper = Paper(page)
    page.goto(paper.at("/replay"))
    expect(page.get_by_role("heading", name="Replay")).to_be_visible()
    page.unroute_all()
    file = tmp_path / "match.jsonl"
    file.write_text(RECORD, encoding="utf-8")
    page.route("**/*", lambda route: route.abort())
    page.locator("[data-open-record]").set_input_files(file)
    page.locator(".seat").first.wait_for()
    expect(page).to_have_url(paper.at("/replay"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".place")).to_contain_text("2 of")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not a record at all", "This file is no record of a match."),
        ('{"record": 1}', "This file is no record of a match."),
        ('{"record": 77, "seats": []}', "This record has format 77"),
        (RECORD.splitlines()[0], "Nothing has happened yet in this record."),
    ],
)
def test_a_file_that_is_no_record_is_told_so_and_another_may_be_opened(paper: Paper, text: str, words: str) -> None:
    page = paper.page
    page.goto(paper.at("/replay"))
    chosen = page.locator("[data-open-record]")
    chosen.set_input_files({"name": "x.jsonl", "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.get_by_role("alert")).to_contain_text(words)
    chosen.set_input_files({"name": "y.jsonl", "mimeType": "text/plain", "buffer": RECORD.encode()})
    page.locator(".seat").first.wait_for()


def test_a_record_that_breaks_off_is_shown_up_to_there(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/replay"))
    broken = "\n".join(RECORD.splitlines()[:50]) + '\n{"row":"event","ver'
    page.locator("[data-open-record]").set_input_files({"name": "x", "mimeType": "", "buffer": broken.encode()})
    expect(page.get_by_role("status").filter(has_text="Line 51 cannot be understood.")).to_be_visible()
    page.locator(".seat").first.wait_for()


def test_a_file_is_dropped_anywhere_on_the_page(paper: Paper) -> None:
    page = paper.page
    page.goto(paper.at("/replay"))
    # The page of replays is loaded when it is wanted.
    page.locator("[data-open-record]").first.wait_for()
    page.evaluate(
        """text => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "match.jsonl"));
            const how = { dataTransfer: carried, bubbles: true, cancelable: true };
            const over = document.querySelector("main");
            for (const kind of ["dragover", "drop"]) over.dispatchEvent(new DragEvent(kind, how));
        }""",
        RECORD,
    )
    page.locator(".seat").first.wait_for()


def test_a_record_that_there_is_none_of_is_told_so(open_page: OpenPage) -> None:
    page = open_page("zh-HK", PHONE, expected="404")
    paper = Paper(page)
    page.goto(paper.at(f"/replay/{'ab' * 16}"))
    expect(page.get_by_role("alert")).to_contain_text("這裏沒有這份紀錄")
    expect(page.locator("[data-open-record]")).to_have_count(1)


def test_names_in_a_record_are_shown_as_text(paper: Paper) -> None:
    page = paper.page
    hostile = "<img src=x onerror=alert(1)>"
    paper.files[f"/records/{MATCH}.jsonl"] = RECORD.replace("Lan 蘭", hostile)
    page.goto(paper.at(f"/replay/{MATCH}?move={SETTLED}&seat=all"))
    expect(page.get_by_role("dialog")).to_contain_text(hostile)
    assert page.locator("main img").count() == 0


def test_the_key_that_a_record_is_sealed_with_can_be_noted(paper: Paper) -> None:
    page, key = paper.page, "0123456789abcdef" * 4
    menu = page.locator("header [data-menu]").last
    page.goto(paper.at(f"/replay/{MATCH}"))
    menu.click()
    expect(page.get_by_role("link", name="Check the shuffle")).to_be_visible()
    expect(page.locator("[data-key]")).to_have_count(0)
    seal = {"row": "seal", "chain": "0" * 64, "key": key, "signature": "0" * 128}
    paper.files[f"/records/{MATCH}.jsonl"] = RECORD + json.dumps(seal) + "\n"
    page.reload()
    menu.click()
    expect(page.locator("[data-key]")).to_have_text(key)


class StoredHouse(House):
    """Keeps everything in a file, as a house that people live in does."""

    def __init__(self, settings: Settings, path: Path) -> None:
        super().__init__(settings)
        self._path = path

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        store = open_store(str(self._path), self._loop.call_soon_threadsafe)
        parlour = build(self._settings, client_root(), store)
        await parlour.hall.resume()
        parlour.readiness.resumed = True
        async with parlour:
            self._parlour = parlour
            self.url = parlour.url
            self._up.set()
            await self._stop.wait()
        await store.close()


@pytest.fixture
def stored_house(tmp_path: Path) -> Iterator[House]:
    """Without dawdling, and without a demonstration."""
    settings = Settings(listen=Listen(port=0), tables=Tables(floor_ms=0, demonstration=False), bots=Bots(0, 0))
    with StoredHouse(settings, tmp_path / "parlour.db") as house:
        yield house


def test_a_match_that_was_played_is_found_again_and_replayed(stored_house: House, open_page: OpenPage) -> None:
    page, watcher = open_page(expected="404"), open_page("zh-HK", PHONE)
    keep_settings(page, confirm=False)
    table = sit_down(page, stored_house.url, clocks="off", rounds="1")
    watcher.goto(table)
    seat = own_seat(page)
    page.evaluate(AUTOPILOT)
    standing = page.get_by_role("dialog", name="Final standing")
    standing.wait_for(timeout=120_000)
    scores = standing.locator(".score").all_inner_texts()

    # From the table's end it is one press to the replay, whoever one was there.
    watcher.get_by_role("dialog", name="最後名次").get_by_role("link", name="重播").click()
    watcher.locator(".seat").first.wait_for()
    expect(watcher.locator("[data-view]")).to_have_value("all")
    # The record may be kept a moment after the end: it is asked for again.
    refused = 0

    def refuse_twice(route: Route) -> None:
        nonlocal refused
        refused += 1
        route.fulfill(status=404) if refused <= 2 else route.continue_()

    page.route("**/records/*.jsonl", refuse_twice)
    standing.get_by_role("button", name="Settlement").click()
    page.get_by_role("link", name="Replay this deal").click()
    page.locator(".seat").first.wait_for()
    assert refused == 3
    expect(page.locator("[data-view]")).to_have_value(str(seat))
    deal = re.search(r"deal=(\d+)", page.url)
    assert deal is not None
    expect(page.locator(".stepper select option:checked")).to_have_text(f"Deal {deal[1]}")
    expect(page.locator(".stepper .place")).to_have_text(re.compile("^1 of "))
    page.unroute("**/records/*.jsonl")
    page.go_back()
    standing.get_by_role("link", name="Replay").click()
    page.locator(".seat").first.wait_for()
    page.keyboard.press("End")
    standing.wait_for()
    expect(standing.get_by_role("link", name="Replay")).to_have_count(0)
    # There is no table to come back to.
    page.goto(stored_house.url)
    expect(page.locator("[data-quick]")).to_be_enabled()
    expect(page.locator("[data-back]")).to_have_count(0)

    page.goto(stored_house.url + "/games")
    row = page.locator("[data-match]")
    expect(row).to_have_count(1)
    assert row.locator(".score").all_inner_texts() == scores
    expect(page.locator(".figures dd").first).to_have_text("1")
    # A private table's match is in nobody else's list.
    page.get_by_role("link", name="Public tables").click()
    expect(page.get_by_text("No match at a public table is over yet.")).to_be_visible()

    page.get_by_role("link", name="Mine").click()
    row.get_by_role("link", name="Replay").click()
    page.locator(".seat").first.wait_for()
    expect(page.locator("[data-view]")).to_have_value(str(seat))
    assert [number for number, open_ in enumerate(hands(page)) if open_] == [seat]
    page.keyboard.press("End")
    standing.wait_for()
    assert standing.locator(".score").all_inner_texts() == scores
    # Another browser sees it by its link.
    other = open_page("zh-HK", PHONE)
    other.goto(page.url)
    other.locator(".seat").first.wait_for()
