"""Changes the scorer in thousands of small ways and counts which changes the tests notice: `make mutate`.

    python tools/mutate.py             mutate and test everything anew (half an hour on two cores)
    python tools/mutate.py --again     test again what survived last time, after writing a test for it, and what is new
    python tools/mutate.py --report    say once more how the last run ended

Needs the environment of tools/mutation/requirements.txt. Works on a copy under build/mutation, so the checkout may
change meanwhile. Exit status 1 where fewer than the aim are caught, those shown to be equivalent left aside.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CONFIGURED: Final = ROOT / "tools" / "mutation"
COPY: Final = ROOT / "build" / "mutation"
MUTMUT: Final = Path(sys.executable).with_name("mutmut")
TAKEN: Final = {
    "engine/parlour_engine": "parlour_engine",
    "config": "config",
    "tests/conftest.py": "tests/conftest.py",
    "tests/cases": "tests/cases",
    "tests/kit": "tests/kit",
    "tests/engine": "tests/engine",
}
"""What the copy holds, and where."""
CAUGHT: Final = ("killed", "timeout", "suspicious", "segfault")
AIM: Final = 90


def lay_out(fresh: bool) -> None:
    """Bring the copy up to date; with `fresh` forget what earlier runs found."""
    COPY.mkdir(parents=True, exist_ok=True)
    for path in COPY.iterdir():
        if path.name == "mutants" and not fresh:
            continue
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for source, target in TAKEN.items():
        (COPY / target).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, COPY / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, COPY / target)
    shutil.copy(CONFIGURED / "pyproject.toml", COPY)
    if not fresh:
        shutil.rmtree(COPY / "mutants" / "tests", ignore_errors=True)


def mutmut(*arguments: str) -> str:
    """What mutmut prints; it reads its settings from the folder it runs in."""
    run = subprocess.run([MUTMUT, *arguments], cwd=COPY, capture_output=True, text=True, check=True)
    return run.stdout


def test_mutants(names: list[str], jobs: int) -> None:
    """Let mutmut make the mutants and run the tests on them, all or those named."""
    profile = {"HYPOTHESIS_PROFILE": "mutation"}
    arguments = ["run", "--max-children", str(jobs), *names]
    subprocess.run([MUTMUT, *arguments], cwd=COPY, env=os.environ | profile, check=True)


def results() -> dict[str, str]:
    """The end of every mutant by name."""
    found = re.findall(r"^\s*(\S+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE)
    return {name: status.strip() for name, status in found}


def change(name: str) -> tuple[str, str]:
    """The lines that a mutant takes away and those that it puts in their place."""
    removed: list[str] = []
    added: list[str] = []
    for line in mutmut("show", name).splitlines():
        if line.startswith("-") and not line.startswith("---"):
            removed.append(line[1:].strip())
        elif line.startswith("+") and not line.startswith("+++"):
            added.append(line[1:].strip())
    return " ".join(removed), " ".join(added)


def function_of(name: str) -> str:
    """`scoring.tally._highest` of `parlour_engine.scoring.tally.x__highest__mutmut_3`."""
    module, _, mangled = name.rpartition(".")
    function = re.sub(r"__mutmut_\d+$", "", mangled).removeprefix("x").removeprefix("_").removeprefix("ǁ")
    return f"{module.removeprefix('parlour_engine.')}.{function.replace('ǁ', '.')}"


def equivalents() -> set[tuple[str, str, str]]:
    """Changes that cannot change what the scorer does: function, lines before, lines after."""
    listed = tomllib.loads((CONFIGURED / "equivalent.toml").read_text(encoding="utf-8"))["equivalent"]
    return {(entry["function"], entry["was"], entry["becomes"]) for entry in listed}


def told(ends: dict[str, str]) -> Iterator[str]:
    """The report, a line at a time; the score stands in the last."""
    excused = equivalents()
    by_module: dict[str, Counter[str]] = {}
    for name, end in ends.items():
        function = function_of(name)
        kind = "caught" if end in CAUGHT else "survived"
        if kind == "survived":
            was, becomes = change(name)
            if (function, was, becomes) in excused:
                kind = "equivalent"
            else:
                yield f"{end}: {function}  ({name})\n    - {was}\n    + {becomes}"
        by_module.setdefault(name.rpartition(".")[0], Counter())[kind] += 1
    total: Counter[str] = Counter()
    for module, counts in sorted(by_module.items()):
        total += counts
        yield f"{module:45} {score(counts):5.1f} %  {dict(counts)}"
    yield f"{'all':45} {score(total):5.1f} %  {dict(total)}  (aim {AIM} %)"


def score(counts: Counter[str]) -> float:
    """Caught mutants of a hundred, equivalents left aside."""
    return 100 * counts["caught"] / max(1, counts["caught"] + counts["survived"])


def main() -> int:
    """Run what was asked for, print what survived and the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--again", action="store_true", help="test what survived the last run or is new")
    parser.add_argument("--report", action="store_true", help="test nothing, report the last run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    if (arguments.report or arguments.again) and not (COPY / "mutants").is_dir():
        parser.error(f"no run is kept in {COPY.relative_to(ROOT)}: run `make mutate` first (half an hour)")
    if not arguments.report:
        names: list[str] = []
        if arguments.again:
            names = [name for name, end in results().items() if end not in CAUGHT]
        lay_out(fresh=not arguments.again)
        if names:
            test_mutants(names, arguments.jobs)
        # Without names mutmut takes those that have no result yet: all, or those of functions that have changed.
        test_mutants([], arguments.jobs)
    lines = list(told(results()))
    print("\n".join(lines))
    caught = re.search(r"([\d.]+) %", lines[-1])
    return 0 if caught is not None and float(caught[1]) >= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
