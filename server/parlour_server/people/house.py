"""Whom the house does not want; its keeper decides that."""

from typing import Protocol


class House(Protocol):
    """What the keeper has ruled."""

    def banned(self, identity: str | None, address: str) -> bool:
        """Whether this person (None: not known yet), or whoever comes from this address, may not come in."""

    def muted(self, identity: str) -> bool:
        """Whether this person may not talk."""


class OpenHouse:
    """Everybody is welcome."""

    def banned(self, identity: str | None, address: str) -> bool:
        """Nobody is."""
        del identity, address
        return False

    def muted(self, identity: str) -> bool:
        """Nobody is."""
        del identity
        return False
