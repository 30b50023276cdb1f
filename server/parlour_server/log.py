"""One line of JSON an event, on standard error. No token and no name is ever given to it."""

import asyncio
import logging
import sys
from typing import Any, Final, TextIO

import structlog

QUIET: Final = logging.getLogger("parlour.quiet")
"""For libraries whose lines nobody needs: thousands of dying sockets must not print thousands of tracebacks."""
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False
QUIET.disabled = True

log: Any = structlog.get_logger()


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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr if stream is None else stream),
        cache_logger_on_first_use=False,
    )


def log_loop_trouble(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An event loop's exception handler: one line, and no traceback for a line that merely died."""
    error = context.get("exception")
    if isinstance(error, OSError):
        log.debug("socket trouble", error=type(error).__name__)
    else:
        log.error("event loop trouble", what=context.get("message"), exc_info=error)
