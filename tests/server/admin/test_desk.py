from typing import Any

import pytest

from parlour_server.admin.desk import MOST_ROWS, Desk, Wrong
from parlour_server.admin.rooms import Visitor
from parlour_server.admin.rulings import Rulings
from parlour_server.proxies import Proxies
from parlour_server.storage.changes import Change
from tests.server.admin.house import ADA, BEN, FIRST, OTHER, SECOND, FakeRooms, room


class Office:
    """A desk, and what is behind it."""

    def __init__(self) -> None:
        self.rooms = FakeRooms()
        self.written: list[Change] = []
        self.rulings = Rulings(self.written.append)
        self.desk = Desk(self.rooms, self.rulings, Proxies(["10.0.0.0/8"]))

    def __call__(self, do: str, **order: object) -> dict[str, Any]:
        return self.desk.obey({"do": do, **order})

    def wrong(self, do: str, **order: object) -> str:
        with pytest.raises(Wrong) as caught:
            self(do, **order)
        assert self.rooms.told == []
        assert self.written == []
        return str(caught.value)


@pytest.fixture
def office() -> Office:
    return Office()


def test_the_house_and_its_tables_and_lines_are_told(office: Office) -> None:
    assert office("status")["playing"] == 2
    assert [each["match"] for each in office("tables")["tables"]] == [FIRST, SECOND, OTHER]
    told = office("sockets")
    assert [(each["identity"], each["match"]) for each in told["sockets"]] == [(ADA, FIRST), (BEN, None), (None, None)]
    assert told["count"] == 3


def test_a_long_list_is_cut_and_says_so(office: Office) -> None:
    office.rooms.here = [
        Visitor(number=n, address="::1", identity=None, name="", match=None, age_s=0) for n in range(MOST_ROWS + 5)
    ]

    told = office("sockets")
    assert (len(told["sockets"]), told["count"]) == (MOST_ROWS, MOST_ROWS + 5)


def test_a_table_is_frozen_thawed_and_closed(office: Office) -> None:
    assert office("freeze", table="aaaa2")["table"] == SECOND
    assert office("thaw", table=SECOND)["table"] == SECOND
    assert office("close", table="bbbb")["table"] == OTHER
    assert office.rooms.told == [("freeze", SECOND), ("thaw", SECOND), ("close", OTHER)]


def test_a_table_that_cannot_be_made_anew_stays_frozen(office: Office) -> None:
    office.rooms.tables[FIRST] = room(FIRST, "frozen")
    office.rooms.damaged = "its journal differs from the rules at row 7"

    assert office.wrong("thaw", table=FIRST) == "it stays frozen: its journal differs from the rules at row 7"


@pytest.mark.parametrize(
    ("do", "order", "words"),
    [
        ("freeze", {"table": "aaaa"}, "more than one table aaaa"),
        ("freeze", {"table": "cccc"}, "there is no table cccc"),
        ("freeze", {"table": "aaa"}, "first 4 to 32 letters"),
        ("freeze", {"table": FIRST + "0"}, "first 4 to 32 letters"),
        ("freeze", {"table": "../.."}, "first 4 to 32 letters"),
        ("freeze", {"table": 7}, "table must be a text"),
        ("freeze", {}, "table must be a text"),
        ("freeze", {"table": "x" * 201}, "at most 200"),
        ("thaw", {"table": FIRST}, "it is not frozen: it is playing"),
        ("tables", {"table": FIRST}, "tables takes nothing"),
        ("ban", {"who": ADA, "until": 3}, "ban takes hours, reason, who"),
        ("ban", {"who": ADA, "hours": 0}, "above 0"),
        ("ban", {"who": ADA, "hours": True}, "above 0"),
        ("ban", {"who": ADA, "hours": float("nan")}, "above 0"),
        ("ban", {"who": ADA, "hours": 1e9}, "above 0"),
        ("ban", {"who": ADA, "reason": ["x"]}, "reason must be a text"),
        ("ban", {"who": ADA, "reason": "\ud800"}, "reason must be a text"),
        ("ban", {"who": ADA, "reason": "a\0b"}, "reason must be a text"),
        ("mute", {"who": ADA, "reason": "\udcff"}, "reason must be a text"),
        ("ban", {"who": "0000"}, "nobody is here or was lately who is called 0000 or whose id begins so"),
        ("ban", {"who": "127.0.0.1"}, "everybody comes from there"),
        ("ban", {"who": "::1"}, "everybody comes from there"),
        ("ban", {"who": "::ffff:127.0.0.1"}, "everybody comes from there"),
        ("ban", {"who": "::ffff:10.3.2.1"}, "everybody comes from there"),
        ("ban", {"who": "10.3.2.1"}, "everybody comes from there"),
        ("unban", {"who": ADA}, "nobody is on the list"),
        ("unban", {"who": "203.0.113.5"}, "203.0.113.5 is not banned"),
        ("unmute", {"who": ADA}, "nobody is on the list"),
        ("mute", {"who": "203.0.113.5"}, "nobody is here or was lately"),
        ("mute", {"who": "0a0"}, "nobody is here or was lately"),
        ("mute", {"who": ""}, "nobody is here or was lately"),
        ("mute", {"who": "\u202e"}, "nobody is here or was lately"),
        ("mute", {"who": "Ad"}, "nobody is here or was lately"),
        ("drain", {"on": 1}, "on must be true or false"),
        ("stop", {}, "orders are status, tables"),
    ],
)
def test_an_order_that_cannot_be_obeyed_changes_nothing(
    office: Office, do: str, order: dict[str, object], words: str
) -> None:
    assert words in office.wrong(do, **order)


@pytest.mark.parametrize("order", [None, 3, "status", [], {}, {"do": 3}, {"table": FIRST}])
def test_what_is_no_order_is_refused(office: Office, order: object) -> None:
    with pytest.raises(Wrong):
        office.desk.obey(order)


def test_a_match_that_is_over_is_not_frozen(office: Office) -> None:
    office.rooms.tables[FIRST] = room(FIRST, "over")
    assert office.wrong("freeze", table=FIRST) == "its match is over"


def test_a_person_is_banned_and_sent_away_and_let_in_again(office: Office) -> None:
    banned = office("ban", who="0a0a", hours=2, reason="rude")

    assert (banned["who"], banned["ended"]) == (ADA, 1)
    assert office.rooms.told == [("dismiss", ADA, None)]
    assert office.rulings.banned(ADA, "198.51.100.1")
    assert not office.rulings.banned(BEN, "203.0.113.5"), "the address is not concerned"
    (told,) = office("bans")["bans"]
    assert (told["kind"], told["who"], told["reason"]) == ("identity", ADA, "rude")
    assert office("unban", who="0a0a")["who"] == ADA
    assert not office.rulings.banned(ADA, "198.51.100.1")


def test_an_address_is_banned_with_its_household(office: Office) -> None:
    assert office("ban", who="2001:DB8:1:2::7")["who"] == "2001:db8:1:2::/64"

    assert office.rooms.told == [("dismiss", None, "2001:db8:1:2::/64")]
    assert office.rulings.address_banned("2001:db8:1:2::9")
    assert office("unban", who="2001:db8:1:2::1")["kind"] == "address"
    office("ban", who="2001:db8:1:2::7")
    assert office("unban", who="2001:db8:1:2::/64")["kind"] == "address"
    assert not office.rulings.address_banned("2001:db8:1:2::9")


def test_an_address_of_version_4_is_the_same_however_it_is_written(office: Office) -> None:
    assert office("ban", who="::ffff:203.0.113.5")["who"] == "203.0.113.5"
    assert office.rulings.address_banned("203.0.113.5")


def test_somebody_who_is_away_is_banned_by_the_whole_id(office: Office) -> None:
    away = "f" * 32
    assert office("ban", who=away)["who"] == away
    assert office.rulings.banned(away, "::1")


def test_a_person_is_muted_and_may_talk_again(office: Office) -> None:
    assert office("mute", who="0b0b", hours=0.5)["who"] == BEN
    assert office.rulings.muted(BEN)
    assert [each["identity"] for each in office("bans")["mutes"]] == [BEN]
    assert office("unmute", who="0b0b")["who"] == BEN
    assert not office.rulings.muted(BEN)


CY = "c0c0" + "3" * 28


def test_a_person_is_named_by_what_it_is_called(office: Office) -> None:
    office.rooms.away = [(CY, "小 Cy")]
    assert office("ban", who="ADA")["who"] == ADA
    assert office.rooms.told == [("dismiss", ADA, None)]
    assert office("mute", who="小\u3000cy")["who"] == CY
    assert office("unmute", who="小 Cy")["who"] == CY
    assert office("unban", who="Ada")["who"] == ADA
    assert (office("bans")["bans"], office("bans")["mutes"]) == ([], [])


def test_a_name_that_two_have_names_neither_and_their_ids_are_told(office: Office) -> None:
    office.rooms.away = [(CY, "ada")]
    assert office.wrong("ban", who="Ada") == (
        "more than one person is called Ada, or has an id that begins so: 0a0a1111 Ada, c0c03333 ada"
    )
    # To be called as another's id begins protects nobody, and gets nobody else banned.
    office.rooms.away = [(CY, "0A0A")]
    assert "0a0a1111 Ada, c0c03333 0A0A" in office.wrong("ban", who="0a0a")
    assert office("ban", who="0a0a1")["who"] == ADA


def test_a_very_common_name_is_not_told_for_ever(office: Office) -> None:
    office.rooms.away = [(f"{number:032x}", "Bob") for number in range(100)]
    words = office.wrong("mute", who="Bob")
    assert words.count("Bob") == 9
    assert words.endswith("and 92 more")


def test_whoever_is_called_as_an_address_gets_nobody_else_banned(office: Office) -> None:
    office.rooms.away = [(CY, "203.0.113.5")]
    assert "somebody has named themselves so" in office.wrong("ban", who="203.0.113.5")
    assert office("ban", who="c0c0")["who"] == CY


def test_a_drain_is_begun_and_taken_back(office: Office) -> None:
    assert office("drain") == {"draining": True, "playing": 2}
    assert office("drain", on=False)["draining"] is False
    assert office.rooms.told == [("drain", True), ("drain", False)]
