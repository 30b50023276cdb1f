"""Who may talk to this server from a browser.

Any web page can open a socket to a loopback address, so a page must come from the server itself or from a configured
public origin. The Host header is checked too: a name that an attacker points at this machine (DNS rebinding) is
neither a loopback name nor the address that the line came in on.
"""

from collections.abc import Iterable

_DEFAULT_PORTS = {"http": 80, "https": 443}


def _authority(host: str, port: int, scheme: str = "http") -> str:
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if port == _DEFAULT_PORTS[scheme] else f"{bracketed}:{port}"


class Origins:
    """The allow-list of one listening port."""

    def __init__(self, public: Iterable[str]) -> None:
        self._public = frozenset(public)
        hosts = set()
        for origin in self._public:
            scheme, _, authority = origin.partition("://")
            hosts.add(authority)
            # A proxy may name the default port, although browsers leave it out.
            if not authority.rpartition("]")[2].count(":"):
                hosts.add(f"{authority}:{_DEFAULT_PORTS[scheme]}")
        self._public_hosts = frozenset(hosts)

    @staticmethod
    def _loopback(port: int) -> set[str]:
        return {_authority(host, port) for host in ("127.0.0.1", "localhost", "::1")}

    def allows_host(self, host: str | None, local_address: str, port: int) -> bool:
        """Whether the Host header names this server, reached at `local_address` and `port`."""
        if host is None:
            return False
        own = host.lower()
        return own in self._loopback(port) or own == _authority(local_address, port) or own in self._public_hosts

    def allows(self, origin: str | None, host: str | None, local_address: str, port: int) -> bool:
        """Whether a page of `origin` may open a socket to `host`. None is a program that is no browser."""
        if not self.allows_host(host, local_address, port):
            return False
        if origin is None or origin in self._public:
            return True
        assert host is not None
        own = host.lower()
        if own in self._loopback(port):
            return origin in {f"http://{authority}" for authority in self._loopback(port)}
        return own == _authority(local_address, port) and origin == f"http://{own}"
