"""Finds a Chromium for the browser tests and prints its path; installs Debian's where it may.

The order: the variable CHROMIUM, then a browser on PATH, then the usual place on macOS, then `apt-get install` for
root on a Debian. Anything else fails with the command that helps.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS: Final = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
CURE: Final = (
    "The browser tests need Chromium. Install it (Debian: `sudo apt-get install chromium`; "
    "macOS: `brew install --cask chromium`) or name one: `make test CHROMIUM=/path/to/chromium`."
)


class ChromiumMissing(RuntimeError):
    """There is no Chromium and none can be installed from here; the message names the cure."""


def find_chromium() -> Path | None:
    """Return the browser that is there, or None. Raise ChromiumMissing where CHROMIUM names nothing that runs."""
    named = os.environ.get("CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise ChromiumMissing(f"CHROMIUM={named} is no program. {CURE}")
        return Path(found)
    for name in NAMES:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    return next((path for path in APPLICATIONS if path.is_file()), None)


def install_chromium() -> None:
    """Install Debian's package as root. Raise ChromiumMissing where that is not possible or fails."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise ChromiumMissing(CURE)
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-qy", "--no-install-recommends", "chromium"]):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        if subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode:
            raise ChromiumMissing(f"`{' '.join(command)}` failed. {CURE}")


def main() -> int:
    """Print the path of a Chromium that is there when this returns 0; else the cure on standard error and 1."""
    try:
        found = find_chromium()
        if found is None:
            install_chromium()
            found = find_chromium()
    except ChromiumMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    if found is None:
        print(CURE, file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
