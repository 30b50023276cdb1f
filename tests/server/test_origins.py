"""Only the server's own page and configured origins may open a socket from a browser (N07)."""

import pytest

from parlour_server.origins import Origins

PUBLIC = ["https://mahjong.example.org", "http://club.example:8080"]


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://localhost:8000", "LOCALHOST:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://localhost:8000", "127.0.0.1:8000", True),
        ("https://mahjong.example.org", "mahjong.example.org", True),
        ("https://mahjong.example.org", "mahjong.example.org:443", True),
        ("https://mahjong.example.org", "127.0.0.1:8000", True),
        ("http://club.example:8080", "club.example:8080", True),
        (None, "127.0.0.1:8000", True),
        (None, "mahjong.example.org", True),
        ("null", "127.0.0.1:8000", False),
        ("", "127.0.0.1:8000", False),
        (" ", "127.0.0.1:8000", False),
        ("https://127.0.0.1:8000", "127.0.0.1:8000", False),
        ("ws://127.0.0.1:8000", "127.0.0.1:8000", False),
        ("http://127.0.0.1:8001", "127.0.0.1:8000", False),
        ("http://127.0.0.1", "127.0.0.1:8000", False),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000", False),
        ("HTTP://LOCALHOST:8000", "localhost:8000", False),
        ("http://LOCALHOST:8000", "localhost:8000", False),
        ("http://evil.example", "127.0.0.1:8000", False),
        ("http://evil.example:8000", "evil.example:8000", False),
        ("http://127.0.0.1:8000.evil.example", "127.0.0.1:8000", False),
        ("http://localhost.evil.example:8000", "localhost:8000", False),
        ("http://a@localhost:8000", "localhost:8000", False),
        ("http://mahjong.example.org", "mahjong.example.org", False),
        ("https://mahjong.example.org:443", "mahjong.example.org", False),
        ("https://mahjong.example.org.evil.example", "mahjong.example.org", False),
        ("http://127.0.0.1:8000", "evil.example:8000", False),
        (None, "evil.example:8000", False),
        (None, "127.0.0.1:8001", False),
        (None, "127.0.0.1", False),
        (None, "localhost.:8000", False),
        (None, "", False),
        (None, None, False),
    ],
)
def test_origin_and_host(origin: str | None, host: str | None, allowed: bool) -> None:
    assert Origins(PUBLIC).allows(origin, host, "127.0.0.1", 8000) is allowed


def test_on_a_network_the_address_that_the_line_came_in_on_is_the_servers() -> None:
    origins = Origins([])

    assert origins.allows("http://192.168.1.5:8000", "192.168.1.5:8000", "192.168.1.5", 8000)
    assert not origins.allows("http://192.168.1.6:8000", "192.168.1.6:8000", "192.168.1.5", 8000)
    assert not origins.allows("http://localhost:8000", "192.168.1.5:8000", "192.168.1.5", 8000)


def test_browsers_leave_the_default_port_out() -> None:
    assert Origins([]).allows("http://localhost", "localhost", "127.0.0.1", 80)
    assert not Origins([]).allows("http://localhost:80", "localhost", "127.0.0.1", 80)
