"""Records on disk: a file a match in one folder, written row by row while it is played.

A thread of its own writes, in the order in which it was told, so that a slow disk holds no table up. What stands in a
file is a valid record up to there: whole rows are appended, and a write that fails half way is taken back. Nothing is
forced to the platter: a killed program loses no more than its last moment, a power cut the last seconds.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final

from parlour_server.log import log
from parlour_server.records.rows import EndRow, RecordRow, header_of, line_of, row_of
from parlour_server.storage.changes import StoredMatch
from parlour_server.table.journal import Closed, Happened, MatchBegun, Row

MOST_WAITING: Final = 20_000
"""Bundles of rows that may wait for the disk, about 20 MB; beyond it a match's record ends where it stands."""
_PATIENCE: Final = 5.0
"""Seconds that the last rows have to reach the disk when the server stops."""
_PLAIN: Final = str.maketrans("", "", "-:")
_PRIVATE: Final = 0o600
"""A record tells walls before they are played: no other user of the machine may look."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class _Open:
    """A match that is being recorded: its file, and the table's time of its first row."""

    __slots__ = ("path", "since")

    def __init__(self, path: Path, since: float) -> None:
        self.path: Final = path
        self.since: Final = since


class RecordFolder:
    """Writes every match that it is told of: `Hall(record=RecordFolder(...))`. `close` it at the end."""

    def __init__(self, folder: Path, program: str, now: Callable[[], datetime] = _utc_now) -> None:
        """Raises OSError where `folder` cannot be made or written in."""
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".parlour-{os.getpid()}"
        probe.touch(_PRIVATE)
        probe.unlink()
        self._folder: Final = folder
        self._program: Final = program
        self._now: Final = now
        self._open: Final[dict[str, _Open]] = {}
        self._queue: Final[SimpleQueue[tuple[str, list[Row]] | None]] = SimpleQueue()
        self._thread: Final = Thread(target=self._write_all, name="records", daemon=True)
        self._thread.start()

    def __call__(self, table: str, rows: list[Row]) -> None:
        """A table's rows, in order. Returns at once and raises nothing."""
        if rows and self._queue.qsize() < MOST_WAITING:
            self._queue.put((table, rows))
        elif rows:
            self._queue.put((table, [Closed(rows[-1].at)]))

    def close(self) -> None:
        """Write what is still waiting, for a few seconds at most."""
        self._queue.put(None)
        self._thread.join(_PATIENCE)

    def __len__(self) -> int:
        """Matches that are being recorded."""
        return len(self._open)

    def _write_all(self) -> None:
        while (bundle := self._queue.get()) is not None:
            table, rows = bundle
            try:
                self._write(table, rows)
            except Exception:  # noqa: BLE001 # a record that cannot be written must not end the others'
                self._open.pop(table, None)
                log.exception("record stopped", table=table[:6])

    def _write(self, table: str, rows: list[Row]) -> None:
        first = rows[0]
        if isinstance(first, MatchBegun):
            now = self._now()
            path = self._folder / _file_name(table, first.ruleset, now)
            self._open[table] = _Open(path, first.at)
            _append(path, line_of(header_of(first, self._program, f"{now:%Y-%m-%dT%H:%M:%SZ}")), os.O_CREAT | os.O_EXCL)
        opened = self._open.get(table)
        if opened is None:
            # The match has not begun, its record is whole, or it had to stop.
            return
        lines: list[str] = []
        ended = False
        for row in rows:
            kept: RecordRow | None = row_of(row, opened.since)
            if kept is not None:
                lines.append(line_of(kept))
            finished = isinstance(row, Happened) and row.event.e == "match_ended"
            if finished or isinstance(row, Closed):
                at = round((row.at - opened.since) * 1000)
                lines.append(line_of(EndRow(at, "finished" if finished else "closed")))
                ended = True
                break
        _append(opened.path, "".join(lines))
        if ended:
            del self._open[table]


def _file_name(table: str, ruleset: str, now: datetime) -> str:
    # The table's own name is the key to it, so only a hash of it is shown.
    return f"{now:%Y%m%dT%H%M%SZ}-{ruleset}-{hashlib.sha256(table.encode()).hexdigest()[:12]}.jsonl"


def _append(path: Path, text: str, flag: int = 0) -> None:
    """Add `text` to the file, all of it or nothing; raises OSError."""
    number = os.open(path, os.O_WRONLY | os.O_APPEND | flag, _PRIVATE)
    try:
        size = os.fstat(number).st_size
        data = memoryview(text.encode())
        try:
            while data:
                data = data[os.write(number, data) :]
        except OSError:
            with suppress(OSError):
                os.ftruncate(number, size)
            raise
    finally:
        os.close(number)


class RecordFiles:
    """A folder in which each match that is over has its record as a file, beside the storage."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError where `folder` cannot be made or written in."""
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".parlour-{os.getpid()}"
        probe.touch(_PRIVATE)
        probe.unlink()
        self._folder: Final = folder

    def keep(self, match: StoredMatch) -> Path:
        """Write the record of a match, whole or not at all, and say where; raises OSError. It waits for the disk, so
        call it in a thread. The same match again gives the same file."""
        began = match.began.translate(_PLAIN)
        path = self._folder / f"{began}-{match.ruleset}-{match.match[:12]}.jsonl"
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE), "wb") as file:
                file.write(match.text.encode())
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return path
