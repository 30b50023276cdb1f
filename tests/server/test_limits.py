import pytest

from parlour_server.limits import Allowance, Doorkeeper, is_loopback
from parlour_server.proxies import Proxies
from parlour_server.settings import Limits


def test_a_burst_is_allowed_and_then_the_rate() -> None:
    allowance = Allowance(rate=20, burst=40, now=100.0)

    assert [allowance.take(100.0) for _ in range(41)] == [True] * 40 + [False]
    assert [allowance.take(100.5) for _ in range(11)] == [True] * 10 + [False]
    assert [allowance.take(200.0) for _ in range(41)] == [True] * 40 + [False]


def test_an_address_has_its_share_and_gets_it_back() -> None:
    doorkeeper = Doorkeeper(Limits(sockets=3, sockets_per_address=2, sockets_per_address_loopback=3))

    assert [doorkeeper.admit("203.0.113.5") for _ in range(3)] == [True, True, False]
    assert doorkeeper.admit("203.0.113.6")
    assert not doorkeeper.admit("203.0.113.7")
    doorkeeper.leave("203.0.113.5", stranger=True)
    assert doorkeeper.admit("203.0.113.5")
    for address in ("203.0.113.5", "203.0.113.5", "203.0.113.6"):
        doorkeeper.leave(address, stranger=True)
    assert doorkeeper.inside == 0
    assert [doorkeeper.admit("::1") for _ in range(3)] == [True, True, True]


def test_a_network_of_ipv6_is_one_address() -> None:
    doorkeeper = Doorkeeper(Limits(sockets_per_address=2))

    assert [doorkeeper.admit(f"2001:db8:1:2::{host}") for host in range(3)] == [True, True, False]
    assert doorkeeper.admit("2001:db8:1:3::1")
    doorkeeper.leave("2001:db8:1:2::1", stranger=True)
    assert doorkeeper.admit("2001:db8:1:2:ffff::9")
    assert doorkeeper.admit("fe80::1%eth0")


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("192.0.2.1", False),
        ("fe80::1%eth0", False),
        ("", False),
    ],
)
def test_loopback_is_known(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_an_address_has_so_many_strangers_and_more_of_those_who_have_said_hello() -> None:
    """G17: sockets that nobody has spoken for are few."""
    doorkeeper = Doorkeeper(Limits(sockets_per_address=4, strangers_per_address=2))
    address = "203.0.113.5"

    assert [doorkeeper.admit(address) for _ in range(3)] == [True, True, False]
    assert doorkeeper.admit("203.0.113.6"), "others are not concerned"
    doorkeeper.introduce(address)
    assert [doorkeeper.admit(address) for _ in range(2)] == [True, False]
    doorkeeper.introduce(address)
    doorkeeper.introduce(address)
    assert [doorkeeper.admit(address) for _ in range(2)] == [True, False], "four sockets in all, whoever they are"
    assert (doorkeeper.inside, doorkeeper.strangers) == (5, 2)
    for stranger in (True, False, False, False):
        doorkeeper.leave(address, stranger=stranger)
    doorkeeper.leave("203.0.113.6", stranger=True)
    assert (doorkeeper.inside, doorkeeper.strangers) == (0, 0)
    assert [doorkeeper.admit(address) for _ in range(3)] == [True, True, False]


def test_a_trusted_proxy_may_bring_a_crowd() -> None:
    """After a restart all its guests come at once, and are strangers until their requests have been read."""
    limits = Limits(sockets_per_address=2, strangers_per_address=1, sockets_per_address_loopback=5)
    doorkeeper = Doorkeeper(limits, Proxies(["10.0.0.2"]).trusts)

    assert [doorkeeper.admit("10.0.0.2") for _ in range(6)] == [True] * 5 + [False]
    assert [doorkeeper.admit("10.0.0.3") for _ in range(2)] == [True, False]
