"""Reading a ruleset's file: every key known, every name resolved, every number in its range, or RulesetError."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from parlour_engine.rulesets.errors import RulesetError
from parlour_engine.rulesets.lines import Lines
from parlour_engine.rulesets.ruleset import (
    BOOLEAN,
    INTEGER,
    SWITCHES_OF_PLAY,
    SWITCHES_OF_SCORING,
    TEXT,
    TYPES,
    Group,
    InstantPayment,
    Option,
    OptionValue,
    Paragraph,
    Ruleset,
    Section,
    SheetRow,
    Switch,
)
from parlour_engine.rulesets.tables import Table
from parlour_engine.scoring.facts import FLOWER_WIN, STANDARD, UNFINISHED
from parlour_engine.scoring.patterns import HAND_QUESTIONS, question_names
from parlour_engine.scoring.payment import PAYMENTS
from parlour_engine.scoring.sheet import BESIDE, CLOSING, HAND, STAGES
from parlour_engine.scoring.tally import TALLIES
from parlour_engine.shapes import FORMS

FORMAT: Final = 1
"""The version of the file format that this engine reads."""
WASHING: Final = "washing"
INSTANTS: Final = ("mixed_flower_set", "full_flower_set", "concealed_gong", WASHING)
"""The occasions at which the play half makes instant payments; one that is not there pays nothing."""
SPECIAL: Final = "special"
"""In a row's `readings`: every special hand of the ruleset."""


def parse(text: str, origin: str) -> Ruleset:
    """The ruleset that `text` (TOML) describes; `origin` names the text in messages. Raises RulesetError."""
    lines = Lines(text)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = int(found.group(1)) if found else max(1, text.count("\n"))
        problem = re.sub(r"\s*\(at .*\)", "", str(error))
        raise RulesetError(origin, line, f"not TOML: {problem}", "mend this line, or the one before it") from error
    except RecursionError as error:
        raise RulesetError(origin, 1, "not TOML: nested too deeply", "use plain tables and lists") from error
    file = Table(values, lines, origin)
    if file.number("format") != FORMAT:
        file.wrong("format", "the file has another format than this program reads", f"write format = {FORMAT}")
    play = _play(file.table("play"))
    options = _by_id(file.tables("option"), _option)
    groups = tuple(_by_id(file.tables("group"), _group).values())
    sections = tuple(_by_id(file.tables("section", 1), _section).values())
    instants = _instants(file)
    if WASHING in options and WASHING not in instants:
        file.wrong("instant", "option 'washing' has no payments", f"add an [[instant]] with id = {WASHING!r}")
    tables = file.tables("row", 1)
    reader = _Rows(options, {group.id for group in groups}, {section.id for section in sections}, play)
    rows = tuple(_by_id(tables, reader.row).values())
    ruleset = Ruleset(
        key=file.text("key"),
        version=file.text("version"),
        names=file.names(),
        source=file.text("source"),
        tally=file.one_of("tally", TALLIES),
        payment=file.one_of("payment", PAYMENTS),
        play=MappingProxyType(play),
        sections=sections,
        groups=groups,
        instants=MappingProxyType(instants),
        options=MappingProxyType(options),
        printed=rows,
        values=MappingProxyType({name: option.default for name, option in options.items()}),
        procedures=tuple(_by_id(file.tables("procedure"), _paragraph).values()),
    )
    file.finish()
    _nobody_missing(file, ruleset)
    return ruleset


class _Named(Protocol):
    """Anything of a ruleset that has an id."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Named)


def _by_id(tables: Sequence[Table], read: Callable[[Table], T]) -> dict[str, T]:
    """What `read` makes of each table, by id; no id twice."""
    found: dict[str, T] = {}
    for table in tables:
        item = read(table)
        table.finish()
        if item.id in found:
            table.wrong("id", f"{item.id!r} is the id of an earlier table too", "give each its own id")
        found[item.id] = item
    return found


def _play(table: Table) -> dict[str, object]:
    play: dict[str, object] = {
        "hand_size": table.number("hand_size"),
        "sets": table.number("sets"),
        "forms": table.texts("forms"),
        "flowers": table.flag("flowers"),
        "flower_win": table.number("flower_win", 0),
        "reserve": table.number("reserve", 0),
        "last_discard_only_wins": table.flag("last_discard_only_wins"),
        "reserve_replaces": table.flag("reserve_replaces", True),
        "loose_tiles": table.number("loose_tiles", 0),
        "dice": table.number("dice", 3),
        "show_hands": table.flag("show_hands"),
        "nearest_winner_only": table.flag("nearest_winner_only"),
        "missed_win": table.flag("missed_win", True),
    }
    if play["loose_tiles"] not in (0, 2):
        table.wrong("loose_tiles", "loose tiles lie in pairs", "write loose_tiles = 2, or 0 for none")
    for form in table.texts("forms"):
        table.known("forms", form, FORMS)
    table.finish()
    if play["hand_size"] != 3 * table.number("sets") + 1:
        table.wrong(
            "hand_size", "a hand of this size is never one tile short of its sets and eyes", "write 3 * sets + 1"
        )
    if not 1 <= table.number("sets") <= 5:
        table.wrong("sets", "a complete hand has 1 to 5 sets", "write sets = 5, or 4 for a hand of 13 tiles")
    return play


def _option(table: Table) -> Option:
    type_name = table.one_of("type", TYPES)
    values = table.raw("values")
    listed = [] if values is None else values
    if not isinstance(listed, list) or not all(type(value) is TYPES[type_name] for value in listed):
        table.wrong(
            "values", f"'values' of {table.title()} are not all of its type", f"list values of type {type_name}"
        )
    default = table.raw("default")
    option = Option(
        id=table.text("id"),
        names=table.names(),
        type=type_name,
        default=default if isinstance(default, bool | int | str) else "",
        values=tuple(listed),
        clause=table.text("clause"),
        rules=table.rules() if table.has("rule") else None,
    )
    if default is None:
        table.wrong("", f"{table.title()} has no 'default'", f"add default = and {option.allowed()}")
    if not option.allows(default):
        table.wrong("default", f"'default' of {table.title()} is no value it allows", f"write {option.allowed()}")
    expected = _PLAY_VALUES.get(option.id)
    if expected is not None and (type_name, set(option.values)) != (expected[0], set(expected[1])):
        table.wrong(
            "type",
            f"{table.title()} is read by the play of a deal, which needs another type or other values",
            f"write type = {expected[0]!r}" + (f" and values = {list(expected[1])}" if expected[1] else ""),
        )
    return option


_PLAY_VALUES: Final[Mapping[str, tuple[str, tuple[OptionValue, ...]]]] = {
    **dict.fromkeys(SWITCHES_OF_PLAY, (BOOLEAN, ())),
    "base": (INTEGER, ()),
    "dead_wall": (INTEGER, ()),
    "limit": (INTEGER, ()),
    "dangerous_discard": (BOOLEAN, ()),
    "mixed_then_full": (TEXT, ("difference", "both")),
    "winners": (TEXT, ("all", "nearest")),
}


def _group(table: Table) -> Group:
    return Group(
        id=table.text("id"),
        clause=table.text("clause"),
        equal_later=table.one_of("equal", ("earlier", "later"), "earlier") == "later",
    )


def _section(table: Table) -> Section:
    return Section(id=table.text("id"), names=table.names())


def _paragraph(table: Table) -> Paragraph:
    return Paragraph(id=table.text("id"), names=table.names(), rules=table.rules(), clause=table.text("clause"))


def _instants(file: Table) -> dict[str, InstantPayment]:
    return _by_id(file.tables("instant"), _instant)


def _instant(table: Table) -> InstantPayment:
    name = table.one_of("id", INSTANTS)
    return InstantPayment(
        id=name,
        names=table.names(),
        rules=table.rules(),
        bases=0 if name == WASHING else table.number("bases"),
        clause=table.text("clause"),
        points=table.numbers("points") if name == WASHING else (),
    )


class _Rows:
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
        least = table.number("least", 1)
        row = SheetRow(
            id=table.text("id"),
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
        if 0 <= row.most < row.least:
            table.wrong(
                "most", f"{table.title()} can never apply: 'most' is under 'least'", "raise most or lower least"
            )
        return row

    def _question(self, table: Table, name: str, key: str, stage: str, least: int) -> str:
        if stage == BESIDE or least == 0:
            # Such rows are asked of the hand alone: there is no reading to ask, or 0 would be a yes.
            if name not in HAND_QUESTIONS and name in question_names():
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
                table.known("switches", name, ("question", "groups", "readings", "points"))
            question, points = changed.get("question"), changed.get("points")
            groups, readings = changed.get("groups"), changed.get("readings")
            if (
                not isinstance(question, str | None)
                or (points is not None and (type(points) is not int or points < 0))
                or any(
                    names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names))
                    for names in (groups, readings)
                )
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


def _nobody_missing(file: Table, ruleset: Ruleset) -> None:
    """Raise RulesetError for a group of fewer than two rows, an empty heading, or an option that nothing reads."""
    rows = ruleset.printed
    ids = [row.id for row in rows]
    for index, row in enumerate(rows):
        for name in row.only:
            file.tables("row")[index].known("only", name, ids)
    for index, group in enumerate(ruleset.groups):
        members = [
            row
            for row in rows
            if group.id in row.groups or any(group.id in (switch.groups or ()) for switch in row.switches)
        ]
        if len(members) < 2:
            file.tables("group")[index].wrong(
                "id",
                f"group {group.id!r} has {len(members)} rows, so it excludes nothing",
                "name it in two rows or more",
            )
    for index, section in enumerate(ruleset.sections):
        if not any(row.section == section.id for row in rows):
            file.tables("section")[index].wrong("id", f"heading {section.id!r} has no row", "remove it")
    read = {*SWITCHES_OF_PLAY, *SWITCHES_OF_SCORING}
    for row in rows:
        read.add(row.points_from)
        for switch in row.switches:
            read.update(switch.when)
    for index, name in enumerate(ruleset.options):
        if name not in read:
            file.tables("option")[index].wrong(
                "id", f"nothing in the file reads option {name!r}", "name it in a row's switches, or remove it"
            )
