"""docs/rules-classical.md holds every paragraph and switch that the two files of the classical game speak of."""

import re
from pathlib import Path

import pytest

from tests.kit.classical import ruleset

TEXT = (Path(__file__).parents[2] / "docs" / "rules-classical.md").read_text(encoding="utf-8")
GAMES = pytest.mark.parametrize("name", ["classical", "classical-limit"])
PAGE = re.compile(r"(Harr )?(p\. )?\d+(-\d+)?")


def test_every_ambiguity_is_decided_once() -> None:
    assert [int(number) for number in re.findall(r"^\| A-(\d+) \|", TEXT, re.MULTILINE)] == list(range(1, 36))


@GAMES
def test_every_clause_is_a_page_of_the_book_or_leads_to_a_paragraph(name: str) -> None:
    chosen = ruleset(name)
    paragraphs = set(re.findall(r"\bA-\d+\b", TEXT)) | set(re.findall(r"^## (\d)\.", TEXT, re.MULTILINE))
    clauses = [(row.id, row.clause) for row in chosen.sheet]
    clauses += [(group.id, group.clause) for group in chosen.groups]
    clauses += [(option.id, option.clause) for option in chosen.options.values()]
    clauses += [(instant.id, instant.clause) for instant in chosen.instants.values()]
    for own, clause in clauses:
        for part in clause.split(", "):
            cited = part.removeprefix("classical ")
            assert cited in paragraphs or part == "Harr errata" or PAGE.fullmatch(part), (own, part)


@GAMES
def test_every_switch_is_in_the_rules(name: str) -> None:
    assert [option for option in ruleset(name).options if f"`{option}`" not in TEXT] == []


@pytest.mark.parametrize(("name", "numbers"), [("classical", (136, 20)), ("classical-limit", (14, 300, 50, 200))])
def test_the_numbers_of_the_files_are_those_of_the_page(name: str, numbers: tuple[int, ...]) -> None:
    """What the page says in words of the wall, the limit and washing is what is played."""
    assert all(re.search(rf"\b{number}\b", TEXT) for number in numbers)
    procedure = ruleset(name).procedure
    assert (procedure.hand_size, procedure.sets, procedure.loose_tiles, procedure.dice) == (13, 4, 2, 4)
    assert (procedure.reserve, procedure.washing) == (
        (14, (50, 70, 100, 150, 200)) if name == "classical-limit" else (0, ())
    )
    assert (procedure.robbing, procedure.flowers, procedure.missed_win) == (True, False, False)
    assert (procedure.show_hands, procedure.nearest_winner_only, procedure.last_discard_only_wins) == (
        True,
        True,
        False,
    )
