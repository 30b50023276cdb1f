"""One line of JSON an event, on standard error. No token and no name is ever given to it."""

import asyncio
import atexit
import json
import logging
import os
import select
import sys
from collections import deque
from threading import Condition, Thread
from typing import Any, Final, Protocol, TextIO

# structlog takes rich along where it is installed, to colour a terminal. No line of ours is for one, and reading rich
# takes a tenth of the time that a server needs to start.
_NO_RICH: Final = "rich" not in sys.modules
if _NO_RICH:
    sys.modules["rich"] = None  # type: ignore[assignment] # so an import finds that it is not there

import structlog  # noqa: E402 # as above

if _NO_RICH:
    del sys.modules["rich"]

QUIET: Final = logging.getLogger("parlour.quiet")
"""For libraries whose lines nobody needs: thousands of dying sockets must not print thousands of tracebacks."""
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False
QUIET.disabled = True

MOST_LINES: Final = 20_000
"""Lines that wait for a reader; further ones are lost."""
LAST_WORDS: Final = 1.0
"""Seconds that the end of the process waits for the last lines to be written."""

log: Any = structlog.get_logger()


class _Sink(Protocol):
    lost: int

    def put(self, line: str) -> None: ...
    def close(self) -> None: ...


class Spout:
    """A stream whose troubles (a full disk, a reader that has gone) must not become the server's; None is no stream."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.lost = 0
        """Lines that nobody can read."""

    def put(self, line: str) -> None:
        """Write a line, or lose it."""
        if self._stream is None:
            return
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self.lost += 1

    def close(self) -> None:
        """Nothing waits."""


class LogPipe:
    """Writes lines to a file of the system in a thread of its own: a reader that does not read holds up nobody else.

    The thread holds no lock while it writes, so an end of the process never waits for it longer than LAST_WORDS.
    """

    def __init__(self, descriptor: int, most: int = MOST_LINES) -> None:
        self._descriptor = descriptor
        self._most = most
        self._lines: deque[str] = deque()
        self._changed = Condition()
        self._writing = False
        self._closed = False
        self._thread: Thread | None = None
        self._untold = 0
        self.lost = 0
        """Lines that nobody can read: there was no room left, or they could not be written."""

    def put(self, line: str) -> None:
        """Queue a line, or lose it where too many wait. Never waits for the file."""
        with self._changed:
            if self._closed or len(self._lines) >= self._most:
                self.lost += 1
                self._untold += 1
                return
            self._lines.append(line)
            if self._thread is None:
                self._thread = Thread(target=self._write_all, name="log", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def close(self, seconds: float = LAST_WORDS) -> None:
        """Take no more, and wait a little for what is queued to be written."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._lines and not self._writing, seconds)

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._lines or self._closed)
                if not self._lines:
                    return
                line = self._lines.popleft()
                untold, self._untold = self._untold, 0
                self._writing = True
            if untold:
                line += "\n" + json.dumps({"event": "log lines lost", "level": "warning", "lines": untold})
            try:
                self._write(f"{line}\n".encode(errors="backslashreplace"))
            except OSError:
                with self._changed:
                    self.lost += 1

    def _write(self, text: bytes) -> None:
        while text:
            try:
                text = text[os.write(self._descriptor, text) :]
            except BlockingIOError:
                # Somebody who shares the file has made it one that never waits.
                select.select([], [self._descriptor], [])


class _Pen:
    """What structlog writes with."""

    def __init__(self, sink: _Sink) -> None:
        self.debug = self.info = self.warning = self.error = self.critical = sink.put


class _Started:
    """The sink in use; there is one log in a process."""

    sink: _Sink = Spout(None)


def _sink(stream: TextIO | None) -> _Sink:
    if stream is not None:
        return Spout(stream)
    try:
        return LogPipe(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):
        # There is none, or somebody has put something of his own in its place.
        return Spout(sys.stderr)


def start_log(level: str, stream: TextIO | None = None) -> None:
    """Send the log to `stream`, by default standard error, and there through a queue that never waits."""
    end_log()
    sink = _Started.sink = _sink(stream)
    # It warns once a write of every line that has died, in lines that are not ours.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: _Pen(sink),
        cache_logger_on_first_use=False,
    )


def lost_lines() -> int:
    """How many lines of the log nobody can read."""
    return _Started.sink.lost


def end_log() -> None:
    """Wait a little for the last lines to be written."""
    _Started.sink.close()


atexit.register(end_log)


def log_loop_trouble(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An event loop's exception handler: one line, and no traceback for a line that merely died."""
    error = context.get("exception")
    if isinstance(error, OSError):
        log.debug("socket trouble", error=type(error).__name__)
    else:
        log.error("event loop trouble", what=context.get("message"), exc_info=error)
