"""Passwords as argon2id hashes, worked out in threads of their own: a hash is made to be slow."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final, Protocol, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from parlour_server.chance import Chance
from parlour_server.names import folded
from parlour_server.refused import Refused

T = TypeVar("T")

PASSES: Final = 2
MEMORY_KIB: Final = 19 * 1024
LANES: Final = 1
"""What a hash costs, the least that OWASP recommends: some hundredths of a second of one core, which the tables share.
Hashes that cost otherwise are made anew at log-in."""
AT_ONCE: Final = 2
"""Hashes that are worked out at the same time; each has a core and MEMORY_KIB to itself."""
WAITING: Final = 16
"""Further ones that may wait for their turn."""
SALT_BYTES: Final = 16

SHORTEST: Final = 10
"""Characters of a password."""


class Pool(Protocol):
    """Where hashes are worked out; a simulation does it in place."""

    def submit(self, work: Callable[[], T], /) -> "Future[T]":
        """Work it out and let the future know."""


def check_password(password: str, account: str) -> None:
    """Raises Refused for a password that is too easy to guess."""
    if len(unicodedata.normalize("NFC", password)) < SHORTEST:
        raise Refused("weak_password", f"a password has at least {SHORTEST} characters")
    if folded(password).strip() == folded(account).strip():
        raise Refused("weak_password", "the name of the account is no password")


class Passwords:
    """Hashes and compares, at most AT_ONCE at the same time; raises Refused where too many wait already."""

    def __init__(self, chance: Chance, pool: Pool | None = None) -> None:
        self._chance = chance
        self._pool = pool
        self._owned: ThreadPoolExecutor | None = None
        self._hasher = PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)
        self._busy = 0
        self._nobody: str | None = None

    async def hash(self, password: str) -> str:
        """The hash of a password, with a salt of its own."""
        salt = self._chance.token_bytes(SALT_BYTES)
        return await self._run(lambda: self._hasher.hash(_plain(password), salt=salt))

    async def fits(self, password_hash: str | None, password: str) -> bool:
        """Whether this is the password of the hash. None, where there is no account, takes as long and fits nothing."""
        salt = self._chance.token_bytes(SALT_BYTES)
        return await self._run(lambda: self._fits(password_hash, password, salt))

    def outdated(self, password_hash: str) -> bool:
        """Whether the hash was made at other costs than today's."""
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        """End the threads; what waits is given up."""
        if self._owned is not None:
            self._owned.shutdown(wait=False, cancel_futures=True)

    def _fits(self, password_hash: str | None, password: str, salt: bytes) -> bool:
        # The first call makes the hash of nobody whoever it is about, so that it shows nothing either.
        if self._nobody is None:
            self._nobody = self._hasher.hash(salt.hex(), salt=salt)
        with suppress(VerificationError, InvalidHashError):
            self._hasher.verify(self._nobody if password_hash is None else password_hash, _plain(password))
            return password_hash is not None
        return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._busy >= AT_ONCE + WAITING:
            raise Refused("too_many", "too many people sign in at this moment; try again")
        pool = self._pool
        if pool is None:
            pool = self._owned = self._owned or ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
        loop = asyncio.get_running_loop()
        self._busy += 1
        future = pool.submit(work)
        # Who gives up waiting does not make room: the thread works on.
        future.add_done_callback(lambda _: _on(loop, self._done))
        return await asyncio.wrap_future(future)

    def _done(self) -> None:
        self._busy -= 1


def _on(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    # The house may have closed while a thread was still at work.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


def _plain(password: str) -> bytes:
    """The same bytes for what looks the same, however a keyboard composed it."""
    return unicodedata.normalize("NFC", password).encode()
