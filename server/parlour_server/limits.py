"""How much is too much: messages of a socket, sockets of an address."""

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final

from parlour_server.settings import Limits

OUTSIDE: Final = 50
"""Refused sockets that are still told why. Each holds an open file until its request has come."""


class Allowance:
    """A bucket that fills with `rate` tokens a second up to `burst`; a message takes one."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more message is allowed at `now`."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def is_loopback(address: str) -> bool:
    """Whether a peer's address is this machine."""
    try:
        return ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=1024)
def household(address: str) -> str:
    """Who shares an address's limit: the address alone; in IPv6, where one has very many, its network of 64 bits."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(IPv6Network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) and not ip.is_loopback else address


class _Counted:
    """Sockets by household."""

    __slots__ = ("_by", "sum")

    def __init__(self) -> None:
        self._by: dict[str, int] = {}
        self.sum = 0

    def of(self, who: str) -> int:
        return self._by.get(who, 0)

    def add(self, who: str) -> None:
        self._by[who] = self._by.get(who, 0) + 1
        self.sum += 1

    def take(self, who: str) -> None:
        left = self._by[who] - 1
        self.sum -= 1
        if left:
            self._by[who] = left
        else:
            del self._by[who]


class Doorkeeper:
    """Counts sockets by address and in all, strangers among them, and those that wait to be told there are too many.

    A stranger is a socket whose request has not come, or that has not said hello since.
    """

    def __init__(self, limits: Limits, trusts: Callable[[str], bool] = lambda _: False) -> None:
        """Addresses that it `trusts` are proxies: everybody comes from there until the request says from where."""
        self._limits = limits
        self._trusts = trusts
        self._sockets = _Counted()
        self._strangers = _Counted()
        self.outside = 0

    @property
    def inside(self) -> int:
        """Sockets that were admitted and have not left."""
        return self._sockets.sum

    @property
    def strangers(self) -> int:
        """Those of them that nobody knows yet."""
        return self._strangers.sum

    def admit(self, address: str) -> bool:
        """Count one more socket of `address`, a stranger, or refuse it. Whoever was admitted must `leave` once."""
        limits = self._limits
        most, most_strangers = (
            (limits.sockets_per_address_loopback, limits.strangers_per_address_loopback)
            if is_loopback(address) or self._trusts(address)
            else (limits.sockets_per_address, limits.strangers_per_address)
        )
        who = household(address)
        if self.inside >= limits.sockets or self._sockets.of(who) >= most or self._strangers.of(who) >= most_strangers:
            return False
        self._sockets.add(who)
        self._strangers.add(who)
        return True

    def introduce(self, address: str) -> None:
        """A stranger of `address` is one no more; once for a socket."""
        self._strangers.take(household(address))

    def leave(self, address: str, stranger: bool) -> None:
        """Count a socket out."""
        self._sockets.take(household(address))
        if stranger:
            self.introduce(address)

    def keep_waiting(self) -> bool:
        """Count one more socket that was refused and will be told so, or say that there are too many even of those."""
        if self.outside >= OUTSIDE:
            return False
        self.outside += 1
        return True
