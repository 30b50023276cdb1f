"""Everybody the house knows: guests by their tokens, accounts by name and password."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

from attrs import field, frozen

from parlour_server.budgets import Budgets
from parlour_server.chance import Chance
from parlour_server.limits import household, is_loopback
from parlour_server.log import log
from parlour_server.names import GUEST, LONGEST, Reserved, clean_line, clean_name, mixes_scripts, skeleton
from parlour_server.people.attempts import Attempts
from parlour_server.people.house import House
from parlour_server.people.identity import Identity
from parlour_server.people.passwords import Passwords, check_password
from parlour_server.people.tokens import key_of, new_token
from parlour_server.refused import Refused
from parlour_server.storage.changes import (
    AccountMade,
    Change,
    IdentityMade,
    IdentityRenamed,
    PasswordChanged,
    SessionEnded,
    SessionMade,
    SessionsEnded,
    SessionUsed,
    Together,
)
from parlour_server.storage.store import Store

IDENTITY_BYTES: Final = 16
UNWRITTEN: Final = 10_000
"""People who may wait at one time for being written; a disk that is slow must not become a full memory."""
GUESTS_AT_ONCE: Final = 100
GUESTS_SECONDS: Final = 100.0
"""New guests of one address: so many at once, and as many again in so many seconds. Each is kept on disk."""
ACCOUNTS_AT_ONCE: Final = 10
ACCOUNTS_SECONDS: Final = 3600.0
"""New accounts of one address."""
RENAMES: Final = 10
RENAMES_SECONDS: Final = 60.0
"""New names of one person: each is written, and told to others."""
LOG_INS: Final = 30
LOG_INS_SECONDS: Final = 3600.0
"""New tokens of one account."""
PASSWORD_BYTES: Final = 12
"""Of a password that the keeper gives: sixteen characters."""


@frozen
class Came:
    """Somebody came: by a token that was known, or with a new `token` that only the browser will keep."""

    identity: Identity
    session: bytes = field(repr=False)
    token: str | None = field(default=None, repr=False)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class People:
    """Identities by token and by account. What a person is told of itself is written before.

    At most `most` of them are kept in memory beside those who are here; `names` are those that nobody else may have.
    """

    def __init__(
        self,
        store: Store,
        most: int,
        *,
        chance: Chance | None = None,
        utc_now: Callable[[], datetime] = _utc_now,
        names: Iterable[str] = (),
        passwords: Passwords | None = None,
    ) -> None:
        self._store = store
        self._most = most
        self._chance = chance or Chance()
        self._utc_now = utc_now
        self._reserved = Reserved(names)
        self._passwords = passwords or Passwords(self._chance)
        self._attempts = Attempts()
        self._arrivals = Budgets()
        self._founders = Budgets()
        self._renames = Budgets()
        self._log_ins = Budgets()
        # In the order of their last use, so that the first is the one longest away.
        self._by_id: OrderedDict[str, Identity] = OrderedDict()
        self._by_key: OrderedDict[bytes, tuple[str, str]] = OrderedDict()
        """The identity of a session, and the day on which its use was last written."""
        self._ending: set[bytes | str] = set()
        """Sessions, and identities all of whose sessions, are void though that is not written yet."""
        self._endings = 0
        self._founding: set[str] = set()
        """Names and identities of accounts that are about to be made."""
        self._reset: dict[str, str] = {}
        """The hashes of passwords that the keeper has given."""
        self._unwritten = 0

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._by_id)

    def here(self) -> int:
        """How many of them have a line."""
        return sum([1 for identity in self._by_id.values() if identity.lines])

    def remembered(self) -> list[tuple[str, str]]:
        """Identity and name of everybody in memory."""
        return [(identity.id, identity.name) for identity in self._by_id.values()]

    def known(self, identity: str) -> Identity | None:
        """Somebody who is in memory."""
        return self._by_id.get(identity)

    def held(self, identity: str, name: str, account: str | None = None) -> Identity:
        """The one object of an identity that the store knows; it is made where it is not in memory."""
        found = self._by_id.get(identity)
        if found is None:
            found = self._by_id[identity] = Identity(identity, name, account)
            if len(self._by_id) > self._most:
                self._forget(found)
        self._by_id.move_to_end(identity)
        return found

    # --- guests ---

    async def come_back(self, token: str) -> Came | None:
        """Whose token this is; None where nobody has it."""
        key = key_of(token)
        identity = self._cached(key)
        while identity is None:
            endings = self._endings
            stored = await self._store.identity_of_key(key)
            if stored is None or key in self._ending or stored.id in self._ending:
                return None
            if endings == self._endings:
                identity = self.held(stored.id, stored.name, stored.account)
                self._remember(key, identity.id, "")
        self._used(key)
        return Came(identity, key)

    async def welcome(self, name: str | None, address: str) -> Came:
        """A new guest, written; raises Refused where too many come."""
        now = asyncio.get_running_loop().time()
        if not is_loopback(address) and not self._arrivals.take(
            household(address), GUESTS_AT_ONCE, GUESTS_SECONDS, now
        ):
            raise Refused("too_many", "too many new guests from this address; wait a minute")
        made = Identity(self._chance.token_bytes(IDENTITY_BYTES).hex(), self._first_name(name))
        token, session = self._new_session(made.id)
        await self._written(Together((IdentityMade(made.id, made.name, session.at), session)))
        identity = self.held(made.id, made.name)
        return Came(identity, session.key, token)

    def proper_name(self, wanted: str) -> str:
        """The name as it will be shown; raises Refused."""
        name = clean_name(wanted)
        if not name:
            raise Refused("bad_name", "nothing visible is left of this name")
        if mixes_scripts(name):
            raise Refused("bad_name", "this name mixes the letters of scripts that look alike")
        if self._reserved.resembles(name):
            raise Refused("bad_name", "this name could be taken for another guest's, or for one of the house's own")
        return name

    async def rename(self, identity: Identity, wanted: str) -> str:
        """Another display name, written; raises Refused."""
        if clean_name(wanted) == identity.name:
            return identity.name
        name = self.proper_name(wanted)
        now = asyncio.get_running_loop().time()
        if not self._renames.take(identity.id, RENAMES, RENAMES_SECONDS, now):
            raise Refused("too_many", "too many names; wait a minute")
        await self._written(IdentityRenamed(identity.id, name))
        identity.name = name
        return name

    # --- accounts ---

    async def register(self, identity: Identity, address: str, wanted: str, password: str) -> str:
        """An account for a guest, written: its name. Raises Refused."""
        account, look = self._account_name(wanted)
        check_password(password, account)
        if identity.account is not None or identity.id in self._founding:
            raise Refused("name_taken", "you have an account already")
        if look in self._founding:
            raise Refused("name_taken", "somebody has this name, or one that looks like it")
        claims = {identity.id, look}
        self._founding |= claims
        hashed = None
        try:
            if await self._store.account(look) is not None:
                raise Refused("name_taken", "somebody has this name, or one that looks like it")
            now = asyncio.get_running_loop().time()
            if not is_loopback(address) and not self._founders.take(
                household(address), ACCOUNTS_AT_ONCE, ACCOUNTS_SECONDS, now
            ):
                raise Refused("too_many", "too many new accounts from this address; wait an hour")
            hashed = await self._passwords.hash(password)
        finally:
            if hashed is None:
                self._founding -= claims

        def founded() -> None:
            # Who asked may be gone by now; the account stands all the same.
            identity.account = account
            self._founding.difference_update(claims)

        await self._written(AccountMade(identity.id, account, look, hashed), founded)
        log.info("account made", identity=identity.id[:6])
        return account

    async def log_in(self, house: House, address: str, account: str, password: str) -> Came:
        """The person of an account, with a new token, written. Raises Refused, for an unknown name as for a wrong
        password and after the same time."""
        look = skeleton(clean_line(account, 2 * LONGEST))
        self._attempts.begin(address, look, asyncio.get_running_loop().time())
        stored = await self._store.account(look)
        fits = await self._passwords.fits(None if stored is None else stored.password_hash, password)
        if stored is None or not fits:
            log.info("log-in failed")
            raise Refused("bad_login", "there is no such account, or its password is another")
        self._attempts.succeeded(address, look)
        if house.banned(stored.identity, address):
            raise Refused("banned", "the house does not let this person in")
        if not self._log_ins.take(look, LOG_INS, LOG_INS_SECONDS, asyncio.get_running_loop().time()):
            raise Refused("too_many", "this account has logged in too often; wait an hour")
        renewed = await self._passwords.hash(password) if self._passwords.outdated(stored.password_hash) else None
        if self._reset.get(stored.identity, stored.password_hash) != stored.password_hash:
            raise Refused("bad_login", "the password has just become another")
        if renewed is not None:
            self._store.write(PasswordChanged(stored.identity, renewed))
        token, session = self._new_session(stored.identity)
        await self._written(session)
        return Came(self.held(stored.identity, stored.name, stored.account), session.key, token)

    async def reset_password(self, account: str) -> tuple[Identity, str] | None:
        """Whose account it is, and its new password, written: all tokens of the person are void. None where there is no
        such account. Raises Refused where too many wait for a hash."""
        stored = await self._store.account(skeleton(clean_line(account, 2 * LONGEST)))
        if stored is None:
            return None
        password = self._chance.token(PASSWORD_BYTES)
        # Whoever is logging in with the old one at this moment does not get in, nor has it hashed anew.
        hashed = self._reset[stored.identity] = await self._passwords.hash(password)
        await self._void(
            stored.identity, None, Together((PasswordChanged(stored.identity, hashed), SessionsEnded(stored.identity)))
        )
        return self.held(stored.identity, stored.name, stored.account), password

    async def log_out(self, identity: Identity, session: bytes, *, everywhere: bool) -> None:
        """A token, or all of a person's, is void from this moment on; returns when that is written."""
        change: Change = SessionsEnded(identity.id) if everywhere else SessionEnded(session)
        await self._void(identity.id, None if everywhere else session, change)

    async def _void(self, identity: str, session: bytes | None, change: Change) -> None:
        """A session, or all of somebody's, is void from now on; returns when `change` says so on disk."""
        self._endings += 1
        ended: bytes | str = identity if session is None else session
        self._ending.add(ended)
        for key, (who, _) in list(self._by_key.items()):
            if key == session or (session is None and who == identity):
                del self._by_key[key]
        await self._written(change, lambda: self._ending.discard(ended))

    def close(self) -> None:
        """End the threads that work on passwords."""
        self._passwords.close()

    # --- what is kept ---

    def _account_name(self, wanted: str) -> tuple[str, str]:
        account = clean_line(wanted, 2 * LONGEST)
        look = skeleton(account)
        if not look or len(account) > LONGEST:
            raise Refused("bad_name", f"an account's name has letters, and at most {LONGEST} characters")
        if mixes_scripts(account):
            raise Refused("bad_name", "this name mixes the letters of scripts that look alike")
        if self._reserved.resembles(account):
            raise Refused("name_taken", "this name is the house's own")
        return account, look

    def _first_name(self, name: str | None) -> str:
        try:
            return self.proper_name(name or "")
        except Refused:
            return f"{GUEST} {100 + self._chance.random.randrange(900)}"

    def _new_session(self, identity: str) -> tuple[str, SessionMade]:
        token = new_token(self._chance)
        made = SessionMade(key_of(token), identity, self._now())
        self._remember(made.key, identity, made.at[:10])
        return token, made

    def _now(self) -> str:
        return self._utc_now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def _cached(self, key: bytes) -> Identity | None:
        kept = self._by_key.get(key)
        identity = None if kept is None else self._by_id.get(kept[0])
        if identity is not None:
            self._by_id.move_to_end(identity.id)
        return identity

    def _remember(self, key: bytes, identity: str, day: str) -> None:
        self._by_key[key] = (identity, day)
        self._by_key.move_to_end(key)
        if len(self._by_key) > self._most:
            self._by_key.popitem(last=False)

    def _used(self, key: bytes) -> None:
        """A session that is used is kept; once a day is enough to say so."""
        at = self._now()
        identity, day = self._by_key[key]
        self._remember(key, identity, at[:10])
        if day != at[:10]:
            self._store.write(SessionUsed(key, at))

    def _forget(self, kept: Identity) -> None:
        # Looking past all of those who are here would take long; they are looked at again when their turn comes.
        for _ in range(min(100, len(self._by_id))):
            identity = next(iter(self._by_id.values()))
            if not identity.lines and identity is not kept:
                del self._by_id[identity.id]
                return
            self._by_id.move_to_end(identity.id)

    async def _written(self, change: Change, then: Callable[[], None] = lambda: None) -> None:
        """Queue a change and wait until it is durable; `then` is called whether or not somebody still waits."""
        if self._unwritten >= UNWRITTEN:
            raise Refused("too_many", "the house cannot write that fast; try again")
        written = asyncio.get_running_loop().create_future()

        def done() -> None:
            self._unwritten -= 1
            then()
            if not written.done():
                written.set_result(None)

        self._unwritten += 1
        self._store.write(change, done)
        await written
