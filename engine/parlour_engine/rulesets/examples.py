"""The hands a ruleset's file shows beside its rows: they must read well, have the row, or miss it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import evolve

# As modules: `request` and `tally` are read while the rulesets' own modules are, and are asked later.
import parlour_engine.scoring.request as requests
import parlour_engine.scoring.tally as tallies
from parlour_engine.rulesets.errors import RulesetError

if TYPE_CHECKING:
    from parlour_engine.rulesets.ruleset import Example, Ruleset, SheetRow
    from parlour_engine.rulesets.tables import Table
    from parlour_engine.scoring.record import ScoringRecord

EXAMPLE, NEAR_MISS = "example", "near_miss"


def shown(ruleset: "Ruleset") -> Iterator[tuple["SheetRow", str, "Example"]]:
    """Every hand that the file shows, with its row and which of the two it is."""
    for row in ruleset.printed:
        for which, example in ((EXAMPLE, row.example), (NEAR_MISS, row.near_miss)):
            if example is not None:
                yield row, which, example


def record_of(ruleset: "Ruleset", example: "Example") -> tuple["Ruleset", "ScoringRecord"]:
    """What is to be scored, under which switches; raises RequestError where the hand is no scoring record."""
    asked = {"id": "example", "ruleset": ruleset.key, **example.record}
    request = requests.parse_request(asked, lambda _, options: ruleset.with_options(options))
    return request.ruleset, request.record


def fitting(ruleset: "Ruleset", tables: "Mapping[str, Table]") -> "tuple[SheetRow, ...]":
    """The rows without hands of the base that the house's rules have made wrong; its own hands stay, to be checked."""
    kept: list[SheetRow] = []
    for row in ruleset.printed:
        changed = row
        if row.example is not None and not tables[row.id].gives(EXAMPLE) and not _shows(ruleset, row.example, row.id):
            changed = evolve(changed, example=None)
        near = row.near_miss
        if near is not None and not tables[row.id].gives(NEAR_MISS) and _shows(ruleset, near, row.id) is not False:
            changed = evolve(changed, near_miss=None)
        kept.append(changed)
    return tuple(kept)


def _shows(ruleset: "Ruleset", example: "Example", row_id: str) -> bool | None:
    """Whether the hand has the row; None where it cannot be scored."""
    try:
        chosen, record = record_of(ruleset, example)
        score = tallies.TALLIES[chosen.tally](chosen, record)
    except (requests.RequestError, tallies.NotWinning):
        return None
    return any(award.award == row_id for award in score.awards)


def misfits(base: "Ruleset", house: "Ruleset") -> "tuple[tuple[SheetRow, str], ...]":
    """The hands of the base that the house cannot score at all, by row and which of the two it is. Those of rows that
    it removed are none, nor those in whose place it shows its own."""
    rows = {row.id: row for row in house.printed}
    return tuple(
        (row, which)
        for row, which, example in shown(base)
        if row.id in rows and getattr(rows[row.id], which) is None and _shows(house, example, row.id) is None
    )


def unreadable(ruleset: "Ruleset") -> Iterator[RulesetError]:
    """What is wrong with hands that are no scoring records."""
    for row, which, example in shown(ruleset):
        try:
            record_of(ruleset, example)
        except requests.RequestError as error:
            problem = f"{which!r} of row {row.id!r} is no hand that can be scored: {error}"
            yield RulesetError(example.origin, example.line, problem, "write it as docs/scoring-record.md says")


def failing(ruleset: "Ruleset") -> Iterator[RulesetError]:
    """What is wrong with hands that do not show their row: an example without it, a near miss with it."""
    for row, which, example in shown(ruleset):
        chosen, record = record_of(ruleset, example)
        try:
            score = tallies.TALLIES[chosen.tally](chosen, record)
        except tallies.NotWinning as error:
            problem = f"{which!r} of row {row.id!r} is not scored: {error}"
            yield RulesetError(example.origin, example.line, problem, "show a hand that is scored")
            continue
        awards = [award.award for award in score.awards]
        if (row.id in awards) != (which == EXAMPLE):
            verb = "does not get" if which == EXAMPLE else "gets"
            problem = f"{which!r} of row {row.id!r} {verb} the row; it gets {', '.join(awards) or 'nothing'}"
            cure = "show a hand that has the row" if which == EXAMPLE else "show a hand that just misses the row"
            yield RulesetError(example.origin, example.line, problem, cure)
