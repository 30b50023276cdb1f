"""A database in which what is asked goes wrong where the test says."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from parlour_server.storage.database import Database, Value

Plan = Callable[[str, int], bool]
"""Whether the n-th step of this kind (`write` or `commit`), from 1, goes wrong."""


class Counts:
    """Steps so far, over all connections."""

    def __init__(self) -> None:
        self.writes = 0
        self.commits = 0


class Faulty:
    """Fails a statement before it runs, or a commit before or after it was made."""

    def __init__(
        self,
        inner: Database,
        plan: Plan,
        counts: Counts,
        *,
        late: bool = False,
        error: Callable[[str], Exception] = sqlite3.OperationalError,
    ) -> None:
        """With `late` a commit that fails has been made all the same, as where a line is cut."""
        self._error = error
        self._inner = inner
        self._plan = plan
        self._counts = counts
        self._late = late

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        return self._inner.rows(sql, values)

    def run(self, sql: str, values: Sequence[Value] = ()) -> None:
        self._write()
        self._inner.run(sql, values)

    def run_many(self, sql: str, values: Iterable[Sequence[Value]]) -> None:
        self._write()
        self._inner.run_many(sql, values)

    def begin(self) -> None:
        self._inner.begin()

    def commit(self) -> None:
        self._counts.commits += 1
        if self._plan("commit", self._counts.commits):
            if self._late:
                self._inner.commit()
            raise self._error("disk I/O error")
        self._inner.commit()

    def rollback(self) -> None:
        self._inner.rollback()

    def problems(self) -> list[str]:
        return self._inner.problems()

    def close(self) -> None:
        self._inner.close()

    def _write(self) -> None:
        self._counts.writes += 1
        if self._plan("write", self._counts.writes):
            raise self._error("disk I/O error")
