"""Whom the house does not want, and who may not talk: the keeper's rulings, kept by the storage."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import IPv6Address, ip_address

from parlour_server.limits import household
from parlour_server.storage.changes import Banned, Change, Muted, Unbanned, Unmuted, Utc


def utc_text(moment: datetime) -> Utc:
    """A moment as the storage writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def as_address(text: str) -> str | None:
    """The address that a text is, in the one way it is written; None where it is none."""
    try:
        ip = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return str(ip if mapped is None else mapped)


class Rulings:
    """All of them, in memory. `write` is the storage's: what is ruled holds at once and is kept soon after.

    An address stands for its household: in IPv6 for a network of 64 bits, for anybody there has very many addresses.
    """

    def __init__(
        self,
        write: Callable[[Change], None],
        bans: Iterable[Banned] = (),
        mutes: Iterable[Muted] = (),
        utc_now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`bans` and `mutes` are those that the storage has kept, in whatever order."""
        self._write = write
        self._utc_now = utc_now
        self._bans = {(ban.kind, ban.who): ban for ban in bans}
        self._mutes = {mute.identity: mute for mute in mutes}

    def _holds(self, ruling: Banned | Muted | None) -> bool:
        return ruling is not None and (ruling.until is None or utc_text(self._utc_now()) < ruling.until)

    def banned(self, identity: str | None, address: str) -> bool:
        """Whether this person (None: not known yet), or whoever comes from this address, may not come in."""
        # Nearly always nobody is, and every request asks.
        if not self._bans:
            return False
        person = self._bans.get(("identity", identity)) if identity is not None else None
        return self._holds(person) or self._holds(self._bans.get(("address", household(address))))

    def address_banned(self, address: str) -> bool:
        """The same of an address alone."""
        return self.banned(None, address)

    def muted(self, identity: str) -> bool:
        """Whether this person may not talk."""
        return self._holds(self._mutes.get(identity))

    def bans(self) -> list[Banned]:
        """Those that hold, oldest first."""
        return sorted((ban for ban in self._bans.values() if self._holds(ban)), key=lambda ban: (ban.at, ban.who))

    def mutes(self) -> list[Muted]:
        """Those that hold, oldest first."""
        return sorted((m for m in self._mutes.values() if self._holds(m)), key=lambda m: (m.at, m.identity))

    def _until(self, hours: float | None) -> Utc | None:
        return None if hours is None else utc_text(self._utc_now() + timedelta(hours=hours))

    def ban_identity(self, identity: str, hours: float | None, reason: str) -> Banned:
        """Let a person in no more, for so long or for good."""
        return self._ban(Banned("identity", identity, self._until(hours), reason, utc_text(self._utc_now())))

    def ban_address(self, address: str, hours: float | None, reason: str) -> Banned:
        """Let nobody of an address's household in."""
        return self._ban(Banned("address", household(address), self._until(hours), reason, utc_text(self._utc_now())))

    def _ban(self, ban: Banned) -> Banned:
        self._bans[ban.kind, ban.who] = ban
        self._write(ban)
        return ban

    def lift(self, ban: Banned) -> None:
        """Let somebody in again."""
        del self._bans[ban.kind, ban.who]
        self._write(Unbanned(ban.kind, ban.who))

    def mute(self, identity: str, hours: float | None, reason: str) -> Muted:
        """Let a person say nothing, for so long or for good."""
        muted = self._mutes[identity] = Muted(identity, self._until(hours), reason, utc_text(self._utc_now()))
        self._write(muted)
        return muted

    def unmute(self, mute: Muted) -> None:
        """Let a person talk again."""
        del self._mutes[mute.identity]
        self._write(Unmuted(mute.identity))
