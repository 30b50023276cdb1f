"""What the pieces of a ruleset's file may not do together: a game nobody can settle, sums no table can hold."""

from collections.abc import Mapping, Sequence
from typing import Final

from parlour_engine.rulesets.reach import ENDLESS, FLOWERS, SETS_OF_A_KIND
from parlour_engine.rulesets.ruleset import MOST, Option, SheetRow
from parlour_engine.rulesets.tables import Table
from parlour_engine.scoring import fields
from parlour_engine.scoring.facts import FLOWER_WIN, STANDARD, UNFINISHED
from parlour_engine.scoring.payment import PAYMENTS
from parlour_engine.scoring.sheet import CLOSING
from parlour_engine.shapes import FORMS

DOUBLES: Final = "doubles"
"""The tally that reads a row's `doubles` and `limit`, and can add up a hand that did not win."""
MOST_DOUBLES: Final = 10
"""Of one row."""
MOST_BASES: Final = 1_000
"""Of one instant payment, of which a deal may have many; the base itself may be as large as any option."""
LARGEST: Final = (2**53 - 1) >> 12
"""The most that one hand may ever come to. Every program reads numbers to 2**53 - 1 exactly; East pays double, three
may pay, and a match has hundreds of deals."""
_TIMES: Final[Mapping[str, int]] = {**FLOWERS, **SETS_OF_A_KIND}
"""The largest answers of questions that count."""
_PAIRS_OF_SETS: Final = 10
"""Among five sets: nothing else is answered with more."""


def payable(file: Table, play: Table, options: Mapping[str, Option], payment: str, tally: str) -> None:
    """Raise RulesetError where all hands are scored and the rest of the file does not go with that."""
    if not PAYMENTS[payment].scores_all:
        return
    if tally != DOUBLES:
        problem = f"payment {payment!r} scores hands that did not win, which tally {tally!r} cannot add up"
        file.wrong("tally" if file.gives("tally") else "payment", problem, f"write tally = {DOUBLES!r}")
    several = "winners" in options and "all" in options["winners"].values
    if several or ("winners" not in options and not play.flag("nearest_winner_only")):
        place, key = (play, "nearest_winner_only") if play.gives("nearest_winner_only") else (file, "payment")
        cure = "write nearest_winner_only = true in [play]"
        if "winners" in options:
            table = file.tables("option")[list(options).index("winners")]
            place, key = (file, "payment") if table.inherited() else (table, "values")
            cure = 'give option \'winners\' values = ["nearest"] and default = "nearest"'
        place.wrong(key, f"payment {payment!r} settles with one winner, and here several may win with one tile", cure)
    if not play.flag("show_hands"):
        place, key = (play, "show_hands") if play.gives("show_hands") else (file, "payment")
        problem = f"payment {payment!r} scores all hands, and nobody shows his"
        place.wrong(key, problem, "write show_hands = true in [play]")


def special_hands(file: Table, play: Table, forms: Sequence[str]) -> None:
    """Raise RulesetError where rows of the base are asked of special hands that the house does not play."""
    if not play.gives("forms"):
        return
    idle = [table.ident() for table in file.tables("row") if not table.gives("readings") and _needs(table, forms)]
    if idle:
        problem = f"'forms' leaves out special hands of these rows of the base: {', '.join(idle[:20])}"
        play.wrong("forms", problem, "add them to 'removed', or keep their hands in 'forms'")


def _needs(table: Table, forms: Sequence[str]) -> bool:
    """True where a row is about special hands, and one of them (all of them, for `special`) is not played."""
    readings = table.texts("readings")
    if any(name in FORMS and name not in forms for name in readings):
        return True
    return bool(readings) and not forms and not {STANDARD, FLOWER_WIN, UNFINISHED} & set(readings)


def holdable(file: Table, options: Mapping[str, Option], rows: Sequence[SheetRow], tally: str) -> None:
    """Raise RulesetError where rows count in units that the tally does not know, or their sum may grow too large."""
    tables = file.tables("row")
    for table, row in zip(tables, rows, strict=True):
        for key in ("doubles", "limit"):
            if tally == DOUBLES or not getattr(row, key):
                continue
            problem = f"row {row.id!r} has {key!r}, and tally {tally!r} adds up points only"
            if table.gives(key):
                table.wrong(key, problem, f"say it in 'points', or write tally = {DOUBLES!r}")
            file.wrong("tally", problem, f"write tally = {DOUBLES!r}, or remove the row")
        if row.doubles > MOST_DOUBLES:
            problem = f"row {row.id!r} doubles {row.doubles} times"
            table.wrong("doubles", problem, f"write at most doubles = {MOST_DOUBLES}")
    for table in file.tables("instant"):
        if table.gives("bases") and table.number("bases") > MOST_BASES:
            problem = f"instant payment {table.ident()!r} is {table.number('bases')} bases"
            table.wrong("bases", problem, f"write at most bases = {MOST_BASES}")
    points = doubles = 0
    for table, row in zip(tables, rows, strict=True):
        # A streak that is only added stays small; a sum that is doubled, or taken times itself, does not.
        if (row.each or row.step) and row.most < 0 and (row.stage == CLOSING or (tally == DOUBLES and _endless(row))):
            key = "each" if row.each else "step"
            problem = f"row {row.id!r} grows without an end" + (", and the sum is doubled" if tally == DOUBLES else "")
            if table.inherited():
                file.wrong("tally", problem, f"remove the row, or give it most = 10 in a [[row]] with id = {row.id!r}")
            table.wrong(key, problem, "add most = 10")
        times = _times(row)
        points += _points(row, options) * (times if row.each else 1) + row.step * times
        doubles += row.doubles * (times if row.each else 1)
    if points << doubles > LARGEST:
        place = max(tables, key=lambda table: (not table.inherited(), _weight(rows[tables.index(table)])))
        doubled = f", doubled {doubles} times," if doubles else ""
        problem = f"all rows together could come to {points} points{doubled} and no table can hold more than {LARGEST}"
        key = "doubles" if rows[tables.index(place)].doubles else "points"
        place.wrong(key, problem, f"lower points or doubles until that is {LARGEST} at the most")


def _weight(row: SheetRow) -> tuple[int, int]:
    return (row.doubles * (_times(row) if row.each else 1), row.points)


def _points(row: SheetRow, options: Mapping[str, Option]) -> int:
    """The most that a row may give once, whatever a table chooses."""
    found = [row.points, *(switch.points or 0 for switch in row.switches)]
    if row.points_from:
        found.append(max(map(int, options[row.points_from].values), default=MOST))
    return max(found)


def _times(row: SheetRow) -> int:
    """The largest answer to a row's questions for which it applies."""
    if _endless(row):
        # A streak may be asked with the win that is being scored.
        return max(1, row.most) if row.most >= 0 else fields.MOST + 1
    most = max([_TIMES.get(question, _PAIRS_OF_SETS) for question in row.questions])
    return min(most, row.most) if row.most >= 0 else most


def _endless(row: SheetRow) -> bool:
    """True where answers have no end; a closing row is asked of the sum itself."""
    return row.stage == CLOSING or not ENDLESS.isdisjoint(row.questions)
