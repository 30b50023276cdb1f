"""One line of JSON an event, on standard error. No token and no name is ever given to it."""

import asyncio
import logging
import sys
from contextlib import suppress
from typing import Any, Final, TextIO, cast

import structlog

QUIET: Final = logging.getLogger("parlour.quiet")
"""For libraries whose lines nobody needs: thousands of dying sockets must not print thousands of tracebacks."""
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False
QUIET.disabled = True

log: Any = structlog.get_logger()


class Spout:
    """A stream whose troubles (a full disk, a reader that has gone) must not become the server's; None is no stream."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Write, or lose it."""
        if self._stream is not None:
            with suppress(OSError, ValueError):
                self._stream.write(text)

    def flush(self) -> None:
        """Push out what was written, or lose it."""
        if self._stream is not None:
            with suppress(OSError, ValueError):
                self._stream.flush()


def start_log(level: str, stream: TextIO | None = None) -> None:
    """Send the log to `stream`, by default standard error."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", Spout(sys.stderr if stream is None else stream))),
        cache_logger_on_first_use=False,
    )


def log_loop_trouble(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An event loop's exception handler: one line, and no traceback for a line that merely died."""
    error = context.get("exception")
    if isinstance(error, OSError):
        log.debug("socket trouble", error=type(error).__name__)
    else:
        log.error("event loop trouble", what=context.get("message"), exc_info=error)
