"""Reading the rows of a ruleset's file against what the rest of the file declares."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from parlour_engine.rulesets.ruleset import INTEGER, MOST, Option, SheetRow, Switch
from parlour_engine.rulesets.tables import Table
from parlour_engine.scoring.facts import FLOWER_WIN, STANDARD, UNFINISHED
from parlour_engine.scoring.patterns import HAND_QUESTIONS, question_names
from parlour_engine.scoring.sheet import BESIDE, CLOSING, HAND, STAGES

SPECIAL: Final = "special"
"""In a row's `readings`: every special hand of the ruleset."""
_CHANGEABLE: Final = ("question", "groups", "readings", "points")
"""What a switch may set."""


class Rows:
    """Reads rows against what the rest of the file declares."""

    def __init__(
        self, options: Mapping[str, Option], groups: set[str], sections: set[str], play: Mapping[str, object]
    ) -> None:
        self.options: Final = options
        self.groups: Final = groups
        self.sections: Final = sections
        forms = play["forms"]
        self.special: Final[tuple[str, ...]] = forms if isinstance(forms, tuple) else ()

    def row(self, table: Table) -> SheetRow:
        """One row, whole."""
        stage = table.one_of("stage", STAGES, HAND)
        if stage == CLOSING and table.has("question"):
            key = "question" if table.gives("question") else "stage"
            table.wrong(
                key, f"{table.title()} is a closing row, which asks no question", "remove 'question', or 'stage'"
            )
        least = table.number("least", 1)
        row = SheetRow(
            id=table.ident(),
            section=table.one_of("section", self.sections),
            names=table.names(),
            rules=table.rules(),
            clause=table.text("clause"),
            question=""
            if stage == CLOSING
            else self._question(table, table.text("question"), "question", stage, least),
            points=self._points(table),
            doubles=table.number("doubles", 0),
            limit=table.one_of("limit", ("half", "whole")) if table.has("limit") else "",
            points_from=self._points_from(table),
            groups=self._groups(table, "groups", table.texts("groups")),
            readings=self._readings(table, "readings", table.texts("readings")),
            stage=stage,
            each=table.flag("each"),
            least=least,
            most=table.number("most") if table.has("most") else -1,
            step=table.number("step", 0),
            only=table.texts("only"),
            switches=self._switches(table, stage, least),
            example=table.example("example"),
            near_miss=table.example("near_miss"),
        )
        if row.each and row.step:
            key = "step" if table.gives("step") else "each"
            table.wrong(key, f"{table.title()} has both 'each' and 'step'", "keep one of them, and write 0 or false")
        if 0 <= row.most < row.least:
            table.wrong(
                "most", f"{table.title()} can never apply: 'most' is under 'least'", "raise most or lower least"
            )
        return row

    def _question(self, table: Table, name: str, key: str, stage: str, least: int) -> str:
        if stage == BESIDE or least == 0:
            # Such rows are asked of the hand alone: there is no reading to ask, or 0 would be a yes.
            if name not in HAND_QUESTIONS and name in question_names():
                if stage != BESIDE and table.gives("least"):
                    problem = f"'least' of {table.title()} is 0, and {name!r} depends on how the tiles are read"
                    table.wrong("least", problem, "write least = 1, or ask a question about the whole hand")
                table.wrong(key, f"{name!r} depends on how the tiles are read", "ask a question about the whole hand")
            table.known(key, name, HAND_QUESTIONS)
        table.known(key, name, question_names())
        return name

    def _points(self, table: Table) -> int:
        """What the row says, 0 where an option says it, or where it counts in doubles or limits only."""
        if table.has("points_from"):
            return 0
        return table.number("points", 0 if table.has("doubles") or table.has("limit") else None)

    def _points_from(self, table: Table) -> str:
        name = table.text("points_from", "")
        if name:
            table.known("points_from", name, self.options)
            if self.options[name].type != INTEGER:
                table.wrong("points_from", f"option {name!r} is no number", "name an option of type integer")
            if table.has("points"):
                table.wrong("points", f"{table.title()} has both 'points' and 'points_from'", "keep one of them")
        return name

    def _groups(self, table: Table, key: str, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            table.known(key, name, self.groups)
        return names

    def _readings(self, table: Table, key: str, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            table.known(key, name, (STANDARD, SPECIAL, FLOWER_WIN, UNFINISHED, *self.special))
        found: list[str] = []
        for name in names:
            found.extend(self.special if name == SPECIAL else (name,))
        if names and not found:
            table.wrong(key, f"{table.title()} is about special hands, and 'forms' lists none", "list one in 'forms'")
        return tuple(found)

    def _switches(self, table: Table, stage: str, least: int) -> tuple[Switch, ...]:
        value = table.raw("switches")
        cure = "write switches = [{ when = { option = value }, set = { key = value } }]"
        if value is None:
            return ()
        if not isinstance(value, list):
            table.wrong("switches", f"'switches' of {table.title()} is not a list", cure)
        found: list[Switch] = []
        for item in value:
            if not isinstance(item, dict) or set(item) != {"when", "set"}:
                table.wrong("switches", f"a switch of {table.title()} needs exactly 'when' and 'set'", cure)
            when, changed = item["when"], item["set"]
            if not isinstance(when, dict) or not isinstance(changed, dict) or not when or not changed:
                table.wrong("switches", f"a switch of {table.title()} says nothing", cure)
            for name, wanted in when.items():
                table.known("switches", name, self.options)
                if not self.options[name].allows(wanted):
                    problem = f"a switch of {table.title()} waits for a value that {name!r} never has"
                    table.wrong("switches", problem, f"write {self.options[name].allowed()}")
            for name in changed:
                table.known("switches", name, _CHANGEABLE)
            question, points = changed.get("question"), changed.get("points")
            groups, readings = changed.get("groups"), changed.get("readings")
            if points is not None and (type(points) is not int or not 0 <= points <= MOST):
                problem = f"a switch of {table.title()} sets points that are no whole number from 0 to {MOST}"
                table.wrong("switches", problem, f"write points = and a whole number from 0 to {MOST}")
            if not isinstance(question, str | None) or any(
                names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names))
                for names in (groups, readings)
            ):
                table.wrong("switches", f"a switch of {table.title()} sets a value of the wrong type", cure)
            found.append(
                Switch(
                    when=MappingProxyType(dict(when)),
                    question=None if question is None else self._question(table, question, "switches", stage, least),
                    groups=None if groups is None else self._groups(table, "switches", tuple(groups)),
                    readings=None if readings is None else self._readings(table, "switches", tuple(readings)),
                    points=points,
                )
            )
        return tuple(found)
