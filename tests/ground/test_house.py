"""House rules that no linter knows: names, sizes, reasons, and documents whose links lead somewhere."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = [ROOT / "engine", ROOT / "bots", ROOT / "server"]
PYTHON = sorted(path for package in [*PACKAGES, ROOT / "tests", ROOT / "tools"] for path in package.rglob("*.py"))
CLIENT = sorted(
    path
    for suffix in ("*.ts", "*.svelte")
    for path in (ROOT / "web-client" / "src").rglob(suffix)
    if "generated" not in path.parts
)
DOCUMENTS = sorted(
    path
    for folder in (
        ROOT,
        ROOT / "docs",
        *(ROOT / name for name in ("engine", "bots", "server", "config", "tests", "web-client")),
    )
    for path in folder.glob("*.md")
)

LONG = {
    "server/parlour_server/fairness/standalone/verify.py": "one file, all that a doubter has to read",
}
"""Modules of more than 400 lines, and the one reason that each of them has."""

VAGUE = re.compile(r"(Manager|Handler|Helper|Util|Utils|Data|Info)$")
BARE_IGNORE = re.compile(r"#\s*(noqa|type:\s*ignore|pragma)\b[^#]*$")


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize(
    "path", [p for p in PYTHON if p.is_relative_to(ROOT / "tests") is False] + CLIENT, ids=relative
)
def test_a_module_stays_under_400_lines_or_says_why(path: Path) -> None:
    long = len(path.read_text(encoding="utf-8").splitlines()) > 400
    assert long == (relative(path) in LONG)


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_no_class_and_no_module_has_a_vague_name(path: Path) -> None:
    classes = [node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]
    assert [name for name in [*classes, path.stem.title()] if VAGUE.search(name)] == []


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_every_ignored_finding_says_why(path: Path) -> None:
    assert [line for line in path.read_text().splitlines() if BARE_IGNORE.search(line)] == []


def test_every_ignored_rule_says_why() -> None:
    settings = (ROOT / "pyproject.toml").read_text()
    ignored = settings.split("\nignore = [\n")[1].split("\n]")[0].splitlines()
    assert ignored
    assert [line for line in ignored if "# " not in line] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_every_link_in_a_document_leads_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    local = [target for target in targets if target and not target.startswith(("http://", "https://"))]
    assert [target for target in local if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_every_make_target_in_a_document_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z0-9-]+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert named - targets == set()
