"""What is paid at once stands in the ruleset's file, and the play half pays just that (lrc 5, A-91)."""

import re

import pytest

from parlour_engine.flowers import FULL, MIXED, NO_SET, gong_payment, set_payment
from parlour_engine.procedure import Procedure
from parlour_engine.rulesets import parse
from parlour_server.resources import config_root

TEXT = config_root().joinpath("rulesets", "lrc.toml").read_text(encoding="utf-8")
MIXED_SET = (34, 39, 36, 41)
RED_SET = (34, 35, 36, 37)


def house_table(**bases: int) -> Procedure:
    """The procedure of an edited copy: `bases` by the payment's id."""
    text = TEXT
    for name, number in bases.items():
        text, edited = re.subn(rf'(id = "{name}"\n(?:.+\n)*?bases = )\d+', rf"\g<1>{number}", text)
        assert edited == 1
    return parse(text, "house.toml").procedure


@pytest.mark.parametrize(("bases", "each"), [(1, 5), (3, 15)])
def test_a_concealed_gong_pays_the_bases_of_the_file(bases: int, each: int) -> None:
    paid = gong_payment(house_table(concealed_gong=bases), 1)
    assert paid is not None
    assert paid.changes == (-each, 3 * each, -each, -each)


def test_a_concealed_gong_of_no_bases_pays_nothing() -> None:
    assert gong_payment(house_table(concealed_gong=0), 1) is None


def test_flower_sets_pay_the_bases_of_the_file() -> None:
    table = house_table(mixed_flower_set=2, full_flower_set=5)
    mixed = set_payment(table, 0, MIXED_SET, NO_SET)
    full = set_payment(table, 0, RED_SET, NO_SET)
    difference = set_payment(table, 0, (*RED_SET, 39), MIXED)
    assert mixed is not None
    assert full is not None
    assert difference is not None
    assert [paid.changes[0] for paid in (mixed, full, difference)] == [30, 75, 45]
    assert set_payment(table, 0, (*RED_SET, 39), FULL) is None
