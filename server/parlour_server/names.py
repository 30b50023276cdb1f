"""What a player may be called: one short line that cannot disguise itself, reorder its surroundings or pass for the
house."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

LONGEST: Final = 24
"""Code points of a name as it is shown."""
_MARKS: Final = 2
"""Combining marks on one letter: enough for living languages, too few to climb over other text."""
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, bidirectional overrides and other invisible formats, surrogates, private use, unassigned."""
_UNSEEN: Final = _DROPPED | {"Mn", "Me"}
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look like nothing at all."""

STAFF: Final = ("admin", "administrator", "moderator", "operator", "staff", "system", "server", "support", "official")
"""Words of which none may be one of a name's own."""
HOUSE: Final = ("Mahjong Parlour", "Parlour", "House", "Bot")
"""What a name as a whole may not be taken for."""
_CHINESE_STAFF: Final = ("管理", "系統", "系统", "客服", "官方", "版主")
"""Written without spaces, so that they stand anywhere in a name."""

GUEST: Final = "Guest"
"""What somebody without a name is called, with a number. A client may word it in the language of who reads it, so all
of these names are taken, in every language that a client speaks."""
_GUESTS: Final = (GUEST, "訪客", "访客", "客人", "來賓", "来宾", "嘉賓", "嘉宾", "貴賓", "贵宾", "遊客", "游客", "旅客")

_ALIKE: Final = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}
"""Scripts whose letters can be taken for one another's; no living language mixes two of them in one word."""
_LOOKS: Final = str.maketrans(
    {
        **dict(zip("авсеёнкмортухѕјӏіԁһԛԝьгпѵү", "abceehkmoptyxsjlldhqwbrnvy", strict=True)),
        **dict(zip("αβγδεζηθικμνοπρστυφχω", "abydeznolkmvonpotuoxw", strict=True)),
        **dict(zip("օսոհցզքլյ", "ounhgqplj", strict=True)),
        # What stands for a letter among letters; upper case i, lower case l and the digit are one to the eye.
        **dict(zip("01i|!5$@", "ollllssa", strict=True)),
    }
)
"""A letter in lower case and the Latin one that it looks like in either case."""
_LATIN: Final = re.compile(r"(?:LATIN|REGIONAL INDICATOR SYMBOL).*(?:LETTER|CAPITAL) ([A-Z])(?: WITH .*)?$")
_CHEROKEE: Final = re.compile(r"CHEROKEE (?:SMALL )?LETTER (\w+)$")
_NAMED: Final = ["GO", "GV", "MI", "TLE", "LU", "DU", "A", "I", "E", "SI", "TSE", "LA", "DI", "WI"]
_SYLLABLES: Final = dict(zip(_NAMED, "aehlmsdtrbkwjo", strict=True))
"""Cherokee syllables by their names, and the Latin capital that each looks like."""


def clean_line(text: str, longest: int) -> str:
    """One visible line of at most `longest` code points; empty where nothing visible is left."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category in {"Cc", "Zl", "Zp", "Zs"} or character in _BLANK:
            if kept and kept[-1] != " ":
                kept.append(" ")
            continue
        if category in _DROPPED:
            continue
        if category in {"Mn", "Me"}:
            if not kept or kept[-1] == " " or marks == _MARKS:
                continue
            marks += 1
        else:
            marks = 0
        kept.append(character)
    # What was dropped may have kept two characters apart that compose.
    return unicodedata.normalize("NFC", "".join(kept)).strip()[:longest].strip()


def clean_name(text: str) -> str:
    """The name as it is shown; empty where nothing visible is left."""
    return clean_line(text, LONGEST)


def folded(text: str) -> str:
    """The text without differences of case, width and style."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=4096)
def _look(character: str) -> str:
    name = unicodedata.name(character, "")
    latin = _LATIN.search(name)
    if latin is not None:
        return latin[1].lower()
    cherokee = _CHEROKEE.match(name)
    return character if cherokee is None else _SYLLABLES.get(cherokee[1], character)


def skeleton(text: str) -> str:
    """What is left of a name to an eye in a hurry: two names with one skeleton can be taken for each other."""
    plain = "".join(
        [c for c in unicodedata.normalize("NFD", folded(text)) if unicodedata.category(c) not in {"Mn", "Me"}]
    )
    looks = "".join([_look(character) for character in plain]).translate(_LOOKS)
    return "".join([c for c in looks if c.isalnum()]).replace("rn", "m").replace("vv", "w")


_LIKE_A_GUEST: Final = re.compile(f"(?:{'|'.join([skeleton(word) for word in _GUESTS])})[ols2346789]+")
"""A skeleton, in which a figure and the letter that looks like it are one."""


def is_guests(name: str) -> bool:
    """Whether a name is that of a numbered guest, or could be taken for one's in any language."""
    figures = "".join([str(unicodedata.digit(character, character)) for character in name])
    return _LIKE_A_GUEST.fullmatch(skeleton(figures)) is not None


def mixes_scripts(name: str) -> bool:
    """Whether a word of it is written in two scripts whose letters look alike."""
    for word in folded(name).split():
        scripts = {unicodedata.name(character, "").partition(" ")[0] for character in word if character.isalpha()}
        if len(scripts & _ALIKE) > 1:
            return True
    return False


class Reserved:
    """Names that nobody may be taken for: those of `names`, of the house, of its staff and of numbered guests."""

    __slots__ = ("_staff", "_whole")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._staff: Final = frozenset([skeleton(word) for word in STAFF])
        self._whole: Final = frozenset([skeleton(name) for name in (*names, *HOUSE)]) | self._staff

    def resembles(self, name: str) -> bool:
        """Whether this name could be read as one of them."""
        if skeleton(name) in self._whole or is_guests(name):
            return True
        words = re.split(r"[\W_]+", folded(name))
        return any(skeleton(word) in self._staff for word in words) or any(
            word in folded(name) for word in _CHINESE_STAFF
        )
