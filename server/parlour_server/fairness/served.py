"""The stand-alone verifiers as a house serves them: their contents by path."""

from importlib.resources import files
from typing import Final

PAGE: Final = "/verify.html"
_NAMES: Final = ("verify.html", "verify.py")


def verifiers() -> dict[str, bytes]:
    """`/verify.html` and `/verify.py`."""
    folder = files("parlour_server") / "fairness" / "standalone"
    return {f"/{name}": (folder / name).read_bytes() for name in _NAMES}
