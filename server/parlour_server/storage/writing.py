"""Each change as statements. A `Writing` lives as long as its connection and is told of transactions taken back."""

import zlib
from typing import Final, assert_never

import attrs

from parlour_server.storage.changes import (
    AccountMade,
    Banned,
    Change,
    IdentityMade,
    IdentityRenamed,
    MatchStored,
    Muted,
    PasswordChanged,
    Pruned,
    RowsTold,
    RulesetKept,
    SessionEnded,
    SessionMade,
    SessionsEnded,
    SessionUsed,
    StoredMatch,
    TableBegan,
    TableGone,
    TableMade,
    Together,
    Unbanned,
    Unmuted,
)
from parlour_server.storage.database import Database, Value
from parlour_server.storage.rows import is_checkpoint, pack, pack_rows
from parlour_server.table.journal import Row

_LEVEL: Final = 6
"""Of compression: above it records get hardly smaller."""

_IDENTITY: Final = "INSERT INTO identities (id, name, made_at) VALUES (?, ?, ?)"
_SESSION: Final = "INSERT INTO sessions (session, identity, made_at, used_at) VALUES (?, ?, ?, ?)"
_ACCOUNT: Final = "INSERT INTO accounts (folded, account, identity, password_hash) VALUES (?, ?, ?, ?)"
_TABLE: Final = "INSERT INTO live_tables (id, meta, made_at, began, checkpoint_n) VALUES (?, ?, ?, ?, NULL)"
_ROWS: Final = "INSERT INTO journal (live_table, n, size, bundle) VALUES (?, ?, ?, ?)"
_LAST: Final = "SELECT n + size FROM journal WHERE live_table = ? ORDER BY n DESC LIMIT 1"
_MATCH: Final = "INSERT INTO matches (id, ended, public, demonstration, line) VALUES (?, ?, ?, ?, ?)"
_PERSON: Final = (
    "INSERT INTO match_people (match_id, identity, seat, best) SELECT ?, id, ?, ? FROM identities WHERE id = ?"
)
_DEAL: Final = (
    "INSERT INTO deal_results (match_id, deal, seat, identity, won, dealt_in, points) "
    "SELECT ?, ?, ?, id, ?, ?, ? FROM identities WHERE id = ?"
)
_RULESET: Final = (
    "INSERT INTO rulesets (digest, ruleset, version, packed) VALUES (?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING"
)
_BAN: Final = (
    "INSERT INTO bans (kind, who, until, reason, made_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, who) "
    "DO UPDATE SET until = excluded.until, reason = excluded.reason, made_at = excluded.made_at"
)
_MUTE: Final = (
    "INSERT INTO mutes (identity, until, reason, made_at) VALUES (?, ?, ?, ?) ON CONFLICT (identity) "
    "DO UPDATE SET until = excluded.until, reason = excluded.reason, made_at = excluded.made_at"
)
_LONELY: Final = (
    "DELETE FROM identities WHERE made_at < ? AND id NOT IN (SELECT identity FROM sessions) "
    "AND id NOT IN (SELECT identity FROM accounts) AND id NOT IN (SELECT identity FROM match_people)"
)


class Writing:
    """Writes changes into the transaction that is open. Raises what the database raises, LookupError for a change of
    something that is not there, and whatever values that are no plain data raise."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database
        self._next: Final[dict[str, int]] = {}
        """By table the number of the next row, as far as it was asked for."""

    def taken_back(self) -> None:
        """The transaction was."""
        self._next.clear()

    def write(self, change: Change) -> None:
        """One change."""
        run = self._database.run
        match change:
            case RowsTold():
                self._rows(change.table, change.rows)
            case TableMade():
                meta = change.meta
                run(_TABLE, (change.table, pack(meta), meta.made_at, meta.began))
            case TableBegan():
                run("UPDATE live_tables SET began = ? WHERE id = ?", (change.at, change.table))
            case TableGone():
                run("DELETE FROM live_tables WHERE id = ?", (change.table,))
                self._next.pop(change.table, None)
            case MatchStored():
                self._match(change.match)
            case Together():
                for one in change.changes:
                    self.write(one)
            case IdentityMade():
                run(_IDENTITY, (change.id, change.name, change.at))
            case IdentityRenamed():
                run("UPDATE identities SET name = ? WHERE id = ?", (change.name, change.id))
            case SessionMade():
                run(_SESSION, (change.key, change.identity, change.at, change.at))
            case SessionUsed():
                run("UPDATE sessions SET used_at = ? WHERE session = ?", (change.at, change.key))
            case SessionEnded():
                run("DELETE FROM sessions WHERE session = ?", (change.key,))
            case SessionsEnded():
                run("DELETE FROM sessions WHERE identity = ?", (change.identity,))
            case AccountMade():
                run(_ACCOUNT, (change.folded, change.account, change.identity, change.password_hash))
            case PasswordChanged():
                run("UPDATE accounts SET password_hash = ? WHERE identity = ?", (change.password_hash, change.identity))
            case RulesetKept():
                packed = zlib.compress(pack(change), _LEVEL)
                run(_RULESET, (change.digest, change.key, change.version, packed))
            case Banned():
                run(_BAN, (change.kind, change.who, change.until, change.reason, change.at))
            case Unbanned():
                run("DELETE FROM bans WHERE kind = ? AND who = ?", (change.kind, change.who))
            case Muted():
                run(_MUTE, (change.identity, change.until, change.reason, change.at))
            case Unmuted():
                run("DELETE FROM mutes WHERE identity = ?", (change.identity,))
            case Pruned():
                self._prune(change)
            case _:
                assert_never(change)

    def _rows(self, table: str, rows: list[Row]) -> None:
        """Rows told together lie together, but one from which the table can be restored begins anew."""
        if not rows:
            return
        n = self._next.get(table)
        if n is None:
            found = self._database.rows(_LAST, (table,))
            n = found[0][0] if found else 0
        bundles: list[tuple[Value, ...]] = []
        checkpoint: int | None = None
        first = 0
        for at in range(1, len(rows) + 1):
            if at < len(rows) and not is_checkpoint(rows[at]):
                continue
            if is_checkpoint(rows[first]):
                checkpoint = n + first
            bundles.append((table, n + first, at - first, pack_rows(rows[first:at])))
            first = at
        if len(bundles) == 1:
            self._database.run(_ROWS, bundles[0])
        else:
            self._database.run_many(_ROWS, bundles)
        if checkpoint is not None:
            self._database.run("UPDATE live_tables SET checkpoint_n = ? WHERE id = ?", (checkpoint, table))
        self._next[table] = n + len(rows)

    def _match(self, match: StoredMatch) -> None:
        run, many = self._database.run, self._database.run_many
        if self._database.rows("SELECT 1 FROM matches WHERE id = ?", (match.match,)):
            return
        line = pack(attrs.evolve(match, text="", results=[]))
        run(_MATCH, (match.match, match.ended, int(match.public), int(match.demonstration), line))
        packed = zlib.compress(match.text.encode(), _LEVEL)
        run("INSERT INTO records (match_id, packed) VALUES (?, ?)", (match.match, packed))
        seats: dict[str, int | None] = {result.person: None for result in match.results}
        seats.update({one.person: seat for seat, one in enumerate(match.seats) if one.person is not None})
        people: list[tuple[Value, ...]] = []
        for person, seat in seats.items():
            best = match.finished and seat is not None and match.seats[seat].rank == 1
            people.append((match.match, seat, int(best), person))
        if people:
            many(_PERSON, people)
        deals = [
            (match.match, one.deal, one.seat, one.won, int(one.dealt_in), one.points, one.person)
            for one in match.results
        ]
        if deals:
            many(_DEAL, deals)

    def _prune(self, change: Pruned) -> None:
        run = self._database.run
        if change.matches_before is not None:
            run("DELETE FROM matches WHERE demonstration = 0 AND ended < ?", (change.matches_before,))
        if change.demonstration_before is not None:
            run("DELETE FROM matches WHERE demonstration = 1 AND ended < ?", (change.demonstration_before,))
        if change.sessions_before is not None:
            # Whoever has an account comes back with name and password, a guest has only the token.
            run("DELETE FROM sessions WHERE used_at < ?", (change.sessions_before,))
            run(_LONELY, (change.sessions_before,))
