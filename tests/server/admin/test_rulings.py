from datetime import UTC, datetime, timedelta

import pytest

from parlour_server.admin.rulings import Rulings, as_address, utc_text
from parlour_server.storage.changes import Banned, Change, Muted, Unbanned, Unmuted
from tests.server.admin.house import unkept

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def test_nobody_is_banned_at_first() -> None:
    rulings = Rulings(unkept)

    assert not rulings.banned("ada", "203.0.113.5")
    assert not rulings.banned(None, "203.0.113.5")
    assert not rulings.muted("ada")


def test_a_ban_holds_at_once_and_is_written() -> None:
    written: list[Change] = []
    rulings = Rulings(written.append, utc_now=Clock())
    rulings.ban_identity("ada", None, "rude")

    assert rulings.banned("ada", "203.0.113.5")
    assert not rulings.banned("ben", "203.0.113.5")
    assert not rulings.banned(None, "203.0.113.5")
    assert written == [Banned("identity", "ada", None, "rude", "2026-03-01T12:00:00Z")]


def test_a_ban_for_some_hours_ends_by_itself() -> None:
    clock = Clock()
    rulings = Rulings(unkept, utc_now=clock)
    rulings.ban_identity("ada", 1.5, "")
    rulings.mute("ben", 2, "")

    clock.now = NOON + timedelta(hours=1.5) - timedelta(seconds=1)
    assert rulings.banned("ada", "::1")
    assert [ban.until for ban in rulings.bans()] == ["2026-03-01T13:30:00Z"]
    clock.now = NOON + timedelta(hours=1.5)
    assert not rulings.banned("ada", "::1")
    assert rulings.bans() == []
    assert rulings.muted("ben")
    clock.now = NOON + timedelta(hours=2)
    assert not rulings.muted("ben")
    assert rulings.mutes() == []


def test_an_address_of_ipv6_stands_for_its_network() -> None:
    rulings = Rulings(unkept)
    rulings.ban_address("2001:db8:1:2::7", None, "")
    rulings.ban_address("203.0.113.5", None, "")

    assert rulings.address_banned("2001:db8:1:2:ffff::1")
    assert not rulings.address_banned("2001:db8:1:3::7")
    assert rulings.banned("ada", "203.0.113.5")
    assert not rulings.banned("ada", "203.0.113.6")


def test_what_was_kept_holds_after_a_restart() -> None:
    kept = [Banned("identity", "ada", None, "", "2026-01-01T00:00:00Z")]
    old = Banned("address", "203.0.113.5", "2026-02-01T00:00:00Z", "", "2026-01-01T00:00:00Z")
    rulings = Rulings(unkept, [*kept, old], [Muted("ben", None, "", "2026-01-01T00:00:00Z")], Clock())

    assert rulings.banned("ada", "::1")
    assert not rulings.address_banned("203.0.113.5")
    assert rulings.muted("ben")
    assert rulings.bans() == kept


def test_what_is_lifted_holds_no_more_and_is_written() -> None:
    written: list[Change] = []
    rulings = Rulings(written.append)
    rulings.lift(rulings.ban_identity("ada", None, ""))
    rulings.unmute(rulings.mute("ben", None, ""))

    assert not rulings.banned("ada", "::1")
    assert not rulings.muted("ben")
    assert written[1] == Unbanned("identity", "ada")
    assert written[3] == Unmuted("ben")


def test_moments_are_written_as_the_storage_sorts_them() -> None:
    assert utc_text(datetime(2026, 3, 1, 1, 2, 3, 999, tzinfo=UTC)) == "2026-03-01T01:02:03Z"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("2001:DB8::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("aaaa1111", None),
        ("1234", None),
        ("", None),
        ("example.org", None),
    ],
)
def test_an_address_is_known(text: str, address: str | None) -> None:
    assert as_address(text) == address
