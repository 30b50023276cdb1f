"""Texts of ruleset files for tests: the shipped ones, and house files over them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from parlour_engine.rulesets import Ruleset, parse

FOLDER = Path(__file__).parents[3] / "config" / "rulesets"
SHIPPED = tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))
OPENING = """\
based_on = "lrc"
key = "club"
version = "1"
names = { en = "Our club", zh-Hant = "本會" }
"""


def text_of(name: str) -> str:
    """The text of a shipped file."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def find_in(files: Mapping[str, str]) -> Callable[[str], tuple[str, str]]:
    """Opens bases among `files` by name, and the shipped ones."""

    def find(name: str) -> tuple[str, str]:
        if name in files:
            return files[name], f"{name}.toml"
        if name in SHIPPED:
            return text_of(name), f"{name}.toml"
        raise LookupError(f"write one of {', '.join(SHIPPED)}")

    return find


def house(text: str, opening: str = OPENING, **files: str) -> Ruleset:
    """The ruleset of a house file: the opening lines of one based on LRC, then `text`; `files` are other files."""
    return parse(opening + text, "house.toml", find_in(files))
