"""What a browser downloads: little, all of it from the server itself, and nothing that the page's policy forbids."""

import gzip
import re
from pathlib import Path

import pytest

DIST = Path(__file__).resolve().parents[2] / "web-client" / "dist"
MOST = 200 * 1024
"""Bytes, compressed and without fonts."""
NEVER_ASKED = ("http://www.w3.org/", "https://svelte.dev/e/")
"""Names of XML languages, and of pages that explain an error in Svelte's messages."""


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """The built client by path, as `make setup` leaves it."""
    found = {str(path.relative_to(DIST)): path.read_bytes() for path in sorted(DIST.rglob("*")) if path.is_file()}
    assert "index.html" in found, "the client is not built: run `make setup`"
    return found


def texts(files: dict[str, bytes], *suffixes: str) -> dict[str, str]:
    return {name: content.decode() for name, content in files.items() if name.endswith(suffixes)}


def test_the_client_is_a_small_download(files: dict[str, bytes]) -> None:
    asked_for = {name: content for name, content in files.items() if not name.startswith("licences/")}
    sizes = {name: len(gzip.compress(content)) for name, content in asked_for.items() if not name.endswith(".woff2")}
    assert {name.rpartition(".")[2] for name in sizes} >= {"html", "js", "css"}
    assert sum(sizes.values()) <= MOST, sizes


def test_fonts_are_subsets(files: dict[str, bytes]) -> None:
    fonts = {name: len(content) for name, content in files.items() if name.endswith(".woff2")}
    # Fetched when a rule book is opened, where its characters are first met.
    book = {name: size for name, size in fonts.items() if "-book" in name}
    assert book
    assert len(book) < len(fonts)
    assert sum(fonts.values()) - sum(book.values()) <= MOST, fonts
    assert sum(book.values()) <= MOST // 4, book


def test_nothing_comes_from_another_host(files: dict[str, bytes]) -> None:
    addresses = {
        address
        for text in texts(files, ".html", ".js", ".css", ".svg").values()
        for address in re.findall(r"(?:https?:|wss?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s\"'`)]*", text)
    }
    assert [address for address in addresses if not address.startswith(NEVER_ASKED)] == []


def test_what_the_page_and_the_styles_name_is_there(files: dict[str, bytes]) -> None:
    named = re.findall(r'(?:src|href)="([^"]+)"', files["index.html"].decode())
    named += [name for text in texts(files, ".css").values() for name in re.findall(r"url\(([^)]+)\)", text)]
    assert len(named) > 3
    assert [name for name in named if name.lstrip("/") not in files] == []


def test_no_script_or_style_is_inline_and_none_is_made_of_text(files: dict[str, bytes]) -> None:
    page = files["index.html"].decode()
    assert re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page) is None
    assert [tag for tag in re.findall(r"<script[^>]*>", page) if " src=" not in tag] == []
    for name, text in texts(files, ".js").items():
        assert (
            re.search(r"\beval\s*\(|\bnew Function\b|\bFunction\s*\(|\bimportScripts\b|document\.write\b", text) is None
        ), name


def test_the_made_up_states_are_not_part_of_it(files: dict[str, bytes]) -> None:
    assert not any("demo" in name for name in files)
    assert all("fixtures:" not in text for text in texts(files, ".js").values())
