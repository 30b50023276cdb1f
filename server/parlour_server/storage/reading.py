"""Each question as queries, answered from one connection."""

import zlib
from typing import Final, get_args

from parlour_server.protocol.listings import LevelWins, MatchLine, MatchSeat
from parlour_server.protocol.lobby import Matches, Statistics
from parlour_server.protocol.values import WinWay
from parlour_server.storage.changes import Banned, Muted, RulesetKept, StoredMatch, TableMeta
from parlour_server.storage.database import Database, Value
from parlour_server.storage.rows import unpack, unpack_meta, unpack_rows
from parlour_server.storage.store import LiveRows, RowsUnreadable, StoredAccount, StoredIdentity
from parlour_server.table.journal import Row

_PEOPLE: Final = "SELECT i.id, i.name, a.account, i.made_at FROM identities i LEFT JOIN accounts a ON a.identity = i.id"
_IDENTITY: Final = f"{_PEOPLE} WHERE i.id = ?"
_KEY: Final = f"{_PEOPLE} JOIN sessions s ON s.identity = i.id WHERE s.session = ?"
_ACCOUNT: Final = (
    "SELECT a.identity, a.account, a.password_hash, i.name FROM accounts a JOIN identities i ON i.id = a.identity "
    "WHERE a.folded = ?"
)
_LIVE: Final = "SELECT meta, began, checkpoint_n FROM live_tables WHERE id = ?"
_ROWS: Final = "SELECT bundle FROM journal WHERE live_table = ? AND n >= ? ORDER BY n"
_MINE: Final = "SELECT m.line, p.seat FROM match_people p JOIN matches m ON m.id = p.match_id WHERE p.identity = ?"
_PUBLIC: Final = "SELECT m.line, NULL FROM matches m WHERE m.public = ?"
_BEFORE: Final = " AND (m.ended, m.id) < (SELECT b.ended, b.id FROM matches b WHERE b.id = ?)"
_NEWEST: Final = " ORDER BY m.ended DESC, m.id DESC LIMIT ?"
_DEALS: Final = "SELECT won, COUNT(*), SUM(dealt_in), SUM(points) FROM deal_results WHERE identity = ? GROUP BY won"
_BANS: Final = "SELECT kind, who, until, reason, made_at FROM bans ORDER BY made_at"
_MUTES: Final = "SELECT identity, until, reason, made_at FROM mutes ORDER BY made_at"


def identity(database: Database, who: str) -> StoredIdentity | None:
    """Somebody by id."""
    found = database.rows(_IDENTITY, (who,))
    return StoredIdentity(*found[0]) if found else None


def identity_of_key(database: Database, key: bytes) -> StoredIdentity | None:
    """Who holds a token."""
    found = database.rows(_KEY, (key,))
    return StoredIdentity(*found[0]) if found else None


def account(database: Database, folded: str) -> StoredAccount | None:
    """The account of a folded name."""
    found = database.rows(_ACCOUNT, (folded,))
    return StoredAccount(*found[0]) if found else None


def live_ids(database: Database) -> list[str]:
    """The running tables, oldest first."""
    return [row[0] for row in database.rows("SELECT id FROM live_tables ORDER BY made_at, id")]


def live(database: Database, table: str) -> LiveRows | None:
    """A running table from its last checkpoint on; None where it is gone. Raises RowsUnreadable for what it was made
    of; what is wrong with its rows stands in `problem`."""
    found = database.rows(_LIVE, (table,))
    if not found:
        return None
    packed, began, checkpoint = found[0]
    meta = unpack_meta(packed, began)
    try:
        return LiveRows(table, meta, _rows(database, table, checkpoint or 0))
    except RowsUnreadable as error:
        return LiveRows(table, meta, [], str(error))


def table_meta(database: Database, table: str) -> TableMeta | None:
    """What a running table was made of; raises RowsUnreadable."""
    found = database.rows(_LIVE, (table,))
    return unpack_meta(found[0][0], found[0][1]) if found else None


def all_rows(database: Database, table: str) -> list[Row]:
    """All its rows; raises RowsUnreadable."""
    return _rows(database, table, 0)


def _rows(database: Database, table: str, first: int) -> list[Row]:
    return [row for (bundle,) in database.rows(_ROWS, (table, first)) for row in unpack_rows(bundle)]


def matches(database: Database, who: str | None, before: str | None, limit: int) -> Matches:
    """Matches that are over, newest first: somebody's, or all public ones."""
    query, values = (_PUBLIC, [1]) if who is None else (_MINE, [who])
    asked: list[Value] = [*values]
    if before is not None:
        query += _BEFORE
        asked.append(before)
    found = database.rows(query + _NEWEST, (*asked, limit + 1))
    lines = [_line(unpack(line, StoredMatch), seat) for line, seat in found[:limit]]
    return Matches(who is not None, lines, len(found) > limit)


def _line(match: StoredMatch, you: int | None) -> MatchLine:
    return MatchLine(
        match=match.match,
        ruleset=match.ruleset,
        ruleset_name=match.ruleset_name,
        options=match.options,
        rounds=match.rounds,
        began=match.began,
        deals=match.deals,
        finished=match.finished,
        public=match.public,
        seats=[
            MatchSeat(one.name, one.level, one.score, one.rank, seat == you) for seat, one in enumerate(match.seats)
        ],
    )


def newest(database: Database, limit: int) -> list[StoredMatch]:
    """The lines of all matches, newest first, without results and records."""
    query = f"SELECT m.line FROM matches m WHERE m.public >= ?{_NEWEST}"
    return [unpack(line, StoredMatch) for (line,) in database.rows(query, (0, limit))]


def match_names(database: Database, beginning: str) -> list[str]:
    """Those that begin so, two at the most."""
    values = (len(beginning), beginning)
    return [row[0] for row in database.rows("SELECT id FROM matches WHERE substr(id, 1, ?) = ? LIMIT 2", values)]


def record(database: Database, match: str) -> str | None:
    """The record of a match."""
    found = database.rows("SELECT packed FROM records WHERE match_id = ?", (match,))
    return zlib.decompress(found[0][0]).decode() if found else None


def statistics(database: Database, who: str) -> Statistics:
    """All that somebody has played."""
    ((played, first),) = database.rows("SELECT COUNT(*), SUM(best) FROM match_people WHERE identity = ?", (who,))
    by_way = {won: (int(count), int(dealt), int(points)) for won, count, dealt, points in database.rows(_DEALS, (who,))}
    ways = [LevelWins(way, by_way[way][0]) for way in get_args(WinWay) if way in by_way]
    return Statistics(
        matches=played,
        deals=sum([count for count, _, _ in by_way.values()]),
        wins=sum([one.wins for one in ways]),
        by=ways,
        dealt_in=sum([dealt for _, dealt, _ in by_way.values()]),
        points=sum([points for _, _, points in by_way.values()]),
        first=int(first or 0),
    )


def ruleset(database: Database, digest: str) -> RulesetKept | None:
    """A ruleset's file by its digest."""
    found = database.rows("SELECT packed FROM rulesets WHERE digest = ?", (digest,))
    return unpack(zlib.decompress(found[0][0]), RulesetKept) if found else None


def bans(database: Database) -> list[Banned]:
    """All bans."""
    return [
        Banned(*row) for row in database.rows("SELECT kind, who, until, reason, made_at FROM bans ORDER BY made_at")
    ]


def mutes(database: Database) -> list[Muted]:
    """All mutes."""
    return [Muted(*row) for row in database.rows(_MUTES)]


def integrity(database: Database) -> list[str]:
    """What is wrong with the database."""
    return database.problems()
