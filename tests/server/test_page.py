import gzip
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from parlour_server.page import Page

SCRIPT = b"console.log('a script that is long enough to be worth packing');\n" * 20
BOOK = b'{"key":"lrc","name":{"en":"LRC Taiwanese"}}' * 30


@pytest.fixture
def page(tmp_path: Path) -> Page:
    (tmp_path / "client" / "assets").mkdir(parents=True)
    (tmp_path / "client" / "index.html").write_bytes(b"<!doctype html><title>Parlour</title>" * 10)
    (tmp_path / "client" / "assets" / "index-aJwKb_MF.js").write_bytes(SCRIPT)
    (tmp_path / "client" / "assets" / "face-Q1w2E3r4.woff2").write_bytes(b"wOF2" + bytes(500))
    (tmp_path / "secret.txt").write_text("not for anybody")
    return Page(tmp_path / "client", {"/rules/lrc.json": BOOK})


def get(page: Page, path: str, method: str = "GET", **headers: str) -> Response:
    return page.respond(Request(path, Headers({k.replace("_", "-"): v for k, v in headers.items()}), method))


def test_the_page_is_at_the_root_and_wherever_the_client_leads(page: Page) -> None:
    root = get(page, "/")

    assert root.status_code == 200
    assert root.headers["Content-Type"] == "text/html; charset=utf-8"
    assert root.headers["Cache-Control"] == "no-cache"
    for link in ("/t/aB3-_xyz", "/t/aB3-_xyz/", "/index.html", "/?x=1", "/t/abc?seat=2"):
        assert get(page, link).body == root.body
    for link in ("/games", "/games?of=all", "/replay", "/replay/0f3a?move=12&seat=all"):
        assert get(page, link).body == root.body


def test_a_rule_book_is_asked_for_anew_and_sent_once(page: Page) -> None:
    book = get(page, "/rules/lrc.json", Accept_Encoding="gzip")

    assert gzip.decompress(book.body) == BOOK
    assert book.headers["Content-Type"] == "application/json"
    assert book.headers["Cache-Control"] == "no-cache"
    again = get(page, "/rules/lrc.json", Accept_Encoding="gzip", If_None_Match=book.headers["ETag"])
    assert (again.status_code, again.body) == (304, b"")
    assert get(page, "/rules/lrc.json", "POST").status_code == 405


@pytest.mark.parametrize("path", ["/rules/riichi.json", "/rules/", "/rules/lrc.toml", "/rules/../rules/lrc.json"])
def test_a_rule_book_that_there_is_none_of_is_not_looked_for(page: Page, path: str) -> None:
    assert get(page, path).status_code == 404


def test_a_file_named_by_its_content_may_be_kept_for_ever(page: Page) -> None:
    script = get(page, "/assets/index-aJwKb_MF.js")

    assert script.body == SCRIPT
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert script.headers["Content-Length"] == str(len(SCRIPT))


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip;q=0.5", "GZIP", "*"])
def test_who_accepts_gzip_gets_it(page: Page, accepted: str) -> None:
    script = get(page, "/assets/index-aJwKb_MF.js", Accept_Encoding=accepted)

    assert script.headers["Content-Encoding"] == "gzip"
    assert script.headers["Vary"] == "Accept-Encoding"
    assert script.headers["Content-Length"] == str(len(script.body))
    assert len(script.body) < len(SCRIPT)
    assert gzip.decompress(script.body) == SCRIPT


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip; q=0.000", "xgzip"])
def test_who_does_not_accept_gzip_does_not_get_it(page: Page, accepted: str) -> None:
    script = get(page, "/assets/index-aJwKb_MF.js", Accept_Encoding=accepted)

    assert script.body == SCRIPT
    assert "Content-Encoding" not in script.headers
    assert script.headers["Vary"] == "Accept-Encoding"


def test_what_is_packed_already_is_not_packed_again(page: Page) -> None:
    font = get(page, "/assets/face-Q1w2E3r4.woff2", Accept_Encoding="gzip")

    assert font.headers["Content-Type"] == "font/woff2"
    assert "Content-Encoding" not in font.headers


def test_a_browser_that_has_the_file_is_told_so(page: Page) -> None:
    plain = get(page, "/").headers["ETag"]
    packed = get(page, "/", Accept_Encoding="gzip").headers["ETag"]

    assert plain != packed
    for condition in (plain, f"W/{plain}", f'"other", {plain}', "*"):
        again = get(page, "/", If_None_Match=condition)
        assert (again.status_code, again.body) == (304, b"")
        assert again.headers["ETag"] == plain
        assert again.headers["Cache-Control"] == "no-cache"
        assert "Content-Length" not in again.headers
    assert get(page, "/", If_None_Match='"other"').status_code == 200
    assert get(page, "/", If_None_Match=packed).status_code == 200
    assert get(page, "/", Accept_Encoding="gzip", If_None_Match=packed).status_code == 304


def test_head_is_get_without_the_body(page: Page) -> None:
    whole, head = get(page, "/"), get(page, "/", "HEAD")

    assert head.body == b""
    assert list(head.headers.raw_items()) == list(whole.headers.raw_items())


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets",
        "/assets/",
        "//index.html",
        "/etc/passwd",
        "/t/",
        "/t/a/b",
        "/t/..",
        "/games/0f3a",
        "/replay/a/b",
        "/replays",
        "/index.html%00",
        "index.html",
        "",
        "http://127.0.0.1/",
    ],
)
def test_nothing_else_is_there(page: Page, path: str) -> None:
    assert get(page, path).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_files_are_only_read(page: Page, method: str) -> None:
    refused = get(page, "/", method)

    assert refused.status_code == 405
    assert refused.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["/", "/nothing", "/assets/index-aJwKb_MF.js"])
def test_every_answer_is_guarded(page: Page, path: str) -> None:
    headers = get(page, path).headers

    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in headers
