"""Every case that concerns this game has a test that names it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CASES = (
    "R01 R02 R03 R04 R06 R07 R08 R09 K01 K03 K04 K06 K07 K09 K10 W01 W02 W03 W05 W06 P01 P02 P03 P04 P06 P07 P09 "
    "S01 S02 S03 S05 S08 S09 S11 S12 T01 T03 T05 T06 T07 T08 T10 T12 C02 C03 C05 C07 L01 L04 L06 L08 V03 V05 X01"
)


@pytest.fixture(scope="module")
def named() -> set[str]:
    """The cases that some test names, in words or in its own name."""
    found = set()
    for path in TESTS.rglob("test_*.py"):
        if path != Path(__file__):
            found |= {
                case.upper() for case in re.findall(r"(?<![a-z0-9])([rkwpstclvx]\d\d)(?!\d)", path.read_text().lower())
            }
    return found


@pytest.mark.parametrize("case", CASES.split())
def test_a_case_is_named_by_a_test(case: str, named: set[str]) -> None:
    assert case in named
