"""Who somebody is: a guest with a secret token that the browser keeps. Only the token's hash stays here.

A token has 128 random bits and more, so a plain hash cannot be searched backwards; it is never logged and never part
of an address.
"""

import hashlib
import secrets
from typing import Final

from parlour_server.limits import Allowance
from parlour_server.names import clean_name

_TOKEN_BYTES: Final = 24


class Guest:
    """Somebody the server has met: `id` is the hash of the token in text, `sockets` how many lines are up."""

    __slots__ = ("id", "key", "making", "name", "sockets", "tables")

    def __init__(self, key: bytes, name: str) -> None:
        self.key = key
        self.id = key.hex()
        self.name = name
        self.sockets = 0
        self.tables = 0
        """Live tables this guest has made; such a guest is not forgotten."""
        self.making: Allowance | None = None
        """How many more this guest may make now; None before the first."""


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


class Guests:
    """Everybody the server has met since it started, at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        # In the order of their last hello, so that the first is the one longest away.
        self._by_key: dict[bytes, Guest] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def known(self, token: str) -> Guest | None:
        """The guest whose token this is."""
        guest = self._by_key.pop(_hash(token), None)
        if guest is not None:
            self._by_key[guest.key] = guest
        return guest

    def make(self, name: str | None) -> tuple[Guest, str]:
        """A new guest, and the token that only its browser keeps."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        guest = Guest(_hash(token), clean_name(name or "") or f"Guest {100 + secrets.randbelow(900)}")
        self._by_key[guest.key] = guest
        if len(self._by_key) > self._most:
            self._forget(guest)
        return guest, token

    def _forget(self, kept: Guest) -> None:
        for key, guest in self._by_key.items():
            if guest.sockets == 0 and guest.tables == 0 and guest is not kept:
                del self._by_key[key]
                return
