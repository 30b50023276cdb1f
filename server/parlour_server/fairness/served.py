"""The stand-alone verifiers as a house serves them: their contents by path, and what the page may do."""

import hashlib
import re
from base64 import b64encode
from importlib.resources import files
from typing import Final

PAGE: Final = "/verify.html"
_NAMES: Final = ("verify.html", "verify.py")
_INLINE: Final = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)


def verifiers() -> dict[str, bytes]:
    """`/verify.html` and `/verify.py`."""
    folder = files("parlour_server") / "fairness" / "standalone"
    return {f"/{name}": (folder / name).read_bytes() for name in _NAMES}


def page_policy(page: bytes) -> str:
    """The Content-Security-Policy of a page that is whole in itself: its own inline script and style, and nothing else
    at all."""
    hashes: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for name, text in _INLINE.findall(page):
        hashes[name].append(f"'sha256-{b64encode(hashlib.sha256(text).digest()).decode()}'")
    return (
        f"default-src 'none'; script-src {' '.join(hashes[b'script'])}; style-src {' '.join(hashes[b'style'])}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
