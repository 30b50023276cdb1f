"""The records of matches that are over as files in one folder, beside what the store keeps."""

import os
from pathlib import Path
from typing import Final

from parlour_server.storage.changes import StoredMatch

_PLAIN: Final = str.maketrans("", "", "-:")
_PRIVATE: Final = 0o600
"""A record tells every hand: no other user of the machine may look before its owner lets them."""


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
