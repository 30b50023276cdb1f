"""A store that keeps everything in memory, for tests that are about something else than storing.

Changes are durable when `commit` is called, or one turn of the loop after they were told (`commits` false stops that,
as a disk does that has no room).
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

from attrs import evolve

from parlour_server.protocol.lobby import Matches, Statistics
from parlour_server.storage.changes import (
    AccountMade,
    Banned,
    Change,
    IdentityMade,
    IdentityRenamed,
    MatchStored,
    Muted,
    PasswordChanged,
    RowsTold,
    RulesetKept,
    SessionEnded,
    SessionMade,
    SessionsEnded,
    StoredMatch,
    TableBegan,
    TableGone,
    TableMade,
    TableMeta,
    Together,
)
from parlour_server.storage.matches import stored_match
from parlour_server.storage.store import PAGE, LiveRows, StoredAccount, StoredIdentity
from parlour_server.table.journal import Checkpoint, Row


class MemoryStore:
    """Everybody's identities, sessions and accounts, the tables that live, and the matches that are over."""

    def __init__(self) -> None:
        self.commits = True
        self.told: list[Change] = []
        """Every change that is durable, in order."""
        self.identities: dict[str, StoredIdentity] = {}
        self.sessions: dict[bytes, str] = {}
        self.accounts: dict[str, AccountMade] = {}
        self.tables: dict[str, tuple[TableMeta, list[Row]]] = {}
        self.rulesets: dict[str, RulesetKept] = {}
        self.matches_stored: list[StoredMatch] = []
        self.reads = 0
        self.hold: asyncio.Event | None = None
        """Where it is set, questions wait for it: a disk that is slow to read."""
        self._queue: deque[tuple[Change, Callable[[], None] | None]] = deque()
        self._trouble: list[Callable[[bool], None]] = []
        self._refused: list[Callable[[Change, Exception], None]] = []

    def open(self) -> None:
        """Another server has it now; what the one before had not written is lost."""
        self._queue.clear()
        self._trouble.clear()
        self._refused.clear()

    def write(self, change: Change, done: Callable[[], None] | None = None) -> None:
        self._queue.append((change, done))
        if self.commits:
            asyncio.get_running_loop().call_soon(self.commit)

    def commit(self) -> None:
        """Everything that was told is durable."""
        while self._queue and self.commits:
            change, done = self._queue.popleft()
            self._apply(change)
            if done is not None:
                done()

    def resume(self) -> None:
        """There is room again."""
        self.commits = True
        self.commit()

    @property
    def waiting(self) -> int:
        """Changes that are not durable yet."""
        return len(self._queue)

    def _apply(self, change: Change) -> None:
        self.told.append(change)
        match change:
            case Together():
                for one in change.changes:
                    self._apply(one)
            case IdentityMade():
                self.identities[change.id] = StoredIdentity(change.id, change.name, None, change.at)
            case IdentityRenamed():
                self.identities[change.id] = evolve(self.identities[change.id], name=change.name)
            case SessionMade():
                assert change.identity in self.identities
                self.sessions[change.key] = change.identity
            case SessionEnded():
                self.sessions.pop(change.key, None)
            case SessionsEnded():
                self.sessions = {key: who for key, who in self.sessions.items() if who != change.identity}
            case AccountMade():
                assert change.folded not in self.accounts
                assert self.identities[change.identity].account is None
                self.accounts[change.folded] = change
                self.identities[change.identity] = evolve(self.identities[change.identity], account=change.account)
            case PasswordChanged():
                folded = next(name for name, made in self.accounts.items() if made.identity == change.identity)
                self.accounts[folded] = evolve(self.accounts[folded], password_hash=change.password_hash)
            case MatchStored():
                if change.match.match not in [one.match for one in self.matches_stored]:
                    self.matches_stored.append(change.match)
            case TableMade():
                self.tables[change.table] = (change.meta, [])
            case TableBegan():
                meta, rows = self.tables[change.table]
                self.tables[change.table] = (evolve(meta, began=change.at), rows)
            case RowsTold():
                self.tables[change.table][1].extend(change.rows)
            case TableGone():
                del self.tables[change.table]
            case RulesetKept():
                self.rulesets[change.digest] = change
            case _:
                pass

    def on_trouble(self, told: Callable[[bool], None]) -> None:
        self._trouble.append(told)

    def on_refused(self, told: Callable[[Change, Exception], None]) -> None:
        self._refused.append(told)

    async def _reading(self) -> None:
        self.reads += 1
        if self.hold is not None:
            await self.hold.wait()
        await asyncio.sleep(0)

    async def identity_of_key(self, key: bytes) -> StoredIdentity | None:
        # What is read is as old as the question, however long the answer takes.
        found = self.identities.get(self.sessions.get(key, ""))
        await self._reading()
        return found

    async def identity(self, identity: str) -> StoredIdentity | None:
        found = self.identities.get(identity)
        await self._reading()
        return found

    async def account(self, folded: str) -> StoredAccount | None:
        made = self.accounts.get(folded)
        await self._reading()
        if made is None:
            return None
        return StoredAccount(made.identity, made.account, made.password_hash, self.identities[made.identity].name)

    async def live_tables(self) -> AsyncIterator[LiveRows]:
        for table in list(self.tables):
            found = await self.live_table(table)
            if found is not None:
                yield found

    async def live_table(self, table: str) -> LiveRows | None:
        await self._reading()
        if table not in self.tables:
            return None
        meta, rows = self.tables[table]
        begin = max([at for at, row in enumerate(rows) if isinstance(row, Checkpoint)], default=0)
        return LiveRows(table, meta, rows[begin:])

    async def all_rows(self, table: str) -> list[Row]:
        await self._reading()
        return list(self.tables[table][1])

    async def match_of(
        self, table: str, ended: str, program: str, seal: Callable[[str], str] = str
    ) -> StoredMatch | None:
        await self._reading()
        meta, rows = self.tables[table]
        return stored_match(meta, rows, ended, program, seal)

    async def matches(self, identity: str | None, before: str | None = None, limit: int = PAGE) -> Matches:
        del before, limit
        await self._reading()
        return Matches(identity is not None, [], more=False)

    async def record(self, match: str) -> str | None:
        await self._reading()
        return next((one.text for one in self.matches_stored if one.match == match), None)

    async def statistics(self, identity: str) -> Statistics:
        del identity
        await self._reading()
        return Statistics(0, 0, 0, [], 0, 0, 0)

    async def ruleset(self, digest: str) -> RulesetKept | None:
        await self._reading()
        return self.rulesets.get(digest)

    async def bans(self) -> list[Banned]:
        return []

    async def mutes(self) -> list[Muted]:
        return []

    async def integrity(self) -> list[str]:
        return []

    async def close(self, patience: float = 5.0) -> int:
        del patience
        self.commit()
        return len(self._queue)

    def __repr__(self) -> str:
        kept: Any = (self.identities, sorted(self.accounts), len(self.sessions))
        return f"MemoryStore{kept}"
