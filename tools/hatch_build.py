"""Puts config/ and the built client into the wheel; an editable install reads them where they are."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackagedFolders(BuildHookInterface):  # type: ignore[type-arg]  # generic only in newer hatchling
    """Names the folders that travel in a wheel and refuses to build one without the client."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders to `build_data` for a standard wheel; raise FileNotFoundError where one is missing."""
        if version != "standard":
            return
        root = Path(self.root)
        client = root / "web-client" / "dist"
        if not (client / "index.html").is_file():
            raise FileNotFoundError(f"{client}/index.html is missing: run `make setup` to build the client first")
        build_data["force_include"][str(root / "config")] = "parlour_server/_config"
        build_data["force_include"][str(client)] = "parlour_server/_client"
