"""Every case that concerns this game has a test that names it: in its own name, or in the words that say what it is
for. A remark beside the code is no test."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CASES = (
    "R01 R02 R03 R04 R06 R07 R08 R09 K01 K03 K04 K06 K07 K09 K10 W01 W02 W03 W05 W06 P01 P02 P03 P04 P06 P07 P09 "
    "S01 S02 S03 S05 S08 S09 S11 S12 T01 T03 T05 T06 T07 T08 T10 T12 C02 C03 C05 C07 C08 C10 C11 L01 L03 L04 L06 L08 "
    "V03 V05 X01 X04 N01 N03 N05 N07 N09 N12 N14 N17 N19"
)

CLASSICAL = ("test_cl.py", "test_cl_*.py", "test_classical*.py", "test_loose_tiles.py")
"""Where the classical half of a case is tested."""
NOT_CLASSICAL = {
    "P02": "the classical games pay no streak",
    "P09": "only the nearest of several winners wins, so a deal has one entry",
}
"""Cases of gongs, walls, payments and scores that the classical games cannot meet, and why."""


def named(*globs: str) -> set[str]:
    """The cases that some test of these files names."""
    found: set[str] = set()
    for path in {path for glob in globs for path in TESTS.rglob(glob)} - {Path(__file__)}:
        found |= named_in(path.read_text(encoding="utf-8"))
    return found


def named_in(source: str) -> set[str]:
    """The same, of a file's text."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            words = f"{node.name} {ast.get_docstring(node) or ''}".lower()
            found |= {case.upper() for case in re.findall(r"(?<![a-z0-9])([rkwpstclvxn]\d\d)(?!\d)", words)}
    return found


def test_only_a_test_names_a_case() -> None:
    source = '''
"""R01"""
# R02
def helping():
    """R03"""
def test_r04_is_met():
    # R06
    """R07: so it is."""
async def test_more():
    """And R08, not R1 or XR09."""
'''
    assert named_in(source) == {"R04", "R07", "R08"}


@pytest.fixture(scope="module")
def everywhere() -> set[str]:
    return named("test_*.py")


@pytest.fixture(scope="module")
def in_classical() -> set[str]:
    return named(*CLASSICAL)


@pytest.mark.parametrize("case", CASES.split())
def test_a_case_is_named_by_a_test(case: str, everywhere: set[str]) -> None:
    assert case in everywhere


@pytest.mark.parametrize("case", [case for case in CASES.split() if case[0] in "KWPS"])
def test_a_case_is_met_in_the_classical_game_too_or_cannot_be(case: str, in_classical: set[str]) -> None:
    """The classical half (CL) of every case of gongs, the wall, payments and scores."""
    assert (case in in_classical) is (case not in NOT_CLASSICAL)
