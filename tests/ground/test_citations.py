"""What comments and docstrings cite is there to be read: rows and sections of the two rules pages, and documents."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sorted(
    path for folder in ("engine", "bots", "server", "tests", "tools", "bench") for path in (ROOT / folder).rglob("*.py")
)
PAGES = {name: (ROOT / "docs" / f"rules-{name}.md").read_text(encoding="utf-8") for name in ("lrc", "classical")}
ID = r"[A-Z]{1,2}-\d{1,2}b?|[PM][1-9]\d?"
"""P01 with two digits is a case of tests/faults, P0 a priority; neither is a row."""
SPAN = r"\d(?:\.\d+)?(?![\d-])|" + ID
CITED = re.compile(rf"(?<![\w./-])(lrc|classical) ((?:{SPAN})(?:(?:, | to | and |-)(?:{SPAN})(?!\w))*)(?!\w)")
BARE = re.compile(r"(?<![\w.-])(A-\d{1,2}b?|P[1-9]\d?)(?![\w-])")
DOCUMENT = re.compile(r"(?<![\w*{}])((?:[\w.-]+/)*[\w-]+\.md)\b")


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def rows(page: str) -> set[str]:
    """The ids that a page gives: first cells of its tables, and paragraphs that begin with one."""
    cells = " ".join(re.findall(r"^\| ([^|]+) \|", page, flags=re.MULTILINE))
    found = re.findall(rf"(?<![\w-])(?:{ID})(?![\w-])", cells)
    return {*found, *re.findall(rf"^- \*\*({ID})\*\*", page, flags=re.MULTILINE)}


def sections(page: str) -> set[str]:
    return set(re.findall(r"^## (\d+)\. ", page, flags=re.MULTILINE))


PLACES = {name: rows(page) | sections(page) for name, page in PAGES.items()}


def remarks(source: str) -> Iterator[str]:
    """The comments and the texts that stand alone, as docstrings do, each on one line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield " ".join(node.value.value.split())
    lines = iter(source.splitlines(keepends=True))
    for token in tokenize.generate_tokens(lambda: next(lines, "")):
        if token.type == tokenize.COMMENT:
            yield token.string


def missing(source: str) -> list[str]:
    """What the remarks of a module cite and nobody can look up."""
    lost = []
    for text in remarks(source):
        for name, places in CITED.findall(text):
            lost += [f"{name} {place}" for place in re.findall(SPAN, places) if place not in PLACES[name]]
        lost += [place for place in BARE.findall(text) if not any(place in there for there in PLACES.values())]
        lost += [name for name in DOCUMENT.findall(text) if not (ROOT / name).exists()]
    return lost


def test_the_pages_give_rows_and_sections() -> None:
    assert {"P1", "P30", "M2", "A-1", "A-53b", "A-95", "F-4", "DR-3", "Y-11", "1", "6"} <= PLACES["lrc"]
    assert {"A-1", "A-35", "1", "7"} <= PLACES["classical"]
    assert not {"P31", "A-96", "8"} & PLACES["lrc"]
    assert not {"A-36", "8", "P1"} & PLACES["classical"]


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_every_citation_can_be_looked_up(path: Path) -> None:
    assert missing(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("remark", "lost"),
    [
        ('"""Robbing (lrc P15; classical A-8, Harr p. 29)."""', []),
        ("# classical A-1 to A-35, and lrc SH-1, A-57 to A-63", []),
        ("# classical 1, A-17 and classical 5 (docs/rules-classical.md)", []),
        ("# P01 of tests/faults, R07 and A-3; a classical 13-tile game", []),
        ('"""Washing\n(classical\n8)."""', ["classical 8"]),
        ("# classical 3, 9", ["classical 9"]),
        ("# lrc 3.1", ["lrc 3.1"]),
        ("# lrc A-2, A-96", ["lrc A-96", "A-96"]),
        ("# classical A-36", ["classical A-36"]),
        ("# P31", ["P31"]),
        ("# see classical.md 7", ["classical.md"]),
    ],
)
def test_a_citation_of_nothing_is_found(remark: str, lost: list[str]) -> None:
    assert missing(remark + "\n") == lost
