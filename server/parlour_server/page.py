"""The built client and the rule books, in memory. A request's path is looked up in a dictionary, never on the disk."""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from attrs import frozen
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "mjs": "text/javascript; charset=utf-8",
    "ogg": "audio/ogg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
_PACKED: Final = frozenset({"ogg", "png", "webp", "woff2"})
"""Kinds of file that are compressed already."""

_SECURITY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_REASONS: Final = {
    200: "OK",
    304: "Not Modified",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}

_TABLE_LINK: Final = re.compile(r"/t/[A-Za-z0-9_-]{1,64}/?")
_HASHED: Final = re.compile(r"/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+")
"""Names that the client's build derives from the content."""


@frozen
class _Asset:
    content_type: str
    cache: str
    body: bytes
    etag: str
    packed: bytes | None
    """The body in gzip, where that is smaller."""


def _files(folder: Traversable, prefix: str = "/") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def _asset(path: str, body: bytes) -> _Asset:
    suffix = path.rpartition(".")[2]
    packed = None if suffix in _PACKED else gzip.compress(body, 9, mtime=0)
    return _Asset(
        content_type=_TYPES.get(suffix, "application/octet-stream"),
        cache="public, max-age=31536000, immutable" if _HASHED.fullmatch(path) else "no-cache",
        body=body,
        etag=hashlib.sha256(body).hexdigest()[:20],
        packed=packed if packed is not None and len(packed) < len(body) else None,
    )


def answer(status: int, body: bytes, content_type: str, extra: Mapping[str, str], head: bool = False) -> Response:
    """An HTTP answer with `extra` headers and those that every answer has."""
    headers = Headers({"Content-Type": content_type, "Content-Length": str(len(body)), "Connection": "close"})
    headers.update(_SECURITY)
    headers.update(extra)
    return Response(status, _REASONS[status], headers, b"" if head else body)


def refusal(status: int, text: str, extra: Mapping[str, str] | None = None) -> Response:
    """An answer in plain text that says what is wrong."""
    headers = {"Cache-Control": "no-store", **(extra or {})}
    return answer(status, text.encode() + b"\n", "text/plain; charset=utf-8", headers)


def _accepts_gzip(accepted: str) -> bool:
    for part in accepted.lower().split(","):
        coding, _, parameters = part.partition(";")
        if coding.strip() in {"gzip", "*"}:
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0{0,3})?\s*", parameters)
    return False


def _matches(condition: str, etag: str) -> bool:
    """Whether If-None-Match names the etag (weak comparison) or anything at all."""
    return any(tag.strip().removeprefix("W/") in {"*", etag} for tag in condition.split(","))


class Page:
    """The client's files, and others that the server made, and how they are answered."""

    def __init__(self, client: Traversable, made: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """`made` are contents by path, such as `/rules/lrc.json`."""
        self._assets = {path: _asset(path, body) for path, body in (*_files(client), *made.items())}
        self._index = self._assets["/index.html"]

    def find(self, path: str) -> _Asset | None:
        """The file of a request's path; the page itself for `/` and for a table's link."""
        if path == "/" or _TABLE_LINK.fullmatch(path):
            return self._index
        return self._assets.get(path)

    def respond(self, request: Request) -> Response:
        """Answer GET and HEAD of a file, with 304 where the browser has it; 404 and 405 else."""
        asset = self.find(request.path.partition("?")[0])
        if asset is None:
            return refusal(404, "There is nothing here.")
        if request.method not in {"GET", "HEAD"}:
            return refusal(405, "Only GET and HEAD.", {"Allow": "GET, HEAD"})
        packed = asset.packed if _accepts_gzip(",".join(request.headers.get_all("Accept-Encoding"))) else None
        # Another encoding is another representation, so it has another strong tag.
        etag = f'"{asset.etag}-gz"' if packed is not None else f'"{asset.etag}"'
        extra = {"ETag": etag, "Cache-Control": asset.cache}
        if asset.packed is not None:
            extra["Vary"] = "Accept-Encoding"
        if _matches(",".join(request.headers.get_all("If-None-Match")), etag):
            response = answer(304, b"", asset.content_type, extra)
            # A 304 that gave a length of zero would be taken for the length of the file.
            del response.headers["Content-Length"]
            return response
        if packed is not None:
            extra["Content-Encoding"] = "gzip"
        body = asset.body if packed is None else packed
        return answer(200, body, asset.content_type, extra, head=request.method == "HEAD")
