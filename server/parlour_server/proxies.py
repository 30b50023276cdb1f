"""Who is at the other end, where a proxy stands in between.

A header that says so is believed only of the proxies that the settings name: anybody can write one.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from websockets.datastructures import Headers

_MARKS: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")
"""What a proxy leaves on a request, be it trusted or not."""


def passed_on(headers: Headers) -> bool:
    """Whether some proxy has passed a request on, so that its peer is not who asks."""
    return any(mark in headers for mark in _MARKS)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        ip = ip_address(address.strip().partition("%")[0])
    except ValueError:
        return None
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return ip if mapped is None else mapped


class Proxies:
    """The proxies that are believed."""

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted = [ip_network(network, strict=False) for network in trusted]

    def trusts(self, address: str) -> bool:
        """Whether an address is one of theirs."""
        ip = _parsed(address)
        return ip is not None and any(ip in network for network in self._trusted)

    def guest(self, peer: str, headers: Headers) -> str:
        """The address that a request of `peer` comes from: the nearest that no trusted proxy has."""
        here = peer
        for hop in reversed(",".join(headers.get_all("X-Forwarded-For")).split(",")):
            ip = _parsed(hop)
            # What lies behind somebody whom we do not trust, or who is not named, is hearsay.
            if ip is None or not self.trusts(here):
                return here
            here = str(ip)
        return here
