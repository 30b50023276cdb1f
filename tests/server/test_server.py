from pathlib import Path

import pytest

from parlour_server.settings import Listen, Settings
from tests.kit.houses import build
from tests.kit.stores import MemoryStore


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("localhost", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
    ],
)
async def test_it_says_where_a_browser_on_this_machine_finds_it(page: Path, host: str, url: str) -> None:
    settings = Settings(listen=Listen(host=host))

    assert build(settings, page, MemoryStore()).url == url
