"""The secret that a browser keeps. Here only its hash stays: 192 random bits cannot be searched backwards.

A token is never logged and never part of an address.
"""

import hashlib
from typing import Final

from parlour_server.chance import Chance

TOKEN_BYTES: Final = 24


def new_token(chance: Chance) -> str:
    """A token that nobody has."""
    return chance.token(TOKEN_BYTES)


def key_of(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
