import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.names import LONGEST, clean_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("王小明", "王小明"),
        ("สมชาย", "สมชาย"),
        ("José", "José"),
        ("Jose\u0301", "José"),
        ("Jose\u200d\u0301", "José"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("\u2066x\u2069", "x"),
        ("a\nb\tc", "a b c"),
        ("a\u2028b", "a b"),
        ("\u200bhid\u200dden\ufeff", "hidden"),
        ("z" + "\u0334" * 50, "z\u0334\u0334"),
        ("\u0301a", "a"),
        ("\u3164", ""),
        ("\u2800 \u115f", ""),
        ("\x00\x1b[31m", "[31m"),
        ("\ud800x", "x"),
        ("", ""),
        (" ", ""),
        ("w" * 80, "w" * LONGEST),
    ],
)
def test_a_name_is_one_short_visible_line(text: str, name: str) -> None:
    assert clean_name(text) == name


@given(st.text(max_size=80))
def test_a_clean_name_is_clean_already(text: str) -> None:
    name = clean_name(text)

    assert clean_name(name) == name
    assert len(name) <= LONGEST
    assert {unicodedata.category(c) for c in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} == set()
