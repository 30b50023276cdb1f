"""How much is too much: messages of a socket, sockets of an address."""

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


class Doorkeeper:
    """Counts sockets by address and in all, and those that only wait to be told that there are too many."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_address: dict[str, int] = {}
        self.inside = 0
        self.outside = 0

    def admit(self, address: str) -> bool:
        """Count one more socket of `address`, or refuse it. Whoever was admitted must `leave` once."""
        limits = self._limits
        most = limits.sockets_per_address_loopback if is_loopback(address) else limits.sockets_per_address
        who = household(address)
        if self.inside >= limits.sockets or self._by_address.get(who, 0) >= most:
            return False
        self.inside += 1
        self._by_address[who] = self._by_address.get(who, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Count a socket out."""
        self.inside -= 1
        who = household(address)
        left = self._by_address[who] - 1
        if left:
            self._by_address[who] = left
        else:
            del self._by_address[who]

    def keep_waiting(self) -> bool:
        """Count one more socket that was refused and will be told so, or say that there are too many even of those."""
        if self.outside >= OUTSIDE:
            return False
        self.outside += 1
        return True
