"""The built client and the rule books, in memory. A request's path is looked up in a dictionary, never on the disk."""

import base64
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
    "py": "text/x-python; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
_PACKED: Final = frozenset({"ogg", "png", "webp", "woff2"})
"""Kinds of file that are compressed already."""

_DOWNLOADED: Final = frozenset({"py"})
"""Kinds of file that a browser is to save, and not to show."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing that stands in the page itself is run or heeded, so a text that became markup could do nothing (N14)."""
_UNUSED: Final = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""What a browser may offer and the page never wants. HSTS is the proxy's, which alone knows whether there is TLS."""
_SECURITY: Final = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join([f"{feature}=()" for feature in _UNUSED]),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

_REASONS: Final = {
    200: "OK",
    304: "Not Modified",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}

_LINKS: Final = re.compile(r"/(?:t/[A-Za-z0-9_-]{1,64}|games|replay(?:/[A-Za-z0-9_-]{1,64})?)/?")
"""What the client itself reads: a table's link, past games, and the replay of a match."""
_HASHED: Final = re.compile(r"/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+")
"""Names that the client's build derives from the content."""


@frozen
class Asset:
    """A content and how it is answered."""

    content_type: str
    cache: str
    body: bytes
    etag: str
    packed: bytes | None
    """The body in gzip, where that is smaller."""
    extra: Mapping[str, str] = MappingProxyType({})
    """Headers of its own."""


def _files(folder: Traversable, prefix: str = "/") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def standalone_policy(html: bytes) -> str:
    """The policy of a page that is one file: exactly the scripts and styles that stand in it, and no network."""
    kept = {"script": "", "style": ""}
    for name in kept:
        bodies = re.findall(rb"<%b(?:\s[^>]*)?>(.*?)</%b\s*>" % (name.encode(), name.encode()), html, re.DOTALL)
        # A browser reads line ends as line feeds before it looks at a script.
        texts = [body.replace(b"\r\n", b"\n").replace(b"\r", b"\n") for body in bodies]
        digests = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in texts]
        kept[name] = " ".join([f"'sha256-{digest}'" for digest in digests]) or "'none'"
    return (
        f"default-src 'none'; script-src {kept['script']}; style-src {kept['style']}; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def download(name: str) -> dict[str, str]:
    """The header that lets a browser save a file under `name`, which is letters, digits and `._-`."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _asset(path: str, body: bytes, standalone: bool = False) -> Asset:
    suffix = path.rpartition(".")[2]
    extra = download(path.rpartition("/")[2]) if suffix in _DOWNLOADED else {}
    if standalone:
        extra["Content-Security-Policy"] = standalone_policy(body)
    packed = None if suffix in _PACKED else gzip.compress(body, 9, mtime=0)
    return Asset(
        content_type=_TYPES.get(suffix, "application/octet-stream"),
        cache="public, max-age=31536000, immutable" if _HASHED.fullmatch(path) else "no-cache",
        body=body,
        etag=tag_of(body),
        packed=packed if packed is not None and len(packed) < len(body) else None,
        extra=extra,
    )


def answer(status: int, body: bytes, content_type: str, extra: Mapping[str, str], head: bool = False) -> Response:
    """An HTTP answer with `extra` headers and those that every answer has."""
    own = {"Content-Type": content_type, "Content-Length": str(len(body)), "Connection": "close"}
    # In one dictionary: a policy given twice would be two policies, and both would hold.
    headers = Headers({**own, **_SECURITY, **extra})
    return Response(status, _REASONS[status], headers, b"" if head else body)


def refusal(status: int, text: str, extra: Mapping[str, str] | None = None) -> Response:
    """An answer in plain text that says what is wrong."""
    headers = {"Cache-Control": "no-store", **(extra or {})}
    return answer(status, text.encode() + b"\n", "text/plain; charset=utf-8", headers)


def accepts_gzip(request: Request) -> bool:
    """Whether the asker takes a packed body."""
    for part in ",".join(request.headers.get_all("Accept-Encoding")).lower().split(","):
        coding, _, parameters = part.partition(";")
        if coding.strip() in {"gzip", "*"}:
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0{0,3})?\s*", parameters)
    return False


def _matches(condition: str, etag: str) -> bool:
    """Whether If-None-Match names the etag (weak comparison) or anything at all."""
    return any(tag.strip().removeprefix("W/") in {"*", etag} for tag in condition.split(","))


def tag_of(body: bytes) -> str:
    """What stands for a content in its ETag."""
    return hashlib.sha256(body).hexdigest()[:20]


def respond(request: Request, asset: Asset) -> Response:
    """Answer GET and HEAD of a content, with 304 where the browser has it; 405 else."""
    if request.method not in {"GET", "HEAD"}:
        return refusal(405, "Only GET and HEAD.", {"Allow": "GET, HEAD"})
    packed = asset.packed if accepts_gzip(request) else None
    # Another encoding is another representation, so it has another strong tag.
    etag = f'"{asset.etag}-gz"' if packed is not None else f'"{asset.etag}"'
    extra = {"ETag": etag, "Cache-Control": asset.cache, **asset.extra}
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


class Page:
    """The client's files, and others that the server made, and how they are answered."""

    def __init__(self, client: Traversable, made: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """`made` are contents by path, such as `/rules/lrc.json`.

        An HTML page among them is one file with all that it needs, and has a policy of its own that says so."""
        self._assets = {path: _asset(path, body) for path, body in _files(client)}
        self._assets |= {path: _asset(path, body, path.endswith(".html")) for path, body in made.items()}
        self._index = self._assets["/index.html"]

    def find(self, path: str) -> Asset | None:
        """The file of a request's path; the page itself for `/` and for what the client reads."""
        if path == "/" or _LINKS.fullmatch(path):
            return self._index
        return self._assets.get(path)

    def respond(self, request: Request) -> Response:
        """Answer a file, or say 404."""
        asset = self.find(request.path.partition("?")[0])
        return refusal(404, "There is nothing here.") if asset is None else respond(request, asset)
