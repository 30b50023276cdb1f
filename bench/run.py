"""Runs every measurement beside this file, one after the other, and says on what machine: `make bench`.

The lines that compare a figure with its aim are repeated at the end. Exit status 1 where a measurement could not be
made; a missed aim is told and fails nothing: a busy machine is no defect.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
JUDGED: Final = ("(aim ", " wanted)")
"""What a line that compares a figure with its aim has in it."""
MISSED: Final = "BELOW AIM"
"""What a script says where it returns 1 because of a missed aim and not of an error."""


def measured(script: Path) -> tuple[list[str], bool]:
    """Run a script, showing what it prints as it does; return its lines, and whether it ended as it should."""
    run = subprocess.Popen([sys.executable, "-u", script], stdout=subprocess.PIPE, text=True)
    lines: list[str] = []
    assert run.stdout is not None  # asked for above
    with run.stdout:
        for line in run.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    status = run.wait()
    return lines, status == 0 or (status == 1 and any(MISSED in line for line in lines))


def main() -> int:
    """Run the scripts in alphabetical order with this interpreter; return 1 if one of them failed."""
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    failed: list[str] = []
    judged: list[str] = []
    for script in sorted(HERE.glob("*.py")):
        if script.name == Path(__file__).name:
            continue
        print(f"\n== {script.stem}", flush=True)
        lines, well = measured(script)
        judged += [f"{script.stem:10}{line}" for line in lines if any(mark in line for mark in JUDGED)]
        if not well:
            failed.append(script.name)
    print("\n== all figures with an aim")
    for line in judged:
        print(line)
    if failed:
        print(f"\ncould not be measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
