import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.names import LONGEST, Reserved, clean_line, clean_name, is_guests, mixes_scripts, skeleton


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


PAYLOADS = {
    "right-to-left override": ("Ada\u202egnp.exe", "Adagnp.exe"),
    "right-to-left isolate": ("\u2067Ada\u2069", "Ada"),
    "right-to-left mark": ("\u200fAda\u200f 7", "Ada 7"),
    "zero width space": ("A\u200bd\u200ba", "Ada"),
    "joiners": ("A\u200dd\u200ca", "Ada"),
    "byte order mark": ("\ufeffAda", "Ada"),
    "soft hyphen": ("A\u00adda", "Ada"),
    "stacked marks": ("x" + "\u0301\u0302\u0303\u0304" * 5 + "da", "x\u0301\u0302da"),
    "line separators": ("Ada\u2028\u2029\r\n\x85Bob", "Ada Bob"),
    "blank letters": ("\u3164Ada\u115f\u2800", "Ada"),
    "tag characters": ("Ada\U000e0061\U000e0062\U000e007f", "Ada"),
    "private use and unassigned": ("Ada\ue000\U0010fffe\u0378", "Ada"),
}
"""Twelve ways to disguise or reorder a line (G27), and what may be left of them."""


@pytest.mark.parametrize(("text", "shown"), PAYLOADS.values(), ids=PAYLOADS.keys())
def test_no_payload_disguises_a_line(text: str, shown: str) -> None:
    for longest in (LONGEST, 300):
        line = clean_line(text, longest)
        assert unicodedata.normalize("NFD", line) == unicodedata.normalize("NFD", shown)
        assert {unicodedata.category(c) for c in line} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} == set()


HOUSE = Reserved(["Mei 梅", "Lan 蘭", "Steady", "Random"])


@pytest.mark.parametrize(
    "name",
    [
        "Steady",
        "STEADY",
        "st\u0435ady",  # Cyrillic e
        "Ｓｔｅａｄｙ",
        "S t e a d y",
        "Steady.",
        "5teady",
        "\U0001d412\U0001d42d\U0001d41e\U0001d41a\U0001d41d\U0001d432",  # mathematical bold
        "Stéady",
        "Mei梅",
        "MEl 梅",  # a lower L
        "admin",
        "Аdmin",  # Cyrillic A
        "adm1n",
        "Admin Bob",
        "ᴀᴅᴍɪɴ",
        "ⓐⓓⓜⓘⓝ",
        "\u13aadmin",  # Cherokee
        "S\u0443stem",
        "the_moderator",
        "Mahjong Parlour",
        "管理員小王",
        "系統",
    ],
)
def test_a_name_that_passes_for_the_house_is_seen_through(name: str) -> None:
    assert HOUSE.resembles(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Mei",
        "Lan",
        "梅",
        "王小明",
        "Иван",
        "Νίκος",
        "Steadman",
        "José",
        "Modesty",
        "Adam",
        "สมชาย",
        "김민수",
        "محمد",
    ],
)
def test_the_names_of_people_are_theirs(name: str) -> None:
    assert not HOUSE.resembles(name)
    assert not mixes_scripts(name)
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "Guest 123",
        "GUEST 7",
        "guest123",
        "Guest #123",
        "Guest l23",  # a lower L
        "Guest IOO",
        "Gu\u0435st 123",  # Cyrillic e
        "Ｇｕｅｓｔ １２３",
        "Guest ①②③",
        "Guest ١٢٣",
        "訪客 123",
        "访客123",
        "訪客１２３",
        "客人 9",
        "\u202e訪客 123",
    ],
)
def test_nobody_is_called_as_a_numbered_guest_in_the_language_of_whoever_reads_it(name: str) -> None:
    assert is_guests(clean_name(name))
    assert HOUSE.resembles(name)


@pytest.mark.parametrize(
    "name", ["Guest", "Gus", "Guest of many 3", "123", "訪客", "王客人", "Ada 123", "Augusta", "7"]
)
def test_who_is_no_numbered_guest_is_not_taken_for_one(name: str) -> None:
    assert not is_guests(name)


@pytest.mark.parametrize(
    ("name", "mixed"),
    [
        ("A\u0434a", True),
        ("p\u0430ypal", True),
        ("\u03a1aul", True),
        ("Ada Ада", False),
        ("Ada 梅", False),
        ("ミケmike", False),
        ("Ada7", False),
    ],
)
def test_a_word_has_the_letters_of_one_script_among_those_that_look_alike(name: str, mixed: bool) -> None:
    assert mixes_scripts(name) == mixed


def test_names_that_look_alike_have_one_skeleton_and_others_have_not() -> None:
    assert len({skeleton(name) for name in ("Bill", "BI11", "b\u0456ll", "B|ll", "\uff22ill")}) == 1
    assert len({skeleton(name) for name in ("Paul", "P a u l", "P\u00e0ul", "\u0420\u0430ul", "\u03a1aul")}) == 1
    assert len({skeleton(name) for name in ("modern", "modem")}) == 1
    assert len({skeleton(name) for name in ("Ada", "Adam", "Bob", "Dora", "王小明", "王小月")}) == 6


@given(st.text(max_size=80))
def test_a_skeleton_has_nothing_but_letters_and_digits(text: str) -> None:
    assert all(character.isalnum() for character in skeleton(text))
    assert skeleton(text) == skeleton(f" {text}\u200b ")
