"""What a house serves for doubters, and under which policy."""

import hashlib
import re
from base64 import b64encode

from parlour_server.fairness.served import PAGE, verifiers
from parlour_server.page import standalone_policy


def test_the_page_and_the_program() -> None:
    served = verifiers()
    assert set(served) == {"/verify.html", "/verify.py"}
    assert served[PAGE].startswith(b"<!doctype html>")
    assert served["/verify.py"].startswith(b"#!/usr/bin/env python3")


def test_the_page_asks_for_nothing() -> None:
    page = verifiers()[PAGE].decode()
    assert (
        re.findall(r"https?://|//cdn|\bsrc=|\bhref=|fetch\(|XMLHttpRequest|WebSocket|import\(|innerHTML|eval\(", page)
        == []
    )
    # A handler or a style on an element would be outside its policy.
    assert re.findall(r"<[^>]+\s(?:on[a-z]+|style)=", page.split("<script>")[0]) == []


def test_its_policy_allows_its_own_lines_alone() -> None:
    page = verifiers()[PAGE]
    policy = standalone_policy(page)
    script = page.split(b"<script>")[1].split(b"</script>")[0]
    style = page.split(b"<style>")[1].split(b"</style>")[0]
    for name, text in (("script-src", script), ("style-src", style)):
        assert f"{name} 'sha256-{b64encode(hashlib.sha256(text).digest()).decode()}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
