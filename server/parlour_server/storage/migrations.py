"""The schema, step by step: a database at version n gets the steps from n on, each in a transaction of its own.

A step is never changed once a release has had it. `{text}`, `{blob}`, `{integer}` and `{clustered}` are words of the
dialect's.
"""

from collections.abc import Callable, Sequence
from typing import Final

from parlour_server.storage.database import Database
from parlour_server.storage.store import StoreNewer

Step = tuple[str, ...]

STEPS: Final[tuple[Step, ...]] = (
    (
        """CREATE TABLE identities (
            id {text} NOT NULL PRIMARY KEY, name {text} NOT NULL, made_at {text} NOT NULL){clustered}""",
        """CREATE TABLE accounts (
            folded {text} NOT NULL PRIMARY KEY, account {text} NOT NULL,
            identity {text} NOT NULL UNIQUE REFERENCES identities (id) ON DELETE CASCADE,
            password_hash {text} NOT NULL){clustered}""",
        """CREATE TABLE sessions (
            session {blob} NOT NULL PRIMARY KEY,
            identity {text} NOT NULL REFERENCES identities (id) ON DELETE CASCADE,
            made_at {text} NOT NULL, used_at {text} NOT NULL){clustered}""",
        "CREATE INDEX sessions_by_identity ON sessions (identity)",
        """CREATE TABLE live_tables (
            id {text} NOT NULL PRIMARY KEY, meta {blob} NOT NULL, made_at {text} NOT NULL, began {text},
            checkpoint_n {integer}){clustered}""",
        """CREATE TABLE journal (
            live_table {text} NOT NULL REFERENCES live_tables (id) ON DELETE CASCADE, n {integer} NOT NULL,
            size {integer} NOT NULL, bundle {blob} NOT NULL, PRIMARY KEY (live_table, n)){clustered}""",
        """CREATE TABLE matches (
            id {text} NOT NULL PRIMARY KEY, ended {text} NOT NULL, public {integer} NOT NULL,
            demonstration {integer} NOT NULL, line {blob} NOT NULL)""",
        "CREATE INDEX matches_by_end ON matches (ended, id)",
        """CREATE TABLE records (
            match_id {text} NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE, packed {blob} NOT NULL)""",
        """CREATE TABLE match_people (
            match_id {text} NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
            identity {text} NOT NULL REFERENCES identities (id) ON DELETE CASCADE,
            seat {integer}, best {integer} NOT NULL, PRIMARY KEY (match_id, identity)){clustered}""",
        "CREATE INDEX match_people_by_identity ON match_people (identity)",
        """CREATE TABLE deal_results (
            match_id {text} NOT NULL REFERENCES matches (id) ON DELETE CASCADE, deal {integer} NOT NULL,
            seat {integer} NOT NULL, identity {text} NOT NULL REFERENCES identities (id) ON DELETE CASCADE,
            won {text}, dealt_in {integer} NOT NULL, points {integer} NOT NULL,
            PRIMARY KEY (match_id, deal, seat)){clustered}""",
        "CREATE INDEX deal_results_by_identity ON deal_results (identity)",
        """CREATE TABLE rulesets (
            digest {text} NOT NULL PRIMARY KEY, ruleset {text} NOT NULL, version {text} NOT NULL,
            packed {blob} NOT NULL)""",
        """CREATE TABLE bans (
            kind {text} NOT NULL, who {text} NOT NULL, until {text}, reason {text} NOT NULL, made_at {text} NOT NULL,
            PRIMARY KEY (kind, who)){clustered}""",
        """CREATE TABLE mutes (
            identity {text} NOT NULL PRIMARY KEY, until {text}, reason {text} NOT NULL, made_at {text} NOT NULL)
            {clustered}""",
        # The last batch that was written: whether a commit that failed was one can be seen here.
        "CREATE TABLE mark (one {integer} NOT NULL PRIMARY KEY, run {text} NOT NULL, batch {integer} NOT NULL)",
        "INSERT INTO mark (one, run, batch) VALUES (1, '', 0)",
    ),
)
"""The step at index n leads from version n to n + 1."""


def migrate(
    database: Database,
    words: dict[str, str],
    version: int,
    set_version: Callable[[int], None],
    steps: Sequence[Step] = STEPS,
) -> None:
    """Bring a database to the newest version; raises StoreNewer where it is beyond that, or what the database does,
    and then it is at the version of the last step that succeeded."""
    if version > len(steps):
        raise StoreNewer(
            f"the database has schema {version}, this program knows {len(steps)}: run the newer program that wrote it"
        )
    for number in range(version, len(steps)):
        database.begin()
        try:
            for statement in steps[number]:
                database.run(statement.format(**words))
            set_version(number + 1)
            database.commit()
        except BaseException:
            database.rollback()
            raise
