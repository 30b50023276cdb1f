"""Where the files are that travel with the code: config/ and the built client.

An installed wheel carries both inside this package; a checkout has them beside the components.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

_PACKAGE: Final = files("parlour_server")
_CHECKOUT: Final = Path(__file__).resolve().parents[2]


class ResourceMissing(FileNotFoundError):
    """A folder that belongs to the project is not there; the message names the cure."""


def config_root() -> Traversable:
    """Return the folder config/ (rulesets/ is in it). Raise ResourceMissing where there is none."""
    return _folder(
        packaged=_PACKAGE / "_config",
        checkout=_CHECKOUT / "config",
        proof="rulesets",
        cure="reinstall mahjong-parlour, or restore config/ in the checkout",
    )


def client_root() -> Traversable:
    """Return the built client (index.html is in it). Raise ResourceMissing where it has not been built."""
    return _folder(
        packaged=_PACKAGE / "_client",
        checkout=_CHECKOUT / "web-client" / "dist",
        proof="index.html",
        cure="run `make setup` in the checkout to build the client",
    )


def _folder(packaged: Traversable, checkout: Path, proof: str, cure: str) -> Traversable:
    for folder in (packaged, checkout):
        entry = folder / proof
        if entry.is_file() or entry.is_dir():
            return folder
    raise ResourceMissing(f"neither {packaged} nor {checkout} holds {proof}: {cure}")
