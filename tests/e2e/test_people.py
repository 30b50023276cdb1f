"""Who one is: a guest at once, an account where one wants to come back from elsewhere, and the same in every tab."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from playwright.sync_api import Page, expect

from parlour_server.protocol.lobby import SignedIn, SignedOut
from parlour_server.protocol.messages import Error, ErrorCode, ToClient
from tests.e2e.conftest import PHONE
from tests.e2e.house import House
from tests.e2e.paper import Paper, welcome
from tests.e2e.player import own_seat, sit_down

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenPage = Callable[..., Page]
PASSWORD = "correct horse battery"
TOKEN = "() => localStorage.getItem('parlour.token')"


def sign(page: Page, choice: str, account: str = "ada", password: str = PASSWORD) -> None:
    """Open the account panel, fill it in and send it."""
    panel = page.locator("[data-account]")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    panel.locator(f"[data-choose='{choice}']").click()
    panel.locator("[name='username']").fill(account)
    panel.locator("[name='password']").fill(password)
    panel.locator("[data-sign-in]").click()


@pytest.fixture
def paper(open_page: OpenPage) -> Paper:
    """The front page, for a guest."""
    paper = Paper(open_page(), welcome(token="the-guests-token"))
    paper.page.goto(paper.at("/"))
    expect(paper.page.locator("[data-play]")).to_be_enabled()
    return paper


def test_a_guest_makes_an_account_and_keeps_the_token(paper: Paper) -> None:
    page = paper.page
    paper.answers["register"] = lambda asked: SignedIn(None, asked["account"], "Ada")
    sign(page, "register")
    assert paper.wait_for("register") == {"type": "register", "account": "ada", "password": PASSWORD}
    expect(page.get_by_role("status").filter(has_text="Your account is ada.")).to_be_visible()
    expect(page.locator("[data-account] summary")).to_contain_text("ada")
    assert page.evaluate(TOKEN) == "the-guests-token"
    assert len(paper.said("hello")) == 1
    # A password is kept nowhere, and neither it nor the token stands in an address.
    kept = page.evaluate(
        "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])"
    )
    assert PASSWORD not in kept
    assert "token" not in page.url


def test_whoever_logs_in_is_somebody_else_from_then_on(paper: Paper) -> None:
    page = paper.page
    paper.answers["log_in"] = lambda _: SignedIn("the-accounts-token", "ada", "Ada of before")
    paper.first = welcome("Ada of before", account="ada")
    sign(page, "log_in")
    again = paper.wait_for("hello", 2)
    assert again["token"] == "the-accounts-token"
    assert page.evaluate(TOKEN) == "the-accounts-token"
    expect(page.locator("#name")).to_have_value("Ada of before")
    expect(page.locator("[data-account] summary")).to_contain_text("ada")


@pytest.mark.parametrize(
    ("choice", "code", "words"),
    [
        ("register", "name_taken", "This name is taken."),
        ("register", "weak_password", "This password is too easy to guess."),
        ("register", "bad_name", "This name cannot be used."),
        ("log_in", "bad_login", "No account has this name and password."),
        ("log_in", "too_many", "too often in a short time"),
    ],
)
def test_what_goes_wrong_is_said_beside_the_fields_and_can_be_mended(
    paper: Paper, choice: str, code: ErrorCode, words: str
) -> None:
    page = paper.page

    def refuse(_: dict[str, Any]) -> ToClient:
        return Error(code, "no")

    paper.answers[choice] = refuse
    sign(page, choice)
    told = page.locator("[data-account] [role=alert]")
    expect(told).to_contain_text(words)
    expect(page.get_by_text(words)).to_have_count(1)
    expect(page.locator("[name='username']")).to_have_value("ada")
    expect(page.locator("[data-sign-in]")).to_be_enabled()
    # Choosing the other way takes the words back.
    page.locator(f"[data-choose='{'log_in' if choice == 'register' else 'register'}']").click()
    expect(told).to_have_count(0)


def test_a_keeper_of_passwords_knows_what_the_fields_are(paper: Paper) -> None:
    page = paper.page
    page.locator("[data-account] summary").click()
    name, password = page.locator("[name='username']"), page.locator("[name='password']")
    expect(name).to_have_attribute("autocomplete", "username")
    expect(password).to_have_attribute("autocomplete", "current-password")
    expect(password).to_have_attribute("type", "password")
    page.locator("[data-choose='register']").click()
    expect(password).to_have_attribute("autocomplete", "new-password")
    password.fill(PASSWORD)
    page.get_by_role("button", name="Show").click()
    expect(password).to_have_attribute("type", "text")
    expect(password).to_have_value(PASSWORD)


@pytest.mark.parametrize(("button", "everywhere"), [("log-out", False), ("log-out-all", True)])
def test_whoever_logs_out_is_a_new_guest(open_page: OpenPage, button: str, everywhere: bool) -> None:
    page = open_page()
    paper = Paper(page, welcome(account="ada"))
    page.add_init_script("localStorage.getItem('parlour.token') ?? localStorage.setItem('parlour.token', 'old')")
    page.goto(paper.at("/"))
    page.locator("[data-account] summary").click()
    paper.first = welcome("Guest 2", token="new")
    paper.answers["log_out"] = lambda _: SignedOut()
    page.locator(f"[data-{button}]").click()
    assert paper.wait_for("log_out") == {"type": "log_out", "everywhere": everywhere}
    again = paper.wait_for("hello", 2)
    assert (again["token"], again["name"]) == (None, None)
    expect(page.locator("#name")).to_have_value("Guest 2")
    expect(page.locator("[data-account] summary")).to_contain_text("Guest")
    assert page.evaluate(TOKEN) == "new"


def test_who_logs_in_in_one_tab_does_so_in_the_others(paper: Paper, open_page: OpenPage) -> None:
    first = paper.page
    beside = Paper(open_page(beside=first), welcome())
    beside.page.goto(beside.at("/games"))
    beside.wait_for("list_matches")

    paper.answers["log_in"] = lambda _: SignedIn("the-accounts-token", "ada", "Ada")
    paper.first = beside.first = evolve(welcome(), account="ada")
    sign(first, "log_in")
    assert beside.wait_for("hello", 2)["token"] == "the-accounts-token"
    # Another person has another past.
    beside.wait_for("list_matches", 2)
    assert len(paper.said("hello")) == 2


def test_a_line_that_breaks_meanwhile_leaves_nobody_waiting(paper: Paper) -> None:
    page = paper.page
    sign(page, "log_in")
    expect(page.locator("[data-sign-in]")).to_be_disabled()
    expect(page.locator("[data-sign-in]")).to_have_text("One moment")
    paper.close()
    expect(page.get_by_text("No line to the server")).to_be_visible()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    paper.wait_for("hello", 2)
    expect(page.locator("[data-sign-in]")).to_be_enabled()
    expect(page.locator("[name='password']")).to_have_value(PASSWORD)


def test_an_account_is_come_back_to_from_another_device(open_house: Callable[..., House], open_page: OpenPage) -> None:
    house = open_house(seat=0)
    desk = open_page()
    desk.goto(house.url)
    desk.locator("#name").fill("Wing")
    desk.get_by_role("button", name="Save").click()
    sign(desk, "register", "wing")
    expect(desk.get_by_role("status").filter(has_text="Your account is wing.")).to_be_visible()
    link = sit_down(desk, house.url, clocks="off")
    seat = own_seat(desk)

    phone = open_page("zh-HK", PHONE)
    phone.goto(house.url)
    expect(phone.locator("[data-play]")).to_be_enabled()
    sign(phone, "log_in", "wing", "another password")
    expect(phone.locator("[data-account] [role=alert]")).to_contain_text("沒有這個名稱和密碼的帳戶。")
    sign(phone, "log_in", "Wing")
    expect(phone.locator("#name")).to_have_value("Wing")
    phone.goto(link)
    phone.locator("[data-discard]").first.wait_for()
    assert own_seat(phone) == seat
    expect(desk.get_by_role("alertdialog")).to_be_visible()

    # Logged out everywhere, the desk is nobody either.
    phone.goto(house.url)
    phone.locator("[data-account] summary").click()
    phone.locator("[data-log-out-all]").click()
    expect(phone.locator("[data-account] summary")).to_contain_text("訪客")
    desk.goto(house.url)
    expect(desk.locator("[data-account] summary")).to_contain_text("Guest")


def test_a_name_that_is_taken_and_a_password_that_is_weak_are_refused(
    open_house: Callable[..., House], open_page: OpenPage
) -> None:
    house = open_house()
    first, second = open_page(), open_page()
    for page in (first, second):
        page.goto(house.url)
        expect(page.locator("[data-play]")).to_be_enabled()
    sign(first, "register", "Wing")
    expect(first.get_by_role("status").filter(has_text="Your account is")).to_be_visible()
    told = second.locator("[data-account] [role=alert]")
    sign(second, "register", "wing")
    expect(told).to_contain_text("This name is taken.")
    sign(second, "register", "another", "short")
    expect(told).to_contain_text("too easy to guess")


def test_a_guest_is_called_so_in_chinese_and_never_wishes_for_that_name(open_page: OpenPage) -> None:
    page = open_page("zh-HK")
    paper = Paper(page, welcome("Guest 123", token="the-guests-token"))
    page.goto(paper.at("/"))
    field = page.locator("#name")
    expect(field).to_have_value("訪客 123")
    save = page.locator("form", has=field).locator("button")
    for wish in ("訪客 123 ", "訪客 7", "Guest 123"):
        field.fill(wish)
        save.click()
        expect(field).to_have_value("訪客 123")
    expect(page.get_by_text("這個名字不可用。")).to_be_visible()
    # Nor when the line has to be opened again by somebody who is new to the house.
    page.evaluate("() => localStorage.removeItem('parlour.token')")
    paper.close()
    assert paper.wait_for("hello", 2)["name"] is None
    assert paper.said("rename") == []


def test_the_key_of_the_house_can_be_copied(open_page: OpenPage) -> None:
    page = open_page()
    page.context.add_init_script("navigator.clipboard.writeText = async text => { window.pasted = text; }")
    paper = Paper(page, evolve(welcome(), house_key="0f" * 32))
    page.goto(paper.at("/"))
    page.locator("summary", has_text="This house's key").click()
    expect(page.locator("[data-house-key]")).to_have_text("0f" * 32)
    page.locator("[data-copy-key]").click()
    expect(page.locator("[data-copy-key]")).to_have_text("Copied")
    assert page.evaluate("() => window.pasted") == "0f" * 32
    # A house that seals nothing has none.
    paper.first = welcome()
    page.reload()
    expect(page.locator("[data-play]")).to_be_enabled()
    expect(page.locator("[data-house-key]")).to_have_count(0)
