"""Runs every measurement beside this file, one after the other, and says on what machine: `make bench`.

Exit status 1 where a measurement could not be made. Missing an aim is reported by the script itself and fails nothing:
a busy machine is no defect.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent


def main() -> int:
    """Run the scripts in alphabetical order with this interpreter; return 1 if one of them failed."""
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    failed = []
    for script in sorted(HERE.glob("*.py")):
        if script.name == Path(__file__).name:
            continue
        print(f"\n== {script.stem}", flush=True)
        if subprocess.run([sys.executable, script], check=False).returncode:
            failed.append(script.name)
    if failed:
        print(f"\ncould not be measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
