"""Whether a database's files are still those that it began with, and nobody else has written in them.

The system lets a program write for ever into a file that has no name any more, or has been cut off or written over by
another program, and without an error. So length and time of writing are compared around every transaction, which costs
next to nothing; only where they are not as this server has left them is it looked closer, which reads the file.
"""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

REST: Final = 20.0
"""So many times as long as a look took that found nothing there is no other: it takes as long as the file is large."""
_HEADER: Final = 512
"""Bytes that every database has. SQLite takes a file without any for a new one, and throws its log away."""

Trace = tuple[int, int]
"""How long a file is, and when it was written last."""


class FileGone(sqlite3.OperationalError):
    """The file was deleted, moved, replaced or written over under the server; it may be put back."""


class NamedFile:
    """A file's name, which file had it at first, and how long that was when the server had last written in it."""

    __slots__ = ("_file", "_path", "length")

    def __init__(self, path: Path) -> None:
        self._path: Final = str(path)
        self._file: tuple[int, int] | None = None
        self.length = 0

    def look(self) -> Trace:
        """As it is now. Raises FileGone where another file has the name, or none."""
        try:
            found = os.stat(self._path)  # noqa: PTH116 # it is asked for twice in every commit
        except OSError as error:
            raise FileGone(f"{self._path} is not there any more ({error.strerror}): put it back") from error
        file = (found.st_dev, found.st_ino)
        self._file = self._file or file
        if file != self._file:
            raise FileGone(f"{self._path} was replaced by another file: put it back, or start the server again")
        return found.st_size, found.st_mtime_ns

    def check_length(self, length: int) -> None:
        """Raises FileGone where it was longer."""
        if length < self.length:
            raise self.harmed("cut off")

    def harmed(self, how: str) -> FileGone:
        """What to say of a file that was."""
        return FileGone(f"{self._path} was {how} by another program: stop the server and put a backup back")


class Watch:
    """Over the files of the connection that writes; `database` and `log` are looked at around each transaction."""

    __slots__ = ("_closer", "_database", "_doubted", "_left", "_log", "_now", "_rests", "_version")

    def __init__(
        self,
        database: NamedFile,
        log: NamedFile,
        version: Callable[[], int],
        closer: Callable[[], bool],
        now: Callable[[], float] = monotonic,
    ) -> None:
        """`version` changes when somebody else has written by way of SQLite, as a person who takes records in does;
        `closer` reads all there is and says whether it is sound."""
        self._database: Final = database
        self._log: Final = log
        self._version: Final = version
        self._closer: Final = closer
        self._now: Final = now
        self._left: tuple[Trace, Trace, int] | None = None
        """What the last transaction has left, and the version then."""
        self._doubted = False
        self._rests = float("-inf")
        """Until then there is no further look."""

    def begun(self) -> None:
        """A transaction begins. Raises FileGone."""
        database, log = self._database.look(), self._log.look()
        if self._left is None or (database, log) == self._left[:2]:
            if self._doubted:
                self._look(database, log)
            return
        version = self._version()
        cut = database[0] < self._database.length
        if cut or version == self._left[2]:
            self._doubted = True
            self._look(database, log, cut)
        self._left = database, log, version

    def ended(self) -> None:
        """It was written, or taken back. Raises FileGone."""
        database, log = self._database.look(), self._log.look()
        if self._left is None:
            self._left = database, log, self._version()
        elif database[0] >= self._database.length:
            self._left = database, log, self._left[2]
        # Else it was cut off meanwhile: the next transaction finds that out.
        self._database.length = max(self._database.length, database[0])

    def _look(self, database: Trace, log: Trace, cut: bool = False) -> None:
        began = self._now()
        if not cut and began < self._rests:
            return
        if database[0] < _HEADER:
            raise self._database.harmed("cut off")
        if not self._closer():
            raise self._database.harmed("cut off" if cut else "written over")
        self._doubted = False
        self._rests = self._now() + REST * (self._now() - began)
        self._database.length = database[0]
