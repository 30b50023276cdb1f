"""How much is too much: messages of a socket, sockets of an address."""

from ipaddress import ip_address

from parlour_server.settings import Limits


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


class Doorkeeper:
    """Counts sockets by address and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_address: dict[str, int] = {}
        self.inside = 0

    def admit(self, address: str) -> bool:
        """Count one more socket of `address`, or refuse it. Whoever was admitted must `leave` once."""
        limits = self._limits
        most = limits.sockets_per_address_loopback if is_loopback(address) else limits.sockets_per_address
        if self.inside >= limits.sockets or self._by_address.get(address, 0) >= most:
            return False
        self.inside += 1
        self._by_address[address] = self._by_address.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Count a socket out."""
        self.inside -= 1
        left = self._by_address[address] - 1
        if left:
            self._by_address[address] = left
        else:
            del self._by_address[address]
