"""The log as it was after a world has taken it."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def log() -> Iterator[None]:
    """Every world listens to the log itself."""
    yield
    structlog.reset_defaults()
