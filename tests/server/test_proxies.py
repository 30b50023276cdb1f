import pytest
from websockets.datastructures import Headers

from parlour_server.proxies import Proxies, passed_on

GUEST, STRANGER, PROXY, INNER = "203.0.113.5", "198.51.100.7", "10.0.0.2", "10.1.0.3"


@pytest.mark.parametrize(
    ("peer", "forwarded", "guest"),
    [
        (PROXY, [GUEST], GUEST),
        (PROXY, [], PROXY),
        (GUEST, [], GUEST),
        # Somebody who is no proxy of ours may write what he likes.
        (STRANGER, [GUEST], STRANGER),
        (STRANGER, [f"{GUEST}, {PROXY}"], STRANGER),
        # A guest who brings the header himself: the proxy adds whom it sees.
        (PROXY, [f"{STRANGER}, {GUEST}"], GUEST),
        (PROXY, [STRANGER, GUEST], GUEST),
        # Two proxies of ours in a row.
        (PROXY, [f"{GUEST}, {INNER}"], GUEST),
        (PROXY, [f"{STRANGER}, {GUEST}, {INNER}"], GUEST),
        # What is no address ends the chain.
        (PROXY, ["unknown"], PROXY),
        (PROXY, [f"{GUEST}, unknown"], PROXY),
        (PROXY, [f"unknown, {INNER}"], INNER),
        (PROXY, ["2001:DB8::1"], "2001:db8::1"),
        ("::ffff:10.0.0.2", [GUEST], GUEST),
    ],
)
def test_whose_request_it_is(peer: str, forwarded: list[str], guest: str) -> None:
    proxies = Proxies(["10.0.0.0/8", "::1"])
    headers = Headers([("X-Forwarded-For", value) for value in forwarded])

    assert proxies.guest(peer, headers) == guest


def test_without_proxies_nothing_is_believed() -> None:
    assert Proxies(()).guest("127.0.0.1", Headers({"X-Forwarded-For": GUEST})) == "127.0.0.1"


@pytest.mark.parametrize("mark", ["Forwarded", "Via", "X-Forwarded-For", "x-real-ip", "X-Forwarded-Proto"])
def test_a_request_that_was_passed_on_shows_it(mark: str) -> None:
    assert passed_on(Headers({"Host": "localhost", mark: "x"}))
    assert not passed_on(Headers({"Host": "localhost", "Origin": "x"}))
