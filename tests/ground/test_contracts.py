"""The import contracts hold (make check runs them) and each of them can fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPONENTS = ("engine", "bots", "server")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for component in COMPONENTS:
        ignored = shutil.ignore_patterns("__pycache__", "*.bin")
        shutil.copytree(ROOT / component, tmp_path / component, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(copy: Path) -> subprocess.CompletedProcess[str]:
    path = ":".join(str(copy / component) for component in COMPONENTS)
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=copy, env={"PYTHONPATH": path}, capture_output=True, text=True, check=False)


def test_the_contracts_hold(copy: Path) -> None:
    kept = lint(copy)
    assert kept.returncode == 0, kept.stdout


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("engine/parlour_engine/tiles.py", "import parlour_server"),
        ("engine/parlour_engine/tiles.py", "import parlour_bots"),
        ("engine/parlour_engine/tiles.py", "import random"),
        ("engine/parlour_engine/scoring/__init__.py", "from time import monotonic"),
        ("engine/parlour_engine/shapes/__init__.py", "import os.path"),
        ("bots/parlour_bots/__init__.py", "import parlour_server.resources"),
        ("server/parlour_server/table/__init__.py", "import asyncio"),
        ("server/parlour_server/table/__init__.py", "import logging"),
    ],
)
def test_a_forbidden_import_is_found(copy: Path, module: str, statement: str) -> None:
    path = copy / module
    path.write_text(f"{path.read_text()}\n{statement}\n")
    broken = lint(copy)
    assert broken.returncode == 1
    assert f"l.{len(path.read_text().splitlines())}" in broken.stdout
